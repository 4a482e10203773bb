"""Ratings: order-free, ties monotone, equal bots overlap, intervals that hold what they promise."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turntile.contest import sequential
from turntile.contest.plan import Sprt
from turntile.contest.ratings import ELO, Ladder, UnitKey, bradley_terry, unit_key

Match = tuple[tuple[int, ...], tuple[int, ...]]  # bots and places by seat


def rate(bots: int, matches: list[Match]) -> list[float]:
    units = Counter(unit_key([match]) for match in matches)
    return [rating.elo for rating in bradley_terry(bots, units)]


@st.composite
def some_matches(draw: st.DrawFn) -> list[Match]:
    matches = []
    for _ in range(draw(st.integers(1, 30))):
        bots = tuple(draw(st.permutations(range(5)))[: draw(st.integers(2, 4))])
        matches.append((bots, tuple(draw(st.integers(1, 3)) for _ in bots)))
    return matches


@settings(deadline=None)
@given(matches=some_matches(), chance=st.randoms(use_true_random=False))
def test_the_order_of_matches_does_not_matter(matches: list[Match], chance: Random) -> None:
    shuffled = matches[:]
    chance.shuffle(shuffled)
    assert rate(5, shuffled) == rate(5, matches)


@settings(deadline=None)
@given(matches=some_matches(), chance=st.randoms(use_true_random=False))
def test_the_order_of_seats_does_not_matter(matches: list[Match], chance: Random) -> None:
    turned = []
    for bots, places in matches:
        order = list(range(len(bots)))
        chance.shuffle(order)
        turned.append((tuple(bots[at] for at in order), tuple(places[at] for at in order)))
    assert rate(5, turned) == rate(5, matches)


@settings(deadline=None)
@given(matches=some_matches())
def test_a_tie_is_worth_more_than_a_loss_and_less_than_a_win(matches: list[Match]) -> None:
    """Whatever was played before, bot 0's rating falls from a win over a tie to a loss against bot 1."""
    won, tied, lost = (rate(5, [*matches, ((0, 1), places)])[0] for places in ((1, 2), (1, 1), (2, 1)))
    assert won > tied > lost


@settings(deadline=None)
@given(matches=some_matches())
def test_ratings_are_told_around_zero_with_a_finite_interval(matches: list[Match]) -> None:
    ratings = bradley_terry(5, Counter(unit_key([match]) for match in matches))
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    assert all(0 < rating.margin < 5000 for rating in ratings)


def test_equal_bots_overlap() -> None:
    """Two bots that win as often as each other have intervals that overlap, in all of 200 contests but a few."""
    chance = Random(1)
    apart = 0
    for _ in range(200):
        units: Counter[UnitKey] = Counter(
            unit_key([((0, 1), chance.choice([(1, 2), (2, 1), (1, 1)]))]) for _ in range(60)
        )
        first, second = bradley_terry(2, units)
        apart += first.high < second.low or second.high < first.low
    assert apart <= 2


def test_an_interval_holds_the_truth_95_times_of_100() -> None:
    """Bots of known strength: their difference from the mean lies within the interval about as often as promised."""
    chance = Random(2)
    truth = [0.6, 0.0, -0.6]
    inside = 0
    for _ in range(150):
        matches = []
        for one, other in ((0, 1), (0, 2), (1, 2)) * 40:
            wins = chance.random() < 1 / (1 + math.exp(truth[other] - truth[one]))
            matches.append(((one, other), (1, 2) if wins else (2, 1)))
        ratings = bradley_terry(3, Counter(unit_key([match]) for match in matches))
        inside += sum(rating.low <= real * ELO <= rating.high for rating, real in zip(ratings, truth, strict=True))
    assert 0.92 <= inside / 450 <= 0.995


def test_matches_of_one_seed_that_repeat_each_other_do_not_narrow_the_interval() -> None:
    """Two bots that ignore chance play the same pair of matches with a seed: that is one piece of evidence."""
    chance = Random(3)
    outcomes = [chance.choice([(1, 2), (2, 1)]) for _ in range(50)]
    once = bradley_terry(2, Counter(unit_key([((0, 1), places)]) for places in outcomes))
    thrice = bradley_terry(2, Counter(unit_key([((0, 1), places)] * 3) for places in outcomes))
    assert thrice[0].margin == pytest.approx(once[0].margin, rel=0.1)


def test_it_agrees_with_choix_where_that_can_tell() -> None:
    """What choix 0.4.1's opt_pairwise makes of the same matches; so many that our assumption of one win and one
    loss against an average bot weighs nothing."""
    counts = {(0, 1): 3000, (1, 0): 1000, (1, 2): 2500, (2, 1): 1500, (0, 2): 3200, (2, 0): 800}
    units: Counter[UnitKey] = Counter()
    for (winner, loser), times in counts.items():
        units[unit_key([((winner, loser), (1, 2))])] += times
    elo = [rating.elo / ELO for rating in bradley_terry(3, units)]
    assert elo == pytest.approx(CHOIX, abs=0.001)


CHOIX = [0.83385, -0.19124, -0.64261]


# ------------------------------------------------------------------- ladders


def ladder_after(matches: list[Match]) -> list[float]:
    ladder = Ladder(4)
    for bots, places in matches:
        ladder.count(bots, places)
    return [ladder.mean(bot) for bot in range(4)]


@settings(deadline=None, max_examples=50)
@given(before=some_matches())
def test_ties_on_a_ladder_are_monotone(before: list[Match]) -> None:
    past = [(bots, places) for bots, places in before if max(bots) < 4]
    won, tied, lost = (ladder_after([*past, ((0, 1), places)])[0] for places in ((1, 2), (1, 1), (2, 1)))
    assert won > tied > lost


def test_tied_winners_of_a_ladder_stand_above_those_behind_them() -> None:
    means = ladder_after([((0, 1, 2, 3), (1, 1, 3, 4))])
    assert means[0] == pytest.approx(means[1])
    assert means[1] > means[2] > means[3]


# ------------------------------------------------------------------- sequential tests


def test_evidence_is_symmetric() -> None:
    seen = Counter({1.0: 40, 0.5: 100, 0.25: 30, 0.0: 30})
    mirrored = Counter({1 - score: times for score, times in seen.items()})
    ratio = sequential.log_likelihood_ratio(seen, -5, 5)
    assert ratio == pytest.approx(-sequential.log_likelihood_ratio(mirrored, -5, 5))


def test_evidence_agrees_with_the_normal_approximation_where_units_are_many() -> None:
    seen = Counter({1.0: 2600, 0.75: 1000, 0.5: 3000, 0.25: 900, 0.0: 2500})
    units = seen.total()
    mean = sum(score * times for score, times in seen.items()) / units
    variance = sum((score - mean) ** 2 * times for score, times in seen.items()) / units
    s0, s1 = sequential.expected_score(0), sequential.expected_score(5)
    approximated = units * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert sequential.log_likelihood_ratio(seen, 0, 5) == pytest.approx(approximated, rel=0.02)


def test_two_lucky_units_decide_nothing() -> None:
    assert sequential.verdict(Counter({1.0: 2}), Sprt()) == ""


@pytest.mark.parametrize(("elo", "wanted"), [(0.0, "rejected"), (80.0, "accepted")])
def test_a_sequential_test_is_right_about_as_often_as_it_promises(elo: float, wanted: str) -> None:
    """Under either hypothesis the wrong one is accepted in at most about 5 of 100."""
    chance = Random(4)
    rule = Sprt(elo0=0, elo1=80)
    right = 0
    for _ in range(60):
        seen: Counter[float] = Counter()
        while not (told := sequential.verdict(seen, rule)):
            seen[sum(chance.random() < sequential.expected_score(elo) for _ in range(2)) / 2] += 1
        right += told.startswith(wanted)
    assert right >= 53
