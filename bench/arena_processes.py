"""The servers that bench/arena.py measures, each a process of its own: the arena, and a bare echo.

    python -m bench.arena_processes arena FOLDER
    python -m bench.arena_processes echo

They tell their address as the first line of their output. The arena is the one `turntile serve`
runs, with limits no single load generator meets; the echo is the least Starlette can do, on uvicorn
as it comes, with the same loop.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from turntile.server.logs import LogSettings
from turntile.server.serve import listen, serve
from turntile.server.settings import Limits, Settings

MANY = 10**9


def settings_for(folder: Path) -> Settings:
    """As usual, but nobody is held back: the load comes from one address and few accounts."""
    return Settings(
        port=0,
        db=f"sqlite:///{folder / 'arena.db'}",
        data_dir=folder / "data",
        limits=Limits().scaled(1e6),
        socket_messages=MANY,
        socket_messages_token=MANY,
        sockets_per_address=MANY,
        tables_per_player=MANY,
        thinkers=1,
        password_memory_kib=256,
        password_rounds=1,
    )


async def echo(socket: WebSocket) -> None:
    """Answers every message with one of as many bytes as were asked for."""
    reply = "x" * int(socket.query_params["bytes"])
    await socket.accept()
    try:
        while True:
            await socket.receive_text()
            await socket.send_text(reply)
    except WebSocketDisconnect:
        return


async def alike(socket: WebSocket) -> None:
    """Answers with as many messages as the arena, each as large: one, and after every second message another."""
    answer, frame = "x" * int(socket.query_params["answer"]), "y" * int(socket.query_params["frame"])
    await socket.accept()
    try:
        while True:
            await socket.receive_text()
            await socket.send_text(answer)
            await socket.receive_text()
            await socket.send_text(answer)
            await socket.send_text(frame)
    except WebSocketDisconnect:
        return


def serve_echo() -> None:
    app = Starlette(routes=[WebSocketRoute("/echo", echo), WebSocketRoute("/alike", alike)])
    with listen("127.0.0.1", 0) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        # uvicorn as it comes; only packing is off, as with ours, since it would cost the echo more than us.
        config = uvicorn.Config(app, ws_per_message_deflate=False, log_level="warning", access_log=False)
        uvicorn.Server(config).run(sockets=[listening])


class Process:
    """A server on one core, and what it uses of the machine."""

    def __init__(self, kind: Literal["arena", "echo"], core: int, folder: Path | None = None) -> None:
        here = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {core})  # children inherit it
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bench.arena_processes", kind, *([str(folder)] if folder else [])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
            )
        finally:
            os.sched_setaffinity(0, here)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, f"the {kind} did not start"

    @property
    def socket_url(self) -> str:
        return self.url.replace("http://", "ws://")

    def cpu_s(self) -> float:
        """Seconds of work so far, all threads together."""
        return cpu_s(self.process.pid)

    def memory_bytes(self) -> int:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=60)


CORE = min(os.sched_getaffinity(0))


def one_core() -> int:
    """The core that servers have for themselves, where there are several; the load takes another."""
    return CORE


def cpu_s(pid: int) -> float:
    """Seconds that all threads of a process have worked; those that have ended do not count."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def main() -> None:
    if sys.argv[1] == "echo":
        serve_echo()
    else:
        folder = Path(sys.argv[2])
        serve(settings_for(folder), LogSettings(level="warning"), lambda url: print(url, flush=True))


if __name__ == "__main__":
    main()
