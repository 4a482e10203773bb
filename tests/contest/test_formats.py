"""Which tables meet in each format, and who comes out where."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contest.tables import by_strength, contest, finished, play_all
from turntile.contest.course import Course
from turntile.contest.formats import Swiss
from turntile.contest.matches import Finished, Mishap, Planned, shares
from turntile.contest.standings import standings_of


def names(course: Course) -> list[str]:
    return [line.name for line in standings_of(course).standings]


def tables_of(played: list[Planned]) -> list[tuple[int, tuple[int, ...]]]:
    """Round and bots of each table, once."""
    return list(dict.fromkeys((match.round, tuple(sorted(match.bots))) for match in played))


def test_shares_are_the_part_of_the_others_one_came_before() -> None:
    assert shares([1, 2]) == [1, 0]
    assert shares([1, 1]) == [0.5, 0.5]
    assert shares([1, 2, 2, 4]) == [1, 0.5, 0.5, 0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_robin_plays_every_table_in_all_orders_of_seats_with_the_same_seeds(seats: int) -> None:
    played = play_all(Course(contest(bots=5, seats=seats, rounds=2)))

    for round in (1, 2):
        orders = [match.bots for match in played if match.round == round]
        assert sorted(orders) == sorted(
            order for table in combinations(range(5), seats) for order in permutations(table)
        )
        assert len({match.seed for match in played if match.round == round}) == 1
    assert len({match.seed for match in played}) == 2


def test_a_gauntlet_is_the_champion_against_all_others() -> None:
    played = play_all(Course(contest(bots=4, format="gauntlet", champion="bot2")))
    assert sorted(set(tables_of(played))) == [(1, (0, 2)), (1, (1, 2)), (1, (2, 3))]


@pytest.mark.parametrize(("bots", "rounds"), [(4, 3), (6, 5), (7, 7), (8, 7), (9, 9)])
def test_a_swiss_has_no_rematch_and_no_second_bye_before_it_is_necessary(bots: int, rounds: int) -> None:
    """In as many rounds as a round robin would take, nobody need meet anybody twice, nor sit out twice."""
    course = Course(contest(bots=bots, format="swiss", rounds=rounds))
    played = play_all(course)
    pairs = Counter(table for _, table in tables_of(played))

    assert max(pairs.values()) == 1
    assert len(pairs) == bots * (bots - 1) // 2
    if bots % 2:
        assert isinstance(course.format, Swiss)
        assert sorted(course.format.byes) == list(range(bots))


def test_a_swiss_repeats_a_pairing_when_it_must() -> None:
    played = play_all(Course(contest(bots=2, format="swiss", rounds=3)))
    assert tables_of(played) == [(1, (0, 1)), (2, (0, 1)), (3, (0, 1))]


def test_leaders_of_a_swiss_meet() -> None:
    """Round 1 folds the list in half; then winners meet winners."""
    rounds: dict[int, set[tuple[int, ...]]] = {}
    for round, table in tables_of(play_all(Course(contest(bots=8, format="swiss", rounds=3)))):
        rounds.setdefault(round, set()).add(table)

    assert rounds[1] == {(0, 4), (1, 5), (2, 6), (3, 7)}
    assert all({one < 4, other < 4} != {True, False} for one, other in rounds[2])
    assert (0, 1) in rounds[3] or (0, 1) in rounds[2]


def test_a_bye_is_worth_a_win_and_goes_to_the_weakest() -> None:
    course = Course(contest(bots=5, format="swiss", rounds=1))
    play_all(course)
    last = next(line for line in standings_of(course).standings if line.more["byes"])
    assert (last.name, last.more["score"]) == ("bot4", 1.0)


@pytest.mark.parametrize(("bots", "seats", "sizes"), [(7, 4, [3, 4]), (5, 3, [2, 3]), (9, 4, [3, 3, 3])])
def test_nobody_sits_out_where_three_or_four_may_sit_together(bots: int, seats: int, sizes: list[int]) -> None:
    played = play_all(Course(contest(bots=bots, format="swiss", seats=seats, rounds=3)))
    for round in (1, 2, 3):
        assert sorted(len(table) for at, table in tables_of(played) if at == round) == sizes


def test_a_swiss_of_four_seats_avoids_rematches() -> None:
    played = play_all(Course(contest(bots=16, format="swiss", seats=4, rounds=3)))
    met = Counter(pair for _, table in tables_of(played) for pair in combinations(table, 2))
    assert max(met.values()) == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("bots", [4, 5, 7, 8, 11])
def test_the_best_wins_a_knockout(bots: int, seats: int) -> None:
    course = Course(contest(bots=bots, format="knockout", seats=seats))
    play_all(course)
    assert names(course)[0] == "bot0"


def test_byes_of_a_knockout_go_to_the_best_seeded_in_the_first_round_only() -> None:
    tables = tables_of(play_all(Course(contest(bots=6, format="knockout", best_of=1))))
    assert tables == [(1, (2, 5)), (1, (3, 4)), (2, (0, 3)), (2, (1, 2)), (3, (0, 1))]


def test_a_table_of_a_knockout_ends_when_one_has_won_more_than_half() -> None:
    played = play_all(Course(contest(bots=2, format="knockout", best_of=5)))
    assert len({match.seed for match in played}) == 3
    assert len(played) == 6


def test_a_knockout_that_stays_tied_goes_to_the_better_seeded_and_says_so() -> None:
    course = Course(contest(bots=2, format="knockout", best_of=1))
    play_all(course, lambda planned: finished(planned, [1, 1]))
    assert names(course)[0] == "bot0"
    assert standings_of(course).summary == {"tables decided by seeding": 1}


def test_a_ladder_goes_on_until_it_is_stopped() -> None:
    course = Course(contest(bots=5, format="ladder"))
    for _ in range(400):
        planned = course.next()
        assert planned is not None
        course.arrive(by_strength(planned))

    assert not course.ended
    assert names(course)[0] == "bot0"
    played = [line.played for line in standings_of(course).standings]
    assert max(played) - min(played) <= 4, "who has played least plays"


def test_a_ladder_ends_after_its_rounds() -> None:
    assert len(play_all(Course(contest(bots=4, format="ladder", rounds=3)))) == 3 * 2 * 2


@pytest.mark.parametrize(("seats", "orders"), [(2, 2), (3, 6), (4, 6)])
def test_a_sequential_test_shares_the_seats_evenly(seats: int, orders: int) -> None:
    played = play_all(Course(contest(bots=2, format="sprt", seats=seats)), lambda planned: first_wins(planned))
    assert sum(match.bots.count(0) for match in played) == sum(match.bots.count(1) for match in played)
    assert len({match.bots for match in played}) == orders


def first_wins(planned: Planned) -> Finished:
    return finished(planned, [1 if bot == 0 else 1 + planned.bots.count(0) for bot in planned.bots])


@pytest.mark.parametrize(
    ("stop", "matches", "why"),
    [({"matches": 10}, 10, "stop.matches"), ({"interval": 150}, None, "stop.interval")],
)
def test_a_stop_rule_ends_a_contest_early(stop: dict[str, Any], matches: int | None, why: str) -> None:
    course = Course(contest(bots=3, rounds=1000, stop=stop))
    played = play_all(course, lambda planned: finished(planned, [1, 2] if planned.seed % 2 else [2, 1]))
    assert why in course.ended
    assert len(played) == matches or (matches is None and 6 < len(played) < 1000)


@pytest.mark.parametrize("format", ["round-robin", "swiss", "ladder"])
def test_a_bot_that_only_fails_is_out_if_the_plan_says_so(format: str) -> None:
    def result(planned: Planned) -> Finished:
        if 2 not in planned.bots:
            return by_strength(planned)
        seat = planned.bots.index(2)
        return finished(
            planned, [2 if bot == 2 else 1 for bot in planned.bots], failures=(Mishap(seat, 1, "crash", "no", True),)
        )

    played = play_all(Course(contest(bots=4, format=format, rounds=3, drop_failing=True)), result)
    assert {match.round for match in played if 2 in match.bots} == {1}
    assert {match.round for match in played} == {1, 2, 3}


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss", "knockout", "ladder"])
def test_who_has_left_plays_no_later_round(format: str) -> None:
    played = play_all(Course(contest(bots=4, format=format, rounds=3), {1: 2}))
    assert {match.round for match in played if 1 in match.bots} <= {1}


FORMATS = ["round-robin", "gauntlet", "swiss", "knockout", "ladder", "sprt"]


@settings(max_examples=40, deadline=None)
@given(
    format=st.sampled_from(FORMATS),
    seats=st.integers(2, 4),
    chance=st.randoms(use_true_random=False),
    luck=st.integers(0, 2**32),
)
def test_the_order_in_which_results_arrive_changes_nothing(format: str, seats: int, chance: Any, luck: int) -> None:
    """However many play at once: the same plan and results give the same matches and standings."""

    def result(planned: Planned) -> Finished:
        worth = [hash((luck, planned.seed, planned.bots, bot)) % 3 for bot in planned.bots]
        return finished(planned, [1 + sum(other < mine for other in worth) for mine in worth])

    bots = 2 if format == "sprt" else 5
    plan = contest(bots=bots, format=format, seats=seats, rounds=4)
    straight, mixed = Course(plan), Course(plan)
    play_all(straight, result)
    running: list[Planned] = []
    while not mixed.ended:
        while len(running) < 6 and (planned := mixed.next()) is not None:
            running.append(planned)
        mixed.arrive(result(running.pop(chance.randrange(len(running)))))

    assert standings_of(mixed) == standings_of(straight)
