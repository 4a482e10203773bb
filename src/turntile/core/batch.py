"""One match of a batch: stepped, rewarded and, when it is over, started anew. In forge's subset."""

from __future__ import annotations

from turntile.core.contract import State, over, seats, setup, step
from turntile.core.dice import next_word, seed_dice
from turntile.core.playouts import reward
from turntile.forge import assign, i32


def begin(s: State, fresh: State, low: int, high: int) -> None:
    """The first position from prepared options and a seed; nothing is told in a batch."""
    assign(s, fresh)
    seed_dice(s.dice, low, high)
    s.log.quiet = True
    s.log.n = 0
    setup(s)


def advance(s: State, fresh: State, actions: list[i32], rewards: list[i32]) -> bool:
    """One step; True when it ended the match, which then stands at a new first position."""
    step(s, actions)
    if not over(s):
        return False
    for seat in range(seats(s)):
        rewards[seat] = reward(s, seat)
    low = next_word(s.dice)
    high = next_word(s.dice)
    begin(s, fresh, low, high)
    return True


def mask_legal(mask: bytearray, actions: list[i32], n: int) -> None:
    """Set the bytes of the listed actions; the rest is zero already."""
    for k in range(n):
        mask[actions[k]] = 1
