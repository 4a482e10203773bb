"""Tron in words: actions, refusals and positions as text."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.games.tron.drawn import tron
from tests.support import picture
from turntile.core.errors import InvalidAction, InvalidPosition
from turntile.core.gears import GearName, gear
from turntile.core.planned import plan_dice
from turntile.games.tron.game import GAME
from turntile.games.tron.options import Options
from turntile.games.tron.records import MAX_ACTIONS
from turntile.games.tron.words import ACTION_TEXTS

SMALL = """
    #######
    #A....#
    #..p..#
    #....B#
    #######
    seat 0: right
    seat 1: left
    """


def position(text: str) -> Any:
    return GAME.read_position(picture(text))


# ------------------------------------------------------------------------- actions


def test_every_action_has_one_text_that_reads_back() -> None:
    record = position(SMALL)
    texts = [GAME.spell(record, 0, action) for action in range(MAX_ACTIONS)]

    assert texts == [
        *("straight", "up", "right", "down", "left"),
        *("activate", "activate up", "activate right", "activate down", "activate left"),
    ]
    assert [GAME.parse(record, 0, text) for text in texts] == list(range(MAX_ACTIONS))


@pytest.mark.parametrize("text", ["Activate  LEFT", " activate left ", "ACTIVATE\tleft"])
def test_case_and_blanks_do_not_matter(text: str) -> None:
    assert GAME.parse(position(SMALL), 0, text) == ACTION_TEXTS.index("activate left")


@pytest.mark.parametrize("text", ["", "north", "left right", "activate north", "activate activate", "1", "leftt"])
def test_what_is_no_action_is_refused_with_what_would_do(text: str) -> None:
    with pytest.raises(InvalidAction, match="say straight, up, right, down or left, alone or after activate"):
        GAME.parse(position(SMALL), 0, text)


def test_refusals_say_why(gear_name: GearName) -> None:
    match = tron(gear_name, SMALL)
    record = match.record

    def refused(seat: int, action: int) -> str:
        return GAME.refusal(record, seat, action, match.state.why_illegal(seat, action))

    assert refused(2, 0) == "there is no seat 2: this match has seats 0 to 1"
    assert refused(-1, 0) == "there is no seat -1: this match has seats 0 to 1"
    assert refused(0, 10) == "there is no action 10: actions are 0 to 9"
    match.play("up", "left")
    assert match.why_not(0, "up") == "seat 0 crashed in turn 1 and cannot act any more"
    match.play("down")
    assert match.why_not(1, "up") == "the match is over: nobody can act any more"


# ------------------------------------------------------------------------- positions


def test_a_position_is_a_picture_and_lines() -> None:
    record = position(
        """
        #######
        #0A~..#
        #..p#.#
        #.1..B#
        #######
        turn 7
        seat 0: right, holding bomb, invincible 3, distance 7, bonus 50
        seat 1: left, distance 7
        trail 0: 2,1=7
        dice 1 2 3 4
        """
    )

    assert GAME.write_position(record).splitlines() == [
        "#######",
        "#0A~..#",
        "#..p#.#",
        "#.1..B#",
        "#######",
        "turn 7",
        "seat 0: right, holding bomb, invincible 3, distance 7, bonus 50",
        "seat 1: left, distance 7",
        "trail 0: 2,1=7",
        "option random_board 0",
        "option survivor_travels_on 1",
        "option win_points 1000",
        "option tie_points 300",
        "option loss_points 0",
        "option square_points 1",
        "option powerup_points 50",
        "option bonus_points 200",
        "dice 1 2 3 4",
    ]


def test_case_and_blanks_do_not_matter_in_lines() -> None:
    plain = position(SMALL)
    shouted = position(SMALL.replace("seat 0: right", "SEAT  0 :  Right ,"))

    assert plain.position() == shouted.position()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_of_a_match_can_be_written_and_read_back(players: int, gear_name: GearName) -> None:
    """Dead cycles, severed trails, bombed ones: all of it, byte for byte."""
    for seed in range(4):
        chance = Random(seed)
        state = gear(GAME, gear_name).new(GAME.prepare(Options(board="minefield", players=players)), seed)
        while True:
            record = state.record()
            text = GAME.write_position(record)
            assert GAME.read_position(text).position() == record.position(), text
            if state.over():
                break
            state.step([chance.choice(state.candidates(seat)) for seat in range(players)])


def test_planned_dice_are_part_of_a_position() -> None:
    record = position(SMALL)
    plan_dice(record.dice, [3, 0, 2])
    text = GAME.write_position(record)

    assert text.splitlines()[-1] == "plan 3 0 2"
    assert GAME.read_position(text).position() == record.position()


BOARD = """
    #######
    #A....#
    #..0..#
    #....B#
    #######
    """


@pytest.mark.parametrize(
    ("drawing", "sentence"),
    [
        ("", "line 1: no picture of the board"),
        ("turn 3", "line 1: no picture of the board"),
        (BOARD.replace("B#", "B."), "line 1: the board has a hole in its border: '.' in row 3, column 6"),
        (BOARD.replace("#..0..#", "#..0.#"), "line 1: the board is not rectangular: row 2 has 6 cells"),
        (BOARD.replace("0", "?"), "line 1: '?' in row 2, column 3 of the board is no cell"),
        (BOARD.replace("B", "A"), "line 4: A is drawn twice; a seat has one cycle"),
        (BOARD.replace("B", "C"), "line 1: only seats [0, 2] are there"),
        (BOARD.replace("B", "."), "line 1: only seats [0] are there"),
        (BOARD.replace("0", "3"), "line 1: trail 3 is drawn at (3, 2), but there is no such seat"),
        (BOARD + "wind north", "line 6: 'wind north' is not understood: begin with turn, seat, trail"),
        (BOARD + "turn soon", "line 6: turn: 'soon' is no number from 0 to 32767"),
        (BOARD + "seat 7: up", "line 6: seat: '7' is no number from 0 to 3"),
        (BOARD + "seat 2: up", "line 1: seat 2 has a line but no cycle; draw C"),
        (BOARD + "seat 0: up\nseat 0: up", "line 7: seat 0 has two lines; keep one"),
        (BOARD + "seat 0: sideways", "line 6: 'sideways' says nothing of a cycle: say up, right"),
        (BOARD + "seat 0: holding landmine", "line 6: 'landmine' cannot be held"),
        (BOARD + "seat 0: invincible 11", "line 6: invincible 11: '11' is no number from 0 to 10"),
        (BOARD + "seat 0: distance 4", "line 1: seat 0 cannot have travelled 4 squares in 0 turns"),
        (BOARD + "seat 0: dead in turn 1 at 2,2", "line 6: seat 0 is drawn as a living A, so it is not dead"),
        (BOARD + "seat 2: dead yesterday", "line 6: 'dead yesterday' is no death: say dead in turn 9 at 5,3"),
        (BOARD + "seat 2: dead in turn 9 at 2,2", "line 1: seat 2 cannot have died in turn 9, it is turn 0"),
        (BOARD + "turn 9\nseat 2: dead in turn 9 at 0,2", "line 1: seat 2 cannot have died on a wall"),
        (BOARD + "seat 2: dead in turn 9 at 7,2", "line 6: column: '7' is no number from 0 to 6"),
        (BOARD + "trail 0: 2,2=1", "line 6: '2,2=1': the picture shows no trail of seat 0 there"),
        (BOARD + "trail 0: 3,2", "line 6: '3,2' is no step of a trail: say 4,3=1"),
        (BOARD + "trail 0: 3,2=4", "line 1: the trail at (3, 2) cannot be of turn 4, it is turn 0"),
        (BOARD + "option speed 3", "line 6: 'speed' is no option of a position: there are random_board"),
        (BOARD + "option win_points many", "line 6: win_points: 'many' is no number from 0 to 100000"),
        (BOARD + "dice 1 2 3", "line 6: dice have four words, not 3"),
        (BOARD + "plan " + "1 " * 17, "line 6: 17 planned draws: at most 16 fit"),
        (BOARD + "turn 32767", "line 1: turn 32767 is too late for so many powerups"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_line(drawing: str, sentence: str) -> None:
    lines = "\n".join(line.strip() for line in drawing.strip().splitlines())
    with pytest.raises(InvalidPosition) as refusal:
        GAME.read_position(lines)

    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)
