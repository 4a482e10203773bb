"""A server with many lives: a process that has imported everything forks a real server for each of them.

Killing a server and starting it again is what recovery is about; finding its modules again is
not, and would take most of the time. `python -m tests.server.lives '{"db": ...}'` reads a line
for each life that is to begin and answers with the port and the process.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from types import TracebackType
from typing import Any

import httpx
import uvicorn

from tests.server.arena import QUICK
from turntile.core.registry import OURS
from turntile.server.app import make_app
from turntile.server.settings import Settings


class Lives:
    """The test's side."""

    def __init__(self, **changes: Any) -> None:
        self.maker = subprocess.Popen(
            [sys.executable, "-m", "tests.server.lives", json.dumps(changes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = 0
        self.url = ""

    def begin(self) -> str:
        """The address of a new server on the same database."""
        assert self.maker.stdin is not None and self.maker.stdout is not None
        self.maker.stdin.write("begin\n")
        self.maker.stdin.flush()
        told = json.loads(self.maker.stdout.readline())
        self.pid, self.url = told["pid"], f"http://127.0.0.1:{told['port']}"
        return self.url

    def kill(self) -> None:
        """As a power cut would. Its maker has buried it when it begins the next life."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def client(self, cookies: httpx.Cookies | None = None) -> httpx.Client:
        return httpx.Client(
            base_url=self.url + "/api/v1",
            headers={"Origin": self.url},
            cookies=cookies,
            timeout=60,
            trust_env=False,
            verify=False,
        )

    def __enter__(self) -> Lives:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pid:
            self.kill()
        assert self.maker.stdin is not None and self.maker.stdout is not None
        self.maker.stdin.close()
        self.maker.wait(timeout=60)
        self.maker.stdout.close()


class TellingServer(uvicorn.Server):
    """Says where it listens, once it does."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        print(json.dumps({"port": port, "pid": os.getpid()}), flush=True)


def live(settings: Settings) -> None:
    config = uvicorn.Config(
        make_app(settings), host="127.0.0.1", port=0, log_config=None, access_log=False, ws="websockets-sansio"
    )
    asyncio.run(TellingServer(config).serve())


# What a server only imports when it needs it.
LATE = ("turntile.store.sqlite", "turntile.store.postgres", "alembic.command", "alembic.runtime.migration", "zstandard")


def main() -> None:
    for name in (*LATE, *(f"turntile.games.{game}.game" for game in OURS)):
        import_module(name)
    settings = replace(QUICK, **json.loads(sys.argv[1]))
    child = 0
    for _ in sys.stdin:
        if child:
            os.waitpid(child, 0)
        child = os.fork()
        if child == 0:
            try:
                live(settings)
            finally:
                os._exit(1)
    if child:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
