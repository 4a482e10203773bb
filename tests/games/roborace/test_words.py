"""Positions as text, and what is refused in them."""

from __future__ import annotations

import re

import pytest

from tests.games.roborace.drawn import complete
from tests.support import picture, rule
from turntile.core.errors import InvalidPosition
from turntile.core.gears import GearName, gear
from turntile.core.planned import plan_dice
from turntile.games.roborace.boards import lay_hall
from turntile.games.roborace.game import GAME
from turntile.games.roborace.generator import make_hall
from turntile.games.roborace.records import RoboRace

DRAWN = complete(
    picture(
        """
        +----+----+----+
        | .1A  .2B  *  |
        +----+----+----+
        robot A: east
        robot B: west
        hand A: 49 50 51 52 53 54 55
        hand B: 60 61 62 63 64 65 66
        """
    )
)


def same(s: RoboRace, other: RoboRace) -> bool:
    interpreted = gear(GAME, "interpreted")
    return interpreted.load(s).to_bytes() == interpreted.load(other).to_bytes()


def test_every_state_of_random_races_is_written_and_read_back(gear_name: GearName) -> None:
    """On made halls of all levels, with one to four robots, from the start to the end."""
    for seed in range(10):
        record = RoboRace()
        lay_hall(record, make_hall(seed, 8, 7, 4, 1 + seed % 5))
        record.players, record.round_limit = 1 + seed % 4, (0, 9)[seed % 2]
        state = gear(GAME, gear_name).new(record, seed)
        for round_number in range(10):
            s = state.record()
            assert same(GAME.read_position(GAME.write_position(s)), s)
            if state.over():
                break
            state.playout(seed * 100 + round_number, 1)


def test_planned_draws_are_part_of_a_position() -> None:
    s = GAME.read_position(DRAWN)
    plan_dice(s.dice, [0, 1])

    assert same(GAME.read_position(GAME.write_position(s)), s)
    assert "\nplan 0 1\n" in GAME.write_position(s)


def redrawn(old: str, new: str) -> str:
    assert old in DRAWN
    return DRAWN.replace(old, new, 1)


@rule("RR-grid", "R3")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (redrawn(".2B", ".2 "), "robot B has a line but is not drawn"),
        (redrawn(".1A", ".1 "), "the robots are B: draw A, then B"),
        (redrawn(".1A", ".1 ").replace(".2B", ".2 "), "the robots are none"),
        (redrawn(" .1A  .2B", " .1  .2AB"), "line 2: robot B at \\(1, 0\\) shares its cell with robot A"),
        (redrawn(" .1A", " .1 ").replace(" *  ", " .A ").replace(".2B", "o B").replace("start 2: north\n", ""), "goal"),
        (redrawn("robot A: east\n", ""), "line 2: robot A at \\(0, 0\\) has no direction"),
        (redrawn("robot A: east", "robot A: up"), "line 4: 'up' says nothing of a robot"),
        (redrawn("robot A: east", "robot E: east"), "line 4: 'e' is no robot"),
        (redrawn("robot A: east", "robot B: east"), "robot B has two lines"),
        (redrawn("robot A: east", "robot A: destroyed"), "robot A is drawn, so it is not destroyed"),
        (redrawn("hand A: 49 50", "hand A: 49"), "a hand of 6 cards: it must have 7"),
        (redrawn("hand A: 49 50", "hand A: 49 49"), "card 49 is there twice"),
        (redrawn("hand A: 49", "hand A: 60"), "card 60 is there twice"),
        (redrawn("hand A: 49", "hand A: 85"), "card '85' must be a number from 1 to 84"),
        (re.sub("hand A.*\n", "", DRAWN), "robot A has no hand"),
        (DRAWN + "\nround 0", "round '0' must be a number from 1"),
        (DRAWN + "\nlimit 3\nround 5", "round 5 is beyond the limit of 3 rounds"),
        (DRAWN + "\nwinner A", "the winner A is not on a goal"),
        (DRAWN + "\nwinner D", "the winner D does not play"),
        (DRAWN + "\nrobot C: destroyed\nhand C: 1 2 3 4 5 6 7", "3 robots but 2 starts"),
        (DRAWN + "\ndice 1 2 3", "dice have four words, not 3"),
        (DRAWN + "\nplan " + "0 " * 17, "17 planned draws: at most 16 fit"),
        (DRAWN + "\nweather fine", "'weather fine' is not understood"),
        (redrawn("*", "."), "the hall has no goal"),
        (redrawn(".2B", "o2B"), "start 2 at \\(1, 0\\) is on a pit"),
        ("", "no picture of the hall"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidPosition, match=reason):
        GAME.read_position(text)


def test_a_robot_on_a_pit_cannot_be() -> None:
    text = redrawn("| .1A  .2B  *  |", "| .1A  .2   *    o B|").replace("+----+----+----+", "+----+----+----+----+")

    with pytest.raises(InvalidPosition, match=r"line 2: robot B at \(3, 0\) is on a pit"):
        GAME.read_position(text)


def test_a_robot_is_destroyed_only_in_a_race_that_is_won() -> None:
    dead = redrawn(".2B", ".2 ").replace("robot B: west", "robot B: destroyed")
    with pytest.raises(InvalidPosition, match="robot B cannot be destroyed between rounds"):
        GAME.read_position(dead)

    won = dead.replace(".1A", ".1 ").replace("*  ", "* A") + "\nwinner A"
    assert GAME.read_position(won).winner == 1


def test_lines_may_be_in_any_case_and_order() -> None:
    upper = DRAWN.replace("robot A: east", "ROBOT a: EAST").replace("hand A:", "Hand  a :")
    lines = upper.splitlines()

    assert same(GAME.read_position("\n".join([*lines[3:], *lines[:3]])), GAME.read_position(DRAWN))
