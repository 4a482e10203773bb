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

from turntile.core.errors import IllegalAction, TurntileError
from turntile.core.game import Game, Outcome
from turntile.core.registry import find
from turntile.match.log import Acted, Drawn, Entry, Resigned, WasSilent, write_entry
from turntile.match.match import Match, Step
from turntile.match.remarks import Failure, Remark
from turntile.server.drivers import Driver
from turntile.server.ears import Ear, Hearer, Letter
from turntile.server.ending import store_ending
from turntile.server.infos import holds, live_info
from turntile.server.lookout import Lookout
from turntile.server.messages import Ack, ClockInfo, MatchInfo, Reconnect, Refused, Told
from turntile.server.orders import NOT_STORED, Bid, Choose, Fail, GiveUp, Order, Promise, Think, TimePassed
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
FORGIVEN = 20  # answers of a bot that do not count, before it is out
MOST_WAITING = 1000  # orders in the inbox, while the store does not answer
MOST_HELD = 16  # choices of one seat for one step in real time
TRY_AGAIN_S = 1.0
COME_AGAIN_MS = 500

NOBODY: frozenset[int] = frozenset()


class Shown(NamedTuple):
    """What everybody may know of a match as it is committed."""

    step: int = 0
    to_act: tuple[int, ...] = ()
    outcome: Outcome | None = None


BEFORE = Shown()


class Held:
    """A choice for the next step in real time, and who is to be told once it is committed."""

    __slots__ = ("entry", "replies")

    def __init__(self, entry: Acted, reply: Hearer | None) -> None:
        self.entry = entry
        self.replies: list[Hearer] = [reply] if reply is not None else []


class Batch(msgspec.Struct):
    """What a number of orders come to: one commit, and all that is told after it."""

    began: float = 0.0  # when the first of its orders arrived
    entries: list[bytes] = []
    steps_after: list[int] = []  # the number of the last step after each entry
    steps: list[Step] = []
    chosen: set[int] = set()  # seats that acted
    replies: list[tuple[Hearer, Ack | Refused]] = []
    told: tuple[tuple[str, int], ...] = ()  # sentences for all, and whom they are about
    refresh: bool = False  # something of a frame has changed beside the match
    timed: bool = False  # time has passed: the timer is to be set again

    def refuse(self, reply: Hearer | None, seat: int, seq: int, error: Exception) -> None:
        if reply is not None:
            key = getattr(error, "key", "")
            self.replies.append((reply, Refused(seat=seat, seq=seq, sentence=str(error), key=key)))

    def answer(self) -> None:
        for reply, message in self.replies:
            reply.hear(Letter(message))


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
        "held",
        "id",
        "inbox",
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
        self.held: dict[int, list[Held]] = {}
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
        if self.standing is None:
            return 1
        return self.standing.next_seq[seat] + (len(self.held.get(seat, ())) if self.held else 0)

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
        while self.inbox and not self.busy and self.standing is not None:
            self.busy = True
            self.touched = self.loop.time()
            batch = Batch(getattr(self.inbox[0], "arrived", 0.0) or self.touched)
            while self.inbox:
                self.judge(self.inbox.popleft(), batch)
            if batch.entries:
                self.commit(batch)
                return
            self.busy = False
            self.tell(batch)
            if batch.timed and self.timing is not None and self.playing:
                self.timing.arm(self.standing)
        if self.stopped and not self.ending and not self.busy:
            self.end()

    def judge(self, order: Order, batch: Batch) -> None:
        """One order. A refusal changes nothing; a fault of ours stops the match, not the server."""
        assert self.standing is not None
        seat = getattr(order, "seat", -1)
        try:
            if isinstance(order, Choose):
                self.judge_choice(order, batch)
            elif isinstance(order, Think):
                self.judge_thought(order, batch)
            elif isinstance(order, TimePassed):
                self.judge_time(batch)
            elif isinstance(order, GiveUp):
                self.apply(Resigned(seat, order.why, order.failure), batch)
                self.drop_held(seat, batch)
                self.acknowledge(order.reply, seat, 0, batch)
            elif isinstance(order, Fail):
                self.judge_failure(order, batch)
            else:
                self.judge_bid(order, batch)
        except TurntileError as refusal:
            self.hall.refused += 1
            batch.refuse(order.reply, seat, getattr(order, "seq", 0), refusal)
        except Exception:  # RulesFault, or worse: others play on
            log.exception("table %s: %r failed", self.id, order)
            self.stopped = self.stopped or "a fault in the rules: the match cannot go on"
            batch.refuse(order.reply, seat, getattr(order, "seq", 0), IllegalAction(self.stopped))

    def apply(self, entry: Entry, batch: Batch) -> None:
        """Do to the match what the entry says, and have it committed."""
        standing = self.standing
        assert standing is not None
        if self.stopped:
            raise IllegalAction(self.stopped)
        batch.steps += standing.apply(entry)
        batch.entries.append(write_entry(entry))
        batch.steps_after.append(standing.match.step_number)

    def acknowledge(self, reply: Hearer | None, seat: int, seq: int, batch: Batch, repeated: bool = False) -> None:
        if reply is not None:
            batch.replies.append((reply, Ack(seat=seat, seq=seq, number=self.public_number, repeated=repeated)))

    # ------------------------------------------------------------------- choices

    def judge_choice(self, order: Choose, batch: Batch) -> None:
        standing, timing, seat = self.standing, self.timing, order.seat
        assert standing is not None and timing is not None
        match = standing.match
        if not 0 <= seat < len(self.seats):
            raise IllegalAction(f"there is no seat {seat}: seats are 0 to {len(self.seats) - 1}")
        expected = self.next_seq(seat)
        if order.seq and order.seq != expected:
            self.judge_number(order, expected, batch)
            return
        if order.step >= 0 and order.step != match.step_number:
            raise IllegalAction(f"the match has gone on since step {order.step}: it is at step {match.step_number} now")
        spent = order.time_s
        if spent is None:
            spent = round(timing.spent_s(seat, order.arrived or self.now()), 4)
        if timing.real_s:
            self.hold(Acted(seat, order.text, expected, spent, order.note, order.remarks), order.reply)
            return
        if standing.clocks:
            self.refuse_by_clock(seat, spent, batch)
        self.apply(Acted(seat, order.text, expected, spent, order.note, order.remarks), batch)
        batch.chosen.add(seat)
        self.acknowledge(order.reply, seat, expected, batch)

    def judge_number(self, order: Choose, expected: int, batch: Batch) -> None:
        """A message that is not the next: sent again, or sent too early."""
        seat, seq = order.seat, order.seq
        if seq > expected or seq < 1:
            raise IllegalAction(f"the next message of seat {seat} bears seq {expected}, not {seq}")
        for held in self.held.get(seat, ()):
            if held.entry.seq == seq:
                if order.reply is not None:
                    held.replies.append(order.reply)
                return
        self.acknowledge(order.reply, seat, seq, batch, repeated=True)

    def refuse_by_clock(self, seat: int, spent: float, batch: Batch) -> None:
        """With a clock a turn has one choice, and an end."""
        assert self.standing is not None
        match = self.standing.match
        if match.seats[seat].chosen is not None and seat in match.to_act():
            raise IllegalAction(f"seat {seat} has chosen, and its clock has stopped: wait for the others")
        limit = self.standing.clocks[seat].limit_s()
        if limit is not None and spent > limit and seat in match.waiting() and self.seats[seat].kind != "builtin":
            self.time_out([seat], spent, batch)
            raise IllegalAction(f"too late: the turn of seat {seat} ended after {limit:g} s")

    def judge_thought(self, order: Think, batch: Batch) -> None:
        """A built-in bot's answer; one that comes after the step it was for is forgotten."""
        standing, timing, seat = self.standing, self.timing, order.seat
        assert standing is not None and timing is not None
        match = standing.match
        if order.step != match.step_number or seat not in match.waiting():
            return
        entry = Acted(seat, order.text, 0, round(order.time_s, 4))
        try:
            if timing.real_s:
                self.hold(entry, None)
                if timing.waits_for_bots:
                    self.judge_time(batch)
            else:
                self.apply(entry, batch)
                batch.chosen.add(seat)
        except TurntileError as refusal:
            what = f"{order.text[:80]!r}: {refusal}"
            failure = Failure(kind="illegal", stage=f"turn {order.step + 1}", what=what)
            self.judge_failure(Fail(seat, failure, order.time_s), batch)

    def judge_failure(self, order: Fail, batch: Batch) -> None:
        """A bot's answer that does not count. In real time silence comes by itself."""
        standing, seat, failure = self.standing, order.seat, order.failure
        assert standing is not None
        if order.step >= 0 and order.step != standing.match.step_number:
            raise IllegalAction(f"the match has gone on since step {order.step}")
        log.info("table %s, seat %d: %s", self.id, seat, failure.note)
        if standing.failures[seat] >= FORGIVEN:
            self.apply(Resigned(seat, f"failed: {failure.note}", failure), batch)
        elif not self.real_time():
            self.apply(WasSilent((seat,), round(order.time_s, 4), failure.note, (), failure), batch)
        self.acknowledge(order.reply, seat, 0, batch)

    def judge_bid(self, order: Bid, batch: Batch) -> None:
        """A draw is agreed when all who still play have offered or accepted it."""
        standing, seat = self.standing, order.seat
        assert standing is not None
        match = standing.match
        still_playing = {place for place, kept in enumerate(match.seats) if not kept.resigned}
        if match.over or seat not in still_playing:
            raise IllegalAction(f"seat {seat} has no part in a draw: it does not play any more")
        if not self.game.draws:
            raise IllegalAction(f"{self.game.title} has no draws: play on, or resign")
        name = self.seats[seat].name
        if order.answer == "decline":
            if not self.draw_offers:
                raise IllegalAction("there is no offer of a draw to decline")
            self.draw_offers.clear()
            batch.told += ((f"{name} declines the draw", seat),)
        else:
            bots = [self.seats[place].name for place in still_playing if self.seats[place].kind == "builtin"]
            if bots:
                raise IllegalAction(f"{bots[0]} does not agree to draws: play on, or resign")
            if seat in self.draw_offers:
                raise IllegalAction(f"{name} has offered a draw already: wait for the others")
            if order.answer == "accept" and not self.draw_offers - {seat}:
                raise IllegalAction("there is no offer of a draw to accept: offer one")
            self.draw_offers.add(seat)
            if self.draw_offers >= still_playing:
                self.apply(Drawn(), batch)
                self.draw_offers.clear()
            else:
                batch.told += ((f"{name} offers a draw", seat),)
        self.acknowledge(order.reply, seat, 0, batch)

    # ------------------------------------------------------------------- time

    def judge_time(self, batch: Batch) -> None:
        standing, timing, now = self.standing, self.timing, self.now()
        assert standing is not None and timing is not None
        batch.timed = True
        if standing.match.over or self.stopped:
            return
        if timing.real_s:
            if timing.start_countdown():
                batch.refresh = True
            elif timing.step_due(now) and not (
                self.bots_think(standing.match) and timing.wait_for_bots(now, standing.match.step_number)
            ):
                self.play_step(batch)
                timing.next_step(now)
            return
        late = timing.late_seats(standing, now)
        if late:
            self.time_out(late, round(timing.spent_s(late[0], now), 4), batch)
        for seat in timing.left_seats(standing, now):
            if not standing.match.over:
                self.apply(Resigned(seat, "left"), batch)
                batch.told += ((f"{self.seats[seat].name} has left", seat),)

    def time_out(self, seats: Sequence[int], spent: float, batch: Batch) -> None:
        """Who has a bank has lost on time when it is empty; who has none was silent in this turn."""
        assert self.standing is not None
        control = self.standing.clocks[seats[0]].control
        if not control.bank_s and not control.increment_s:
            self.apply(WasSilent(tuple(seats), spent), batch)
            return
        for seat in seats:
            if not self.standing.match.over:
                self.apply(Resigned(seat, "ran out of time"), batch)

    def hold(self, entry: Acted, reply: Hearer | None) -> None:
        """In real time a choice waits for its step, and is not acknowledged before: until then it is not stored."""
        assert self.standing is not None
        match = self.standing.match
        if len(match.split_message(entry.text)) > 1:
            raise IllegalAction("in real time each step has its own action: send one at a time")
        match.judge(entry.seat, entry.text)
        held = self.held.setdefault(entry.seat, [])
        if len(held) >= MOST_HELD:
            raise IllegalAction(f"seat {entry.seat} has changed its mind often enough: wait for the next step")
        held.append(Held(entry, reply))

    def bots_think(self, match: Match) -> bool:
        return any(self.seats[seat].kind == "builtin" and seat not in self.held for seat in match.waiting())

    def play_step(self, batch: Batch) -> None:
        """The step is due: what was chosen is played, who has not chosen is silent."""
        assert self.standing is not None
        match = self.standing.match
        before = match.step_number
        held, self.held = self.held, {}
        for seat in match.waiting():
            for choice in held.get(seat, ()):
                self.play_held(choice, batch)
        if match.step_number == before and (silent := match.waiting()):
            spent = self.timing.real_s if self.timing is not None else 0.0
            self.apply(WasSilent(silent, spent), batch)

    def play_held(self, choice: Held, batch: Batch) -> None:
        entry = choice.entry
        try:
            self.apply(entry, batch)
        except TurntileError as refusal:  # somebody has resigned since, and that changed the position
            for reply in choice.replies:
                batch.refuse(reply, entry.seat, entry.seq, refusal)
            return
        for reply in choice.replies:
            self.acknowledge(reply, entry.seat, entry.seq, batch)

    def drop_held(self, seat: int, batch: Batch) -> None:
        for choice in self.held.pop(seat, ()):
            for reply in choice.replies:
                batch.refuse(reply, seat, choice.entry.seq, IllegalAction(f"seat {seat} has resigned"))

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
        self.held.clear()
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
