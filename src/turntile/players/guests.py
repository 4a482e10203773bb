"""Guests: players outside this process, and the referee's way of asking them.

All that are to act are written to first, then waited for together with poll. The clock of
each starts when its message has been written and stops when its answer can be read. An answer
that is there when the referee wakes up is in time, however late the machine woke the referee:
late is only who has said nothing when the referee looks at the deadline. So the referee's own
time is never charged to anybody.
"""

from __future__ import annotations

import hashlib
import math
import select
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from turntile.core.bots import Turn
from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.match.match import Match
from turntile.match.remarks import Failure, FailureKind, Remark
from turntile.players.protocol import some_of

PATIENCE_S = 60.0  # without a clock: who says nothing for so long is out
HELLO_S = 30.0  # how long a program may take to start
NEWGAME_S = 30.0  # ... and to get ready for a match
SLICE_S = 0.5  # how often the referee looks whether a debugger is still there

# After its deadline a guest has a little more time to say what it would have done: that tells
# "too slow" from "said nothing". It never counts.
LEAST_GRACE_S = 0.05
MOST_GRACE_S = 1.0


class GuestFailed(TurntileError):
    """A guest's answer does not count, or there is none."""

    def __init__(self, failure: Failure, fatal: bool = False) -> None:
        super().__init__(failure.what)
        self.failure = failure
        self.fatal = fatal  # it cannot go on in this match


@dataclass(frozen=True, slots=True)
class Opening:
    """What a guest is told when a match begins."""

    match: Match
    seat: int
    players: tuple[str, ...]
    clock: str
    seed: int


@dataclass(frozen=True, slots=True)
class Question:
    """What a guest is told when it is to act."""

    match: Match
    seat: int
    view: Any
    legal: tuple[str, ...]
    legal_count: int
    limit_s: float | None  # None: no clock
    bank_s: float = 0.0
    patience_s: float | None = PATIENCE_S  # None: wait for ever
    heard: tuple[str, ...] = ()
    refused: str = ""


@dataclass(slots=True)
class Answer:
    """What a guest answered, and when."""

    text: str
    remarks: tuple[Remark, ...] = ()
    spent_s: float = 0.0
    note: str = ""


class Guest(ABC):
    """A player outside this process. It lives across matches; `close` ends it for good.

    As a function of a turn it is a bot like others, for screens that have a clock of their own.
    """

    name: str
    seq: int = 0
    stage: str = "start"
    opening: Opening | None = None
    told: tuple[Remark, ...] = ()  # beside its last answer as a bot of a screen

    @abstractmethod
    def begin(self, opening: Opening) -> None:
        """Start it if need be, and tell it of a new match. Raises GuestFailed."""

    @abstractmethod
    def prepare(self, question: Question) -> bytes:
        """What is to be sent; made before any clock runs."""

    @abstractmethod
    def send(self, message: bytes, patience_s: float | None) -> None:
        """Write it. The clock starts when this returns. Raises GuestFailed."""

    @abstractmethod
    def filenos(self) -> tuple[int, ...]:
        """What to poll for the answer."""

    def poller(self) -> select.poll:
        """What waits for the answer of this guest alone."""
        poller = select.poll()
        repoll(poller, (), self.filenos())
        return poller

    @abstractmethod
    def hear(self, ready: Sequence[tuple[int, int]]) -> Answer | None:
        """Read what poll found, without waiting; None while the answer is not whole. Raises GuestFailed."""

    @abstractmethod
    def end(self, outcome: Outcome) -> None:
        """Tell it how the match ended; whether it listens is its affair."""

    @abstractmethod
    def close(self) -> None:
        """Let it go; nothing of it is left afterwards. May be called twice."""

    @abstractmethod
    def fail(
        self, kind: FailureKind, what: str, time_s: float = 0.0, limit_s: float | None = None, fatal: bool = False
    ) -> GuestFailed:
        """A failure with all that is known of the guest at this moment."""

    def traced(self) -> bool:
        """Whether a debugger is attached to it."""
        return False

    def unreadable(self) -> str:
        """What it said since the question that was no message, "" for nothing."""
        return ""

    def __call__(self, turn: Turn) -> str:
        assert self.opening is not None, "begin comes first"
        question = question_for(self.opening.match, turn.seat, None)
        answer = ask_guests({turn.seat: self}, {turn.seat: question})[turn.seat]
        if isinstance(answer, GuestFailed):
            raise answer
        self.told = answer.remarks
        return answer.text


def opening_for(match: Match, seat: int, players: Sequence[str], clock: str) -> Opening:
    """The seed is the same in the same match, but leads nobody back to the match's own; JavaScript can hold it."""
    told = hashlib.sha256(f"turntile guest {match.seed:016x} {seat}".encode()).digest()
    return Opening(match, seat, tuple(players), clock, int.from_bytes(told[:8], "big") % 2**53)


def question_for(
    match: Match,
    seat: int,
    limit_s: float | None,
    bank_s: float = 0.0,
    patience_s: float | None = PATIENCE_S,
    heard: tuple[str, ...] = (),
    refused: str = "",
) -> Question:
    turn = match.turn(seat)
    texts = turn.legal
    if len(texts) <= match.game.list_legal_up_to:
        legal = tuple(texts)
    else:
        legal = some_of(texts, match.step_number)
    return Question(match, seat, turn.view, legal, len(texts), limit_s, bank_s, patience_s, heard, refused)


class Waiting:
    """A guest that has been asked and has not answered yet."""

    __slots__ = ("deadline", "guest", "late", "limit_s", "overtime", "started", "suspended")

    def __init__(self, guest: Guest, question: Question, started: float) -> None:
        self.guest = guest
        self.limit_s = question.limit_s
        self.started = started
        self.late = False  # its time is over; it may still say what it would have done
        self.suspended = False  # a debugger was there
        allowed = question.limit_s if question.limit_s is not None else question.patience_s
        self.deadline = math.inf if allowed is None else started + allowed
        self.overtime = 0.0

    def answered(self, answer: Answer, now: float) -> Answer | GuestFailed:
        spent = now - self.started
        if self.late:
            assert self.limit_s is not None
            what = f"{spent * 1000:.1f} ms of {self.limit_s * 1000:.1f} ms; it would have been {answer.text[:80]!r}"
            return self.guest.fail("time", what, spent, self.limit_s)
        if self.suspended:
            note = f"the clock stood still: a debugger was attached ({spent:.1f} s)"
            return Answer(answer.text, answer.remarks, 0.0, note)
        if self.limit_s is not None:
            spent = min(spent, self.limit_s)  # what is beyond is the referee's own delay
        return Answer(answer.text, answer.remarks, spent, answer.note)

    def overdue(self, now: float) -> GuestFailed | None:
        """Nothing was there at the deadline. A debugger stops the clock; else there is a little grace, then silence."""
        spent = now - self.started
        if not self.late:
            if self.guest.traced():
                self.suspended = True
                self.deadline = now + SLICE_S
                return None
            if self.suspended:  # the debugger has left: the turn's time begins again
                self.suspended = False
                self.started = now
                self.deadline = now + (self.limit_s if self.limit_s is not None else PATIENCE_S)
                return None
            if self.limit_s is not None:
                self.late = True
                self.deadline = now + min(MOST_GRACE_S, max(LEAST_GRACE_S, self.limit_s / 2))
                return None
        unreadable = self.guest.unreadable()
        if unreadable:
            return self.guest.fail("protocol", unreadable, spent, self.limit_s, fatal=self.limit_s is None)
        if self.limit_s is None:
            what = f"it said nothing for {spent:.0f} s: --clock sets a limit, --no-clock none at all"
            return self.guest.fail("silence", what, spent, fatal=True)
        return self.guest.fail("silence", f"no answer within {self.limit_s * 1000:g} ms", spent, self.limit_s)


def ask_guests(guests: Mapping[int, Guest], questions: Mapping[int, Question]) -> dict[int, Answer | GuestFailed]:
    """Ask all of them at the same time, and wait for all."""
    if len(guests) == 1:
        [(seat, guest)] = guests.items()
        return {seat: exchange(guest, questions[seat], guest.prepare(questions[seat]))}
    waiting: dict[int, Waiting] = {}
    answers: dict[int, Answer | GuestFailed] = {}
    messages = {seat: guest.prepare(questions[seat]) for seat, guest in guests.items()}
    for seat, guest in guests.items():
        try:
            guest.send(messages[seat], questions[seat].patience_s)
        except GuestFailed as failed:
            answers[seat] = failed
            continue
        waiting[seat] = Waiting(guest, questions[seat], perf_counter())
    answers.update(wait_for(waiting))
    return answers


def exchange(guest: Guest, question: Question, message: bytes) -> Answer | GuestFailed:
    """The usual case, made short: one guest that answers in one piece and in time."""
    limit_s = question.limit_s
    try:
        guest.send(message, question.patience_s)
        started = perf_counter()
        allowed = limit_s if limit_s is not None else question.patience_s
        ready = guest.poller().poll(None if allowed is None else allowed * 1000 + 1)
        spent = perf_counter() - started
        if ready:
            answer = guest.hear(ready)
            if answer is not None:
                answer.spent_s = spent if limit_s is None or spent < limit_s else limit_s
                return answer
    except GuestFailed as failed:
        return failed
    return wait_for({0: Waiting(guest, question, started)})[0]


def wait_for(waiting: dict[int, Waiting]) -> dict[int, Answer | GuestFailed]:
    """What those that have been asked answer, sooner or later or not at all."""
    answers: dict[int, Answer | GuestFailed] = {}
    poller = select.poll()
    polled: dict[int, tuple[int, ...]] = {}
    for seat, one in waiting.items():
        polled[seat] = repoll(poller, (), one.guest.filenos())
    while waiting:
        earliest = min(one.deadline for one in waiting.values())
        if earliest == math.inf:
            ready = poller.poll()
        else:
            ready = poller.poll(max(0, math.ceil((earliest - perf_counter()) * 1000)))
        now = perf_counter()
        spoke = {fileno for fileno, _ in ready}
        for seat in list(waiting):
            one = waiting[seat]
            verdict: Answer | GuestFailed | None = None
            if not spoke.isdisjoint(polled[seat]):
                try:
                    answer = one.guest.hear(ready)
                except GuestFailed as failed:
                    verdict = failed
                else:
                    verdict = one.answered(answer, now) if answer is not None else None
            elif now >= one.deadline:
                verdict = one.overdue(now)
            if verdict is not None:
                answers[seat] = verdict
                del waiting[seat]
                repoll(poller, polled[seat], ())
            elif polled[seat] != (filenos := one.guest.filenos()):
                # A pipe that was closed would wake us for ever; a web server may have a new connection.
                polled[seat] = repoll(poller, polled[seat], filenos)
    return answers


def repoll(poller: select.poll, before: tuple[int, ...], now: tuple[int, ...]) -> tuple[int, ...]:
    for fileno in before:
        poller.unregister(fileno)
    for fileno in now:
        poller.register(fileno, select.POLLIN)
    return now
