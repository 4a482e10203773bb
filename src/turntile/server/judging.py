"""Judging: what orders do to a match, and what they come to.

An order that is refused changes nothing. All others become entries of the journal, gathered in a
batch: the table has it committed, and only then tells anybody. In real time a choice is held back
until its step is due.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from turntile.core.errors import IllegalAction, TurntileError
from turntile.match.log import Acted, Drawn, Entry, Resigned, WasSilent, write_entry
from turntile.match.match import Step
from turntile.match.remarks import Failure
from turntile.server.ears import Hearer, Letter
from turntile.server.messages import Ack, Refused
from turntile.server.orders import Bid, Choose, Fail, GiveUp, Order, Think, TimePassed
from turntile.server.standing import Standing
from turntile.server.timing import Timing

if TYPE_CHECKING:
    from turntile.server.table import Table

log = logging.getLogger(__name__)

FORGIVEN = 20  # answers of a bot that do not count, before it is out
MOST_HELD = 16  # choices of one seat for one step in real time


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


class Judging:
    """Of one match from its beginning, or from where it was run again, to its end."""

    __slots__ = ("held", "match", "standing", "table", "timing")

    def __init__(self, table: Table, standing: Standing, timing: Timing) -> None:
        self.table = table
        self.standing = standing
        self.match = standing.match
        self.timing = timing
        self.held: dict[int, list[Held]] = {}  # by seat, in the order they came

    def next_seq(self, seat: int) -> int:
        """The number that the seat's next message bears."""
        return self.standing.next_seq[seat] + (len(self.held.get(seat, ())) if self.held else 0)

    def judge(self, order: Order, batch: Batch) -> None:
        """One order. A refusal changes nothing; a fault of ours stops the match, not the server."""
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
            self.table.hall.refused += 1
            batch.refuse(order.reply, seat, getattr(order, "seq", 0), refusal)
        except Exception:  # RulesFault, or worse: others play on
            table = self.table
            log.exception("table %s: %r failed", table.id, order)
            table.stopped = table.stopped or "a fault in the rules: the match cannot go on"
            batch.refuse(order.reply, seat, getattr(order, "seq", 0), IllegalAction(table.stopped))

    def apply(self, entry: Entry, batch: Batch) -> None:
        """Do to the match what the entry says, and have it committed."""
        if self.table.stopped:
            raise IllegalAction(self.table.stopped)
        batch.steps += self.standing.apply(entry)
        batch.entries.append(write_entry(entry))
        batch.steps_after.append(self.match.step_number)

    def acknowledge(self, reply: Hearer | None, seat: int, seq: int, batch: Batch, repeated: bool = False) -> None:
        if reply is not None:
            batch.replies.append(
                (reply, Ack(seat=seat, seq=seq, number=self.standing.public_number, repeated=repeated))
            )

    # ------------------------------------------------------------------- choices

    def judge_choice(self, order: Choose, batch: Batch) -> None:
        match, timing, seat = self.match, self.timing, order.seat
        if not 0 <= seat < len(self.table.seats):
            raise IllegalAction(f"there is no seat {seat}: seats are 0 to {len(self.table.seats) - 1}")
        expected = self.next_seq(seat)
        if order.seq and order.seq != expected:
            self.judge_number(order, expected, batch)
            return
        if order.step >= 0 and order.step != match.step_number:
            raise IllegalAction(f"the match has gone on since step {order.step}: it is at step {match.step_number} now")
        spent = order.time_s
        if spent is None:
            spent = round(timing.spent_s(seat, order.arrived or self.table.now()), 4)
        if timing.real_s:
            self.hold(Acted(seat, order.text, expected, spent, order.note, order.remarks), order.reply)
            return
        if self.standing.clocks:
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
        match = self.match
        if match.seats[seat].chosen is not None and seat in match.to_act():
            raise IllegalAction(f"seat {seat} has chosen, and its clock has stopped: wait for the others")
        limit = self.standing.clocks[seat].limit_s()
        if limit is not None and spent > limit and seat in match.waiting() and self.table.seats[seat].kind != "builtin":
            self.time_out([seat], spent, batch)
            raise IllegalAction(f"too late: the turn of seat {seat} ended after {limit:g} s")

    def judge_thought(self, order: Think, batch: Batch) -> None:
        """A built-in bot's answer; one that comes after the step it was for is forgotten."""
        match, timing, seat = self.match, self.timing, order.seat
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
        seat, failure = order.seat, order.failure
        if order.step >= 0 and order.step != self.match.step_number:
            raise IllegalAction(f"the match has gone on since step {order.step}")
        log.info("table %s, seat %d: %s", self.table.id, seat, failure.note)
        if self.standing.failures[seat] >= FORGIVEN:
            self.apply(Resigned(seat, f"failed: {failure.note}", failure), batch)
        elif not self.table.real_time():
            self.apply(WasSilent((seat,), round(order.time_s, 4), failure.note, (), failure), batch)
        self.acknowledge(order.reply, seat, 0, batch)

    def judge_bid(self, order: Bid, batch: Batch) -> None:
        """A draw is agreed when all who still play have offered or accepted it."""
        table, match, seat = self.table, self.match, order.seat
        still_playing = {place for place, kept in enumerate(match.seats) if not kept.resigned}
        if match.over or seat not in still_playing:
            raise IllegalAction(f"seat {seat} has no part in a draw: it does not play any more")
        if not table.game.draws:
            raise IllegalAction(f"{table.game.title} has no draws: play on, or resign")
        name = table.seats[seat].name
        if order.answer == "decline":
            if not table.draw_offers:
                raise IllegalAction("there is no offer of a draw to decline")
            table.draw_offers.clear()
            batch.told += ((f"{name} declines the draw", seat),)
        else:
            bots = [table.seats[place].name for place in still_playing if table.seats[place].kind == "builtin"]
            if bots:
                raise IllegalAction(f"{bots[0]} does not agree to draws: play on, or resign")
            if seat in table.draw_offers:
                raise IllegalAction(f"{name} has offered a draw already: wait for the others")
            if order.answer == "accept" and not table.draw_offers - {seat}:
                raise IllegalAction("there is no offer of a draw to accept: offer one")
            table.draw_offers.add(seat)
            if table.draw_offers >= still_playing:
                self.apply(Drawn(), batch)
                table.draw_offers.clear()
            else:
                batch.told += ((f"{name} offers a draw", seat),)
        self.acknowledge(order.reply, seat, 0, batch)

    # ------------------------------------------------------------------- time

    def judge_time(self, batch: Batch) -> None:
        timing, now = self.timing, self.table.now()
        batch.timed = True
        if self.match.over or self.table.stopped:
            return
        if timing.real_s:
            if timing.start_countdown():
                batch.refresh = True
            elif timing.step_due(now) and not (self.bots_think() and timing.wait_for_bots(now, self.match.step_number)):
                self.play_step(batch)
                timing.next_step(now)
            return
        late = timing.late_seats(self.standing, now)
        if late:
            self.time_out(late, round(timing.spent_s(late[0], now), 4), batch)
        for seat in timing.left_seats(self.standing, now):
            if not self.match.over:
                self.apply(Resigned(seat, "left"), batch)
                batch.told += ((f"{self.table.seats[seat].name} has left", seat),)

    def time_out(self, seats: Sequence[int], spent: float, batch: Batch) -> None:
        """Who has a bank has lost on time when it is empty; who has none was silent in this turn."""
        control = self.standing.clocks[seats[0]].control
        if not control.bank_s and not control.increment_s:
            self.apply(WasSilent(tuple(seats), spent), batch)
            return
        for seat in seats:
            if not self.match.over:
                self.apply(Resigned(seat, "ran out of time"), batch)

    def hold(self, entry: Acted, reply: Hearer | None) -> None:
        """In real time a choice waits for its step, and is not acknowledged before: until then it is not stored."""
        match = self.match
        if len(match.split_message(entry.text)) > 1:
            raise IllegalAction("in real time each step has its own action: send one at a time")
        match.judge(entry.seat, entry.text)
        held = self.held.setdefault(entry.seat, [])
        if len(held) >= MOST_HELD:
            raise IllegalAction(f"seat {entry.seat} has changed its mind often enough: wait for the next step")
        held.append(Held(entry, reply))

    def bots_think(self) -> bool:
        seats = self.table.seats
        return any(seats[seat].kind == "builtin" and seat not in self.held for seat in self.match.waiting())

    def play_step(self, batch: Batch) -> None:
        """The step is due: what was chosen is played, who has not chosen is silent."""
        match = self.match
        before = match.step_number
        held, self.held = self.held, {}
        for seat in match.waiting():
            for choice in held.get(seat, ()):
                self.play_held(choice, batch)
        if match.step_number == before and (silent := match.waiting()):
            self.apply(WasSilent(silent, self.timing.real_s), batch)

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
