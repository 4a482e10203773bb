"""Dice: the only source of chance. Part of the state, seeded once, the same in both gears.

The generator is sfc32 (four 32-bit words, one of them a counter). `below` is Lemire's
multiply-and-shift with rejection, so no number is favoured. The order of draws is part of a
game's rules. A test that wants certain numbers plans them (`core.planned`): they are drawn
first, each as it stands, before the generator is asked.
"""

from __future__ import annotations

from turntile.forge import i32, many, record, u32

MASK32 = 0xFFFFFFFF
WARM_UP = 12
MAX_PLANNED = 16


@record
class Dice:
    a: u32
    b: u32
    c: u32
    counter: u32
    planned: i32  # how many of `plan` are still to be drawn
    plan: list[i32] = many(MAX_PLANNED)  # drawn from the end


def seed_dice(dice: Dice, low: int, high: int) -> None:
    """Start the dice from a seed of 64 bits, given as two words; a plan is forgotten."""
    dice.a = low
    dice.b = high
    dice.c = 0
    dice.counter = 1
    while dice.planned > 0:
        take_planned(dice)
    for _ in range(WARM_UP):
        next_word(dice)


def next_word(dice: Dice) -> int:
    """The next 32 bits of sfc32."""
    word = (dice.a + dice.b + dice.counter) & MASK32
    dice.counter = (dice.counter + 1) & MASK32
    dice.a = dice.b ^ (dice.b >> 9)
    dice.b = (dice.c + ((dice.c << 3) & MASK32)) & MASK32
    dice.c = ((((dice.c << 21) & MASK32) | (dice.c >> 11)) + word) & MASK32
    return word


def take_planned(dice: Dice) -> int:
    """The next planned number; nothing of it is left, so that equal dice have equal bytes."""
    dice.planned -= 1
    number = dice.plan[dice.planned]
    dice.plan[dice.planned] = 0
    return number


def below(dice: Dice, n: int) -> int:
    """A number from 0 to n - 1, each as likely as the other; n is 1 to 2**31 - 1."""
    if dice.planned > 0:
        number = take_planned(dice)
        assert number < n
        return number
    product = next_word(dice) * n
    if (product & MASK32) < n:
        floor = (MASK32 + 1 - n) % n
        while (product & MASK32) < floor:
            product = next_word(dice) * n
    return product >> 32


def misses(dice: Dice, n: int, limit: int, most: int) -> int:
    """How many draws from 0 to n - 1 come before one under `limit`, which is drawn too; at most `most` are drawn.

    These are the very draws that `below` makes one by one. A game that rolls for every square in
    every turn spends its time here, so the generator's words are kept at hand between draws.
    """
    missed = 0
    while dice.planned > 0 and missed < most:
        if below(dice, n) < limit:
            return missed
        missed += 1
    a = dice.a
    b = dice.b
    c = dice.c
    counter = dice.counter
    floor = (MASK32 + 1 - n) % n
    hit = False
    while missed < most and not hit:
        word = (a + b + counter) & MASK32
        counter = (counter + 1) & MASK32
        a = (b ^ (b >> 9)) & MASK32
        b = (c + (c << 3)) & MASK32
        c = ((((c << 21) & MASK32) | (c >> 11)) + word) & MASK32
        product = word * n
        if (product & MASK32) >= floor:
            hit = product >> 32 < limit
            missed += 1
    dice.a = a
    dice.b = b
    dice.c = c
    dice.counter = counter
    return missed - 1 if hit else missed


def reseed(dice: Dice) -> None:
    """Dice nobody can foresee from the ones before: for `redeal`, which must hide the future."""
    low = next_word(dice)
    high = next_word(dice)
    seed_dice(dice, low, high)
