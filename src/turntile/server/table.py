"""A table: one live match, and the one place where anything is done to it.

Orders come into an inbox. They are judged in order and applied to the match, the entries they
make are committed together, and only then does anybody hear of them: acknowledgements, frames,
refusals. Meanwhile further orders wait. If the commit fails, the match in memory is worth
nothing: it is run again from what is stored, and senders may send again what was not
acknowledged; their numbers keep anything from counting twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from turntile.core.errors import IllegalAction
from turntile.core.game import Game, Outcome
from turntile.core.registry import find
from turntile.match.match import Match
from turntile.match.remarks import Failure, Remark
from turntile.server.drivers import Driver
from turntile.server.ears import Ear, Letter
from turntile.server.ending import store_ending
from turntile.server.infos import holds, live_info
from turntile.server.judging import Batch, Judging
from turntile.server.lookout import Lookout
from turntile.server.messages import Ack, ClockInfo, MatchInfo, Reconnect, Refused, Told
from turntile.server.orders import NOT_STORED, Bid, Choose, Fail, GiveUp, Order, Promise, TimePassed
from turntile.server.prompting import Prompter
from turntile.server.standing import Standing, rerun
from turntile.server.timing import Timing
from turntile.server.watching import Delayed, Marks
from turntile.store import LostOwnership, StoreError
from turntile.store.rows import MatchRow, SeatRow

if TYPE_CHECKING:
    from turntile.server.hall import Hall

log = logging.getLogger(__name__)

IDLE_S = 10.0  # a table nobody has touched for so long gives back what it can make again
TAIL = 32  # entries kept in memory: what a worker that thinks for bots has usually not seen yet
MOST_WAITING = 1000  # orders in the inbox, while the store does not answer
TRY_AGAIN_S = 1.0
COME_AGAIN_MS = 500

NOBODY: frozenset[int] = frozenset()


class Shown(NamedTuple):
    """What everybody may know of a match as it is committed."""

    step: int = 0
    to_act: tuple[int, ...] = ()
    outcome: Outcome | None = None


BEFORE = Shown()


class Table:
    """One live match: open, playing, or over and not stored yet."""

    __slots__ = (
        "ahead",
        "busy",
        "delayed",
        "draw_offers",
        "ending",
        "finished",
        "game",
        "hall",
        "id",
        "inbox",
        "judging",
        "lock",
        "lookout",
        "loop",
        "marks",
        "names",
        "number",
        "presence",
        "prompter",
        "ratings",
        "row",
        "seats",
        "shown",
        "standing",
        "steady_calls",
        "stopped",
        "tail",
        "timing",
        "touched",
    )

    def __init__(self, hall: Hall, row: MatchRow, names: dict[int, str], ratings: dict[int, float]) -> None:
        self.hall = hall
        self.loop = asyncio.get_running_loop()
        self.id = row.id
        self.row = row
        self.seats = list(row.seats)
        self.game: Game = find(row.game)
        self.names = names  # of players, by id
        self.ratings = ratings
        self.standing: Standing | None = None
        self.number = 0  # entries committed
        self.shown = BEFORE  # what may be told of the match: never more than is committed
        self.steady_calls: list[Callable[[], None]] = []
        self.tail: deque[bytes] = deque(maxlen=TAIL)  # the last of them
        self.inbox: deque[Order] = deque()
        self.busy = False  # orders are being judged, committed or told
        self.ahead = False  # the match in memory is ahead of what is stored
        self.judging: Judging | None = None  # since it began
        self.draw_offers: set[int] = set()
        self.presence = [0] * len(self.seats)  # how many ears have each seat
        self.lookout = Lookout(self, hall.easel)
        self.delayed: Delayed | None = None
        self.marks = Marks(hall.settings.watch_delay_s, self.loop.time(), 0)
        self.timing: Timing | None = None
        self.prompter: Prompter | None = None
        self.stopped = ""  # why there will be no outcome
        self.ending = False  # over or stopped; how it ended is being stored, or is stored
        self.finished: asyncio.Future[None] = self.loop.create_future()
        self.lock = asyncio.Lock()  # who takes or leaves a seat
        self.touched = self.loop.time()

    # ------------------------------------------------------------------- questions

    @property
    def match(self) -> Match | None:
        return self.standing.match if self.standing is not None else None

    @property
    def playing(self) -> bool:
        """Begun, and neither over nor stopped."""
        return self.standing is not None and not self.ending

    @property
    def public_number(self) -> int:
        """What everybody knows to have happened. The number of entries would tell who has chosen, and how often."""
        return self.standing.public_number if self.standing is not None else 0

    def now(self) -> float:
        return self.loop.time()

    def at_step(self, step: int) -> bool:
        return self.playing and self.standing is not None and self.standing.match.step_number == step

    def seats_of(self, player_id: int) -> tuple[int, ...]:
        return tuple(seat.seat for seat in self.seats if holds(seat, player_id))

    def present(self, seat: int) -> bool:
        return self.presence[seat] > 0

    def info(self, mine: tuple[int, ...] = ()) -> MatchInfo:
        return live_info(self, mine)

    @property
    def watchers(self) -> int:
        return sum(not ear.seats for ear in self.ears())

    def ears(self) -> list[Ear]:
        return [*self.lookout.ears, *(self.delayed.lookout.ears if self.delayed is not None else ())]

    @property
    def shown_live(self) -> bool:
        """Whether watchers may see everything at once: nobody could be told what he must not know."""
        return not self.game.hidden or all(seat.kind == "builtin" for seat in self.seats)

    def real_time(self) -> bool:
        return self.timing is not None and self.timing.real_s > 0

    def clock_infos(self) -> tuple[ClockInfo, ...]:
        if self.timing is None or self.standing is None:
            return ()
        return self.timing.clock_infos(self.standing)

    def due_ms(self) -> float | None:
        return self.timing.due_ms() if self.timing is not None and self.playing else None

    def next_seq(self, seat: int) -> int:
        return self.judging.next_seq(seat) if self.judging is not None else 1

    async def entries_after(self, number: int) -> Sequence[bytes]:
        """The committed entries but the first `number`."""
        missing = self.number - number
        if missing <= len(self.tail):
            return list(self.tail)[len(self.tail) - missing :] if missing > 0 else []
        return await self.hall.store.read_journal(self.id, number)

    def find_drivers(self) -> dict[int, Driver]:
        return self.hall.drivers_of(self)

    # ------------------------------------------------------------------- orders from outside

    async def act(
        self,
        seat: int,
        seq: int,
        text: str,
        *,
        step: int = -1,
        time_s: float | None = None,
        note: str = "",
        remarks: tuple[Remark, ...] = (),
    ) -> Ack:
        """Play an action and wait until it is stored. `seq` 0: whatever is next; `time_s` None: measured here.

        Raises TurntileError where it is refused, NotStored where the server failed.
        """
        promise = Promise()
        self.post(Choose(seat, seq, text, step, time_s, note, remarks, promise))
        return await promise.future

    async def fail(self, seat: int, failure: Failure, time_s: float = 0.0, *, step: int = -1) -> None:
        """An answer of a bot that does not count: silence, or more than is forgiven."""
        promise = Promise()
        self.post(Fail(seat, failure, time_s, step, promise))
        await promise.future

    async def resign(self, seat: int, why: str = "resigned", failure: Failure | None = None) -> None:
        promise = Promise()
        self.post(GiveUp(seat, why, failure, promise))
        await promise.future

    async def draw(self, seat: int, answer: str) -> None:
        """`offer`, `accept` or `decline`."""
        promise = Promise()
        self.post(Bid(seat, answer, promise))
        await promise.future

    async def settled(self) -> None:
        """Returns when the match is over and its replay is stored."""
        await asyncio.shield(self.finished)

    def post(self, order: Order) -> None:
        """Put an order into the inbox. What comes of it is told to its `reply`."""
        if self.standing is None or len(self.inbox) >= MOST_WAITING:
            batch = Batch()
            seat = getattr(order, "seat", -1)
            batch.refuse(order.reply, seat, getattr(order, "seq", 0), IllegalAction(*self.why_not_now()))
            batch.answer()
            return
        self.inbox.append(order)
        if not self.busy:
            self.work()

    def why_not_now(self) -> tuple[str, str]:
        """A sentence, and its key."""
        if self.standing is None:
            return self.stopped or "the match has not begun: seats are still open", ""
        return "the server cannot store anything at the moment: send it again later", NOT_STORED

    # ------------------------------------------------------------------- the inbox

    def work(self) -> None:
        """Judge what is in the inbox. What changes the match is committed before anybody hears of it."""
        judging = self.judging
        while self.inbox and not self.busy and self.standing is not None:
            assert judging is not None
            self.busy = True
            self.touched = self.loop.time()
            batch = Batch(getattr(self.inbox[0], "arrived", 0.0) or self.touched)
            while self.inbox:
                judging.judge(self.inbox.popleft(), batch)
            if batch.entries:
                self.commit(batch)
                return
            self.busy = False
            self.tell(batch)
            if batch.timed and self.timing is not None and self.playing:
                self.timing.arm(self.standing)
        if self.stopped and not self.ending and not self.busy:
            self.end()

    # ------------------------------------------------------------------- committing and telling

    def commit(self, batch: Batch) -> None:
        """Nothing of the batch is told before this has succeeded."""
        self.ahead = True
        self.hall.store.add(self.id, self.number + 1, batch.entries, partial(self.committed, batch))

    def committed(self, batch: Batch, error: Exception | None, _: None = None) -> None:
        if error is not None:
            self.hall.spawn(self.recover(batch, error))
            return
        self.number += len(batch.entries)
        self.tail.extend(batch.entries)
        if self.game.hidden:  # else nobody watches from behind
            self.marks.add(self.now(), self.number)
        only_chosen = bool(batch.chosen) and not batch.steps  # others have still to choose: nobody's turn has begun
        if only_chosen:
            self.ahead = False
        else:
            self.show()
        try:
            self.tell(batch)
        except Exception:  # a picture that cannot be drawn must not keep the match from going on
            log.exception("table %s: not everybody was told of entry %d", self.id, self.number)
        if batch.replies and self.hall.on_ack is not None:
            self.hall.on_ack(self.now() - batch.began)
        self.busy = False
        if not only_chosen:
            self.go_on()
        if self.inbox or self.stopped:
            self.work()
        while self.steady_calls and not self.ahead:
            self.steady_calls.pop(0)()

    def show(self) -> None:
        """What is in memory is what is stored: from here on it may be told."""
        match = self.match
        assert match is not None
        self.ahead = False
        self.shown = Shown(match.step_number, match.to_act(), match.outcome)

    def steady(self) -> bool:
        return not self.ahead

    def when_steady(self, call: Callable[[], None]) -> None:
        """Do something that looks at the match, but not while it is ahead of what is stored."""
        if self.ahead:
            self.steady_calls.append(call)
        else:
            call()

    def tell(self, batch: Batch) -> None:
        """All that has become true: answers first, then what everybody sees."""
        batch.answer()
        if batch.entries or batch.refresh:
            self.lookout.tell(batch.steps, NOBODY if batch.refresh else batch.chosen)
        if batch.entries and self.delayed is not None:
            self.delayed.committed(batch.entries, batch.steps_after)
            self.delayed.advance()
        for step in batch.steps:
            for refusal in step.refused:
                rest = f" (and {refusal.dropped} more behind it)" if refusal.dropped else ""
                self.tell_seat(refusal.seat, f"{refusal.text} was not played{rest}: {refusal.sentence}")
        for sentence, seat in batch.told:
            self.tell_all(sentence, seat)

    def tell_seat(self, seat: int, sentence: str) -> None:
        letter = Letter(Told(sentence=sentence, seat=seat))
        for ear in list(self.lookout.ears):
            if seat in ear.seats:
                ear.hear(letter)

    def tell_all(self, sentence: str, seat: int = -1) -> None:
        """Something around the match, with all that is known of the table now."""
        letters: dict[tuple[int, ...], Letter] = {}
        for ear in self.ears():
            letter = letters.get(ear.seats)
            if letter is None:
                message = Told(sentence=sentence, match=self.info(ear.seats), seat=seat)
                letter = letters[ear.seats] = Letter(message)
            ear.hear(letter)

    def go_on(self) -> None:
        """After every change: the next turns begin, or the match is over."""
        standing, timing, prompter = self.standing, self.timing, self.prompter
        assert standing is not None and timing is not None and prompter is not None
        if not self.playing:
            return
        most = self.hall.settings.most_steps
        if standing.match.step_number >= most and not standing.match.over:
            self.stopped = f"it lasted {most} steps, which is the most a match may last here"
        if standing.match.over or self.stopped:
            self.end()
            return
        timing.turns_begin(standing.match)
        prompter.prompt()
        timing.arm(standing)

    # ------------------------------------------------------------------- beginning and ending

    def begin(self, standing: Standing, entries: Sequence[bytes] = ()) -> None:
        """The match begins, or goes on after a restart."""
        self.standing = standing
        self.number = standing.number
        self.tail.extend(entries[-TAIL:])
        self.marks = Marks(self.hall.settings.watch_delay_s, self.now(), self.number)
        drivers = self.find_drivers()
        untimed = frozenset(seat.seat for seat in self.seats if seat.kind == "builtin" or seat.seat in drivers)
        self.timing = Timing(
            self.loop, self.row, self.game.turn_ms, self.hall.settings, untimed, self.present, self.time_passed
        )
        self.judging = Judging(self, standing, self.timing)
        self.prompter = Prompter(self)
        watchers = [ear for ear in self.lookout.ears if not ear.seats and not self.shown_live]
        for ear in watchers:
            self.lookout.remove(ear)
            self.subscribe(ear)
        self.timing.start_countdown()
        self.show()
        self.lookout.tell(())
        self.go_on()

    def time_passed(self) -> None:
        if self.playing:
            self.inbox.append(TimePassed())
            if not self.busy:
                self.work()

    def stop(self, why: str) -> None:
        """There will be no outcome."""
        self.stopped = self.stopped or why
        if self.playing and not self.busy:
            self.end()

    def end(self) -> None:
        """The match is over or stopped: what is left is to store how it ended."""
        if not self.ending:
            self.ending = True
            if self.timing is not None:
                self.timing.stop()
            self.hall.spawn(self.finish())

    async def finish(self) -> None:
        try:
            await store_ending(self)
        except LostOwnership as lost:
            log.warning("table %s: %s", self.id, lost)
            self.abandon()
            return
        if self.delayed is not None:
            self.delayed.advance()
            self.delayed.lookout.draw_all()
        self.lookout.draw_all()
        if self.prompter is not None:
            self.prompter.over()
        self.let_wait_no_more()
        self.hall.over(self)
        self.tell_all(self.stopped or "the match is over")

    async def recover(self, batch: Batch, error: Exception) -> None:
        """The commit has failed: what is stored is the truth. Whoever sent something may send it again."""
        log.warning("table %s: %s", self.id, error)
        sentence = "the server could not store this: send it again"
        for reply, message in batch.replies:
            reply.hear(Letter(Refused(seat=message.seat, seq=message.seq, sentence=sentence, key=NOT_STORED)))
        if isinstance(error, LostOwnership) and not await self.hall.owns(self.id):
            self.abandon()
            return
        while True:
            try:
                entries = await self.hall.store.read_journal(self.id)
                break
            except StoreError as again:
                log.warning("table %s: %s", self.id, again)
                await asyncio.sleep(TRY_AGAIN_S)
        self.restore(await asyncio.to_thread(rerun, self.row, entries), entries)

    def restore(self, standing: Standing, entries: Sequence[bytes]) -> None:
        if self.timing is not None:
            self.timing.stop()
        if self.delayed is not None:
            self.delayed.close()
            ears, self.delayed = list(self.delayed.lookout.ears), None
            for ear in ears:
                self.subscribe(ear)
        self.tail.clear()
        self.busy = False
        self.begin(standing, entries)
        self.work()

    def abandon(self) -> None:
        """Another process goes on with this match: people find it there."""
        self.tell_reconnect()
        self.close()
        self.hall.forget(self)

    def tell_reconnect(self, after_ms: int = COME_AGAIN_MS) -> None:
        letter = Letter(Reconnect(after_ms=after_ms))
        for ear in self.ears():
            ear.hear(letter)

    def close(self) -> None:
        """No more is done here; what is committed stays committed."""
        self.stopped = self.stopped or "the server goes away: come again in a moment"
        if self.timing is not None:
            self.timing.stop()
        if self.delayed is not None:
            self.delayed.close()
        self.ending = True
        self.let_wait_no_more()

    def let_wait_no_more(self) -> None:
        if not self.finished.done():
            self.finished.set_result(None)

    # ------------------------------------------------------------------- ears

    def subscribe(self, ear: Ear, since: int = -1) -> None:
        """From now on the ear hears all; the first is a frame with the lines since that step."""
        self.touched = self.now()
        if not ear.seats and self.standing is not None and not self.shown_live:
            if self.delayed is None:
                self.delayed = Delayed(self)
                self.hall.watched.add(self)
            self.delayed.lookout.add(ear, since)
            return
        came = [seat for seat in ear.seats if not self.presence[seat]]
        for seat in ear.seats:
            self.presence[seat] += 1
        if self.timing is not None and self.playing and self.timing.start_countdown():
            assert self.standing is not None
            self.timing.arm(self.standing)
            self.lookout.tell(())
        self.lookout.add(ear, since)
        self.tell_presence(came, "is here", ear)

    def unsubscribe(self, ear: Ear) -> None:
        if self.delayed is not None and self.delayed.lookout.remove(ear):
            if not self.delayed.lookout.ears:
                self.delayed.close()
                self.delayed = None
                self.hall.watched.discard(self)
        elif self.lookout.remove(ear):
            for seat in ear.seats:
                self.presence[seat] -= 1
                if self.timing is not None:
                    self.timing.gone_since[seat] = self.now()
            self.tell_presence([seat for seat in ear.seats if not self.presence[seat]], "is away", ear)
            if self.timing is not None and self.standing is not None and self.playing:
                self.timing.arm(self.standing)
        if not self.lookout.ears and self.delayed is None:
            self.hall.unheard(self)

    def tell_presence(self, seats: Sequence[int], what: str, ear: Ear) -> None:
        others = [other for other in self.lookout.ears if other is not ear and other.seats]
        if not seats or not others or self.standing is None:
            return
        sentence = f"{' and '.join(self.seats[seat].name for seat in seats)} {what}"
        for other in others:
            other.hear(Letter(Told(sentence=sentence, match=self.info(other.seats), seat=seats[0])))

    def catch_up(self, ear: Ear) -> None:
        """An ear that was not ready is: it is given the newest frame, if there is one."""
        if ear in self.lookout.ears:
            self.lookout.catch_up(ear)
        elif self.delayed is not None:
            self.delayed.lookout.catch_up(ear)

    def reseat(self, seat: SeatRow) -> None:
        """Somebody else sits there now; before the match begins."""
        self.seats[seat.seat] = seat
        self.row = msgspec.structs.replace(self.row, seats=tuple(self.seats))
        for ear in list(self.lookout.ears):
            held = self.seats_of(ear.player_id) if ear.player_id is not None else ()
            if held != ear.seats:
                self.lookout.remove(ear)
                for left in ear.seats:
                    self.presence[left] -= 1
                ear.seats = held
                for taken in held:
                    self.presence[taken] += 1
                self.lookout.add(ear)

    def tidy(self, now: float) -> None:
        """Give back what an idle table does not need."""
        if now - self.touched > IDLE_S:
            self.lookout.tidy(now)
            if self.delayed is not None:
                self.delayed.lookout.tidy(now)
            if self.standing is not None:
                self.standing.match.forget_answers()
