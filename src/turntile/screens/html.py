"""A film as one HTML file: play, pause, scrub, speed, what happened; nothing is loaded from elsewhere.

The page carries the film as JSON. A frame holds only what differs from the frame before:

    step        the step it belongs to; `inside: true` for a moment inside that step
    size        [width, height]
    title, caption, lines
    ground      [[y, row], ...]              the rows that changed
    sprites     [[id, symbol, x, y, turn, layer, badge], ...]   new or changed; zeros at the end left out
    gone        [id, ...]                    ids are numbers, symbols point into the film's `symbols`
    marks       [[kind, x, y, why], ...]     all of them, if any changed
    edges       [[x, y, 1 for north], ...]   likewise
    panels      [number, ...]                likewise; they point into the film's `panels`

The page's own policy allows exactly its own script and style, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from turntile.core.errors import InvalidOptions
from turntile.core.scene import Looks, Scene, Sprite
from turntile.match.film import Film
from turntile.screens.palette import MARKS, SEATS
from turntile.screens.pictures import Picture, pictures_of
from turntile.screens.svg import MARK_SHAPES, SEAT_SHAPES, name_of, symbol_part

Thing = TypeVar("Thing")

PLACE = re.compile("@([A-Z_]+)@")
DEFAULT_MS = 700  # a frame, where the game has no pace of its own


def draw_html(film: Film, *, ms_per_frame: int = 0, title: str = "", stages: bool = True) -> str:
    """The page. Without `ms_per_frame` it plays at the game's own pace for people."""
    if ms_per_frame < 0:
        raise InvalidOptions(f"{ms_per_frame} ms a frame is no pace: at least 1, or 0 for the game's own")
    names = [seat.name for seat in film.header.seats]
    data = pack(pictures_of(film, stages=stages), film.looks)
    data["msPerFrame"] = ms_per_frame or film.game.turn_ms or DEFAULT_MS
    data["players"] = players_of(film)
    heading = title or film.game.title
    return fill_page(heading, f"{heading}: {' against '.join(names)}" if names else heading, data, film.looks)


def players_of(film: Film) -> list[dict[str, Any]]:
    """Who sat where, and who won: nobody, where all are first."""
    seats = film.header.seats
    winners = film.outcome.winners if film.outcome is not None else ()
    drawn = 1 < len(seats) == len(winners)
    return [{"name": seat.name, "won": at in winners and not drawn} for at, seat in enumerate(seats)]


def fill_page(heading: str, title: str, data: dict[str, Any], looks: Looks) -> str:
    here = files("turntile.screens") / "data"
    style = (here / "film.css").read_text("utf-8")
    script = (here / "film.js").read_text("utf-8")
    page = (here / "film.html").read_text("utf-8")
    symbols = symbols_of(data, looks)
    # What stands inside a script element must not be able to end it.
    film = msgspec.json.encode(data).decode().replace("<", "\\u003c")
    contents = {
        "SCRIPT_HASH": content_hash(script),
        "STYLE_HASH": content_hash(style),
        "TITLE": escape(title),
        "HEADING": escape(heading),
        "SYMBOLS": symbols,
        "STYLE": style,
        "SCRIPT": script,
        "FILM": film,
    }
    # In one go: what is filled in may itself look like a place to fill.
    return PLACE.sub(lambda place: contents[place[1]], page)


def content_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def symbols_of(data: dict[str, Any], looks: Looks) -> str:
    """The shapes of everything the film shows, each once."""
    parts = [symbol_part(looks, look, seat) for look, seat in data.pop("used")]
    for kind, shape in MARK_SHAPES.items():
        parts.append(f'<symbol id="mark-{kind}" viewBox="0 0 100 100">{shape.replace("{mark}", MARKS[kind])}</symbol>')
    for seat, shape in enumerate(SEAT_SHAPES):
        parts.append(f'<symbol id="seat-{seat}" viewBox="0 0 100 100"><g fill="{SEATS[seat]}">{shape}</g></symbol>')
    return "".join(parts)


def pack(pictures: Sequence[Picture], looks: Looks) -> dict[str, Any]:
    """The film's data, as the module's docstring says."""
    packer = Packer()
    frames = [packer.frame(picture) for picture in pictures]
    grounds = {char: looks.ground[char] for char in sorted(packer.ground_chars) if char in looks.ground}
    used = [*packer.symbols, *((look, -1) for look in grounds.values() if looks.looks[look].svg)]
    return {
        "background": looks.background,
        "seatColours": SEATS,
        "groundSymbols": {char: name_of(look, -1) for char, look in grounds.items() if looks.looks[look].svg},
        "symbols": [name_of(look, seat) for look, seat in packer.symbols],
        "panels": [msgspec.Raw(panel) for panel in packer.panels],
        "frames": frames,
        "used": list(dict.fromkeys(used)),
    }


class Packer:
    """Remembers the frame before, and gives everything that comes again a number."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.symbols: dict[tuple[str, int], int] = {}
        self.panels: dict[bytes, int] = {}
        self.ground_chars: set[str] = set()
        self.before: Scene | None = None
        self.sprites: dict[int, list[int | str]] = {}

    def frame(self, picture: Picture) -> dict[str, Any]:
        scene, before = picture.scene, self.before
        packed: dict[str, Any] = {"step": picture.step}
        if picture.inside:
            packed["inside"] = True
        if picture.caption:
            packed["caption"] = picture.caption
        if picture.lines:
            packed["lines"] = picture.lines
        if before is None or (scene.width, scene.height) != (before.width, before.height):
            packed["size"] = (scene.width, scene.height)
        if before is None or scene.title != before.title:
            packed["title"] = scene.title
        self.pack_ground(packed, scene)
        self.pack_sprites(packed, scene)
        if before is None or scene.marks != before.marks:
            packed["marks"] = [(mark.kind, mark.x, mark.y, mark.why) for mark in scene.marks]
        if before is None or scene.edges != before.edges:
            packed["edges"] = [(edge.x, edge.y, int(edge.side == "north")) for edge in scene.edges]
        if before is None or scene.panels != before.panels:
            packed["panels"] = [number_of(self.panels, msgspec.json.encode(panel)) for panel in scene.panels]
        self.before = scene
        return packed

    def pack_ground(self, packed: dict[str, Any], scene: Scene) -> None:
        old = self.before.ground if self.before is not None else ()
        rows = [(y, row) for y, row in enumerate(scene.ground) if y >= len(old) or old[y] != row]
        rows += [(y, "") for y in range(len(scene.ground), len(old))]
        if rows:
            packed["ground"] = rows
            self.ground_chars.update(char for _, row in rows for char in row)

    def pack_sprites(self, packed: dict[str, Any], scene: Scene) -> None:
        now = {number_of(self.ids, sprite.id): self.pack_sprite(sprite) for sprite in scene.sprites}
        gone = [number for number in self.sprites if number not in now]
        changed = [[number, *rest] for number, rest in now.items() if self.sprites.get(number) != rest]
        if gone:
            packed["gone"] = gone
        if changed:
            packed["sprites"] = changed
        self.sprites = now

    def pack_sprite(self, sprite: Sprite) -> list[int | str]:
        symbol = number_of(self.symbols, (sprite.look, sprite.seat))
        rest: list[int | str] = [symbol, sprite.x, sprite.y, sprite.turn % 8, sprite.layer, sprite.badge]
        while len(rest) > 3 and rest[-1] in (0, ""):
            rest.pop()
        return rest


def number_of(numbers: dict[Thing, int], thing: Thing) -> int:
    return numbers.setdefault(thing, len(numbers))
