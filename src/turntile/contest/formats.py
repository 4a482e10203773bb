"""The formats of contests: which tables meet, round by round, given how the rounds before went.

A format plans units. A unit is one table with one seed, played in all orders of seats, so that
what a seat or a seed is worth cancels. Units come in waves: all of a wave are known before any
of it is played. What a format decides depends on nothing but the plan and the results in their
order: that is why a contest that was killed ends as one that was not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, count, permutations
from math import ceil

from turntile.contest import ratings, sequential
from turntile.contest.matches import Finished, shares
from turntile.contest.plan import Contest
from turntile.contest.swiss import pair_round
from turntile.core.seeds import derive_seed

MOST_EXTRA_GAMES = 10  # of a knockout's table that stays tied; then the better seeded goes on


@dataclass(frozen=True, slots=True)
class Unit:
    """One table with one seed."""

    round: int
    seatings: tuple[tuple[int, ...], ...]
    seed: int
    ends_round: bool = False

    @property
    def table(self) -> tuple[int, ...]:
        return tuple(sorted(set(self.seatings[0])))


@dataclass(frozen=True, slots=True)
class Score:
    """What a unit came to."""

    unit: Unit
    matches: tuple[Finished, ...]
    points: dict[int, Fraction]  # by bot: the mean part of the others it came before, 0 to 1
    failing: frozenset[int]  # bots that broke down in all of it


@dataclass(frozen=True, slots=True)
class Wave:
    """Units that may be played at the same time."""

    units: Iterable[Unit]
    keep: bool = True  # whether the format wants to see their scores


Waves = Generator[Wave, Sequence[Score], None]


def score_of(unit: Unit, matches: Sequence[Finished]) -> Score:
    points: dict[int, Fraction] = {}
    sat: Counter[int] = Counter()
    broke: Counter[int] = Counter()
    for match in matches:
        for seat, (bot, share) in enumerate(zip(match.bots, shares(match.places), strict=True)):
            points[bot] = points.get(bot, Fraction(0)) + Fraction(share).limit_denominator(12)
            sat[bot] += 1
            broke[bot] += match.failed(seat)
    failing = frozenset(bot for bot in sat if broke[bot] == sat[bot])
    return Score(unit, tuple(matches), {bot: points[bot] / sat[bot] for bot in points}, failing)


@dataclass
class Format:
    """What all formats know: the plan, and who has left from which round on."""

    contest: Contest
    left: dict[int, int] = field(default_factory=dict)  # bot -> the first round it does not play

    def waves(self) -> Waves:
        raise NotImplementedError

    def ended_by(self, score: Score) -> str:
        """Whether this unit, in its turn, ends the contest: why, or ""."""
        return ""

    def order(self, bot: int) -> tuple[float, ...]:
        """What the standings are sorted by, least first, before points per match."""
        return ()

    def columns(self, bot: int) -> dict[str, float | str]:
        """What the standings tell of a bot besides what they tell of all."""
        return {}

    def summary(self) -> dict[str, float | str]:
        """What there is to tell of the whole besides the standings."""
        return {}

    # ------------------------------------------------------------------- parts of plans

    def playing(self, round: int) -> list[int]:
        return [bot for bot in range(len(self.contest.bot)) if self.left.get(bot, round + 1) > round]

    def seed(self, *path: int) -> int:
        """Every table of a round has the same seed."""
        assert self.contest.seed is not None
        return derive_seed(self.contest.seed, *path)

    def unit(self, round: int, table: Sequence[int], game: int = 0, last: bool = False) -> Unit:
        return Unit(round, tuple(permutations(table)), self.seed(round, game), last)

    def drop_failing(self, round: int, scores: Sequence[Score]) -> None:
        """Who did nothing but break down in a round is out from the next on, if the plan says so."""
        if not self.contest.drop_failing:
            return
        played: Counter[int] = Counter(bot for score in scores for bot in score.unit.table)
        failed: Counter[int] = Counter(bot for score in scores for bot in score.failing)
        for bot in failed:
            if failed[bot] == played[bot]:
                self.left.setdefault(bot, round + 1)

    def rounds_of(self, tables: Callable[[int], list[tuple[int, ...]]]) -> Waves:
        """All tables in every round; the rounds depend on each other only where failing bots drop out."""
        last = self.contest.last_round()
        assert last is not None
        if not self.contest.drop_failing:
            yield Wave((unit for round in range(1, last + 1) for unit in self.round(round, tables(round))), keep=False)
            return
        for round in range(1, last + 1):
            scores = yield Wave(list(self.round(round, tables(round))))
            self.drop_failing(round, scores)

    def round(self, round: int, tables: list[tuple[int, ...]]) -> Iterator[Unit]:
        for number, table in enumerate(tables, 1):
            yield self.unit(round, table, last=number == len(tables))


class RoundRobin(Format):
    """Every table of so many bots that there is."""

    def waves(self) -> Waves:
        yield from self.rounds_of(lambda round: list(combinations(self.playing(round), self.contest.seats)))


class Gauntlet(Format):
    """The champion against every table of others."""

    def waves(self) -> Waves:
        champion = self.contest.champion_number

        def tables(round: int) -> list[tuple[int, ...]]:
            others = [bot for bot in self.playing(round) if bot != champion]
            if champion not in self.playing(round):
                return []
            return [(champion, *rest) for rest in combinations(others, self.contest.seats - 1)]

        yield from self.rounds_of(tables)


@dataclass
class Swiss(Format):
    """In every round those of like points meet."""

    points: dict[int, Fraction] = field(default_factory=dict)
    byes: list[int] = field(default_factory=list)
    met: Counter[tuple[int, int]] = field(default_factory=Counter)

    def waves(self) -> Waves:
        last = self.contest.last_round()
        assert last is not None
        self.points = {bot: Fraction(0) for bot in range(len(self.contest.bot))}
        for round in range(1, last + 1):
            tables = self.tables(round)
            full = [table for table in tables if len(table) > 1]
            for [bot] in (table for table in tables if len(table) == 1):
                self.byes.append(bot)
                self.points[bot] += 1  # a bye is worth a win
            if not full:
                return
            scores = yield Wave(list(self.round(round, full)))
            for score in scores:
                self.met.update(combinations(score.unit.table, 2))
                for bot, points in score.points.items():
                    self.points[bot] += points
            self.drop_failing(round, scores)

    def tables(self, round: int) -> list[tuple[int, ...]]:
        ranked = sorted(self.playing(round), key=lambda bot: (-self.points[bot], bot))
        points = {bot: float(self.points[bot]) for bot in ranked}
        return pair_round(ranked, points, self.met, self.byes, self.contest.seats)

    def opposition(self, bot: int) -> Fraction:
        """Buchholz: the points of all it met."""
        return sum(
            (self.points[pair[0] + pair[1] - bot] * times for pair, times in self.met.items() if bot in pair),
            Fraction(0),
        )

    def order(self, bot: int) -> tuple[float, ...]:
        return (-float(self.points.get(bot, 0)), -float(self.opposition(bot)))

    def columns(self, bot: int) -> dict[str, float | str]:
        return {
            "score": float(self.points.get(bot, 0)),
            "buchholz": float(self.opposition(bot)),
            "byes": self.byes.count(bot),
        }


@dataclass
class Knockout(Format):
    """Who does not win its table is out. The bots' order in the plan is their seeding.

    A table plays games until one has won more than half of `best_of`; a game is a unit, won by
    who alone made the most points in it. Byes come in the first round and go to the best seeded.
    """

    reached: dict[int, int] = field(default_factory=dict)  # bot -> the round it played last, one more if it won that
    tie_breaks: int = 0

    def waves(self) -> Waves:
        inside = list(range(len(self.contest.bot)))
        self.reached = dict.fromkeys(inside, 1)
        round = 1
        while len(inside) > 1:
            gone = [bot for bot in inside if bot not in self.playing(round)]
            open_tables = [Series(table, self.contest.best_of) for table in self.bracket(inside)]
            for series in open_tables:
                series.forfeit(gone)
            for game in count():
                live = [series for series in open_tables if series.winner() is None]
                if not live:
                    break
                wave = [self.unit(round, series.table, game, series is live[-1]) for series in live]
                scores = yield Wave(wave)
                for series, score in zip(live, scores, strict=True):
                    series.count(score.points)
            inside = sorted(winner for series in open_tables if (winner := series.winner()) is not None)
            self.tie_breaks += sum(series.by_seeding for series in open_tables)
            round += 1
            for bot in inside:
                self.reached[bot] = round

    def bracket(self, inside: Sequence[int]) -> list[tuple[int, ...]]:
        """So many tables that only full ones follow; the best seeded are spread and meet the worst."""
        seats = self.contest.seats
        tables = 1
        while tables * seats < len(inside):
            tables *= seats
        seated: list[list[int]] = [[] for _ in range(tables)]
        for place, bot in enumerate(inside):
            layer, at = divmod(place, tables)
            seated[tables - 1 - at if layer % 2 else at].append(bot)
        return [tuple(table) for table in seated]

    def order(self, bot: int) -> tuple[float, ...]:
        return (-self.reached.get(bot, 1),)

    def columns(self, bot: int) -> dict[str, float | str]:
        return {"reached": self.reached.get(bot, 1)}

    def summary(self) -> dict[str, float | str]:
        return {"tables decided by seeding": self.tie_breaks} if self.tie_breaks else {}


class Series:
    """The games of one knockout table."""

    def __init__(self, table: tuple[int, ...], best_of: int) -> None:
        self.table = table
        self.best_of = best_of
        self.games = 0
        self.won: Counter[int] = Counter()
        self.points: dict[int, Fraction] = {bot: Fraction(0) for bot in table}
        self.by_seeding = False

    def forfeit(self, gone: Sequence[int]) -> None:
        """Those who left sit no more; if all left, the best seeded goes on all the same."""
        staying = tuple(bot for bot in self.table if bot not in gone)
        self.table = staying or self.table[:1]

    def count(self, points: dict[int, Fraction]) -> None:
        self.games += 1
        most = max(points.values())
        best = [bot for bot in self.table if points[bot] == most]
        if len(best) == 1:
            self.won[best[0]] += 1
        for bot in self.table:
            self.points[bot] += points[bot]

    def winner(self) -> int | None:
        if len(self.table) == 1:
            return self.table[0]
        for bot in self.table:
            if self.won[bot] * 2 > self.best_of:
                return bot
        if self.games < self.best_of:
            return None
        worth = {bot: (self.won[bot], self.points[bot]) for bot in self.table}
        best = [bot for bot in self.table if worth[bot] == max(worth.values())]
        if len(best) == 1:
            return best[0]
        if self.games < self.best_of + MOST_EXTRA_GAMES:
            return None
        self.by_seeding = True
        return min(best)


@dataclass
class LadderFormat(Format):
    """Goes on until it is stopped: in every round those of like rating meet, and who has played least plays."""

    played: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.ladder = ratings.Ladder(len(self.contest.bot))

    def waves(self) -> Waves:
        last = self.contest.last_round()
        for round in count(1):
            tables = self.tables(round)
            if not tables or (last is not None and round > last):
                return
            scores = yield Wave(list(self.round(round, tables)))
            for score in scores:
                self.played.update(score.unit.table)
                for match in score.matches:
                    self.ladder.count(match.bots, match.places)
            self.drop_failing(round, scores)

    def tables(self, round: int) -> list[tuple[int, ...]]:
        """Neighbours in a list whose ratings are shaken by their own uncertainty, else the same would always meet."""
        playing = self.playing(round)
        full = len(playing) // self.contest.seats
        chosen = sorted(playing, key=lambda bot: (self.played[bot], self.seed(round, 1, bot)))
        chosen = chosen[: full * self.contest.seats]
        shaken = {
            bot: self.ladder.mean(bot) + self.ladder.deviation(bot) * (self.seed(round, 2, bot) / 2**63 - 1)
            for bot in chosen
        }
        ranked = sorted(chosen, key=lambda bot: (-shaken[bot], bot))
        return [tuple(ranked[at : at + self.contest.seats]) for at in range(0, len(ranked), self.contest.seats)]

    def order(self, bot: int) -> tuple[float, ...]:
        return (-self.ladder.safe(bot),)

    def columns(self, bot: int) -> dict[str, float | str]:
        return {
            "rating": round(self.ladder.mean(bot), 2),
            "deviation": round(self.ladder.deviation(bot), 2),
            "at least": round(self.ladder.safe(bot), 2),
        }


@dataclass
class SprtFormat(Format):
    """Two bots until the evidence is enough; with more seats, both sit there as often as each other."""

    seen: Counter[float] = field(default_factory=Counter)

    def waves(self) -> Waves:
        last = self.contest.last_round()
        assert last is not None
        seatings = self.seatings()
        units = (Unit(round, seatings, self.seed(round, 0), True) for round in range(1, last + 1) if not self.left)
        yield Wave(units, keep=False)

    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """All ways to share the seats as evenly as they can be; an odd seat goes to each in turn."""
        seats = self.contest.seats
        ways = {
            tuple(0 if seat in first else 1 for seat in range(seats))
            for many in {seats // 2, ceil(seats / 2)}
            for first in combinations(range(seats), many)
        }
        return tuple(sorted(ways))

    def ended_by(self, score: Score) -> str:
        _, [(made, of)] = ratings.unit_key((match.bots, match.places) for match in score.matches)
        self.seen[made / of] += 1
        return sequential.verdict(self.seen, self.contest.sprt)

    def summary(self) -> dict[str, float | str]:
        rule = self.contest.sprt
        low, high = sequential.bounds(rule)
        ratio = sequential.log_likelihood_ratio(self.seen, rule.elo0, rule.elo1)
        return {
            "log-likelihood ratio": round(ratio, 3),
            "rejected below": round(low, 3),
            "accepted above": round(high, 3),
            "verdict": sequential.verdict(self.seen, rule) or "open",
        }


FORMATS: dict[str, type[Format]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": LadderFormat,
    "sprt": SprtFormat,
}
