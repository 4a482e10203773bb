"""Connect Four: the rules, once, in forge's subset. The ids are those of RULES.md."""

from __future__ import annotations

from turntile.core.dice import Dice, below, reseed
from turntile.core.events import Log, forget_events, tell
from turntile.forge import i32, many, record, u8

MAX_SEATS = 2
MAX_SIDE = 10
MAX_ACTIONS = MAX_SIDE  # an action is a column
PLANES = 2
LINE = 4

# The grid lies in a larger one with a free cell at every edge, so that a line ends there by
# itself: one cell to the right is 1 further, one down is STRIDE further.
STRIDE = MAX_SIDE + 1
CELLS = (MAX_SIDE + 2) * STRIDE + 1

# Whose stone a cell holds is its seat + 1.
EMPTY = 0
NOBODY = 0

# Why an action is refused.
MATCH_OVER = 1
NOT_YOUR_TURN = 2
NO_SUCH_COLUMN = 3
COLUMN_FULL = 4

# What happened.
DROPPED = 1  # seat, column, row
WON = 2  # seat


@record
class ConnectFour:
    width: i32
    height: i32
    stones: i32
    winner: u8  # the seat + 1, or NOBODY
    dice: Dice
    filled: bytearray = many(MAX_SIDE)  # how many stones each column holds
    cells: bytearray = many(CELLS)
    log: Log


def setup(s: ConnectFour) -> None:
    """C1: the grid is empty, as the record already is."""
    s.winner = NOBODY


def seats(s: ConnectFour) -> int:
    return 2


def turn_of(s: ConnectFour) -> int:
    """C2: in turn, seat 0 first."""
    return s.stones & 1


def over(s: ConnectFour) -> bool:
    """C5, C6."""
    return s.winner != NOBODY or s.stones == s.width * s.height


def to_act(s: ConnectFour) -> int:
    return 0 if over(s) else 1 << turn_of(s)


def why_illegal(s: ConnectFour, seat: int, action: int) -> int:
    if over(s):
        return MATCH_OVER
    if seat != turn_of(s):
        return NOT_YOUR_TURN
    if action < 0 or action >= s.width:
        return NO_SUCH_COLUMN
    if s.filled[action] == s.height:
        return COLUMN_FULL  # C4
    return 0


def legal(s: ConnectFour, seat: int, out: list[i32]) -> int:
    n = 0
    if over(s) or seat != turn_of(s):
        return n
    for column in range(s.width):
        if s.filled[column] < s.height:
            out[n] = column
            n += 1
    return n


def default_action(s: ConnectFour, seat: int) -> int:
    """Silence drops a stone into the first column that takes one."""
    column = 0
    while s.filled[column] == s.height:
        column += 1
    return column


def step(s: ConnectFour, actions: list[i32]) -> None:
    forget_events(s.log)
    seat = turn_of(s)
    drop(s, seat, actions[seat])


def cell_at(x: int, y: int) -> int:
    """Where a cell of the grid lies, (0, 0) being the top left."""
    return (y + 1) * STRIDE + x + 1


def drop(s: ConnectFour, seat: int, column: int) -> None:
    """C3: the stone comes to rest on the lowest free cell."""
    row = s.height - 1 - s.filled[column]
    at = cell_at(column, row)
    s.cells[at] = seat + 1
    s.filled[column] += 1
    s.stones += 1
    tell(s.log, DROPPED, seat, column, row)
    if makes_a_line(s, at):
        s.winner = seat + 1
        tell(s.log, WON, seat)


def makes_a_line(s: ConnectFour, at: int) -> bool:
    """C5: four in a line through this stone; only such lines can be new."""
    return (
        1 + run(s, at, STRIDE) >= LINE
        or 1 + run(s, at, -1) + run(s, at, 1) >= LINE
        or 1 + run(s, at, -STRIDE - 1) + run(s, at, STRIDE + 1) >= LINE
        or 1 + run(s, at, -STRIDE + 1) + run(s, at, STRIDE - 1) >= LINE
    )


def run(s: ConnectFour, at: int, further: int) -> int:
    """How many stones of the same seat lie beside this one in one direction."""
    stone = s.cells[at]
    n = 0
    at += further
    while s.cells[at] == stone:
        n += 1
        at += further
    return n


def score(s: ConnectFour, seat: int) -> int:
    """A win is worth 2, a draw 1."""
    if not over(s):
        return 0
    if s.winner == NOBODY:
        return 1
    return 2 if s.winner == seat + 1 else 0


def place(s: ConnectFour, seat: int) -> int:
    if not over(s):
        return 0
    return 1 if s.winner == NOBODY or s.winner == seat + 1 else 2


def observe(s: ConnectFour, seat: int, out: bytearray) -> None:
    """One's own stones, then the other's."""
    size = s.width * s.height
    for y in range(s.height):
        row = cell_at(0, y)
        mine = y * s.width
        others = size + mine
        for x in range(s.width):
            out[mine + x] = int(s.cells[row + x] == seat + 1)
            out[others + x] = int(s.cells[row + x] == 2 - seat)


def redeal(s: ConnectFour, seat: int) -> None:
    """Nothing is hidden."""
    reseed(s.dice)


def rollout_action(s: ConnectFour, seat: int, dice: Dice) -> int:
    """Any column that is not full, found without listing them."""
    column = below(dice, s.width)
    while s.filled[column] == s.height:
        column = below(dice, s.width)
    return column
