"""Dice: the published generator, no number favoured, and draws that can be spelled out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from turntile.core.dice import Dice, below, misses, next_word, reseed, seed_dice
from turntile.core.planned import plan_dice
from turntile.core.seeds import derive_seed, split_seed


def sfc32(a: int, b: int, c: int, counter: int) -> list[int]:
    """The generator as its author describes it, written apart from ours."""
    words = []
    for _ in range(40):
        total = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ (b >> 9)
        b = (c + (c << 3)) % 2**32
        c = (((c << 21) | (c >> 11)) % 2**32 + total) % 2**32
        words.append(total)
    return words


# The first words after seeding with (low, high): documented in docs/rules-language.md.
VECTORS = {
    (0, 0): [0x5146_76C3, 0x08A8_09DF, 0x3034_9D2B, 0xFB52_C520],
    (1, 0): [0x1A55_383E, 0x249F_B8E8, 0x6202_7656, 0xC9EC_BB16],
    (0xDEADBEEF, 0x12345678): [0xD9AB_E560, 0x8EAD_47A9, 0xB6EA_148D, 0xA648_7C05],
}


@pytest.mark.parametrize("seed", VECTORS)
def test_the_generator_is_sfc32_with_twelve_words_thrown_away(seed: tuple[int, int]) -> None:
    dice = Dice()
    seed_dice(dice, *seed)
    drawn = [next_word(dice) for _ in range(28)]
    assert drawn == sfc32(seed[0], seed[1], 0, 1)[12:]
    assert drawn[:4] == VECTORS[seed]


def test_no_number_is_favoured() -> None:
    dice = Dice()
    seed_dice(dice, 5, 6)
    counts = Counter(below(dice, 6) for _ in range(60_000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts.values()) < 25, "chi-square with 5 degrees of freedom"


def test_a_range_that_does_not_divide_the_words_is_drawn_again_without_bias() -> None:
    dice = Dice()
    seed_dice(dice, 1, 2)
    n = 3 * 2**29  # two of eight words would be favoured without rejection
    low = sum(below(dice, n) < n // 3 for _ in range(30_000))
    assert abs(low - 10_000) < 500


def test_planned_draws_come_first_and_in_order() -> None:
    dice, same = Dice(), Dice()
    seed_dice(dice, 1, 1)
    seed_dice(same, 1, 1)
    plan_dice(dice, [3, 0, 2])
    assert [below(dice, 4) for _ in range(3)] == [3, 0, 2]
    assert below(dice, 1000) == below(same, 1000), "then the generator goes on as if nothing had been"


@pytest.mark.parametrize("n", [100, 3 * 2**29])
def test_misses_are_the_draws_that_below_makes_one_by_one(n: int) -> None:
    """Counted in one go, planned ones included, they leave the dice as single draws do."""
    counted, single = Dice(), Dice()
    for dice in (counted, single):
        seed_dice(dice, 5, 6)
        plan_dice(dice, [7, 50, 99, 2])
    limit = n // 20
    for most in (2, 0, 1, 30, 1, 400):
        drawn: list[int] = []
        while len(drawn) < most and not (drawn and drawn[-1] < limit):
            drawn.append(below(single, n))
        hit = bool(drawn) and drawn[-1] < limit
        assert misses(counted, n, limit, most) == len(drawn) - hit
        assert counted == single


def test_a_planned_draw_outside_its_range_is_our_fault() -> None:
    dice = Dice()
    plan_dice(dice, [4])
    with pytest.raises(AssertionError):
        below(dice, 4)
    with pytest.raises(ValueError, match="at most 16"):
        plan_dice(dice, [0] * 17)


def test_reseeding_forgets_the_plan_and_changes_what_comes() -> None:
    dice: Any = Dice()
    seed_dice(dice, 1, 1)
    before = dice.copy()
    plan_dice(dice, [1])
    reseed(dice)
    assert dice.planned == 0
    assert [below(dice, 1000) for _ in range(5)] != [below(before, 1000) for _ in range(5)]


def test_derived_seeds_differ_along_every_path() -> None:
    seeds = {derive_seed(seed, match, seat) for seed in range(20) for match in range(20) for seat in range(4)}
    assert len(seeds) == 20 * 20 * 4
    assert split_seed(0x1122334455667788) == (0x55667788, 0x11223344)
