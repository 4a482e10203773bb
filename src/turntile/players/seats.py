"""Who sits where: from the text of a seat (`human`, `greedy`, `tree:200`) to a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from turntile.core.bots import Bot
from turntile.core.errors import TurntileError
from turntile.core.game import Game

HUMAN = "human"
SEARCH = "tree"  # the one bot every game has that takes its time


class InvalidSeat(TurntileError):
    """A seat's text that names no player, or more seats than a match has."""


@dataclass(frozen=True, slots=True)
class Player:
    """Whoever sits at a seat. A person has no `bot`: the host's screen asks him."""

    name: str
    bot: Bot | None = None

    @property
    def human(self) -> bool:
        return self.bot is None

    @property
    def kind(self) -> str:
        return "human" if self.human else "bot"


PERSON = Player(HUMAN)


def seat_player(game: Game, text: str) -> Player:
    """The player a seat's text names."""
    if text == HUMAN:
        return PERSON
    if text.startswith(("cmd:", "http://", "https://")) or ".py" in text:
        raise InvalidSeat(f"seat {text!r}: programs and addresses cannot sit at a table yet; {say_names(game)}")
    name, _, argument = text.partition(":")
    for kind in game.bots:
        if kind.name == name:
            return Player(text, kind.make(argument))
    near = get_close_matches(name, [HUMAN, *(kind.name for kind in game.bots)], n=1)
    hint = f"did you mean {near[0]}?" if near else say_names(game)
    raise InvalidSeat(f"{game.name} has no bot called {name!r}: {hint}")


def say_names(game: Game) -> str:
    return f"say {HUMAN}, " + ", ".join(kind.name for kind in game.bots)


def function_player(name: str, bot: Callable[..., str]) -> Player:
    """A function of this process as a player."""
    return Player(name, bot)


def default_opponent(game: Game) -> str:
    """The strongest of the game's bots that answers at once."""
    quick = [kind.name for kind in game.bots if kind.name != SEARCH]
    return quick[-1] if quick else game.bots[-1].name


def fill_seats(game: Game, texts: Sequence[str], seats: int, filler: str | None = None) -> list[Player]:
    """A player for each seat of a match: those named, then the default opponent."""
    if len(texts) > seats:
        raise InvalidSeat(f"{len(texts)} players are named, but this match of {game.name} has {seats} seats")
    rest = [filler or default_opponent(game)] * (seats - len(texts))
    return [seat_player(game, text) for text in [*texts, *rest]]
