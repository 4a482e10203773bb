"""Tron in words: actions, refusals, what happened, and positions as text.

A position is a picture of the board and lines about it. In the picture `#` is a wall, `.`
empty, `b l i p` are powerups, `A B C D` are the living cycles of seats 0 to 3, `0 1 2 3` their
trails and `~` is grey. Lines below the picture, all optional, in any order:

    turn 12
    seat 0: right, holding bomb, invincible 4, distance 12, bonus 50
    seat 1: dead in turn 9 at 5,3, left, distance 8
    trail 0: 4,3=1 5,3=2            when a trail's cells were entered, for severing; else 0
    option survivor_travels_on 1
    dice 1 2 3 4                    the four words of the dice
    plan 3 0                        numbers to be drawn before the dice are asked
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turntile.core.dice import MASK32, MAX_PLANNED
from turntile.core.errors import InvalidAction, InvalidOptions, InvalidPosition
from turntile.core.game import Told
from turntile.core.planned import plan_dice
from turntile.games.tron.boards import CELL_OF, MAX_POWERUPS, read_board
from turntile.games.tron.options import MOST_POINTS, lay_board
from turntile.games.tron.records import (
    ACTIVATED,
    BLAST,
    BOMB,
    BONUS,
    CRASHED,
    CYCLE,
    CYCLE_DEAD,
    EMPTY,
    EXPLODED,
    GREY,
    INVINCIBILITY,
    INVINCIBLE_MOVES,
    LANDMINE,
    MATCH_OVER,
    MAX_ACTIONS,
    MAX_SEATS,
    NO_SUCH_SEAT,
    PICKED_UP,
    SEVERED,
    TRAIL,
    WALL,
    Cycle,
    Tron,
    ahead,
    is_trail,
)
from turntile.games.tron.rules import outlived_by

HEADINGS = ("up", "right", "down", "left")
TURNS = ("straight", *HEADINGS)
ACTION_TEXTS = (*TURNS, "activate", *(f"activate {heading}" for heading in HEADINGS))
ACTION_OF = {text: action for action, text in enumerate(ACTION_TEXTS)}
POWERUP_NAMES = {BOMB: "bomb", LANDMINE: "landmine", INVINCIBILITY: "invincibility", BONUS: "bonus points"}

HEADS = "ABCD"
TRAILS = "0123"
GREY_DRAWN = "~"
DRAWN = {
    **{content: drawn for drawn, content in CELL_OF.items()},
    **{TRAIL + seat: TRAILS[seat] for seat in range(MAX_SEATS)},
    GREY: GREY_DRAWN,
}
CONTENT_OF = {drawn: content for content, drawn in DRAWN.items()}

# The options that a position carries; the board is the picture itself.
YES_NO_OPTIONS = ("random_board", "survivor_travels_on")
POINTS_OPTIONS = ("win_points", "tie_points", "loss_points", "square_points", "powerup_points", "bonus_points")
POSITION_OPTIONS = {
    "survivor_travels_on": 1,
    "win_points": 1000,
    "tie_points": 300,
    "square_points": 1,
    "powerup_points": 50,
    "bonus_points": 200,
}

LAST_TURN = 2**15 - 1  # what a cell can remember
MOST_BONUS = MOST_POINTS * MAX_POWERUPS


# ------------------------------------------------------------------------- actions


def parse(s: Tron, seat: int, text: str) -> int:
    """F4: a direction or `straight`, alone or behind `activate`."""
    action = ACTION_OF.get(text)
    if action is None:
        action = ACTION_OF.get(" ".join(text.lower().split()))
    if action is None:
        raise InvalidAction(
            f"{text!r} is no action: say straight, up, right, down or left, alone or after activate (activate left)"
        )
    return action


def spell(s: Tron, seat: int, action: int) -> str:
    return ACTION_TEXTS[action]


def refusal(s: Tron, seat: int, action: int, code: int) -> str:
    if code == NO_SUCH_SEAT:
        return f"there is no seat {seat}: this match has seats 0 to {s.players - 1}"
    if code == MATCH_OVER:
        return "the match is over: nobody can act any more"
    if code == CYCLE_DEAD:
        return f"seat {seat} crashed in turn {s.cycles[seat].died} and cannot act any more"
    return f"there is no action {action}: actions are 0 to {MAX_ACTIONS - 1}"


# ------------------------------------------------------------------------- what happened


def narrate(s: Tron, told: Told, hearer: int | None) -> str:
    """Everything that happens in Tron is seen by all."""
    if told.kind == CRASHED:
        return f"seat {told.a} crashed into {obstacle(told.a, told.c)} at {spot(s, told.b)}"
    if told.kind == ACTIVATED:
        return f"seat {told.a} activated {POWERUP_NAMES[told.b]}"
    if told.kind == EXPLODED:
        return f"seat {told.a}'s {POWERUP_NAMES[told.d]} exploded at {spot(s, told.b)}, facing {HEADINGS[told.c]}"
    if told.kind == PICKED_UP:
        return f"seat {told.a} picked up {POWERUP_NAMES[told.c]} at {spot(s, told.b)}"
    assert told.kind == SEVERED, told
    whose = "its own trail" if told.a == told.c else f"seat {told.a}'s trail"
    return f"seat {told.c} severed {whose} at {spot(s, told.b)}"


def obstacle(seat: int, what: int) -> str:
    if what == CYCLE:
        return "another cycle"
    if what == WALL:
        return "a wall"
    if what == GREY:
        return "a grey trail"
    return "its own trail" if what == TRAIL + seat else f"seat {what - TRAIL}'s trail"


def spot(s: Tron, at: int) -> str:
    """T9: a cell as (x, y)."""
    return f"({at % s.width}, {at // s.width})"


def reason(s: Tron) -> str:
    """Who won was settled when the last but one cycle died."""
    first = [seat for seat in range(s.players) if outlived_by(s, seat) == 0]
    if len(first) == 1:
        return f"seat {first[0]} outlived all others"
    names = " and ".join(f"seat {seat}" for seat in first)
    return f"{names} died in the same turn"


# ------------------------------------------------------------------------- positions


def write_position(s: Tron) -> str:
    """The whole state: `read_position` gives it back."""
    lines = [*picture(s), f"turn {s.turn}"]
    for seat in range(s.players):
        lines.append(f"seat {seat}: {describe_cycle(s, s.cycles[seat])}")
    for seat in range(s.players):
        entered = sorted((s.laid[at], at) for at in range(s.width * s.height) if s.cells[at] == TRAIL + seat)
        steps = " ".join(f"{at % s.width},{at // s.width}={turn}" for turn, at in entered if turn)
        if steps:
            lines.append(f"trail {seat}: {steps}")
    for name in (*YES_NO_OPTIONS, *POINTS_OPTIONS):
        lines.append(f"option {name} {int(getattr(s, name))}")
    lines.append(f"dice {s.dice.a} {s.dice.b} {s.dice.c} {s.dice.counter}")
    if s.dice.planned:
        lines.append("plan " + " ".join(str(number) for number in reversed(s.dice.plan[: s.dice.planned])))
    return "\n".join(lines) + "\n"


def picture(s: Tron) -> list[str]:
    heads = {s.cycles[seat].cell: HEADS[seat] for seat in range(s.players) if s.cycles[seat].alive}
    cells = [heads.get(at) or DRAWN[s.cells[at]] for at in range(s.width * s.height)]
    return ["".join(cells[y * s.width : (y + 1) * s.width]) for y in range(s.height)]


def describe_cycle(s: Tron, cycle: Cycle) -> str:
    parts = [] if cycle.alive else [f"dead in turn {cycle.died} at {cycle.cell % s.width},{cycle.cell // s.width}"]
    parts.append(HEADINGS[cycle.heading])
    if cycle.held != EMPTY:
        parts.append(f"holding {POWERUP_NAMES[cycle.held]}")
    for name in ("invincible", "distance", "bonus"):
        if getattr(cycle, name):
            parts.append(f"{name} {getattr(cycle, name)}")
    return ", ".join(parts)


def read_position(text: str) -> Tron:
    """A record from a picture and its lines; what cannot be is refused with its line."""
    numbered = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    rows = [(number, line) for number, line in numbered if line.startswith("#")]
    if not rows:
        raise InvalidPosition("line 1: no picture of the board: begin with its top wall, such as #######")
    reader = PositionReader(rows)
    for number, line in numbered:
        if not line.startswith("#"):
            reader.read_line(number, line)
    return reader.finish()


class PositionReader:
    """Collects a position line by line; knows where it is when something is wrong."""

    def __init__(self, rows: list[tuple[int, str]]) -> None:
        self.s = s = Tron()
        self.told_of: set[int] = set()  # seats that have a line
        self.first_row = rows[0][0]
        for name, value in POSITION_OPTIONS.items():
            setattr(s, name, value)
        plain = str.maketrans({drawn: "." for drawn in HEADS + TRAILS + GREY_DRAWN})
        try:
            lay_board(s, read_board("\n".join(row.translate(plain) for _, row in rows)))
        except InvalidOptions as error:
            raise InvalidPosition(f"line {self.first_row}: {error}") from None
        for y, (_, row) in enumerate(rows):
            for x, drawn in enumerate(row):
                if drawn in HEADS:
                    self.put_head(HEADS.index(drawn), x, y)
                else:
                    s.cells[y * s.width + x] = CONTENT_OF[drawn]

    def put_head(self, seat: int, x: int, y: int) -> None:
        cycle = self.s.cycles[seat]
        if cycle.alive:
            raise InvalidPosition(f"line {self.first_row + y}: {HEADS[seat]} is drawn twice; a seat has one cycle")
        cycle.alive = True
        cycle.cell = cycle.target = y * self.s.width + x
        self.s.cells[cycle.cell] = TRAIL + seat

    def read_line(self, number: int, line: str) -> None:
        kind, _, rest = " ".join(line.lower().split()).partition(" ")
        readers = {
            "turn": self.read_turn,
            "seat": self.read_seat,
            "trail": self.read_trail,
            "option": self.read_option,
            "dice": self.read_dice,
            "plan": self.read_plan,
        }
        if kind not in readers:
            raise InvalidPosition(f"line {number}: {line!r} is not understood: begin with {', '.join(readers)} or #")
        try:
            readers[kind](rest)
        except InvalidPosition as error:
            raise InvalidPosition(f"line {number}: {error}") from None

    def read_turn(self, rest: str) -> None:
        self.s.turn = number_in(rest, "turn", 0, LAST_TURN)

    def read_seat(self, rest: str) -> None:
        seat, told = self.seat_and_rest(rest)
        cycle = self.s.cycles[seat]
        if seat in self.told_of:
            raise InvalidPosition(f"seat {seat} has two lines; keep one")
        self.told_of.add(seat)
        for part in re.split(r",(?!\d)", told):  # not the comma of 5,3
            if part.strip():
                self.read_part(seat, cycle, part.strip())

    def read_part(self, seat: int, cycle: Cycle, part: str) -> None:
        word, _, rest = part.partition(" ")
        if part in HEADINGS:
            cycle.heading = HEADINGS.index(part)
        elif word == "holding":
            held = next((what for what, name in POWERUP_NAMES.items() if name == rest), EMPTY)
            if held not in (BOMB, INVINCIBILITY):
                raise InvalidPosition(f"{rest!r} cannot be held: holding bomb or holding invincibility")
            cycle.held = held
        elif word == "invincible":
            cycle.invincible = number_in(rest, part, 0, INVINCIBLE_MOVES)
        elif word == "distance":
            cycle.distance = number_in(rest, part, 0, LAST_TURN)
        elif word == "bonus":
            cycle.bonus = number_in(rest, part, 0, MOST_BONUS)
        elif word == "dead":
            self.read_death(seat, cycle, part)
        else:
            raise InvalidPosition(
                f"{part!r} says nothing of a cycle: say up, right, down or left, holding bomb, invincible 3, "
                "distance 12, bonus 50, dead in turn 9 at 5,3"
            )

    def read_death(self, seat: int, cycle: Cycle, part: str) -> None:
        found = re.fullmatch(r"dead in turn (\d+) at (\d+),(\d+)", part)
        if not found:
            raise InvalidPosition(f"{part!r} is no death: say dead in turn 9 at 5,3")
        if cycle.alive:
            raise InvalidPosition(f"seat {seat} is drawn as a living {HEADS[seat]}, so it is not dead")
        cycle.died = number_in(found[1], part, 1, LAST_TURN)
        cycle.cell = self.cell_at(found[2], found[3])

    def read_trail(self, rest: str) -> None:
        seat, told = self.seat_and_rest(rest)
        for step in told.split():
            found = re.fullmatch(r"(\d+),(\d+)=(\d+)", step)
            if not found:
                raise InvalidPosition(f"{step!r} is no step of a trail: say 4,3=1 for x, y and the turn")
            at = self.cell_at(found[1], found[2])
            if self.s.cells[at] != TRAIL + seat:
                raise InvalidPosition(f"{step!r}: the picture shows no trail of seat {seat} there; draw {TRAILS[seat]}")
            self.s.laid[at] = number_in(found[3], step, 1, LAST_TURN)

    def read_option(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name in YES_NO_OPTIONS:
            setattr(self.s, name, bool(number_in(value, name, 0, 1)))
        elif name in POINTS_OPTIONS:
            setattr(self.s, name, number_in(value, name, 0, MOST_POINTS))
        else:
            known = ", ".join((*YES_NO_OPTIONS, *POINTS_OPTIONS))
            raise InvalidPosition(f"{name!r} is no option of a position: there are {known}")

    def read_dice(self, rest: str) -> None:
        words = [number_in(word, "dice", 0, MASK32) for word in rest.split()]
        if len(words) != 4:
            raise InvalidPosition(f"dice have four words, not {len(words)}")
        self.s.dice.a, self.s.dice.b, self.s.dice.c, self.s.dice.counter = words

    def read_plan(self, rest: str) -> None:
        numbers = [number_in(word, "plan", 0, 2**31 - 1) for word in rest.split()]
        if len(numbers) > MAX_PLANNED:
            raise InvalidPosition(f"{len(numbers)} planned draws: at most {MAX_PLANNED} fit")
        plan_dice(self.s.dice, numbers)

    def seat_and_rest(self, rest: str) -> tuple[int, str]:
        name, _, told = rest.partition(":")
        return number_in(name.strip(), "seat", 0, MAX_SEATS - 1), told

    def cell_at(self, x: str, y: str) -> int:
        column = number_in(x, "column", 0, self.s.width - 1)
        return number_in(y, "row", 0, self.s.height - 1) * self.s.width + column

    def finish(self) -> Tron:
        """What only the whole position shows: how many seats there are, and that no rule is broken."""
        s = self.s
        known = [seat for seat in range(MAX_SEATS) if s.cycles[seat].alive or s.cycles[seat].died]
        s.players = len(known)
        if known != list(range(s.players)) or s.players < 2:
            raise InvalidPosition(
                f"line {self.first_row}: only seats {known} are there: draw A and B, C and D, or say which are dead"
            )
        for problem in self.problems():
            raise InvalidPosition(f"line {self.first_row}: {problem}")
        for cycle in s.cycles[: s.players]:
            if cycle.died:
                cycle.target = cycle.cell + ahead(s, cycle.heading)
        return s

    def problems(self) -> Iterator[str]:
        s = self.s
        for seat in self.told_of - set(range(s.players)):
            yield f"seat {seat} has a line but no cycle; draw {HEADS[seat]}"
        for seat, cycle in enumerate(s.cycles[: s.players]):
            if cycle.distance > s.turn:
                yield f"seat {seat} cannot have travelled {cycle.distance} squares in {s.turn} turns"
            if cycle.died > s.turn:
                yield f"seat {seat} cannot have died in turn {cycle.died}, it is turn {s.turn}"
            if s.cells[cycle.cell] == WALL:
                yield f"seat {seat} cannot have died on a wall; its last cell is beside it"
        for at in range(s.width * s.height):
            if is_trail(s.cells[at]) and s.cells[at] != GREY and s.cells[at] - TRAIL >= s.players:
                yield f"trail {TRAILS[s.cells[at] - TRAIL]} is drawn at {spot(s, at)}, but there is no such seat"
            if s.laid[at] > s.turn:
                yield f"the trail at {spot(s, at)} cannot be of turn {s.laid[at]}, it is turn {s.turn}"
        if s.turn + most_turns_left(s) > LAST_TURN:
            yield f"turn {s.turn} is too late for so many powerups: the match could go on beyond turn {LAST_TURN}"


def most_turns_left(s: Tron) -> int:
    """Every turn takes a free cell or an invincible move; only powerups give some back."""
    free = sum(not is_trail(content) and content != WALL for content in s.cells[: s.width * s.height])
    powerups = sum(BOMB <= content <= BONUS for content in s.cells[: s.width * s.height])
    held = sum(cycle.held != EMPTY for cycle in s.cycles)
    return 1 + free + BLAST * BLAST * (powerups + held) + sum(cycle.invincible for cycle in s.cycles)


def number_in(text: str, what: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise InvalidPosition(f"{what}: {text!r} is no number from {low} to {high}")
    return int(text)
