"""Walking: steps, climbing, what stops one and what ends the turn."""

from __future__ import annotations

import pytest

from tests.games.worms.drawn import named, worms
from tests.support import rule
from turntile.core.gears import GearName

WARNING = "[WARNING] can't move further"


@rule("R-move", "R-worm")
def test_a_worm_walks_as_many_steps_as_asked_to_either_side(gear_name: GearName) -> None:
    flat = """
        ........
        ....~..*
        EEEEEEEE
    """
    for text, column in (("move l 3", 1), ("move r 2", 6), ("move l 1", 3), ("move r 0", 4)):
        table = worms(gear_name, flat)
        table.play(text)
        assert table.where(1) == (1, column)
        assert table.happened == []


@rule("R-climb", "M1", "R-earth", "R-worm")
def test_one_climbs_earth_and_worms_not_higher_than_oneself(gear_name: GearName) -> None:
    """One field up at a time, onto what stands beside."""
    table = worms(
        gear_name,
        """
        .....
        .....
        ~E*..
        EEEEE
        """,
    )
    table.play("move r 2")

    assert table.happened == []
    assert table.where(1) == (1, 2)


@rule("R-climb", "M1")
@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param("....\n.E..\n~E.*\nEEEE", id="earth above the neighbour"),
        pytest.param("....\nE...\n~E.*\nEEEE", id="earth above the climber"),
        pytest.param("....\n.~..\n~E.*\nEEEE\nacts 2\nworm 2 at 2 0\nworm 1 at 1 1", id="a worm above the neighbour"),
        pytest.param("....\n....\n~W.*\nEWEE", id="water beside"),
    ],
)
def test_what_cannot_be_climbed_stops_the_worm(gear_name: GearName, drawing: str) -> None:
    table = worms(gear_name, drawing)
    worm = table.acting()
    table.play("move r 1")

    assert table.happened == [WARNING]
    assert table.where(worm) == (2, 0)
    assert table.acting() == worm


@rule("M1")
def test_nobody_climbs_out_of_row_zero(gear_name: GearName) -> None:
    """In the top row there is nothing to climb onto, not even another worm's head."""
    table = worms(gear_name, "~*..\nEEEE")
    table.play("move r 1")

    assert table.happened == [WARNING]
    assert table.where(1) == (0, 0)


@rule("M1", "R-pick-up")
def test_a_chest_above_the_neighbour_is_no_obstacle_and_is_collected(gear_name: GearName) -> None:
    table = worms(gear_name, "....\n.#..\n~E.*\nEEEE\nchest 1 1 melee")
    table.play("move r 1")

    assert table.where(1) == (1, 1)
    assert table.happened == [f"{named(1)} picked up 1 of melee"]


@rule("R-climb", "M1", "M5")
def test_a_worm_on_the_climbers_head_does_not_hinder_and_falls(gear_name: GearName) -> None:
    table = worms(gear_name, "....\n~...\n~E.*\nEEEE\nacts 2\nworm 1 at 1 0\nworm 2 at 2 0")
    table.play("move r 1")

    assert (table.where(2), table.where(1)) == ((1, 1), (2, 0))


@rule("M1", "R-water")
def test_water_beside_is_no_step(gear_name: GearName) -> None:
    table = worms(gear_name, "....\n~W.*\nEWEE")
    table.play("move r 2")

    assert table.happened == [WARNING]
    assert table.where(1) == (1, 0)


@rule("M2", "R-move")
def test_the_warning_comes_once_and_steps_done_stay_done(gear_name: GearName) -> None:
    """Two steps, then a wall: the third is warned of, and the move is used up."""
    table = worms(gear_name, ".....\n...E.\n~..E*\nEEEEE")
    table.play("move r 3")

    assert table.happened == [WARNING]
    assert table.where(1) == (2, 2)
    assert table.why_not(0, "move l 1") != ""


@rule("M4")
def test_a_move_stopped_at_its_first_step_is_used_up(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n.E...\n~E..*\nEEEEE")
    table.play("move r 1")

    assert table.acting() == 1
    assert "moved already" in table.why_not(0, "move l 0")


@rule("M3", "M4", "M5")
def test_over_the_edge_one_falls_out_of_the_map(gear_name: GearName) -> None:
    """No warning for the steps that are left; whoever stood on its head falls; the turn is over."""
    table = worms(gear_name, "....\n~...\n~..*\nEEEE\nacts 2\nworm 1 at 1 0\nworm 2 at 2 0\nplan 1 0")
    table.play("move l 3")

    assert table.happened == [f"{named(2)} fell out of the map."]
    assert (table.where(2), table.where(1)) == (None, (2, 0))
    assert table.seats_to_act() == [1]


@rule("O9", "O3", "M4", "R-turn-end")
def test_each_step_is_a_fall_of_its_own_and_all_steps_are_walked(gear_name: GearName) -> None:
    """Two fields cost 10 HP, then three fields 20, not 40 together; the third step is walked all the same."""
    table = worms(
        gear_name,
        """
        ~.....
        E.....
        E.....
        EE....
        EE....
        EE...*
        EEEEEE
        plan 4 0
        """,
    )
    table.play("move r 3")

    assert table.happened == [f"{named(1)} took 10hp fall damage", f"{named(1)} took 20hp fall damage"]
    assert (table.where(1), table.hp(1)) == ((5, 3), 70)
    assert table.seats_to_act() == [1]


@rule("M4", "R-turn-end")
def test_a_move_that_does_not_hurt_does_not_end_the_turn(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n~....\nE...*\nEEEEE")
    table.play("move r 1")

    assert table.acting() == 1
    assert table.seats_to_act() == [0]


@rule("M5", "G3")
def test_who_stood_on_a_walker_falls(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n~....\n~...*\nEEEEE\nacts 2\nworm 1 at 1 0\nworm 2 at 2 0")
    table.play("move r 2")

    assert (table.where(2), table.where(1)) == ((2, 2), (2, 0))


@rule("R-earth")
def test_earth_needs_no_support(gear_name: GearName) -> None:
    """A ledge in the air carries a worm, and stays when the earth beside it is shot away."""
    table = worms(gear_name, ".....\n~E...\nE....\n....*\nEEEEE\nplan 2 0")
    table.play("action r")

    assert table.happened == ["Shot hit Earth at position (1, 1)"]
    assert table.where(1) == (1, 0)
