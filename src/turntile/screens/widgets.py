"""The pieces of the terminal screens: the board, lists one can click on, and the frame around them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from turntile.core.scene import Items, Looks, Panel, Scene
from turntile.screens.asking import Line
from turntile.screens.board import PLAIN, Canvas, CellKey, Shape, Spot, draw_board
from turntile.screens.palette import blend, seat_colour
from turntile.screens.panels import body, heading
from turntile.screens.plain import describe_cell

SIDE_WIDTH = 36  # columns that what stands beside the board should have
SIDE_LEAST = 28  # with fewer, it goes below the board


@lru_cache(maxsize=4096)
def style_of(fore: str, back: str, bold: bool, under: bool, over: bool) -> Style:
    return Style(color=fore or None, bgcolor=back or None, bold=bold, underline=under, overline=over)


def strip_of(spots: Sequence[Spot]) -> Strip:
    return Strip(
        Segment(spot.char, style_of(spot.fore, spot.back, spot.bold, spot.under, spot.over)) for spot in spots
    ).simplify()


class BoardView(ScrollView, can_focus=True):
    """The board. It scrolls where it is larger than its place, and keeps one cell in sight."""

    DEFAULT_CSS = """
    BoardView { background: $background; }
    """

    class Clicked(Message):
        """A click on a cell."""

        def __init__(self, x: int, y: int) -> None:
            super().__init__()
            self.x = x
            self.y = y

    def __init__(self, looks: Looks, id: str | None = None) -> None:
        super().__init__(id=id)
        self.looks = looks
        self.scene: Scene | None = None
        self.shape: Shape = PLAIN
        self.strips: list[Strip] = []
        self.canvas: Canvas = []
        self.drawn: dict[CellKey, Canvas] = {}
        self.viewer: int | None = None

    def show(self, scene: Scene, viewer: int | None, shape: Shape) -> None:
        """Draw a scene; `viewer` is the seat whose sprite is followed."""
        self.scene = scene
        self.viewer = viewer
        if shape is not self.shape:
            self.shape = shape
            self.drawn = {}
        self.redraw()

    def redraw(self) -> None:
        if self.scene is None:
            return
        before = self.canvas
        self.canvas = draw_board(self.scene, self.looks, shape=self.shape, drawn=self.drawn)
        self.strips = [
            self.strips[row] if row < len(before) and before[row] == spots else strip_of(spots)
            for row, spots in enumerate(self.canvas)
        ]
        columns, rows = self.shape.size(self.scene)
        self.virtual_size = Size(columns, rows)
        self.follow(self.scene)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        self.redraw()

    def follow(self, scene: Scene) -> None:
        """Scroll only as far as the cell to keep in sight, and some cells around it, need."""
        cell = scene.focus or own_cell(scene, self.viewer)
        if cell is None or not self.size.width:
            return
        column, row = self.shape.place_of(*cell)
        x = near(column, round(self.scroll_x), self.size.width, self.virtual_size.width, 8)
        y = near(row, round(self.scroll_y), self.size.height, self.virtual_size.height, 4)
        self.scroll_to(x, y, animate=False)

    def render_line(self, y: int) -> Strip:
        row = y + round(self.scroll_y)
        left = round(self.scroll_x)
        if row >= len(self.strips):
            return Strip.blank(self.size.width, self.rich_style)
        strip = self.strips[row].crop(left, left + self.size.width)
        return strip.extend_cell_length(self.size.width, self.rich_style)

    def cell_under(self, event: events.MouseEvent) -> tuple[int, int] | None:
        if self.scene is None:
            return None
        x, y = self.shape.cell_at(event.x + round(self.scroll_x), event.y + round(self.scroll_y))
        return (x, y) if 0 <= x < self.scene.width and 0 <= y < self.scene.height else None

    def on_click(self, event: events.Click) -> None:
        cell = self.cell_under(event)
        if cell is not None:
            self.post_message(self.Clicked(*cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The mouse resting on a cell asks what is there."""
        cell = self.cell_under(event)
        if self.scene is not None:
            self.tooltip = describe_cell(self.scene, self.looks, *cell) if cell is not None else None


def own_cell(scene: Scene, viewer: int | None) -> tuple[int, int] | None:
    """Where the viewer's own topmost sprite is."""
    own = [sprite for sprite in scene.sprites if sprite.seat == viewer]
    if viewer is None or not own:
        return None
    top = max(own, key=lambda sprite: sprite.layer)
    return top.x, top.y


def near(at: int, start: int, room: int, whole: int, margin: int) -> int:
    """Where the window of `room` should start so that `at` is in it, moved as little as possible."""
    margin = min(margin, room // 3)
    if at < start + margin:
        start = at - margin
    elif at >= start + room - margin:
        start = at - room + margin + 1
    return max(0, min(start, whole - room))


class Listing(Static):
    """Lines one can click on."""

    DEFAULT_CSS = """
    Listing { text-wrap: nowrap; text-overflow: ellipsis; }
    """

    class Picked(Message):
        """A click on a line that means something."""

        def __init__(self, listing: Listing, target: int | str) -> None:
            super().__init__()
            self.listing = listing
            self.target = target

        @property
        def control(self) -> Listing:
            return self.listing

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self.targets: list[int | str | None] = []

    def show(self, rows: Sequence[tuple[Text, int | str | None]]) -> None:
        self.targets = [target for _, target in rows]
        self.update(Text("\n").join([text for text, _ in rows]))
        self.display = bool(rows)

    def on_click(self, event: events.Click) -> None:
        row = event.y - self.content_offset_y
        if 0 <= row < len(self.targets) and self.targets[row] is not None:
            target = self.targets[row]
            assert target is not None
            self.post_message(self.Picked(self, target))

    @property
    def content_offset_y(self) -> int:
        return self.gutter.top


STYLES = {"question": "bold", "answer": "", "chosen": "bold green", "hint": "dim", "dim": "dim"}


def asking_rows(lines: Sequence[Line], seat: int) -> list[tuple[Text, int | str | None]]:
    """A question's lines, keys first; the question in the seat's colour."""
    wide = max((len(line.key) for line in lines), default=0)
    rows: list[tuple[Text, int | str | None]] = []
    for line in lines:
        if line.kind == "question":
            rows.append((Text(line.text, style=Style(color=seat_colour(seat), bold=True)), None))
            continue
        key = Text(f" {line.key:^{wide}} ", style="reverse" if line.key else "")
        key.append(" " + line.text, style=STYLES[line.kind] + " not reverse")
        rows.append((key, line.target if line.target >= 0 else None))
    return rows


def panel_rows(panels: Sequence[Panel], width: int) -> list[tuple[Text, int | str | None]]:
    """The panels, one under the other; a click on an item means its label."""
    rows: list[tuple[Text, int | str | None]] = []
    for panel in panels:
        colour = seat_colour(panel.seat)
        rows.append((Text(heading(panel), style=Style(color=colour, bold=True)), None))
        labels = [item.label for item in panel.items] if isinstance(panel, Items) else []
        for number, line in enumerate(body(panel)):
            target = labels[number] if number < len(labels) else None
            pieces = (
                [line] if target is not None else textwrap.wrap(line, max(10, width), subsequent_indent="  ") or [""]
            )
            rows += [(Text(piece, style=Style(color=blend(colour, "#ffffff", 0.6))), target) for piece in pieces]
    return rows
