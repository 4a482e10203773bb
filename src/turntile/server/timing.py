"""When something is due at a table: the end of a turn, the next step in real time, a seat left alone.

One timer a table, set to the earliest; when it rings the table is told that time has passed and
asks here what is due. Times are the event loop's. After a restart every turn starts anew: an
outage of the server is nobody's fault.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from turntile.match.clock import read_duration
from turntile.match.match import Match
from turntile.server.messages import ClockInfo
from turntile.server.standing import REAL, Standing
from turntile.store.rows import MatchRow

if TYPE_CHECKING:
    from turntile.server.settings import Settings

PEOPLE_COME_WITHIN_S = 30.0  # real time does not begin before all people are there, or so much has passed
BOTS_LATE_S = 0.5  # how long a step in real time waits for a built-in bot that still thinks
FIRST_STEP_S = 10.0  # ... and the first one, when a worker may have to start
SHORTEST_REAL_S, LONGEST_REAL_S = 0.05, 60.0


class Timing:
    """The turns of one match, as time sees them."""

    __slots__ = (
        "began",
        "bots_until",
        "due",
        "gone_since",
        "handle",
        "loop",
        "opened",
        "people",
        "present",
        "real_s",
        "ring",
        "rings_at",
        "settings",
        "turn_step",
        "untimed",
        "waits_for_bots",
    )

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        row: MatchRow,
        turn_ms: int,
        settings: Settings,
        untimed: frozenset[int],
        present: Callable[[int], bool],
        ring: Callable[[], None],
    ) -> None:
        now = loop.time()
        self.loop = loop
        self.settings = settings
        self.ring = ring
        self.present = present  # whether somebody with that seat is connected
        self.people = tuple(seat.seat for seat in row.seats if seat.kind == "human")
        self.untimed = untimed  # seats whose time we do not measure: built-in bots, and those with a driver
        self.real_s = real_seconds(row.clock, turn_ms) if self.people else 0.0
        self.opened = now
        self.due: float | None = None  # the next step in real time; None: not begun
        self.bots_until = 0.0
        self.waits_for_bots = False  # the step is due, but a built-in bot still thinks
        self.turn_step = [-1] * len(row.seats)  # the step each seat's present turn is in
        self.began = [now] * len(row.seats)  # ... and since when
        self.gone_since = [now] * len(row.seats)
        self.handle: asyncio.TimerHandle | None = None
        self.rings_at = 0.0

    # ------------------------------------------------------------------- turns

    def turns_begin(self, match: Match) -> None:
        """Those who are to act have been told so: their time runs from here."""
        now = self.loop.time()
        for seat in match.waiting():
            if self.turn_step[seat] != match.step_number:
                self.turn_step[seat] = match.step_number
                self.began[seat] = now

    def spent_s(self, seat: int, now: float) -> float:
        return max(0.0, now - self.began[seat])

    def late_seats(self, standing: Standing, now: float) -> list[int]:
        """Those whose turn has lasted longer than it may."""
        if not standing.clocks:
            return []
        late = []
        for seat in standing.match.waiting():
            deadline = self.turn_ends(standing, seat)
            if deadline is not None and now >= deadline:
                late.append(seat)
        return late

    def turn_ends(self, standing: Standing, seat: int) -> float | None:
        if not standing.clocks or seat in self.untimed or self.turn_step[seat] != standing.match.step_number:
            return None
        limit = standing.clocks[seat].limit_s()
        return None if limit is None else self.began[seat] + limit

    def left_seats(self, standing: Standing, now: float) -> list[int]:
        """Those who keep the others waiting, and have been away for long."""
        return [
            seat
            for seat in standing.match.waiting()
            if (deadline := self.left_at(standing, seat)) is not None and now >= deadline
        ]

    def left_at(self, standing: Standing, seat: int) -> float | None:
        if standing.clocks or self.real_s or seat in self.untimed or self.present(seat):
            return None
        return max(self.began[seat], self.gone_since[seat]) + self.settings.abandon_s

    # ------------------------------------------------------------------- real time

    def start_countdown(self) -> bool:
        """Real time begins once all people are there; whether it did so now."""
        if not self.real_s or self.due is not None:
            return False
        now = self.loop.time()
        if now < self.opened + PEOPLE_COME_WITHIN_S and not all(map(self.present, self.people)):
            return False
        self.due = now + max(self.settings.countdown_s, self.real_s)
        return True

    def step_due(self, now: float) -> bool:
        return self.due is not None and now >= self.due

    def wait_for_bots(self, now: float, step: int) -> bool:
        """Whether a step that is due may wait for a bot a little longer: a machine out of breath is not its fault."""
        assert self.due is not None
        self.bots_until = self.due + (FIRST_STEP_S if step == 0 else max(self.real_s, BOTS_LATE_S))
        self.waits_for_bots = now < self.bots_until
        return self.waits_for_bots

    def next_step(self, now: float) -> None:
        """A step was played. Steps keep their distance, and none is hurried after a delay."""
        assert self.due is not None
        self.waits_for_bots = False
        self.due = max(self.due + self.real_s, now + self.real_s / 2)

    # ------------------------------------------------------------------- the timer

    def arm(self, standing: Standing) -> None:
        """See that the bell rings in time. One that rings too early does no harm: it is set again."""
        deadline = self.next_deadline(standing)
        if deadline is None:
            return
        if self.handle is not None:
            if self.rings_at <= deadline:
                return
            self.handle.cancel()
        self.rings_at = deadline
        self.handle = self.loop.call_at(deadline, self.rung)

    def rung(self) -> None:
        self.handle = None
        self.ring()

    def next_deadline(self, standing: Standing) -> float | None:
        if self.real_s:
            if self.due is None:
                return self.opened + PEOPLE_COME_WITHIN_S
            return self.bots_until if self.waits_for_bots else self.due
        earliest: float | None = None
        for seat in standing.match.waiting():
            end = self.turn_ends(standing, seat) if standing.clocks else self.left_at(standing, seat)
            if end is not None and (earliest is None or end < earliest):
                earliest = end
        return earliest

    def stop(self) -> None:
        if self.handle is not None:
            self.handle.cancel()
            self.handle = None

    # ------------------------------------------------------------------- telling

    def clock_infos(self, standing: Standing) -> tuple[ClockInfo, ...]:
        if not standing.clocks:
            return ()
        now = self.loop.time()
        waiting = standing.match.waiting()
        infos = []
        for seat, clock in enumerate(standing.clocks):
            limit, free, bank = clock.limit_s() or 0.0, clock.free_s(), clock.bank_s
            if seat in waiting and self.turn_step[seat] == standing.match.step_number:
                spent = self.spent_s(seat, now)
                limit = max(0.0, limit - spent)
                bank = max(0.0, bank - max(0.0, spent - free))
            infos.append(ClockInfo(limit_ms=round(limit * 1000, 1), bank_ms=round(bank * 1000, 1)))
        return tuple(infos)

    def due_ms(self) -> float | None:
        return None if self.due is None else round(max(0.0, self.due - self.loop.time()) * 1000, 1)


def real_seconds(clock: str, turn_ms: int) -> float:
    """How long a step lasts where the game runs in real time; 0 where it waits for everybody."""
    if clock.startswith(REAL):
        return read_duration(clock.removeprefix(REAL).strip())
    return turn_ms / 1000 if clock == "" else 0.0
