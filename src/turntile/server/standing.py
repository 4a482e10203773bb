"""How a match stands: all that follows from its journal, and from nothing else.

The same code applies an entry while people play and when a journal is run again, so that a
match that was killed stands as it stood.
"""

from __future__ import annotations

from collections.abc import Iterable

from turntile.core.registry import find
from turntile.match import log
from turntile.match.clock import NO_LIMIT, Clock, TimeControl, read_control
from turntile.match.log import Acted, Entry, Resigned, WasSilent
from turntile.match.match import Match, Step
from turntile.match.options import choose_options
from turntile.store.rows import MatchRow

REAL = "real"  # a clock that begins so is a game's real time at another speed: "real 300ms"


class Standing:
    """A match, the numbers its seats' messages bear next, their clocks and failures."""

    __slots__ = ("clocks", "failures", "match", "next_seq", "number", "public_number")

    def __init__(self, match: Match, control: TimeControl) -> None:
        seats = len(match.seats)
        self.match = match
        self.number = 0  # entries applied
        self.public_number = 0  # what everybody knows to have happened: steps, resignations, a draw agreed on
        self.next_seq = [1] * seats
        self.failures = [0] * seats  # answers of bots that did not count
        self.clocks = [Clock(control) for _ in range(seats)] if control.limited else []

    def apply(self, entry: Entry) -> list[Step]:
        """Raises what `Match` raises; then nothing has changed."""
        steps = log.apply(self.match, entry)
        self.number += 1
        self.public_number += len(steps)
        if self.clocks:
            log.charge(self.clocks, entry)
        if isinstance(entry, Acted):
            if entry.seq:
                self.next_seq[entry.seat] = entry.seq + 1
        elif isinstance(entry, WasSilent):
            if entry.failure is not None:
                for seat in entry.seats:
                    self.failures[seat] += 1
        else:
            self.public_number += not steps
            if isinstance(entry, Resigned) and entry.seq:
                self.next_seq[entry.seat] = entry.seq + 1
        return steps


def begin(row: MatchRow) -> Standing:
    """The match of a table as it begins."""
    game = find(row.game)
    match = Match.start(game, choose_options(game, row.options), int(row.seed, 16))
    return Standing(match, control_of(row))


def rerun(row: MatchRow, entries: Iterable[bytes]) -> Standing:
    """The match as its journal leaves it. For threads: it takes long where the journal is long."""
    standing = begin(row)
    for entry in entries:
        standing.apply(log.read_entry(entry))
    return standing


def control_of(row: MatchRow) -> TimeControl:
    return NO_LIMIT if row.clock.startswith(REAL) else read_control(row.clock)
