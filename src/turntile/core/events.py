"""Events: what happened in a step, in the past tense, each with the seats that may know it.

A game's root record ends with a `log: Log`. The log belongs to the step, not to the
position: it is no part of a state's bytes, equality or hash. Playouts and search set
`quiet`, and then nothing is written down.
"""

from __future__ import annotations

from turntile.forge import i32, many, record, u8

MAX_EVENTS = 512
EVERYBODY = 255  # an audience is a bit set of seats


@record
class Event:
    kind: u8  # the game's own number for what happened
    audience: u8
    a: i32
    b: i32
    c: i32
    d: i32


@record
class Log:
    quiet: bool
    n: i32
    events: list[Event] = many(MAX_EVENTS)


def forget_events(log: Log) -> None:
    """First thing in every `step`: the log tells of one step only."""
    log.n = 0


def tell(log: Log, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Something happened that everybody may know."""
    tell_some(log, EVERYBODY, kind, a, b, c, d)


def tell_some(log: Log, audience: int, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Something happened that only the seats in `audience` (a bit set) and the judge may know."""
    if not log.quiet:
        event = log.events[log.n]
        event.kind = kind
        event.audience = audience
        event.a = a
        event.b = b
        event.c = c
        event.d = d
        log.n += 1
