"""Who sits where: from the text of a seat to a player.

human                       a person at this screen
greedy, tree:200            a bot of the game
cmd:./mybot --fast          a program that speaks the line protocol
plain:./mybot               a program in plain mode: it prints the action's text
mybot.py, mybot.py:act      a function in a Python file
http://127.0.0.1:9000       a web server in Battlesnake's shape
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from turntile.core.bots import Bot
from turntile.core.errors import TurntileError
from turntile.core.game import Game
from turntile.players.functions import function_bot
from turntile.players.guests import Guest
from turntile.players.process import OWN, Launch, ProcessGuest
from turntile.players.processes import find_program
from turntile.players.webhook import WebhookGuest

HUMAN = "human"
PROGRAMS = ("cmd:", "plain:")
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

    @property
    def guest(self) -> Guest | None:
        """The player outside this process, if it is one."""
        return self.bot if isinstance(self.bot, Guest) else None

    def close(self) -> None:
        """Send a guest away for good."""
        if self.guest is not None:
            self.guest.close()


PERSON = Player(HUMAN)


def seat_player(game: Game, text: str, launch: Launch = OWN) -> Player:
    """The player a seat's text names. A program is looked for, but starts with its first match."""
    if text == HUMAN:
        return PERSON
    if text.startswith(PROGRAMS):
        return Player(text, program(text, launch))
    if text.startswith(("http://", "https://")):
        return Player(text, WebhookGuest(text))
    if text.endswith(".py") or ".py:" in text:
        return Player(text, function_bot(game, text))
    name, _, argument = text.partition(":")
    for kind in game.bots:
        if kind.name == name:
            return Player(text, kind.make(argument))
    near = get_close_matches(name, [HUMAN, *(kind.name for kind in game.bots)], n=1)
    hint = f"did you mean {near[0]}?" if near else say_names(game)
    raise InvalidSeat(f"{game.name} has no bot called {name!r}: {hint}")


def say_names(game: Game) -> str:
    return f"say {HUMAN}, " + ", ".join(kind.name for kind in game.bots) + ", file.py, cmd:COMMAND or http://..."


def program(text: str, launch: Launch = OWN) -> ProcessGuest:
    """The program of `cmd:COMMAND` or `plain:COMMAND`."""
    mode, _, line = text.partition(":")
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise InvalidSeat(f"seat {text!r}: the command cannot be read: {error}") from None
    if not command:
        raise InvalidSeat(f"seat {text!r} names no command: say {mode}:./mybot")
    if find_program(command[0]) is None:
        raise InvalidSeat(f"seat {text!r}: there is no program {command[0]!r} that can be run here")
    if launch.sandbox != "off":
        from turntile.players.sandbox import choose

        choose(launch.sandbox)  # refused now rather than in the middle of a match
    return ProcessGuest(command, mode == "plain", launch)


def function_player(name: str, bot: Callable[..., str]) -> Player:
    """A function of this process as a player."""
    return Player(name, bot)


def default_opponent(game: Game) -> str:
    """The strongest of the game's bots that answers at once."""
    quick = [kind.name for kind in game.bots if kind.name != SEARCH]
    return quick[-1] if quick else game.bots[-1].name


def fill_seats(
    game: Game, texts: Sequence[str], seats: int, filler: str | None = None, launch: Launch = OWN
) -> list[Player]:
    """A player for each seat of a match: those named, then the default opponent."""
    if len(texts) > seats:
        raise InvalidSeat(f"{len(texts)} players are named, but this match of {game.name} has {seats} seats")
    rest = [filler or default_opponent(game)] * (seats - len(texts))
    return [seat_player(game, text, launch) for text in [*texts, *rest]]
