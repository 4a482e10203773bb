"""The studio: has films, GIFs and pages drawn by worker processes, few at a time, and keeps them for a while.

Two who ask for the same thing wait for one drawing. A worker that dies or takes too long is
replaced, and its job is refused with a sentence; idle ones end by themselves.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
from collections import OrderedDict
from collections.abc import Callable

from turntile.server.drawing import Drawn, Job, framed, read_drawn
from turntile.server.problems import Problem
from turntile.server.settings import Settings

LONGEST_S = 90.0
IDLE_S = 60.0
MOST_WAITING = 40
LARGEST = 256 * 1024 * 1024


class Studio:
    """Owned by the app: `make` from routes, `close` at the end."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.kept: OrderedDict[str, Drawn] = OrderedDict()
        self.kept_bytes = 0
        self.under_way: dict[str, asyncio.Task[Drawn]] = {}
        self.idle: list[Worker] = []
        self.places = asyncio.Semaphore(settings.draw_at_once)

    async def make(self, key: str, job: Job) -> Drawn:
        """The drawing; the same key is the same drawing. Raises Problem."""
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        task = self.under_way.get(key)
        if task is None:
            if len(self.under_way) >= MOST_WAITING:
                raise Problem(
                    503, "too much is being drawn at this moment: try again soon", headers={"Retry-After": "10"}
                )
            task = self.under_way[key] = asyncio.create_task(self.draw(key, job))
            task.add_done_callback(lambda done: self.under_way.pop(key, None))
        # Who goes away does not take the drawing from the others.
        drawn = await asyncio.shield(task)
        if drawn.refused:
            raise Problem(422, drawn.refused)
        return drawn

    async def draw(self, key: str, job: Job) -> Drawn:
        async with self.places:
            worker = self.find_worker()
            try:
                drawn = await asyncio.wait_for(worker.draw(job), LONGEST_S)
            except (TimeoutError, OSError, EOFError):
                await worker.end()
                return Drawn(refused=f"{job.name} could not be drawn: it took too long or is too large")
            except BaseException:
                await worker.end()
                raise
            worker.rest(lambda: self.dismiss(worker))
            self.idle.append(worker)
        self.keep(key, drawn)
        return drawn

    def find_worker(self) -> Worker:
        """One that lives and has nothing to do, or a new one."""
        while self.idle:
            worker = self.idle.pop()
            if worker.alive:
                return worker
            worker.kill()
        return Worker()

    def dismiss(self, worker: Worker) -> None:
        if worker in self.idle:
            self.idle.remove(worker)
            worker.kill()

    def keep(self, key: str, drawn: Drawn) -> None:
        most = self.settings.drawn_cache_bytes
        if drawn.refused or len(drawn.body) > most // 4:
            return
        self.kept[key] = drawn
        self.kept_bytes += len(drawn.body)
        while self.kept_bytes > most:
            _, oldest = self.kept.popitem(last=False)
            self.kept_bytes -= len(oldest.body)

    async def close(self) -> None:
        for task in list(self.under_way.values()):
            task.cancel()
        await asyncio.gather(*self.under_way.values(), return_exceptions=True)
        for worker in self.idle:
            await worker.end()
        self.idle.clear()


class Worker:
    """One process that draws."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.resting: asyncio.TimerHandle | None = None

    async def draw(self, job: Job) -> Drawn:
        if self.resting is not None:
            self.resting.cancel()
        if self.process is None:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "turntile.server.drawing",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server, which ends its workers itself
            )
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(framed(job))
        await stdin.drain()
        size = int.from_bytes(await stdout.readexactly(4), "big")
        if size > LARGEST:
            raise EOFError(size)
        return read_drawn(await stdout.readexactly(size))

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.returncode is None

    def rest(self, dismiss: Callable[[], None]) -> None:
        """Wait for the next job, but not for ever."""
        self.resting = asyncio.get_running_loop().call_later(IDLE_S, dismiss)

    def kill(self) -> None:
        if self.resting is not None:
            self.resting.cancel()
        if self.process is not None and self.process.returncode is None:
            self.process.kill()

    async def end(self) -> None:
        self.kill()
        if self.process is not None:
            await self.process.wait()


def unpacked(drawn: Drawn) -> bytes:
    return gzip.decompress(drawn.body) if drawn.packed else drawn.body
