"""RoboRace in words: programs, refusals, what happened, and positions as text.

A program is five places of one's hand, counted from 1, in the order of play: `3 1 5 2 7`.

A position is the picture of board_text.py with the robots A to D in it, its lines about starts
and decorations, and these, in any order:

    round 3
    limit 50                         the round limit, if there is one
    robot A: north                   or `robot A: destroyed`, in a race that is won
    hand A: 61 12 36 80 3 44 70      the priorities of seven cards
    winner A
    dice 1 2 3 4                     the four words of the dice
    plan 3 0                         numbers to be drawn before the dice are asked
"""

from __future__ import annotations

import re

from turntile.core.dice import MASK32, MAX_PLANNED
from turntile.core.errors import InvalidAction, InvalidPosition
from turntile.core.game import Told
from turntile.core.planned import plan_dice
from turntile.forge import i32s
from turntile.games.roborace.board_text import (
    ROBOTS,
    Drawing,
    describe_hall,
    draw_hall,
    finish_hall,
    read_drawing,
    read_hall_line,
)
from turntile.games.roborace.boards import DIRECTIONS, TILE_WORDS, Hall, InvalidBoard, hall_of, lay_hall
from turntile.games.roborace.cards import card_kind, item, program_number, read_program
from turntile.games.roborace.records import (
    ACTED,
    ACTED_DECORATION,
    BACK_UP,
    BUMPED,
    CRUSHED,
    CRUSHER,
    DEALT,
    DECK,
    DESTROYED,
    FELL_INTO_PIT,
    GOAL,
    HALL_BEGAN,
    HAND,
    MATCH_OVER,
    MAX_ACTIONS,
    MOVE_1,
    MOVE_2,
    MOVE_3,
    NO_SUCH_SEAT,
    NOWHERE,
    PHASE_BEGAN,
    PHASES,
    PIT,
    PLAYED,
    PUSHER,
    REVITALISED,
    ROUNDS_USED_UP,
    STEPPED,
    TURN_LEFT,
    TURN_RIGHT,
    TURNED,
    U_TURN,
    WON,
    RoboRace,
)

KIND_WORDS = {
    TURN_RIGHT: "turn right",
    TURN_LEFT: "turn left",
    U_TURN: "u-turn",
    BACK_UP: "back up",
    MOVE_1: "move 1",
    MOVE_2: "move 2",
    MOVE_3: "move 3",
}
TURN_WORDS = {1: "right", 2: "around", 3: "left"}
LAST_ROUND = 2**31 - 2
EXAMPLE = "five different places of your hand, such as 3 1 5 2 7"


def card_text(card: int) -> str:
    """F1: what a card does, by its priority."""
    return KIND_WORDS[card_kind(card)]


# ------------------------------------------------------------------------- programs


def parse(s: RoboRace, seat: int, text: str) -> int:
    """R2: exactly five different cards of the hand, named by their places in it."""
    places = hand_places(text, list(s.robots[seat].hand) if 0 <= seat < s.players else [])
    if len(places) != PHASES:
        raise InvalidAction(f"a program of {len(places)} cards: it must be {EXAMPLE}")
    return program_number(places)


def hand_places(text: str, hand: list[int]) -> list[int]:
    """The places in a hand, from 0, that a program or its beginning names."""
    places: list[int] = []
    for word in text.replace(",", " ").split():
        if not (word.isascii() and word.isdigit()):
            raise InvalidAction(f"{word[:20]!r} is no card: a program is {EXAMPLE}")
        number = int(word[:9])
        if not 1 <= number <= HAND:
            hint = (
                f"card {number} is at place {hand.index(number) + 1}" if number in hand else f"places are 1 to {HAND}"
            )
            raise InvalidAction(f"{number} is no place of your hand: {hint}")
        if number - 1 in places:
            raise InvalidAction(f"card {number} is there twice: a program is {EXAMPLE}")
        places.append(number - 1)
    return places


def spell(s: RoboRace, seat: int, action: int) -> str:
    chosen = i32s(PHASES)
    read_program(action, chosen)
    return " ".join(str(place + 1) for place in chosen)


def refusal(s: RoboRace, seat: int, action: int, code: int) -> str:
    if code == NO_SUCH_SEAT:
        return f"there is no seat {seat}: this match has seats 0 to {s.players - 1}"
    if code == MATCH_OVER:
        return "the race is over: nobody can program any more"
    return f"there is no program {action}: programs are 0 to {MAX_ACTIONS - 1}"


# ------------------------------------------------------------------------- what happened


def narrate(s: RoboRace, told: Told, hearer: int | None) -> str:
    """One event as a line; hands are told to their own seats only."""
    return tell_in_words(told, s.width, s.players)


def tell_in_words(told: Told, width: int, players: int) -> str:
    if told.kind == PHASE_BEGAN:
        return f"phase {told.a}"
    if told.kind == HALL_BEGAN:
        return hall_line(told.b, players)
    if told.kind == ROUNDS_USED_UP:
        return f"the {told.a} rounds are used up"
    robot = robot_name(told.a)
    if told.kind == DEALT:
        cards = ", ".join(f"{card} {card_text(card)}" for card in dealt_cards(told))
        return f"{robot} was dealt {cards}"
    if told.kind == PLAYED:
        return f"{robot} played {told.b} {card_text(told.b)}"
    if told.kind == STEPPED:
        where = f"{DIRECTIONS[told.c]} to {spot(told.b, width)}"
        return f"{robot_name(told.d - 1)} pushed {robot} {where}" if told.d else f"{robot} moved {where}"
    if told.kind == TURNED:
        return f"{robot} turned {TURN_WORDS[told.c]} and faces {DIRECTIONS[told.b]}"
    if told.kind == BUMPED:
        obstacle = robot_name(told.d - 1) if told.d else "a wall"
        return f"{robot} bumped into {obstacle} {DIRECTIONS[told.c]} of {spot(told.b, width)}"
    if told.kind == DESTROYED:
        return f"{robot} {destruction(told)}"
    if told.kind == ACTED:
        return f"{acting_thing(told.c)} at {spot(told.b, width)} acted on {robot}"
    if told.kind == REVITALISED:
        return f"{robot} came back on start {told.d} at {spot(told.b, width)}, facing {DIRECTIONS[told.c]}"
    assert told.kind == WON, told
    return f"{robot} is on a goal and wins"


def robot_name(seat: int) -> str:
    return f"robot {ROBOTS[seat]}"


def spot(cell: int, width: int) -> str:
    return f"({cell % width}, {cell // width})"


def hall_line(order: int, players: int) -> str:
    """RR-random: the order in which the robots feel the hall."""
    names = ", ".join(ROBOTS[item(order, place)] for place in range(players))
    return f"the hall acts, in the order {names}" if players > 1 else "the hall acts"


def dealt_cards(told: Told) -> list[int]:
    return [told.b >> 7 * n & 127 for n in range(4)] + [told.c >> 7 * n & 127 for n in range(3)]


def destruction(told: Told) -> str:
    if told.c == CRUSHED:
        return "was crushed"
    pusher = told.d // 4
    deed = f"was pushed by {robot_name(pusher - 1)}" if pusher else "went"
    return f"{deed} {DIRECTIONS[told.d % 4]} {'into a pit' if told.c == FELL_INTO_PIT else 'off the board'}"


def acting_thing(number: int) -> str:
    """The name of a tile or decoration that acted on a robot."""
    if number == ACTED_DECORATION + CRUSHER:
        return "crusher"
    if number > ACTED_DECORATION:
        return f"pusher {DIRECTIONS[number - ACTED_DECORATION - PUSHER]}"
    return TILE_WORDS[number]


def reason(s: RoboRace) -> str:
    if s.winner:
        return f"{robot_name(s.winner - 1)} reached a goal in round {s.round}"
    return f"nobody reached a goal in {s.round_limit} rounds"


# ------------------------------------------------------------------------- positions


def write_position(s: RoboRace) -> str:
    """The whole state: `read_position` gives it back."""
    hall = hall_of(s)
    robots = {}
    lines = []
    for seat in range(s.players):
        robot = s.robots[seat]
        if robot.alive:
            robots[robot.cell % s.width, robot.cell // s.width] = ROBOTS[seat]
        lines.append(f"robot {ROBOTS[seat]}: {DIRECTIONS[robot.facing] if robot.alive else 'destroyed'}")
        lines.append(f"hand {ROBOTS[seat]}: {' '.join(str(card) for card in robot.hand)}")
    lines.append(f"round {s.round}")
    if s.round_limit:
        lines.append(f"limit {s.round_limit}")
    if s.winner:
        lines.append(f"winner {ROBOTS[s.winner - 1]}")
    dice = s.dice
    lines.append(f"dice {dice.a} {dice.b} {dice.c} {dice.counter}")
    if dice.planned:
        lines.append("plan " + " ".join(str(number) for number in reversed(dice.plan[: dice.planned])))
    return "\n".join([*draw_hall(hall, robots), *describe_hall(hall), *lines, ""])


def read_position(text: str) -> RoboRace:
    """A record from a picture and its lines; what breaks a rule is refused with its line."""
    try:
        drawing, rest = read_drawing(text)
        reader = PositionReader(drawing)
        for number, line in rest:
            if not read_hall_line(drawing, number, line):
                reader.read_line(number, line)
        return reader.finish(finish_hall(drawing))
    except InvalidBoard as error:
        raise InvalidPosition(str(error)) from error


class PositionReader:
    """Collects the lines of a position; knows where it is when something is wrong."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.s = RoboRace()
        self.s.round = 1
        self.facings: dict[int, int] = {}
        self.destroyed: set[int] = set()
        self.hands: dict[int, list[int]] = {}

    def read_line(self, number: int, line: str) -> None:
        word, _, rest = " ".join(line.lower().split()).partition(" ")
        readers = {
            "round": self.read_round,
            "limit": self.read_limit,
            "robot": self.read_robot,
            "hand": self.read_hand,
            "winner": self.read_winner,
            "dice": self.read_dice,
            "plan": self.read_plan,
        }
        if word not in readers:
            known = ", ".join((*readers, "start, or the sign of a decoration"))
            raise InvalidPosition(f"line {number}: {line!r} is not understood: begin with {known}")
        try:
            readers[word](rest)
        except InvalidPosition as error:
            raise InvalidPosition(f"line {number}: {error}") from None

    def read_round(self, rest: str) -> None:
        self.s.round = number_in(rest, "round", 1, LAST_ROUND)

    def read_limit(self, rest: str) -> None:
        self.s.round_limit = number_in(rest, "limit", 1, LAST_ROUND)

    def read_robot(self, rest: str) -> None:
        seat, word = seat_and_rest(rest)
        if seat in self.facings or seat in self.destroyed:
            raise InvalidPosition(f"{robot_name(seat)} has two lines: keep one")
        if word == "destroyed":
            self.destroyed.add(seat)
        elif word in DIRECTIONS:
            self.facings[seat] = DIRECTIONS.index(word)
        else:
            raise InvalidPosition(f"{word!r} says nothing of a robot: say north, east, south, west or destroyed")

    def read_hand(self, rest: str) -> None:
        seat, words = seat_and_rest(rest)
        cards = [number_in(word, "card", 1, DECK) for word in words.split()]
        if len(cards) != HAND:
            raise InvalidPosition(f"a hand of {len(cards)} cards: it must have {HAND}")
        for card in cards:
            owners = [other for other, hand in self.hands.items() if card in hand]
            if cards.count(card) > 1 or owners:
                raise InvalidPosition(f"card {card} is there twice: the deck has each once")
        self.hands[seat] = cards

    def read_winner(self, rest: str) -> None:
        self.s.winner = seat_number(rest) + 1

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

    def finish(self, hall: Hall) -> RoboRace:
        """What only the whole position shows: who plays, and that no rule is broken."""
        s = self.s
        lay_hall(s, hall)
        seats = sorted({*self.drawing.robots, *self.destroyed})
        s.players = len(seats)
        if not seats or seats != list(range(len(seats))):
            names = " ".join(ROBOTS[seat] for seat in seats) or "none"
            raise InvalidPosition(f"the robots are {names}: draw A, then B, C and D")
        if s.players > s.starts:
            raise InvalidPosition(f"{s.players} robots but {s.starts} starts: every robot needs its own")
        for seat in seats:
            self.place_robot(seat)
        for seat in {*self.facings, *self.hands} - set(seats):
            raise InvalidPosition(f"{robot_name(seat)} has a line but is not drawn: draw {ROBOTS[seat]}")
        self.check_end()
        return s

    def place_robot(self, seat: int) -> None:
        s, robot, name = self.s, self.s.robots[seat], robot_name(seat)
        if seat not in self.hands:
            raise InvalidPosition(f"{name} has no hand: add a line hand {ROBOTS[seat]}: and {HAND} cards")
        robot.hand[:] = bytes(self.hands[seat])
        if seat in self.destroyed:
            if seat in self.drawing.robots:
                raise InvalidPosition(f"{name} is drawn, so it is not destroyed")
            robot.cell = NOWHERE
            return
        x, y = self.drawing.robots[seat]
        where = f"line {self.drawing.lines[x, y]}: {name} at ({x}, {y})"
        if seat not in self.facings:
            raise InvalidPosition(f"{where} has no direction: add a line robot {ROBOTS[seat]}: north")
        robot.cell = y * s.width + x
        robot.facing = self.facings[seat]
        robot.alive = True
        if s.tiles[robot.cell] == PIT:
            raise InvalidPosition(f"{where} is on a pit: it would be destroyed")
        for other in range(seat):
            if s.robots[other].cell == robot.cell:
                raise InvalidPosition(f"{where} shares its cell with {robot_name(other)}: one robot a cell")

    def check_end(self) -> None:
        s = self.s
        if s.winner:
            if s.winner > s.players:
                raise InvalidPosition(f"the winner {ROBOTS[s.winner - 1]} does not play")
            winner = s.robots[s.winner - 1]
            if not winner.alive or s.tiles[winner.cell] != GOAL:
                raise InvalidPosition(f"the winner {ROBOTS[s.winner - 1]} is not on a goal")
        elif self.destroyed:
            seat = min(self.destroyed)
            raise InvalidPosition(f"{robot_name(seat)} cannot be destroyed between rounds: it would be back by now")
        if s.round_limit and s.round > s.round_limit + 1:
            raise InvalidPosition(f"round {s.round} is beyond the limit of {s.round_limit} rounds")


def seat_and_rest(rest: str) -> tuple[int, str]:
    name, _, told = rest.partition(":")
    return seat_number(name), told.strip()


def seat_number(name: str) -> int:
    letter = name.strip().upper()
    if not re.fullmatch(f"[{ROBOTS}]", letter):
        raise InvalidPosition(f"{name.strip()!r} is no robot: say A, B, C or D")
    return ROBOTS.index(letter)


def number_in(text: str, what: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and low <= int(text) <= high):
        raise InvalidPosition(f"{what} {text[:20]!r} must be a number from {low} to {high}")
    return int(text)
