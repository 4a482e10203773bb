"""Who plays the matches of a contest: worker processes on this machine's cores."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol

import msgspec

import turntile
from turntile.contest.matches import Finished, Planned
from turntile.contest.plan import Contest
from turntile.contest.worker import Answer, Setup
from turntile.core.errors import TurntileError

AHEAD = 4  # matches a worker has been given and not finished
MOST_DEATHS = 3  # of workers at one match
PATIENCE_S = 5.0  # for a worker that is to leave


class CannotPlay(TurntileError):
    """A match that cannot be played, or nobody to play it."""


class Crew(Protocol):
    """Plays what it is given, in any order."""

    def room(self) -> int:
        """How many more matches it will take now."""
        ...

    def give(self, matches: Sequence[Planned]) -> None: ...

    def wait(self, seconds: float) -> list[Finished]:
        """What has been finished, after waiting so long at most."""
        ...

    def close(self) -> None:
        """Stop at once; what is not finished is lost and will be played again."""
        ...

    def describe(self) -> str: ...


def cores() -> list[int]:
    """The processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


class Worker:
    """One process and what it has been given."""

    def __init__(self, contest: Contest, core: int | None, answers: SimpleQueue[tuple[Worker, Answer | None]]) -> None:
        source = str(Path(turntile.__file__).resolve().parent.parent)
        paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "turntile.contest.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C is for the organiser's process alone
        )
        self.core = core
        self.given: dict[int, Planned] = {}
        self.answers = answers
        self.write(msgspec.json.encode(Setup(contest, core)))
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                break  # it died while it wrote
            self.answers.put((self, msgspec.json.decode(line, type=Answer)))
        self.answers.put((self, None))

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass  # it is gone; `listen` notices

    def give(self, planned: Planned) -> None:
        self.given[planned.number] = planned
        self.write(msgspec.json.encode(planned))

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)  # it sends its players away first

    def bury(self) -> None:
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was still to be written has no reader any more
                pipe.close()


class LocalCrew:
    """Worker processes, each on a core of its own where there are enough."""

    def __init__(self, contest: Contest, workers: int = 0, pin: bool = True) -> None:
        able = cores()
        self.contest = contest
        self.workers = workers or len(able)
        self.pinned = pin and self.workers <= len(able) and hasattr(os, "sched_setaffinity")
        self.answers: SimpleQueue[tuple[Worker, Answer | None]] = SimpleQueue()
        self.deaths: Counter[int] = Counter()
        self.crew = [self.hire(able[at] if self.pinned else None) for at in range(self.workers)]

    def hire(self, core: int | None) -> Worker:
        return Worker(self.contest, core, self.answers)

    def describe(self) -> str:
        where = "each on a core of its own" if self.pinned else "not pinned to cores"
        return f"{self.workers} worker{'s' if self.workers > 1 else ''} here, {where}"

    def room(self) -> int:
        return max(0, sum(AHEAD - len(worker.given) for worker in self.crew))

    def give(self, matches: Sequence[Planned]) -> None:
        for planned in matches:
            min(self.crew, key=lambda worker: len(worker.given)).give(planned)

    def wait(self, seconds: float) -> list[Finished]:
        finished: list[Finished] = []
        try:
            worker, said = self.answers.get(timeout=seconds)
            while True:
                self.hear(worker, said, finished)
                worker, said = self.answers.get_nowait()
        except Empty:
            return finished

    def hear(self, worker: Worker, said: Answer | None, finished: list[Finished]) -> None:
        if said is None:
            self.replace(worker)
        elif said.refused:
            raise CannotPlay(said.refused)
        elif said.fault:
            raise CannotPlay(f"a match failed through a fault of Turntile: {said.fault}; what is finished is kept")
        elif said.finished is not None:
            worker.given.pop(said.finished.number)
            finished.append(said.finished)

    def replace(self, worker: Worker) -> None:
        """A worker died: another takes its place and its matches."""
        worker.bury()
        given = list(worker.given.values())
        if given:
            first = given[0].number
            self.deaths[first] += 1
            if self.deaths[first] >= MOST_DEATHS:
                raise CannotPlay(
                    f"match {first + 1} killed its worker {MOST_DEATHS} times (last: exit code "
                    f"{worker.process.returncode}): remove the bot that does it; what is finished is kept"
                )
        at = self.crew.index(worker)
        self.crew[at] = self.hire(worker.core)
        self.give(given)

    def close(self) -> None:
        for worker in self.crew:
            worker.stop()
        for worker in self.crew:
            worker.bury()
