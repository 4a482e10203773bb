"""The board as characters: what the terminal and the plain lines share.

A cell is two columns wide, so that it looks square: its glyph, and beside it the badge, the
seat's shape or the mark's. Where a scene has walls between cells, they get rows and columns
of their own if there is room for that; else they are lines over and under the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from turntile.core.scene import Look, Looks, Mark, Scene, Sprite
from turntile.screens.palette import MARKS, blend, mark_glyph, seat_colour, seat_shape, texture

FULL = "█"
# Glyphs that go on into the second column, and how: blocks as themselves, lines to the right by a line.
GOES_ON = {
    **{glyph: glyph for glyph in "█▓▒░▚▞▙▜▟≈~#%=:─━═┄┅┈┉╌╍"},
    **dict.fromkeys("└┌├┬┴┼╰╭╶╴", "─"),
    **dict.fromkeys("┗┏┣┳┻╋╺╸", "━"),
    **dict.fromkeys("╚╔╠╦╩╬", "═"),
}
# A wall's character by where it goes on: 1 up, 2 right, 4 down, 8 left.
POSTS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"


@dataclass(frozen=True)
class Spot:
    """One column of one line."""

    char: str = " "
    fore: str = ""  # "#rrggbb"; "" is the terminal's own
    back: str = ""
    bold: bool = False
    under: bool = False  # a wall below, where walls have no rows of their own
    over: bool = False


Canvas = list[list[Spot]]


@dataclass(frozen=True)
class Shape:
    """Where cells lie on the canvas: how many columns and rows one takes, and how many come before."""

    column: int
    row: int
    left: int
    top: int

    def size(self, scene: Scene) -> tuple[int, int]:
        """Columns and rows of the whole board."""
        return self.left + scene.width * self.column, self.top + scene.height * self.row

    def cell_at(self, column: int, row: int) -> tuple[int, int]:
        """Which cell a place on the canvas belongs to; it may lie outside the board."""
        return (column - self.left) // self.column, (row - self.top) // self.row

    def place_of(self, x: int, y: int) -> tuple[int, int]:
        return self.left + x * self.column, self.top + y * self.row


PLAIN = Shape(2, 1, 0, 0)
WALLED = Shape(3, 2, 1, 1)  # a wall's column and row before the first cell and after each
TIGHT = Shape(3, 1, 1, 0)  # only columns for walls; the others are drawn as lines over and under


def shape_for(scene: Scene, rows: int | None = None) -> Shape:
    """The roomiest way to draw that needs no more than `rows`."""
    if not scene.edges:
        return PLAIN
    if rows is None or WALLED.size(scene)[1] <= rows:
        return WALLED
    return TIGHT


def draw_board(scene: Scene, looks: Looks, *, ascii: bool = False, shape: Shape | None = None) -> Canvas:
    shape = shape or shape_for(scene)
    columns, rows = shape.size(scene)
    empty = Spot(back=looks.background)
    canvas = [[empty] * columns for _ in range(rows)]
    stacks = sprites_by_cell(scene)
    marks = {(mark.x, mark.y): mark for mark in scene.marks}
    for y in range(scene.height):
        for x in range(scene.width):
            column, row = shape.place_of(x, y)
            pair = draw_cell(scene, looks, x, y, stacks.get((x, y), ()), marks.get((x, y)), ascii)
            canvas[row][column : column + 2] = pair
    if scene.edges:
        draw_walls(scene, shape, canvas, ascii)
    return canvas


def sprites_by_cell(scene: Scene) -> dict[tuple[int, int], list[Sprite]]:
    """The sprites on each cell, from the lowest layer up."""
    stacks: dict[tuple[int, int], list[Sprite]] = {}
    for sprite in sorted(scene.sprites, key=lambda sprite: sprite.layer):
        stacks.setdefault((sprite.x, sprite.y), []).append(sprite)
    return stacks


def ground_look(scene: Scene, looks: Looks, x: int, y: int) -> Look | None:
    if y >= len(scene.ground) or x >= len(scene.ground[y]):
        return None
    name = looks.ground.get(scene.ground[y][x])
    return looks.looks[name] if name is not None else None


def is_line(glyph: str) -> bool:
    """Box drawing: a piece of something longer, which needs no seat's shape and faces nowhere."""
    return "\u2500" <= glyph <= "\u257f"


def glyph_of(look: Look, turn: int, seat: int, ascii: bool) -> str:
    """The character of a look; what fills a cell is told apart by texture."""
    glyph = look.glyph
    if seat >= 0 and glyph == FULL:
        return texture(seat, ascii)
    if ascii:
        return look.ascii or (glyph if glyph.isascii() else "?")
    if look.turned:
        glyph = look.turned[turn * len(look.turned) // 8]
    return glyph


def draw_cell(
    scene: Scene, looks: Looks, x: int, y: int, stack: Sequence[Sprite], mark: Mark | None, ascii: bool
) -> list[Spot]:
    ground = ground_look(scene, looks, x, y)
    back = looks.background
    glyph, fore, beside, bold = " ", "", "", False
    if ground is not None:
        glyph = glyph_of(ground, 0, -1, ascii)
        fore = ground.colour or seat_colour(-1)
        if glyph == FULL and stack:
            back = blend(fore, looks.background, 0.5)
    for sprite in stack:
        look = looks.looks[sprite.look]
        if glyph == texture(sprite.seat, ascii) and fore:  # what filled the cell so far shows through
            back = blend(fore, looks.background, 0.55)
        glyph = glyph_of(look, sprite.turn, sprite.seat, ascii)
        fore = look.colour or seat_colour(sprite.seat)
        filling = look.glyph == FULL or is_line(look.glyph)
        bold = not filling
        beside = "" if filling else sprite.badge if len(sprite.badge) == 1 else seat_shape(sprite.seat, ascii)
    if mark is not None:
        back = blend(back, MARKS[mark.kind], 0.45)
        beside = beside or (mark_glyph(mark.kind, ascii) if glyph not in GOES_ON else "")
    if cell_len(glyph) == 2:
        return [Spot(glyph, fore, back, bold), Spot("", fore, back, bold)]
    second = beside or GOES_ON.get(glyph, " ")
    return [Spot(glyph or " ", fore, back, bold), Spot(second, fore or "#d8dee6", back, bold)]


def draw_walls(scene: Scene, shape: Shape, canvas: Canvas, ascii: bool) -> None:
    north = {(edge.x, edge.y) for edge in scene.edges if edge.side == "north"}
    west = {(edge.x, edge.y) for edge in scene.edges if edge.side == "west"}
    if shape is TIGHT:
        draw_thin_walls(shape, canvas, north, west, ascii)
        return

    def put(column: int, row: int, char: str) -> None:
        canvas[row][column] = replace(canvas[row][column], char=char, fore="#f2f2f2", bold=True)

    for x, y in north:
        column, row = shape.place_of(x, y)
        for i in range(2):
            put(column + i, row - 1, "-" if ascii else "━")
    for x, y in west:
        column, row = shape.place_of(x, y)
        put(column - 1, row, "|" if ascii else "┃")
    for y in range(scene.height + 1):
        for x in range(scene.width + 1):
            ways = ((x, y - 1) in west) | ((x, y) in north) << 1 | ((x, y) in west) << 2 | ((x - 1, y) in north) << 3
            if ways:
                column, row = shape.place_of(x, y)
                put(column - 1, row - 1, "+" if ascii else POSTS[ways])


def draw_thin_walls(
    shape: Shape, canvas: Canvas, north: set[tuple[int, int]], west: set[tuple[int, int]], ascii: bool
) -> None:
    for x, y in west:
        column, row = shape.place_of(x, y)
        if row < len(canvas):
            canvas[row][column - 1] = replace(
                canvas[row][column - 1], char="|" if ascii else "┃", fore="#f2f2f2", bold=True
            )
    for x, y in north:
        column, row = shape.place_of(x, y)
        for i in range(2):
            if row < len(canvas):
                canvas[row][column + i] = replace(canvas[row][column + i], over=True)
            if row > 0:
                canvas[row - 1][column + i] = replace(canvas[row - 1][column + i], under=True)
