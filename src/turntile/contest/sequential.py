"""The sequential probability ratio test: how much evidence there is, and whether it is enough.

The generalised test on the mean of a unit's score (all seat orders of one seed together, so that
what the seat and the seed are worth cancels): the likelihood of what was seen under the best
distribution with mean s1, against that with mean s0, where s is what Elo expects. The best
distribution with a given mean is found exactly, not by a normal approximation: that one would
stop after two lucky units.
"""

from __future__ import annotations

from collections import Counter
from math import log

from turntile.contest.plan import Sprt

A_LITTLE = 1e-3  # of a unit: what a score that never came counts, so that every mean is possible


def expected_score(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood_ratio(seen: Counter[float], elo0: float, elo1: float) -> float:
    """How much better elo1 explains these units' scores (0 to 1) of the first bot than elo0 does."""
    if not seen.total():
        return 0.0
    weights = {0.0: A_LITTLE, 0.5: A_LITTLE, 1.0: A_LITTLE}
    for score, times in seen.items():
        weights[score] = weights.get(score, 0.0) + times
    total = sum(weights.values())
    values = sorted(weights)
    parts = [weights[value] / total for value in values]
    likely0 = best_with_mean(values, parts, expected_score(elo0))
    likely1 = best_with_mean(values, parts, expected_score(elo1))
    return sum(weights[value] * log(one / zero) for value, zero, one in zip(values, likely0, likely1, strict=True))


def best_with_mean(values: list[float], parts: list[float], mean: float) -> list[float]:
    """The distribution on `values` with this mean under which `parts` is likeliest.

    It is p / (1 + t (value - mean)) for the t at which the mean fits; the sum below falls with t.
    """

    def excess(t: float) -> float:
        return sum(part * (value - mean) / (1 + t * (value - mean)) for value, part in zip(values, parts, strict=True))

    low, high = -1 / (values[-1] - mean), -1 / (values[0] - mean)
    for _ in range(60):
        middle = (low + high) / 2
        if excess(middle) > 0:
            low = middle
        else:
            high = middle
    t = (low + high) / 2
    return [part / (1 + t * (value - mean)) for value, part in zip(values, parts, strict=True)]


def bounds(rule: Sprt) -> tuple[float, float]:
    """Below the first elo0 is accepted, above the second elo1 (Wald)."""
    return log(rule.beta / (1 - rule.alpha)), log((1 - rule.beta) / rule.alpha)


def verdict(seen: Counter[float], rule: Sprt) -> str:
    """What is accepted, "" while it is open."""
    low, high = bounds(rule)
    ratio = log_likelihood_ratio(seen, rule.elo0, rule.elo1)
    if ratio >= high:
        return f"accepted: the first bot is {rule.elo1:g} Elo stronger rather than {rule.elo0:g}"
    if ratio <= low:
        return f"rejected: the first bot is {rule.elo0:g} Elo stronger rather than {rule.elo1:g}"
    return ""
