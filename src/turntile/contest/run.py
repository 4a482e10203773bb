"""Running a contest: plan, play, store, count, until it is over or somebody stops it."""

from __future__ import annotations

import time
from collections.abc import Callable

from turntile.contest.course import Course
from turntile.contest.crew import Crew
from turntile.contest.matches import Finished, Planned
from turntile.contest.results import Results

WAIT_S = 0.1  # how long a stop may go unnoticed


def follow(results: Results) -> Course:
    """The course as far as the stored matches lead it."""
    course = Course(results.contest, results.withdrawals())
    for finished in results.matches():
        course.early[finished.number] = finished
    last = max(course.early, default=-1)
    course.settle()
    while not course.ended and course.ahead is not None and course.ahead.number <= last:
        # A match without a result before others that have one: a gap that is filled when the contest goes on.
        if (planned := course.next()) is not None:
            course.gaps.append(planned)
    return course


def play_on(
    results: Results,
    crew: Crew,
    stop: Callable[[], str] = lambda: "",
    tell: Callable[[Course, list[Finished]], None] = lambda course, finished: None,
) -> tuple[Course, str]:
    """Play until the contest is over, or `stop` says why to stop; that reason, or ""."""
    course = follow(results)
    began = time.monotonic()
    minutes = results.contest.stop.minutes
    tell(course, [])
    while not course.ended:
        if why := stop():
            return course, why
        if minutes and time.monotonic() - began > 60 * minutes:
            return course, f"{minutes:g} minutes are over, as `stop.minutes` wants"
        crew.give(take(course, crew.room()))
        finished = crew.wait(WAIT_S)
        if finished:
            results.add(finished)  # durable first, counted after
            for one in finished:
                course.arrive(one)
            tell(course, finished)
    return course, ""


def take(course: Course, most: int) -> list[Planned]:
    """The next matches to be played, at most so many."""
    taken: list[Planned] = []
    while len(taken) < most:
        planned = course.gaps.popleft() if course.gaps else course.next()
        if planned is None:
            break
        taken.append(planned)
    return taken
