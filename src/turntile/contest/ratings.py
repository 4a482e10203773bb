"""Ratings: Bradley-Terry over all matches at once for events, openskill match by match for ladders.

The batch rating is our own few lines of Newton's method, not choix: that knows neither ties nor
intervals, and brings SciPy. A match of more than two counts as a comparison of each two seats,
a tie as half a win for both. Nothing here depends on the order of matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turntile.contest.extras import need

ELO = 400 / log(10)  # of one unit of Bradley-Terry's scale
Z95 = 1.959964  # 95 % of a normal distribution lie within this many deviations

# What is known of every bot before it plays: one win and one loss against an average one.
# It keeps the rating of a bot that never lost finite, and weighs nothing after some dozen matches.
PRIOR = 2.0

# A table's bots, and for each two of them (in the order of `pairs`) how many points the first of
# the two made in how many comparisons: what the matches of one seed together say.
UnitKey = tuple[tuple[int, ...], tuple[tuple[float, int], ...]]


@dataclass(frozen=True)
class Rating:
    """Elo around 0, and how far the truth may be from it (95 %)."""

    elo: float
    margin: float

    @property
    def low(self) -> float:
        return self.elo - self.margin

    @property
    def high(self) -> float:
        return self.elo + self.margin


def pairs(bots: Sequence[int]) -> list[tuple[int, int]]:
    return [(one, other) for at, one in enumerate(bots) for other in bots[at + 1 :]]


def unit_key(matches: Iterable[tuple[Sequence[int], Sequence[int]]]) -> UnitKey:
    """What the matches of one unit (bots by seat, places by seat) say of each two bots."""
    points: Counter[tuple[int, int]] = Counter()
    halves: Counter[tuple[int, int]] = Counter()
    for bots, places in matches:
        for seat, bot in enumerate(bots):
            for beside in range(seat + 1, len(bots)):
                other = bots[beside]
                if bot == other:
                    continue
                first, second = (seat, beside) if bot < other else (beside, seat)
                key = (bots[first], bots[second])
                points[key] += 1
                halves[key] += 2 * (places[first] < places[second]) + (places[first] == places[second])
    table = tuple(sorted({bot for key in points for bot in key}))
    return table, tuple((halves[key] / 2, points[key]) for key in pairs(table))


def bradley_terry(bots: int, units: Counter[UnitKey]) -> list[Rating]:
    """The likeliest ratings of all bots and their intervals.

    An interval is the wider of two: from the Fisher information, as if all comparisons were
    independent, and from how much the units really scatter, since matches of one seed and
    comparisons of one match are not.
    """
    points, played = sum_up(bots, units)
    strength = np.zeros(bots)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (points - played * expected).sum(axis=1) - PRIOR * np.tanh(strength / 2) / 2
        information = fisher(played, expected, strength)
        change = np.linalg.solve(information, slope)
        largest = float(np.abs(change).max(initial=0.0))
        strength += change * min(1.0, 2.0 / largest) if largest else 0.0
        if largest < 1e-10:
            break
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    inverse = np.linalg.inv(fisher(played, expected, strength))
    scattered = inverse @ scatter(bots, units, expected) @ inverse
    # Only differences mean anything: each rating is told against the mean of all.
    centre = np.eye(bots) - 1 / bots
    variance = np.maximum(np.diag(centre @ inverse @ centre.T), np.diag(centre @ scattered @ centre.T))
    elo = (strength - strength.mean()) * ELO
    margins = Z95 * ELO * np.sqrt(np.maximum(variance, 0.0))
    return [Rating(float(one), float(margin)) for one, margin in zip(elo, margins, strict=True)]


def sum_up(bots: int, units: Counter[UnitKey]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of each against each, and comparisons."""
    points = np.zeros((bots, bots))
    played = np.zeros((bots, bots))
    for (table, told), times in sorted(units.items()):  # sorted: sums of floats must not depend on the order
        for (one, other), (made, of) in zip(pairs(table), told, strict=True):
            points[one, other] += times * made
            points[other, one] += times * (of - made)
            played[one, other] += times * of
            played[other, one] += times * of
    return points, played


def fisher(
    played: NDArray[np.float64], expected: NDArray[np.float64], strength: NDArray[np.float64]
) -> NDArray[np.float64]:
    weight = played * expected * expected.T
    prior = PRIOR / (4 * np.cosh(strength / 2) ** 2)
    matrix: NDArray[np.float64] = np.diag(weight.sum(axis=1) + prior) - weight
    return matrix


def scatter(bots: int, units: Counter[UnitKey], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum over all units of how far each lay from what was expected, squared."""
    found = np.zeros((bots, bots))
    for (table, told), times in sorted(units.items()):
        away = np.zeros(bots)
        for (one, other), (made, of) in zip(pairs(table), told, strict=True):
            away[one] += made - of * expected[one, other]
            away[other] -= made - of * expected[one, other]
        found += times * np.outer(away, away)
    return found


class Ladder:
    """Ratings that move with every match: openskill's Bradley-Terry, in which tied seats meet each other as equals."""

    def __init__(self, bots: int) -> None:
        self.model: Any = need("openskill.models", "contest", "a ladder's rating").BradleyTerryFull()
        self.ratings = [self.model.rating() for _ in range(bots)]

    def count(self, bots: Sequence[int], places: Sequence[int]) -> None:
        teams = [[self.ratings[bot]] for bot in bots]
        rated = self.model.rate(teams, ranks=[float(place) for place in places])
        for bot, [rating] in zip(bots, rated, strict=True):
            self.ratings[bot] = rating

    def mean(self, bot: int) -> float:
        return float(self.ratings[bot].mu)

    def deviation(self, bot: int) -> float:
        return float(self.ratings[bot].sigma)

    def safe(self, bot: int) -> float:
        """What the bot is at least worth, most likely: who played little does not lead by luck."""
        return self.mean(bot) - 3 * self.deviation(bot)
