"""What ears are shown: frames, made once for all who look with the same eyes.

A frame tells what was heard since the frame before, so an ear that was not ready is given one
frame with everything it has missed. Lines are kept for the last steps, and only for eyes that
somebody has. Programs get theirs at once; pictures take longer and wait for their turn at the
easel.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

from turntile.match.match import Match, Step
from turntile.server.ears import Ear, Feed, Letter
from turntile.server.easel import Easel
from turntile.server.infos import outcome_info
from turntile.server.messages import ClockInfo, Frame, Picture

LINES_KEPT = 64  # steps whose lines can still be told to who comes back
KEPT_FOR_S = 120.0  # ... after the last one with these eyes has gone

Eye = int | None  # a seat's, or the judge's


class Scenery(Protocol):
    """What a lookout looks at: the table itself, or what its watchers may see of it."""

    @property
    def match(self) -> Match | None: ...

    @property
    def public_number(self) -> int:
        """How many things have happened in it that everybody knows of."""
        ...

    def now(self) -> float: ...

    def steady(self) -> bool:
        """Whether it is as it is stored; if not, nothing of it may be shown."""
        ...

    def clock_infos(self) -> tuple[ClockInfo, ...]: ...

    def due_ms(self) -> float | None: ...

    def next_seq(self, seat: int) -> int: ...

    def real_time(self) -> bool: ...


class Hearing:
    """How far an ear is."""

    __slots__ = ("asked", "behind", "step")

    def __init__(self, step: int) -> None:
        self.step = step  # the lines up to this step have been told to it
        self.asked = False  # its next picture waits at the easel
        self.behind = False  # there was a frame it could not be given


class Memory:
    """The lines of the last steps, as one eye heard them."""

    __slots__ = ("left_at", "lines")

    def __init__(self) -> None:
        self.lines: deque[tuple[int, tuple[str, ...]]] = deque(maxlen=LINES_KEPT)
        self.left_at: float | None = None  # when the last ear with this eye went away

    def since(self, step: int) -> tuple[str, ...]:
        """Usually those of the last step alone."""
        if not self.lines or self.lines[-1][0] <= step:
            return ()
        if len(self.lines) == 1 or self.lines[-2][0] <= step:
            return self.lines[-1][1]
        return tuple([line for number, lines in self.lines if number > step for line in lines])

    def first_step(self, present: int) -> int:
        """The first step whose lines are there."""
        return self.lines[0][0] if self.lines else present + 1


class Lookout:
    """Shows one scenery to its ears."""

    __slots__ = ("ears", "easel", "latest", "letters", "memories", "scenery")

    def __init__(self, scenery: Scenery, easel: Easel) -> None:
        self.scenery = scenery
        self.easel = easel
        self.ears: dict[Ear, Hearing] = {}
        self.memories: dict[Eye, Memory] = {}
        self.letters: dict[tuple[tuple[int, ...], Feed, int], Letter] = {}  # of the match as it stands now
        self.latest: Step | None = None  # for the moments inside it, as long as it is the newest

    # ------------------------------------------------------------------- ears

    def add(self, ear: Ear, since: int = -1) -> None:
        """The first frame comes at once, with the lines since that step as far as they are kept."""
        match = self.scenery.match
        present = match.step_number if match is not None else 0
        self.ears[ear] = Hearing(since if 0 <= since <= present else present)
        for eye in eyes_of(ear.seats):
            self.memories.setdefault(eye, Memory()).left_at = None
        if self.scenery.clock_infos() or self.scenery.real_time():
            self.letters.clear()  # they tell clocks as they stood when they were written
        self.give(ear)

    def remove(self, ear: Ear) -> bool:
        if self.ears.pop(ear, None) is None:
            return False
        for eye in eyes_of(ear.seats):
            if not any(eye in eyes_of(other.seats) for other in self.ears) and eye in self.memories:
                self.memories[eye].left_at = self.scenery.now()
        return True

    def catch_up(self, ear: Ear) -> None:
        hearing = self.ears.get(ear)
        if hearing is not None and hearing.behind:
            self.owe(ear, hearing)

    def tidy(self, now: float) -> None:
        """Forget what nobody has asked for lately."""
        self.letters.clear()
        self.latest = None
        gone = [eye for eye, memory in self.memories.items() if memory.left_at is not None]
        for eye in gone:
            left_at = self.memories[eye].left_at
            if left_at is not None and now - left_at > KEPT_FOR_S:
                del self.memories[eye]

    # ------------------------------------------------------------------- telling

    def tell(self, steps: Sequence[Step], chosen: frozenset[int] | set[int] = frozenset()) -> None:
        """The match has gone on. Without a step only those hear of it whose own seats have chosen."""
        self.letters.clear()
        if steps:
            self.remember(steps)
        self.latest = steps[-1] if steps else None
        for ear, hearing in list(self.ears.items()):
            if hearing.behind:
                self.give(ear)  # now is the moment: a match in a hurry might be ahead again when its turn comes
            # Without a step an acknowledgement says it all, but a person's screen shows that he has chosen.
            elif steps or not chosen or (ear.feed == "scene" and not chosen.isdisjoint(ear.seats)):
                self.owe(ear, hearing)

    def remember(self, steps: Sequence[Step]) -> None:
        """The lines of the last steps, for all eyes that somebody has."""
        match = self.scenery.match
        assert match is not None
        for eye, memory in self.memories.items():
            for step in steps[-LINES_KEPT:]:
                memory.lines.append((step.number, tuple(match.heard(step, eye)) if step.events else ()))

    def owe(self, ear: Ear, hearing: Hearing) -> None:
        """A frame for an ear: a picture when it is its turn, anything else at once."""
        if ear.feed == "scene":
            hearing.asked = True
            self.easel.ask(self, ear.seats)
        else:
            self.give(ear)

    def draw(self, seats: tuple[int, ...]) -> None:
        """It is the turn of all who look with these eyes and have been promised a picture."""
        for ear, hearing in list(self.ears.items()):
            if hearing.asked and ear.seats == seats:
                self.give(ear)

    def draw_all(self) -> None:
        """Draw what was promised now: something is to be said after it."""
        for ear, hearing in list(self.ears.items()):
            if hearing.asked:
                self.give(ear)

    def give(self, ear: Ear) -> None:
        hearing = self.ears[ear]
        match = self.scenery.match
        hearing.asked = False
        if match is None:
            return
        if not ear.ready() or not self.scenery.steady():
            hearing.behind = True
            return
        letter = self.letter(ear.seats, ear.feed, hearing.step)
        hearing.behind = False
        hearing.step = match.step_number
        ear.hear(letter)

    def letter(self, seats: tuple[int, ...], feed: Feed, since: int) -> Letter:
        key = (seats, feed, since)
        letter = self.letters.get(key)
        if letter is None:
            letter = self.letters[key] = Letter(self.frame(seats, feed, since))
        return letter

    # ------------------------------------------------------------------- frames

    def frame(self, seats: tuple[int, ...], feed: Feed, since: int) -> Frame:
        scenery = self.scenery
        match = scenery.match
        assert match is not None
        outcome = match.outcome
        eyes = eyes_of(seats)
        waiting = match.waiting()
        return Frame(
            number=scenery.public_number,
            step=match.step_number,
            pictures=tuple([self.picture(match, eye, feed, since, waiting) for eye in eyes]),
            to_act=match.to_act(),
            waiting=waiting if waiting == seats else tuple([seat for seat in waiting if seat in seats]),
            clocks=scenery.clock_infos(),
            due_ms=scenery.due_ms(),
            outcome=None if outcome is None else outcome_info(outcome),
            covered=len(seats) > 1 and feed != "lines" and self.must_cover(match, seats),
            missed_before=self.missed(eyes, since, match.step_number) if since < match.step_number else 0,
        )

    def missed(self, eyes: tuple[Eye, ...], since: int, present: int) -> int:
        """Steps after `since` whose lines are kept no more for one of these eyes."""
        missed = 0
        for eye in eyes:
            memory = self.memories.get(eye)
            first = memory.first_step(present) if memory is not None else present + 1
            if first - 1 - since > missed:
                missed = first - 1 - since
        return missed

    def picture(self, match: Match, eye: Eye, feed: Feed, since: int, waiting: tuple[int, ...]) -> Picture:
        memory = self.memories.get(eye)
        lines = memory.since(since) if memory is not None and since < match.step_number else ()
        next_seq = self.scenery.next_seq(eye) if eye is not None else 0
        if feed == "lines":
            return Picture(seat=eye, lines=lines, next_seq=next_seq)
        if feed == "scene":
            latest = self.latest
            fresh = latest is not None and latest.number == match.step_number and since == latest.number - 1
            stages = match.stages(latest, eye) if fresh and latest is not None else ()
            return Picture(seat=eye, lines=lines, scene=match.scene(eye), stages=stages, next_seq=next_seq)
        choosing = eye is not None and eye in waiting
        legal = match.legal(eye) if choosing else ()
        count = len(match.legal_actions(eye)) if choosing and eye is not None else 0
        return Picture(seat=eye, lines=lines, view=match.view(eye), legal=legal, legal_count=count, next_seq=next_seq)

    def must_cover(self, match: Match, seats: tuple[int, ...]) -> bool:
        """Several people at one screen. In real time they play at once, so nothing can be covered."""
        if self.scenery.real_time() or match.over:
            return False
        return any(match.views_differ(one, other) for one, other in combinations(seats, 2))


def eyes_of(seats: tuple[int, ...]) -> tuple[Eye, ...]:
    return seats or (None,)
