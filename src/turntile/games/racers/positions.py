"""Positions of Rowdy Racers as text: a picture, and below it a line for what a picture cannot show.

The picture has a character a square:

    #    wall                          g  light grenade, inactive
    1 2  the racers                    d  identity disc
    a b  light trail of player 1, 2    c  charged identity disc
    o    teleporter                    x  debris of a grenade
    +    several of these              .  nothing, or only what the lines say

Squares in the lines are `x,y`, counted from 0,0 at the top left; players are 1 and 2. What is
left out has its plain value: turn 1, three actions, empty hands, power everywhere, dice that the
match is yet to seed. Every state can be written and is read back equal; a text that breaks a rule
is refused with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import ClassVar

from turntile.core.dice import MASK32, MAX_PLANNED
from turntile.core.errors import InvalidOptions, InvalidPosition
from turntile.core.planned import plan_dice
from turntile.games.racers import rules
from turntile.games.racers.moves import can_move
from turntile.games.racers.options import Options, check_size, prepare
from turntile.games.racers.placement import (
    MIN_WALL,
    draw_frame,
    hundredths,
    is_start,
    measure_distances,
    number_doors,
    place_racers,
)
from turntile.games.racers.records import (
    ACTIONS_A_TURN,
    CHARGED,
    CHARGED_ITEM,
    DEBRIS,
    DISC_ITEM,
    GRENADE,
    GRENADE_ITEM,
    GRENADES,
    KINDS,
    MAX_ITEMS,
    NO_SQUARE,
    REACHED_GOAL,
    RUNNING,
    SUSPECT,
    TELEPORTER,
    TRAIL_LENGTH,
    TURNS_RAN_OUT,
    WALL,
    WAS_TRAPPED,
    Racer,
    Racers,
)

MOST_PENALTY = 8  # two grenades without power at both ends of a hop
MOST_SKIPS = 20
MOST_TURNS = 2**31 - 2
PLAYERS = ("1", "2")
ITEMS = ("grenade", "disc", "charged", "debris")
MARKS = {"g": "grenade", "d": "disc", "c": "charged", "x": "debris", "o": "teleporter"}
ENDINGS = {REACHED_GOAL: "goal", WAS_TRAPPED: "trapped", TURNS_RAN_OUT: "turns"}


def squares(record: Racers) -> Iterator[tuple[int, int, int]]:
    """Every square, row by row: its cell, x and y."""
    for y in range(record.height):
        for x in range(record.width):
            yield cell_of(record, x, y), x, y


def cell_of(record: Racers, x: int, y: int) -> int:
    return (y + 1) * (record.width + 2) + x + 1


def x_of(record: Racers, cell: int) -> int:
    return cell % (record.width + 2) - 1


def y_of(record: Racers, cell: int) -> int:
    return cell // (record.width + 2) - 1


# ------------------------------------------------------------------------- writing


def write_position(record: Racers) -> str:
    pictured = {cell: character(record, cell) for cell, _, _ in squares(record)}
    picture = ["".join(pictured[cell_of(record, x, y)] for x in range(record.width)) for y in range(record.height)]
    return "\n".join([*picture, *lines(record, pictured)]) + "\n"


def things(record: Racers, cell: int) -> list[str]:
    """What lies on a square, teleporters aside."""
    found = []
    if record.cells[cell] & GRENADES == GRENADE:
        found.append("grenade")
    found += ["disc"] * record.discs[cell]
    if record.cells[cell] & CHARGED:
        found.append("charged")
    if record.cells[cell] & DEBRIS:
        found.append("debris")
    return found


def character(record: Racers, cell: int) -> str:
    if record.cells[cell] & WALL:
        return "#"
    for player, racer in zip(PLAYERS, record.racers, strict=True):
        if racer.cell == cell:
            return player
    for letter, racer in zip("ab", record.racers, strict=True):
        if cell in racer.trail:
            return letter
    seen = things(record, cell) + ["teleporter"] * (record.cells[cell] & TELEPORTER != 0)
    if len(seen) > 1:
        return "+"
    return next((mark for mark, thing in MARKS.items() if [thing] == seen), ".")


def lines(record: Racers, pictured: dict[int, str]) -> Iterator[str]:
    def at(cell: int) -> str:
        return f"{x_of(record, cell)},{y_of(record, cell)}"

    def listed(key: str, entries: list[str]) -> Iterator[str]:
        if entries:
            yield f"{key}: {' '.join(entries)}"

    yield f"turn: {record.turn}"
    yield f"to act: {record.due + 1}"
    yield f"actions: {record.actions_left}"
    if record.began != record.racers[record.due].cell:
        yield f"began: {at(record.began)}"
    for player, racer in zip(PLAYERS, record.racers, strict=True):
        yield from listed(f"trail {player}", trail_words(racer, at))
        yield from listed(f"holds {player}", [f"{ITEMS[k]}={racer.held[k]}" for k in range(KINDS) if racer.held[k]])
        if racer.penalty:
            yield f"penalty {player}: {racer.penalty}"
        if racer.skips:
            yield f"skips {player}: {racer.skips}"
    yield from listed("placed", [p for p, racer in zip(PLAYERS, record.racers, strict=True) if racer.placed])
    doors = record.doors[: record.doors_placed]
    yield from listed("teleporters", [f"{at(door.cell)}>{at(door.exit)}" for door in doors])
    undrawn = [cell for cell, mark in pictured.items() if things(record, cell) and mark in "12ab+"]
    yield from listed("items", [f"{at(cell)}={item_words(things(record, cell))}" for cell in undrawn])
    for seat, player in enumerate(PLAYERS):
        armed = [cell for cell in pictured if record.cells[cell] & GRENADES == rules.armed_by(seat)]
        yield from listed(f"armed {player}", [at(cell) for cell in armed])
        suspect = [cell for cell in pictured if record.cells[cell] & (SUSPECT << seat) and cell not in armed]
        yield from listed(f"suspect {player}", [at(cell) for cell in suspect])
    if record.secretive:
        yield "armed this turn: yes"
    failing = [cell for cell in pictured if record.failures[cell]]
    yield from listed("failures", [f"{at(cell)}:{clock_word(record.failures[cell])}" for cell in failing])
    if record.ended != RUNNING:
        who = {REACHED_GOAL: record.winner + 1, WAS_TRAPPED: 2 - record.winner}.get(record.ended, "")
        yield f"ended: {ENDINGS[record.ended]} {who}".rstrip()
    yield f"options: failure_percent={record.failure_percent} turn_limit={record.turn_limit}"
    dice = record.dice
    if (dice.a, dice.b, dice.c, dice.counter) != (0, 0, 0, 0):
        yield f"dice: {dice.a:08x} {dice.b:08x} {dice.c:08x} {dice.counter:08x}"
    yield from listed("planned", [str(n) for n in reversed(dice.plan[: dice.planned])])


def trail_words(racer: Racer, at: Callable[[int], str]) -> list[str]:
    """The squares left by the last, last but one and last but two actions; `-` for none, `~` for a hop."""
    words = [
        "-" if cell == NO_SQUARE else at(cell) + "~" * hop for cell, hop in zip(racer.trail, racer.hops, strict=True)
    ]
    while words and words[-1] == "-":
        words.pop()
    return words


def item_words(found: list[str]) -> str:
    words = []
    for item in ITEMS:
        if found.count(item):
            words.append(item + (str(found.count(item)) if found.count(item) > 1 else ""))
    return "+".join(words)


def clock_word(bits: int) -> str:
    """The turns left of the failures that began on one square: `3`, `31` ..."""
    return "".join(str(ACTIONS_A_TURN - k) for k in range(3) if bits >> k & 1)


# ------------------------------------------------------------------------- reading


def read_position(text: str) -> Racers:
    """The record, with all that follows from it; InvalidPosition names the line and the rule that is broken."""
    return Reading(text).record


class Reading:
    """One text being read; `line` is where an error would be."""

    def __init__(self, text: str) -> None:
        numbered = [(number, line.strip().lower()) for number, line in enumerate(text.splitlines(), 1)]
        picture = [(number, line) for number, line in numbered if line and ":" not in line]
        notes = [(number, line) for number, line in numbered if ":" in line]
        self.line = 0
        self.drawn_trails: list[tuple[int, int, int]] = []  # line, seat, cell
        self.drawn_doors: list[tuple[int, int]] = []
        self.heaps: list[tuple[int, int]] = []
        self.to_act_said = False
        self.record = self.sized(picture)
        self.read_picture(picture)
        self.read_notes(notes)
        self.line = 0
        self.derive()
        self.check()

    def refuse(self, why: str) -> InvalidPosition:
        return InvalidPosition(f"line {self.line}: {why}" if self.line else why)

    def at(self, cell: int) -> str:
        return f"{x_of(self.record, cell)},{y_of(self.record, cell)}"

    # ---------------------------------------------------------------- the picture

    def sized(self, picture: list[tuple[int, str]]) -> Racers:
        if not picture:
            raise self.refuse("there is no picture: draw the grid, a line a row, with # for walls and . for nothing")
        width = len(picture[0][1])
        for self.line, row in picture:
            if len(row) != width:
                raise self.refuse(f"this row has {len(row)} squares and the first one {width}: make them equal")
        self.line = 0
        try:
            check_size(width, len(picture))
        except InvalidOptions as error:
            raise self.refuse(str(error)) from None
        record = prepare(Options(width=width, height=len(picture)))
        place_racers(record)
        draw_frame(record)
        record.turn = 1
        record.actions_left = ACTIONS_A_TURN
        return record

    def read_picture(self, picture: list[tuple[int, str]]) -> None:
        record = self.record
        racers: dict[str, int] = {}
        for y, (self.line, row) in enumerate(picture):
            for x, mark in enumerate(row):
                cell = cell_of(record, x, y)
                if mark == "#":
                    record.cells[cell] = WALL
                elif mark in PLAYERS:
                    if mark in racers:
                        raise self.refuse(f"player {mark} is drawn twice")
                    racers[mark] = cell
                elif mark in "ab":
                    self.drawn_trails.append((self.line, "ab".index(mark), cell))
                elif mark == "o":
                    self.drawn_doors.append((self.line, cell))
                elif mark == "+":
                    self.heaps.append((self.line, cell))
                elif mark in MARKS:
                    self.put(cell, MARKS[mark])
                elif mark != ".":
                    raise self.refuse(f"{mark!r} at {x},{y} is no mark: use # 1 2 a b o g d c x + or .")
        self.line = 0
        for player, racer in zip(PLAYERS, record.racers, strict=True):
            if player not in racers:
                raise self.refuse(f"player {player} is not in the picture: draw a {player} where the racer stands")
            racer.cell = racers[player]

    def put(self, cell: int, item: str) -> None:
        record = self.record
        if record.cells[cell] & WALL:
            raise self.refuse(f"nothing can lie on the wall at {self.at(cell)}")
        if item == "disc":
            if record.discs[cell] == 255:
                raise self.refuse(f"there are too many discs at {self.at(cell)}")
            record.discs[cell] += 1
            return
        bit = {"grenade": GRENADE, "charged": CHARGED, "debris": DEBRIS}[item]
        if record.cells[cell] & bit:
            raise self.refuse(f"there is a {item} at {self.at(cell)} already")
        record.cells[cell] |= bit

    # ---------------------------------------------------------------- the lines below it

    def read_notes(self, notes: list[tuple[int, str]]) -> None:
        seen: set[str] = set()
        for self.line, note in notes:
            head, _, value = note.partition(":")
            key = " ".join(head.split())
            if key in seen:
                raise self.refuse(f"{key} is said twice")
            seen.add(key)
            name, _, player = key.rpartition(" ")
            if name in self.SEAT_NOTES and player in PLAYERS:
                self.SEAT_NOTES[name](self, PLAYERS.index(player), value.split())
            elif key in self.NOTES:
                self.NOTES[key](self, value.split())
            else:
                raise self.refuse(f"{key!r} is no line of a position: there are {', '.join(self.known_keys())}")

    def known_keys(self) -> list[str]:
        return [*self.NOTES, *(f"{name} 1" for name in self.SEAT_NOTES)]

    def number(self, word: str, least: int, most: int, what: str) -> int:
        if not re.fullmatch(r"[0-9]{1,10}", word) or not least <= int(word) <= most:
            raise self.refuse(f"{what} {word!r} cannot be: say {least} to {most}")
        return int(word)

    def one(self, words: list[str], what: str) -> str:
        if len(words) != 1:
            raise self.refuse(f"{what} takes one value, not {len(words)}")
        return words[0]

    def square(self, word: str) -> int:
        """A square that is in the grid and no wall."""
        cell = self.any_square(word)
        if self.record.cells[cell] & WALL:
            raise self.refuse(f"there is a wall at {word}")
        return cell

    def any_square(self, word: str) -> int:
        found = re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3})", word)
        if not found:
            raise self.refuse(f"{word!r} is no square: say x,y as in 3,4")
        x, y = int(found[1]), int(found[2])
        if x >= self.record.width or y >= self.record.height:
            size = f"{self.record.width}x{self.record.height}"
            raise self.refuse(f"{word} is outside the {size} grid, which begins with 0,0 at the top left")
        return cell_of(self.record, x, y)

    def read_turn(self, words: list[str]) -> None:
        self.record.turn = self.number(self.one(words, "turn"), 1, MOST_TURNS, "turn")
        due = (self.record.turn - 1) % 2
        if self.to_act_said and due != self.record.due:
            raise self.refuse(f"turn {self.record.turn} is player {due + 1}'s: odd turns are player 1's")
        self.record.due = due

    def read_to_act(self, words: list[str]) -> None:
        due = self.number(self.one(words, "to act"), 1, 2, "player") - 1
        if self.record.turn == 1 and due == 1:
            self.record.turn = 2
        elif due != (self.record.turn - 1) % 2:
            raise self.refuse(f"turn {self.record.turn} is player {2 - due}'s: odd turns are player 1's")
        self.record.due = due
        self.to_act_said = True

    def read_actions(self, words: list[str]) -> None:
        self.record.actions_left = self.number(self.one(words, "actions"), 0, ACTIONS_A_TURN, "actions")

    def read_began(self, words: list[str]) -> None:
        self.record.began = self.square(self.one(words, "began"))

    def read_trail(self, seat: int, words: list[str]) -> None:
        racer = self.record.racers[seat]
        if len(words) > TRAIL_LENGTH:
            raise self.refuse(f"a light trail has at most {TRAIL_LENGTH} squares, not {len(words)}")
        for k, word in enumerate(words):
            if word != "-":
                racer.trail[k] = self.square(word.removesuffix("~"))
                racer.hops[k] = word.endswith("~")

    def read_holds(self, seat: int, words: list[str]) -> None:
        racer = self.record.racers[seat]
        for word in words:
            item, _, count = word.partition("=")
            if item not in ITEMS[:KINDS]:
                raise self.refuse(f"{word!r} cannot be held: say grenade=2, disc=1 or charged=1")
            racer.held[ITEMS.index(item)] = self.number(count or "1", 0, MAX_ITEMS, f"number of {item}s")
        if rules.carried(racer) > MAX_ITEMS:
            raise self.refuse(
                f"player {seat + 1} holds {rules.carried(racer)} items: at most {MAX_ITEMS} can be carried"
            )

    def read_penalty(self, seat: int, words: list[str]) -> None:
        racer = self.record.racers[seat]
        racer.penalty = self.number(self.one(words, "penalty"), 0, MOST_PENALTY, "penalty")

    def read_skips(self, seat: int, words: list[str]) -> None:
        self.record.racers[seat].skips = self.number(self.one(words, "skips"), 0, MOST_SKIPS, "skips")

    def read_placed(self, words: list[str]) -> None:
        for word in words:
            self.record.racers[self.number(word, 1, 2, "player") - 1].placed = True

    def read_teleporters(self, words: list[str]) -> None:
        record = self.record
        exits: dict[int, int] = {}
        for word in words:
            source, _, target = word.partition(">")
            cell, exit_cell = self.square(source), self.square(target)
            if cell in exits:
                raise self.refuse(f"there are two teleporters at {source}")
            if cell == exit_cell:
                raise self.refuse(f"the teleporter at {source} leads to itself: choose another teleporter")
            if is_start(record, cell):
                raise self.refuse(f"there is a teleporter on the start at {source}")
            exits[cell] = exit_cell
            record.cells[cell] |= TELEPORTER
        for cell, exit_cell in exits.items():
            if exit_cell not in exits:
                raise self.refuse(
                    f"the teleporter at {self.at(cell)} leads to {self.at(exit_cell)}, where there is none"
                )
        if len(exits) > hundredths(record, 3):
            raise self.refuse(f"{len(exits)} teleporters are too many: this grid has at most {hundredths(record, 3)}")
        number_doors(record)
        for door in record.doors[: record.doors_placed]:
            door.exit = exits[door.cell]

    def read_items(self, words: list[str]) -> None:
        for word in words:
            where, _, listed = word.partition("=")
            cell = self.square(where)
            for thing in listed.split("+"):
                found = re.fullmatch(r"([a-z]+)([0-9]{0,3})", thing)
                if not found or found[1] not in ITEMS:
                    raise self.refuse(f"{thing!r} is no item: say grenade, disc, disc2, charged or debris")
                for _ in range(self.number(found[2] or "1", 1, 255, "number of items")):
                    self.put(cell, found[1])

    def read_armed(self, seat: int, words: list[str]) -> None:
        for word in words:
            cell = self.square(word)
            if self.record.cells[cell] & GRENADES:
                raise self.refuse(f"there is another grenade at {word}: a square holds one unexploded grenade")
            self.record.cells[cell] |= rules.armed_by(seat) | SUSPECT << seat

    def read_suspect(self, seat: int, words: list[str]) -> None:
        for word in words:
            self.record.cells[self.square(word)] |= SUSPECT << seat

    def read_armed_this_turn(self, words: list[str]) -> None:
        self.record.secretive = self.one(words, "armed this turn") == "yes"

    def read_failures(self, words: list[str]) -> None:
        for word in words:
            where, _, clocks = word.partition(":")
            cell = self.any_square(where)
            if not re.fullmatch("[123]{1,3}", clocks) or len(set(clocks)) != len(clocks):
                raise self.refuse(
                    f"{word!r} is no failure: say x,y:3 for one with three turns to go, this one included"
                )
            for clock in clocks:
                self.record.failures[cell] |= 1 << (ACTIONS_A_TURN - int(clock))

    def read_ended(self, words: list[str]) -> None:
        record = self.record
        endings = {word: ending for ending, word in ENDINGS.items()}
        if not words or words[0] not in endings or len(words) != (1 if words[0] == "turns" else 2):
            raise self.refuse("ended how? Say goal 1, trapped 2 or turns")
        record.ended = endings[words[0]]
        if record.ended != TURNS_RAN_OUT:
            who = self.number(words[1], 1, 2, "player") - 1
            record.winner = who if record.ended == REACHED_GOAL else 1 - who

    def read_options(self, words: list[str]) -> None:
        values = {"failure_percent": self.record.failure_percent, "turn_limit": self.record.turn_limit}
        for word in words:
            name, _, value = word.partition("=")
            if name not in values:
                raise self.refuse(f"{name!r} is no option of a position: there are {', '.join(values)}")
            values[name] = self.number(value, 0, 10**9, name)
        try:
            prepared = prepare(Options(width=self.record.width, height=self.record.height, **values))
        except InvalidOptions as error:
            raise self.refuse(str(error)) from None
        self.record.failure_percent = prepared.failure_percent
        self.record.turn_limit = prepared.turn_limit

    def read_dice(self, words: list[str]) -> None:
        if len(words) != 4 or not all(re.fullmatch("[0-9a-f]{1,8}", word) for word in words):
            raise self.refuse(f"dice are four numbers of up to {MASK32.bit_length() // 4} hexadecimal digits")
        dice = self.record.dice
        dice.a, dice.b, dice.c, dice.counter = (int(word, 16) for word in words)

    def read_planned(self, words: list[str]) -> None:
        if len(words) > MAX_PLANNED:
            raise self.refuse(f"{len(words)} planned draws are too many: at most {MAX_PLANNED} fit")
        plan_dice(self.record.dice, [self.number(word, 0, 2**31 - 1, "draw") for word in words])

    NOTES: ClassVar[dict[str, Callable[[Reading, list[str]], None]]] = {
        "turn": read_turn,
        "to act": read_to_act,
        "actions": read_actions,
        "began": read_began,
        "placed": read_placed,
        "teleporters": read_teleporters,
        "items": read_items,
        "armed this turn": read_armed_this_turn,
        "failures": read_failures,
        "ended": read_ended,
        "options": read_options,
        "dice": read_dice,
        "planned": read_planned,
    }
    SEAT_NOTES: ClassVar[dict[str, Callable[[Reading, int, list[str]], None]]] = {
        "trail": read_trail,
        "holds": read_holds,
        "penalty": read_penalty,
        "skips": read_skips,
        "armed": read_armed,
        "suspect": read_suspect,
    }

    # ---------------------------------------------------------------- what follows, and what cannot be

    def derive(self) -> None:
        record = self.record
        if record.began == NO_SQUARE:
            record.began = record.racers[record.due].cell
        measure_distances(record)

    def check(self) -> None:
        self.check_picture_against_lines()
        self.check_walls()
        self.check_counts()
        for seat in range(2):
            self.check_trail(seat)
            self.check_racer(seat)
        self.check_turn()

    def check_picture_against_lines(self) -> None:
        record = self.record
        for line, seat, cell in self.drawn_trails:
            self.line = line
            if cell not in record.racers[seat].trail:
                raise self.refuse(f"the trail at {self.at(cell)} is in no line: say trail {seat + 1}: and its squares")
        for line, cell in self.drawn_doors:
            self.line = line
            if not record.cells[cell] & TELEPORTER:
                where = self.at(cell)
                raise self.refuse(f"the teleporter at {where} leads nowhere: say teleporters: {where}>x,y")
        for line, cell in self.heaps:
            self.line = line
            if not things(record, cell):
                raise self.refuse(f"the + at {self.at(cell)} is in no line: say items: {self.at(cell)}=grenade+disc")
        self.line = 0

    def check_walls(self) -> None:
        """R2.4 to R2.11, F5, C7: straight, two squares at least, half the grid's side at most, apart, 20 % at most."""
        record = self.record
        left = [cell for cell, _, _ in squares(record) if record.cells[cell] & WALL]
        if not left:
            raise self.refuse("there is no wall: a grid has at least one, two squares long")
        if len(left) > hundredths(record, 20):
            raise self.refuse(f"{len(left)} wall squares are too many: at most {hundredths(record, 20)} on this grid")
        for cell in left:
            if is_start(record, cell):
                raise self.refuse(f"there is a wall on the start at {self.at(cell)}")
        waiting = set(left)
        while waiting:
            wall = self.touching(min(waiting), waiting)
            waiting -= wall
            self.check_wall(wall)

    def touching(self, first: int, walls: set[int]) -> set[int]:
        """All wall squares within a king's move of each other, from one on."""
        row = self.record.width + 2
        found, edge = {first}, [first]
        while edge:
            cell = edge.pop()
            for near in (cell + y * row + x for y in (-1, 0, 1) for x in (-1, 0, 1)):
                if near in walls and near not in found:
                    found.add(near)
                    edge.append(near)
        return found

    def check_wall(self, wall: set[int]) -> None:
        record = self.record
        wide = len({x_of(record, cell) for cell in wall})
        high = len({y_of(record, cell) for cell in wall})
        where = self.at(min(wall))
        if wide > 1 and high > 1:
            raise self.refuse(f"the walls at {where} touch: a wall is straight and keeps a square away from others")
        longest = (record.width + 1) // 2 if wide > 1 else (record.height + 1) // 2
        if len(wall) < MIN_WALL:
            raise self.refuse(f"the wall at {where} has one square: a wall has at least {MIN_WALL}")
        if len(wall) > longest:
            raise self.refuse(f"the wall at {where} has {len(wall)} squares: at most {longest} in this direction")

    def check_counts(self) -> None:
        """R3: no more of a kind than the set-up places (exploded grenades included)."""
        record = self.record
        cells = [cell for cell, _, _ in squares(record)]
        grenades = sum(bool(record.cells[cell] & GRENADES) + bool(record.cells[cell] & DEBRIS) for cell in cells)
        discs = sum(record.discs[cell] for cell in cells)
        charged = sum(bool(record.cells[cell] & CHARGED) for cell in cells)
        for name, lying, kind, most in (
            ("light grenades", grenades, GRENADE_ITEM, hundredths(record, 2)),
            ("identity discs", discs, DISC_ITEM, hundredths(record, 2)),
            ("charged identity discs", charged, CHARGED_ITEM, 1),
        ):
            count = lying + sum(racer.held[kind] for racer in record.racers)
            if count > most:
                raise self.refuse(f"there are {count} {name}: this grid has at most {most}")

    def check_trail(self, seat: int) -> None:
        """L1, L5, L7: links of a chain, on free squares; the racer to act has dropped the oldest."""
        record = self.record
        racer = record.racers[seat]
        newer = racer.cell
        others = [*record.racers[1 - seat].trail, *(other.cell for other in record.racers)]
        for k, cell in enumerate(racer.trail):
            if cell == NO_SQUARE:
                continue
            if cell in others or list(racer.trail).count(cell) > 1:
                raise self.refuse(f"the trail of player {seat + 1} at {self.at(cell)} is on a square that is taken")
            if racer.hops[k]:
                if not record.cells[newer] & TELEPORTER:
                    raise self.refuse(
                        f"player {seat + 1} cannot have been teleported to {self.at(newer)}: no teleporter"
                    )
            elif max(abs(x_of(record, cell) - x_of(record, newer)), abs(y_of(record, cell) - y_of(record, newer))) > 1:
                raise self.refuse(
                    f"the trail of player {seat + 1} is torn between {self.at(newer)} and {self.at(cell)}"
                )
            newer = cell
        if record.ended == RUNNING and record.due == seat and racer.trail[TRAIL_LENGTH - 1] != NO_SQUARE:
            raise self.refuse(f"player {seat + 1} is to act, so the square left three actions ago has vanished")

    def check_racer(self, seat: int) -> None:
        record = self.record
        racer = record.racers[seat]
        here = record.cells[racer.cell]
        at_goal = racer.cell == racer.goal
        won = record.ended == REACHED_GOAL and record.winner == seat
        if won and not at_goal:
            raise self.refuse(f"player {seat + 1} has won by the goal but does not stand on the other's start")
        if at_goal and not won:
            raise self.refuse(f"player {seat + 1} stands on the other's start: that ends the match, say ended: goal")
        if racer.placed and here & GRENADES != GRENADE:
            raise self.refuse(f"player {seat + 1} has placed no grenade: there is none on that square")
        if here & GRENADES not in (0, GRENADE) and not won:
            raise self.refuse(f"player {seat + 1} stands on an active grenade: it would have exploded")

    def check_turn(self) -> None:
        """A5, P6: who is to act has actions, no penalty left, nothing to skip; A7: and a move."""
        record = self.record
        if record.ended != RUNNING:
            return
        racer = record.racers[record.due]
        player = f"player {record.due + 1}"
        if record.actions_left == 0:
            raise self.refuse(f"{player} is to act and has no actions: say actions: 1 to {ACTIONS_A_TURN}")
        if racer.penalty or racer.skips:
            raise self.refuse(f"{player} is to act, so no penalty and no turn to skip is left")
        if record.turn_limit and record.turn > record.turn_limit:
            raise self.refuse(f"turn {record.turn} is beyond the limit of {record.turn_limit} turns")
        if not can_move(record, record.due):
            raise self.refuse(f"{player} is to act and cannot move: that is the end of the match, say ended: trapped")
