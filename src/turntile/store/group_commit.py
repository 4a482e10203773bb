"""What waits to be written, and how much of it goes into one transaction.

While one transaction is on its way to the disk, everything that is to be written meanwhile
waits here, and then goes into the next one together: the disk is waited for once for all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from turntile.store.database import Addition, Work

CLOSED = "the store is closed"
GATHERING_S = 0.002  # between two batches, so that those who answer the one before share the next
ENOUGH = 24  # jobs that are not kept waiting for more

OnCommit = Callable[[int, float], None]  # entries of journals in it, and the seconds it took


class Job:
    """Something to be written, and whom to tell."""

    __slots__ = ("done", "error", "result", "what")

    def __init__(self, what: Addition | Work[Any], done: asyncio.Future[Any]) -> None:
        self.what = what
        self.done = done
        self.result: Any = None
        self.error: Exception | None = None

    def settle(self) -> None:
        if self.done.done():  # whoever asked has gone; it is written all the same
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)


class Batches:
    """The jobs that wait, and the one batch of them under way."""

    def __init__(self, give: Callable[[list[Job]], None]) -> None:
        """`give` has a batch written, wherever that is done; `settle` is to be called then."""
        self._give = give
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Job] = []
        self._under_way = False
        self._began = 0.0
        self._ended = -GATHERING_S
        self._gathering: asyncio.Handle | None = None
        self.on_commit: OnCommit | None = None  # hears of every batch that was written
        self._idle = asyncio.Event()
        self._idle.set()

    def add(self, what: Addition | Work[Any]) -> asyncio.Future[Any]:
        """What is told when it is committed."""
        done: asyncio.Future[Any] = self._loop.create_future()
        self._waiting.append(Job(what, done))
        if not self._under_way:
            self._under_way = True
            self._idle.clear()
            self._gather()
        elif self._gathering is not None and len(self._waiting) == ENOUGH:
            self._gathering.cancel()
            self._gathering = self._loop.call_soon(self._next)
        return done

    def _gather(self) -> None:
        """The next batch is not given at once: others of this moment join it. Soon after another one it has more
        to wait for, since all who were told of that one may just be answering."""
        wait = self._ended + GATHERING_S - self._loop.time()
        if wait <= 0 or len(self._waiting) >= ENOUGH:
            self._gathering = self._loop.call_soon(self._next)
        else:
            self._gathering = self._loop.call_later(wait, self._next)

    def refuse(self, error: Exception) -> asyncio.Future[Any]:
        refused: asyncio.Future[Any] = self._loop.create_future()
        refused.set_exception(error)
        return refused

    def settle(self, batch: list[Job]) -> None:
        """Tell all, and go on with what has come meanwhile."""
        if self.on_commit is not None:
            additions = [job.what for job in batch if isinstance(job.what, Addition) and job.error is None]
            self.on_commit(sum(len(addition.entries) for addition in additions), self._loop.time() - self._began)
        for job in batch:
            job.settle()
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
        named: set[str] = set()
        size = len(self._waiting)
        for at, job in enumerate(self._waiting):
            if isinstance(job.what, Addition):
                if job.what.match_id in named:
                    size = at
                    break
                named.add(job.what.match_id)
        batch, self._waiting = self._waiting[:size], self._waiting[size:]
        self._began = self._loop.time()
        self._give(batch)
