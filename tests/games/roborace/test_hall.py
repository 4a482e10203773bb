"""What the hall does to robots, in which order, and how the race is won."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.roborace.drawn import race
from tests.support import rule
from turntile.core.game import Told
from turntile.core.gears import GearName, gear
from turntile.games.roborace.game import GAME

STORY = """
    +----+----+----+----+
    | >2B  )1A  v    .  |
    +    +    +    +    +
    | .    .    .    *  |
    +----+----+----+----+
    robot A: west
    robot B: west
    hand A: 1
    hand B: 2
"""


@rule("RR-story", "RR-random", "RR-once", "F5", "RR-carried")
def test_the_rulebooks_story_of_the_gear_and_the_belt(gear_name: GearName) -> None:
    """B's belt first: B goes onto the gear and pushes A onto a belt, which then moves A on. No gear turns."""
    table = race(gear_name, STORY, "BA")
    table.play_round()

    assert table.after_cards(1) == {"A": (1, 0, "north"), "B": (0, 0, "north")}
    assert table.after_hall(1) == {"A": (2, 1, "north"), "B": (1, 0, "north")}


@rule("RR-story", "RR-random")
def test_in_the_other_order_the_gear_turns_first(gear_name: GearName) -> None:
    """A's gear first, then B's belt pushes A onto the belt, which does nothing to A any more."""
    table = race(gear_name, STORY, "AB")
    table.play_round()

    assert table.after_hall(1) == {"A": (2, 0, "east"), "B": (1, 0, "north")}


@rule("RR-random", "RR-draw")
def test_every_order_of_effects_is_drawn_about_as_often(gear_name: GearName) -> None:
    """Three robots have six orders; 600 phases show each of them between 60 and 140 times."""
    seen: Counter[str] = Counter()
    record = GAME.prepare(GAME.options(players=3, board="yard"))
    for seed in range(120):
        state = gear(GAME, gear_name).new(record, seed)
        before = state.record()
        before.round_limit = 1
        state = gear(GAME, gear_name).load(before)
        state.step([0, 0, 0])
        for event in state.events():
            line = GAME.narrate(state.record(), Told(*event), None)
            if line.startswith("the hall acts"):
                seen[line] += 1

    assert len(seen) == 6
    assert all(60 <= count <= 140 for count in seen.values()), seen


@rule("RR-effects", "RR-belt", "RR-floor", "F10")
def test_a_belt_moves_one_space_and_turns_nobody(gear_name: GearName) -> None:
    """Belts have directions of their own; floor does nothing."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | >1A  .    .    .  |
        +    +    +    +    +
        | *    .    .3C  ^2B|
        +----+----+----+----+
        robot A: south
        robot B: south
        robot C: south
        hand A: 1
        hand B: 2
        hand C: 3
        """,
        "CBA",
    )
    table.play_round()

    assert table.after_cards(1) == {"A": (0, 0, "west"), "B": (3, 1, "west"), "C": (2, 1, "west")}
    assert table.after_hall(1) == {"A": (1, 0, "west"), "B": (3, 0, "west"), "C": (2, 1, "west")}


@rule("RR-once")
def test_an_effect_that_carries_onto_a_gear_does_not_turn(gear_name: GearName) -> None:
    """The belt's robot lands on a gear and feels it only in the next phase."""
    table = race(
        gear_name,
        """
        +----+----+----+
        | >1A  )    *  |
        +----+----+----+
        robot A: west
        hand A: 1 40
        """,
    )
    table.play_round()

    assert table.after_hall(1)["A"] == (1, 0, "north")
    assert table.after_cards(2)["A"] == (1, 0, "south")
    assert table.after_hall(2)["A"] == (1, 0, "west")


@rule("RR-gear", "RR-once")
@pytest.mark.parametrize(("gear_sign", "facing"), [(")", "south"), ("(", "north")])
def test_a_gear_turns_a_robot_that_a_card_brought(gear_name: GearName, gear_sign: str, facing: str) -> None:
    """Clockwise or anticlockwise, by a quarter."""
    table = race(
        gear_name,
        f"""
        +----+----+----+
        | .1A  {gear_sign}    *  |
        +----+----+----+
        robot A: east
        hand A: 49
        """,
    )
    table.play_round()

    assert table.after_cards(1)["A"] == (1, 0, "east")
    assert table.after_hall(1)["A"] == (1, 0, facing)


@rule("RR-carried", "RR-blocked")
def test_a_belt_is_blocked_by_walls_and_pushes_rows(gear_name: GearName) -> None:
    """A's belt pushes B; B's wall in the next phase stops both."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | >1A  .2B  .  | *  |
        +----+----+----+----+
        robot A: north
        robot B: north
        hand A: 1 45
        hand B: 2 3
        """,
    )
    table.play_round()

    assert table.after_hall(1) == {"A": (1, 0, "east"), "B": (2, 0, "east")}
    assert "belt east at (0, 0) acted on robot A" in table.told
    assert "robot A pushed robot B east to (2, 0)" in table.told


@rule("RR-carried", "RR-destroyed")
def test_a_belt_can_carry_into_a_pit(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+
        | >1A  o    *  |
        +----+----+----+
        robot A: north
        """,
    )
    table.play_round()

    assert table.after_cards(1)["A"] == (0, 0, "east")
    assert table.after_hall(1)["A"] is None


@rule("RR-crusher", "R1", "RR-decoration")
def test_a_crusher_destroys_in_its_two_phases(gear_name: GearName) -> None:
    """A crusher of phases 2 and 4: nothing in phase 1, destroyed in phase 2, and off the board."""
    table = race(
        gear_name,
        """
        +----+----+----+
        |c.1A  .    *  |
        +----+----+----+
        c: crusher 2 4
        robot A: north
        """,
    )
    table.play_round()

    assert table.after_hall(1)["A"] is not None
    assert table.after_cards(2)["A"] is not None
    assert table.after_hall(2)["A"] is None
    assert "robot A was crushed" in table.told


@rule("RR-pusher")
@pytest.mark.parametrize("phase", range(1, 6))
def test_a_pusher_acts_in_its_three_phases(gear_name: GearName, phase: int) -> None:
    """Phases 1, 3 and 5: pushed in those, left alone in 2 and 4."""
    table = race(
        gear_name,
        """
        +----+----+----+----+----+----+
        |p.1A p.   p.   p.    .    *  |
        +----+----+----+----+----+----+
        p: pusher east 1 3 5
        robot A: north
        """,
    )
    table.play_round()
    before, after = table.after_cards(phase)["A"], table.after_hall(phase)["A"]

    assert before is not None and after is not None
    assert after[0] - before[0] == (1 if phase in (1, 3, 5) else 0)


@rule("RR-decoration", "RR-elements")
@pytest.mark.parametrize(("hand", "phase", "alive"), [("4 49 1", 2, False), ("4 5 49", 3, True)])
def test_a_crusher_over_a_belt_comes_first_in_its_phases(
    gear_name: GearName, hand: str, phase: int, alive: bool
) -> None:
    """Crusher of phases 2 and 4: entered in phase 2 it destroys, in phase 3 the belt moves on."""
    table = race(
        gear_name,
        f"""
        +----+----+----+----+
        | .1A c>    .    *  |
        +----+----+----+----+
        c: crusher 2 4
        robot A: {"north" if phase == 2 else "west"}
        hand A: {hand}
        """,
    )
    table.play_round()

    assert table.after_cards(phase)["A"] == (1, 0, "east")
    assert table.after_hall(phase)["A"] == ((2, 0, "east") if alive else None)


@rule("F6")
def test_a_pusher_stopped_by_a_wall_has_acted(gear_name: GearName) -> None:
    """In phase 1 the pusher bumps and the belt below does not move; in phase 2 the belt does."""
    table = race(
        gear_name,
        """
        +----+----+----+
        |p>1A  .    *  |
        +----+----+----+
        p: pusher north 1 3 5
        robot A: north
        """,
    )
    table.play_round()

    assert table.after_hall(1)["A"] == (0, 0, "east")
    assert table.after_hall(2)["A"] == (1, 0, "south")
    assert "robot A bumped into a wall north of (0, 0)" in table.told


@rule("RR-goal", "F7", "RR-rounds", "RR-race", "RR-places")
def test_the_robot_on_a_goal_wins_and_everything_stops(gear_name: GearName) -> None:
    """A reaches the goal in phase 2: no third phase, nobody comes back, nobody acts any more."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .    *    .2B
        +----+----+----+----+
        robot A: east
        robot B: east
        hand A: 49 50
        hand B: 51
        """,
    )
    table.play_round()

    assert table.told[-1] == "robot A is on a goal and wins"
    assert "phase 3" not in table.told
    assert table.now == {"A": (2, 0, "east"), "B": None}
    assert table.state.over() and table.state.to_act() == 0
    assert [table.state.place(seat) for seat in (0, 1)] == [1, 2]
    assert [table.state.score(seat) for seat in (0, 1)] == [1, 0]
    assert GAME.reason(table.record) == "robot A reached a goal in round 1"


@rule("F7")
def test_passing_over_a_goal_does_not_win(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  *    .    .  |
        +----+----+----+----+
        robot A: east
        hand A: 67
        """,
    )
    table.play_round()

    assert table.after_cards(1)["A"] == (2, 0, "east")
    assert not table.state.over()


@rule("F7")
def test_being_carried_onto_a_goal_by_ones_own_effect_does_not_win_now(gear_name: GearName) -> None:
    """The belt brings A onto the goal in phase 1; it wins in phase 2, because it is still there."""
    table = race(
        gear_name,
        """
        +----+----+----+
        | >1A  *    .  |
        +----+----+----+
        robot A: north
        """,
    )
    table.play_round()

    assert table.after_hall(1)["A"] == (1, 0, "east")
    assert table.told.index("phase 2") < table.told.index("robot A is on a goal and wins")


@rule("F7")
@pytest.mark.parametrize(("order", "wins"), [("BA", True), ("AB", False)])
def test_being_pushed_onto_a_goal_before_ones_own_effect_wins(gear_name: GearName, order: str, wins: bool) -> None:
    """B's belt pushes A onto the goal: A wins in this phase only if its effect is still to come."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | >2B  .1A  *    .  |
        +----+----+----+----+
        robot A: north
        robot B: north
        hand A: 1 37
        hand B: 2 38
        """,
        order,
    )
    table.play_round()

    assert ("phase 2" not in table.told) == wins
    assert table.after_hall(1)["A"] == (2, 0, "east")


@rule("F6", "F7")
def test_a_decoration_on_a_goal_comes_before_the_goal(gear_name: GearName) -> None:
    """The pusher acts in phase 1, blocked by a wall: the goal counts only in phase 2."""
    table = race(
        gear_name,
        """
        +----+----+
        | .1A p*  |
        +----+----+
        p: pusher north 1 3 5
        robot A: east
        hand A: 49
        """,
    )
    table.play_round()

    assert table.after_cards(1)["A"] == (1, 0, "east")
    assert table.told.index("phase 2") < table.told.index("robot A is on a goal and wins")
