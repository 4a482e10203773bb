"""The board as characters."""

from __future__ import annotations

import pytest

from tests.screens.scenes import LOOKS, hall, race
from tests.support import picture
from turntile.core.scene import Look, Looks, Scene, Sprite
from turntile.screens.board import BIG, BIG_WALLED, PLAIN, TIGHT, WALLED, Shape, draw_board, shape_for


def chars(scene: Scene, looks: Looks = LOOKS, shape: Shape | None = None, ascii: bool = False) -> str:
    lines = ("".join(spot.char for spot in line) for line in draw_board(scene, looks, shape=shape, ascii=ascii))
    return "\n".join(line.rstrip() for line in lines)


def test_cells_are_two_columns_wide_and_seats_differ_without_colour() -> None:
    assert chars(race(3)) == picture(
        """
        ████████████████████
        ██      ✱!        ██
        ██      ████      ██
        ██▓▓▓▓▓▓▶7 ·      ██
        ██        ◀▲▒▒▒▒▒▒██
        ████████████████████
        """
    )


def test_seven_bits_are_enough() -> None:
    assert chars(race(3), ascii=True).isascii()
    assert chars(hall(), ascii=True).isascii()


def test_walls_between_cells_join() -> None:
    assert chars(hall()) == picture(
        """
        ┏━━━━━━━━━━━━━━┓
        ┃              ┃
        ┃     ╺━━┓     ┃
        ┃        ┃     ┃
        ┃        ┃     ┃
        ┃      ▲■┃     ┃
        ┃        ╹     ┃
        ┃              ┃
        ┗━━━━━━━━━━━━━━┛
        """
    )


def test_where_rows_are_scarce_walls_are_lines_over_and_under() -> None:
    canvas = draw_board(hall(), LOOKS, shape=TIGHT)
    assert len(canvas) == 4
    column, row = TIGHT.place_of(2, 1)
    assert canvas[row][column].over
    assert canvas[row - 1][column].under
    assert not canvas[row][column + 3].over


def test_lines_go_on_into_the_second_column_and_down_in_large_cells() -> None:
    looks = Looks(looks={"trail": Look(glyph="║", word="trail", svg="", turned=("║", "╔", "═", "╝"))}, ground={})
    corner = Scene(1, 1, "", sprites=(Sprite("t", "trail", 0, 0, turn=2, seat=0),))
    across = Scene(1, 1, "", sprites=(Sprite("t", "trail", 0, 0, turn=4, seat=0),))
    assert chars(corner, looks) == "╔═"
    assert chars(across, looks) == "══"
    assert chars(corner, looks, BIG) == " ╔══\n ║"
    assert chars(across, looks, BIG) == "════\n"


def test_lines_fill_their_cell_where_only_seven_bits_are_to_be_had() -> None:
    looks = Looks(looks={"trail": Look(glyph="║", ascii="0", word="trail", svg="")}, ground={})
    assert chars(Scene(1, 1, "", sprites=(Sprite("t", "trail", 0, 0, seat=0),)), looks, ascii=True) == "00"


@pytest.mark.parametrize("shape", [PLAIN, BIG, WALLED, BIG_WALLED, TIGHT])
def test_every_place_of_a_cell_leads_back_to_it(shape: Shape) -> None:
    for x, y in ((0, 0), (3, 2), (9, 5)):
        column, row = shape.place_of(x, y)
        for right in range(shape.wide):
            for down in range(shape.high):
                assert shape.cell_at(column + right, row + down) == (x, y)


def test_the_roomiest_shape_that_fits_is_chosen() -> None:
    assert shape_for(race(), 80, 24) is BIG
    assert shape_for(race(), 30, 24) is PLAIN
    assert shape_for(hall(), 80, 24) is BIG_WALLED
    assert shape_for(hall(), 80, 10) is WALLED
    assert shape_for(hall(), 80, 5) is TIGHT
