"""Power failures: how they begin, spread, last, and what they cost."""

from __future__ import annotations

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.gears import GearName, gear
from turntile.core.planned import plan_dice
from turntile.games.racers.game import GAME
from turntile.games.racers.options import Options, prepare

OPEN = """
    ..........
    ..........
    ..1.......
"""
LAST = ("actions: 1", "began: 1,2")


@rule("R2.12", "P1")
def test_squares_roll_row_by_row_from_the_top_left(gear_name: GearName) -> None:
    """The sixth and the fourteenth of the draws are under five: the sixth square and the second row's fourth fail."""
    record = position(OPEN, *LAST, "options: failure_percent=5")
    plan_dice(record.dice, [99, 5, 99, 99, 99, 4, 99, 99, 99, 99, 99, 99, 99, 0, 99, 99])
    race = Race(gear_name, record)
    race.does("move d")
    drawn = [(x, 0) for x in range(10)] + [(x, 1) for x in range(6)]
    assert [square for square in drawn if race.clocks(*square)] == [(5, 0), (3, 1)]


@rule("R2.12", "H7")
def test_five_squares_of_a_hundred_fail_in_a_turn(gear_name: GearName) -> None:
    """Over many first turns the share of failures is close to five per cent, and to the chance that was chosen."""
    for percent in (5, 20):
        rolled = failed = 0
        for seed in range(50):
            record = gear(GAME, gear_name).new(prepare(Options(failure_percent=percent)), seed).record()
            rolled += 100
            failed += sum(bits & 1 for bits in record.failures)
        assert abs(failed / rolled - percent / 100) < 0.015


@rule("R2.13", "F6")
def test_a_failure_covers_the_eight_squares_around_it(gear_name: GearName) -> None:
    """A 3x3 block and no farther, cut off at the boundary."""
    race = Race(gear_name, OPEN, "failures: 5,5:3 0,0:2")
    assert race.dark() == {
        **{(x, y): 3 for x in (4, 5, 6) for y in (4, 5, 6)},
        **{(x, y): 2 for x in (0, 1) for y in (0, 1)},
    }


@rule("R2.13", "F6", "R2.17")
def test_each_of_the_nine_squares_of_a_failure_ends_the_turn(gear_name: GearName) -> None:
    """Power failed at (4, 4): player 1 is stopped on every square of the 3x3 block, and on none around it."""
    stopped = set()
    for y in range(2, 7):
        for x in range(2, 7):
            row = "1".rjust(x, ".").ljust(10, ".")
            race = Race(gear_name, "\n".join(["." * 10] * y + [row]), "failures: 4,4:3")
            race.does("move r")
            assert race.at(1) == (x, y)
            if race.due() == (2, 3):
                stopped.add((x, y))
    assert stopped == {(x, y) for x in (3, 4, 5) for y in (3, 4, 5)}


@rule("R2.13", "P2")
def test_overlapping_failures_keep_their_own_clocks(gear_name: GearName) -> None:
    """A square under two failures has power again when the later one has passed."""
    race = Race(gear_name, OPEN, *LAST, "failures: 5,5:31 7,5:2")
    assert race.dark()[(6, 5)] == 3
    assert race.dark()[(8, 5)] == 2
    race.does("move d")
    assert race.clocks(5, 5) == [2]
    assert race.dark()[(6, 5)] == 2
    assert race.dark()[(8, 5)] == 1


@rule("R2.14", "P2", "A2")
def test_a_failure_lasts_the_turn_it_begins_in_and_the_next_two(gear_name: GearName) -> None:
    """Begun in player 1's turn, it lasts through player 2's and player 1's next, and is gone in the one after."""
    race = Race(gear_name, OPEN, *LAST, "failures: 6,6:3")
    left = [race.dark()[(6, 6)]]
    race.does("move d")
    left.append(race.dark()[(6, 6)])
    race.does("move l", "end")
    left.append(race.dark()[(6, 6)])
    race.does("move r", "end")
    assert left == [3, 2, 1]
    assert race.dark() == {}


@rule("P3")
def test_old_failures_expire_before_the_unpowered_start_is_counted(gear_name: GearName) -> None:
    """Player 2 stands on a square whose failure has one turn left: it is gone when his turn begins."""
    race = Race(gear_name, OPEN, *LAST, "failures: 9,0:1")
    race.does("move d")
    assert race.due() == (2, 3)


@rule("P3", "R2.19")
def test_new_failures_count_for_the_unpowered_start(gear_name: GearName) -> None:
    """The failure that begins on player 2's square at the start of his turn costs him an action at once."""
    record = position(OPEN, *LAST, "options: failure_percent=5")
    plan_dice(record.dice, [99] * 9 + [0] + [99] * 6)
    race = Race(gear_name, record)
    race.does("move d")
    assert race.told[-2:] == [
        "Player 2 began without power on (9, 0) and lost an action",
        "Turn 2: player 2 has 2 actions",
    ]


@rule("R2.17", "P4")
def test_entering_an_unpowered_square_ends_the_turn(gear_name: GearName) -> None:
    """What is left of the turn is lost, and there is no further penalty."""
    race = Race(gear_name, OPEN, "failures: 4,4:3")
    race.does("move dr")
    assert race.told[1] == "Player 1 entered (3, 3), which has no power: the turn is over"
    assert race.due() == (2, 3)
    assert race.penalty(1) == 0


@rule("R2.15", "R2.18", "P5", "R3.4")
def test_an_active_grenade_without_power_costs_four_actions(gear_name: GearName) -> None:
    """The two actions left of the turn count towards the four, so two are lost later."""
    race = Race(gear_name, OPEN, "armed 2: 3,3", "failures: 4,4:3")
    race.does("move dr")
    assert race.told[1] == "A light grenade exploded under player 1 on (3, 3): 4 actions lost"
    assert race.due() == (2, 3)
    assert race.penalty(1) == 2


@rule("R2.16")
def test_failures_do_nothing_to_items_and_trails(gear_name: GearName) -> None:
    """In the dark an inactive grenade stays one and can be picked up; a trail stays a trail."""
    race = Race(gear_name, OPEN, "items: 2,2=grenade", "failures: 2,2:3", "trail 1: 1,2")
    race.does("pick grenade")
    assert race.holds(1) == (1, 0, 0)
    assert race.trail(1) == [(1, 2)]
    assert race.due() == (1, 2)


@rule("R2.16", "R2.17", "R3.5")
def test_in_the_dark_only_an_active_grenade_explodes(gear_name: GearName) -> None:
    """Player 1 enters (3, 3) without power, where an inactive or an exploded grenade lies: his turn ends, no more."""
    for thing, after in (("grenade", "inactive"), ("debris", "exploded")):
        race = Race(gear_name, OPEN, f"items: 3,3={thing}", "failures: 4,4:3")
        race.does("move dr")
        assert race.due() == (2, 3)
        assert race.penalty(1) == 0
        assert race.grenade(3, 3) == after


@rule("R2.19", "P6", "P9")
def test_an_unpowered_start_costs_one_action_however_many_failures(gear_name: GearName) -> None:
    """Three failures over player 2's square cost him one action together."""
    race = Race(gear_name, OPEN, *LAST, "failures: 9,0:32 8,0:3 9,1:3")
    race.does("move d")
    assert race.due() == (2, 2)


@rule("R2.19", "P6")
def test_the_unpowered_start_comes_on_top_of_other_penalties(gear_name: GearName) -> None:
    """One action was lost to a grenade, one more is: one is left of three."""
    race = Race(gear_name, OPEN, *LAST, "penalty 2: 1", "failures: 9,0:3")
    race.does("move d")
    assert race.due() == (2, 1)
    assert race.penalty(2) == 0


@rule("P6", "R1.15")
def test_what_a_turn_cannot_pay_stays_for_the_next(gear_name: GearName) -> None:
    """Four and one for the dark are five: the turn is skipped, two are left, and one for the dark again: three."""
    race = Race(gear_name, OPEN, *LAST, "penalty 2: 4", "failures: 9,0:3")
    race.does("move d")
    assert race.due() == (1, 3)
    assert race.penalty(2) == 2
    race.does("move d", "end")
    assert race.due() == (2, 1), "the failure has passed by then"


@rule("P7")
def test_a_turn_skipped_for_a_disc_leaves_penalties_alone(gear_name: GearName) -> None:
    """Player 2 is to skip a turn and stands in the dark: his penalty neither grows nor shrinks."""
    race = Race(gear_name, OPEN, *LAST, "skips 2: 1", "penalty 2: 2", "failures: 9,0:3")
    race.does("move d")
    assert "Player 2 skipped a turn, having been hit by a disc" in race.told
    assert race.due() == (1, 3)
    assert race.skips(2) == 0
    assert race.penalty(2) == 2


@rule("P8")
def test_wall_squares_fail_and_spread_like_others(gear_name: GearName) -> None:
    """The first draw is for a wall square in the corner; its neighbours lose power too."""
    record = position("##........\n..........\n..1.......", *LAST, "options: failure_percent=5")
    plan_dice(record.dice, [0] + [99] * 15)
    race = Race(gear_name, record)
    race.does("move d")
    assert race.clocks(0, 0) == [3]
    assert {(0, 0), (1, 0), (0, 1), (1, 1)} <= set(race.dark())
