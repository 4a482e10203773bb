"""Programs as processes: started in a group of their own, watched, and ended without leaving anything behind.

Every process of a program carries a mark in its environment, so that even one that went into
another group or session is found. Linux only where /proc is read; elsewhere the group is all
that is known.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from secrets import token_hex

MARK = "TURNTILE_GUEST"
LAST_LINES = 50  # of a program's log that a failure shows
LONGEST_LINE = 500  # characters of each
MOST_LOG = 64 * 1024  # bytes of the log that are looked at, from its end
PR_SET_CHILD_SUBREAPER = 36
QUIT_S = 0.5  # how long a program may take to leave when asked
TERM_S = 0.2  # ... and when told
REAP_S = 5.0
ON_LINUX = sys.platform == "linux"
PROC = Path("/proc")


class Log:
    """The end of what a program wrote to its standard error."""

    def __init__(self) -> None:
        self.pieces: deque[bytes] = deque()
        self.size = 0

    def add(self, data: bytes) -> None:
        self.pieces.append(data)
        self.size += len(data)
        while self.size - len(self.pieces[0]) > MOST_LOG:
            self.size -= len(self.pieces.popleft())

    def lines(self) -> tuple[str, ...]:
        text = b"".join(self.pieces)[-MOST_LOG:].decode("utf-8", "replace")
        lines = [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "..." for line in text.splitlines()]
        return tuple(lines[-LAST_LINES:])


class Program:
    """A running program and its three pipes, all ours without waiting."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None, pass_fds: Sequence[int] = ()
    ) -> None:
        adopt_orphans()
        self.mark = token_hex(16)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**(os.environ if environment is None else environment), MARK: self.mark},
            pass_fds=tuple(pass_fds),
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input = self.process.stdin.fileno()
        self.output = self.process.stdout.fileno()
        self.errors = self.process.stderr.fileno()
        for fileno in (self.input, self.output, self.errors):
            os.set_blocking(fileno, False)
        self.log = Log()
        self.log_open = True
        self.closed = False

    @property
    def pid(self) -> int:
        return self.process.pid

    def filenos(self) -> tuple[int, ...]:
        return (self.output, self.errors) if self.log_open else (self.output,)

    def read_log(self) -> None:
        """Keep what stands in the log's pipe, without waiting."""
        while self.log_open:
            try:
                data = os.read(self.errors, 65536)
            except BlockingIOError:
                return
            if not data:
                self.log_open = False
                return
            self.log.add(data)
            if len(data) < 65536:
                return

    def await_end(self, patience_s: float) -> int | None:
        """The exit code (negative: a signal) of a program that is ending; None if it lives on."""
        try:
            return self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            return None

    def traced(self) -> bool:
        """Whether a debugger is attached to it or to a process it started."""
        return any(tracer_of(pid) for pid in self.members())

    def members(self) -> list[int]:
        """The program and all that it started, wherever that went; those that can still be told."""
        if not ON_LINUX:
            return [self.pid]
        ours = {self.pid}
        parents: dict[int, int] = {}
        for pid, parent, session in processes():
            parents[pid] = parent
            if session == self.pid or carries(pid, self.mark):
                ours.add(pid)
        more = ours
        while more:  # a dead child has no environment left to carry the mark, but its parent tells whose it was
            more = {pid for pid, parent in parents.items() if parent in more} - ours
            ours |= more
        return sorted(ours & parents.keys() if self.process.returncode is None else ours & parents.keys() - {self.pid})

    def memory_kb(self) -> int:
        """What all its processes hold in memory; 0 where that cannot be told."""
        return sum(resident_kb(pid) for pid in self.members())

    def close(self, goodbye: bytes = b"") -> None:
        """Ask it to leave, then tell it, then kill it and whatever it started; reap them all."""
        if self.closed:
            return
        self.closed = True
        started_by_it = set(self.members()) - {self.pid}  # before it leaves: then nothing tells whose they were
        if self.process.poll() is None and goodbye:
            with contextlib.suppress(OSError):
                os.write(self.input, goodbye)
        self.close_pipe(self.process.stdin)
        if self.process.poll() is None and not self.leaves_within(QUIT_S if goodbye else 0.0):
            self.signal_group(signal.SIGTERM)
            self.leaves_within(TERM_S)
        self.kill_all(started_by_it)
        self.read_log()
        self.close_pipe(self.process.stdout)
        self.close_pipe(self.process.stderr)

    def close_pipe(self, pipe: object) -> None:
        with contextlib.suppress(OSError):
            pipe.close()  # type: ignore[attr-defined]

    def leaves_within(self, seconds: float) -> bool:
        """Whether it ends by itself. What it says meanwhile is thrown away, so that no full pipe holds it up."""
        deadline = time.monotonic() + seconds
        poller = select.poll()
        for fileno in self.filenos():
            poller.register(fileno, select.POLLIN)
        while self.process.poll() is None and time.monotonic() < deadline:
            for fileno, event in poller.poll(5):
                if self.discard(fileno) or event & ~select.POLLIN:
                    poller.unregister(fileno)
        return self.process.poll() is not None

    def discard(self, fileno: int) -> bool:
        """Read and forget; whether the pipe has ended."""
        if fileno == self.errors:
            self.read_log()
            return not self.log_open
        try:
            return not os.read(fileno, 1 << 20)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def signal_group(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def kill_all(self, orphans: set[int]) -> None:
        """Nothing survives this: those found are killed until none is found, then all are reaped."""
        deadline = time.monotonic() + REAP_S
        while True:
            living = [pid for pid in self.members() if pid != self.pid]
            self.signal_group(signal.SIGKILL)
            orphans.update(living)
            for pid in living:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self.await_end(max(0.0, deadline - time.monotonic()))
            for pid in orphans:
                reap(pid)
            if not any(alive(pid) for pid in living) or time.monotonic() > deadline:
                break
            time.sleep(0.001)


# ------------------------------------------------------------------- what the system tells


adopted = False


def adopt_orphans() -> None:
    """What a program leaves behind becomes our child, so that it can be reaped."""
    global adopted
    if ON_LINUX and not adopted:
        adopted = True
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def alive(pid: int) -> bool:
    """Whether there is such a process that can still do something."""
    fields = stat_of(pid)
    return bool(fields) and fields[0] not in ("Z", "X")


def stat_of(pid: int) -> list[str]:
    """/proc/PID/stat from the state on: state, parent, group, session ...; empty if it is gone."""
    try:
        text = (PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def processes() -> Iterator[tuple[int, int, int]]:
    """Every process, its parent and its session."""
    for entry in os.scandir(PROC):
        if entry.name.isdigit():
            fields = stat_of(int(entry.name))
            if fields:
                yield int(entry.name), int(fields[1]), int(fields[3])


def carries(pid: int, mark: str) -> bool:
    """Whether a process was started with this mark in its environment."""
    try:
        return f"{MARK}={mark}".encode() in (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False


def tracer_of(pid: int) -> int:
    """The debugger attached to a process, 0 for none."""
    return int(status_line(pid, "TracerPid") or 0)


def resident_kb(pid: int) -> int:
    return int(status_line(pid, "VmRSS").split(" ")[0] or 0)


def status_line(pid: int, name: str) -> str:
    try:
        status = (PROC / str(pid) / "status").read_text("utf-8", "replace")
    except OSError:
        return ""
    found = [line.partition(":")[2].strip() for line in status.splitlines() if line.startswith(f"{name}:")]
    return found[0] if found else ""


def find_program(word: str) -> str | None:
    """Where the first word of a command is, if it can be run."""
    return shutil.which(word)
