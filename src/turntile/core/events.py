"""Events: what happened in a step, in the past tense, each with the seats that may know it.

A game's root record ends with a `log: Log`. The log belongs to the step, not to the
position: it is no part of a state's bytes, equality or hash. Playouts and search set
`quiet`, and then nothing is written down.
"""

from __future__ import annotations

from turntile.forge import i32, many, record

MAX_EVENTS = 512
EVERYBODY = 255  # an audience is a bit set of seats


# An event is this many numbers in the log: kind, audience, and what it says.
EVENT_SIZE = 6


@record
class Log:
    quiet: bool
    n: i32  # events so far in this step
    numbers: list[i32] = many(EVENT_SIZE * MAX_EVENTS)


def forget_events(log: Log) -> None:
    """First thing in every `step`: the log tells of one step only."""
    log.n = 0


def tell(log: Log, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Something happened that everybody may know."""
    tell_some(log, EVERYBODY, kind, a, b, c, d)


def tell_some(log: Log, audience: int, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Something happened that only the seats in `audience` (a bit set) and the judge may know."""
    if not log.quiet:
        at = EVENT_SIZE * log.n
        log.numbers[at] = kind
        log.numbers[at + 1] = audience
        log.numbers[at + 2] = a
        log.numbers[at + 3] = b
        log.numbers[at + 4] = c
        log.numbers[at + 5] = d
        log.n += 1
