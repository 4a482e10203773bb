"""Cards, steps, pushes, walls and falls."""

from __future__ import annotations

import pytest

from tests.games.roborace.drawn import race
from tests.support import rule
from turntile.core.gears import GearName
from turntile.games.roborace.words import card_text


@rule("F1")
@pytest.mark.parametrize(
    ("first", "last", "does"),
    [
        (1, 18, "turn right"),
        (19, 36, "turn left"),
        (37, 42, "u-turn"),
        (43, 48, "back up"),
        (49, 66, "move 1"),
        (67, 78, "move 2"),
        (79, 84, "move 3"),
    ],
)
def test_the_deck_has_84_cards_of_seven_kinds(first: int, last: int, does: str) -> None:
    """A card's number says what it does."""
    assert {card_text(card) for card in range(first, last + 1)} == {does}


@rule("F1", "RR-plan")
def test_a_program_is_executed_in_the_order_chosen(gear_name: GearName) -> None:
    """Five of seven cards, each with its effect: turn right, move 2, turn left, back up, turn around."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .    .    .  |
        +    +    +    +    +
        | .    .    .    *  |
        +----+----+----+----+
        robot A: north
        hand A: 44 67 7 49 20 79 38
        """,
    )
    table.play_round("3 2 5 1 7")

    assert [table.after_cards(phase)["A"] for phase in range(1, 6)] == [
        (0, 0, "east"),
        (2, 0, "east"),
        (2, 0, "north"),
        (2, 1, "north"),
        (2, 1, "south"),
    ]


@rule("F3")
def test_a_move_of_three_is_three_steps(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .    .    .  |
        +    +    +    +    +
        | *    .    .    .  |
        +----+----+----+----+
        robot A: east
        hand A: 79
        """,
    )
    table.play_round()

    assert table.lines_of_phase_1[1:4] == [
        "robot A moved east to (1, 0)",
        "robot A moved east to (2, 0)",
        "robot A moved east to (3, 0)",
    ]


@rule("F3")
def test_a_blocked_step_is_a_bump_and_the_rest_is_still_tried(gear_name: GearName) -> None:
    """Move 3 with a wall after one step: one step, then two bumps."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .  | .    *  |
        +----+----+----+----+
        robot A: east
        hand A: 79
        """,
    )
    table.play_round()

    assert table.lines_of_phase_1 == [
        "robot A played 79 move 3",
        "robot A moved east to (1, 0)",
        "robot A bumped into a wall east of (1, 0)",
        "robot A bumped into a wall east of (1, 0)",
        "the hall acts",
    ]


@rule("F3", "RR-no-crossing", "RR-destroyed", "RR-pit")
def test_steps_end_when_the_robot_dies(gear_name: GearName) -> None:
    """Nothing crosses a pit: of three steps the second is the last."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .    o    *  |
        +----+----+----+----+
        robot A: east
        hand A: 79
        """,
    )
    table.play_round()

    assert table.lines_of_phase_1 == [
        "robot A played 79 move 3",
        "robot A moved east to (1, 0)",
        "robot A went east into a pit",
        "the hall acts",
    ]
    assert table.after_cards(1)["A"] is None


@rule("F3")
def test_backing_up_is_one_step_back_and_the_facing_stays(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+
        | .    .1A  *  |
        +----+----+----+
        robot A: east
        hand A: 43
        """,
    )
    table.play_round()

    assert table.after_cards(1)["A"] == (0, 0, "east")


@rule("RR-wall")
@pytest.mark.parametrize(("card", "way"), [(49, "east"), (43, "west")])
def test_a_wall_stops_forwards_and_backwards(gear_name: GearName, card: int, way: str) -> None:
    """The robot stays on its space; that step is lost."""
    table = race(
        gear_name,
        f"""
        +----+----+----+
        | .  | .1A| *  |
        +----+----+----+
        robot A: east
        hand A: {card}
        """,
    )
    table.play_round()

    assert table.after_cards(1)["A"] == (1, 0, "east")
    assert f"robot A bumped into a wall {way} of (1, 0)" in table.told


@rule("F2")
@pytest.mark.parametrize(
    ("facing", "wall"),
    [("north", "x1 north"), ("south", "x1 south"), ("west", "x1 west"), ("east", "x1 east")],
)
def test_a_wall_works_from_both_of_its_sides(gear_name: GearName, facing: str, wall: str) -> None:
    """Walls are edges between cells: all four around the middle cell stop, whoever comes from where."""
    table = race(
        gear_name,
        f"""
        +    +    +    +
          .    .    .
        +    +----+    +
          .  | .1A| .
        +    +----+    +
          .    .    *
        +    +    +    +
        robot A: {facing}
        hand A: 49
        """,
    )
    table.play_round()

    assert table.after_cards(1)["A"] == (1, 1, facing), wall


@rule("F2", "RR-destroyed")
@pytest.mark.parametrize(("facing", "alive"), [("north", False), ("east", True), ("south", True), ("west", False)])
def test_only_a_wall_on_the_border_keeps_robots_in(gear_name: GearName, facing: str, alive: bool) -> None:
    """Without one the robot leaves the board and is destroyed at once."""
    table = race(
        gear_name,
        f"""
        +    +----+
          .1A| *  |
        +----+----+
        robot A: {facing}
        hand A: 49
        """,
    )
    table.play_round()

    assert (table.after_cards(1)["A"] is not None) == alive
    assert (f"robot A went {facing} off the board" in table.told) != alive


@rule("RR-push", "F4")
def test_a_robot_in_the_way_is_pushed_whichever_way_it_faces(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+----+----+
        | .1A  .2B  .    .    *  |
        +----+----+----+----+----+
        robot A: east
        robot B: north
        hand A: 67
        """,
    )
    table.play_round()

    assert table.after_cards(1) == {"A": (2, 0, "east"), "B": (3, 0, "east")}  # B's own card turned it right
    assert table.told[1:6] == [
        "robot A played 67 move 2",
        "robot A pushed robot B east to (2, 0)",
        "robot A moved east to (1, 0)",
        "robot A pushed robot B east to (3, 0)",
        "robot A moved east to (2, 0)",
    ]


@rule("F4", "RR-grid")
def test_a_whole_row_is_pushed(gear_name: GearName) -> None:
    """Four robots in a row: the last pushes the three before it, and no cell ever holds two."""
    table = race(
        gear_name,
        """
        +----+----+----+----+----+
        | .1A  .2B  .3C  .4D  .  |
        +    +    +    +    +    +
        | *    .    .    .    .  |
        +----+----+----+----+----+
        robot A: east
        robot B: east
        robot C: east
        robot D: east
        hand A: 49
        """,
    )
    table.play_round()

    assert [place and place[:2] for place in table.after_cards(1).values()] == [(1, 0), (2, 0), (3, 0), (4, 0)]


@rule("RR-blocked", "F4")
def test_a_pushed_robot_that_is_stopped_stops_the_pusher(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .2B  .3C| *  |
        +----+----+----+----+
        robot A: east
        robot B: east
        robot C: east
        hand A: 49
        """,
    )
    table.play_round()

    assert [place and place[:2] for place in table.after_cards(1).values()] == [(0, 0), (1, 0), (2, 0)]
    assert table.told[2:5] == [
        "robot C bumped into a wall east of (2, 0)",
        "robot B bumped into robot C east of (1, 0)",
        "robot A bumped into robot B east of (0, 0)",
    ]


@rule("RR-blocked", "F4")
def test_a_wall_inside_the_row_stops_it_too(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .2B| .3C  *  |
        +----+----+----+----+
        robot A: east
        robot B: east
        robot C: east
        hand A: 49
        """,
    )
    table.play_round()

    assert [place and place[:2] for place in table.after_cards(1).values()] == [(0, 0), (1, 0), (2, 0)]


@rule("F4", "R1")
def test_a_robot_pushed_into_a_pit_dies_and_the_pusher_enters(gear_name: GearName) -> None:
    """The dead robot leaves the board at once, and its cell is free."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .2B  o    *  |
        +----+----+----+----+
        robot A: east
        robot B: east
        hand A: 49
        """,
    )
    table.play_round()

    assert table.after_cards(1) == {"A": (1, 0, "east"), "B": None}
    assert table.told[2:4] == ["robot B was pushed by robot A east into a pit", "robot A moved east to (1, 0)"]


@rule("F4", "RR-destroyed")
def test_a_robot_pushed_off_the_board_dies(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+
          .2B  .1A  *  |
        +----+----+----+
        robot A: west
        robot B: east
        hand A: 49
        """,
    )
    table.play_round()

    assert table.after_cards(1) == {"A": (0, 0, "west"), "B": None}
    assert "robot B was pushed by robot A west off the board" in table.told


@rule("RR-priority", "F1", "RR-phases")
def test_the_higher_card_goes_first(gear_name: GearName) -> None:
    """B's 50 comes before A's 49: B is gone when A arrives."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .2B  .    *  |
        +----+----+----+----+
        robot A: east
        robot B: east
        hand A: 49 1
        hand B: 50 2
        """,
    )
    table.play_round()

    assert table.told[1:5] == [
        "robot B played 50 move 1",
        "robot B moved east to (2, 0)",
        "robot A played 49 move 1",
        "robot A moved east to (1, 0)",
    ]
    second = table.told.index("phase 2")
    assert [line for line in table.told[second:] if "played" in line][:2] == [
        "robot B played 2 turn right",
        "robot A played 1 turn right",
    ]


@rule("R4", "F5", "R1")
def test_a_dead_robots_cards_are_void(gear_name: GearName) -> None:
    """B is pushed into a pit before its card comes: it plays nothing more in this round."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .2B  o    *  |
        +----+----+----+----+
        robot A: east
        robot B: west
        hand A: 79
        hand B: 78 60 61
        """,
    )
    table.play_round()

    assert not [line for line in table.told if line.startswith("robot B played")]
    assert table.after_hall(5)["B"] is None
