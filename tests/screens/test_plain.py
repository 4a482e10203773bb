"""Plain lines and words."""

from __future__ import annotations

import re

from tests.screens.scenes import LOOKS, hall, race
from turntile.screens.plain import describe, describe_cell, draw_plain


def test_plain_lines_hold_board_panels_and_every_action() -> None:
    text = draw_plain(race(2), LOOKS)
    assert "\x1b" not in text
    assert "▓▓▓▓▶7" in text
    assert "Blue & co" in text
    assert "5/10" in text
    for choice in race(2).choices:
        assert choice.action in text


def test_colour_changes_nothing_but_the_colours() -> None:
    coloured = draw_plain(race(2), LOOKS, colour=True)
    assert "38;2;86;180;233" in coloured  # seat 0's
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == draw_plain(race(2), LOOKS).splitlines()


def test_seven_bits_are_enough() -> None:
    assert draw_plain(race(2), LOOKS, ascii=True).isascii()
    assert draw_plain(hall(), LOOKS, ascii=True).isascii()


def test_rows_are_numbered_as_actions_count_them() -> None:
    lines = draw_plain(hall(), LOOKS).splitlines()
    numbers = [line.split()[0] for line in lines if re.match(r"\d ", line)]
    assert numbers == ["0", "1", "2", "3"]


def test_the_board_is_said_row_by_row() -> None:
    words = describe(race(2), LOOKS).splitlines()
    assert words[1] == "The board has 10 columns and 6 rows, both counted from 0."
    assert "Row 0: wall at columns 0 to 9." in words
    row = next(line for line in words if line.startswith("Row 3"))
    assert "trail of seat 0 at columns 1 to 2" in row
    assert "cycle of seat 0 facing right (7) at column 3" in row
    assert "floor" not in row
    assert "marked ahead at column 4" in row


def test_walls_panels_and_choices_are_said_too() -> None:
    words = describe(hall(), LOOKS)
    assert "Walls above row 0 at columns 0 to 4." in words
    assert "Walls left of columns 0, 3 and 5 in row 1." in words
    assert "Loadout: engine 1; 2 of 10 used." in words
    assert "right, straight on" in describe(race(), LOOKS)


def test_one_cell_is_said_from_the_top_down() -> None:
    assert describe_cell(race(2), LOOKS, 3, 3) == "(3, 3): cycle of seat 0 facing right (7); floor"
    assert describe_cell(race(2), LOOKS, 4, 1) == "(4, 1): landmine; floor; marked mine <!>"
