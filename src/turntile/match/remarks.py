"""What stands beside the actions of a match: what bots tell of their thoughts, and what went wrong with them.

The rules never look at any of it. Both are kept in the replay; a bot's thoughts are shown to
its own seat only until the match is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import msgspec

from turntile.core.scene import Mark, Scene

MOST_TEXT = 2000  # characters of one remark
MOST_DRAWINGS = 500  # cells and lines of one remark
MOST_VALUES = 50
MOST_REMARKS = 50  # of one turn

FailureKind = Literal["crash", "silence", "time", "illegal", "protocol"]

# How each kind of failure begins in a note, which is what people read.
SPOKEN: dict[FailureKind, str] = {
    "crash": "crashed",
    "silence": "silent",
    "time": "late",
    "illegal": "refused",
    "protocol": "misspoke",
}


class NotedCell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cell a bot points at, counted from 0 at the top left."""

    x: int
    y: int
    text: str = ""


class NotedLine(msgspec.Struct, frozen=True):
    """A way over cells: its corners as [x, y], in order."""

    points: tuple[tuple[int, int], ...]


class Remark(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a bot tells of its thoughts in one `info`."""

    text: str = ""
    cells: tuple[NotedCell, ...] = ()
    lines: tuple[NotedLine, ...] = ()
    values: dict[str, float] = {}

    def shortened(self) -> Remark:
        """What of it is kept: a bot cannot fill a replay with talk."""
        text = self.text if len(self.text) <= MOST_TEXT else self.text[: MOST_TEXT - 3] + "..."
        cells = self.cells[:MOST_DRAWINGS]
        lines = tuple(NotedLine(line.points[:MOST_DRAWINGS]) for line in self.lines[: MOST_DRAWINGS // 10])
        return Remark(text, cells, lines, dict(list(self.values.items())[:MOST_VALUES]))

    def spoken(self) -> str:
        """Its text and values in one line."""
        values = ", ".join(f"{name} {value:g}" for name, value in self.values.items())
        return " ".join(" ".join(part.split()) for part in (self.text, f"({values})" if values else "") if part)


class Failure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an answer of a bot did not count, with all that helps to find out why."""

    kind: FailureKind
    stage: str  # start, hello, newgame, turn 12 ...
    what: str  # one sentence
    time_ms: float = 0.0
    limit_ms: float | None = None
    exit_code: int | None = None
    signal: str = ""
    stderr: tuple[str, ...] = ()  # its last lines

    @property
    def note(self) -> str:
        return f"{SPOKEN[self.kind]}: {self.what}"


def marks_of(remark: Remark, scene: Scene) -> Iterator[Mark]:
    """A bot's drawings as marks of a scene; what lies beside the board is left out."""
    for line in remark.lines:
        for x, y in cells_along(line.points, scene):
            yield Mark(x, y, "path", remark.text[:80])
    for cell in remark.cells:
        if 0 <= cell.x < scene.width and 0 <= cell.y < scene.height:
            yield Mark(cell.x, cell.y, "target", cell.text or remark.text[:80])


def cells_along(points: tuple[tuple[int, int], ...], scene: Scene) -> Iterator[tuple[int, int]]:
    inside = [(x, y) for x, y in points if 0 <= x < scene.width and 0 <= y < scene.height]
    yield from inside[:1]
    for (x, y), (to_x, to_y) in pairwise(inside):
        pieces = max(abs(to_x - x), abs(to_y - y))
        for piece in range(1, pieces + 1):
            yield x + round((to_x - x) * piece / pieces), y + round((to_y - y) * piece / pieces)
