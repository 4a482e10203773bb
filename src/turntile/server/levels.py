"""Built-in bots as people choose them: easy, medium, hard, expert.

A level names a bot of the game and its budget. Levels are players with a rating of their own
("Tron hard"), so their names are kept for them. A game that names no levels here has those its
bots suggest: they stand from easy to strong in its bots.py.
"""

from __future__ import annotations

from difflib import get_close_matches

import msgspec

from turntile.core.bots import BotKind
from turntile.core.errors import TurntileError
from turntile.core.game import Game

WORDS = ("easy", "medium", "hard", "expert")
SEARCH = "tree"

# A game in real time leaves a search no more than its turn.
OURS: dict[str, dict[str, str]] = {
    "tron": {"easy": "greedy", "medium": "territory", "hard": "tree:40", "expert": "tree:120"},
    "racers": {"easy": "runner", "medium": "hunter", "hard": "tree:100", "expert": "tree:400"},
    "worms": {"easy": "random", "medium": "greedy", "hard": "tree:100", "expert": "tree:400"},
    "roborace": {"easy": "random", "medium": "tree:20", "hard": "planner", "expert": "tree:400"},
    "robots": {"easy": "sentry", "medium": "hunter", "hard": "tree:100", "expert": "tree:400"},
}

MOST_MILLISECONDS = 2000  # a move of a bot somebody else than the game's author chose the budget of
MOST_ITERATIONS = 50_000
MOST_ARGUMENT = 40  # characters


class UnknownBot(TurntileError):
    """A word that names no bot of the game, or one that may not be asked for here."""


class Level(msgspec.Struct, frozen=True):
    """A built-in bot as it is offered."""

    level: str  # hard
    name: str  # Tron hard: its name as a player
    bot: str  # tree:40
    summary: str


def levels_of(game: Game) -> tuple[Level, ...]:
    """From easy to strong."""
    specs = OURS.get(game.name) or suggested(game)
    kinds = {kind.name: kind for kind in game.bots}
    return tuple(
        Level(word, f"{game.title} {word}", specs[word], kinds[specs[word].partition(":")[0]].summary)
        for word in WORDS
        if word in specs and specs[word].partition(":")[0] in kinds
    )


def suggested(game: Game) -> dict[str, str]:
    """The levels of a game we do not know: its own bots in their order, then the search."""
    quick = [kind.name for kind in game.bots if kind.name != SEARCH]
    longest = game.turn_ms // 2 or 400
    search = [f"{SEARCH}:{longest // 4}", f"{SEARCH}:{longest}"] if has_search(game) else []
    ladder = [*quick[: len(WORDS) - len(search)], *search]
    return dict(zip(WORDS, ladder, strict=False))


def has_search(game: Game) -> bool:
    return any(kind.name == SEARCH for kind in game.bots)


def find_level(game: Game, word: str) -> Level | None:
    """The level of that word, or of the name it bears as a player."""
    return next((level for level in levels_of(game) if word in (level.level, level.name)), None)


def check_bot(game: Game, text: str) -> str:
    """The spelling of one of the game's own bots, with a budget that others can live with. Raises UnknownBot."""
    name, _, argument = text.partition(":")
    kind = next((kind for kind in game.bots if kind.name == name), None)
    if kind is None:
        known = [level.level for level in levels_of(game)] + [kind.name for kind in game.bots]
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "say " + ", ".join(known) + ", or @name for a registered one"
        raise UnknownBot(f"{game.title} has no bot called {text[:MOST_ARGUMENT]!r}: {hint}")
    if len(argument) > MOST_ARGUMENT:
        raise UnknownBot(f"what stands behind {name}: is too long: at most {MOST_ARGUMENT} characters")
    kind.make(argument)  # raises InvalidOptions where the argument means nothing to it
    if name == SEARCH:
        check_budget(kind, argument)
    return text


def check_budget(kind: BotKind, argument: str) -> None:
    number = int(argument.removesuffix("i").removesuffix("ms") or 0)
    if argument.endswith("i"):
        if number > MOST_ITERATIONS:
            raise UnknownBot(f"{kind.name}:{argument} thinks too long: at most {MOST_ITERATIONS}i")
    elif number > MOST_MILLISECONDS:
        raise UnknownBot(f"{kind.name}:{argument} thinks too long: at most {MOST_MILLISECONDS} ms a move")


def expected_s(bot: str) -> float:
    """How long a bot of this spelling thinks about a move, roughly: for choosing who is to do it."""
    name, _, argument = bot.partition(":")
    if name != SEARCH:
        return 0.01
    if argument.endswith("i"):
        return int(argument[:-1]) / 20_000
    return int(argument.removesuffix("ms") or 50) / 1000
