"""Requests, events and positions as text."""

from __future__ import annotations

import pytest

from tests.games.robots.drawn import OPEN_FIELD, duel, new_fight
from tests.games.robots.wandering import OPTIONS, wander
from tests.support import picture, rule
from turntile.core.errors import InvalidAction, InvalidPosition
from turntile.core.gears import GearName, gear
from turntile.games.robots.game import GAME
from turntile.games.robots.options import Options, prepare
from turntile.games.robots.records import ADD, MOVE, SHOOT_FAR, SHOOT_OUTSIDE
from turntile.games.robots.words import message_of


@rule("O8")
@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("  ADD   Engine2 ", "add engine2"),
        ("add engine 2", "add engine2"),
        ("Deploy", "deploy"),
        ("START", "start"),
        ("move   UP", "move up"),
        ("shoot (4, 7)", "shoot 4 7"),
        ("shoot 4,7", "shoot 4 7"),
    ],
)
def test_requests_are_read_whatever_their_case_and_blanks(text: str, same: str) -> None:
    record = duel("interpreted", "gun").record
    assert GAME.parse(record, 0, text) == GAME.parse(record, 0, same)


def test_a_target_means_the_same_cell_from_wherever_one_stands() -> None:
    match = duel("interpreted", "engine1 gun")
    match.play("start")
    here = GAME.parse(match.record, 0, "shoot 4 4")
    match.play("move up")
    there = GAME.parse(match.record, 0, "shoot 4 4")
    assert here != there
    assert GAME.spell(match.record, 0, there) == "shoot 4 4"


def test_targets_that_no_weapon_reaches_are_told_apart() -> None:
    record = duel("interpreted", "gun").record
    assert GAME.parse(record, 0, "shoot 0 0") == SHOOT_FAR
    assert GAME.parse(record, 0, "shoot 10 0") == SHOOT_OUTSIDE
    assert GAME.parse(record, 0, "shoot 1 -1") == SHOOT_OUTSIDE
    assert GAME.parse(record, 0, "move left") == MOVE + 3
    assert GAME.parse(record, 0, "add cannon") == ADD + 10


@rule("O8")
@pytest.mark.parametrize("text", ["", "  ", "fire", "add laser", "move", "shoot", "shoot x y", "scan now", "add 1"])
def test_what_is_no_request_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InvalidAction) as refusal:
        GAME.parse(duel("interpreted", "gun").record, 0, text)
    assert "\n" not in str(refusal.value)


@rule("X6", "O8")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("say all hello", "hello"),
        ("SAY 3  Meet me;  at (3, 3)", "Meet me;  at (3, 3)"),
        (" say team go ", "go"),
        ("say\tall hello", "hello"),
        ("start", ""),
        ("shoot 4 7", ""),
    ],
)
def test_the_message_is_what_stands_behind_the_address(text: str, message: str) -> None:
    assert message_of(text) == message


@pytest.mark.parametrize("text", ["say", "say all", "say all   ", "say 3"])
def test_a_message_needs_a_text(text: str) -> None:
    with pytest.raises(InvalidAction, match="needs a text"):
        message_of(text)


def test_a_listed_message_can_be_sent_as_it_stands(gear_name: GearName) -> None:
    match = new_fight(gear_name, messages=True)
    match.play("deploy", "deploy")
    match.play("start")
    texts = [GAME.spell(match.record, 0, action) for action in match.state.legal(0)]
    assert [message_of(text) for text in texts] == ["", "hello", "hello"]


# ------------------------------------------------------------------------- positions


@pytest.mark.parametrize("options", OPTIONS)
def test_every_position_is_read_back_equal(gear_name: GearName, options: Options) -> None:
    here = gear(GAME, gear_name)
    for state in wander(gear_name, options, seed=7, steps=150, every=10):
        text = GAME.write_position(state.record())
        again = here.load(GAME.read_position(text))
        assert again.to_bytes() == state.to_bytes()


def test_planned_dice_are_written_too() -> None:
    text = GAME.write_position(GAME.read_position(picture(OPEN_FIELD) + "\nplan 3 0 7\ndice 1 2 3 4"))
    record = GAME.read_position(text)
    assert (record.dice.planned, list(record.dice.plan[:3])) == (3, [7, 0, 3])
    assert GAME.write_position(record) == text


@pytest.mark.parametrize(
    ("lines", "line", "why"),
    [
        ("robot 0: engine3 radar3", 11, "12 slots"),
        ("robot 0: gun cannon", 11, "second feature of its kind"),
        ("robot 0: laser", 11, "says nothing about a robot"),
        ("robot 0: hp 11", 11, "11 HP"),
        ("robot 0: hp 99", 11, "it is 1 to 18"),
        ("robot 1: destroyed", 11, "take it out of the picture"),
        ("robot 0: gun\nrobot 0: gun", 12, "has a line already, line 11"),
        ("robot 2: destroyed\nplay, turn of 2", 1, "turn of robot 2, but it is destroyed"),
        ("robot 3: destroyed", 1, "robot 2 is missing"),
        ("robot 0: mines", 11, "say mines on"),
        ("mines on\nmine 3 3 of 5", 12, "a robot"),
        ("mines on\nmine 9 9 of 0", 1, "stands on a mine"),
        ("mine 3 3 of 0", 1, "say mines on"),
        ("message 0 to all after 3, heard by 1", 1, "say messages on"),
        ("message from me", 11, "is no message"),
        ("play, turn of 0, moves 2", 1, "say started"),
        ("play, turn of 0, started, moves 2", 1, "engine for 0 moves"),
        ("play, turn of 0, ended 200 of 200", 1, "say over"),
        ("play, turn of 7", 11, "a robot"),
        ("play, sleeping", 11, "says nothing about a turn"),
        ("robot 0: deploying", 11, "say deployment"),
        ("robot 0: gun, team 1", 11, "there are 0 teams"),
        ("teams 9", 11, "teams"),
        ("shot at 4 7: lost", 11, "is no shot"),
        ("seen by 0\n? ? ?", 12, "3 words, not 10"),
        ("dice 1 2 3 99999999999", 11, "a word of the dice"),
        ("plan", 11, "a plan of 0 draws"),
        ("hello", 11, "says nothing about a position"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_line_and_reason(lines: str, line: int, why: str) -> None:
    drawing = picture(OPEN_FIELD) + "\n" + lines
    with pytest.raises(InvalidPosition) as refusal:
        GAME.read_position(drawing)
    assert str(refusal.value).startswith(f"line {line}: ")
    assert why in str(refusal.value)


@pytest.mark.parametrize(
    ("drawing", "why"),
    [
        ("", "0 x 0"),
        ("0.1", "3 x 1"),
        ("\n".join(["." * 10] * 9 + ["." * 9]), "the first 10"),
        ("\n".join(["0" + "." * 9] * 2 + ["." * 10] * 8), "drawn twice"),
        ("\n".join(["." * 10] * 10), "at least two robots"),
        ("\n".join(["0" + "." * 9] + ["." * 10] * 9 + ["robot 1: destroyed"]), "only one side is left"),
    ],
)
def test_a_picture_that_cannot_be_is_refused(drawing: str, why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        GAME.read_position(drawing)


def test_every_request_has_a_text(gear_name: GearName) -> None:
    state = gear(GAME, gear_name).new(prepare(Options(players=3, messages=True, mines=True)), 1)
    texts = {GAME.spell(state.record(), 0, action) for action in range(GAME.rules.MAX_ACTIONS)}
    assert all(texts)
