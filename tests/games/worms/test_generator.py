"""The prescribed generator, against numbers written down from a C++ standard library."""

from __future__ import annotations

import pytest

from tests.support import rule
from turntile.games.worms.mersenne import Mersenne, draw_below, draw_word, seed_mersenne

# Seed: the first four words, and the 1301st.
WORDS = {
    0: ([2357136044, 2546248239, 3071714933, 3626093760], 2137935524),
    42: ([1608637542, 3421126067, 4083286876, 787846414], 373319790),
    5489: ([3499211612, 581869302, 3890346734, 3586334585], 629276741),
    4294967295: ([419326371, 479346978, 3918654476, 2416749639], 2429485148),
}

# Seed and n: six draws from 0 to n - 1, and the word that comes after them.
DRAWS = {
    (0, 1): ([0, 0, 0, 0, 0, 0], 2340255427),
    (0, 4): ([2, 2, 2, 3, 2, 3], 2340255427),
    (42, 40): ([14, 31, 38, 7, 29, 31], 2571218620),
    (5489, 364): ([296, 49, 329, 303, 46, 352], 3922919429),
    (0, 3000000000): ([1646440506, 2145568094, 2573836859, 2541755211, 1270964390, 1153145124], 1879422756),
    (4294967295, 3000000000): ([292896086, 2737148531, 1688080121, 2367105907, 1578963920, 2340010792], 3309765114),
}


def seeded(seed: int) -> Mersenne:
    random = Mersenne()
    seed_mersenne(random, seed)
    return random


@rule("Z1")
@pytest.mark.parametrize("seed", WORDS)
def test_the_words_are_those_of_mt19937(seed: int) -> None:
    """Also after the 624 words of the state have been renewed twice."""
    random = seeded(seed)
    first, late = WORDS[seed]

    assert [draw_word(random) for _ in range(4)] == first
    for _ in range(1296):
        draw_word(random)
    assert draw_word(random) == late


@rule("Z1", "Z4")
@pytest.mark.parametrize(("seed", "n"), DRAWS)
def test_a_range_is_drawn_by_multiply_and_shift_with_rejection(seed: int, n: int) -> None:
    """One word each, even where only 0 is possible; with a large range some words are rejected."""
    random = seeded(seed)
    numbers, after = DRAWS[seed, n]

    assert [draw_below(random, n) for _ in range(6)] == numbers
    if n < 1000:
        assert random.drawn == 6
    assert draw_word(random) == after
