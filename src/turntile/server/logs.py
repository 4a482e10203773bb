"""What a server writes down: lines for people on a terminal, JSON lines elsewhere, and never a secret.

Everything goes to standard error through Python's own logging, so that uvicorn's, SQLAlchemy's and
our lines look alike. Each request has an id, which stands in its line, in every line written while
it is handled, in the answer's header X-Request-Id and in the problem the caller is shown.

Paths are written, query strings and bodies are not. Besides that, whatever looks like a token, a
session, a password or a database's password is blotted out on its way to the stream: a second net
under those who write log lines.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TextIO

import msgspec
import structlog

from turntile.core.errors import TurntileError

LEVELS = ("debug", "info", "warning", "error")

# ------------------------------------------------------------------- secrets

BLOT = "(hidden)"
SECRET_NAMES = re.compile(r"password|passwd|secret|token|cookie|session|authorization|api_?key", re.IGNORECASE)
SECRET_TEXTS = (
    re.compile(r"\btt_[A-Za-z0-9_-]{8,}"),
    re.compile(r"(?<=turntile_session=)[^;,\s\"']+"),
    re.compile(r"(?<=[Bb]earer )[^\s\"',]+"),
    re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"),  # the user and password of a database's address
    re.compile(r"\$argon2\w*\$[^\s\"']+"),
)

Line = MutableMapping[str, Any]


def hide_secrets(logger: Any, method: str, line: Line) -> Line:
    for name, value in line.items():
        if SECRET_NAMES.search(name):
            line[name] = BLOT
        elif isinstance(value, str):
            line[name] = without_secrets(value)
        elif isinstance(value, dict):
            line[name] = hide_secrets(logger, method, dict(value))
        elif not isinstance(value, int | float | None):
            line[name] = without_secrets(str(value))
    return line


def without_secrets(text: str) -> str:
    for pattern in SECRET_TEXTS:
        text = pattern.sub(BLOT, text)
    return text


CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def show_control_characters(logger: Any, method: str, line: Line) -> Line:
    """A path may hold a line break or a terminal's commands: nobody writes log lines in our name."""
    for name, value in line.items():
        if isinstance(value, str) and name not in ("exception", "stack"):
            line[name] = CONTROL.sub(lambda found: repr(found[0])[1:-1], value)
    return line


# ------------------------------------------------------------------- setting up


@dataclass(frozen=True, slots=True)
class LogSettings:
    json: bool | None = None  # None: as the stream is a terminal or not
    level: str = "info"
    requests: bool | None = None  # a line for every request, not only those that failed; None: where it is JSON


class InvalidLevel(TurntileError):
    """A word that is no level of importance."""


def set_up(wanted: LogSettings, stream: TextIO | None = None) -> bool:
    """Lead all log lines of this process to the stream; True if every request is to have a line."""
    if wanted.level not in LEVELS:
        raise InvalidLevel(f"there is no log level {wanted.level!r}: say {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")
    stream = stream or sys.stderr
    on_terminal = stream.isatty()
    as_json = wanted.json if wanted.json is not None else not on_terminal
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso" if as_json else "%H:%M:%S", utc=as_json),
        structlog.processors.format_exc_info,
        hide_secrets,
        show_control_characters,
    ]
    if as_json:
        render: list[Any] = [
            structlog.processors.EventRenamer("message"),
            structlog.processors.JSONRenderer(serializer=to_json),
        ]
    else:
        colours = on_terminal and not os.environ.get("NO_COLOR")
        render = [structlog.dev.ConsoleRenderer(colors=colours, pad_event_to=0, exception_formatter=plain_exception)]
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=wanted.level.upper(), force=True)
    # Their routine (started, accepted, shutting down) is not news; what goes wrong there is.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic", "sqlalchemy", "websockets", "asyncio"):
        theirs = logging.getLogger(name)
        theirs.handlers = []
        theirs.propagate = True
        theirs.setLevel("WARNING")
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    return wanted.requests if wanted.requests is not None else as_json


def to_json(line: Any, **options: Any) -> str:
    return msgspec.json.encode(line, enc_hook=str).decode()


def plain_exception(stream: TextIO, problem: Any) -> None:
    """A traceback without the values of variables, which may be anybody's password."""
    import traceback

    traceback.print_exception(*problem, file=stream)


# ------------------------------------------------------------------- requests

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


PAGE_ROUTE = "/{path:path}"  # the page's files and its own routes
NO_ROUTE = "(page)"


@dataclass(slots=True)
class Answered:
    """What became of one request."""

    method: str
    path: str
    route: str  # the path as it was declared: /api/v1/matches/{id}
    status: int
    seconds: float
    request_id: str
    client: str


class RequestLog:
    """Gives each request an id and tells `heard` when it has been answered. Sockets only get the id."""

    def __init__(self, app: App, heard: Callable[[Answered], None]) -> None:
        self.app = app
        self.heard = heard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request_id = scope.setdefault("state", {}).setdefault("request_id", secrets.token_hex(8))
        structlog.contextvars.bind_contextvars(request=request_id)
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        began = perf_counter()
        status = 500  # unless somebody answers

        async def sending(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            client = scope.get("client")
            self.heard(
                Answered(
                    method=scope["method"],
                    path=scope["path"],
                    route=route_of(scope),
                    status=status,
                    seconds=perf_counter() - began,
                    request_id=request_id,
                    client=client[0] if client else "",
                )
            )


def route_of(scope: Scope) -> str:
    """The route's declared path; few different texts, whatever is asked for: figures are kept for each.

    A route does not know the prefix its router was included with: that is what the path has before it.
    """
    declared = getattr(scope.get("route"), "path", "")
    if not declared or declared == PAGE_ROUTE:
        return NO_ROUTE
    asked = scope["path"].split("/")
    return "/".join(asked[: 1 + len(asked) - len(declared.split("/"))]) + declared


class RequestLines:
    """Writes a line for each request, or only for those that failed through our fault."""

    def __init__(self, every: bool) -> None:
        self.every = every
        self.log = structlog.stdlib.get_logger("turntile.requests")

    def __call__(self, answered: Answered) -> None:
        if not self.every and answered.status < 500:
            return
        write = self.log.warning if answered.status >= 500 else self.log.info
        write(
            f"{answered.method} {answered.path}",
            status=answered.status,
            ms=round(1000 * answered.seconds, 1),
            client=answered.client,
        )
