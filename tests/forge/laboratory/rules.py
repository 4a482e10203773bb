"""The laboratory's rules: `experiment` says what a step does with the numbers a and b."""

from __future__ import annotations

from tests.forge.laboratory.records import SHELF, SQUARES, Laboratory
from turntile.core.dice import below, reseed
from turntile.core.events import forget_events, tell
from turntile.forge import assign, i32, i32s, u8s

MAX_SEATS = 1
MAX_ACTIONS = 2
PLANES = 1
MASK = 0xFFFFFFFF

ADD = 0
SUBTRACT = 1
MULTIPLY = 2
DIVIDE = 3
MODULO = 4
SHIFT_LEFT = 5
SHIFT_RIGHT = 6
AND = 7
OR = 8
XOR = 9
NEGATE = 10
INVERT = 11
ABSOLUTE = 12
LEAST = 13
MOST = 14
COMPARE = 15
STORE_U8 = 16
STORE_I16 = 17
STORE_I32 = 18
STORE_U32 = 19
STORE_BYTES = 20
STORE_HALVES = 21
READ_BYTES = 22
READ_JARS = 23
READ_TABLE = 24
READ_LOCAL = 25
READ_PARAMETER = 26
ORDER_OF_CALLS = 27
ORDER_OF_OPERANDS = 28
ORDER_OF_STORE = 29
CHAIN = 30
LOOPS = 31
COPY_RECORD = 32
ASSERTION = 33
CONDITIONAL = 34
BIT_BY_BIT = 35
LOCAL_U8 = 36
WIDE_SUM = 37
WALK = 38
WALK_SOMETIMES = 39
EXPERIMENTS = 40


def setup(s: Laboratory) -> None:
    s.width = 1
    s.height = 1


def seats(s: Laboratory) -> int:
    return 1


def to_act(s: Laboratory) -> int:
    return 0 if over(s) else 1


def over(s: Laboratory) -> bool:
    return s.steps >= 3


def why_illegal(s: Laboratory, seat: int, action: int) -> int:
    return 0 if seat == 0 and 0 <= action < MAX_ACTIONS and not over(s) else 1


def legal(s: Laboratory, seat: int, out: list[i32]) -> int:
    if why_illegal(s, seat, 0) != 0:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


def default_action(s: Laboratory, seat: int) -> int:
    return 0


def score(s: Laboratory, seat: int) -> int:
    return s.result_low & 1


def place(s: Laboratory, seat: int) -> int:
    return 1 if over(s) else 0


def observe(s: Laboratory, seat: int, out: bytearray) -> None:
    out[0] = s.steps & 255


def redeal(s: Laboratory, seat: int) -> None:
    reseed(s.dice)


def step(s: Laboratory, actions: list[i32]) -> None:
    forget_events(s.log)
    s.steps += 1
    a = s.a_high * (1 << 32) + s.a_low
    b = s.b_high * (1 << 32) + s.b_low
    keep(s, experiment(s, s.experiment, a, b))
    tell(s.log, 1, s.steps, s.result_high)


def keep(s: Laboratory, result: int) -> None:
    s.result_high = result >> 32
    s.result_low = result & MASK


def experiment(s: Laboratory, kind: int, a: int, b: int) -> int:
    if kind == ADD:
        return a + b
    if kind == SUBTRACT:
        return a - b
    if kind == MULTIPLY:
        return a * b
    if kind == DIVIDE:
        return a // b
    if kind == MODULO:
        return a % b
    if kind == SHIFT_LEFT:
        return a << min(b, 200)  # Python would make a number of as many bits
    if kind == SHIFT_RIGHT:
        return a >> b
    if kind == AND:
        return a & b
    if kind == OR:
        return a | b
    if kind == XOR:
        return a ^ b
    if kind == NEGATE:
        return -a
    if kind == INVERT:
        return ~a
    if kind == ABSOLUTE:
        return abs(a)
    if kind == LEAST:
        return min(a, b, 7)
    if kind == MOST:
        return max(a, b, 7)
    if kind == COMPARE:
        return int(a < b) + 2 * int(a <= b) + 4 * int(a == b) + 8 * int(a != b) + 16 * int(a > b) + 32 * int(a >= b)
    return storing(s, kind, a, b)


def storing(s: Laboratory, kind: int, a: int, b: int) -> int:
    if kind == STORE_U8:
        s.jar.small = a
        return s.jar.small
    if kind == STORE_I16:
        s.jar.half = a
        return s.jar.half
    if kind == STORE_I32:
        s.jar.whole = a
        return s.jar.whole
    if kind == STORE_U32:
        s.jar.wide = a
        return s.jar.wide
    if kind == STORE_BYTES:
        s.bytes[b] = a
        return s.bytes[b]
    if kind == STORE_HALVES:
        s.halves[b] += a
        return s.halves[b]
    if kind == READ_BYTES:
        return s.bytes[a]
    if kind == READ_JARS:
        return s.jars[a].whole
    if kind == READ_TABLE:
        return SQUARES[a]
    if kind == READ_LOCAL:
        shelf = i32s(SHELF)
        shelf[b] = a
        return shelf[b] + len(shelf)
    if kind == READ_PARAMETER:
        shelf_of_bytes = u8s(SHELF)
        return item(shelf_of_bytes, a)
    return sequencing(s, kind, a, b)


def item(shelf: bytearray, at: int) -> int:
    shelf[at] += 1
    return shelf[at]


def sequencing(s: Laboratory, kind: int, a: int, b: int) -> int:
    """What must happen from left to right, as Python does it and C need not."""
    if kind == ORDER_OF_CALLS:
        return digits(below(s.dice, 100), below(s.dice, 100), below(s.dice, 100))
    if kind == ORDER_OF_OPERANDS:
        return s.jar.whole * 1000 + bump(s) * 100 + s.jar.whole * 10 + bump(s)
    if kind == ORDER_OF_STORE:
        s.bytes[bump(s) % SHELF] = bump(s)
        s.halves[s.jar.whole % SHELF] += bump(s)
        return s.bytes[0] + 10 * s.bytes[1] + 100 * s.bytes[2] + 1000 * s.halves[2]
    if kind == CHAIN:
        low = 0 <= bump(s) < bump(s) < 2
        return 10 * s.jar.whole + int(low)
    if kind == LOOPS:
        return loops(a & 15, b & 15)
    if kind == COPY_RECORD:
        s.jars[1].whole = b & 255
        assign(s.jars[0], s.jars[1])
        s.jars[1].whole = 3
        return s.jars[0].whole
    if kind == ASSERTION:
        assert a < b
        return b
    if kind == CONDITIONAL:
        jar = s.jars[2] if a < b else s.jars[3]
        jar.open = not jar.open
        return int(s.jars[2].open) + 2 * int(s.jars[3].open) + (bump(s) if a < b or bump(s) > 100 else 50)
    if kind == BIT_BY_BIT:
        s.flags[2] = bool(a & 1) & bool(b & 1)
        s.flags[3] = (a > b) | (a < b)
        s.flags[4] = (a > 0) ^ (b > 0)
        return int(s.flags[2]) + 2 * int(s.flags[3]) + 4 * int(s.flags[4])
    if kind == LOCAL_U8:
        shelf = u8s(SHELF)
        shelf[2] = a
        return shelf[2]
    if kind == WIDE_SUM:
        s.jar.wide = a & MASK
        return s.jar.wide + s.a_low * 2 + (s.b_low << 1)
    return walking(s, kind, a, b)


def walking(s: Laboratory, kind: int, a: int, b: int) -> int:
    """Loops over arrays, whose indices one test before the loop may cover."""
    total = 0
    if kind == WALK:
        for k in range(a & 7):
            s.bytes[b + k] = k + 1
            total += 10 * s.bytes[k] + s.halves[k]
    if kind == WALK_SOMETIMES:
        for k in range(a & 7):
            if k < b:
                s.bytes[k + 1] = 1
                total += s.bytes[k]
    return total


def digits(a: int, b: int, c: int) -> int:
    return a * 10000 + b * 100 + c


def bump(s: Laboratory) -> int:
    s.jar.whole += 1
    return s.jar.whole


def loops(a: int, b: int) -> int:
    total = 0
    for k in range(a):
        if k == 3:
            continue
        for m in range(b, 0, -2):
            if m + k > 20:
                break
            total += m * k
    while total > 100:
        total -= 7
        if total % 13 == 0:
            break
    return total
