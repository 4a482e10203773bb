"""Contests as tests make them: small boards, quick bots, results made up or really played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from turntile.contest.course import Course
from turntile.contest.crew import LocalCrew
from turntile.contest.matches import Finished, Planned
from turntile.contest.plan import Contest, Origin, make_plan
from turntile.contest.play import Table
from turntile.contest.results import Results
from turntile.contest.run import play_on


def contest(bots: int = 4, **more: Any) -> Contest:
    """A plan for bots of which nothing but the name differs."""
    named = [{"name": f"bot{number}", "seat": "random"} for number in range(bots)]
    plan = {"game": "tron", "seed": 7, "options": {"size": 9}, "bot": named, **more}
    return make_plan(plan, Origin("the test"))


def finished(planned: Planned, places: Sequence[int], **more: Any) -> Finished:
    """A result somebody made up."""
    seats = len(planned.bots)
    return Finished(
        number=planned.number,
        round=planned.round,
        bots=planned.bots,
        seed=planned.seed,
        scores=tuple(-place for place in places),
        places=tuple(places),
        reason="made up",
        steps=1,
        seconds=0.0,
        moves=(1,) * seats,
        time_ms=(0.0,) * seats,
        slowest_ms=(0.0,) * seats,
        **more,
    )


def by_strength(planned: Planned) -> Finished:
    """Who has the smaller number wins."""
    order = sorted(planned.bots)
    return finished(planned, [order.index(bot) + 1 for bot in planned.bots])


def play_all(course: Course, result: Any = by_strength) -> list[Planned]:
    """Feed a course with made-up results to its end; what was planned."""
    played = []
    while not course.ended:
        planned = course.next()
        assert planned is not None, "a course that is not over plans something"
        played.append(planned)
        course.arrive(result(planned))
    return played


class Here:
    """A crew in the test's own process, which plays in whatever order it is told to."""

    def __init__(self, plan: Contest, backwards: bool = False) -> None:
        self.table = Table(plan)
        self.backwards = backwards
        self.given: list[Planned] = []
        self.seen: list[int] = []  # the numbers of all it was given

    def room(self) -> int:
        return 5 - len(self.given)

    def give(self, matches: Sequence[Planned]) -> None:
        self.given += matches
        self.seen += [planned.number for planned in matches]

    def wait(self, seconds: float) -> list[Finished]:
        planned = self.given.pop(-1 if self.backwards else 0)
        return [self.table.play(planned)]

    def close(self) -> None:
        self.table.close()

    def describe(self) -> str:
        return "here"


def play_to_end(path: Path, plan: Contest, workers: int = 2) -> Course:
    """A contest really played by worker processes."""
    with Results.create(path, plan) as results:
        crew = LocalCrew(plan, workers)
        try:
            course, stopped = play_on(results, crew)
        finally:
            crew.close()
    assert not stopped
    return course
