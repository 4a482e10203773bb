"""The scene: the picture of a view as plain data, drawn alike by every screen.

A game author writes no screen code: `scene.py` of a game makes a `Scene` of a view, and the
terminal, the browser, SVG, PNG, GIF and HTML all draw that. Nothing here knows a game, and
nothing here draws.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Look(msgspec.Struct, frozen=True):
    """How one kind of thing looks, and what it is called.

    `svg` is the inside of a 100 x 100 box, drawn for turn 0 (facing up or without direction);
    what goes beyond the box is cut off, so that pieces of a line join without a seam. No ids and no
    `style` attributes in it: one shape stands many times in a page that allows no inline styles.
    In it, `{seat}` stands for the seat's colour and `{dark}` for its darker shade; fixed colours
    are written as they are. `glyph` is one terminal column wide, `ascii` likewise and 7-bit;
    `turned` gives other glyphs for turns 0..7 where a direction should show.
    """

    glyph: str
    word: str  # for the ear and for plain lines: "landmine", "cycle of seat 1"
    svg: str
    colour: str = ""  # "#rrggbb", or "" for the seat's colour
    ascii: str = ""  # "" where the glyph is 7-bit already
    turned: tuple[str, ...] = ()


class Sprite(msgspec.Struct, frozen=True):
    """Something on a cell. Its id is stable: a screen moves it from one scene to the next by it."""

    id: str
    look: str
    x: int
    y: int
    turn: int = 0  # eighths of a full turn, clockwise from up
    seat: int = -1
    layer: int = 0
    badge: str = ""  # a short text on it: hit points, a count


class Edge(msgspec.Struct, frozen=True):
    """A wall on the north or west side of a cell (x may equal the width, y the height)."""

    x: int
    y: int
    side: Literal["north", "west"]


class Mark(msgspec.Struct, frozen=True):
    """A cell to highlight, and why."""

    x: int
    y: int
    kind: Literal["reachable", "range", "danger", "seen", "last", "target", "path"]
    why: str = ""


class Lines(msgspec.Struct, frozen=True, tag="lines"):
    """Lines of text beside the board."""

    title: str
    lines: tuple[str, ...]
    seat: int = -1


class Gauge(msgspec.Struct, frozen=True, tag="gauge"):
    """A number with a maximum: hit points, moves left."""

    label: str
    value: int
    maximum: int
    seat: int = -1


class Item(msgspec.Struct, frozen=True):
    label: str
    count: int = 1
    detail: str = ""
    selected: bool = False


class Items(msgspec.Struct, frozen=True, tag="items"):
    """A list of things one has."""

    title: str
    items: tuple[Item, ...]
    seat: int = -1


class Card(msgspec.Struct, frozen=True):
    word: str  # how the card is named in the action's text
    label: str
    detail: str = ""


class Hand(msgspec.Struct, frozen=True, tag="hand"):
    """A hand of cards of which `slots` are to be chosen in order.

    A screen lets its person fill the slots, take back, and confirm; the action's text is the
    chosen cards' words with blanks between.
    """

    title: str
    cards: tuple[Card, ...]
    slots: int
    seat: int = -1


class Part(msgspec.Struct, frozen=True):
    label: str
    cost: int
    action: str = ""  # the action that installs it, "" if it cannot be installed now
    installed: bool = False
    detail: str = ""


class Parts(msgspec.Struct, frozen=True, tag="parts"):
    """A parts list with a budget."""

    title: str
    parts: tuple[Part, ...]
    used: int
    budget: int
    seat: int = -1


Panel = Lines | Gauge | Items | Hand | Parts


class Choice(msgspec.Struct, frozen=True):
    """A legal action as a person sees it. Click, touch, key and typed text all come from here.

    Where an action answers several questions ("which item?", then "which direction?"), the
    choices of one question share `question`, and `group` says which earlier answer leads there:
    that answer's label, "" for the first question, answers further on joined by " / "
    ("bazooka / high"). An answer that only leads on needs no choice of its own: screens offer
    every group's last word as an answer.
    """

    action: str
    label: str
    key: str = ""  # a letter, or "up", "down", "left", "right", "space", "enter"
    question: str = ""
    group: str = ""
    cell: tuple[int, int] | None = None  # what a click on that cell means
    item: str = ""  # label of the item in a panel it points at


class Scene(msgspec.Struct, frozen=True):
    """All a screen needs to draw a view."""

    width: int
    height: int
    title: str  # one line: whose turn, the phase
    ground: tuple[str, ...] = ()  # a row of characters each; Looks.ground names their looks
    sprites: tuple[Sprite, ...] = ()
    edges: tuple[Edge, ...] = ()
    marks: tuple[Mark, ...] = ()
    panels: tuple[Panel, ...] = ()
    choices: tuple[Choice, ...] = ()
    focus: tuple[int, int] | None = None  # the cell to keep in sight where the board is larger than the screen


class Looks(msgspec.Struct, frozen=True):
    """A game's own catalogue of looks."""

    looks: dict[str, Look]
    ground: dict[str, str]  # a character of Scene.ground -> the name of its look
    background: str = "#101418"


class Stage(msgspec.Struct, frozen=True):
    """A moment inside a step, for screens that show what happened one thing at a time."""

    caption: str
    scene: Scene
