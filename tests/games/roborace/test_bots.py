"""RoboRace's bots: each stronger than the one before."""

from __future__ import annotations

import pytest

from tests.games.roborace.drawn import complete
from tests.support import picture
from turntile.core.bots import Bot
from turntile.core.gears import GearName, gear
from turntile.games.roborace.game import GAME
from turntile.games.roborace.options import Options
from turntile.games.roborace.planning import WANTED, cost
from turntile.games.roborace.records import RoboRace
from turntile.match.match import Match

GOAL_IN_REACH = """
    +----+----+----+----+
    | .1A  .    .    .  |
    +    +    +    +    +
    | .    .    .    *  |
    +----+----+----+----+
    robot A: north
    hand A: 20 79 2 49 37 45 21
"""


def make(spec: str) -> Bot:
    name, _, argument = spec.partition(":")
    return next(kind for kind in GAME.bots if kind.name == name).make(argument)


def wins(name: str, other: str, matches: int, board: str) -> int:
    """How often the first wins, on the same deals from both seats."""
    won = 0
    for number in range(matches):
        seat = number % 2
        bots = [make(name), make(other)] if seat == 0 else [make(other), make(name)]
        options = GAME.options(players=2, board=board, round_limit=60)
        match = Match.start(GAME, options, seed=number // 2)
        while not match.over:
            answers = {acting: bots[acting](match.turn(acting)) for acting in match.waiting()}
            for acting, text in answers.items():
                match.submit(acting, text)
        won += match.state.score(seat)
    return won


def test_bots_are_listed_from_easy_to_strong() -> None:
    assert [kind.name for kind in GAME.bots] == ["random", "planner", "tree"]


def test_planner_beats_random() -> None:
    assert wins("planner", "random", 30, "gears") >= 29


def test_the_tree_search_beats_random() -> None:
    assert wins("tree:60i", "random", 6, "gears") == 6


@pytest.mark.parametrize("bot", ["planner", "tree:200i"])
def test_a_goal_in_reach_is_reached(bot: str) -> None:
    """Turn right, move 3, turn right, move 1: home in phase 4, whatever the fifth card is."""
    match = Match.from_position(GAME, GAME.read_position(complete(picture(GOAL_IN_REACH))))
    match.submit(0, make(bot)(match.turn(0)))

    assert match.over and match.state.place(0) == 1


def test_planner_finds_the_best_of_all_programs(gear_name: GearName) -> None:
    """No program of the 2520 ends nearer to the goal, played alone in the hall."""
    for seed in range(3):
        state = gear(GAME, gear_name).new(GAME.prepare(Options(players=1, board="presses")), seed)
        match = Match.from_position(GAME, state.record())
        chosen = GAME.parse(state.record(), 0, make("planner")(match.turn(0)))
        ends = []
        for action in range(0, 2520, 7 if gear_name == "interpreted" else 1):
            played = state.clone()
            played.step([action])
            ends.append(standing(played.record()))
        best = state.clone()
        best.step([chosen])
        assert standing(best.record()) <= min(ends)


def standing(s: RoboRace) -> int:
    """How far the robot has to go after its round: less than nothing if it is home."""
    return -1 if s.winner else cost(s, 0, s.robots[0].cell * 4 + s.robots[0].facing, 5)


def test_candidates_are_programs_in_rising_order(gear_name: GearName) -> None:
    state = gear(GAME, gear_name).new(GAME.prepare(GAME.options()), 3)
    for seat in range(4):
        candidates = state.candidates(seat)
        assert candidates == sorted(set(candidates))
        assert 1 <= len(candidates) <= WANTED
        assert all(state.why_illegal(seat, action) == 0 for action in candidates)


def test_the_estimate_favours_who_is_nearer(gear_name: GearName) -> None:
    near = gear(GAME, gear_name).load(
        GAME.read_position(
            complete(
                picture(
                    """
                    +----+----+----+----+----+----+
                    | .1A  .    .    . B  .2   *  |
                    +----+----+----+----+----+----+
                    robot A: west
                    robot B: east
                    """
                )
            )
        )
    )

    assert near.estimate(1) > 800 > 200 > near.estimate(0)
    assert near.estimate(0) + near.estimate(1) in (999, 1000)
