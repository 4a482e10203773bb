"""Gravity: falls, their price, and the order in which things come down."""

from __future__ import annotations

from tests.games.worms.drawn import named, worms
from tests.support import rule
from turntile.core.gears import GearName


@rule("R-gravity", "R-fall", "R-air")
def test_a_worm_falls_until_there_is_no_air_under_it(gear_name: GearName) -> None:
    """Through all the air there is, onto the first field that holds."""
    table = worms(
        gear_name,
        """
        ......
        ~.....
        E.....
        E....*
        EEEEEE
        """,
    )
    table.play("move r 1")

    assert table.where(1) == (3, 1)


@rule("R-fall-damage", "R-hp")
def test_every_field_after_the_first_costs_ten_hp(gear_name: GearName) -> None:
    """A fall of three fields costs 20 HP; a worm begins with 100."""
    table = worms(
        gear_name,
        """
        ~.....
        E.....
        E.....
        E....*
        EEEEEE
        """,
    )
    assert table.hp(1) == 100
    table.play("move r 1")

    assert table.happened == [f"{named(1)} took 20hp fall damage"]
    assert table.hp(1) == 80


@rule("R-fall-damage")
def test_a_fall_of_one_field_is_free(gear_name: GearName) -> None:
    """The first field costs nothing and is not told."""
    table = worms(
        gear_name,
        """
        .....
        ~....
        E...*
        EEEEE
        """,
    )
    table.play("move r 1")

    assert table.happened == []
    assert (table.where(1), table.hp(1)) == ((2, 1), 100)


@rule("R-drown", "R-water", "R-death-lines", "O4")
def test_who_comes_to_stand_on_water_drowns_without_fall_damage(gear_name: GearName) -> None:
    """Water takes the worm; only that is told, however deep the fall was."""
    table = worms(
        gear_name,
        """
        ~.....
        E.....
        E....~
        E....*
        EWWWEE
        """,
    )
    table.play("move r 1")

    assert table.happened == [f"{named(1)} drowned."]
    assert table.where(1) is None


@rule("M3", "O8", "R-death-lines")
def test_who_falls_through_the_bottom_falls_out_of_the_map(gear_name: GearName) -> None:
    """Under the lowest row there is nothing; no damage is told."""
    table = worms(
        gear_name,
        """
        ~.....
        E.....
        E....~
        E....*
        E.EEEE
        """,
    )
    table.play("move r 1")

    assert table.happened == [f"{named(1)} fell out of the map."]
    assert table.where(1) is None


@rule("R-death", "R-death-lines", "O4")
def test_a_deadly_fall_tells_only_of_the_death(gear_name: GearName) -> None:
    """At 20 HP a fall of three fields kills; no damage line then."""
    table = worms(
        gear_name,
        """
        ~.....
        E.....
        E....~
        E....*
        EEEEEE
        worm 1 at 0 0 hp 20
        """,
    )
    table.play("move r 1")

    assert table.happened == [f"{named(1)} fell into his death."]
    assert table.where(1) is None


@rule("R-fall", "G2", "R-fire")
def test_who_stands_on_destroyed_earth_falls_after_the_damage(gear_name: GearName) -> None:
    """First what is hit, then who falls because of it."""
    table = worms(
        gear_name,
        """
        ......*
        ~.....E
        E......
        E......
        EEEEEEE
        plan 3 0
        """,
    )
    table.play("action r")

    assert table.happened == ["Shot hit Earth at position (1, 6)", f"{named(2)} took 20hp fall damage"]


@rule("G1", "O8", "R-pick-up")
def test_a_falling_worm_collects_chests_on_its_way_and_falls_on(gear_name: GearName) -> None:
    """Nobody stands on a chest; its field counts as fallen, and it is told before the fall's own line."""
    table = worms(
        gear_name,
        """
        ~....
        E....
        E....
        E#..*
        EEEEE
        chest 3 1 melee
        """,
    )
    table.play("move r 1")

    assert table.happened == [f"{named(1)} picked up 1 of melee", f"{named(1)} took 20hp fall damage"]
    assert (table.where(1), table.ammunition(1, "melee")) == ((3, 1), 2)


@rule("G1", "O8", "R-pick-up", "R-chest-fall")
def test_chests_above_a_worm_that_collects_one_drop_onto_it(gear_name: GearName) -> None:
    """The lower chest is stepped on, the two above it fall onto the worm, lowest first."""
    table = worms(
        gear_name,
        """
        .....
        .#...
        .#...
        ~#..*
        EEEEE
        chest 1 1 bazooka
        chest 2 1 teleport
        chest 3 1 blowtorch
        """,
    )
    table.play("move r 1")

    assert table.happened == [f"{named(1)} picked up 1 of {weapon}" for weapon in ("blowtorch", "teleport", "bazooka")]


@rule("O8")
def test_chests_from_above_come_after_the_line_of_the_fall(gear_name: GearName) -> None:
    """Into the middle of a pile: the chests below are collected on the way, the one above afterwards."""
    table = worms(
        gear_name,
        """
        ...#...
        ...#...
        ...#...
        ~..#..*
        EEEEEEE
        chest 0 3 melee
        chest 1 3 bazooka
        chest 2 3 teleport
        chest 3 3 blowtorch
        plan 1 0
        """,
    )
    table.play("choose teleporter")
    table.play("action 3 1")

    assert table.happened == [
        f"{named(1)} picked up 1 of bazooka",
        f"{named(1)} picked up 1 of teleport",
        f"{named(1)} picked up 1 of blowtorch",
        f"{named(1)} took 10hp fall damage",
        f"{named(1)} picked up 1 of melee",
    ]


@rule("R-chest-fall", "R-chest", "R-drown")
def test_a_chest_falls_without_damage_and_is_lost_in_water(gear_name: GearName) -> None:
    """When its earth is shot away it comes down; over water it is gone."""
    table = worms(
        gear_name,
        """
        .......
        ...#.#.
        ~..E.E.
        E......
        E.....*
        EEEEEWE
        plan 1 0
        """,
    )
    table.play("choose blowtorch")
    table.play("action r")

    assert table.happened == ["Torch hit Earth at position (2, 3)", "Torch hit Earth at position (2, 5)"]
    assert table.map.splitlines()[4] == "E#.#..*"
    assert "#" not in "".join(row[5] for row in table.map.splitlines())


@rule("G2", "G3")
def test_in_a_column_the_lowest_falls_first_and_all_the_way(gear_name: GearName) -> None:
    """Two worms stand on earth that is shot away: the lower one lands, then the upper on it."""
    table = worms(
        gear_name,
        """
        ......*
        ......*
        ~.....E
        E......
        E......
        EEEEEEE
        plan 3 0
        worm 3 at 0 6
        worm 4 at 1 6
        """,
    )
    table.play("action r")

    assert table.happened == [
        "Shot hit Earth at position (2, 6)",
        f"{named(4)} took 20hp fall damage",
        f"{named(3)} took 20hp fall damage",
    ]
    assert (table.where(4), table.where(3)) == ((4, 6), (3, 6))


@rule("G5", "R-death", "R-death-lines")
def test_a_landing_hurts_only_the_faller_and_its_death_lets_the_next_fall_on(gear_name: GearName) -> None:
    """The lower worm dies of its fall and is gone at once, so the upper falls one field further."""
    table = worms(
        gear_name,
        """
        ......*
        ......*
        ~.....E
        E......
        E......
        EEEEEEE
        plan 3 0
        worm 3 at 0 6
        worm 4 at 1 6 hp 20
        """,
    )
    table.play("action r")

    assert table.happened == [
        "Shot hit Earth at position (2, 6)",
        f"{named(4)} fell into his death.",
        f"{named(3)} took 30hp fall damage",
    ]
    assert table.where(3) == (4, 6)


@rule("G5")
def test_who_is_fallen_upon_is_not_hurt(gear_name: GearName) -> None:
    table = worms(
        gear_name,
        """
        ~....
        E....
        E....
        E*...
        EEEEE
        """,
    )
    table.play("move r 1")

    assert table.happened == [f"{named(1)} took 10hp fall damage"]
    assert (table.hp(1), table.hp(2)) == (90, 100)


@rule("G3", "O4", "R-order")
def test_a_bazooka_settles_the_middle_then_the_right_then_the_left_column(gear_name: GearName) -> None:
    """The cross takes the earth from under three worms."""
    table = worms(
        gear_name,
        """
        ...........
        ......***..
        ~.....EEE..
        E..........
        E..........
        EEEEEEEEEEE
        plan 10 0
        worm 4 at 1 6
        worm 5 at 1 7
        worm 6 at 1 8
        """,
    )
    table.play("choose bazooka")
    table.play("action r")

    assert table.happened == [
        "Shot hit Earth at position (2, 6)",
        "Shot hit Worm at position (1, 6)",
        f"{named(4)} took 40hp damage",
        "Shot hit Earth at position (2, 7)",
        f"{named(4)} took 20hp fall damage",
        f"{named(5)} took 20hp fall damage",
    ]


@rule("G3")
def test_a_torch_settles_its_columns_by_distance(gear_name: GearName) -> None:
    """To the left the nearest column is the rightmost."""
    table = worms(
        gear_name,
        """
        .......
        .***...
        .EEE.~.
        .....E.
        .....E.
        EEEEEEE
        plan 0 0
        worm 4 at 1 1
        worm 5 at 1 2
        worm 6 at 1 3
        """,
    )
    table.play("choose blowtorch")
    table.play("action l")

    assert table.happened[3:] == [f"{named(number)} took 20hp fall damage" for number in (6, 5, 4)]


@rule("G4")
def test_after_a_teleport_within_the_column_those_left_behind_fall_first(gear_name: GearName) -> None:
    """The worm below goes up; the one it carried comes down one field, then the worm lands on it."""
    table = worms(
        gear_name,
        """
        .....
        .....
        ~....
        ~...*
        EEEEE
        acts 2
        worm 1 at 2 0
        worm 2 at 3 0
        plan 2 0
        """,
    )
    table.play("choose teleporter")
    table.play("action 0 0")

    assert (table.where(1), table.where(2)) == ((3, 0), (2, 0))
    assert table.happened == [f"{named(2)} took 10hp fall damage"]
