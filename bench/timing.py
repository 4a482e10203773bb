"""Taking times on a noisy machine: several short turns each, interleaved, the best of each counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

ROUNDS = 5


def rates(ways: Mapping[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, float]:
    """Units per second of each way; a way does some work and says how many units it was.

    The ways take turns, so that what slows the machine for a while slows all of them.
    """
    best = dict.fromkeys(ways, 0.0)
    for _ in range(rounds):
        for name, way in ways.items():
            begun = perf_counter()
            units = way()
            best[name] = max(best[name], units / (perf_counter() - begun))
    return best
