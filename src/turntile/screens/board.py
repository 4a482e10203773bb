"""The board as characters: what the terminal and the plain lines share.

A cell is two columns wide, so that it looks square: its glyph, and beside it the badge, the
seat's shape or the mark's. Where there is room for it, cells are four columns by two rows.
Where a scene has walls between cells, they get rows and columns of their own; if there is no
room for that, they are lines over and under the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from turntile.core.scene import Look, Looks, Mark, Scene, Sprite
from turntile.screens.palette import MARKS, blend, mark_glyph, seat_colour, seat_shape, texture

FULL = "█"
# Glyphs that fill their cell, and lines by the sides on which they go on, with the glyph that goes on.
FILLING = frozenset("█▓▒░▚▞▙▜▟≈")
TEXTURED = frozenset("█▓▒░")  # those of a seat are told apart by the seat's own texture
RIGHT = {
    **{glyph: glyph for glyph in "─━═┄┅┈┉╌╍"},
    **dict.fromkeys("└┌├┬┴┼╶", "─"),
    **dict.fromkeys("┗┏┣┳┻╋╺", "━"),
    **dict.fromkeys("╚╔╠╦╩╬", "═"),
    **dict.fromkeys("╰╭", "┅"),
}
LEFT = {
    **{glyph: glyph for glyph in "─━═┄┅┈┉╌╍"},
    **dict.fromkeys("┘┐┤┬┴┼╴", "─"),
    **dict.fromkeys("┛┓┫┳┻╋╸", "━"),
    **dict.fromkeys("╝╗╣╦╩╬", "═"),
    **dict.fromkeys("╯╮", "┅"),
}
DOWN = {
    **{glyph: glyph for glyph in "│┃║┆┇┊┋╎╏"},
    **dict.fromkeys("┌┐├┤┬┼╷", "│"),
    **dict.fromkeys("┏┓┣┫┳╋╻", "┃"),
    **dict.fromkeys("╔╗╠╣╦╬", "║"),
    **dict.fromkeys("╭╮", "┇"),
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
    """Where cells lie on the canvas: how many columns and rows from one to the next, and how many come before."""

    column: int
    row: int
    left: int = 0
    top: int = 0
    wide: int = 2  # columns of the cell itself
    high: int = 1

    def size(self, scene: Scene) -> tuple[int, int]:
        """Columns and rows of the whole board."""
        return self.left + scene.width * self.column, self.top + scene.height * self.row

    def fits(self, scene: Scene, columns: int, rows: int) -> bool:
        wide, high = self.size(scene)
        return wide <= columns and high <= rows

    def cell_at(self, column: int, row: int) -> tuple[int, int]:
        """Which cell a place on the canvas belongs to; it may lie outside the board."""
        return (column - self.left) // self.column, (row - self.top) // self.row

    def place_of(self, x: int, y: int) -> tuple[int, int]:
        return self.left + x * self.column, self.top + y * self.row


PLAIN = Shape(2, 1)
BIG = Shape(4, 2, wide=4, high=2)
WALLED = Shape(3, 2, 1, 1)  # a wall's column and row before the first cell and after each
BIG_WALLED = Shape(5, 3, 1, 1, wide=4, high=2)
TIGHT = Shape(3, 1, 1, 0)  # only columns for walls; the others are drawn as lines over and under


def shape_for(scene: Scene, columns: int | None = None, rows: int | None = None) -> Shape:
    """The roomiest way to draw that fits; without a limit, one row a cell."""
    if columns is None or rows is None:
        return WALLED if scene.edges else PLAIN
    shapes = (BIG_WALLED, WALLED, TIGHT) if scene.edges else (BIG, PLAIN)
    return next((shape for shape in shapes if shape.fits(scene, columns, rows)), shapes[-1])


# What decides how a cell looks: its ground, its sprites from the lowest up, its mark.
CellKey = tuple[str, tuple[tuple[str, int, int, str], ...], str]


def draw_board(
    scene: Scene,
    looks: Looks,
    *,
    ascii: bool = False,
    shape: Shape | None = None,
    drawn: dict[CellKey, Canvas] | None = None,
) -> Canvas:
    """The whole board. Who draws often keeps the cells `drawn` so far, for these looks and shape."""
    shape = shape or shape_for(scene)
    drawn = {} if drawn is None else drawn
    columns, rows = shape.size(scene)
    empty = Spot(back=looks.background)
    canvas = [[empty] * columns for _ in range(rows)]
    stacks = sprites_by_cell(scene)
    marks = {(mark.x, mark.y): mark for mark in scene.marks}
    for y in range(scene.height):
        for x in range(scene.width):
            column, row = shape.place_of(x, y)
            stack, mark = stacks.get((x, y), []), marks.get((x, y))
            ground = scene.ground[y][x] if y < len(scene.ground) else ""
            looks_like = tuple((sprite.look, sprite.turn, sprite.seat, sprite.badge) for sprite in stack)
            key = (ground, looks_like, mark.kind if mark is not None else "")
            if key not in drawn:
                drawn[key] = draw_cell(scene, looks, x, y, stack, mark, ascii, shape)
            for line, spots in enumerate(drawn[key]):
                canvas[row + line][column : column + shape.wide] = spots
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
    if seat >= 0 and glyph in TEXTURED:
        return texture(seat, ascii)
    if ascii:
        return look.ascii or (glyph if glyph.isascii() else "?")
    if look.turned:
        glyph = look.turned[turn * len(look.turned) // 8]
    return glyph


def draw_cell(
    scene: Scene,
    looks: Looks,
    x: int,
    y: int,
    stack: Sequence[Sprite],
    mark: Mark | None,
    ascii: bool,
    shape: Shape = PLAIN,
) -> Canvas:
    """The spots of one cell, row by row."""
    ground = ground_look(scene, looks, x, y)
    back = looks.background
    glyph, fore, beside, badge, bold, fills = " ", "", "", "", False, False
    if ground is not None:
        glyph = glyph_of(ground, 0, -1, ascii)
        fills = fills_cell(ground, ascii)
        fore = ground.colour or seat_colour(-1)
        if glyph == FULL and stack:
            back = blend(fore, looks.background, 0.5)
    for sprite in stack:
        look = looks.looks[sprite.look]
        if glyph == texture(sprite.seat, ascii) and fore:  # what filled the cell so far shows through
            back = blend(fore, looks.background, 0.55)
        glyph = glyph_of(look, sprite.turn, sprite.seat, ascii)
        fills = fills_cell(look, ascii)
        fore = look.colour or seat_colour(sprite.seat)
        piece = look.glyph == FULL or is_line(look.glyph)
        bold = not piece
        badge = sprite.badge
        own = "" if look.glyph in TEXTURED else seat_shape(sprite.seat, ascii)
        beside = "" if piece else badge if len(badge) == 1 else own
        if not piece and shape.high > 1:  # a lone sign would be lost in a large cell
            back = blend(fore, looks.background, 0.72)
    if mark is not None:
        back = blend(back, MARKS[mark.kind], 0.45)
        if not beside and not (stack and (fills or is_line(glyph))):
            beside = mark_glyph(mark.kind, ascii)
    lines = fill_cell(glyph or " ", fills, beside, badge, shape)
    return [[Spot(char, fore or "#d8dee6", back, bold) for char in line] for line in lines]


def fills_cell(look: Look, ascii: bool) -> bool:
    """Blocks and water fill their cell; so does a line where only 7 bits are to be had."""
    return look.glyph in FILLING or (ascii and is_line(look.glyph))


def fill_cell(glyph: str, fills: bool, beside: str, badge: str, shape: Shape) -> list[list[str]]:
    """The characters of a cell: what fills it, lines that go on, or a glyph with something beside it."""
    if fills and not beside:
        return [[glyph] * shape.wide for _ in range(shape.high)]
    before = shape.wide // 2 - 1
    over = [LEFT.get(glyph, " ")] * before + [glyph]
    rest = RIGHT.get(glyph, " ")
    after = shape.wide - before - 1
    if cell_len(glyph) == 2:
        over += ["", *([" "] * (after - 1))]
    else:
        over += [beside or rest] + [rest] * (after - 1)
    lines = [over]
    for _ in range(shape.high - 1):
        under = [" "] * before + [DOWN.get(glyph, " ")] + [" "] * after
        if fills:
            under = [glyph] * shape.wide
        if 1 < len(badge) <= shape.wide and not is_line(glyph):
            under = list(f"{badge:^{shape.wide}}")
        lines.append(under)
    return lines


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
        for i in range(shape.wide):
            put(column + i, row - 1, "-" if ascii else "━")
    for x, y in west:
        column, row = shape.place_of(x, y)
        for i in range(shape.high):
            put(column - 1, row + i, "|" if ascii else "┃")
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
