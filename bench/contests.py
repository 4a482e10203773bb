"""What a contest costs beside the same matches in a bare loop: 2,000 of Tron between greedy bots of this process.

The loop knows nothing but the host: no replays, no results, no other process. The contest has one
worker, so that both use one core; it keeps replays and commits every match to disk. They take turns
in pieces, so that what slows the machine for a while slows both.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from turntile.contest.crew import LocalCrew
from turntile.contest.matches import Finished, Planned
from turntile.contest.plan import Contest, Origin, make_plan
from turntile.contest.results import Results
from turntile.contest.run import play_on
from turntile.core.registry import find
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.players.host import Host
from turntile.players.seats import seat_player

MATCHES = 2000
PIECES = 8
MOST_TIMES_BARE = 1.3  # what we promise


def plan(matches: int, seed: int) -> Contest:
    bots = [{"seat": "greedy"}, {"seat": "greedy", "name": "greedy too"}]
    return make_plan({"game": "tron", "seed": seed, "rounds": matches // 2, "bot": bots}, Origin("the bench"))


class Counting:
    """A crew that notes which matches it was given."""

    def __init__(self, crew: LocalCrew) -> None:
        self.crew = crew
        self.given: list[Planned] = []

    def room(self) -> int:
        return self.crew.room()

    def give(self, matches: Sequence[Planned]) -> None:
        self.given += matches
        self.crew.give(matches)

    def wait(self, seconds: float) -> list[Finished]:
        return self.crew.wait(seconds)

    def close(self) -> None:
        self.crew.close()

    def describe(self) -> str:
        return self.crew.describe()


def contest(folder: Path, matches: int, seed: int, workers: int) -> tuple[float, list[Planned], int]:
    """Seconds from nothing to the last result, the start and end of the workers included; what was played."""
    chosen = plan(matches, seed)
    begun = perf_counter()
    with Results.create(folder / f"{seed}-{workers}.contest", chosen) as results:
        crew = Counting(LocalCrew(chosen, workers))
        try:
            course, _ = play_on(results, crew)
        finally:
            crew.close()
    seconds = perf_counter() - begun
    assert course.counted == matches, course.counted
    return seconds, crew.given, course.tally.steps


def bare_loop(planned: Sequence[Planned]) -> tuple[float, int]:
    game = find("tron")
    options = choose_options(game, {"players": 2})
    players = [seat_player(game, "greedy"), seat_player(game, "greedy")]
    begun = perf_counter()
    steps = 0
    for one in planned:
        match = Match.start(game, options, one.seed)
        Host(match, players).play()
        steps += match.step_number
    return perf_counter() - begun, steps


def measure(matches: int = MATCHES, pieces: int = PIECES) -> dict[str, Any]:
    ratios, contest_s, bare_s = [], 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for piece in range(pieces):
            seconds, planned, steps = contest(Path(folder), matches // pieces, piece, workers=1)
            bare, same_steps = bare_loop(planned)
            assert steps == same_steps, "the same matches"
            ratios.append(seconds / bare)
            contest_s += seconds
            bare_s += bare
        all_cores, planned, _ = contest(Path(folder), matches // pieces, pieces, workers=0)
        size = sum(path.stat().st_size for path in Path(folder).glob("*.contest"))
    played = matches + matches // pieces
    return {
        "matches": matches,
        "contest_s": contest_s,
        "bare_loop_s": bare_s,
        "times_bare_loop": median(ratios),
        "matches_per_s_one_worker": matches / contest_s,
        "matches_per_s_all_cores": len(planned) / all_cores,
        "bytes_a_match": size / played,
    }
