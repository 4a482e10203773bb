"""What a seat may know: the status (R17) and its own sightings (R18). The judge sees all.

What belongs to an option that is off is left at its default, and defaults are left out when a
view is sent, so nothing of a switched-off option shows (X8).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turntile.games.robots.notation import FEATURE_NAMES
from turntile.games.robots.records import (
    ADDRESS,
    CAPACITY,
    EXTRA,
    FEATURE_KIND,
    FEATURE_LEVEL,
    FEATURES,
    HEARERS,
    MESSAGE_NUMBERS,
    MINED,
    OBSTACLE,
    OVER,
    PLAY,
    RADAR,
    RANGE_SIDE,
    SCAN_SIDE,
    SEEN_CONTENT,
    SEEN_MINE,
    SEEN_TURN,
    TO_ALL,
    TO_TEAM,
    WEAPON,
    Robot,
    Robots,
    area,
    full_hp,
    last_side,
    map_at,
    messages_at,
    moves_of,
    slots_used,
)

Cell = tuple[int, int]
Phase = Literal["deployment", "play", "over"]
PHASES: tuple[Phase, ...] = ("deployment", "play", "over")

UNSEEN = "?"
EMPTY = "."
ROCK = "#"
FOE = "o"
SELF = "@"
SIGNS = (UNSEEN, EMPTY, ROCK, FOE, SELF)  # by content


class SeatStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody knows of a seat."""

    seat: int
    deployed: bool
    alive: bool
    team: int = -1


class OwnRobot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A robot in full: the seat's own, or any for the judge."""

    seat: int
    alive: bool
    hp: int
    full_hp: int
    parts: tuple[str, ...]
    slots_used: int
    slots: int
    cell: Cell | None  # None when destroyed
    engine_moves: int
    radar_side: int
    weapon: str  # "" for none
    weapon_side: int
    loading: int  # own turns until the cannon is loaded, 0: loaded
    moves_left: int = 0  # in a turn of its own
    shot_used: bool = False
    mines_left: int = -1  # -1: carries none
    mines: tuple[Cell, ...] = ()
    message_sent: bool = False


class Message(msgspec.Struct, frozen=True):
    """A message sent or received; its text is with the host."""

    number: int  # counted from 1 among those this seat knows
    sender: int
    address: str  # "all", "team" or a seat
    turn: int  # turns ended then


class Sighting(msgspec.Struct, frozen=True):
    """A cell that was seen to hold a mine."""

    cell: Cell
    turn: int


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status and, for a seat, each cell as it last saw it."""

    seat: int | None
    width: int
    height: int
    turn_limit: int
    phase: Phase
    turn_of: int  # -1 outside play
    started: bool
    turns_ended: int
    result: str  # "" while it goes on, "draw", "robot 1" or "team 0"
    seats: tuple[SeatStatus, ...]
    robots: tuple[OwnRobot, ...]  # the own one; all for the judge
    seen: tuple[str, ...]  # a row of signs each: ? never seen, . empty, # obstacle, o robot, @ itself
    seen_turns: tuple[tuple[int, ...], ...] = ()  # turns ended when each cell was last seen, -1 never; not the judge's
    seen_mines: tuple[Sighting, ...] = ()
    messages: tuple[Message, ...] = ()
    with_messages: bool = False
    with_mines: bool = False
    teams: int = 0

    @property
    def me(self) -> OwnRobot | None:
        """The robot of the seat whose view this is; None for the judge."""
        return self.robots[0] if self.seat is not None else None


def view(s: Robots, seat: int | None) -> View:
    mined = mined_cells(s)
    return View(
        seat=seat,
        width=s.width,
        height=s.height,
        turn_limit=s.limit,
        phase=PHASES[s.phase],
        turn_of=s.turn_of if s.phase == PLAY else -1,
        started=s.started and s.phase == PLAY,
        turns_ended=s.ended,
        result=result(s),
        seats=tuple([seat_status(s, number) for number in range(s.players)]),
        robots=tuple([own_robot(s, number, mined) for number in (range(s.players) if seat is None else (seat,))]),
        seen=true_rows(s) if seat is None else seen_rows(s, seat),
        seen_turns=() if seat is None else seen_turns(s, seat),
        seen_mines=true_mines(s, mined) if seat is None else seen_mines(s, seat),
        messages=messages_of(s, seat),
        with_messages=s.messaging,
        with_mines=s.mining,
        teams=s.teams,
    )


def result(s: Robots) -> str:
    if s.phase != OVER:
        return ""
    side = last_side(s)
    if side < 0:
        return "draw"
    return f"team {side}" if s.teams else f"robot {side}"


def seat_status(s: Robots, seat: int) -> SeatStatus:
    robot = s.robots[seat]
    return SeatStatus(seat, robot.deployed, robot.alive, robot.team if s.teams else -1)


def mined_cells(s: Robots) -> list[int]:
    ground = s.cells[: area(s)]
    # Most boards have no mines at all, and that is found out at once.
    return [cell for cell, content in enumerate(ground) if content >= MINED] if max(ground) >= MINED else []


def own_robot(s: Robots, seat: int, mined: list[int]) -> OwnRobot:
    robot = s.robots[seat]
    acting = s.phase == PLAY and s.turn_of == seat
    return OwnRobot(
        seat=seat,
        alive=robot.alive,
        hp=robot.hp,
        full_hp=full_hp(robot),
        parts=part_names(robot),
        slots_used=slots_used(robot),
        slots=CAPACITY,
        cell=cell_of(s, robot.cell) if robot.alive else None,
        engine_moves=moves_of(robot),
        radar_side=SCAN_SIDE[robot.parts[RADAR]],
        weapon=("", "gun", "cannon")[robot.parts[WEAPON]],
        weapon_side=RANGE_SIDE[robot.parts[WEAPON]],
        loading=robot.loading,
        moves_left=s.moves if acting else 0,
        shot_used=acting and s.shot,
        mines_left=robot.mines if robot.parts[EXTRA] else -1,
        mines=tuple([cell_of(s, cell) for cell in mined if s.cells[cell] == MINED + seat]),
        message_sent=acting and s.sent,
    )


def part_names(robot: Robot) -> tuple[str, ...]:
    parts = robot.parts
    return tuple(
        [
            FEATURE_NAMES[feature]
            for feature in range(FEATURES)
            if parts[FEATURE_KIND[feature]] == FEATURE_LEVEL[feature]
        ]
    )


def cell_of(s: Robots, cell: int) -> Cell:
    return cell % s.width, cell // s.width


def rows_of(s: Robots, signs: list[str]) -> tuple[str, ...]:
    drawn = "".join(signs)
    return tuple([drawn[at : at + s.width] for at in range(0, len(drawn), s.width)])


def seen_rows(s: Robots, seat: int) -> tuple[str, ...]:
    base = map_at(s, seat)
    return rows_of(s, [SIGNS[seen & SEEN_CONTENT] for seen in s.cells[base : base + area(s)]])


def seen_turns(s: Robots, seat: int) -> tuple[tuple[int, ...], ...]:
    base = map_at(s, seat)
    turns = [seen // SEEN_TURN if seen else -1 for seen in s.cells[base : base + area(s)]]
    return tuple([tuple(turns[at : at + s.width]) for at in range(0, len(turns), s.width)])


def seen_mines(s: Robots, seat: int) -> tuple[Sighting, ...]:
    base = map_at(s, seat)
    return tuple(
        [
            Sighting(cell_of(s, cell), seen // SEEN_TURN)
            for cell, seen in enumerate(s.cells[base : base + area(s)])
            if seen & SEEN_MINE
        ]
    )


def true_rows(s: Robots) -> tuple[str, ...]:
    """The judge's: the robots are in the view themselves."""
    return rows_of(s, [ROCK if ground == OBSTACLE else EMPTY for ground in s.cells[: area(s)]])


def true_mines(s: Robots, mined: list[int]) -> tuple[Sighting, ...]:
    return tuple([Sighting(cell_of(s, cell), s.ended) for cell in mined])


def messages_of(s: Robots, seat: int | None) -> tuple[Message, ...]:
    """X6: the messages a seat has sent or received, in order; the judge's are all."""
    known: list[Message] = []
    for at in range(messages_at(s), messages_at(s) + MESSAGE_NUMBERS * s.messages, MESSAGE_NUMBERS):
        message, turn = s.cells[at], s.cells[at + 1]
        sender, address = message % ADDRESS, message % HEARERS // ADDRESS
        if seat is None or sender == seat or message // HEARERS >> seat & 1:
            to = "all" if address == TO_ALL else "team" if address == TO_TEAM else str(address)
            known.append(Message(len(known) + 1, sender, to, turn))
    return tuple(known)
