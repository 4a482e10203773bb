"""The course of a contest: what is to be played next, and what the results so far come to.

Results may arrive in any order; they count in the order of their numbers, so that everything
decided from them is the same however many play at once and however often it was stopped.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping

from turntile.contest.formats import FORMATS, Score, Unit, score_of
from turntile.contest.matches import Finished, Planned
from turntile.contest.plan import Contest
from turntile.contest.ratings import Rating, UnitKey, bradley_terry, unit_key
from turntile.contest.tally import Tally
from turntile.core.errors import TurntileError


class OtherResults(TurntileError):
    """A result that this contest never planned."""


class Course:
    """Fed with results, says what is next."""

    def __init__(self, contest: Contest, left: Mapping[int, int] | None = None) -> None:
        self.contest = contest
        self.format = FORMATS[contest.format](contest, dict(left or {}))
        self.ended = ""  # why it is over
        self.tally = Tally(len(contest.bot))
        self.units: Counter[UnitKey] = Counter()
        self.planned = 0  # how many matches have been planned so far
        self.counted = 0  # how many have counted: all numbers below
        self.early: dict[int, Finished] = {}  # arrived before their turn
        self.open: dict[int, Planned] = {}  # planned, not counted
        self.gaps: deque[Planned] = deque()  # handed out before a stop, without a result since
        self.pending: deque[tuple[Unit, int]] = deque()  # units not counted, with their last number
        self.matches: list[Finished] = []  # of the first pending unit, those that have counted
        self.scores: list[Score] = []  # of this wave
        self.waves = self.format.waves()
        self.ready: Iterator[Planned] = iter(())
        self.ahead: Planned | None = None  # looked at early, to know when a wave ends
        self.keep = True
        self.next_wave(first=True)

    def next_wave(self, first: bool = False) -> None:
        scores, self.scores = self.scores, []
        try:
            wave = next(self.waves) if first else self.waves.send(scores)
        except StopIteration:
            self.ended = self.ended or "all rounds are played"
            self.ready = iter(())
            return
        self.keep = wave.keep
        self.ready = self.expand(iter(wave.units))
        self.ahead = next(self.ready, None)

    def expand(self, units: Iterator[Unit]) -> Iterator[Planned]:
        for unit in units:
            self.pending.append((unit, self.planned + len(unit.seatings) - 1))
            for bots in unit.seatings:
                planned = Planned(self.planned, unit.round, bots, unit.seed)
                self.planned += 1
                self.open[planned.number] = planned
                yield planned

    def next(self) -> Planned | None:
        """The next match that has no result and may be played now, if any is known yet."""
        while True:
            self.settle()
            if self.ended or self.ahead is None:
                return None
            planned, self.ahead = self.ahead, next(self.ready, None)
            if planned.number in self.open and planned.number not in self.early:
                return planned

    def arrive(self, finished: Finished) -> None:
        """A result. It counts when all before it have."""
        self.early[finished.number] = finished
        self.settle()

    def settle(self) -> None:
        """Count what can be counted, and plan what follows from it."""
        while not self.ended:
            if self.counted in self.early and self.counted in self.open:
                self.count(self.early.pop(self.counted))
            elif self.ahead is None and not self.open:
                self.next_wave()
            else:
                return

    def count(self, finished: Finished) -> None:
        planned = self.open.pop(finished.number)
        if (planned.bots, planned.seed) != (finished.bots, finished.seed):
            raise OtherResults(
                f"match {finished.number + 1} was stored with other players or another seed than planned: it is of "
                "another contest, or of a Turntile that planned differently; use the one that wrote it"
            )
        self.counted += 1
        self.tally.count(finished)
        self.matches.append(finished)
        unit, last = self.pending[0]
        if finished.number == last:
            self.pending.popleft()
            matches, self.matches = self.matches, []
            self.finish_unit(unit, score_of(unit, matches))

    def finish_unit(self, unit: Unit, score: Score) -> None:
        self.units[unit_key((match.bots, match.places) for match in score.matches)] += 1
        if self.keep:
            self.scores.append(score)
        self.ended = self.format.ended_by(score) or self.stopped_by_rule(unit)

    def stopped_by_rule(self, unit: Unit) -> str:
        stop = self.contest.stop
        if stop.matches and self.counted >= stop.matches:
            return f"{self.counted} matches are played, as many as `stop.matches` wants"
        if stop.interval and unit.ends_round:
            widest = max(rating.margin for rating in self.ratings())
            if widest <= stop.interval:
                return f"every rating is known to +-{widest:.1f} Elo, as `stop.interval` wants"
        return ""

    def ratings(self) -> list[Rating]:
        return bradley_terry(len(self.contest.bot), self.units)

    def in_all(self) -> int | None:
        """How many matches there will be, where that is known."""
        contest = self.contest
        if self.ended:
            return self.counted
        if contest.format not in ("round-robin", "gauntlet") or contest.drop_failing or self.format.left:
            return None
        from math import comb, factorial

        bots, seats, rounds = len(contest.bot), contest.seats, contest.last_round()
        assert rounds is not None
        tables = comb(bots, seats) if contest.format == "round-robin" else comb(bots - 1, seats - 1)
        whole = rounds * tables * factorial(seats)
        return min(whole, contest.stop.matches) if contest.stop.matches else whole
