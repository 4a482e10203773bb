"""Clocks as arithmetic: how long a turn may last, and what it costs. Nothing here reads the time.

A time control has two parts, of which one may be missing. Each turn has a free allowance
(a longer one for the first turns, where bots warm up), and a seat has a bank, from which a
turn that lasts longer is paid; after each turn the increment is added to the bank. A turn
that neither covers is late.

As text: `100ms` · `1s*5+100ms` (five first turns of a second) · `bank 60s +1s` · `100ms bank 2s` · `none`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turntile.core.errors import InvalidOptions

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0}
LONGEST_S = 7 * 24 * 3600.0
DURATION = r"[0-9]{1,9}(?:\.[0-9]{1,3})?(?:ms|s|min|m)"
CONTROL = re.compile(
    rf"(?:(?:(?P<first>{DURATION})\*(?P<turns>[0-9]{{1,9}})\+)?(?P<turn>{DURATION}))?"
    rf"(?: ?bank ?(?P<bank>{DURATION})(?: ?\+ ?(?P<increment>{DURATION}))?)?"
)
EXAMPLES = "100ms, 1s*5+100ms (five first turns of a second), bank 60s +1s, 100ms bank 2s, or none"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What every seat's clock starts with. All zero: no limit."""

    turn_s: float = 0.0  # the free allowance of a turn
    first_s: float = 0.0  # ... of the first turns
    first_turns: int = 0
    bank_s: float = 0.0
    increment_s: float = 0.0

    @property
    def limited(self) -> bool:
        return self.turn_s > 0 or self.bank_s > 0 or self.increment_s > 0

    def __str__(self) -> str:
        if not self.limited:
            return "none"
        parts = []
        if self.turn_s:
            first = f"{spell_duration(self.first_s)}*{self.first_turns}+" if self.first_turns else ""
            parts.append(first + spell_duration(self.turn_s))
        if self.bank_s or self.increment_s:
            parts.append("bank " + spell_duration(self.bank_s))
            if self.increment_s:
                parts.append("+" + spell_duration(self.increment_s))
        return " ".join(parts)


NO_LIMIT = TimeControl()


def read_control(text: str) -> TimeControl:
    """A time control from its text. Raises InvalidOptions."""
    plain = " ".join(text.split())
    if plain in ("", "none"):
        return NO_LIMIT
    found = CONTROL.fullmatch(plain)
    if not found:
        raise InvalidOptions(f"{text!r} is no time control: say {EXAMPLES}")
    control = TimeControl(
        turn_s=read_duration(found["turn"]),
        first_s=read_duration(found["first"]),
        first_turns=int(found["turns"] or 0),
        bank_s=read_duration(found["bank"]),
        increment_s=read_duration(found["increment"]),
    )
    if not control.limited:
        raise InvalidOptions(f"{text!r} leaves no time to act: say {EXAMPLES}")
    if found["first"] and (control.first_s == 0 or control.first_turns == 0):
        raise InvalidOptions(f"{text!r} gives the first turns nothing: say {EXAMPLES}")
    return control


def read_duration(text: str | None) -> float:
    if not text:
        return 0.0
    number = text.rstrip("msin")
    seconds = float(number) * UNITS[text[len(number) :]]
    if seconds > LONGEST_S:
        raise InvalidOptions(f"{text} is too long for a clock: at most a week")
    return seconds


def spell_duration(seconds: float) -> str:
    if seconds < 1 and seconds:
        return f"{seconds * 1000:g}ms"
    return f"{seconds:.10g}s"


class Clock:
    """One seat's clock in one match."""

    __slots__ = ("bank_s", "control", "turns")

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank_s = control.bank_s
        self.turns = 0  # how many have been charged

    def free_s(self) -> float:
        """The allowance of this turn, before the bank is touched."""
        return self.control.first_s if self.turns < self.control.first_turns else self.control.turn_s

    def limit_s(self) -> float | None:
        """How long this turn may last in all; None without a limit."""
        return self.free_s() + self.bank_s if self.control.limited else None

    def charge(self, spent_s: float) -> bool:
        """Count a turn that lasted so long; whether it was in time. A late turn empties the bank."""
        limit = self.limit_s()
        in_time = limit is None or spent_s <= limit
        self.bank_s = max(0.0, self.bank_s - max(0.0, spent_s - self.free_s())) + self.control.increment_s
        self.turns += 1
        return in_time
