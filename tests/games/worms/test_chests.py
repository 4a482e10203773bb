"""Chests: how they come, where they stay, who gets them."""

from __future__ import annotations

from tests.games.worms.drawn import named, worms
from tests.support import rule
from turntile.core.gears import GearName


@rule("R-chest-drop", "R-chest-fall", "R-chest", "O2")
def test_a_chest_comes_down_at_the_end_of_each_turn(gear_name: GearName) -> None:
    """From the top row onto earth, or onto another chest."""
    table = worms(gear_name, ".....\n.....\n~...*\nEEEEE\nplan 2 0 2 3")
    table.play("action idle")
    assert table.map.splitlines()[:3] == [".....", ".....", "~.#.*"]

    table.play("action idle")
    assert table.map.splitlines()[:3] == [".....", "..#..", "~.#.*"]


@rule("R-pick-up", "R-chest-fall", "C2", "Z2")
def test_a_chest_that_falls_on_a_worm_is_his(gear_name: GearName) -> None:
    """Contents are drawn as bazooka, teleport, blowtorch, melee; a worm in row 1 gets it."""
    for content, weapon in enumerate(("bazooka", "teleporter", "blowtorch", "melee")):
        table = worms(gear_name, f".....\n~...*\nEEEEE\nplan 4 {content}")
        table.play("action idle")

        word = "teleport" if weapon == "teleporter" else weapon
        assert table.happened == [f"{named(2)} picked up 1 of {word}"]
        assert table.ammunition(2, weapon) == 2


@rule("R-pick-up")
def test_several_chests_can_be_collected_in_one_turn(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n~##.*\nEEEEE\nchest 1 1 melee\nchest 1 2 melee")
    table.play("move r 2")

    assert table.happened == [f"{named(1)} picked up 1 of melee"] * 2
    assert table.ammunition(1, "melee") == 3


@rule("C1", "C2", "R-chest-draws")
def test_a_chest_whose_top_field_is_taken_is_discarded(gear_name: GearName) -> None:
    """By a worm in row 0, who does not get it, or by a chest; both numbers are drawn all the same."""
    table = worms(gear_name, "~#..*\nEEEEE\nplan 0 3 1 3 4 3")
    for _ in range(3):
        table.play("action idle")
        assert table.happened == []

    assert table.map.splitlines()[0] == "~#..*"
    assert table.ammunition(1, "melee") == 1
    assert table.record.dice.planned == 0


@rule("C1", "R-chest-draws", "R-drown")
def test_over_water_or_nothing_a_chest_is_gone(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n~...*\nEW.EE\nplan 1 0 2 0")
    before = table.map
    table.play("action idle")
    table.play("action idle")

    assert table.map == before


@rule("C2", "O2")
def test_the_chest_comes_also_when_the_game_is_then_over(gear_name: GearName) -> None:
    """END is told after it."""
    table = worms(gear_name, ".....\n~..*.\nEEEEE\nworm 2 at 1 3 hp 10\nplan 0 0")
    table.play("action r")

    assert table.happened == [
        "Shot hit Worm at position (1, 3)",
        f"{named(2)} died.",
        f"{named(1)} picked up 1 of bazooka",
        "END: Player 1 win!",
    ]


@rule("R-damage", "R-chest", "R-pick-up")
def test_a_destroyed_chest_is_nobodys(gear_name: GearName) -> None:
    table = worms(gear_name, "......\n~..#.*\nEEEEEE\nplan 1 0")
    table.play("action r")

    assert table.happened == ["Shot hit Chest at position (1, 3)"]
    assert table.map.splitlines()[1] == "~#...*"
