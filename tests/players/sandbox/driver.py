"""Attacks one way to lock bots in, under whatever user it is run by, and prints what happened as JSON.

    python driver.py WAY LANDLOCK [ATTACK...]      LANDLOCK: the newest version of Landlock to make use of

A program of its own, since the tests run it as root and as an ordinary user. Besides the attacks every bot can make
it lets bots run into each limit, and after each of them looks whether an opponent who sits there all the time still
answers, whether anything was left behind, and whether the next bot starts.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turntile.players.sandbox import Limits, Sandbox, verdict
from turntile.players.sandbox.attacks import ATTACKS
from turntile.players.sandbox.limits import MEGABYTE
from turntile.players.sandbox.probe import Scene, attack, prepare, scene
from turntile.players.sandbox.ways import OFF, python

SMALL = Limits(memory=160 * MEGABYTE, processes=12, cpu_seconds=20, scratch=MEGABYTE)
PATIENCE_S = 20.0
FLOOD_READ = MEGABYTE

# Bots that run into something and do not catch it: what is their end called?
ENDINGS = {
    "well behaved": "print('hello')",
    "memory bomb": "x = [b'x' * (1 << 24) for _ in range(400)]",
    "fork bomb": "import os, time\nwhile os.fork(): pass\ntime.sleep(600)",
    "thread bomb": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
    ),
    "processor hog": "while True: pass",
    "large file": "open('/tmp/large', 'wb').write(b'x' * (1 << 22))",
    "network": "import socket\nsocket.create_connection(('127.0.0.1', 9), timeout=5)",
    "crash": "import os\nos.abort()",
    "failure": "raise SystemExit(3)",
    "flood": "while True: print('x' * 1000)",
    "silence": "import time\ntime.sleep(600)",
}
STOPPED_BY_US = ("flood", "silence")
SHELL_FORK_BOMB = "bomb() { bomb | bomb & }; bomb; sleep 600"


class Opponent:
    """A bot that answers every line, in a sandbox of its own kind."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        words = ["sh", "-c", 'while read -r line; do echo "heard $line"; done']
        self.sandbox = sandbox
        self.process = subprocess.Popen(
            sandbox.wrap(words, folder=folder, limits=SMALL),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def answers(self) -> bool:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(b"turn\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return False
        return self.process.stdout.readline() == b"heard turn\n"

    def end(self) -> None:
        self.process.kill()
        self.sandbox.sweep(self.process.pid)
        self.process.communicate()


def starts(sandbox: Sandbox, folder: Path) -> bool:
    """Whether the next bot starts and says what it should."""
    command = sandbox.wrap(["sh", "-c", "echo ready"], folder=folder, limits=SMALL)
    done = subprocess.run(command, stdout=subprocess.PIPE, start_new_session=True, timeout=PATIENCE_S, check=False)
    return (done.returncode, done.stdout) == (0, b"ready\n")


def left_over(target: Scene) -> list[str]:
    """Processes that carry the attacker's mark although all should have ended; they get two seconds to go."""
    deadline = time.monotonic() + 2
    while found := dict(marked(target)):
        if time.monotonic() > deadline:
            for pid in found:
                os.kill(pid, signal.SIGKILL)  # told, but not left to the machine
            break
        time.sleep(0.02)
    return list(found.values())


def marked(target: Scene) -> Iterator[tuple[int, str]]:
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in (os.getpid(), target.victim.pid):
            continue
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{name}/cmdline").read_bytes().decode("utf-8", "replace")
            if target.told["mark"] in words:
                yield int(name), words.replace("\0", " ")


def attacked(sandbox: Sandbox, opponent: Opponent, name: str) -> dict[str, Any]:
    """One attack in a scene of its own."""
    with scene() as target:
        limits = SMALL if name in ("memory", "fork", "disk") else Limits()
        returncode, reports, errors = attack(sandbox, target, [name], limits, PATIENCE_S)
        return {
            "returncode": returncode,
            "reports": reports,
            "errors": errors,
            "damage": target.damage(),
            "left": left_over(target),
            "opponent": opponent.answers(),
            "next": starts(sandbox, target.folder),
        }


def ended(sandbox: Sandbox, opponent: Opponent, name: str) -> dict[str, Any]:
    """A bot that runs into a limit, or is stopped by us."""
    limits = dataclasses.replace(SMALL, cpu_seconds=1) if name == "processor hog" else SMALL
    with scene() as target:
        words = [python(), "-I", "-S", "-c", ENDINGS[name], target.told["mark"]]
        returncode, errors = run(sandbox, words, target.folder, limits, stop=name in STOPPED_BY_US)
        return {
            "verdict": verdict(returncode, errors),
            "returncode": returncode,
            "errors": errors[-400:],
            "left": left_over(target),
            "opponent": opponent.answers(),
            "next": starts(sandbox, target.folder),
        }


def run(sandbox: Sandbox, words: list[str], folder: Path, limits: Limits, *, stop: bool) -> tuple[int, str]:
    """As a referee would: pipes, killed when it must be, read to the end, then waited for."""
    process = subprocess.Popen(
        sandbox.wrap(words, folder=folder, limits=limits),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    if stop:
        if "print" in words[4]:
            process.stdout.read(FLOOD_READ)
        else:
            time.sleep(0.3)
        process.kill()
    else:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE_S)
    sandbox.sweep(process.pid)
    _, errors = process.communicate(timeout=PATIENCE_S)
    return process.returncode, errors.decode("utf-8", "replace")


def shell_bomb(sandbox: Sandbox, opponent: Opponent) -> dict[str, Any]:
    """The classic one, stopped by us after a second, while the opponent goes on playing."""
    with scene() as target:
        process = subprocess.Popen(
            sandbox.wrap(["sh", "-c", SHELL_FORK_BOMB, target.told["mark"]], folder=target.folder, limits=SMALL),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(1)
        during = opponent.answers()
        process.kill()
        sandbox.sweep(process.pid)
        process.wait(PATIENCE_S)
        return {"left": left_over(target), "opponent": during, "next": starts(sandbox, target.folder)}


def main() -> None:
    way, newest, names = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    sandbox, reason = (Sandbox(OFF), "") if way == OFF else prepare(way)
    if sandbox is None:
        print(json.dumps({"reason": reason}))
        return
    sandbox = dataclasses.replace(sandbox, landlock=min(sandbox.landlock, newest))
    with scene() as target:
        if not starts(sandbox, target.folder):
            print(json.dumps({"reason": "no bot starts"}))
            return
        opponent = Opponent(sandbox, target.folder)
        try:
            assert opponent.answers()
            results: dict[str, Any] = {
                "attacks": {name: attacked(sandbox, opponent, name) for name in names or ATTACKS}
            }
            if not names:
                results["endings"] = {name: ended(sandbox, opponent, name) for name in ENDINGS}
                results["shell bomb"] = shell_bomb(sandbox, opponent)
            print(json.dumps(results))
        finally:
            opponent.end()


if __name__ == "__main__":
    main()
