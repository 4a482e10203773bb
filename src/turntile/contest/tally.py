"""What the matches of a contest add up to, bot by bot and table by table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from turntile.contest.matches import Finished, shares


@dataclass
class Line:
    """One bot's sums."""

    played: int = 0
    won: int = 0  # first, alone
    drawn: int = 0  # first, together with others
    lost: int = 0
    share: float = 0.0  # the sum over its matches of the part of the others it came before
    points: int = 0  # the game's own
    moves: int = 0
    time_ms: float = 0.0
    slowest_ms: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)  # by kind


class Tally:
    """Fed with matches, in any order."""

    def __init__(self, bots: int) -> None:
        self.lines = [Line() for _ in range(bots)]
        self.against: Counter[tuple[int, int]] = Counter()  # half points of the first in comparisons with the second
        self.met: Counter[tuple[int, int]] = Counter()  # comparisons
        self.seat_share: Counter[tuple[int, int]] = Counter()  # (seats, seat) -> twelfths of a match's share
        self.seat_played: Counter[int] = Counter()  # seats -> matches
        self.matches = 0
        self.steps = 0
        self.seconds = 0.0
        self.latencies: list[float] = []

    def count(self, match: Finished) -> None:
        self.matches += 1
        self.steps += match.steps
        self.seconds += match.seconds
        if match.latency_ms >= 0:
            self.latencies.append(match.latency_ms)
        parts = shares(match.places)
        seats = len(match.bots)
        self.seat_played[seats] += 1
        leaders = match.places.count(1)
        for seat, bot in enumerate(match.bots):
            line = self.lines[bot]
            line.played += 1
            line.won += match.places[seat] == 1 and leaders == 1
            line.drawn += match.places[seat] == 1 and leaders > 1
            line.lost += match.places[seat] > 1
            line.share += parts[seat]
            line.points += match.scores[seat]
            line.moves += match.moves[seat]
            line.time_ms += match.time_ms[seat]
            line.slowest_ms = max(line.slowest_ms, match.slowest_ms[seat])
            self.seat_share[seats, seat] += round(12 * parts[seat])
            for beside, other in enumerate(match.bots):
                if other != bot:
                    mine, its = match.places[seat], match.places[beside]
                    self.against[bot, other] += 2 * (mine < its) + (mine == its)
                    self.met[bot, other] += 1
        for failure in match.failures:
            self.lines[match.bots[failure.seat]].failures[failure.kind] += 1

    def seat_advantage(self) -> dict[int, list[float]]:
        """By number of seats: the mean share of each seat; 0.5 everywhere is a fair game."""
        return {
            seats: [self.seat_share[seats, seat] / 12 / played for seat in range(seats)]
            for seats, played in sorted(self.seat_played.items())
        }

    def latency(self) -> dict[str, float]:
        """How late this machine woke a sleeper while matches ran, in ms."""
        if not self.latencies:
            return {}
        sorted_ = sorted(self.latencies)
        return {
            "median": sorted_[len(sorted_) // 2],
            "p99": sorted_[min(len(sorted_) - 1, len(sorted_) * 99 // 100)],
            "worst": sorted_[-1],
        }
