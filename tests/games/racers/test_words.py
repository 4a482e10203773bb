"""Actions, refusals and events as text."""

from __future__ import annotations

import pytest

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.errors import InvalidAction
from turntile.core.gears import GearName
from turntile.games.racers import rules
from turntile.games.racers.game import GAME

MIDDLE = """
    ..........
    ..........
    ....1.....
"""


def test_every_action_has_one_text_that_reads_back() -> None:
    record = position(MIDDLE)
    texts = [GAME.spell(record, 0, action) for action in range(rules.MAX_ACTIONS)]
    assert len(set(texts)) == rules.MAX_ACTIONS
    assert [GAME.parse(record, 0, text) for text in texts] == list(range(rules.MAX_ACTIONS))
    assert texts[:3] == ["move u", "move ur", "move r"]
    assert texts[8:13] == ["pick grenade", "pick disc", "pick charged", "use grenade", "use disc up"]
    assert texts[-2:] == ["use charged left", "end"]


@rule("H6", "U2", "U3")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("MOVE  UL", "move ul"),
        ("ul", "move ul"),
        ("move up-left", "move ul"),
        ("go left up", "move ul"),
        ("move down", "move d"),
        ("Pick Up disc", "pick disc"),
        ("pick charged disc", "pick charged"),
        ("take light grenade", "pick grenade"),
        ("use light grenade", "use grenade"),
        ("use 1", "use grenade"),
        ("use 2 up", "use disc up"),
        ("use 3 l", "use charged left"),
        ("throw charged disc left", "use charged left"),
        ("use identity disc, right", "use disc right"),
        (" end turn ", "end"),
    ],
)
def test_input_is_forgiving(text: str, meant: str) -> None:
    """Case and blanks do not matter; items go by name or by their number in the inventory."""
    record = position(MIDDLE, "holds 1: grenade=1 disc=1 charged=1")
    assert GAME.spell(record, 0, GAME.parse(record, 0, text)) == meant


@rule("U2", "U3", "H6", "F8")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "an empty line is no action: say move ul, pick disc, use disc up or end"),
        ("jump", "'jump' is no action: say move ul, pick disc, use disc up or end"),
        ("move", "'move' has no direction to move in: say move and one of u, ur, r, dr, d, dl, l, ul"),
        ("move north", "'move north' has no direction to move in: say move and one of u, ur, r, dr, d, dl, l, ul"),
        ("pick", "several kinds lie here: say pick grenade or pick disc"),
        ("pick sword", "'sword' is no item: say pick grenade, pick disc or pick charged"),
        ("use", "use which item? Say use grenade, use disc up, or an item's number as in use 2 up"),
        ("use disc", "in which direction? Say use disc and up, down, left or right, or cancel"),
        ("use 1", "in which direction? Say use disc and up, down, left or right, or cancel"),
        ("use disc ul", "'ul' is no direction for a disc: say up, down, left or right"),
        ("use disc sideways", "'sideways' is no direction for a disc: say up, down, left or right"),
        ("use grenade up", "a light grenade is placed on your own square: say use grenade, without a direction"),
        ("use 2 up", "there is no item 2 in your inventory: it has 1 disc"),
        ("use 0 up", "there is no item 0 in your inventory: it has 1 disc"),
        ("use 99999999999999999999 up", "there is no item 999999999 in your inventory: it has 1 disc"),
        ("use sword up", "'sword' is no item: say grenade, disc, charged or its number in your inventory"),
        ("use ² up", "'²' is no item: say grenade, disc, charged or its number in your inventory"),
        ("use disc cancel", "cancelled: nothing was used and no action is spent; say what you do instead"),
    ],
)
def test_what_is_no_action_is_explained(text: str, sentence: str) -> None:
    """One line: what was wrong, and what would do."""
    record = position(MIDDLE, "holds 1: disc=1", "items: 4,2=grenade+disc")
    with pytest.raises(InvalidAction) as refused:
        GAME.parse(record, 0, text)
    assert str(refused.value) == sentence


def test_with_empty_hands_and_nothing_on_the_square() -> None:
    record = position(MIDDLE)
    with pytest.raises(InvalidAction, match="there is no item 1: your inventory is empty"):
        GAME.parse(record, 0, "use 1 up")
    with pytest.raises(InvalidAction, match="nothing lies on your square that can be picked up"):
        GAME.parse(record, 0, "pick")


def test_a_turn_is_told_as_it_happened(gear_name: GearName) -> None:
    race = Race(gear_name, "..........\n1...2.....", "holds 1: disc=1", "items: 0,1=charged")
    story = []
    for action in ("pick charged", "use disc right", "move d", "move d", "end"):
        race.does(action)
        story += race.told
    assert story == [
        "Player 1 picked up a charged identity disc on (0, 1)",
        "Player 1 threw an identity disc right; it ended on (4, 1)",
        "Player 2 was hit by a disc and will skip a turn",
        "Player 1 moved d to (0, 2)",
        "Player 2 skipped a turn, having been hit by a disc",
        "Turn 3: player 1 has 3 actions",
        "Player 1 moved d to (0, 3)",
        "Player 1 ended the turn",
        "Turn 4: player 2 has 3 actions",
    ]


def test_power_failures_are_told_by_number(gear_name: GearName) -> None:
    race = Race(gear_name, MIDDLE, "actions: 1", "began: 3,2", "options: failure_percent=100")
    race.does("move u")
    assert race.told[1:] == [
        "Power failed around 100 squares",
        "Player 2 began without power on (9, 0) and lost an action",
        "Turn 2: player 2 has 2 actions",
    ]
