"""Identity discs, plain and charged."""

from __future__ import annotations

import pytest

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.gears import GearName
from turntile.forge import i32s
from turntile.games.racers.flight import FLIGHT_SIZE, REST, fly
from turntile.games.racers.positions import cell_of
from turntile.games.racers.records import DISC_ITEM

OPEN = """
    ..........
    ..........
    ..........
    ..........
    ..........
    ....1.....
"""
ONE = "holds 1: disc=1"


@rule("R3.13", "R3.14")
@pytest.mark.parametrize(("direction", "rest"), [("up", (4, 1)), ("down", (4, 9)), ("left", (0, 5)), ("right", (8, 5))])
def test_a_disc_flies_four_squares_in_one_of_four_directions(
    gear_name: GearName, direction: str, rest: tuple[int, int]
) -> None:
    """If nothing stops it, it comes to rest on the fourth square."""
    race = Race(gear_name, OPEN, ONE)
    race.does(f"use disc {direction}")
    assert race.told == [f"Player 1 threw an identity disc {direction}; it ended on {rest}"]
    assert race.discs() == {rest: 1}
    assert race.holds(1) == (0, 0, 0)
    assert race.due() == (1, 2)


@rule("R3.14", "R3.15")
def test_a_player_four_squares_away_is_hit_and_skips_his_next_turn(gear_name: GearName) -> None:
    """The disc ends on his square; five squares away it falls short."""
    race = Race(gear_name, "..........\n1...2.....", ONE)
    race.does("use disc right")
    assert race.told[1] == "Player 2 was hit by a disc and will skip a turn"
    assert race.discs() == {(4, 1): 1}
    race.does("move d", "move d")
    assert race.due() == (1, 3)
    assert race.record.turn == 3
    short = Race(gear_name, "..........\n1....2....", ONE)
    short.does("use disc right")
    assert short.skips(2) == 0
    assert short.discs() == {(4, 1): 1}


@rule("R3.16", "D1")
def test_before_a_wall_or_the_boundary_it_ends_on_the_last_square(gear_name: GearName) -> None:
    """Nobody is hit; directly before a wall it ends on the thrower's own square."""
    race = Race(gear_name, "..........\n..1..##...", "holds 1: disc=2")
    race.does("use disc right", "use disc up")
    assert race.discs() == {(4, 1): 1, (2, 0): 1}
    beside = Race(gear_name, "..........\n...1##....", ONE)
    beside.does("use disc right")
    assert beside.discs() == {(3, 1): 1}
    assert beside.skips(1) == beside.skips(2) == 0


@rule("R3.18", "D1")
def test_squares_without_power_shorten_the_flight(gear_name: GearName) -> None:
    """A dark launch costs one; each dark square entered costs one more."""
    launch = Race(gear_name, "..........\n1.........", ONE, "failures: 0,1:3")
    launch.does("use disc right")
    assert launch.discs() == {(2, 1): 1}, "4, less 1 for the launch, less 1 for (1, 1)"
    ahead = Race(gear_name, "..........\n1.........", ONE, "failures: 4,1:3")
    ahead.does("use disc right")
    assert ahead.discs() == {(3, 1): 1}, "4, less 1 for (3, 1): three squares"


@rule("D7", "R3.18")
def test_several_failures_on_a_square_cost_one_together(gear_name: GearName) -> None:
    """Two failures darken (3, 1) to (5, 1)."""
    race = Race(gear_name, "..........\n1.........", ONE, "failures: 4,1:321 4,0:3")
    race.does("use disc right")
    assert race.discs() == {(3, 1): 1}


@rule("D1")
def test_with_no_range_a_disc_falls_at_the_throwers_feet(gear_name: GearName) -> None:
    """A launch takes one off at most, so the range is never 0 in a match; before each step it is compared."""
    record = position("..........\n1.........", ONE, "failures: 0,1:3 2,1:3")
    flight = i32s(FLIGHT_SIZE)
    fly(record, 0, DISC_ITEM, 1, flight)
    assert flight[REST] == cell_of(record, 2, 1), "3 at launch, 2 after (1, 1), 1 after (2, 1): 2 travelled"
    race = Race(gear_name, record)
    race.does("use disc right")
    assert race.discs() == {(2, 1): 1}


@rule("R3.17", "D3")
def test_a_disc_goes_on_from_the_teleporters_destination(gear_name: GearName) -> None:
    """Entering costs a step, the hop is free, the direction stays, the destination's own teleporter does not act."""
    race = Race(
        gear_name,
        """
        ..........
        1.o.......
        ..........
        ...o......
        """,
        ONE,
        "teleporters: 2,1>3,3 3,3>2,1",
    )
    race.does("use disc right")
    assert race.discs() == {(5, 3): 1}


@rule("D3", "D2")
def test_a_player_on_the_destination_is_hit(gear_name: GearName) -> None:
    """The disc ends there."""
    drawn = "..........\n1.o.......\n..........\n...2......"
    race = Race(gear_name, drawn, ONE, "teleporters: 2,1>3,3 3,3>2,1")
    race.does("use disc right")
    assert race.skips(2) == 1
    assert race.discs() == {(3, 3): 1}


@rule("D2")
def test_a_player_on_a_teleporter_is_hit_before_it_acts(gear_name: GearName) -> None:
    """Player 2 stands on the source itself."""
    drawn = "..........\n1.2.......\n..........\n...o......"
    race = Race(gear_name, drawn, ONE, "teleporters: 2,1>3,3 3,3>2,1")
    race.does("use disc right")
    assert race.skips(2) == 1
    assert race.discs() == {(2, 1): 1}


@rule("D7", "D3", "R3.18")
def test_both_ends_of_a_hop_count_for_power_and_the_hop_is_always_made(gear_name: GearName) -> None:
    """Source and destination are dark: entering the source uses up the range, and the disc still hops."""
    drawn = "..........\n1..o......\n..........\n..........\n......o..."
    doors = "teleporters: 3,1>6,4 6,4>3,1"
    both = Race(gear_name, drawn, ONE, doors, "failures: 4,0:3 7,5:3")
    both.does("use disc right")
    assert both.discs() == {(6, 4): 1}, "3 steps; 4 less 1 for the source: no step left, the hop is made"
    source = Race(gear_name, drawn.replace("1..o", ".1.o"), ONE, doors, "failures: 4,0:3")
    source.does("use disc right")
    assert source.discs() == {(7, 4): 1}, "2 steps of 3, so one more behind the hop"
    ends = Race(gear_name, drawn.replace("1..o", ".1.o"), ONE, doors, "failures: 4,0:3 5,4:3")
    ends.does("use disc right")
    assert ends.discs() == {(6, 4): 1}, "2 steps of 4 less 2"


@rule("R3.19", "D6")
def test_a_disc_at_rest_can_be_picked_up_by_anybody(gear_name: GearName) -> None:
    """Player 2 takes the disc player 1 has thrown."""
    race = Race(gear_name, "..........\n1....2....", ONE)
    race.does("use disc right", "move d", "end", "move l", "pick disc")
    assert race.holds(2) == (0, 1, 0)


@rule("D6")
def test_discs_fly_over_items_and_trails_and_rest_anywhere(gear_name: GearName) -> None:
    """It comes to rest on a trail, upon another disc and a grenade; discs pile up."""
    race = Race(
        gear_name,
        """
        ..........
        1g.bb2....
        """,
        ONE,
        "trail 2: 4,1 3,1",
        "items: 4,1=disc+grenade",
    )
    race.does("use disc right")
    assert race.discs() == {(4, 1): 2}
    assert race.skips(2) == 0


@rule("D5")
def test_hits_add_up(gear_name: GearName) -> None:
    """Two hits before player 2's next turn cost him two turns."""
    race = Race(gear_name, "..........\n1...2.....", "holds 1: disc=2")
    race.does("use disc right", "use disc right", "move d")
    assert race.due() == (1, 3)
    assert race.skips(2) == 1
    race.does("move d", "end")
    assert race.due() == (1, 3)
    assert race.record.turn == 5


@rule("R3.26", "D4", "D8")
def test_a_charged_disc_knows_neither_range_nor_power(gear_name: GearName) -> None:
    """It flies to the boundary through the dark, and stays charged."""
    race = Race(gear_name, "..........\n1.........", "holds 1: charged=1", "failures: 0,1:3 3,1:3 6,1:3")
    race.does("use charged right")
    assert race.view().charged == ((9, 1),)
    assert race.discs() == {}
    assert race.told == ["Player 1 threw a charged identity disc right; it ended on (9, 1)"]


@rule("R3.26", "R3.15", "D4")
@pytest.mark.parametrize("width", [10, 64])
def test_a_charged_disc_hits_at_any_distance(gear_name: GearName, width: int) -> None:
    """From one edge of the grid to the other, all of it without power."""
    drawn = "." * width + "\n1" + "." * (width - 2) + "2"
    dark = " ".join(f"{x},1:3" for x in range(0, width, 3))
    race = Race(gear_name, drawn, "holds 1: charged=1", f"failures: {dark}")
    race.does("use charged right")
    assert race.skips(2) == 1
    assert race.view().charged == ((width - 1, 1),)


@rule("F10", "D4", "D9")
def test_a_disc_stops_after_passing_a_teleporter_twice(gear_name: GearName) -> None:
    """Through (3, 4) it gets between (4, 1) and (6, 1), which leads back to (4, 1): the second pass ends there.

    It arrives on (4, 1) three times; arriving is no passing.
    """
    race = Race(
        gear_name,
        """
        ..........
        ....o.o...
        ..........
        ..........
        1..o......
        """,
        "holds 1: charged=1",
        "teleporters: 3,4>4,1 6,1>4,1 4,1>3,4",
    )
    thrown = next(throw for throw in race.view(0).throws if throw.direction == "right")
    way_in = ((1, 4), (2, 4), (3, 4), (4, 1))
    circle = ((5, 1), (6, 1), (4, 1))
    assert thrown.squares == way_in + circle + circle
    race.does("use charged right")
    assert race.view().charged == ((4, 1),)


@rule("D9")
def test_throwing_from_a_teleporter_does_not_set_it_off(gear_name: GearName) -> None:
    """The disc leaves the square on foot, as it were."""
    race = Race(gear_name, "..........\n1.........\n........o.", ONE, "teleporters: 0,1>8,2 8,2>0,1")
    race.does("use disc right")
    assert race.discs() == {(4, 1): 1}


@rule("F11", "A9")
def test_hit_by_ones_own_disc(gear_name: GearName) -> None:
    """Through a teleporter the disc comes back: this turn, in which he has not moved, and the next are lost."""
    race = Race(
        gear_name,
        """
        ..........
        ..........
        ...o1.o...
        """,
        ONE,
        "teleporters: 6,2>3,2 3,2>6,2",
    )
    assert race.refused("use disc right") == ""
    race.does("use disc right")
    assert race.told[1] == "Player 1 was hit by a disc of his own: the rest of this turn and the next one are lost"
    assert race.discs() == {(4, 2): 1}
    assert race.due() == (2, 3)
    race.does("move d", "end")
    assert "Player 1 skipped a turn, having been hit by a disc" in race.told
    assert race.due() == (2, 3)
    race.does("move d", "end")
    assert race.due() == (1, 3)


@rule("F11", "L4")
def test_actions_lost_to_ones_own_disc_do_not_age_the_trail(gear_name: GearName) -> None:
    """The throw was performed and ages the square left before it to two; the last action was lost."""
    drawn = "..........\n..........\n...o.1o...\n....a....."
    race = Race(gear_name, drawn, ONE, "teleporters: 6,2>3,2 3,2>6,2", "trail 1: 4,3", "began: 4,3", "actions: 2")
    race.does("use disc right")
    assert race.skips(1) == 1
    assert race.due() == (2, 3)
    assert [(square.at, square.age) for square in race.view().racers[0].trail] == [((4, 3), 2)]
