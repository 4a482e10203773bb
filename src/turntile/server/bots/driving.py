"""Playing a seat for a bot that lives outside: what webhooks and uploads have in common.

A driver hears when a bot's seat is to act, asks the bot on a thread that may wait, and plays its
answer at the table. The loop never waits for a bot. Questions are made on the loop, because they
read the match; only what is sent and received is the thread's, and times are measured there.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, TypeVar

from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.match.clock import Clock, TimeControl, read_control
from turntile.match.remarks import Failure
from turntile.players.guests import Answer, Guest, GuestFailed, exchange, opening_for, question_for
from turntile.server.bots.notebook import Notebook
from turntile.server.ears import Feed, Letter
from turntile.server.messages import Frame, Told
from turntile.store.rows import BotRow

if TYPE_CHECKING:
    from turntile.server.hall import Hall
    from turntile.server.table import Table

log = logging.getLogger("turntile.server.bots")
Found = TypeVar("Found")

MOST_HEARD = 200  # lines a bot is told at once: the latest
REAL_TIME = "real"
LOOK_S = 0.02
LONGEST_TURN_S = 60.0  # whatever the clock allows: a bot must not keep our threads and processors for ever


class Stint:
    """One bot's seat in one match. As an ear it keeps what the seat is told until the bot's next turn."""

    feed: Feed = "lines"

    def __init__(self, table: Table, seat: int, bot: BotRow, control: TimeControl) -> None:
        self.table = table
        self.seat = seat
        self.seats: tuple[int, ...] = (seat,)
        self.player_id: int | None = bot.player_id
        self.bot = bot
        self.control = control
        self.own_clock = Clock(control)
        self.heard: list[str] = []
        self.refused = ""  # why its last answer did not count
        self.one_at_a_time = asyncio.Lock()

    def hear(self, letter: Letter) -> None:
        message = letter.message
        if isinstance(message, Frame):
            lines = [line for picture in message.pictures if picture.seat == self.seat for line in picture.lines]
            self.heard = [*self.heard, *lines][-MOST_HEARD:]
        elif isinstance(message, Told) and message.seat == self.seat and message.match is None:
            self.refused = message.sentence  # a queued action that could not be played

    def ready(self) -> bool:
        return True

    @property
    def clock(self) -> Clock:
        """The table's, which its journal charges; where it has none, one for this bot alone."""
        standing = self.table.standing
        return standing.clocks[self.seat] if standing is not None and standing.clocks else self.own_clock

    def to_act(self) -> bool:
        match = self.table.match
        return match is not None and self.seat in match.waiting()


class Desk:
    """A guest and the thread it is asked on."""

    def __init__(self, guest: Guest, threads: Executor) -> None:
        self.guest = guest
        self.threads = threads
        self.match = ""  # the one the guest was told of last
        self.spent_s = 0.0  # by all its answers

    async def run(self, call: Callable[..., Found], *arguments: Any) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self.threads, call, *arguments)

    async def begin(self, stint: Stint) -> None:
        """Tell the guest of the match, unless it knows. Raises GuestFailed."""
        if self.match == stint.table.id:
            return
        match = stint.table.match
        assert match is not None, stint.table.id
        names = [seat.name for seat in stint.table.seats]
        await self.run(self.guest.begin, opening_for(match, stint.seat, names, str(stint.control)))
        self.match = stint.table.id

    async def ask(self, stint: Stint) -> Answer | GuestFailed:
        match = stint.table.match
        assert match is not None, stint.table.id
        heard, stint.heard = tuple(stint.heard), []
        refused, stint.refused = stint.refused, ""
        limit = min(stint.clock.limit_s() or LONGEST_TURN_S, LONGEST_TURN_S)
        question = question_for(match, stint.seat, limit, stint.clock.bank_s, heard=heard, refused=refused)
        answer = await self.run(exchange, self.guest, question, self.guest.prepare(question))
        self.spent_s += answer.failure.time_ms / 1000 if isinstance(answer, GuestFailed) else answer.spent_s
        return answer


class GuestDriver(ABC):
    """Plays seats for bots of one kind: a `Driver` of the hall."""

    def __init__(self, hall: Hall, notebook: Notebook) -> None:
        self.hall = hall
        self.notebook = notebook
        self.stints: dict[tuple[str, int], Stint] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def take_desk(self, stint: Stint) -> Desk:
        """The desk at which the bot is asked; may wait until one is free."""

    @abstractmethod
    async def leave_desk(self, stint: Stint, desk: Desk, fatal: bool) -> None:
        """The answer is there; `fatal`: this guest is of no more use."""

    @abstractmethod
    def interrupt(self, stint: Stint) -> None:
        """The match is over: whatever the bot is being asked no longer matters."""

    @abstractmethod
    async def dismiss(self, stint: Stint, outcome: Outcome | None) -> None:
        """The match is over and the bot is not being asked: tell it."""

    # ------------------------------------------------------------------- what the table says

    async def begin(self, table: Table, seat: int) -> None:
        player = table.seats[seat].player_id
        bot = await self.hall.store.bots.get(player) if player is not None else None
        if bot is None:
            await table.resign(seat, "is no longer registered")
            return
        stint = Stint(table, seat, bot, self.control_of(table))
        before = self.stints.get((table.id, seat))
        if before is not None:  # the table was run again from its journal
            table.unsubscribe(before)
            self.interrupt(before)
        self.stints[table.id, seat] = stint
        table.subscribe(stint)

    async def your_turn(self, table: Table, seat: int) -> None:
        stint = self.stints.get((table.id, seat))
        if stint is not None:
            async with stint.one_at_a_time:
                await self.play(stint)

    async def over(self, table: Table, seat: int) -> None:
        stint = self.stints.get((table.id, seat))
        if stint is None:
            return
        table.unsubscribe(stint)
        self.interrupt(stint)
        outcome = table.match.outcome if table.match is not None else None
        try:
            async with stint.one_at_a_time:
                await self.dismiss(stint, outcome)
        finally:
            self.stints.pop((table.id, seat), None)

    async def gone(self, match: str, seat: int) -> None:
        """Returns when the bot knows that the match is over, and its log has been read."""
        while (match, seat) in self.stints:
            await asyncio.sleep(LOOK_S)

    async def close(self) -> None:
        """The server stops: no more questions. Matches that go on are taken up again at the next start."""
        for stint in self.stints.values():
            self.interrupt(stint)
        self.stints.clear()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # ------------------------------------------------------------------- one turn

    def control_of(self, table: Table) -> TimeControl:
        """The table's clock, or the one for bots where it has none or a beat of real time."""
        text = table.row.clock
        if text.startswith(REAL_TIME) or not read_control(text).limited:
            text = self.hall.settings.bot_clock
        return read_control(text)

    async def play(self, stint: Stint) -> None:
        """Ask the bot once, and play what it answers."""
        if not stint.to_act():
            return
        desk = await self.take_desk(stint)
        answer: Answer | GuestFailed | None = None
        step = 0
        fatal = True  # unless all went well
        try:
            if stint.to_act():
                try:
                    await desk.begin(stint)
                except GuestFailed as failed:
                    failed.fatal = True
                    answer = failed
            if answer is None and stint.to_act():
                assert stint.table.match is not None
                step = stint.table.match.step_number
                answer = await desk.ask(stint)
            fatal = isinstance(answer, GuestFailed) and answer.fatal
        except asyncio.CancelledError:  # the server stops: it must not wait for a bot's answer
            self.interrupt(stint)
            raise
        finally:
            await self.leave_desk(stint, desk, fatal)
        if answer is not None:
            await self.count(stint, answer, step)

    async def count(self, stint: Stint, answer: Answer | GuestFailed, step: int) -> None:
        """The answer at the table: an action, or why there is none that counts."""
        match = stint.table.match
        if match is None or match.over or self.stints.get((stint.table.id, stint.seat)) is not stint:
            return
        if isinstance(answer, GuestFailed):
            spent = answer.failure.time_ms / 1000
            stint.own_clock.charge(spent)
            await self.fail(stint, answer.failure, spent, step, answer.fatal)
            return
        limit = stint.clock.limit_s()
        stint.own_clock.charge(answer.spent_s)
        try:
            await stint.table.act(
                stint.seat, 0, answer.text, step=step, time_s=answer.spent_s, note=answer.note, remarks=answer.remarks
            )
        except TurntileError as refusal:
            late = stint.table.match is None or stint.table.match.step_number != step
            failure = Failure(
                kind="time" if late else "illegal",
                stage=f"turn {step + 1}",
                what=str(refusal),
                time_ms=round(answer.spent_s * 1000, 3),
                limit_ms=None if limit is None else round(limit * 1000, 3),
            )
            await self.fail(stint, failure, answer.spent_s, step, fatal=False)

    async def fail(self, stint: Stint, failure: Failure, spent: float, step: int, fatal: bool) -> None:
        """Silence, or out where the bot cannot go on. The table forgives some, and none that come too late."""
        told = self.notebook.failed(stint.bot.player_id, stint.table.id, failure)
        stint.refused = failure.note
        match = stint.table.match
        if match is None or match.over:
            return
        try:
            if fatal:
                await stint.table.resign(stint.seat, f"failed: {told.note}", told)
            else:
                await stint.table.fail(stint.seat, told, spent, step=step)
        except TurntileError as refusal:
            log.info("match %s: a failure of seat %d came too late: %s", stint.table.id, stint.seat, refusal)
