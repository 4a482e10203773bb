"""Positions of Robot fight as text: a picture of the grid, and lines about the rest.

In the picture `.` is an empty cell, `#` an obstacle and `0` to `7` are the living robots. All
lines below it may stand in any order and be left out where the usual is meant:

    play, turn of 0, started, moves 2, shot used, scanned, message sent, ended 17 of 200
    shot at 4 7: hit                                        missed, hit or destroyed
    map standard                                            or empty, or random
    teams 2 / messages on / mines on
    robot 0: engine2 radar1 gun, hp 7, deployed, turns 9, loading 1, mines 2, team 1,
             dealt 6, hit at 4 7 after 15, felt gun cannon  (all on one line)
    robot 1: destroyed, radar1 gun
    mine 3 4 of 0
    message 1 to all after 16, heard by 0 2                 the sender, the address, turns ended then
    seen by 0                                               a grid follows, a word a cell:
    ? .17 #3 o17* @16                                       never seen, empty, obstacle, robot, itself;
                                                            turns ended then; * with a mine
    dice 1 2 3 4 / plan 3 0
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turntile.core.dice import MASK32, MAX_PLANNED
from turntile.core.errors import InvalidPosition
from turntile.core.planned import plan_dice
from turntile.games.robots.records import (
    ADDRESS,
    BARE,
    CANNON,
    CAPACITY,
    DEPLOYMENT,
    EMPTY_MAP,
    EXTRA,
    FEATURE_KIND,
    FEATURE_LEVEL,
    FEATURES,
    GUN,
    HEARERS,
    HIT,
    KILLED,
    LOADING_TURNS,
    MAX_SEATS,
    MAX_SIDE,
    MAX_TURNS,
    MESSAGE_NUMBERS,
    MIN_SIDE,
    MINED,
    MINES_GIVEN,
    MISSED,
    NOT_FIRED,
    OBSTACLE,
    OVER,
    PLAY,
    RANDOM_MAP,
    SEEN_CONTENT,
    SEEN_EMPTY,
    SEEN_MINE,
    SEEN_OBSTACLE,
    SEEN_ROBOT,
    SEEN_SELF,
    SEEN_TURN,
    STANDARD,
    TO_ALL,
    TO_TEAM,
    Robot,
    Robots,
    area,
    full_hp,
    last_side,
    map_at,
    messages_at,
    moves_of,
    robot_at,
    slots_used,
)

FEATURE_NAMES = (
    "engine1", "engine2", "engine3", "radar1", "radar2", "radar3", "shield1", "shield2", "shield3",
    "gun", "cannon", "mines",
)  # fmt: skip
PHASES = ("deployment", "play", "over")
MAPS = {"standard": STANDARD, "empty": EMPTY_MAP, "random": RANDOM_MAP}
SHOTS = {"missed": MISSED, "hit": HIT, "destroyed": KILLED}
WEAPONS = {"gun": GUN, "cannon": CANNON}
SEEN_SIGNS = {".": SEEN_EMPTY, "#": SEEN_OBSTACLE, "o": SEEN_ROBOT, "@": SEEN_SELF}
SIGN_OF = {content: sign for sign, content in SEEN_SIGNS.items()}
USUAL_LIMIT = 200
MOST_DEALT = 2**15 - 1

PICTURE_ROW = re.compile(r"[.#0-7]+")
SEEN_WORD = re.compile(r"([.#o@])(\d{1,4})(\*?)")


# ------------------------------------------------------------------------- writing


def write_position(s: Robots) -> str:
    """Every state as text; `read_position` gives back its equal."""
    return "\n".join([*picture_rows(s), *status_lines(s), *robot_lines(s), *hidden_lines(s), *dice_lines(s)]) + "\n"


def picture_rows(s: Robots) -> Iterator[str]:
    for y in range(s.height):
        yield "".join(picture_sign(s, y * s.width + x) for x in range(s.width))


def picture_sign(s: Robots, cell: int) -> str:
    if s.cells[cell] == OBSTACLE:
        return "#"
    seat = robot_at(s, cell)
    return str(seat) if seat >= 0 else "."


def status_lines(s: Robots) -> Iterator[str]:
    facts = [PHASES[s.phase], f"turn of {s.turn_of}"]
    facts += ["started"] if s.started else []
    facts += [f"moves {s.moves}"] if s.moves else []
    facts += ["shot used"] if s.shot else []
    facts += ["scanned"] if s.scanned else []
    facts += ["message sent"] if s.sent else []
    yield ", ".join([*facts, f"ended {s.ended} of {s.limit}"])
    if s.struck != NOT_FIRED:
        outcome = next(name for name, number in SHOTS.items() if number == s.struck)
        yield f"shot at {cell_words(s, s.aimed)}: {outcome}"
    yield "map " + next(name for name, number in MAPS.items() if number == s.map)
    if s.teams:
        yield f"teams {s.teams}"
    if s.messaging:
        yield "messages on"
    if s.mining:
        yield "mines on"


def cell_words(s: Robots, cell: int) -> str:
    return f"{cell % s.width} {cell // s.width}"


def robot_lines(s: Robots) -> Iterator[str]:
    for seat in range(s.players):
        robot = s.robots[seat]
        facts = [] if robot.alive else ["destroyed"]
        parts = [
            FEATURE_NAMES[feature]
            for feature in range(FEATURES)
            if robot.parts[FEATURE_KIND[feature]] == FEATURE_LEVEL[feature]
        ]
        facts += [" ".join(parts)] if parts else []
        facts += [f"hp {robot.hp}"] if robot.alive else []
        facts += ["deployed" if robot.deployed else "deploying"]
        facts += [f"turns {robot.turns}"] if robot.turns else []
        facts += [f"loading {robot.loading}"] if robot.loading else []
        facts += [f"mines {robot.mines}"] if robot.parts[EXTRA] else []
        facts += [f"team {robot.team}"] if s.teams else []
        facts += [f"dealt {robot.dealt}"] if robot.dealt else []
        facts += [f"hit at {cell_words(s, robot.hit_cell - 1)} after {robot.hit_turn}"] if robot.hit_cell else []
        felt = [name for name, number in WEAPONS.items() if robot.felt >> (number - 1) & 1]
        facts += ["felt " + " ".join(felt)] if felt else []
        yield f"robot {seat}: " + ", ".join(facts)


def hidden_lines(s: Robots) -> Iterator[str]:
    for cell in range(area(s)):
        if s.cells[cell] >= MINED:
            yield f"mine {cell_words(s, cell)} of {s.cells[cell] - MINED}"
    for number in range(s.messages):
        message, turn = s.cells[messages_at(s) + 2 * number], s.cells[messages_at(s) + 2 * number + 1]
        heard = [str(seat) for seat in range(MAX_SEATS) if message // HEARERS >> seat & 1]
        address = message % HEARERS // ADDRESS
        to = "all" if address == TO_ALL else "team" if address == TO_TEAM else str(address)
        yield f"message {message % ADDRESS} to {to} after {turn}, heard by {' '.join(heard)}"
    for seat in range(s.players):
        seen = s.cells[map_at(s, seat) : map_at(s, seat) + area(s)]
        if any(seen):
            yield f"seen by {seat}"
            for y in range(s.height):
                yield " ".join(seen_word(number) for number in seen[y * s.width : (y + 1) * s.width])


def seen_word(seen: int) -> str:
    if seen == 0:
        return "?"
    return f"{SIGN_OF[seen & SEEN_CONTENT]}{seen // SEEN_TURN}{'*' if seen & SEEN_MINE else ''}"


def dice_lines(s: Robots) -> Iterator[str]:
    dice = s.dice
    if dice.a or dice.b or dice.c or dice.counter:
        yield f"dice {dice.a} {dice.b} {dice.c} {dice.counter}"
    if dice.planned:
        yield "plan " + " ".join(str(number) for number in reversed(dice.plan[: dice.planned]))


# ------------------------------------------------------------------------- reading


class Lines:
    """The lines of a position, with a complaint that names the one at fault."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.next = 0

    def __iter__(self) -> Iterator[str]:
        while self.next < len(self.lines):
            self.next += 1
            line = self.lines[self.next - 1].strip()
            if line:
                yield line

    def wrong(self, why: str) -> InvalidPosition:
        return InvalidPosition(f"line {self.next}: {why}")


def read_position(text: str) -> Robots:
    """The record of a position written down; InvalidPosition with line and reason for what cannot be."""
    s = Robots()
    lines = Lines(text)
    rows: list[str] = []
    others: list[tuple[int, str]] = []
    for line in lines:
        if PICTURE_ROW.fullmatch(line) and not others:
            rows.append(line)
            if len(line) != len(rows[0]):
                raise lines.wrong(f"this row has {len(line)} cells, the first {len(rows[0])}: draw them equally long")
        else:
            others.append((lines.next, line))
    read_picture(s, rows, lines)
    Reader(s, lines).read(others)
    return s


def read_picture(s: Robots, rows: list[str], lines: Lines) -> None:
    lines.next = 1
    width, height = len(rows[0]) if rows else 0, len(rows)
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise lines.wrong(f"a picture of {width} x {height} cells cannot be: both sides are {MIN_SIDE} to {MAX_SIDE}")
    s.width, s.height = width, height
    for robot in s.robots:
        robot.cell = 0
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            cell = y * width + x
            if sign == "#":
                s.cells[cell] = OBSTACLE
            elif sign != ".":
                robot = s.robots[int(sign)]
                lines.next = y + 1
                if robot.alive:
                    raise lines.wrong(f"robot {sign} is drawn twice")
                robot.cell, robot.alive = cell, True


class Reader:
    """The lines below the picture, read into the record and then checked as a whole."""

    def __init__(self, s: Robots, lines: Lines) -> None:
        self.s = s
        self.lines = lines
        self.described: dict[int, int] = {}  # a robot's line
        self.hp_given: set[int] = set()
        self.mines_given: set[int] = set()
        self.map_given = False
        self.deploying: set[int] = set()

    def read(self, numbered: list[tuple[int, str]]) -> None:
        s = self.s
        self.find_players(numbered)
        s.limit = USUAL_LIMIT
        s.phase = PLAY
        texts = iter(numbered)
        for number, line in texts:
            self.lines.next = number
            self.read_line(line.lower(), texts)
        self.fill_in()
        self.check()

    def find_players(self, numbered: list[tuple[int, str]]) -> None:
        """Drawn robots and those with a line; the maps of sightings lie by their number."""
        seats = {seat for seat in range(MAX_SEATS) if self.s.robots[seat].alive}
        for _, line in numbered:
            named = re.match(r"robot\s+(\d+)\s*:", line.lower())
            if named and int(named[1]) < MAX_SEATS:
                seats.add(int(named[1]))
        self.s.players = max(seats, default=0) + 1
        missing = sorted(set(range(self.s.players)) - seats)
        if len(seats) < 2:
            raise InvalidPosition("line 1: at least two robots are needed: draw them as 0 and 1")
        if missing:
            lacking = f"robot {missing[0]}"
            raise InvalidPosition(f"line 1: {lacking} is missing: draw it, or say {lacking}: destroyed")

    def read_line(self, line: str, texts: Iterator[tuple[int, str]]) -> None:
        s = self.s
        words = line.split()
        if words[0].rstrip(",") in PHASES:
            self.read_status(line)
        elif line.startswith("shot at"):
            self.read_shot(line)
        elif words[0] == "map" and len(words) == 2 and words[1] in MAPS:
            s.map = MAPS[words[1]]
            self.map_given = True
        elif words[0] == "teams" and len(words) == 2:
            s.teams = self.number(words[1], 2, max(2, s.players - 1), "teams")
        elif words == ["messages", "on"]:
            s.messaging = True
        elif words == ["mines", "on"]:
            s.mining = True
        elif words[0] == "robot":
            self.read_robot(line)
        elif words[0] == "mine":
            self.read_mine(words)
        elif words[0] == "message":
            self.read_message(line)
        elif words[:2] == ["seen", "by"] and len(words) == 3:
            self.read_seen(self.seat(words[2]), texts)
        elif words[0] == "dice" and len(words) == 5:
            dice = s.dice
            drawn = [self.number(word, 0, MASK32, "a word of the dice") for word in words[1:]]
            dice.a, dice.b, dice.c, dice.counter = drawn
        elif words[0] == "plan":
            self.read_plan(line)
        else:
            raise self.lines.wrong(f"{line!r} says nothing about a position of Robot fight")

    # ------------------------------------------------------------------- words and numbers

    def number(self, word: str, low: int, high: int, what: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) <= 10 and low <= int(word) <= high):
            raise self.lines.wrong(f"{word!r} cannot be the number of {what}: it is {low} to {high}")
        return int(word)

    def seat(self, word: str) -> int:
        return self.number(word, 0, self.s.players - 1, "a robot")

    def cell(self, x: str, y: str) -> int:
        column = self.number(x, 0, self.s.width - 1, "a column")
        return self.number(y, 0, self.s.height - 1, "a row") * self.s.width + column

    def turn(self, word: str) -> int:
        return self.number(word, 0, MAX_TURNS, "turns")

    # ------------------------------------------------------------------- lines

    def read_status(self, line: str) -> None:
        s = self.s
        for fact in (part.strip() for part in line.split(",")):
            words = fact.split()
            if fact in PHASES:
                s.phase = PHASES.index(fact)
            elif fact == "started":
                s.started = True
            elif fact == "shot used":
                s.shot = True
            elif fact == "scanned":
                s.scanned = True
            elif fact == "message sent":
                s.sent = True
            elif words[:2] == ["turn", "of"] and len(words) == 3:
                s.turn_of = self.seat(words[2])
            elif words[:1] == ["moves"] and len(words) == 2:
                s.moves = self.number(words[1], 0, 6, "moves left")
            elif words[:1] == ["ended"] and len(words) == 4 and words[2] == "of":
                s.limit = self.number(words[3], 1, MAX_TURNS, "turns until the draw")
                s.ended = self.number(words[1], 0, s.limit, "turns ended")
            else:
                raise self.lines.wrong(f"{fact!r} says nothing about a turn: say started, moves 2, shot used ...")

    def read_shot(self, line: str) -> None:
        found = re.fullmatch(r"shot at (\d+) (\d+): (\w+)", line)
        if not found or found[3] not in SHOTS:
            raise self.lines.wrong(f"{line!r} is no shot: say shot at 4 7: missed, hit or destroyed")
        self.s.aimed = self.cell(found[1], found[2])
        self.s.struck = SHOTS[found[3]]
        self.s.shot = True

    def read_robot(self, line: str) -> None:
        head, colon, rest = line.partition(":")
        words = head.split()
        if not colon or len(words) != 2:
            raise self.lines.wrong(f"{line!r} is no robot: say robot 0: engine1 gun, hp 10")
        seat = self.seat(words[1])
        if seat in self.described:
            raise self.lines.wrong(f"robot {seat} has a line already, line {self.described[seat]}")
        self.described[seat] = self.lines.next
        for fact in (part.strip() for part in rest.split(",")):
            if fact:
                self.read_fact(seat, fact)

    def read_fact(self, seat: int, fact: str) -> None:
        robot = self.s.robots[seat]
        words = fact.split()
        if words[0] in FEATURE_NAMES and (len(words) == 1 or not words[1].isdigit()):
            self.read_parts(robot, words)
        elif fact == "destroyed":
            if robot.alive:
                raise self.lines.wrong(f"robot {seat} is destroyed and drawn: take it out of the picture")
        elif fact in ("deployed", "deploying"):
            robot.deployed = fact == "deployed"
            self.deploying |= set() if robot.deployed else {seat}
        elif words[0] == "hp" and len(words) == 2:
            robot.hp = self.number(words[1], 1, 18, "hp")
            self.hp_given.add(seat)
        elif words[0] == "turns" and len(words) == 2:
            robot.turns = self.turn(words[1])
        elif words[0] == "loading" and len(words) == 2:
            robot.loading = self.number(words[1], 0, LOADING_TURNS, "turns of loading")
        elif words[0] == "mines" and len(words) == 2:
            robot.mines = self.number(words[1], 0, MINES_GIVEN, "mines left")
            self.mines_given.add(seat)
        elif words[0] == "team" and len(words) == 2:
            robot.team = self.number(words[1], 0, MAX_SEATS - 1, "a team")
        elif words[0] == "dealt" and len(words) == 2:
            robot.dealt = self.number(words[1], 0, MOST_DEALT, "points dealt")
        elif words[:2] == ["hit", "at"] and len(words) == 6 and words[4] == "after":
            robot.hit_cell = 1 + self.cell(words[2], words[3])
            robot.hit_turn = self.turn(words[5])
        elif words[0] == "felt" and all(word in WEAPONS for word in words[1:]):
            for word in words[1:]:
                robot.felt |= 1 << (WEAPONS[word] - 1)
        else:
            raise self.lines.wrong(f"{fact!r} says nothing about a robot: say engine1 gun, hp 10, turns 3 ...")

    def read_parts(self, robot: Robot, words: list[str]) -> None:
        for word in words:
            if word not in FEATURE_NAMES:
                raise self.lines.wrong(f"{word!r} is no feature: there are {', '.join(FEATURE_NAMES)}")
            feature = FEATURE_NAMES.index(word)
            kind = FEATURE_KIND[feature]
            if robot.parts[kind]:
                raise self.lines.wrong(f"{word} is the second feature of its kind: a robot has one of each")
            robot.parts[kind] = FEATURE_LEVEL[feature]

    def read_mine(self, words: list[str]) -> None:
        if len(words) != 5 or words[3] != "of":
            raise self.lines.wrong("say where a mine lies and whose it is: mine 3 4 of 0")
        cell = self.cell(words[1], words[2])
        if self.s.cells[cell] != BARE:
            raise self.lines.wrong("a mine lies on a cell without obstacle or other mine")
        self.s.cells[cell] = MINED + self.seat(words[4])

    def read_message(self, line: str) -> None:
        s = self.s
        found = re.fullmatch(r"message (\d) to (all|team|\d) after (\d+), heard by ([\d ]+)", line)
        if not found:
            raise self.lines.wrong(f"{line!r} is no message: say message 1 to all after 16, heard by 0 2")
        if s.messages >= MAX_TURNS:
            raise self.lines.wrong(f"these are too many messages: at most {MAX_TURNS}")
        address = {"all": TO_ALL, "team": TO_TEAM}.get(found[2])
        if address is None:
            address = self.seat(found[2])
        heard = 0
        for word in found[4].split():
            heard |= 1 << self.seat(word)
        at = messages_at(s) + MESSAGE_NUMBERS * s.messages
        s.cells[at] = self.seat(found[1]) + ADDRESS * address + HEARERS * heard
        s.cells[at + 1] = self.turn(found[3])
        s.messages += 1

    def read_seen(self, seat: int, texts: Iterator[tuple[int, str]]) -> None:
        s = self.s
        for y in range(s.height):
            self.lines.next, line = next(texts, (self.lines.next, ""))
            words = line.split()
            if len(words) != s.width:
                raise self.lines.wrong(f"row {y} of what robot {seat} has seen has {len(words)} words, not {s.width}")
            for x, word in enumerate(words):
                if word != "?":
                    s.cells[map_at(s, seat) + y * s.width + x] = self.seen(word)

    def seen(self, word: str) -> int:
        found = SEEN_WORD.fullmatch(word)
        if not found:
            raise self.lines.wrong(f"{word!r} is no sighting: say ? or .17, #3, o17, @17 with * for a mine")
        return SEEN_SIGNS[found[1]] + SEEN_TURN * self.turn(found[2]) + (SEEN_MINE if found[3] else 0)

    def read_plan(self, line: str) -> None:
        words = line.split()[1:]
        if not 1 <= len(words) <= MAX_PLANNED:
            raise self.lines.wrong(f"a plan of {len(words)} draws cannot be: plan 1 to {MAX_PLANNED}")
        numbers = [self.number(word, 0, 2**31 - 1, "a planned draw") for word in words]
        plan_dice(self.s.dice, numbers)

    # ------------------------------------------------------------------- the whole

    def fill_in(self) -> None:
        """What is usual where nothing was said: full HP, all mines, deployed in play."""
        s = self.s
        for seat in range(s.players):
            robot = s.robots[seat]
            if robot.alive and seat not in self.hp_given:
                robot.hp = full_hp(robot)
            if not robot.alive:
                robot.cell = -1
            if robot.parts[EXTRA] and seat not in self.mines_given:
                robot.mines = MINES_GIVEN
            if s.phase != DEPLOYMENT and seat not in self.deploying:
                robot.deployed = True
        if not self.map_given:
            s.map = STANDARD if (s.width, s.height) == (MIN_SIDE, MIN_SIDE) else RANDOM_MAP

    def check(self) -> None:
        s = self.s
        for seat in range(s.players):
            self.lines.next = self.described.get(seat, 1)
            self.check_robot(seat, s.robots[seat])
        self.lines.next = 1
        if s.phase == PLAY and not s.robots[s.turn_of].alive:
            raise self.lines.wrong(f"it is the turn of robot {s.turn_of}, but it is destroyed")
        if s.phase != OVER and last_side(s) >= 0:
            raise self.lines.wrong("only one side is left, so the match is over: say over")
        if s.phase == PLAY and s.ended >= s.limit:
            raise self.lines.wrong(f"all {s.limit} turns have ended, so the match is over: say over")
        if s.phase == PLAY and not s.started and (s.moves or s.shot or s.scanned or s.sent):
            raise self.lines.wrong("moves, shots and scans need a started turn: say started")
        if s.phase == PLAY and s.moves > moves_of(s.robots[s.turn_of]):
            most = moves_of(s.robots[s.turn_of])
            raise self.lines.wrong(f"robot {s.turn_of} has an engine for {most} moves, not {s.moves}")
        if s.messages and not s.messaging:
            raise self.lines.wrong("there are messages: say messages on")
        if not s.mining and any(s.cells[cell] >= MINED for cell in range(area(s))):
            raise self.lines.wrong("there are mines: say mines on")

    def check_robot(self, seat: int, robot: Robot) -> None:
        s = self.s
        used = slots_used(robot)
        if used > CAPACITY:
            raise self.lines.wrong(f"robot {seat} has parts for {used} slots: at most {CAPACITY}")
        if robot.parts[EXTRA] and not s.mining:
            raise self.lines.wrong(f"robot {seat} carries mines: say mines on")
        if robot.alive and robot.hp > full_hp(robot):
            raise self.lines.wrong(f"robot {seat} has {robot.hp} HP: at most {full_hp(robot)} with its shield")
        if robot.team and robot.team >= s.teams:
            raise self.lines.wrong(f"robot {seat} is of team {robot.team}, but there are {s.teams} teams")
        if s.phase != DEPLOYMENT and robot.alive and not robot.deployed:
            raise self.lines.wrong(f"robot {seat} is still deploying, so play has not begun: say deployment")
        mine = s.cells[robot.cell] - MINED if robot.alive else -1
        if mine >= 0 and mine != seat:
            raise self.lines.wrong(f"robot {seat} stands on a mine of robot {mine}, which would have gone off")
