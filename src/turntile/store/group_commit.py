"""What waits to be written, and how much of it goes into one transaction.

While one transaction is on its way to the disk, everything that is to be written meanwhile
waits here, and then goes into the next one together: the disk is waited for once for all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from turntile.store.database import Addition, WhenStored, Work

log = logging.getLogger(__name__)

CLOSED = "the store is closed"
GATHERING_S = 0.002  # at most between two batches, so that those who answer the one before share the next
ENOUGH = 24  # jobs that are not kept waiting for more; fewer do if the batch before was no larger

OnCommit = Callable[[int, float], None]  # entries of journals in it, and the seconds it took


class Job(msgspec.Struct):
    """Something to be written, and whom to tell."""

    what: Addition | Work[Any]
    told: WhenStored
    result: Any = None
    error: Exception | None = None


def settle(done: asyncio.Future[Any], error: Exception | None, result: Any = None) -> None:
    """Tell a future."""
    if done.done():  # whoever asked has gone; it is written all the same
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(result)


class Batches:
    """The jobs that wait, and the one batch of them under way."""

    def __init__(self, give: Callable[[list[Job]], None]) -> None:
        """`give` has a batch written, wherever that is done; `settle` is to be called then."""
        self._give = give
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Job] = []
        self._under_way = False
        self._enough = 1
        self._began = 0.0
        self._ended = -GATHERING_S
        self._gathering: asyncio.Handle | None = None
        self.on_commit: OnCommit | None = None  # hears of every batch that was written
        self._idle = asyncio.Event()
        self._idle.set()

    def add(self, what: Addition | Work[Any], told: WhenStored) -> None:
        """`told` is called when it is committed, or could not be."""
        self._waiting.append(Job(what, told))
        if not self._under_way:
            self._under_way = True
            self._idle.clear()
            self._gather()
        elif self._gathering is not None and len(self._waiting) == self._enough:
            self._gathering.cancel()
            self._gathering = self._loop.call_soon(self._next)

    def _gather(self) -> None:
        """The next batch is not given at once: others of this moment join it. Soon after another one it has more
        to wait for, since all who were told of that one may just be answering."""
        wait = self._ended + GATHERING_S - self._loop.time()
        if wait <= 0 or len(self._waiting) >= self._enough:
            self._gathering = self._loop.call_soon(self._next)
        else:
            self._gathering = self._loop.call_later(wait, self._next)

    def settle(self, batch: list[Job]) -> None:
        """Tell all, and go on with what has come meanwhile."""
        if self.on_commit is not None:
            written = [job.what for job in batch if job.error is None]
            entries = sum([len(what.entries) for what in written if isinstance(what, Addition)])
            self.on_commit(entries, self._loop.time() - self._began)
        batch.reverse()
        while batch:
            job = batch.pop()  # and forget it at once: what hangs on it is still at hand
            try:
                job.told(job.error, job.result)
            except Exception:  # it is written all the same, and the others are to hear of theirs
                log.exception("whoever wrote %s failed to hear of it", type(job.what).__name__)
        self._ended = self._loop.time()
        if self._waiting:
            self._gather()
        else:
            self._under_way = False
            self._idle.set()

    async def idle(self) -> None:
        """When nothing waits and nothing is under way."""
        await self._idle.wait()

    def _next(self) -> None:
        """All that waits, up to a match that is named twice: its second addition may depend on the first."""
        self._gathering = None
        batch, self._waiting = self._waiting, []
        named = [what.match_id if isinstance(what := job.what, Addition) else "" for job in batch]
        if len(set(named)) < len(named):
            size = first_again(named)
            batch, self._waiting = batch[:size], batch[size:]
        self._began = self._loop.time()
        self._enough = min(ENOUGH, len(batch))
        self._give(batch)


def first_again(match_ids: Sequence[str]) -> int:
    """Where a match is named for the second time."""
    named: set[str] = set()
    for at, match_id in enumerate(match_ids):
        if match_id in named:
            return at
        if match_id:
            named.add(match_id)
    return len(match_ids)
