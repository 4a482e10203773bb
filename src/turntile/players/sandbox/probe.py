"""Which ways work on this machine, found by attacking: what a manual says of a kernel is often not so in a container.

Every victim is real and ours: sockets that listen, a file anybody may read and write, a process to kill. What
was reached is judged from outside too, not only by what the attacker reports.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turntile.players.sandbox import attacks
from turntile.players.sandbox.filter import supported
from turntile.players.sandbox.limits import MEGABYTE, Limits
from turntile.players.sandbox.verdict import why_not_started
from turntile.players.sandbox.ways import BWRAP_ROOT, BWRAP_USER, LANDLOCK, Sandbox, python

WAYS = (BWRAP_ROOT, BWRAP_USER, LANDLOCK)
CORE = ("tcp", "udp", "unix", "read", "write", "signals", "meddle", "trace", "proc", "memfd", "mounting", "kernel")
BOMBS = ("memory", "fork")
SMALL = Limits(memory=160 * MEGABYTE, processes=12, cpu_seconds=10, scratch=MEGABYTE)
PATIENCE = 20.0  # seconds for all attacks of one launch


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a way works here; if not, why; if so, the sandbox and what a launch costs."""

    way: str
    sandbox: Sandbox | None
    reason: str = ""
    launch_ms: float = 0.0

    @property
    def works(self) -> bool:
        return self.sandbox is not None


@dataclass(frozen=True, slots=True)
class Scene:
    """The victims, and the folder the attacker lives in."""

    folder: Path
    secret: Path
    outside: Path
    told: dict[str, Any]  # what the attacker gets to know
    listeners: tuple[socket.socket, ...]
    victim: subprocess.Popen[bytes]

    def damage(self) -> str:
        """What the attacks reached, seen from outside; empty if nothing."""
        for listener, name in zip(self.listeners, ("tcp", "udp", "a unix socket", "an abstract socket"), strict=True):
            with contextlib.suppress(BlockingIOError):
                listener.accept() if name == "tcp" else listener.recv(16)
                return f"something arrived at {name}"
        if self.victim.poll() is not None:
            return "another process was ended"
        if sorted(path.name for path in self.outside.iterdir()) != []:
            return "files were written outside the bot's folder"
        if not self.secret.is_file() or self.secret.read_text() != self.told["mark"]:
            return "a file outside the bot's folder was changed"
        return ""


@contextlib.contextmanager
def scene() -> Iterator[Scene]:
    """Something to attack, and nothing of it left afterwards."""
    mark = secrets.token_hex(8)
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="turntile-sandbox-"))).resolve()
        place.chmod(0o755)
        folder, beside, outside = place / "bot", place / "beside", place / "outside"
        for path, mode in ((folder, 0o755), (beside, 0o777), (outside, 0o777)):
            path.mkdir()
            path.chmod(mode)
        secret = beside / "secret"
        secret.write_text(mark)
        secret.chmod(0o666)
        listeners = []
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_DGRAM, str(beside / "socket")),
            (socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + mark),
        ):
            listener = stack.enter_context(socket.socket(family, kind))
            listener.bind(address)
            listener.setblocking(False)
            listeners.append(listener)
        listeners[0].listen()
        (beside / "socket").chmod(0o777)
        sleeper = [python(), "-I", "-S", "-c", "import time; time.sleep(600)", mark]
        victim = subprocess.Popen(sleeper, env={"MARK": mark}, stdin=subprocess.DEVNULL)
        stack.callback(end, victim)
        told = {
            "tcp": listeners[0].getsockname()[1],
            "udp": listeners[1].getsockname()[1],
            "unix": str(beside / "socket"),
            "abstract": mark,
            "secret": str(secret),
            "outside": str(outside),
            "home": str(Path.home()),
            "home_entries": entries(Path.home()),
            "pid": victim.pid,
            "referee": os.getpid(),
            "mark": mark,
            "left": f"left-{mark}",
        }
        yield Scene(folder, secret, outside, told, tuple(listeners), victim)


def entries(folder: Path) -> int:
    """How many a folder has; one that cannot be listed cannot be given away either."""
    try:
        return len(list(folder.iterdir()))
    except OSError:
        return 0


def end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def attack(
    sandbox: Sandbox, target: Scene, names: Sequence[str], limits: Limits, patience: float = PATIENCE
) -> tuple[int, list[dict[str, Any]], str]:
    """Runs attacks in the sandbox: the exit code, what the attacker reports of each, and its stderr."""
    words = [python(), "-I", "-S", attacks.__file__, json.dumps(target.told), *names]
    # Into files, not pipes: what a bomb leaves behind would keep a pipe open until it is swept away.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            sandbox.wrap(words, folder=target.folder, limits=limits),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            cwd=target.folder,
            start_new_session=True,
            env={**os.environ, "MARK": target.told["mark"]},  # it must not reach the bot
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        sandbox.sweep(process.pid)
        process.wait()
        for file in (output, errors):
            file.seek(0)
        reports = [json.loads(line) for line in output if line.endswith(b"}\n")]
        return process.returncode, reports, errors.read().decode("utf-8", "replace")


def probe(way: str) -> Finding:
    """Whether `way` stops the core attacks here."""
    sandbox, reason = prepare(way)
    if sandbox is None:
        return Finding(way, None, reason)
    with scene() as target:
        for names, limits in ((CORE, Limits()), (BOMBS, SMALL)):
            returncode, reports, errors = attack(sandbox, target, names, limits)
            through = [f"{report['attack']} ({report['what']})" for report in reports if not report["stopped"]]
            if through:
                return Finding(way, None, f"attacks get through: {', '.join(through)}")
            if {report["attack"] for report in reports} != set(names):
                why = why_not_started(errors) or f"the attacker ended with exit code {returncode}"
                return Finding(way, None, why)
        damage = target.damage()
        if damage:
            return Finding(way, None, damage)
        return Finding(way, sandbox, launch_ms=launch_ms(sandbox, target.folder))


def prepare(way: str) -> tuple[Sandbox | None, str]:
    """The sandbox of that way, or what it lacks before anything need be tried."""
    if sys.platform != "linux":
        return None, "only Linux can lock bots in"
    if not supported():
        return None, f"the filter of system calls does not know {os.uname().machine} processors"
    from turntile.players.sandbox.launch import landlock_version

    root = os.geteuid() == 0
    if way == LANDLOCK:
        if not landlock_version():
            return None, "this kernel has no Landlock, or it is switched off"
        return Sandbox(way, landlock_version()), ""
    if way == BWRAP_ROOT and not root:
        return None, "needs root; bwrap-user is the way for ordinary users"
    if way == BWRAP_USER and root:
        return None, "for ordinary users: root's number of processes has no limit in a user namespace"
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return None, "bubblewrap is not installed: apt-get install bubblewrap"
    return Sandbox(way, landlock_version(), bwrap), ""


def launch_ms(sandbox: Sandbox, folder: Path, times: int = 5) -> float:
    """The median time from nothing to the end of a bot that does nothing."""
    command = sandbox.wrap(["/bin/true"], folder=folder)
    costs = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
        costs.append((time.perf_counter() - began) * 1000)
    return sorted(costs)[times // 2]
