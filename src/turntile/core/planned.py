"""Chance spelled out: what the next draws shall be. For tests and set positions; not a rule."""

from __future__ import annotations

from collections.abc import Sequence

from turntile.core.dice import MAX_PLANNED, Dice


def plan_dice(dice: Dice, numbers: Sequence[int]) -> None:
    """Let the next draws be these, in this order; then the generator goes on."""
    if len(numbers) > MAX_PLANNED:
        raise ValueError(f"{len(numbers)} planned draws: at most {MAX_PLANNED} fit")
    dice.planned = len(numbers)
    for place, number in enumerate(reversed(numbers)):
        dice.plan[place] = number
