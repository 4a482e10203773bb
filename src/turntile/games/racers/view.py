"""What a seat of Rowdy Racers may know, as plain data.

G5: active grenades are in nobody's view, their owner's neither; the judge (seat None) sees
them. All else lies open: inventories, trails, power and what was set up.
"""

from __future__ import annotations

import msgspec

from turntile.forge import i32s
from turntile.games.racers import rules
from turntile.games.racers.flight import FIRST_SQUARE, FLIGHT_SIZE, REST, SQUARES, VICTIM, fly
from turntile.games.racers.positions import squares, x_of, y_of
from turntile.games.racers.power import turns_left_of, turns_without_power
from turntile.games.racers.records import (
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
    def at(cell: int) -> Square:
        return x_of(record, cell), y_of(record, cell)

    cells = [cell for cell, _, _ in squares(record)]
    content = record.cells
    running = record.ended == RUNNING
    return View(
        seat=seat,
        width=record.width,
        height=record.height,
        turn=record.turn,
        to_act=record.due if running else -1,
        actions_left=record.actions_left,
        may_end=running and rules.has_moved(record, record.due),
        racers=tuple(racer_view(record, number) for number in range(2)),
        walls=tuple(at(cell) for cell in cells if content[cell] & WALL),
        teleporters=tuple(TeleporterView(at(door.cell), at(door.exit)) for door in record.doors[: record.doors_placed]),
        grenades=tuple(at(cell) for cell in cells if content[cell] & GRENADES == GRENADE),
        debris=tuple(at(cell) for cell in cells if content[cell] & DEBRIS),
        discs=tuple(Disc(at(cell), record.discs[cell]) for cell in cells if record.discs[cell]),
        charged=tuple(at(cell) for cell in cells if content[cell] & CHARGED),
        dark=tuple(Dark(at(cell), turns) for cell in cells if (turns := turns_without_power(record, cell))),
        failures=tuple(Dark(at(cell), turns_left_of(record.failures[cell])) for cell in cells if record.failures[cell]),
        throws=throws(record) if running and seat in (None, record.due) else (),
        armed=() if seat is not None else armed(record),
        ended="" if running else reason(record),
        winner=-1 if running or record.ended == TURNS_RAN_OUT else record.winner,
    )


def racer_view(record: Racers, seat: int) -> RacerView:
    def at(cell: int) -> Square:
        return x_of(record, cell), y_of(record, cell)

    racer = record.racers[seat]
    return RacerView(
        at=at(racer.cell),
        start=at(record.racers[1 - seat].goal),
        goal=at(racer.goal),
        trail=tuple(
            TrailSquare(at(cell), age, bool(racer.hops[age - 1]))
            for age, cell in enumerate(racer.trail, 1)
            if cell != NO_SQUARE
        ),
        grenades=racer.held[GRENADE_ITEM],
        discs=racer.held[DISC_ITEM],
        charged=racer.held[CHARGED_ITEM],
        penalty=racer.penalty,
        skips=racer.skips,
    )


def throws(record: Racers) -> tuple[Throw, ...]:
    """The flights of the discs the racer to act holds, in every direction in which he may throw."""
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
                    squares=tuple((x_of(record, cell), y_of(record, cell)) for cell in way),
                    rest=(x_of(record, flight[REST]), y_of(record, flight[REST])),
                    hits=flight[VICTIM] - 1,
                )
            )
    return tuple(found)


def armed(record: Racers) -> tuple[ArmedGrenade, ...]:
    return tuple(
        ArmedGrenade((x, y), owner)
        for cell, x, y in squares(record)
        for owner in range(2)
        if record.cells[cell] & GRENADES == rules.armed_by(owner)
    )
