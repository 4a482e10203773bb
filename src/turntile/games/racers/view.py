"""What a seat of Rowdy Racers may know, as plain data.

G5: active grenades are in nobody's view, their owner's neither; the judge (seat None) sees
them. All else lies open: inventories, trails, power and what was set up.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress

import msgspec

from turntile.forge import i32s
from turntile.games.racers import rules
from turntile.games.racers.flight import FIRST_SQUARE, FLIGHT_SIZE, REST, SQUARES, VICTIM, fly
from turntile.games.racers.positions import x_of, y_of
from turntile.games.racers.power import FAILURE_TURNS, turns_left_of
from turntile.games.racers.records import (
    ARMED,
    CHARGED,
    CHARGED_ITEM,
    DEBRIS,
    DISC_ITEM,
    GRENADE,
    GRENADE_ITEM,
    GRENADES,
    NO_SQUARE,
    RUNNING,
    TURNS_RAN_OUT,
    WALL,
    Racers,
)
from turntile.games.racers.words import KIND_WORDS, THROWS, reason

Square = tuple[int, int]  # x, y from 0, 0 at the top left

SIZES = 8  # of grids, whose squares are remembered: the largest takes a megabyte

# Tables by a square's byte: grids are asked with bytes.translate, many squares at once.
HOLDS_WALL = bytes(content & WALL for content in range(256))
HOLDS_GRENADE = bytes(content & GRENADES == GRENADE for content in range(256))
HOLDS_ARMED = bytes(content & ARMED for content in range(256))
HOLDS_DEBRIS = bytes(content & DEBRIS for content in range(256))
HOLDS_CHARGED = bytes(content & CHARGED for content in range(256))
TURNS_LEFT = bytes(turns_left_of(clocks) for clocks in range(256))


class TrailSquare(msgspec.Struct, frozen=True):
    """A square of a light trail; `age` is 1 for the one left by the racer's latest action."""

    at: Square
    age: int
    hop: bool  # he left it through a teleporter


class RacerView(msgspec.Struct, frozen=True):
    at: Square
    start: Square
    goal: Square
    trail: tuple[TrailSquare, ...]
    grenades: int
    discs: int
    charged: int
    penalty: int  # actions of coming turns that are lost
    skips: int  # turns that will be skipped


class TeleporterView(msgspec.Struct, frozen=True):
    at: Square
    to: Square


class Dark(msgspec.Struct, frozen=True):
    """A square without power, or where a failure began, and for how many turns, this one included."""

    at: Square
    turns: int


class Disc(msgspec.Struct, frozen=True):
    at: Square
    count: int


class Throw(msgspec.Struct, frozen=True):
    """What a throw of a disc that the racer to act holds would do."""

    kind: str
    direction: str
    squares: tuple[Square, ...]
    rest: Square
    hits: int  # the seat it would hit, or -1


class ArmedGrenade(msgspec.Struct, frozen=True):
    """For the judge only."""

    at: Square
    owner: int


class View(msgspec.Struct, frozen=True):
    seat: int | None
    width: int
    height: int
    turn: int
    to_act: int  # a seat, or -1 when the match is over
    actions_left: int
    may_end: bool  # the racer to act has moved in this turn
    racers: tuple[RacerView, ...]
    walls: tuple[Square, ...]
    teleporters: tuple[TeleporterView, ...]
    grenades: tuple[Square, ...]  # inactive ones
    debris: tuple[Square, ...]
    discs: tuple[Disc, ...]
    charged: tuple[Square, ...]
    dark: tuple[Dark, ...]
    failures: tuple[Dark, ...]  # where the failures began; each covers the eight squares around it
    throws: tuple[Throw, ...]  # of the racer to act, for himself and the judge
    armed: tuple[ArmedGrenade, ...]  # for the judge
    ended: str  # why, or ""
    winner: int  # a seat, or -1


def view(record: Racers, seat: int | None) -> View:
    squares = all_squares(record.width, record.height)
    content = inside(record, record.cells)
    running = record.ended == RUNNING
    return View(
        seat=seat,
        width=record.width,
        height=record.height,
        turn=record.turn,
        to_act=record.due if running else -1,
        actions_left=record.actions_left,
        may_end=running and rules.has_moved(record, record.due),
        racers=(racer_view(record, 0), racer_view(record, 1)),
        walls=tuple(compress(squares, content.translate(HOLDS_WALL))),
        teleporters=teleporters(record),
        grenades=tuple(compress(squares, content.translate(HOLDS_GRENADE))),
        debris=tuple(compress(squares, content.translate(HOLDS_DEBRIS))),
        discs=discs(squares, inside(record, record.discs)),
        charged=tuple(compress(squares, content.translate(HOLDS_CHARGED))),
        dark=dark_squares(record, failures_around(record)),
        failures=dark_squares(record, record.failures),
        throws=throws(record) if running and seat in (None, record.due) else (),
        armed=() if seat is not None else armed(squares, content),
        ended="" if running else reason(record),
        winner=-1 if running or record.ended == TURNS_RAN_OUT else record.winner,
    )


@lru_cache(maxsize=SIZES)
def all_squares(width: int, height: int) -> tuple[Square, ...]:
    """Every square, row by row."""
    return tuple([(x, y) for y in range(height) for x in range(width)])


@lru_cache(maxsize=SIZES)
def all_darks(width: int, height: int) -> tuple[tuple[Dark, ...], ...]:
    """For every number of turns and every square: it without power for so long. Most squares are, in most turns."""
    squares = all_squares(width, height)
    return tuple([tuple([Dark(at, turns) for at in squares]) for turns in range(FAILURE_TURNS + 1)])


def inside(record: Racers, grid: bytes | bytearray) -> bytes:
    """A grid without its frame: a byte for every square, row by row."""
    width, row = record.width, record.width + 2
    return b"".join([grid[at : at + width] for at in range(row + 1, row * (record.height + 1), row)])


def taken(numbers: bytes) -> compress[int]:
    """The places whose number is not zero."""
    return compress(range(len(numbers)), numbers)


def discs(squares: tuple[Square, ...], counts: bytes) -> tuple[Disc, ...]:
    return tuple([Disc(squares[place], counts[place]) for place in taken(counts)])


def teleporters(record: Racers) -> tuple[TeleporterView, ...]:
    doors = record.doors[: record.doors_placed]
    return tuple([TeleporterView(square_of(record, door.cell), square_of(record, door.exit)) for door in doors])


def square_of(record: Racers, cell: int) -> Square:
    return x_of(record, cell), y_of(record, cell)


def failures_around(record: Racers) -> bytes:
    """The grid's failures, each spread over the eight squares around it (R2.13).

    The grid is one large number here, so that all squares are moved to their neighbours at once;
    what comes from a row's end into the next row falls into the frame.
    """
    row = record.width + 2
    size = row * (record.height + 2)
    spread = int.from_bytes(record.failures[:size], "little")
    spread |= spread << 8 | spread >> 8
    spread |= spread << 8 * row | spread >> 8 * row
    return spread.to_bytes(size, "little")


def dark_squares(record: Racers, clocks: bytes | bytearray) -> tuple[Dark, ...]:
    turns = inside(record, clocks).translate(TURNS_LEFT)
    darks = all_darks(record.width, record.height)
    return tuple([darks[turns[place]][place] for place in taken(turns)])


def racer_view(record: Racers, seat: int) -> RacerView:
    racer = record.racers[seat]
    return RacerView(
        at=square_of(record, racer.cell),
        start=square_of(record, record.racers[1 - seat].goal),
        goal=square_of(record, racer.goal),
        trail=tuple(
            [
                TrailSquare(square_of(record, cell), age, bool(racer.hops[age - 1]))
                for age, cell in enumerate(racer.trail, 1)
                if cell != NO_SQUARE
            ]
        ),
        grenades=racer.held[GRENADE_ITEM],
        discs=racer.held[DISC_ITEM],
        charged=racer.held[CHARGED_ITEM],
        penalty=racer.penalty,
        skips=racer.skips,
    )


def throws(record: Racers) -> tuple[Throw, ...]:
    """The flights of the discs the racer to act holds, in every direction in which he may throw."""
    held = record.racers[record.due].held
    if not (held[DISC_ITEM] or held[CHARGED_ITEM]):
        return ()
    found = []
    flight = i32s(FLIGHT_SIZE)
    for action in range(rules.THROW_DISC, rules.END):
        if rules.why_illegal(record, record.due, action) == 0:
            kind = rules.kind_used(action)
            fly(record, record.due, kind, action & 3, flight)
            way = flight[FIRST_SQUARE : FIRST_SQUARE + flight[SQUARES]]
            found.append(
                Throw(
                    kind=KIND_WORDS[kind],
                    direction=THROWS[action & 3],
                    squares=tuple([square_of(record, cell) for cell in way]),
                    rest=square_of(record, flight[REST]),
                    hits=flight[VICTIM] - 1,
                )
            )
    return tuple(found)


def armed(squares: tuple[Square, ...], content: bytes) -> tuple[ArmedGrenade, ...]:
    return tuple(
        [
            ArmedGrenade(squares[place], owner)
            for place in taken(content.translate(HOLDS_ARMED))
            for owner in range(2)
            if content[place] & GRENADES == rules.armed_by(owner)
        ]
    )
