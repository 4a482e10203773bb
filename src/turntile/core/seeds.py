"""Seeds of 64 bits, and further seeds derived from one."""

from __future__ import annotations

MASK64 = 2**64 - 1


def split_seed(seed: int) -> tuple[int, int]:
    """The two words that `seed_dice` takes."""
    return seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF


def derive_seed(seed: int, *path: int) -> int:
    """A seed for one part of something seeded (a match of a run, a seat of a match).

    Mixed, not added: else the dice of match 8 would be those of seed 7's match, one later.
    (The finalizer of splitmix64 over seed and path.)
    """
    mixed = seed & MASK64
    for number in path:
        mixed = (mixed + 0x9E3779B97F4A7C15 * (number + 1)) & MASK64
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK64
        mixed ^= mixed >> 31
    return mixed
