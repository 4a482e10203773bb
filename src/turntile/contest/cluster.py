"""A crew on a Dask cluster: batches of matches as tasks, stored as they come.

The cluster's machines need the same Turntile, and programs that play need to be there under the
same path. A worker that is lost costs its unfinished tasks, which Dask gives to another; a
scheduler that is lost ends the run, which can be resumed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

import turntile
from turntile.contest.crew import CannotPlay
from turntile.contest.extras import need
from turntile.contest.matches import Finished, Planned
from turntile.contest.plan import Contest
from turntile.contest.play import play_batch

SCHEME = "dask://"
USUAL_BATCH = 25  # matches a task
TASKS_AHEAD = 2  # for each thread of the cluster
CONNECT_S = 10
ASK_EVERY_S = 2.0
RESULT_S = 60  # for a finished task's result to come over
POLL_S = 0.02
RETRIES = 3


class Lost(CannotPlay):
    """The scheduler is gone, and with it all that was not finished."""


def connect(address: str) -> Any:
    """A client of the scheduler there, if it answers and its workers have this Turntile."""
    distributed = need("distributed", "cluster", f"--on {address}")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told in one line, by us
    place = "tcp://" + address.removeprefix(SCHEME)
    try:
        client = distributed.Client(place, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CannotPlay(f"no Dask scheduler answers at {address}: {error or type(error).__name__}") from None
    for worker, version in client.run(turntile_version).items():
        if version != turntile.__version__:
            raise CannotPlay(f"{worker} has Turntile {version}, here is {turntile.__version__}: install the same there")
    return client


def turntile_version() -> str:
    return turntile.__version__


class DaskCrew:
    """The workers of a Dask cluster."""

    def __init__(self, contest: Contest, address: str, client: Any) -> None:
        self.contest = msgspec.json.encode(contest)
        self.address = address
        self.client = client
        self.queue = need("distributed", "cluster", "").as_completed(loop=client.loop)
        self.tasks: dict[Any, list[Planned]] = {}
        self.known_threads = 0
        self.asked = 0.0  # when the number of threads was asked for

    def threads(self) -> int:
        """How many matches the cluster plays at once; workers come and go."""
        if time.monotonic() - self.asked > ASK_EVERY_S:
            with self.lost_if_closed():
                self.known_threads = sum(self.client.nthreads().values())
            self.asked = time.monotonic()
        return self.known_threads

    @contextmanager
    def lost_if_closed(self) -> Iterator[None]:
        """A connection that breaks is told as what it means."""
        try:
            yield
        except OSError:
            raise self.lost() from None

    def lost(self) -> Lost:
        return Lost(f"the cluster at {self.address} is lost")

    def describe(self) -> str:
        return f"{self.threads()} threads of the cluster at {self.address}"

    def room(self) -> int:
        given = sum(len(batch) for batch in self.tasks.values())
        return max(0, max(1, self.threads()) * TASKS_AHEAD * USUAL_BATCH - given)

    def give(self, matches: Sequence[Planned]) -> None:
        """Batches of the usual size; smaller ones where few matches are known, so that all have something to do."""
        share = -(-len(matches) // max(1, self.threads()))
        size = max(1, min(USUAL_BATCH, share))
        for start in range(0, len(matches), size):
            self.submit(list(matches[start : start + size]))

    def submit(self, batch: list[Planned]) -> None:
        data = [msgspec.msgpack.encode(planned) for planned in batch]
        with self.lost_if_closed():
            task = self.client.submit(play_batch, self.contest, data, pure=False, retries=RETRIES)
        self.tasks[task] = batch
        self.queue.add(task)

    def wait(self, seconds: float) -> list[Finished]:
        until = time.monotonic() + seconds
        done: list[Any] = []
        while not done and time.monotonic() < until:
            if self.client.status != "running":
                raise self.lost()
            if not self.queue.is_empty() and self.queue.has_ready():
                done = list(self.queue.next_batch(block=False))
            else:
                time.sleep(POLL_S)
        return [finished for task in done for finished in self.collect(task)]

    def collect(self, task: Any) -> list[Finished]:
        batch = self.tasks.pop(task)
        if task.status == "finished":
            with self.lost_if_closed():
                return [msgspec.msgpack.decode(one, type=Finished) for one in task.result(timeout=RESULT_S)]
        if task.status in ("cancelled", "lost"):
            if self.client.status != "running":
                raise self.lost()
            self.submit(batch)  # the cluster forgot it
            return []
        raise CannotPlay(f"match {batch[0].number + 1} and those with it cannot be played there: {task.exception()}")

    def close(self) -> None:
        with suppress(OSError):
            self.client.cancel(list(self.tasks))
        self.client.close(timeout=2)
