"""Built-in bots think in other processes, so that no search holds up anybody's action.

Several workers, each with its own queue. A match stays with the worker that knows it, unless
that one has much more to do than another. A worker that dies or hangs is replaced, and what it
was asked is asked again; it is told only the entries of a journal it has not seen yet.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from turntile.core.errors import TurntileError
from turntile.server.levels import expected_s
from turntile.server.thinking import LENGTH_BYTES, Forget, Think, Thought, read_thought, write_order

WORTH_MOVING_S = 0.15  # a queue longer by so much outweighs that a worker knows the match already
TRIES = 2  # a bot that fails twice on the same turn has failed
START_WITHIN_S = 60.0  # a machine may be very busy
DONE_WITHIN_S = 2.0


class CannotThink(TurntileError):
    """A built-in bot failed or hung twice: our fault, told as the bot's failure."""


class Job:
    """A turn a bot is to think about."""

    __slots__ = (
        "answer",
        "bot",
        "entries_after",
        "game",
        "match",
        "options",
        "people_wait",
        "seat",
        "seed",
        "wanted",
    )

    def __init__(
        self,
        match: str,
        game: str,
        options: dict[str, Any],
        seed: int,
        seat: int,
        bot: str,
        entries_after: Callable[[int], Awaitable[Sequence[bytes]]],
        wanted: Callable[[], bool],
        people_wait: bool = True,
    ) -> None:
        self.match = match
        self.game = game
        self.options = options
        self.seed = seed
        self.seat = seat
        self.bot = bot
        self.entries_after = entries_after  # the journal's committed entries from a number on
        self.wanted = wanted  # whether anybody still waits for the answer
        self.people_wait = people_wait  # at the table; bots among themselves come after
        self.answer: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()


class Thinkers:
    """The workers of one server. They start when they are first needed."""

    def __init__(self, count: int = 0, patience_s: float = 60.0) -> None:
        self.workers = [Worker(patience_s) for _ in range(count or max(2, (os.cpu_count() or 2) - 1))]

    def think(self, job: Job) -> asyncio.Future[Thought]:
        """The bot's answer, sooner or later. It fails with CannotThink; cancelled, it is not thought about."""
        worker = self.choose(job)
        worker.take(job)
        return job.answer

    def choose(self, job: Job) -> Worker:
        """Who has least to do, with something off for who knows the match."""

        def worth(worker: Worker) -> tuple[float, int]:
            away = 0.0 if job.match in worker.seen else WORTH_MOVING_S
            return worker.load_s + away, len(worker.seen)

        return min(self.workers, key=worth)

    def forget(self, match: str) -> None:
        """A match is over."""
        for worker in self.workers:
            worker.forget(match)

    @property
    def busy(self) -> int:
        return sum(worker.task is not None for worker in self.workers)

    @property
    def queued(self) -> int:
        return sum(len(worker.queue) for worker in self.workers)

    async def close(self) -> None:
        await asyncio.gather(*(worker.close() for worker in self.workers))


class Worker:
    """One process and what it has still to do. It is asked one thing at a time."""

    def __init__(self, patience_s: float) -> None:
        self.patience_s = patience_s
        self.process: asyncio.subprocess.Process | None = None
        self.queue: deque[Job] = deque()
        self.load_s = 0.0  # of what is queued and what is being thought about
        self.seen: dict[str, int] = {}  # how many entries of each match it has been told
        self.over: list[str] = []  # matches it is still to forget
        self.requests = 0
        self.task: asyncio.Task[None] | None = None
        self.closed = False

    def take(self, job: Job) -> None:
        behind = sum(not other.people_wait for other in self.queue) if job.people_wait else 0
        self.queue.insert(len(self.queue) - behind, job)  # those of bots among themselves stand at the end
        self.load_s += expected_s(job.bot)
        if self.task is None:
            self.task = asyncio.create_task(self.work())

    def forget(self, match: str) -> None:
        if self.seen.pop(match, None) is not None:
            self.over.append(match)

    async def work(self) -> None:
        """Until nothing is queued."""
        try:
            while self.queue:
                job = self.queue.popleft()
                try:
                    await self.answer(job)
                finally:
                    self.load_s = max(0.0, self.load_s - expected_s(job.bot)) if self.queue else 0.0
        finally:
            self.task = None

    async def answer(self, job: Job) -> None:
        """Think about one turn; a second time, in a new process, if the first fails."""
        failed = ""
        for _ in range(TRIES):
            if job.answer.done() or not job.wanted():
                job.answer.cancel()
                return
            try:
                thought = await self.ask(job)
            except (OSError, EOFError, TimeoutError) as error:
                failed = "it took too long" if isinstance(error, TimeoutError) else "its process ended"
                await self.end()
                continue
            except Exception as error:  # the journal cannot be read: whoever asked must not wait for ever
                failed = f"{type(error).__name__}: {error}"
                continue
            if not thought.failed:
                if not job.answer.done():
                    job.answer.set_result(thought)
                return
            failed = thought.failed
            self.seen.pop(job.match, None)
        if not job.answer.done():
            job.answer.set_exception(CannotThink(f"{job.bot} cannot think: {failed}"))

    async def ask(self, job: Job) -> Thought:
        thought = await self.exchange(job, self.seen.get(job.match, 0))
        return await self.exchange(job, 0) if thought.lost else thought

    async def exchange(self, job: Job, first: int) -> Thought:
        """One question and its answer. Raises OSError, EOFError, TimeoutError."""
        process = await self.running()
        if job.match not in self.seen:
            first = 0
        entries = await job.entries_after(first)
        self.requests += 1
        question = Think(
            self.requests, job.match, job.game, job.options, job.seed, job.seat, job.bot, first, tuple(entries)
        )
        assert process.stdin is not None and process.stdout is not None
        for match in self.over:
            process.stdin.write(framed(write_order(Forget(match))))
        self.over.clear()
        process.stdin.write(framed(write_order(question)))
        self.seen[job.match] = first + len(entries)
        async with asyncio.timeout(self.patience_s):
            await process.stdin.drain()
            thought = await hear(process.stdout)
        assert thought.request == question.request, thought
        return thought

    async def running(self) -> asyncio.subprocess.Process:
        if self.process is None or self.process.returncode is not None:
            self.seen.clear()
            self.over.clear()
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "turntile.server.thinking",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            assert self.process.stdout is not None
            async with asyncio.timeout(START_WITHIN_S):
                await hear(self.process.stdout)  # it has found its modules
        return self.process

    async def end(self) -> None:
        """Kill the process, if there is one."""
        process, self.process = self.process, None
        self.seen.clear()
        self.over.clear()
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(DONE_WITHIN_S):
                await process.wait()

    async def close(self) -> None:
        self.closed = True
        for job in self.queue:
            job.answer.cancel()
        self.queue.clear()
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task
        await self.end()


async def hear(thoughts: asyncio.StreamReader) -> Thought:
    length = int.from_bytes(await thoughts.readexactly(LENGTH_BYTES), "big")
    return read_thought(await thoughts.readexactly(length))


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(LENGTH_BYTES, "big") + data
