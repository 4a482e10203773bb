"""A worker process of a contest: reads matches from its input, plays them, writes results to its output.

`python -m turntile.contest.worker`, started by `crew.LocalCrew`. Lines of JSON: first the
contest, then a match each. When the input ends, whoever started it is gone, and so is this.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from queue import SimpleQueue
from types import FrameType
from typing import BinaryIO

import msgspec

from turntile.contest.matches import Finished, Planned
from turntile.contest.plan import Contest
from turntile.contest.play import Table
from turntile.core.errors import TurntileError


class Setup(msgspec.Struct, frozen=True):
    """The first line a worker reads."""

    contest: Contest
    core: int | None = None  # the processor to stay on, with all players that are started from here


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line a worker writes."""

    finished: Finished | None = None
    refused: str = ""  # a mistake of the plan that only showed when a bot was to play
    fault: str = ""  # a mistake of ours


def work() -> None:
    answers = own_output()
    lines: SimpleQueue[bytes] = SimpleQueue()
    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=read, args=(lines,), daemon=True).start()
    table: Table | None = None
    try:
        if not (first := lines.get()):
            return
        setup = msgspec.json.decode(first, type=Setup)
        stay_on(setup.core)
        table = Table(setup.contest)
        while line := lines.get():
            planned = msgspec.json.decode(line, type=Planned)
            answer(answers, Answer(finished=table.play(planned)))
    except TurntileError as refusal:
        answer(answers, Answer(refused=str(refusal)))
    except BrokenPipeError:
        pass  # nobody is there to be told
    except Exception as fault:  # told to the one who started this, who tells it to the organiser
        answer(answers, Answer(fault=f"{type(fault).__name__}: {fault}"))
    finally:
        if table is not None:
            table.close()


def stay_on(core: int | None) -> None:
    if core is not None:
        with contextlib.suppress(OSError):  # a core that was taken away meanwhile: play unpinned
            os.sched_setaffinity(0, {core})


def own_output() -> BinaryIO:
    """Standard output for answers alone: what a bot in this process prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def read(lines: SimpleQueue[bytes]) -> None:
    """Past Python's own buffers: they could not be left at the end of the process while this waits for more."""
    rest = b""
    while data := os.read(0, 65536):
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            lines.put(line)
    lines.put(b"")
    os.kill(os.getpid(), signal.SIGTERM)  # also in the middle of a match


def answer(answers: BinaryIO, said: Answer) -> None:
    answers.write(msgspec.json.encode(said) + b"\n")
    answers.flush()


def leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


if __name__ == "__main__":
    work()
