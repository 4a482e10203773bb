"""Running the server: where it listens, how it starts, and how it ends without losing anything.

It starts in this order: the port is taken (one in use is told at once; who connects already waits),
the database is opened and the hall claims its matches, then requests are answered, and only then
the address is told.
It ends in this order: no new connections, running writes are finished and clients are told to
come again, connections are closed, the database is closed. A second signal ends it at once; what
was acknowledged is on the disk by then in any case.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from turntile.core.errors import TurntileError
from turntile.server import page
from turntile.server.addresses import networks
from turntile.server.app import make_app
from turntile.server.logs import Answered, LogSettings, RequestLines, RequestLog, set_up
from turntile.server.metrics import Metrics
from turntile.server.settings import Settings
from turntile.server.short_way import ShortWayProtocol
from turntile.server.slow_clients import ImpatientProtocol

STOPPING_S = 5.0  # for the hall to finish its writes
CONNECTIONS_S = 3  # for answers on their way; a client that sent half a body must not hold us up
KEEP_ALIVE_S = 30  # longer than a reverse proxy keeps its idle connections, so that it closes them first
BACKLOG = 2048
COLLECT_AFTER = (20_000, 10, 10)  # objects, and rounds: most die young, by themselves
MOST_FILES = 65_536
MESSAGE_AND_A_BIT = 1024  # what is just too long is refused with a sentence, the rest by the protocol

log = logging.getLogger("turntile.server")


class CannotListen(TurntileError):
    """The address or port that was asked for is not to be had."""


def serve(settings: Settings, logs: LogSettings, told: Callable[[str], None], *, or_any_port: bool = False) -> None:
    """Serve until a signal says stop. `told` is called with the address once requests are answered.

    `or_any_port`: take a free port where the wished-for one is in use. Raises TurntileError.
    """
    networks(settings.trusted_proxies)  # refused now, not at the first request
    listening = listen(settings.host, settings.port, or_any_port)
    with listening:
        settings = replace(settings, port=listening.getsockname()[1])
        write_line = RequestLines(every=set_up(logs))
        allow_many_connections()
        warn_without_page(settings)
        app = make_app(settings)
        metrics: Metrics = app.state.metrics

        def answered(request: Answered) -> None:
            metrics.answered(request)
            write_line(request)

        server = ArenaServer(configure(RequestLog(app, answered), settings), app, lambda: told(address(settings)))
        with stopped_by_signals(server):
            loop_factory = server.config.get_loop_factory()  # uvloop, where it is installed
            with asyncio.Runner(loop_factory=loop_factory) as runner:
                runner.run(live(app, server, listening))


async def live(app: FastAPI, server: ArenaServer, listening: socket.socket) -> None:
    # Not uvicorn's own lifespan: it would answer a database that cannot be opened with a traceback.
    async with app.router.lifespan_context(app):
        await server.serve(sockets=[listening])


def configure(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws=ShortWayProtocol,
        ws_max_size=settings.socket_message_bytes + MESSAGE_AND_A_BIT,
        # Frames are small, many and different for each pair of eyes: packing them costs more than it saves.
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # addresses.py believes those proxies it is told to trust
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=CONNECTIONS_S,
    )


class ArenaServer(uvicorn.Server):
    """uvicorn's server that says when it listens, and lets the hall say goodbye before connections are closed."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, listens: Callable[[], None]) -> None:
        super().__init__(config)
        self.app = app
        self.listens = listens

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # all that was loaded stays: looking through it again and again would be for nothing
        gc.set_threshold(*COLLECT_AFTER)
        self.listens()
        tell_systemd("READY=1")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        tell_systemd("STOPPING=1")
        log.info("stopping: writes are finished, and clients are told to come again")
        self.app.state.stopping = True
        for server in self.servers:
            server.close()
        try:
            await asyncio.wait_for(self.app.state.hall.stop(), STOPPING_S)
        except TimeoutError:
            log.warning("some writes were not finished within %.0f s; what was acknowledged is stored", STOPPING_S)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ours are in force from before the start to the end; uvicorn would raise them again at its end."""
        yield


@contextmanager
def stopped_by_signals(server: ArenaServer) -> Iterator[None]:
    """SIGTERM and Ctrl-C ask the server to end; asked a second time it ends at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        if server.should_exit:
            os._exit(128 + number)
        server.should_exit = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ------------------------------------------------------------------- the address


def listen(host: str, port: int, or_any_port: bool = False) -> socket.socket:
    """A bound socket. Raises CannotListen with what would do."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise CannotListen(
            f"{host!r} is no address: say 127.0.0.1 for this machine alone, 0.0.0.0 for all its networks"
        ) from None
    bound = socket.socket(family, kind, protocol)
    if os.name != "nt":  # there it would let two servers share one port
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(place)
        bound.listen(BACKLOG)  # already now: until then a second server could bind to the same port
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE and or_any_port:
            return listen(host, 0)
        raise CannotListen(why_not(host, port, error)) from None
    return bound


def why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use: say --port {port + 1 if port < 65535 else 8001}, or --port 0 for any"
    if error.errno == errno.EACCES:
        return f"port {port} is for root alone: choose one from 1024 on, and let a reverse proxy have the low ones"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: say 127.0.0.1, or 0.0.0.0 for all its networks"
    return f"cannot listen at {host}, port {port}: {error.strerror or error}"


def address(settings: Settings) -> str:
    """What to type into a browser on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    return f"http://{host}:{settings.port}"


def warn_without_page(settings: Settings) -> None:
    folder = settings.page_dir or page.HERE
    if not (folder / "index.html").is_file():
        log.warning("the page for browsers is not built: python3 run.py builds it; programs can play without it")


def allow_many_connections() -> None:
    """Each connection is an open file, and the usual limit for a process is 1024: take what we may have."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if wanted > soft:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def tell_systemd(line: str) -> None:
    """A unit of Type=notify is started when it says so; without systemd nothing happens."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return
    if place.startswith("@"):
        place = "\0" + place[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.sendto(line.encode(), place)
