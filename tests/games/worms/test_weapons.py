"""The six weapons: what they reach, what they do, and what is told of it."""

from __future__ import annotations

import pytest

from tests.games.worms.drawn import named, worms
from tests.support import rule
from turntile.core.gears import GearName

LINE = """
    ........
    ........
    ~...*..*
    EEEEEEEE
    plan 1 0
"""

CROSS = """
    ........
    ....*...
    ~..#EE..
    E..EE...
    EEEEEEEE
    plan 7 0
"""


@rule("R-gun", "R-action", "R-hit-lines", "R-damage", "R-ammunition")
def test_the_gun_takes_25_hp_from_the_first_target_on_its_line(gear_name: GearName) -> None:
    """The one behind is safe, and the gun's ammunition never ends."""
    table = worms(gear_name, LINE)
    table.play("action r")

    assert table.happened == ["Shot hit Worm at position (2, 4)", f"{named(3)} took 25hp damage"]
    assert (table.hp(3), table.hp(4)) == (75, 100)
    assert table.ammunition(1, "gun") == 0  # it is not counted


@rule("R-action", "W6")
@pytest.mark.parametrize(
    ("direction", "place"),
    [
        ("u", "(1, 3)"),
        ("ru", "(1, 6)"),
        ("r", "(4, 6)"),
        ("rd", "(6, 5)"),
        ("d", "(5, 3)"),
        ("ld", "(6, 1)"),
        ("l", "(4, 0)"),
        ("lu", "(1, 0)"),
    ],
)
def test_there_are_eight_directions(gear_name: GearName, direction: str, place: str) -> None:
    """A shot begins beside the worm and goes straight on to the first thing there is."""
    table = worms(
        gear_name,
        """
        .......
        E..E..E
        .......
        .......
        E..~..E
        ...E...
        .E.*.E.
        EEEEEEE
        plan 2 0
        """,
    )
    table.play(f"action {direction}")

    assert table.happened[0] == f"Shot hit Earth at position {place}"


@rule("R-missed", "R-hit-lines")
def test_a_shot_that_leaves_the_map_has_missed(gear_name: GearName) -> None:
    table = worms(gear_name, LINE)
    table.play("action lu")

    assert table.happened == ["Shot missed..."]


@rule("W1", "W5", "R-water")
@pytest.mark.parametrize("weapon", ["gun", "bazooka"])
def test_water_stops_a_shot_which_has_then_missed(gear_name: GearName, weapon: str) -> None:
    """The worm behind the water is safe, and so is the water; the ammunition is spent all the same."""
    table = worms(gear_name, "......\n~.W..*\nEEEEEE\nplan 1 0")
    table.play(f"choose {weapon}")
    table.play("action r")

    assert table.happened == ["Shot missed..."]
    assert table.map.splitlines()[1][2] == "W"
    assert (table.hp(2), table.ammunition(1, weapon)) == (100, 0)


@rule("R-bazooka", "R-order", "O4", "R-fire", "R-chest", "R-earth", "R-hit-lines")
def test_the_bazooka_reaches_the_four_fields_around_its_target(gear_name: GearName) -> None:
    """Earth and chests are destroyed, and one unit of ammunition is gone."""
    table = worms(gear_name, CROSS)
    table.play("choose bazooka")
    table.play("action r")

    assert table.happened == [
        "Shot hit Chest at position (2, 3)",
        "Shot hit Earth at position (2, 4)",
        "Shot hit Earth at position (3, 3)",
    ]
    assert table.map.splitlines()[2] == "~...*E.."
    assert (table.hp(2), table.ammunition(1, "bazooka")) == (100, 0)


@rule("W2", "R-order", "O4", "R-death", "R-death-lines")
def test_the_cross_goes_centre_up_right_down_left(gear_name: GearName) -> None:
    """All damage is told first; a worm killed by the hit is told of once and falls no more."""
    table = worms(
        gear_name,
        """
        ........
        ....*...
        ~...EE.*
        E...E..E
        EEEEEEEE
        worm 3 at 1 4 hp 40
        plan 1 0
        """,
    )
    table.play("choose bazooka")
    table.play("action r")

    assert table.happened == [
        "Shot hit Earth at position (2, 4)",
        "Shot hit Worm at position (1, 4)",
        f"{named(3)} died.",
        "Shot hit Earth at position (2, 5)",
        "Shot hit Earth at position (3, 4)",
    ]
    assert table.where(3) is None


@rule("W3", "R-damage")
def test_the_shooter_is_hit_by_his_own_bazooka_if_he_stands_beside_the_centre(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n.~E.*\nEEEEE\nplan 0 0")
    table.play("choose bazooka")
    table.play("action r")

    assert table.happened == [
        "Shot hit Earth at position (1, 2)",
        "Shot hit Earth at position (2, 2)",
        "Shot hit Worm at position (1, 1)",
        f"{named(1)} took 40hp damage",
    ]


@rule("W5")
def test_fields_outside_the_map_are_silent(gear_name: GearName) -> None:
    """A cross at the corner has only two arms, and no ring or torch goes on beyond the edge."""
    table = worms(gear_name, "~...*\nEEEEE\nplan 1 0")
    table.play("choose bazooka")
    table.play("action r")

    assert table.happened == [
        "Shot hit Worm at position (0, 4)",
        f"{named(2)} took 40hp damage",
        "Shot hit Earth at position (1, 4)",
        f"{named(2)} fell out of the map.",
        "END: Player 1 win!",
    ]

    table = worms(gear_name, "~...*\nEEEEE\nplan 1 0")
    table.play("choose blowtorch")
    table.play("action l")
    assert table.happened == []


@rule("R-damage")
def test_one_hurts_ones_own_side_too(gear_name: GearName) -> None:
    table = worms(gear_name, ".....\n~.~.*\nEEEEE\nplan 1 0")
    table.play("action r")

    assert table.happened == ["Shot hit Worm at position (1, 2)", f"{named(2)} took 25hp damage"]


@rule("R-blowtorch", "R-hit-lines", "R-order", "W2")
def test_the_blowtorch_burns_five_fields_through_everything(gear_name: GearName) -> None:
    """35 HP; nearest first; past water, which is not harmed; the sixth field is out of reach."""
    table = worms(gear_name, "........\n~E*#W**.\nEEEEEEEE\nplan 7 0")
    table.play("choose blowtorch")
    table.play("action r")

    assert table.happened == [
        "Torch hit Earth at position (1, 1)",
        "Torch hit Worm at position (1, 2)",
        f"{named(4)} took 35hp damage",
        "Torch hit Chest at position (1, 3)",
        "Torch hit Worm at position (1, 5)",
        f"{named(5)} took 35hp damage",
    ]
    assert table.map.splitlines()[1] == "~.*.W**#"
    assert table.hp(6) == 100


@rule("W2", "W5")
def test_a_torch_or_a_melee_that_meets_nothing_is_silent_and_spent(gear_name: GearName) -> None:
    for weapon, action in (("blowtorch", "action u"), ("melee", "action")):
        table = worms(gear_name, LINE)
        table.play(f"choose {weapon}")
        table.play(action)

        assert table.happened == []
        assert table.ammunition(1, weapon) == 0


@rule("R-melee", "W2", "R-hit-lines", "R-earth", "R-chest")
def test_the_melee_hits_the_worms_around_clockwise_from_above_and_nothing_else(gear_name: GearName) -> None:
    """50 HP each; earth and chests stay as they are."""
    table = worms(
        gear_name,
        """
        ......
        ..*...
        .*~#..
        *EEEE.
        EEEEE.
        plan 5 0
        """,
    )
    table.play("choose melee")
    table.play("action")

    assert table.happened == [
        "Attack hit Worm at position (1, 2)",
        f"{named(4)} took 50hp damage",
        "Attack hit Worm at position (2, 1)",
        f"{named(5)} took 50hp damage",
    ]
    assert table.map.splitlines()[2] == ".*~#.."


@rule("R-airstrike", "W6", "R-hit-lines")
def test_the_airstrike_comes_straight_down_a_column(gear_name: GearName) -> None:
    """20 HP to the first target from row 0 on; a roof protects."""
    table = worms(gear_name, "........\n.....E..\n~..*.*..\nEEEEEEEE\nplan 1 0")
    table.play("choose airstrike")
    table.play("action 3")
    assert table.happened == ["Shot hit Worm at position (2, 3)", f"{named(3)} took 20hp damage"]

    table = worms(gear_name, "........\n.....E..\n~..*.*..\nEEEEEEEE\nplan 1 0")
    table.play("choose airstrike")
    table.play("action 5")
    assert table.happened == ["Shot hit Earth at position (1, 5)"]

    table = worms(gear_name, "*...\nE..~\nEWEE\nacts 1\nplan 2 0")
    table.play("choose airstrike")
    table.play("action 0")
    assert table.happened == ["Shot hit Worm at position (0, 0)", f"{named(2)} took 20hp damage"]


@rule("R-airstrike", "W1", "R-missed")
def test_an_airstrike_into_water_or_through_the_bottom_has_missed(gear_name: GearName) -> None:
    for column in (1, 2):
        table = worms(gear_name, "....\n~..*\nEW.E\nplan 1 0")
        table.play("choose airstrike")
        table.play(f"action {column}")
        assert table.happened == ["Shot missed..."]


@rule("R-teleporter", "R-action", "E4")
def test_the_teleporter_takes_column_then_row_and_the_worm_falls_from_there(gear_name: GearName) -> None:
    table = worms(gear_name, "......\n......\n......\n~....*\nEEEEEE\nplan 1 0")
    table.play("choose teleporter")
    table.play("action 3 1")

    assert table.happened == [f"{named(1)} took 10hp fall damage"]
    assert (table.where(1), table.hp(1), table.ammunition(1, "teleporter")) == ((3, 3), 90, 0)


@rule("M5", "G3", "R-teleporter")
def test_who_stood_on_a_worm_that_teleports_away_falls_after_it(gear_name: GearName) -> None:
    """New column first, then the old one."""
    table = worms(
        gear_name,
        """
        .......
        .......
        ~......
        ~.....*
        E.....E
        EEEEEEE
        acts 2
        worm 1 at 2 0
        worm 2 at 3 0
        plan 1 0
        """,
    )
    table.play("choose teleporter")
    table.play("action 3 2")

    assert table.happened == [f"{named(2)} took 10hp fall damage"]
    assert (table.where(2), table.where(1)) == ((4, 3), (3, 0))


@rule("E2", "R-invalid-target")
@pytest.mark.parametrize("target", ["1 2", "5 1", "3 1", "0 1"])
def test_one_cannot_teleport_into_earth_a_worm_water_or_oneself(gear_name: GearName, target: str) -> None:
    """Nothing is spent, and the turn goes on."""
    table = worms(gear_name, "......\n~..W.*\nEEEEEE\nplan 1 0")
    table.play("choose teleporter")

    assert "cannot teleport" in table.why_not(0, f"action {target}")
    assert table.ammunition(1, "teleporter") == 1
    assert table.acting() == 1


@rule("E2", "R-pick-up")
def test_a_teleport_onto_a_chest_collects_it(gear_name: GearName) -> None:
    table = worms(gear_name, "......\n~..#.*\nEEEEEE\nchest 1 3 teleport\nplan 1 0")
    table.play("choose teleporter")
    table.play("action 3 1")

    assert table.happened == [f"{named(1)} picked up 1 of teleport"]
    assert table.ammunition(1, "teleporter") == 1


@rule("W4", "R-action")
@pytest.mark.parametrize("weapon", ["gun", "bazooka", "teleporter", "blowtorch", "melee", "airstrike"])
def test_idling_is_always_allowed_and_costs_nothing(gear_name: GearName, weapon: str) -> None:
    table = worms(gear_name, LINE)
    table.play(f"choose {weapon}")
    before = table.ammunition(1, weapon)
    table.play("action idle")

    assert table.happened == []
    assert table.ammunition(1, weapon) == before
    assert table.seats_to_act() == [1]


@rule("E1", "R-not-allowed")
def test_each_weapon_has_its_own_form_of_action(gear_name: GearName) -> None:
    """All others are refused while it is chosen."""
    forms = {
        "action r": {"gun", "bazooka", "blowtorch"},
        "action": {"melee"},
        "action 1": {"airstrike"},
        "action 1 1": {"teleporter"},
    }
    for weapon in ("gun", "bazooka", "teleporter", "blowtorch", "melee", "airstrike"):
        table = worms(gear_name, LINE)
        table.play(f"choose {weapon}")
        for text, weapons in forms.items():
            refused = table.why_not(0, text)
            assert (refused == "") == (weapon in weapons), (weapon, text)
            assert refused == "" or "is not used like that" in refused
