"""Bots inside this process: a function from a turn to an action's text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from turntile.core.errors import InvalidOptions

if TYPE_CHECKING:
    from turntile.core.gears import State


class Turn(Protocol):
    """What a bot is given when it is to act. It never holds the true state."""

    @property
    def seat(self) -> int: ...

    @property
    def view(self) -> Any:
        """The game's own view for this seat."""
        ...

    @property
    def legal(self) -> Sequence[str]:
        """The legal actions' texts, in order."""
        ...

    @property
    def random(self) -> Random:
        """The bot's own chance, seeded per match and seat."""
        ...

    @property
    def memory(self) -> dict[str, Any]:
        """The bot's own notes, kept from turn to turn of one match."""
        ...

    def imagine(self) -> State:
        """A state that could be the true one: all this seat cannot know is drawn anew."""
        ...

    def spell(self, action: int) -> str:
        """The text of an action's number."""
        ...

    def search(self, milliseconds: int = 0, iterations: int = 0) -> str:
        """The action a tree search over imagined states prefers, within a budget."""
        ...


Bot = Callable[[Turn], str]


@dataclass(frozen=True)
class BotKind:
    """A named bot. `make` takes what stands behind a colon in `--seat name:argument`, or ""."""

    name: str
    summary: str
    make: Callable[[str], Bot]


def random_bot(argument: str) -> Bot:
    """Any legal action, each as likely as the other."""

    def act(turn: Turn) -> str:
        return turn.random.choice(turn.legal)

    return act


def tree_bot(argument: str) -> Bot:
    """The tree search; the argument is its budget: milliseconds a move (50), or `500i` iterations."""
    text = argument or "50"
    number = text.removesuffix("i").removesuffix("ms")
    if not number.isascii() or not number.isdigit() or int(number) == 0:
        raise InvalidOptions(f"tree:{argument} is no budget: say tree:50 (milliseconds) or tree:500i (iterations)")
    budget = int(number)

    def act(turn: Turn) -> str:
        if text.endswith("i"):
            return turn.search(iterations=budget)
        return turn.search(milliseconds=budget)

    return act


RANDOM = BotKind("random", "any legal action", random_bot)
TREE = BotKind("tree", "tree search over imagined states, 50 ms a move (tree:200 thinks longer)", tree_bot)
