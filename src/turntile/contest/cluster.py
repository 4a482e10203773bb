"""A crew on a Dask cluster: batches of matches as tasks, stored as they come.

The cluster's machines need the same Turntile, and programs that play need to be there under the
same path. A worker that is lost costs its unfinished tasks, which Dask gives to another; a
scheduler that is lost ends the run, which can be resumed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from turntile.contest.crew import CannotPlay
from turntile.contest.extras import need
from turntile.contest.matches import Finished, Planned
from turntile.contest.plan import Contest
from turntile.contest.play import play_batch

SCHEME = "dask://"
MOST_IN_BATCH = 50
USUAL_BATCH = 25
TASKS_AHEAD = 2  # for each thread of the cluster
CONNECT_S = 10
RETRIES = 3


class DaskCrew:
    """The workers of a Dask cluster."""

    def __init__(self, contest: Contest, address: str) -> None:
        distributed = need("distributed", "cluster", f"--on {address}")
        self.contest = msgspec.json.encode(contest)
        self.address = address
        place = "tcp://" + address.removeprefix(SCHEME)
        try:
            self.client: Any = distributed.Client(place, timeout=CONNECT_S, set_as_default=False)
            self.check_versions()
        except (OSError, ValueError) as error:
            raise CannotPlay(f"no Dask scheduler answers at {address}: {error or type(error).__name__}") from None
        self.queue: Any = distributed.as_completed(with_results=False, loop=self.client.loop)
        self.tasks: dict[Any, list[Planned]] = {}

    def check_versions(self) -> None:
        """A worker with other rules would play other matches."""
        import turntile

        for worker, version in self.client.run(turntile_version).items():
            if version != turntile.__version__:
                raise CannotPlay(f"{worker} has Turntile {version}, here is {turntile.__version__}: install the same")

    def threads(self) -> int:
        return sum(self.client.nthreads().values())

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
        task = self.client.submit(play_batch, self.contest, data, pure=False, retries=RETRIES)
        self.tasks[task] = batch
        self.queue.add(task)

    def wait(self, seconds: float) -> list[Finished]:
        until = time.monotonic() + seconds
        done: deque[Any] = deque()
        while not done and time.monotonic() < until:
            if self.client.status not in ("running", "connecting"):
                raise CannotPlay(f"the cluster at {self.address} is lost; what is finished is kept")
            done.extend(self.queue.next_batch(block=False))
            if not done:
                time.sleep(0.02)
        return [finished for task in done for finished in self.collect(task)]

    def collect(self, task: Any) -> list[Finished]:
        batch = self.tasks.pop(task)
        if task.status == "finished":
            return [msgspec.msgpack.decode(one, type=Finished) for one in task.result()]
        if task.status == "cancelled" or task.status == "lost":
            self.submit(batch)  # the cluster forgot it
            return []
        raise CannotPlay(f"match {batch[0].number + 1} and its batch cannot be played there: {task.exception()}")

    def close(self) -> None:
        self.client.cancel(list(self.tasks))
        self.client.close(timeout=2)


def turntile_version() -> str:
    import turntile

    return turntile.__version__
