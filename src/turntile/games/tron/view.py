"""What one seat may know of a match of Tron: all but the contents of powerups (T6)."""

from __future__ import annotations

from itertools import compress

import msgspec

from turntile.games.tron.records import BOMB, BONUS, EMPTY, MAX_SEATS, TRAIL, Cycle, Tron
from turntile.games.tron.rules import over, score
from turntile.games.tron.words import DRAWN, HEADINGS, POWERUP_NAMES

UNKNOWN = "?"  # a powerup, as a seat sees it

# What is drawn for each content of a cell.
AS_JUDGED = bytes(ord(DRAWN.get(content, UNKNOWN)) for content in range(256))
AS_SEEN = bytes(ord(UNKNOWN) if BOMB <= content <= BONUS else AS_JUDGED[content] for content in range(256))
HOLDS_TRAIL = tuple([bytes(content == TRAIL + seat for content in range(256)) for seat in range(MAX_SEATS)])


class CycleView(msgspec.Struct, frozen=True):
    """One cycle. What it holds is seen by all."""

    x: int
    y: int
    heading: str  # up, right, down or left
    alive: bool
    held: str  # "", bomb or invincibility
    invincible: int  # moves left
    distance: int
    bonus: int
    score: int
    died: int  # the turn of its death; 0 while it lives


class TrailCell(msgspec.Struct, frozen=True, array_like=True):
    """A cell of a trail and the turn in which it was entered (0: the start)."""

    x: int
    y: int
    turn: int


class View(msgspec.Struct, frozen=True):
    """The board row by row: # wall, . empty, ? powerup, 0 1 2 3 a seat's trail, ~ grey.

    The judge (seat None) sees powerups as b, l, i and p. The cell under a cycle is trail.
    """

    seat: int | None
    width: int
    height: int
    turn: int
    over: bool
    board: tuple[str, ...]
    cycles: tuple[CycleView, ...]
    trails: tuple[tuple[TrailCell, ...], ...]  # per seat, oldest first


def view(s: Tron, seat: int | None) -> View:
    size = s.width * s.height
    cells = bytes(s.cells[:size])
    board = cells.translate(AS_JUDGED if seat is None else AS_SEEN).decode("ascii")
    return View(
        seat=seat,
        width=s.width,
        height=s.height,
        turn=s.turn,
        over=over(s),
        board=tuple([board[at : at + s.width] for at in range(0, size, s.width)]),
        cycles=tuple([view_cycle(s, seat, s.cycles[seat]) for seat in range(s.players)]),
        trails=tuple([view_trail(s, cells, seat) for seat in range(s.players)]),
    )


def view_trail(s: Tron, cells: bytes, seat: int) -> tuple[TrailCell, ...]:
    width, laid = s.width, s.laid
    trail = sorted(compress(range(len(cells)), cells.translate(HOLDS_TRAIL[seat])), key=laid.__getitem__)
    return tuple([TrailCell(at % width, at // width, laid[at]) for at in trail])


def view_cycle(s: Tron, seat: int, cycle: Cycle) -> CycleView:
    return CycleView(
        x=cycle.cell % s.width,
        y=cycle.cell // s.width,
        heading=HEADINGS[cycle.heading],
        alive=cycle.alive,
        held=POWERUP_NAMES[cycle.held] if cycle.held != EMPTY else "",
        invincible=cycle.invincible,
        distance=cycle.distance,
        bonus=cycle.bonus,
        score=score(s, seat),
        died=cycle.died,
    )
