"""Asks the bots of a table for their actions: built-in ones through the thinkers, others through their drivers.

Nothing here waits: answers come back into the table's inbox like anybody's.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from turntile.match.remarks import Failure
from turntile.server.levels import find_level
from turntile.server.orders import Fail, GiveUp, Think
from turntile.server.thinkers import Job
from turntile.server.thinking import Thought

if TYPE_CHECKING:
    from turntile.server.table import Table

log = logging.getLogger(__name__)
NEVER = -1


class Prompter:
    """The bots of one table."""

    __slots__ = ("asked", "bots", "drivers", "pause_s", "ready", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = [NEVER] * len(table.seats)  # the step each was last asked about
        self.drivers = table.find_drivers()
        self.bots = bool(self.drivers) or any(seat.kind == "builtin" for seat in table.seats)
        self.ready = [seat.seat not in self.drivers for seat in table.seats]  # a driver first has to begin
        self.pause_s = pause_of(table)
        for seat in self.drivers:
            table.hall.spawn(self.begin(seat))

    def prompt(self) -> None:
        """Ask every bot that is to act and was not asked yet."""
        match = self.table.match
        assert match is not None
        if not self.bots:
            return
        for seat in match.waiting():
            if self.asked[seat] == match.step_number or not self.ready[seat]:
                continue
            if self.table.seats[seat].kind == "builtin":
                self.asked[seat] = match.step_number
                self.think(seat, match.step_number)
            elif seat in self.drivers:
                self.asked[seat] = match.step_number
                self.table.hall.spawn(self.drive(seat))

    def over(self) -> None:
        """Tell drivers and thinkers that it is over."""
        self.table.hall.thinkers.forget(self.table.id)
        for seat, driver in self.drivers.items():
            self.table.hall.spawn(driver.over(self.table, seat))

    # ------------------------------------------------------------------- built-in bots

    def think(self, seat: int, step: int) -> None:
        table = self.table
        row = table.row
        level = find_level(table.game, table.seats[seat].bot)
        job = Job(
            match=table.id,
            game=row.game,
            options=row.options,
            seed=int(row.seed, 16),
            seat=seat,
            bot=level.bot if level else table.seats[seat].bot,
            entries_after=table.entries_after,
            wanted=lambda: table.at_step(step),
            people_wait=any(seat.kind == "human" for seat in table.seats),
        )
        answer = table.hall.thinkers.think(job)
        answer.add_done_callback(partial(self.thought, seat, step, table.now()))

    def thought(self, seat: int, step: int, asked: float, answer: asyncio.Future[Thought]) -> None:
        """An answer has come; it may be too quick for people to see."""
        table = self.table
        if answer.cancelled():
            return
        error = answer.exception()
        if error is not None:
            log.error("table %s, seat %d: %s", table.id, seat, error)
            failure = Failure(kind="crash", stage=f"turn {step + 1}", what=str(error))
            table.post(Fail(seat, failure, step=step))
            return
        thought = answer.result()
        order = Think(seat, thought.text, step, thought.spent_s)
        rest = asked + self.pause_s - table.now()
        if rest > 0.001:
            table.loop.call_later(rest, table.post, order)
        else:
            table.post(order)

    # ------------------------------------------------------------------- bots outside

    async def begin(self, seat: int) -> None:
        try:
            await self.drivers[seat].begin(self.table, seat)
        except Exception as error:  # a driver's fault must end its bot, not the match
            self.give_up(seat, "begin", error)
            return
        self.ready[seat] = True
        if self.table.playing:
            self.prompt()

    async def drive(self, seat: int) -> None:
        try:
            await self.drivers[seat].your_turn(self.table, seat)
        except Exception as error:  # likewise
            self.give_up(seat, "turn", error)

    def give_up(self, seat: int, stage: str, error: Exception) -> None:
        log.exception("table %s, seat %d: the driver failed", self.table.id, seat, exc_info=error)
        failure = Failure(kind="crash", stage=stage, what=f"{type(error).__name__}: {error}"[:500])
        self.table.post(GiveUp(seat, f"failed: {failure.note}", failure))


def pause_of(table: Table) -> float:
    """How long a built-in bot's step takes at least, so that people can follow."""
    settings = table.hall.settings
    kinds = {seat.kind for seat in table.seats}
    if kinds == {"builtin"}:
        if not table.row.listed:
            return 0.0  # nobody is to watch
        pace = settings.show_pace_s
        return min(pace, table.game.turn_ms / 1000) if table.game.turn_ms else pace
    return settings.bot_pause_s if "human" in kinds and not table.real_time() else 0.0
