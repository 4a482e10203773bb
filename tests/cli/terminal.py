"""The real command: as a process in pipes, on a terminal of its own, or (quicker) inside the test's process."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from time import monotonic

import pytest

import turntile
from turntile.cli.main import main

SOURCE = Path(turntile.__file__).resolve().parent.parent
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


def environment(home: Path, **more: str) -> dict[str, str]:
    """A home of its own, so that replays go where the test can see them."""
    dropped = ("TURNTILE_", "XDG_", "COLUMNS", "LINES", "NO_COLOR")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    others = [path for path in [kept.get("PYTHONPATH")] if path]  # games that are installed elsewhere
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join([str(SOURCE), *others]),
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONUTF8": "1",
        "TERM": "dumb",
        **more,
    }


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "turntile.cli", *map(str, words)]


def turntile_run(home: Path, *words: object, typed: str = "", **more: str) -> Ended:
    """Run the command in pipes to its end."""
    done = subprocess.run(
        command(*words),
        input=typed.encode(),
        capture_output=True,
        env=environment(home, **more),
        timeout=PATIENCE_S,
        check=False,
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


class Here:
    """The same command without a new process, for what does not depend on one."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capfd = capfd
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))

    def __call__(self, *words: object, typed: str = "") -> Ended:
        self.monkeypatch.setattr(sys, "argv", ["turntile", *map(str, words)])
        self.monkeypatch.setattr(sys, "stdin", StringIO(typed))
        self.capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        said = self.capfd.readouterr()
        assert isinstance(left.value.code, int)
        return Ended(left.value.code, said.out, said.err)


class OnTerminal:
    """The command on a terminal, with somebody typing."""

    def __init__(self, home: Path, *words: object, size: tuple[int, int] = (100, 40), **more: str) -> None:
        self.screen, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.process = subprocess.Popen(
            command(*words),
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment(home, **more),
            start_new_session=True,
        )
        os.close(inner)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Read until this is on the screen behind all that was waited for before."""
        until = monotonic() + PATIENCE_S
        while text not in self.seen and monotonic() < until and self.process.poll() is None:
            self.read()
        if text not in self.seen:
            self.process.kill()
            raise AssertionError(f"{text!r} did not come; there is: {self.seen[-2000:]!r}")
        self.seen = self.seen.partition(text)[2]

    def type(self, line: str) -> None:
        self.press(line + "\n")

    def press(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def read(self) -> None:
        ready, _, _ = select.select([self.screen], [], [], 0.1)
        if ready:
            with contextlib.suppress(OSError):  # the terminal is closed: the process has ended
                self.seen += os.read(self.screen, 65536).decode(errors="replace").replace("\r\n", "\n")

    def end(self) -> int:
        """The exit code; what is still written is read, else the process could not end."""
        until = monotonic() + PATIENCE_S
        while self.process.poll() is None and monotonic() < until:
            self.read()
        self.process.kill()  # nothing, if it has ended by itself
        self.read()
        os.close(self.screen)
        return self.process.wait()
