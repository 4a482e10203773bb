"""The generator the rulebook prescribes: mt19937, and libstdc++'s way to a number in a range (Z1).

The words are renewed one by one as they are drawn, not all 624 at once: the same numbers come
out, and no draw takes longer than another. Seed and count of draws are kept beside the words,
so that a position can be written down in two numbers.
"""

from __future__ import annotations

from turntile.core.dice import MASK32
from turntile.forge import i32, many, record, u32

MERSENNE_WORDS = 624
MERSENNE_SHIFT = 397


@record
class Mersenne:
    seed: u32
    drawn: u32  # words drawn since it was seeded
    index: i32  # the word to be renewed next
    words: list[u32] = many(MERSENNE_WORDS)


def seed_mersenne(random: Mersenne, seed: int) -> None:
    """As std::mt19937 does from one number."""
    random.seed = seed
    random.drawn = 0
    random.index = 0
    word = seed
    random.words[0] = word
    for place in range(1, MERSENNE_WORDS):
        word = (1812433253 * (word ^ (word >> 30)) + place) & MASK32
        random.words[place] = word


def draw_word(random: Mersenne) -> int:
    """The next 32 bits: renew one word from three old ones, then temper it."""
    here = random.index
    after = here + 1 if here + 1 < MERSENNE_WORDS else 0
    far = here + MERSENNE_SHIFT
    if far >= MERSENNE_WORDS:
        far -= MERSENNE_WORDS
    mixed = (random.words[here] & 0x80000000) | (random.words[after] & 0x7FFFFFFF)
    word = random.words[far] ^ (mixed >> 1)
    if mixed & 1 == 1:
        word ^= 0x9908B0DF
    random.words[here] = word
    random.index = after
    random.drawn = (random.drawn + 1) & MASK32
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


def draw_below(random: Mersenne, n: int) -> int:
    """Z1, Z4: 0 to n - 1 by multiply and shift with Lemire's rejection; one word even if n is 1."""
    product = draw_word(random) * n
    if (product & MASK32) < n:
        floor = (MASK32 + 1 - n) % n
        while (product & MASK32) < floor:
            product = draw_word(random) * n
    return product >> 32
