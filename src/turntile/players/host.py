"""The host of a match without a screen, and the referee of its bots: asks, measures, judges, keeps the replay.

The time a bot takes is measured around the bot alone; what the match, the replay and the
screen cost is never charged to it. Guests (programs, web servers) that are to act in the same
step are asked at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import perf_counter
from typing import Protocol

from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.match.clock import NO_LIMIT, Clock, TimeControl
from turntile.match.match import Match, Step
from turntile.match.remarks import Failure, FailureKind, Remark
from turntile.players.guests import PATIENCE_S, GuestFailed, Question, ask_guests, opening_for, question_for
from turntile.players.policy import RULEBOOK, Policy
from turntile.players.seats import Player

MOST_HEARD = 200  # lines a guest is told at once: the latest


class Quit(Exception):
    """A person left the table: the match stops where it is."""


class Person(Protocol):
    """The host's way to the people at its screen."""

    def ask(self, match: Match, seat: int) -> str:
        """A message from the person at this seat; waits for it. Raises Quit."""
        ...

    def refuse(self, seat: int, sentence: str) -> None:
        """Tell that person why an action was refused; he will be asked again."""
        ...


class Witness(Protocol):
    """Somebody who keeps or shows what happens, such as a replay's file."""

    def stepped(self, match: Match, step: Step) -> None: ...

    def resigned(self, match: Match, seat: int, why: str) -> None: ...


class Host:
    """Plays one match to its end."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Player],
        control: TimeControl = NO_LIMIT,
        witnesses: Sequence[Witness] = (),
        person: Person | None = None,
        clock: Callable[[], float] = perf_counter,
        uninterrupted: Callable[[], AbstractContextManager[None]] = nullcontext,
        policy: Policy = RULEBOOK,
        patience_s: float | None = PATIENCE_S,
    ) -> None:
        self.match = match
        self.players = players
        self.clocks = [Clock(control) for _ in players]
        self.witnesses = witnesses
        self.person = person
        self.now = clock
        self.uninterrupted = uninterrupted  # holds Ctrl-C back while a step is played and kept
        self.policy = policy
        self.patience_s = patience_s  # how long a guest may be silent where no clock runs; None: for ever
        self.control = control
        self.guests = {seat: player.guest for seat, player in enumerate(players) if player.guest is not None}
        self.heard: dict[int, list[str]] = {seat: [] for seat in self.guests}  # what each is still to be told
        self.refused = dict.fromkeys(self.guests, "")  # why its last answer did not count
        self.failures = [0] * len(players)

    def play(self) -> Outcome:
        """Ask whoever is to act until the match is over. Quit and Ctrl-C end it where it is."""
        self.welcome_guests()
        while waiting := self.match.waiting():
            guests = [seat for seat in waiting if seat in self.guests]
            if guests:
                self.let_guests_act(guests)
            elif self.players[waiting[0]].human:
                self.let_person_act(waiting[0])
            else:
                self.let_bot_act(waiting[0])
        outcome = self.match.outcome
        assert outcome is not None, self.match.whose_turn()
        for guest in self.guests.values():
            guest.end(outcome)
        return outcome

    # ------------------------------------------------------------------- bots

    def let_bot_act(self, seat: int) -> None:
        """One answer of a bot. Late or refused, it does not count; a bot that fails gives up."""
        bot = self.players[seat].bot
        assert bot is not None, seat
        turn = self.match.turn(seat)
        limit = self.clocks[seat].limit_s()
        if limit is not None:
            _ = turn.view  # made before the clock runs: what the view costs is not the bot's time
        started = self.now()
        try:
            text = bot(turn)
            if not isinstance(text, str):
                raise TypeError(f"a bot answers with an action's text, not with {type(text).__name__}")
        except TurntileError as mistake:
            self.resign(seat, f"gave up: {mistake}")
            return
        except Exception as failure:  # a bot's fault must end the bot, not the match
            self.resign(seat, f"failed: {type(failure).__name__}: {failure}")
            return
        self.count(seat, text, self.now() - started)

    def count(self, seat: int, text: str, spent: float, remarks: tuple[Remark, ...] = (), note: str = "") -> None:
        """Play an answer, if it came in time and the rules allow it."""
        clock = self.clocks[seat]
        limit = clock.limit_s()
        with self.uninterrupted():
            if not clock.charge(spent):
                what = f"{spent * 1000:.1f} ms of {(limit or 0) * 1000:.1f} ms; it would have been {text[:80]!r}"
                self.disregard(seat, self.failure("time", what, spent, limit), spent, remarks)
                return
            try:
                steps = self.match.submit(seat, text, spent, note, remarks)
            except TurntileError as refusal:
                self.disregard(seat, self.failure("illegal", str(refusal), spent, limit), spent, remarks)
                return
            self.tell(steps)

    def failure(self, kind: FailureKind, what: str, spent: float, limit: float | None) -> Failure:
        return Failure(
            kind=kind,
            stage=f"turn {self.match.step_number + 1}",
            what=what,
            time_ms=round(spent * 1000, 3),
            limit_ms=None if limit is None else round(limit * 1000, 3),
        )

    def disregard(self, seat: int, failure: Failure, spent: float, remarks: tuple[Remark, ...] = ()) -> None:
        """An answer that does not count: silence, or more than the policy forgives."""
        self.failures[seat] += 1
        if seat in self.refused:
            self.refused[seat] = failure.note
        if self.policy.is_out(self.failures[seat]):
            self.give_up(seat, f"failed: {failure.note}", failure)
        else:
            self.tell(self.match.be_silent(seat, spent, failure.note, remarks, failure))

    # ------------------------------------------------------------------- guests

    def welcome_guests(self) -> None:
        """Tell every guest of the match; who cannot even begin gives up."""
        names = [player.name for player in self.players]
        for seat, guest in self.guests.items():
            if self.match.over:
                return
            try:
                guest.begin(opening_for(self.match, seat, names, str(self.control)))
            except GuestFailed as failed:
                self.resign(seat, f"failed: {failed.failure.note}", failed.failure)

    def let_guests_act(self, seats: Sequence[int]) -> None:
        """Ask these guests at the same time, and play what they answer."""
        questions = {seat: self.question(seat) for seat in seats}
        answers = ask_guests({seat: self.guests[seat] for seat in seats}, questions)
        for seat in seats:
            if seat not in self.match.waiting():
                continue  # the match has ended before its word could count
            answer = answers[seat]
            if not isinstance(answer, GuestFailed):
                self.count(seat, answer.text, answer.spent_s, answer.remarks, answer.note)
                continue
            spent = answer.failure.time_ms / 1000
            with self.uninterrupted():
                self.clocks[seat].charge(spent)
                if answer.fatal:
                    self.give_up(seat, f"failed: {answer.failure.note}", answer.failure)
                else:
                    self.disregard(seat, answer.failure, spent)

    def question(self, seat: int) -> Question:
        clock = self.clocks[seat]
        heard, self.heard[seat] = tuple(self.heard[seat]), []
        refused, self.refused[seat] = self.refused[seat], ""
        return question_for(
            self.match, seat, clock.limit_s(), clock.bank_s, self.patience_s, heard[-MOST_HEARD:], refused
        )

    # ------------------------------------------------------------------- people

    def let_person_act(self, seat: int) -> None:
        """One message of a person, asked again until it is of use."""
        assert self.person is not None, "a person needs a screen"
        started = self.now()
        while True:
            text = self.person.ask(self.match, seat)
            spent = self.now() - started
            try:
                if text.strip() == "resign":
                    self.resign(seat, "resigned")
                    return
                with self.uninterrupted():
                    self.tell(self.take(seat, text, spent))
                return
            except TurntileError as refusal:
                self.person.refuse(seat, str(refusal))

    def take(self, seat: int, text: str, spent: float) -> list[Step]:
        """A person's message. Where the game runs in real time, an empty line is silence."""
        if not text.strip() and self.match.game.turn_ms:
            return self.match.be_silent(seat, spent)
        return self.match.submit(seat, text, spent)

    # ------------------------------------------------------------------- telling

    def resign(self, seat: int, why: str, failure: Failure | None = None) -> None:
        with self.uninterrupted():
            self.give_up(seat, why, failure)

    def give_up(self, seat: int, why: str, failure: Failure | None = None) -> None:
        steps = self.match.resign(seat, why, failure)
        for witness in self.witnesses:
            witness.resigned(self.match, seat, why)
        self.tell(steps)

    def tell(self, steps: Sequence[Step]) -> None:
        for step in steps:
            for witness in self.witnesses:
                witness.stepped(self.match, step)
            for seat, heard in self.heard.items():
                heard += self.match.heard(step, seat)
            for refusal in step.refused:
                told = f"{refusal.text}: {refusal.sentence}"
                if self.person is not None and self.players[refusal.seat].human:
                    self.person.refuse(refusal.seat, told)
                elif refusal.seat in self.refused:
                    self.refused[refusal.seat] = told


@contextmanager
def seated(match: Match, players: Sequence[Player], control: TimeControl = NO_LIMIT) -> Iterator[None]:
    """Guests at a table that some other screen hosts: welcome before, and told how it ended."""
    names = [player.name for player in players]
    for seat, player in enumerate(players):
        if player.guest is not None:
            player.guest.begin(opening_for(match, seat, names, str(control)))
    yield
    for player in players:
        if player.guest is not None and match.outcome is not None:
            player.guest.end(match.outcome)
