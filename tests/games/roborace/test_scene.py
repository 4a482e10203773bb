"""The picture, the preview of a program, and a round moment by moment."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.games.roborace.drawn import Race, complete, race
from tests.support import picture
from turntile.core.errors import InvalidAction
from turntile.core.game import Told
from turntile.core.gears import GearName, gear
from turntile.core.scene import Hand, Lines, Mark, Stage
from turntile.games.roborace.boards import hall_of
from turntile.games.roborace.game import GAME
from turntile.games.roborace.view import hall_in

HALL = """
    +----+----+----+----+
    | .1A  .    >    o  |
    +    +    +    +    +
    |c.    .    .    *  |
    +----+----+----+----+
    c: crusher 1 2
    robot A: east
    hand A: 49 67 79 1 43 37 20
"""


def planned(text: str) -> tuple[Mark, ...]:
    assert GAME.preview is not None
    return GAME.preview(GAME.view(GAME.read_position(complete(picture(HALL))), 0), text)


def test_a_hand_is_offered_card_by_card() -> None:
    """Seven cards whose words are their places, and five slots."""
    scene = GAME.scene(GAME.view(GAME.read_position(complete(picture(HALL))), 0), ("1 2 3 4 5",))
    hand = next(panel for panel in scene.panels if isinstance(panel, Hand))

    assert hand.slots == 5
    assert [card.word for card in hand.cards] == ["1", "2", "3", "4", "5", "6", "7"]
    assert [card.label for card in hand.cards][:4] == ["move 1 (49)", "move 2 (67)", "move 3 (79)", "turn right (1)"]
    assert [choice.action for choice in scene.choices] == ["1 2 3 4 5"]


def test_nothing_chosen_shows_where_one_is() -> None:
    assert planned("") == (Mark(0, 0, "target", "here, facing east"),)


def test_the_planned_way_is_shown_step_by_step() -> None:
    """One step, then a turn: the way and its end."""
    assert planned("1 4") == (
        Mark(1, 0, "path", "card 1, move 1: facing east"),
        Mark(1, 0, "path", "card 2, turn right: facing south"),
        Mark(1, 0, "target", "here, facing south"),
    )


def test_a_way_into_a_pit_is_shown_as_danger() -> None:
    """Move 3 falls with its third step; move 2 is carried into the pit by the belt."""
    assert planned("3")[-1] == Mark(2, 0, "danger", "card 1, move 3: destroyed beyond this cell")
    assert planned("2")[-1] == Mark(2, 0, "danger", "the hall in phase 1: destroyed")
    assert planned("2 1") == planned("2")


def test_a_taken_back_card_is_forgotten() -> None:
    """The preview depends on the text alone."""
    assert planned("1 4") == planned("1 4") != planned("1")


@pytest.mark.parametrize("text", ["1 1", "8", "x"])
def test_a_beginning_that_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(InvalidAction):
        planned(text)


def stages_of(table: Race) -> tuple[Stage, ...]:
    before = GAME.view(table.record, None)
    table.play_round()
    told = [Told(*event) for event in table.state.events()]
    assert GAME.stages is not None
    return GAME.stages(before, told, GAME.view(table.record, None))


def captions(stages: Sequence[Stage]) -> list[str]:
    return [stage.caption for stage in stages]


def test_a_round_is_shown_card_by_card_and_effect_by_effect(gear_name: GearName) -> None:
    """A push, a bump, a belt, a fall and the return, each with its cause, each one picture."""
    table = race(
        gear_name,
        """
        +----+----+----+----+
        | .1A  .2B  .    o  |
        +    +    +    +    +
        | *    .    v    .  |
        +----+----+----+----+
        robot A: east
        robot B: north
        hand A: 67 2 3 4 5
        hand B: 50 6 7 8 9
        """,
        "BA",
    )
    stages = stages_of(table)

    assert captions(stages)[:4] == [
        "robot A: 67 move 2 - robot A moved east to (1, 0); robot A pushed robot B east to (2, 0)",
        "robot A: 67 move 2 - robot A moved east to (2, 0); robot B was pushed by robot A east into a pit",
        "robot A: 2 turn right - robot A turned right and faces south",
        "robot A: 3 turn right - robot A turned right and faces west",
    ]
    assert captions(stages)[-1] == "robot B came back on start 2 at (1, 0), facing north"
    pushed = {sprite.id: (sprite.x, sprite.y) for sprite in stages[0].scene.sprites if sprite.id.startswith("robot")}
    assert pushed == {"robot-0": (1, 0), "robot-1": (2, 0)}
    assert stages[1].scene.marks[0].kind == "danger"


def test_the_order_of_priority_and_of_effects_is_visible(gear_name: GearName) -> None:
    table = race(
        gear_name,
        """
        +----+----+----+
        | >1A  .    *  |
        +    +    +    +
        | .2B  .    .  |
        +----+----+----+
        robot A: north
        robot B: east
        hand A: 1
        hand B: 49
        """,
        "BA",
    )
    belt = next(stage for stage in stages_of(table) if stage.caption.startswith("belt"))
    panels = {panel.title: panel.lines for panel in belt.scene.panels if isinstance(panel, Lines)}

    assert belt.caption == "belt east under robot A - robot A moved east to (1, 0)"
    assert panels["Phase 1, cards by priority"] == ("1. robot B: 49 move 1", "2. robot A: 1 turn right")
    assert panels["Phase 1, the hall acts in this order"] == ("  robot B", "> robot A")


def test_the_last_moment_is_the_position_after_the_round(gear_name: GearName) -> None:
    """In random rounds on the hardest hall the robots of the last picture are where the state has them."""
    record = GAME.prepare(GAME.options(players=4, board="abyss"))
    for seed in range(8):
        table = Race(gear(GAME, gear_name).new(record, seed).record(), gear_name)
        last = stages_of(table)[-1].scene.sprites
        shown = {s.id: (s.x, s.y, s.turn) for s in last if s.id.startswith("robot")}
        after = GAME.scene(GAME.view(table.record, None), ()).sprites
        assert shown == {s.id: (s.x, s.y, s.turn) for s in after if s.id.startswith("robot")}


def test_halls_that_differ_in_one_thing_are_not_taken_for_each_other() -> None:
    """What is drawn of a hall is remembered; a wall, a phase, a belt or a start more is another hall."""
    halls = [
        HALL,
        HALL.replace("+    +    +    +    +", "+----+    +    +    +"),
        HALL.replace("crusher 1 2", "crusher 1 3"),
        HALL.replace(">", "<"),
        HALL.replace(".1A  . ", ". A  .1"),
        HALL + "    start 1: south",
    ]
    records = [GAME.read_position(complete(picture(hall))) for hall in halls]
    views = [GAME.view(record, None) for record in records]
    scenes = [GAME.scene(view, ()) for view in views]

    assert len(set(scenes)) == len(halls)
    for record, view, scene in zip(records, views, scenes, strict=True):
        assert hall_in(view) == hall_of(record)
        assert GAME.view(record, None) == view
        assert GAME.scene(view, ()) == scene
