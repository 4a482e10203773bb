"""The host of a match without a screen: asks the players, measures them, keeps the replay.

The time a bot takes is measured around the bot alone; what the match, the replay and the
screen cost is never charged to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Protocol

from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.match.clock import NO_LIMIT, Clock, TimeControl
from turntile.match.match import Match, Step
from turntile.players.seats import Player


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
    ) -> None:
        self.match = match
        self.players = players
        self.clocks = [Clock(control) for _ in players]
        self.witnesses = witnesses
        self.person = person
        self.now = clock
        self.uninterrupted = uninterrupted  # holds Ctrl-C back while a step is played and kept

    def play(self) -> Outcome:
        """Ask whoever is to act until the match is over. Quit and Ctrl-C end it where it is."""
        while waiting := self.match.waiting():
            seat = waiting[0]
            if self.players[seat].human:
                self.let_person_act(seat)
            else:
                self.let_bot_act(seat)
        outcome = self.match.outcome
        assert outcome is not None, self.match.whose_turn()
        return outcome

    def let_bot_act(self, seat: int) -> None:
        """One answer of a bot. Late or refused, it counts as silence; a bot that fails gives up."""
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
        spent = self.now() - started
        with self.uninterrupted():
            if not self.clocks[seat].charge(spent):
                late = f"late: {spent * 1000:.1f} ms of {(limit or 0) * 1000:.1f} ms; it would have been {text!r}"
                self.tell(self.match.be_silent(seat, spent, late))
                return
            try:
                steps = self.match.submit(seat, text, spent)
            except TurntileError as refusal:
                steps = self.match.be_silent(seat, spent, f"refused: {refusal}")
            self.tell(steps)

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

    def resign(self, seat: int, why: str) -> None:
        with self.uninterrupted():
            steps = self.match.resign(seat, why)
            for witness in self.witnesses:
                witness.resigned(self.match, seat, why)
            self.tell(steps)

    def tell(self, steps: Sequence[Step]) -> None:
        for step in steps:
            for witness in self.witnesses:
                witness.stepped(self.match, step)
            for refusal in step.refused:
                if self.person is not None and self.players[refusal.seat].human:
                    self.person.refuse(refusal.seat, f"{refusal.text}: {refusal.sentence}")
