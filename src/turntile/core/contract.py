"""What every game's rules provide, as the generic chapters (playouts, search, batch) see it.

The generic chapters are written once, in forge's subset, against these names; forge links
them with each game's own functions, in both gears. Nothing here is ever called itself.
"""

from __future__ import annotations

from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.forge import i32

# Stand-ins for the constants of a rules file.
MAX_SEATS = 1  # seats are 0 .. MAX_SEATS - 1; at most 8
MAX_ACTIONS = 1  # actions are 0 .. MAX_ACTIONS - 1
PLANES = 1  # how many planes `observe` writes, each width * height bytes


class State:
    """Stands for the game's root record: it has these fields, its own, and the log last."""

    width: i32
    height: i32
    dice: Dice
    log: Log


def setup(s: State) -> None:
    """From the options in the record and the dice to the first position."""
    raise NotImplementedError


def seats(s: State) -> int:
    """How many seats this match has."""
    raise NotImplementedError


def to_act(s: State) -> int:
    """Bit set of the seats that must act now: one = in turn, several = at the same time, none = over."""
    raise NotImplementedError


def why_illegal(s: State, seat: int, action: int) -> int:
    """0 if `seat` may do `action` now, else a reason code that words.py turns into a sentence."""
    raise NotImplementedError


def legal(s: State, seat: int, out: list[i32]) -> int:
    """Write the legal actions of `seat` in rising order; their number."""
    raise NotImplementedError


def default_action(s: State, seat: int) -> int:
    """What silence means."""
    raise NotImplementedError


def step(s: State, actions: list[i32]) -> None:
    """One step: `actions[seat]` of each seat that is to act; the others' entries are ignored."""
    raise NotImplementedError


def over(s: State) -> bool:
    """Nobody is to act any more."""
    raise NotImplementedError


def score(s: State, seat: int) -> int:
    """The points of a seat, as the rulebook counts them."""
    raise NotImplementedError


def place(s: State, seat: int) -> int:
    """1 for the winner, 2 for the next ...; equal places are a tie; 0 while it is open."""
    raise NotImplementedError


def observe(s: State, seat: int, out: bytearray) -> None:
    """What a seat may know, as PLANES planes of width * height bytes each (all set, zeros too)."""
    raise NotImplementedError


def redeal(s: State, seat: int) -> None:
    """Draw anew from `s.dice` everything that seat cannot know; then `reseed(s.dice)`."""
    raise NotImplementedError
