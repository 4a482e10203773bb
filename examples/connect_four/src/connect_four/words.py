"""Connect Four in words: actions, refusals, events and positions as text, and back."""

from __future__ import annotations

from connect_four.rules import (
    COLUMN_FULL,
    DROPPED,
    EMPTY,
    MATCH_OVER,
    MAX_SIDE,
    NO_SUCH_COLUMN,
    NOBODY,
    NOT_YOUR_TURN,
    ConnectFour,
    cell_at,
    makes_a_line,
)
from turntile.core.dice import MASK32
from turntile.core.errors import InvalidAction, InvalidPosition
from turntile.core.game import Told

STONES = ".xo"
NAMES = ("x", "o")


def parse(record: ConnectFour, seat: int, text: str) -> int:
    """`4` or `drop 4`: columns count from 1."""
    word = text.strip().lower().removeprefix("drop").strip()
    if not (word.isascii() and word.isdigit()):
        raise InvalidAction(f"{text!r} is no column: say a number from 1 to {record.width}")
    return int(word[:9]) - 1


def spell(record: ConnectFour, seat: int, action: int) -> str:
    return str(action + 1)


def refusal(record: ConnectFour, seat: int, action: int, code: int) -> str:
    return {
        MATCH_OVER: "the match is over",
        NOT_YOUR_TURN: "it is the other's turn: wait for the stone",
        NO_SUCH_COLUMN: f"there is no column {action + 1}: say 1 to {record.width}",
        COLUMN_FULL: f"column {action + 1} is full: choose another",
    }[code]


def narrate(record: ConnectFour, told: Told, hearer: int | None) -> str:
    if told.kind == DROPPED:
        return f"{NAMES[told.a]} drops into column {told.b + 1}"
    return f"{NAMES[told.a]} has four in a line"


def reason(record: ConnectFour) -> str:
    return "the grid is full" if record.winner == NOBODY else f"{NAMES[record.winner - 1]} has four in a line"


def write_position(record: ConnectFour) -> str:
    """The grid as a picture: `.` free, `x` seat 0, `o` seat 1. Whose turn it is follows from the stones.

    The dice decide nothing in this game, but they are part of the state: a line of their own.
    """
    dice = record.dice
    words = [dice.a, dice.b, dice.c, dice.counter]
    return "\n".join([*picture(record), *([f"dice {' '.join(map(str, words))}"] if any(words) else []), ""])


def picture(record: ConnectFour) -> list[str]:
    return ["".join(STONES[record.cells[cell_at(x, y)]] for x in range(record.width)) for y in range(record.height)]


def read_position(text: str) -> ConnectFour:
    rows = [line.strip().lower() for line in text.strip().splitlines()]
    dice = rows.pop() if rows and rows[-1].startswith("dice") else ""
    width, height = len(rows[0]) if rows else 0, len(rows)
    if not (4 <= width <= MAX_SIDE and 4 <= height <= MAX_SIDE):
        raise InvalidPosition(f"a grid of {width}x{height}: both sides need 4 to {MAX_SIDE}")
    s = ConnectFour()
    s.width, s.height = width, height
    for y, row in enumerate(rows):
        if len(row) != width:
            raise InvalidPosition(f"row {y + 1} has {len(row)} cells: all rows need {width}")
        for x, letter in enumerate(row):
            if letter not in STONES:
                raise InvalidPosition(f"{letter!r} in row {y + 1}, column {x + 1}: a cell is one of . x o")
            s.cells[cell_at(x, y)] = STONES.index(letter)
    count_stones(s)
    if dice:
        read_dice(s, dice)
    return s


def read_dice(s: ConnectFour, line: str) -> None:
    words = line.split()[1:]
    if len(words) != 4 or not all(word.isascii() and word.isdigit() and int(word[:11]) <= MASK32 for word in words):
        raise InvalidPosition(f"{line!r}: dice are four numbers from 0 to {MASK32}")
    s.dice.a, s.dice.b, s.dice.c, s.dice.counter = map(int, words)


def count_stones(s: ConnectFour) -> None:
    """What follows from the picture; refused where it cannot have come about."""
    for x in range(s.width):
        column = [s.cells[cell_at(x, y)] for y in range(s.height)]
        s.filled[x] = sum(cell != EMPTY for cell in column)
        if any(cell != EMPTY for cell in column[: s.height - s.filled[x]]):
            raise InvalidPosition(f"column {x + 1} has a stone above a free cell: stones fall")
    first, second = (sum(cell == stone for cell in s.cells) for stone in (1, 2))
    if first - second not in (0, 1):
        raise InvalidPosition(f"{first} x and {second} o: x begins, so x has as many or one more")
    s.stones = first + second
    stones = [at for at, cell in enumerate(s.cells) if cell != EMPTY]
    winners = {s.cells[at] for at in stones if makes_a_line(s, at)}
    if len(winners) > 1:
        raise InvalidPosition("both have four in a line: the first one ended the match")
    s.winner = winners.pop() if winners else NOBODY
    if s.winner != NOBODY and (s.stones - 1) % 2 != s.winner - 1:
        raise InvalidPosition(f"{NAMES[s.winner - 1]} has four in a line but did not move last")
