"""A real `turntile serve` as a process of its own, on a free port of this machine."""

from __future__ import annotations

import json
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from tests.cli.terminal import command, environment

PATIENCE_S = 60.0


class ServerProcess:
    """A server with a home of its own. As a context it is ended with SIGTERM, if it has not ended before."""

    def __init__(self, home: Path, *words: object, db: str = "", **more: str) -> None:
        home.mkdir(exist_ok=True)
        self.home = home
        self.log_file = home / "server.log"
        self.log = self.log_file.open("ab")
        where = ("--db", db) if db else ("--db", home / "arena.db")
        self.process = subprocess.Popen(
            command("serve", "--port", 0, "--json", *where, "--data", home / "data", *words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=environment(home, **more),
        )
        self.told: dict[str, Any] = {}

    def wait_until_it_listens(self) -> ServerProcess:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the server did not start: {self.logged()[-3000:]}"
        self.told = json.loads(line)
        return self

    @property
    def url(self) -> str:
        return str(self.told["url"])

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def client(self, **more: Any) -> httpx.Client:
        """A client that shows the right Origin, as the page does, and keeps its cookies."""
        return httpx.Client(
            base_url=self.url, headers={"Origin": self.url}, timeout=PATIENCE_S, trust_env=False, **more
        )

    def logged(self) -> str:
        return self.log_file.read_text(encoding="utf-8")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE_S)

    def __enter__(self) -> ServerProcess:
        return self.wait_until_it_listens()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=PATIENCE_S)
        self.process.kill()  # nothing, if it has ended
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.log.close()
