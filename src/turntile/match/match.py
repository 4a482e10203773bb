"""One match: the way of an action from its text to what everybody hears of it.

    text -> words.parse -> why_illegal -> step -> events, view -> words.narrate, scene

`Match` calls these once each, in this order. It does no I/O, reads no clock and never waits:
a host (terminal, referee of bots, server, learner) owns the waiting and changes only the two
ends. What a seat has chosen stays unseen until all seats that are to act have chosen.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, overload

import msgspec

from turntile.core import gears
from turntile.core.dice import seed_dice
from turntile.core.errors import IllegalAction, InvalidAction, TurntileError
from turntile.core.game import Game, Outcome, Told
from turntile.core.gears import Gear, GearName, State
from turntile.core.planned import plan_dice
from turntile.core.scene import Scene, Stage
from turntile.core.seeds import derive_seed, split_seed
from turntile.match.remarks import Failure, Remark

MAX_MESSAGE = 64 * 1024  # characters of one message
MAX_QUEUED = 256  # actions in one message

# The first step of a derived seed's path: what the chance is for.
FOR_A_BOT = 1
FOR_IMAGINING = 2
FOR_SEARCHING = 3


class Played(msgspec.Struct, frozen=True):
    """What one seat did in a step."""

    text: str  # the action's one text form
    action: int
    silent: bool = False  # it said nothing: this is what silence means
    time_s: float = 0.0
    note: str = ""  # the player's own remark; private to it until the match is over
    message: str = ""  # the text that travels beside the action; the rules never look at it
    remarks: tuple[Remark, ...] = ()  # what a bot tells of its thoughts; private like the note
    failure: Failure | None = None  # why its answer did not count


class Refusal(msgspec.Struct, frozen=True):
    """A queued action that could not be played when its time came; only its seat is told."""

    seat: int
    text: str
    sentence: str
    dropped: int  # how many queued actions behind it went with it
    key: str = ""  # the game's own error key, where its rulebook has such


class Step(msgspec.Struct, frozen=True):
    """What one step was. `before` and `after` are the whole truth: they stay with the host."""

    number: int  # counted from 1
    played: dict[int, Played]  # by seat
    events: tuple[Told, ...]
    before: State
    after: State
    refused: tuple[Refusal, ...] = ()

    @property
    def digest(self) -> str:
        """A hash of the position after the step, alike in both gears: 16 hexadecimal digits."""
        return hashlib.sha256(self.after.position()).hexdigest()[:16]


@dataclass(slots=True)
class Seat:
    """What the match keeps for one seat between the steps."""

    chosen: Played | None = None
    queue: deque[str] = field(default_factory=deque)
    resigned: str = ""  # why it gave up
    failure: Failure | None = None  # what it failed of, if it gave up for that
    memory: dict[str, Any] = field(default_factory=dict)
    random: Random | None = None


def hash_seed(game: str, seed: int) -> str:
    """What is published of a seed while the match runs; the seed itself follows at the end."""
    return hashlib.sha256(f"turntile seed {game} {seed:016x}".encode()).hexdigest()


@cache
def seats_in(bits: int) -> tuple[int, ...]:
    """The seats of a bit set, in order."""
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


class Unread:
    """A match's record for a game's words, read when they first look at it: most texts mean the same everywhere."""

    __slots__ = ("_match",)

    def __init__(self, match: Match) -> None:
        self._match = match

    def __getattr__(self, name: str) -> Any:
        return getattr(self._match.record, name)


class Match:
    """One game in progress. Hosts hold it; players get turns, views and lines."""

    def __init__(self, game: Game, options: Any, seed: int, gear: Gear, state: State, start: str = "") -> None:
        self.game = game
        self.gear = gear
        self.options = options
        self.seed = seed  # secret until the match is over: hosts publish `seed_hash`
        self.start_position = start  # the text of the position it began from, "" for the game's own set-up
        self.step_number = 0
        self.resignations: list[tuple[int, str]] = []  # seat and reason, in order
        self.drawn = False  # by agreement
        self.state = state
        self.seats = tuple(Seat() for _ in range(state.seats()))
        self.forget_answers()

    @classmethod
    def start(cls, game: Game, options: Any = None, seed: int = 0, gear: GearName | None = None) -> Match:
        """A new match from the game's own set-up. Raises InvalidOptions."""
        chosen = game.options() if options is None else options
        chosen_gear = gears.gear(game, gear)
        return cls(game, chosen, seed, chosen_gear, chosen_gear.new(game.prepare(chosen), seed))

    @classmethod
    def from_position(
        cls, game: Game, record: Any, options: Any = None, seed: int = 0, gear: GearName | None = None
    ) -> Match:
        """A match that begins from a position somebody wrote down (`game.read_position` gives the record).

        A position that says how its dice lie goes on with them; else the seed makes them.
        """
        start = game.write_position(record)
        record = record.copy()
        dice = record.dice
        if (dice.a, dice.b, dice.c, dice.counter) == (0, 0, 0, 0):
            coming = list(reversed(dice.plan[: dice.planned]))
            seed_dice(dice, *split_seed(seed))
            plan_dice(dice, coming)
        chosen_gear = gears.gear(game, gear)
        return cls(game, options, seed, chosen_gear, chosen_gear.load(record), start)

    def forget_answers(self) -> None:
        """Something has changed: what was worked out before no longer holds."""
        self.known_over: bool | None = None
        self.known_record: Any = None
        self.known_before: tuple[State, Any] | None = None  # a state before the present one, and its record
        self.known_acting: tuple[int, ...] | None = None
        self.known_waiting: tuple[int, ...] | None = None
        self.known_legal: dict[int, tuple[int, ...]] = {}

    # ------------------------------------------------------------------- questions

    @property
    def seed_hash(self) -> str:
        return hash_seed(self.game.name, self.seed)

    @property
    def record(self) -> Any:
        """The position as the game's root record: for the game's own words, views and scenes."""
        if self.known_record is None:
            self.known_record = self.state.record()
        return self.known_record

    def record_of(self, state: State) -> Any:
        """The record of the present state or of one before: pictures of a step look at both, for several eyes."""
        if state is self.state:
            return self.record
        if self.known_before is None or self.known_before[0] is not state:
            self.known_before = (state, state.record())
        return self.known_before[1]

    @property
    def record_for_words(self) -> Any:
        """The same for who may not look at it at all: it costs as much as all the rest of a step."""
        return Unread(self) if self.known_record is None else self.known_record

    @property
    def over(self) -> bool:
        if self.known_over is None:
            self.known_over = self.drawn or self.state.over() or (bool(self.resignations) and self.given_up())
        return self.known_over

    def given_up(self) -> bool:
        """All have resigned, or all but one of several."""
        left = len(self.seats) - len(self.resignations)
        return left == 0 or (left == 1 and len(self.seats) > 1)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        if not self.over:
            return None
        scores = tuple(self.state.score(seat) for seat in range(len(self.seats)))
        if self.drawn:
            return Outcome(scores, self.places_after_resignations(), self.reason_after_resignations())
        if not self.resignations:
            places = tuple(self.state.place(seat) for seat in range(len(self.seats)))
            return Outcome(scores, places, self.game.reason(self.record))
        return Outcome(scores, self.places_after_resignations(), self.reason_after_resignations())

    def places_after_resignations(self) -> tuple[int, ...]:
        """Who plays on comes before who gave up, who gave up later before who did earlier."""
        gave_up = {seat: number for number, (seat, _) in enumerate(self.resignations)}

        def worth(seat: int) -> tuple[int, int]:
            if seat in gave_up:
                return (gave_up[seat] - len(self.seats), 0)
            return (0, 0 if self.drawn else -self.state.place(seat))

        worths = [worth(seat) for seat in range(len(self.seats))]
        return tuple(1 + sum(other > mine for other in worths) for mine in worths)

    def reason_after_resignations(self) -> str:
        gave_up = "; ".join(f"seat {seat} {why}" for seat, why in self.resignations)
        if self.drawn:
            return f"a draw by agreement ({gave_up})" if gave_up else "a draw by agreement"
        return f"{self.game.reason(self.record)} ({gave_up})" if self.state.over() else gave_up

    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now; none when the match is over."""
        if self.known_acting is None:
            self.known_acting = () if self.drawn or self.given_up() else seats_in(self.state.to_act())
        return self.known_acting

    def waiting(self) -> tuple[int, ...]:
        """The seats that are to act and have not chosen yet."""
        if self.known_waiting is None:
            acting = self.to_act()
            for seat in acting:
                if self.seats[seat].chosen is not None:
                    self.known_waiting = tuple([seat for seat in acting if self.seats[seat].chosen is None])
                    break
            else:
                self.known_waiting = acting
        return self.known_waiting

    def set_chosen(self, seat: int, chosen: Played) -> None:
        self.seats[seat].chosen = chosen
        self.known_waiting = () if self.known_waiting == (seat,) else None

    def view(self, seat: int | None) -> Any:
        """What a seat may know; the judge (None) sees all."""
        return self.game.view(self.record, seat)

    def views_differ(self, seat: int, other: int) -> bool:
        """Whether two seats know different things now, besides whose view it is: a shared screen must be covered."""
        views = [msgspec.to_builtins(self.view(who)) for who in (seat, other)]
        return self.game.hidden and any(views[0][key] != views[1][key] for key in views[0] if key != "seat")

    def legal_actions(self, seat: int) -> tuple[int, ...]:
        """The numbers of a seat's legal actions; none if it is not its turn."""
        if seat not in self.known_legal:
            self.known_legal[seat] = tuple(self.state.legal(seat)) if seat in self.to_act() else ()
        return self.known_legal[seat]

    def legal(self, seat: int | None) -> tuple[str, ...]:
        """The texts of a seat's legal actions, in order; none where there are too many to spell out."""
        if seat is None:
            return ()
        actions = self.legal_actions(seat)
        if len(actions) > self.game.list_legal_up_to:
            return ()
        return tuple(self.game.spell(self.record, seat, action) for action in actions)

    def scene(self, seat: int | None) -> Scene:
        """The picture of a seat's view, with its choices while it is to choose."""
        choosing = seat is not None and seat in self.waiting()
        return self.game.scene(self.view(seat), self.legal(seat) if choosing else ())

    def position(self) -> str:
        """The position as text: the whole truth, so for the judge only."""
        return self.game.write_position(self.record)

    def turn(self, seat: int) -> SeatTurn:
        """What a bot at this seat is given now."""
        return SeatTurn(self, seat)

    # ------------------------------------------------------------------- actions

    def submit(
        self, seat: int, text: str, time_s: float = 0.0, note: str = "", remarks: tuple[Remark, ...] = ()
    ) -> list[Step]:
        """A seat's message: one action, or several with newlines or `;` between them.

        The first is judged now: refused, it raises InvalidAction or IllegalAction and nothing
        has changed. The others are queued and judged one by one when their time comes. A new
        message takes the place of what the seat had chosen or queued before. Returns the steps
        that could be played, none while others have still to choose.
        """
        texts = self.split_message(text)
        return self.choose(seat, texts[0], time_s, note, queue=texts[1:], remarks=remarks)

    def choose(
        self,
        seat: int,
        text: str,
        time_s: float,
        note: str,
        message: str | None = None,
        queue: Sequence[str] = (),
        remarks: tuple[Remark, ...] = (),
    ) -> list[Step]:
        """A seat's next action, told apart from what is queued. `message`: not the one in its own text."""
        chosen = self.judge(seat, text, time_s, note, message, remarks)
        self.set_chosen(seat, chosen)
        if queue or self.seats[seat].queue:
            self.seats[seat].queue.clear()
            self.seats[seat].queue.extend(queue)
        return self.play_on()

    def be_silent(
        self,
        seat: int,
        time_s: float = 0.0,
        note: str = "",
        remarks: tuple[Remark, ...] = (),
        failure: Failure | None = None,
    ) -> list[Step]:
        """A seat says nothing, or nothing in time: the rules say what that means."""
        if seat not in self.to_act():
            raise IllegalAction(f"seat {seat} is not to act now: {self.whose_turn()}")
        self.set_chosen(seat, self.silence(seat, time_s, note, remarks, failure))
        return self.play_on()

    def resign(self, seat: int, why: str = "resigned", failure: Failure | None = None) -> list[Step]:
        """A seat gives up. With one seat left the match is over.

        Else the game's rules take the seat away (R20 of Robot fight), or silence plays for it from now on.
        """
        if not 0 <= seat < len(self.seats):
            raise IllegalAction(f"seat {seat} cannot resign: there are seats 0 to {len(self.seats) - 1}")
        if self.over:
            raise IllegalAction(f"seat {seat} cannot resign: the match is over")
        if self.seats[seat].resigned:
            raise IllegalAction(f"seat {seat} cannot resign: it has already")
        self.seats[seat].resigned = why
        self.seats[seat].failure = failure
        self.seats[seat].chosen = None
        self.seats[seat].queue.clear()
        self.resignations.append((seat, why))
        self.forget_answers()
        if self.game.remove and not self.over:
            record = self.state.record()
            self.game.remove(record, seat)
            self.state = self.gear.load(record)
            self.forget_answers()
        return self.play_on()

    def agree_draw(self) -> None:
        """All who still play agree that nobody wins: the match is over."""
        if not self.game.draws:
            raise IllegalAction(f"{self.game.title} has no draws: play on, or resign")
        if self.over:
            raise IllegalAction("a draw cannot be agreed: the match is over")
        self.drawn = True
        self.forget_answers()

    def split_message(self, text: str) -> list[str]:
        """The actions of one message. A text that carries a message of its own is not cut at `;`."""
        if len(text) > MAX_MESSAGE:
            raise InvalidAction(f"a message of {len(text)} characters is too long: at most {MAX_MESSAGE}")
        if ";" not in text and "\n" not in text:
            return [text.strip(" \t\r") if text.strip() else ""]
        texts: list[str] = []
        for line in text.split("\n"):  # splitlines would cut at, and so hide, other control characters
            parts = [line] if self.carries_message(line) else line.split(";")
            texts.extend(part.strip(" \t\r") for part in parts if part.strip())
        if len(texts) > MAX_QUEUED:
            raise InvalidAction(f"{len(texts)} actions in one message are too many: at most {MAX_QUEUED}")
        return texts or [""]  # the game says what an empty text means or lacks

    def message_in(self, text: str) -> str:
        """The text that travels beside an action (robots' messages), "" for most."""
        return self.game.note_of(text) if self.game.note_of else ""

    def carries_message(self, text: str) -> bool:
        try:
            return bool(self.message_in(text))
        except InvalidAction:
            return True  # one that must not be sent; it is refused when it is judged

    def judge(
        self,
        seat: int,
        text: str,
        time_s: float = 0.0,
        note: str = "",
        message: str | None = None,
        remarks: tuple[Remark, ...] = (),
    ) -> Played:
        """text -> parse -> why_illegal. The only way an action comes into a match."""
        if not 0 <= seat < len(self.seats):
            raise IllegalAction(f"there is no seat {seat}: seats are 0 to {len(self.seats) - 1}", self.key_for(seat))
        if self.over:
            raise IllegalAction(f"seat {seat} cannot act: the match is over", self.key_for(seat))
        if self.seats[seat].resigned:
            raise IllegalAction(f"seat {seat} cannot act: it {self.seats[seat].resigned}", self.key_for(seat))
        record = self.record_for_words
        action = self.game.parse(record, seat, text)
        code = self.state.why_illegal(seat, action)
        if code:
            key = self.game.error_key(code) if self.game.error_key else ""
            raise IllegalAction(self.game.refusal(self.record, seat, action, code), key)
        if seat not in self.to_act():
            raise IllegalAction(f"seat {seat} is not to act now: {self.whose_turn()}")
        beside = self.message_in(text) if message is None else message
        return Played(self.game.spell(record, seat, action), action, False, time_s, note, beside, remarks)

    def key_for(self, seat: int) -> str:
        """The rulebook's error key for a seat that cannot act at all, where the game has such keys."""
        return self.game.error_key(self.state.why_illegal(seat, 0)) if self.game.error_key else ""

    def silence(
        self,
        seat: int,
        time_s: float = 0.0,
        note: str = "",
        remarks: tuple[Remark, ...] = (),
        failure: Failure | None = None,
    ) -> Played:
        action = self.state.default_action(seat)
        text = self.game.spell(self.record_for_words, seat, action)
        return Played(text, action, True, time_s, note, "", remarks, failure)

    def whose_turn(self) -> str:
        acting = self.to_act()
        if not acting:
            return "the match is over"
        return f"it is the turn of seat {', '.join(map(str, acting))}"

    # ------------------------------------------------------------------- steps

    def play_on(self) -> list[Step]:
        """Step as long as every seat that is to act has chosen, now or in an earlier message."""
        steps: list[Step] = []
        refused: list[Refusal] = []
        while True:
            waiting = self.waiting()
            if waiting:
                for place in self.seats:
                    if place.queue or place.resigned:
                        refused.extend(self.choose_from_queues())
                        waiting = self.waiting()
                        break
            if refused:  # only a step can have made a queued action illegal
                last = steps[-1]
                steps[-1] = Step(
                    last.number, last.played, last.events, last.before, last.after, last.refused + tuple(refused)
                )
                refused = []
            acting = self.to_act()
            if waiting or not acting:
                return steps
            steps.append(self.step(acting))

    def choose_from_queues(self) -> Iterator[Refusal]:
        """Let those who gave up be silent, and judge the next queued action of those who queued."""
        for seat in self.waiting():
            place = self.seats[seat]
            if place.resigned:
                self.set_chosen(seat, self.silence(seat))
            elif place.queue:
                text = place.queue.popleft()
                try:
                    self.set_chosen(seat, self.judge(seat, text))
                except TurntileError as refusal:
                    dropped = len(place.queue)
                    place.queue.clear()
                    yield Refusal(seat, text, str(refusal), dropped, getattr(refusal, "key", ""))

    def step(self, acting: Sequence[int]) -> Step:
        """One call of the rules."""
        played: dict[int, Played] = {}
        actions = [0] * len(self.seats)
        for seat in acting:
            chosen = self.seats[seat].chosen
            assert chosen is not None, seat
            played[seat] = chosen
            actions[seat] = chosen.action
            self.seats[seat].chosen = None
        before, record_before = self.state, self.known_record
        after = before.clone()
        after.step(actions)
        self.state = after
        self.step_number += 1
        self.forget_answers()
        if record_before is not None and self.game.stages is not None:
            self.known_before = (before, record_before)
        events = tuple([self.told(event, played) for event in after.events()])
        return Step(self.step_number, played, events, before, after)

    def told(self, event: tuple[int, int, int, int, int, int], played: dict[int, Played]) -> Told:
        """An event outside the rules, with the message it carries."""
        kind, seat = event[0], event[2]
        if kind == self.game.note_event and seat in played:
            return Told(*event, played[seat].message)
        return Told(*event)

    def heard(self, step: Step, seat: int | None) -> list[str]:
        """What a seat (None: the judge) is told of a step, a line each."""
        events = [event for event in step.events if event.heard_by(seat)]
        if not events:
            return []
        record = self.record_of(step.after)
        lines = [self.line(record, event, seat) for event in events]
        return [line for line in lines if line]

    def line(self, record: Any, event: Told, hearer: int | None) -> str:
        """The game's line; the message an event carries stands behind it, where the game has not put it in."""
        line = self.game.narrate(record, event, hearer)
        return f"{line}: {event.note}" if event.note and event.note not in line else line

    def stages(self, step: Step, seat: int | None) -> tuple[Stage, ...]:
        """The moments inside a step as a seat sees them, where the game has such."""
        if self.game.stages is None:
            return ()
        heard = [event for event in step.events if event.heard_by(seat)]
        view_before = self.game.view(self.record_of(step.before), seat)
        view_after = self.game.view(self.record_of(step.after), seat)
        return self.game.stages(view_before, heard, view_after)


class LegalTexts(Sequence[str]):
    """The texts of legal actions, each spelled when it is looked at: a bot may look at one of thousands."""

    def __init__(self, match: Match, seat: int) -> None:
        self.game = match.game
        self.record = match.record
        self.seat = seat
        self.actions = match.legal_actions(seat)

    def __len__(self) -> int:
        return len(self.actions)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self.game.spell(self.record, self.seat, action) for action in self.actions[index])
        return self.game.spell(self.record, self.seat, self.actions[index])


class SeatTurn:
    """What a bot is given when it is to act; see core.bots.Turn. It leads nowhere near the true state."""

    __slots__ = ("_imagined", "_match", "_view", "seat")

    def __init__(self, match: Match, seat: int) -> None:
        self._match = match
        self.seat = seat
        self._imagined = 0
        self._view: Any = None

    @property
    def view(self) -> Any:
        if self._view is None:
            self._view = self._match.view(self.seat)
        return self._view

    @property
    def legal(self) -> Sequence[str]:
        return LegalTexts(self._match, self.seat)

    @property
    def step(self) -> int:
        """The step that is to be played, counted from 1."""
        return self._match.step_number + 1

    @property
    def options(self) -> Any:
        """What the match was set up from; None where it began from a position."""
        return self._match.options

    @property
    def random(self) -> Random:
        place = self._match.seats[self.seat]
        if place.random is None:
            place.random = Random(derive_seed(self._match.seed, FOR_A_BOT, self.seat))
        return place.random

    @property
    def memory(self) -> dict[str, Any]:
        return self._match.seats[self.seat].memory

    def imagine(self) -> State:
        self._imagined += 1
        return self._match.state.redeal(self.seat, self._seed(FOR_IMAGINING))

    def spell(self, action: int) -> str:
        return self._match.game.spell(self._match.record, self.seat, action)

    def search(self, milliseconds: int = 0, iterations: int = 0) -> str:
        forced = self._match.state.candidates(self.seat)
        if len(forced) == 1:  # there is nothing to think about
            return self.spell(forced[0])
        self._imagined += 1
        seed = self._seed(FOR_SEARCHING)
        ranked = self._match.state.search(self.seat, seed, milliseconds, iterations)
        return self.spell(ranked[0][0])

    def _seed(self, purpose: int) -> int:
        match = self._match
        return derive_seed(match.seed, purpose, self.seat, match.step_number, self._imagined)
