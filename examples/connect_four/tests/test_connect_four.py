"""Connect Four's rules in both gears. Run with TURNTILE_CHECKED=1, so that records check what they store."""

from __future__ import annotations

from typing import cast

import pytest
from connect_four.game import GAME

from turntile.core.errors import InvalidAction, InvalidOptions, InvalidPosition
from turntile.core.gears import GearName, State, gear
from turntile.match.check import CHECKS, Subject


@pytest.fixture(params=["interpreted", "compiled"])
def gear_name(request: pytest.FixtureRequest) -> GearName:
    return cast(GearName, request.param)


def position(picture: str, gear_name: GearName) -> State:
    return gear(GAME, gear_name).load(GAME.read_position(picture))


def drop(state: State, column: int) -> None:
    assert state.why_illegal(state.to_act() - 1, column - 1) == 0
    state.step([column - 1, column - 1])


EMPTY = ".......\n" * 6


def test_c3_a_stone_comes_to_rest_on_the_lowest_free_cell(gear_name: GearName) -> None:
    state = position(EMPTY, gear_name)
    drop(state, 4)
    drop(state, 4)
    assert GAME.write_position(state.record()) == ".......\n" * 4 + "...o...\n" + "...x...\n"


def test_c2_seats_take_turns(gear_name: GearName) -> None:
    state = position(EMPTY, gear_name)
    assert state.to_act() == 0b01
    drop(state, 1)
    assert state.to_act() == 0b10


def test_c4_a_full_column_takes_no_more(gear_name: GearName) -> None:
    full = "x......\no......\n" * 3
    state = position(full, gear_name)
    code = state.why_illegal(0, 0)
    assert GAME.refusal(state.record(), 0, 0, code) == "column 1 is full: choose another"
    assert state.legal(0) == [1, 2, 3, 4, 5, 6]


LINES = {
    "across": (".......\n" * 4 + "ooo....\nxxx....\n", 4),
    "down": (".......\n" * 2 + "x......\nx......\nx......\no.oo...\n", 1),
    "rising": (".......\n" * 3 + "..xo...\n.xoo...\nxoxx.o.\n", 4),
    "falling": (".......\n" * 3 + "ox.....\nxox....\noxox.o.\n", 1),
}


@pytest.mark.parametrize("line", LINES)
def test_c5_four_in_a_line_win_at_once(line: str, gear_name: GearName) -> None:
    picture, column = LINES[line]
    state = position(picture, gear_name)
    drop(state, column)
    assert state.over()
    assert (state.place(0), state.place(1)) == (1, 2)


def test_c6_a_full_grid_without_a_line_is_a_draw(gear_name: GearName) -> None:
    picture = "xxooxx.\nooxxoox\nxxooxxo\nooxxoox\nxxooxxo\nooxxoox\n"
    state = position(picture, gear_name)
    assert state.to_act() != 0
    drop(state, 7)
    assert state.over()
    assert (state.place(0), state.place(1)) == (1, 1)


def test_c1_other_sizes_are_an_option_within_limits() -> None:
    assert GAME.prepare(GAME.options(width=4, height=10)).height == 10
    with pytest.raises(InvalidOptions, match="a 3x6 grid cannot be: both sides need 4 to 10"):
        GAME.prepare(GAME.options(width=3))


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "drop", "٣"])
def test_what_is_no_column_is_refused(text: str) -> None:
    with pytest.raises(InvalidAction, match="say a number from 1 to 7"):
        GAME.parse(GAME.prepare(GAME.options()), 0, text)


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        ("x", "a grid of 1x1"),
        ("....\n...\n....\n....\n", "row 2 has 3 cells"),
        ("....\n..z.\n....\n....\n", "'z' in row 2, column 3"),
        ("....\nx...\n....\n....\n", "column 1 has a stone above a free cell"),
        ("....\n....\n....\nooo.\n", "0 x and 3 o"),
        ("....\n....\nxxxx\noooo\n", "both have four in a line"),
        ("....\n....\n....\n....\ndice 1 2", "dice are four numbers"),
    ],
)
def test_a_position_that_cannot_be_is_refused(picture: str, why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        GAME.read_position(picture)


@pytest.mark.parametrize("title", CHECKS)
def test_it_keeps_what_every_game_promises(title: str, gear_name: GearName) -> None:
    """The checks of `turntile game check connect_four`."""
    assert list(CHECKS[title](Subject(GAME, matches=5, seed=1, gear_name=gear_name))) == []
