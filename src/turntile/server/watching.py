"""What watchers see: the match itself, or a second one that follows it at a distance.

Where somebody may not know all, a watcher could tell him. So watchers see a match of their own,
fed with the same journal entries: a step once so many seconds have passed and so many further
steps were played, and everything when the match is over. It exists only while somebody watches.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from turntile.match import log
from turntile.match.match import Match, Step
from turntile.server.lookout import Lookout
from turntile.server.messages import ClockInfo
from turntile.server.standing import begin
from turntile.store.rows import MatchRow

if TYPE_CHECKING:
    from turntile.server.table import Table

MARK_EVERY_S = 0.5  # how exactly a table remembers when it was where


class Marks:
    """How many entries a match had when: coarse, and no further back than watchers are behind."""

    __slots__ = ("changed_at", "delay_s", "marks", "number")

    def __init__(self, delay_s: float, now: float, number: int) -> None:
        self.delay_s = delay_s
        self.changed_at = now
        self.number = number
        self.marks: deque[tuple[float, int]] = deque()

    def add(self, now: float, number: int) -> None:
        if not self.marks or now - self.marks[-1][0] >= MARK_EVERY_S:
            self.marks.append((now, number))
            while len(self.marks) > 1 and self.marks[1][0] <= now - self.delay_s:
                self.marks.popleft()
        self.changed_at = now
        self.number = number

    def number_before(self, now: float) -> int:
        """How many entries are older than the delay."""
        before = now - self.delay_s
        if self.changed_at <= before:
            return self.number
        return max((number for at, number in self.marks if at <= before), default=0)


class Delayed:
    """The match as watchers see it: a scenery of its own."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.match: Match | None = None  # None until it has been run up to here
        self.number = 0
        self.coming: deque[tuple[bytes, int]] = deque()  # entries not shown yet, and the step after each
        self.lookout = Lookout(self, table.hall.easel)
        self.arrived: list[tuple[int, bytes, int]] = []  # while it is being run
        self.running: asyncio.Task[None] | None = asyncio.get_running_loop().create_task(self.run())

    async def run(self) -> None:
        """Run the journal from its beginning, as far as it may be shown."""
        table = self.table
        entries = (await table.entries_after(0))[: table.number]
        known = len(entries)
        shown, last = self.limits()
        match, steps, self.number = await asyncio.to_thread(prepare, table.row, entries, shown, last)
        self.match = match
        self.coming.extend(zip(entries[self.number :], steps[self.number :], strict=True))
        self.coming.extend((entry, step) for number, entry, step in self.arrived if number > known)
        self.arrived.clear()
        self.running = None
        for ear, hearing in self.lookout.ears.items():
            hearing.step = match.step_number
            self.lookout.give(ear)
        self.advance()

    def committed(self, entries: Sequence[bytes], steps_after: Sequence[int]) -> None:
        """The table has gone on: it now has these entries too."""
        if self.running is None:
            self.coming.extend(zip(entries, steps_after, strict=True))
            return
        first = self.table.number - len(entries) + 1
        self.arrived.extend(zip(range(first, self.table.number + 1), entries, steps_after, strict=True))

    def limits(self) -> tuple[int, int]:
        """How many entries may be shown by now, and up to which step."""
        table = self.table
        if table.shown.outcome is not None or table.stopped:
            return table.number, table.number + 1_000_000_000
        settings = table.hall.settings
        shown = table.marks.number_before(table.now()) if settings.watch_delay_s > 0 else table.number
        return shown, table.shown.step - settings.watch_delay_steps

    def advance(self) -> None:
        """Show what may be shown by now."""
        if self.match is None or not self.coming:
            return
        shown, last = self.limits()
        steps: list[Step] = []
        before = self.number
        while self.coming and self.number < shown and self.coming[0][1] <= last:
            entry, _ = self.coming.popleft()
            steps += log.apply(self.match, log.read_entry(entry))
            self.number += 1
        if self.number > before:
            self.lookout.tell(steps)

    def close(self) -> None:
        if self.running is not None:
            self.running.cancel()

    # ------------------------------------------------------------------- as a scenery

    @property
    def public_number(self) -> int:
        return self.match.step_number if self.match is not None else 0

    def now(self) -> float:
        return self.table.now()

    def steady(self) -> bool:
        return True  # only what is committed comes here

    def clock_infos(self) -> tuple[ClockInfo, ...]:
        return ()

    def due_ms(self) -> float | None:
        return None

    def next_seq(self, seat: int) -> int:
        return 0

    def real_time(self) -> bool:
        return self.table.real_time()


def prepare(row: MatchRow, entries: Sequence[bytes], shown: int, last: int) -> tuple[Match, list[int], int]:
    """The match as far as it may be shown, the step after each entry, how many were applied. For threads."""
    ahead = begin(row)
    steps = []
    for entry in entries:
        ahead.apply(log.read_entry(entry))
        steps.append(ahead.match.step_number)
    number = sum(at < shown and step <= last for at, step in enumerate(steps))
    behind = begin(row)
    for entry in entries[:number]:
        behind.apply(log.read_entry(entry))
    return behind.match, steps, number
