"""Optional functions of a rules file: what is used where a game does not write its own."""

from __future__ import annotations

from turntile.core.contract import MAX_ACTIONS, State, legal
from turntile.core.dice import Dice, below
from turntile.forge import i32, i32s

NO_ESTIMATE = -1

# How many steps a playout of the tree search goes before `estimate` is asked.
ROLLOUT_STEPS = 400


def candidates(s: State, seat: int, out: list[i32]) -> int:
    """The actions worth searching, in rising order: a non-empty part of the legal ones."""
    return legal(s, seat, out)


def rollout_action(s: State, seat: int, dice: Dice) -> int:
    """The action of a random playout: any legal one."""
    choices = i32s(MAX_ACTIONS)
    return choices[below(dice, legal(s, seat, choices))]


def used_bytes(s: State) -> int:
    """How many bytes of the record are in use, all behind being zero and never read; 0 = all.

    A game whose record ends in large arrays that a small board hardly fills makes its states
    cheaper to copy by this.
    """
    return 0


def estimate(s: State, seat: int) -> int:
    """How good an unfinished match looks for a seat, 0 (lost) to 1000 (won), or NO_ESTIMATE."""
    return NO_ESTIMATE
