"""A scene as an SVG picture: title, board, panels beside it, and a caption if one is given.

The picture is self-contained and has no script. A look's shape is defined once per seat and
used wherever it stands, so that large boards stay small files.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from turntile.core.scene import Edge, Gauge, Hand, Item, Items, Lines, Look, Looks, Mark, Panel, Parts, Scene, Sprite
from turntile.screens.palette import MARKS, blend, darker, is_dark, seat_colour
from turntile.screens.panels import detail, title_of

FONT = "Aileron, Inter, 'Helvetica Neue', Arial, sans-serif"
# For text with signs that the small font of png.py lacks: a rasteriser falls back for the whole line.
WIDE_FONT = "'DejaVu Sans', 'Noto Sans', 'Segoe UI', 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
NARROW_SIGNS = frozenset("©«°±´·»‘’“”…‹›⁄™")
BOARD = 620  # the longer side of a board is about this many units
WIDE_BOARD = 1000  # a wide one, with its panels below
TITLE = 44  # above the board
CAPTION = 30
GAP = 16
PANEL_WIDTH = 236
LINE = 17
LETTER = 6.4  # a letter's mean width in the panels' text

# The seats' shapes in a box of 100, in the order of palette.SHAPES.
SEAT_SHAPES = (
    '<circle cx="50" cy="50" r="42"/>',
    '<path d="M50 6 96 90H4z"/>',
    '<path d="M12 12h76v76H12z"/>',
    '<path d="M50 2 98 50 50 98 2 50z"/>',
    '<path d="M50 2 62 37l37 1-29 23 10 36-30-21-30 21 10-36L1 38l37-1z"/>',
    '<path d="M35 5h30v30h30v30H65v30H35V65H5V35h30z"/>',
    '<path d="M50 94C10 62 2 44 6 28 12 6 40 4 50 26 60 4 88 6 94 28c4 16-4 34-44 66z"/>',
    '<path d="M50 2a22 22 0 0 1 19 33 22 22 0 1 1-12 40l6 23H37l6-23a22 22 0 1 1-12-40A22 22 0 0 1 50 2z"/>',
)

# Marks in a box of 100: every kind has a shape of its own; {mark} is its colour.
MARK_SHAPES = {
    "reachable": '<rect x="4" y="4" width="92" height="92" rx="10" fill="{mark}" fill-opacity=".3"/>'
    '<circle cx="50" cy="50" r="9" fill="{mark}"/>',
    "range": '<rect x="4" y="4" width="92" height="92" rx="10" fill="{mark}" fill-opacity=".16"/>'
    '<path d="M6 26V6h20M74 6h20v20M94 74v20H74M26 94H6V74" fill="none" stroke="{mark}" stroke-width="6"/>',
    "danger": '<rect x="4" y="4" width="92" height="92" rx="10" fill="{mark}" fill-opacity=".3"/>'
    '<path d="M10 40 40 10M10 90 90 10M60 90 90 60" stroke="{mark}" stroke-width="6" stroke-opacity=".8"/>',
    "seen": '<rect x="6" y="6" width="88" height="88" rx="10" fill="none" stroke="{mark}" stroke-width="5" '
    'stroke-dasharray="4 10"/>',
    "last": '<rect x="6" y="6" width="88" height="88" rx="10" fill="none" stroke="{mark}" stroke-width="5" '
    'stroke-dasharray="18 12"/>',
    "target": '<circle cx="50" cy="50" r="38" fill="none" stroke="{mark}" stroke-width="6"/>'
    '<path d="M50 2v22M50 76v22M2 50h22M76 50h22" stroke="{mark}" stroke-width="6"/>',
    "path": '<circle cx="50" cy="50" r="14" fill="{mark}" fill-opacity=".8"/>',
}


@dataclass(frozen=True)
class Layout:
    """Where things stand in the picture. Frames of one film share it, so that nothing jumps."""

    cell: float
    board_width: float
    board_height: float
    panel_left: float
    panel_top: float
    panel_width: float  # of all columns together; 0 without panels
    panel_height: float
    width: float
    height: float
    caption: bool

    @property
    def board_top(self) -> float:
        return TITLE

    @property
    def panel_columns(self) -> int:
        return max(1, int((self.panel_width + GAP) / (PANEL_WIDTH + GAP)))


def lay_out(scenes: Sequence[Scene], *, panels: bool = True, caption: bool = False) -> Layout:
    """A layout in which each of the scenes has room: panels beside the board, or below a wide one."""
    columns = max(scene.width for scene in scenes)
    rows = max(scene.height for scene in scenes)
    wide = columns > 1.7 * rows
    cell = max(14.0, min(64.0, float((WIDE_BOARD if wide else BOARD) // max(columns, rows, 1))))
    board_width, board_height = columns * cell, rows * cell
    left, top = GAP + board_width + GAP, float(TITLE)
    panel_width = panel_height = 0.0
    if panels and any(scene.panels for scene in scenes):
        if wide:
            left, top = GAP, TITLE + board_height + GAP
            fitting = max(1, int((board_width + GAP) / (PANEL_WIDTH + GAP)))
            panel_width = fitting * (PANEL_WIDTH + GAP) - GAP
        else:
            fitting = 1
            panel_width = PANEL_WIDTH
        panel_height = max(column_height(scene.panels, fitting) for scene in scenes)
    beside = panel_width and not wide
    width = max(320.0, GAP + board_width + GAP + (panel_width + GAP if beside else 0), left + (panel_width and GAP))
    height = TITLE + board_height + GAP
    if panel_width:
        height = max(height, top + panel_height + GAP)
    return Layout(
        cell=cell,
        board_width=board_width,
        board_height=board_height,
        panel_left=left,
        panel_top=top,
        panel_width=panel_width,
        panel_height=panel_height,
        width=max(width, left + panel_width + GAP) if panel_width else width,
        height=height + (CAPTION if caption else 0),
        caption=caption,
    )


def draw_svg(
    scene: Scene, looks: Looks, *, caption: str = "", panels: bool = True, layout: Layout | None = None
) -> str:
    """The picture. With a `layout` it has that size, whatever is in it."""
    layout = layout or lay_out([scene], panels=panels, caption=bool(caption))
    ink, page = ink_of(looks), page_of(looks)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width:g} {layout.height:g}" '
        f'width="{layout.width:g}" height="{layout.height:g}" font-family="{FONT}" role="img">',
        f"<title>{escape(scene.title or 'board')}</title>",
        define_looks(scene, looks),
        f'<rect width="{layout.width:g}" height="{layout.height:g}" fill="{page}"/>',
        title_part(scene, layout, ink),
        f'<g transform="translate({GAP} {layout.board_top:g}) scale({layout.cell / 100:g})">',
        *board_parts(scene, looks),
        frame_part(scene, looks),
        "</g>",
    ]
    if layout.panel_width:
        parts += panel_parts(scene.panels, layout, ink)
    if caption:
        parts.append(caption_part(caption, layout, ink))
    parts.append("</svg>\n")
    return "\n".join(part for part in parts if part)


def ink_of(looks: Looks) -> str:
    return "#eef2f6" if is_dark(looks.background) else "#1b2126"


def page_of(looks: Looks) -> str:
    return blend(looks.background, "#ffffff" if is_dark(looks.background) else "#000000", 0.04)


def title_part(scene: Scene, layout: Layout, ink: str) -> str:
    return text_part(GAP, 29, 17, ink, clipped(scene.title, layout.width - 2 * GAP, 9.0), weight=600)


def caption_part(caption: str, layout: Layout, ink: str) -> str:
    line = clipped(caption, layout.width - 2 * GAP, 7.2)
    return text_part(GAP, layout.height - 13, 14, ink, line, opacity=0.85)


def text_part(
    x: float,
    y: float,
    size: float,
    ink: str,
    text: str,
    *,
    weight: int = 400,
    opacity: float = 1.0,
    middle: bool = False,
) -> str:
    wide = not all(char.isascii() or char in NARROW_SIGNS for char in text)
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{ink}"'
        + (f' font-weight="{weight}"' if weight != 400 else "")
        + (f' fill-opacity="{opacity:g}"' if opacity != 1 else "")
        + (' text-anchor="middle"' if middle else "")
        + (f' font-family="{WIDE_FONT}"' if wide else "")
        + f">{escape(text)}</text>"
    )


# ------------------------------------------------------------------------- the board


def shape_of(look: Look, seat: int) -> str:
    """A look's shape in a seat's colours."""
    colour = seat_colour(seat) if seat >= 0 else look.colour or seat_colour(-1)
    return look.svg.replace("{seat}", colour).replace("{dark}", darker(colour))


def name_of(look: str, seat: int) -> str:
    """An id that no game's choice of names can break."""
    safe = "".join(char if char.isascii() and char.isalnum() else f"_{ord(char):x}_" for char in look)
    return f"{safe}-{seat}" if seat >= 0 else safe


def used_looks(scene: Scene, looks: Looks) -> Iterable[tuple[str, int]]:
    names = {(looks.ground[char], -1) for row in scene.ground for char in row if char in looks.ground}
    names |= {(sprite.look, sprite.seat) for sprite in scene.sprites}
    return sorted(names)


def symbol_part(looks: Looks, name: str, seat: int) -> str:
    """A look's shape, cut at its cell's border and a hair beyond, so that no seam shines through."""
    return f'<symbol id="{name_of(name, seat)}" viewBox="-1 -1 102 102">{shape_of(looks.looks[name], seat)}</symbol>'


def define_looks(scene: Scene, looks: Looks) -> str:
    shapes = [symbol_part(looks, name, seat) for name, seat in used_looks(scene, looks)]
    return f"<defs>{''.join(shapes)}</defs>"


def board_parts(scene: Scene, looks: Looks) -> Iterable[str]:
    """The board in units of 100 a cell, from the ground up."""
    width, height = scene.width * 100, scene.height * 100
    line = "#ffffff" if is_dark(looks.background) else "#000000"
    yield f'<rect width="{width}" height="{height}" fill="{looks.background}"/>'
    grid = "".join(f"M{x * 100} 0V{height}" for x in range(scene.width + 1))
    grid += "".join(f"M0 {y * 100}H{width}" for y in range(scene.height + 1))
    yield f'<path d="{grid}" stroke="{line}" stroke-width="3" stroke-opacity=".07"/>'
    for y, row in enumerate(scene.ground):
        for x, char in enumerate(row):
            name = looks.ground.get(char)
            if name is not None and looks.looks[name].svg:
                yield f'<use href="#{name_of(name, -1)}" x="{x * 100 - 1}" y="{y * 100 - 1}" width="102" height="102"/>'
    low = [mark for mark in scene.marks if mark.kind != "target"]
    for mark in low:
        yield mark_part(mark)
    for sprite in sorted(scene.sprites, key=lambda sprite: sprite.layer):
        yield sprite_part(sprite)
    for mark in scene.marks:
        if mark.kind == "target":
            yield mark_part(mark)
    if scene.edges:
        yield edges_part(scene.edges)
    for sprite in scene.sprites:
        if sprite.badge:
            yield badge_part(sprite)


def frame_part(scene: Scene, looks: Looks) -> str:
    return (
        f'<rect width="{scene.width * 100}" height="{scene.height * 100}" fill="none" stroke="{ink_of(looks)}" '
        'stroke-width="6" stroke-opacity=".3"/>'
    )


def sprite_part(sprite: Sprite) -> str:
    turn = f" rotate({sprite.turn % 8 * 45} 50 50)" if sprite.turn % 8 else ""
    return (
        f'<use href="#{name_of(sprite.look, sprite.seat)}" x="-1" y="-1" width="102" height="102" '
        f'transform="translate({sprite.x * 100} {sprite.y * 100}){turn}"/>'
    )


def mark_part(mark: Mark) -> str:
    why = f"<title>{escape(mark.why)}</title>" if mark.why else ""
    shape = MARK_SHAPES[mark.kind].replace("{mark}", MARKS[mark.kind])
    return f'<g transform="translate({mark.x * 100} {mark.y * 100})">{why}{shape}</g>'


def edges_part(edges: Sequence[Edge]) -> str:
    """All walls in one path, its outline below: no seams where walls meet."""
    ways = "".join(f"M{edge.x * 100} {edge.y * 100}{'h' if edge.side == 'north' else 'v'}100" for edge in edges)
    return (
        f'<path d="{ways}" stroke="#0b0e11" stroke-width="20" stroke-linecap="round" fill="none"/>'
        f'<path d="{ways}" stroke="#f2efe6" stroke-width="12" stroke-linecap="round" fill="none"/>'
    )


def badge_part(sprite: Sprite) -> str:
    width = 18 + 21 * len(sprite.badge)
    left, top = sprite.x * 100 + 98 - width, sprite.y * 100 + 60
    return (
        f'<rect x="{left}" y="{top}" width="{width}" height="38" rx="14" fill="#0b0e11" fill-opacity=".82"/>'
        + text_part(left + width / 2, top + 31, 34, "#ffffff", sprite.badge, weight=700, middle=True)
    )


# ------------------------------------------------------------------------- the panels


@dataclass(frozen=True)
class Row:
    """A line of a panel; `sign` is a small drawing before it."""

    text: str
    sign: str = ""


SIGNS = {
    "chosen": '<path d="M1 -9 8 -4.5 1 0z"/>',
    "installed": '<path d="M.5 -9.5h9v9h-9z" fill="none" stroke="{ink}"/><path d="M2.5 -5l2 2.5 4-5" fill="none" '
    'stroke="{ink}" stroke-width="1.6"/>',
    "not installed": '<path d="M.5 -9.5h9v9h-9z" fill="none" stroke="{ink}"/>',
    "card": '<rect x="1" y="-10" width="7" height="10" rx="1.5" fill="none" stroke="{ink}"/>',
}


def rows_of(panel: Panel) -> list[Row]:
    if isinstance(panel, Gauge):
        return []
    if isinstance(panel, Lines):
        return [Row(line) for text in panel.lines for line in wrapped(text)]
    if isinstance(panel, Items):
        items = [Row(item_text(item), "chosen" if item.selected else "none") for item in panel.items]
        return items or [Row("nothing", "none")]
    if isinstance(panel, Hand):
        return [
            Row(f"{card.word}  {card.label}" if card.word != card.label else card.word, "card") for card in panel.cards
        ]
    return [
        Row(f"{part.label} ({part.cost})" + detail(part.detail), "installed" if part.installed else "not installed")
        for part in panel.parts
    ]


def item_text(item: Item) -> str:
    return item.label + (f" x {item.count}" if item.count != 1 else "") + detail(item.detail)


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, int((PANEL_WIDTH - 10) / LETTER)) or [""]


def panel_height(panel: Panel) -> float:
    bar = 12 if isinstance(panel, Gauge | Parts) else 0
    return 20 + bar + LINE * len(rows_of(panel)) + 10


def placed(panels: Sequence[Panel], columns: int) -> list[tuple[int, float, Panel]]:
    """Column and top of each panel: from the top of the first column on, columns about equally high."""
    share = sum(panel_height(panel) for panel in panels) / columns
    places: list[tuple[int, float, Panel]] = []
    column, top, passed = 0, 0.0, 0.0
    for panel in panels:
        height = panel_height(panel)
        if top > 0 and column < columns - 1 and passed + height / 2 > share * (column + 1):
            column, top = column + 1, 0.0
        places.append((column, top, panel))
        top += height
        passed += height
    return places


def column_height(panels: Sequence[Panel], columns: int) -> float:
    return max((top + panel_height(panel) for _, top, panel in placed(panels, columns)), default=0.0)


def panel_parts(panels: Sequence[Panel], layout: Layout, ink: str) -> list[str]:
    parts = [f'<g transform="translate({layout.panel_left:g} {layout.panel_top:g})">']
    for column, top, panel in placed(panels, layout.panel_columns):
        parts.append(f'<g transform="translate({column * (PANEL_WIDTH + GAP)} {top:g})">{one_panel(panel, ink)}</g>')
    parts.append("</g>")
    return parts


def one_panel(panel: Panel, ink: str) -> str:
    colour = seat_colour(panel.seat) if panel.seat >= 0 else ink
    left = 0
    parts = []
    if panel.seat >= 0:
        shape = SEAT_SHAPES[panel.seat % len(SEAT_SHAPES)]
        parts.append(f'<g transform="translate(0 3) scale(.11)" fill="{colour}">{shape}</g>')
        left = 17
    parts.append(text_part(left, 14, 13, colour, clipped(title_of(panel), PANEL_WIDTH - left, 7.4), weight=700))
    top = 32.0
    if isinstance(panel, Gauge | Parts):
        value, maximum = (panel.value, panel.maximum) if isinstance(panel, Gauge) else (panel.used, panel.budget)
        parts.append(gauge_part(value, maximum, colour, ink))
        top += 12
    for row in rows_of(panel):
        indent = 15 if row.sign else 0
        if row.sign in SIGNS:
            sign = SIGNS[row.sign].replace("{ink}", ink)
            parts.append(f'<g transform="translate(0 {top:g})" fill="{ink}">{sign}</g>')
        parts.append(text_part(indent, top, 12.5, ink, clipped(row.text, PANEL_WIDTH - indent, LETTER), opacity=0.86))
        top += LINE
    return "".join(parts)


def gauge_part(value: int, maximum: int, colour: str, ink: str) -> str:
    width = PANEL_WIDTH - 70
    share = 0.0 if maximum <= 0 else max(0.0, min(1.0, value / maximum))
    return (
        f'<rect y="20" width="{width}" height="9" rx="4.5" fill="{ink}" fill-opacity=".16"/>'
        f'<rect y="20" width="{width * share:g}" height="9" rx="4.5" fill="{colour}"/>'
        + text_part(width + 8, 29, 12, ink, f"{value}/{maximum}")
    )


def clipped(text: str, room: float, letter: float) -> str:
    """A line that does not run out of the picture."""
    letters = max(4, int(room / letter))
    return text if len(text) <= letters else text[: letters - 1] + "…"
