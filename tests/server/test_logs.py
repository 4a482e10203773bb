"""Log lines: for people on a terminal, JSON elsewhere, with the request's id and without anybody's secret."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
import structlog

from turntile.core.errors import TurntileError
from turntile.server.logs import Answered, LogSettings, RequestLines, RequestLog, set_up

SECRETS = {
    "a token": ("sent tt_" + "A1b2-_" * 7, "tt_A1b2"),
    "a cookie": ("cookie was theme=dark; turntile_session=s3cr3t-value; lang=en", "s3cr3t"),
    "a header": ("Authorization: Bearer zyxw987 was refused", "zyxw987"),
    "a database's password": ("cannot open postgresql://arena:hunter2@127.0.0.1/arena", "hunter2"),
    "a hash": ("row ('Ada', '$argon2id$v=19$m=65536,t=3$c2FsdA$aGFzaA')", "aGFzaA"),
}


@pytest.fixture
def stream() -> Iterator[StringIO]:
    """What is written; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(stream: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_lines_are_json_where_no_terminal_is(stream: StringIO) -> None:
    assert set_up(LogSettings(), stream), "and every request has its line"
    logging.getLogger("turntile.server").warning("the disk has %d bytes left", 7)
    structlog.get_logger("turntile.hall").info("claimed", matches=3)
    first, second = lines(stream)
    assert (first["message"], first["level"]) == ("the disk has 7 bytes left", "warning")
    assert (second["message"], second["matches"]) == ("claimed", 3)
    assert first["timestamp"].endswith("Z")


def test_lines_for_people_are_lines(stream: StringIO) -> None:
    assert not set_up(LogSettings(json=False), stream), "requests that went well are no news"
    logging.getLogger("turntile.server").warning("the disk is full")
    assert stream.getvalue().count("\n") == 1
    assert "the disk is full" in stream.getvalue()


@pytest.mark.parametrize("json_lines", [True, False])
@pytest.mark.parametrize("text", SECRETS, ids=str)
def test_secrets_are_blotted_out(stream: StringIO, text: str, json_lines: bool) -> None:
    line, secret = SECRETS[text]
    set_up(LogSettings(json=json_lines), stream)
    logging.getLogger("anybody").warning(line)
    logging.getLogger("anybody").warning("said %s", line)
    structlog.get_logger().warning("said", what=line, inner={"deep": line})
    try:
        raise RuntimeError(line)
    except RuntimeError:
        logging.getLogger("anybody").exception("it failed")
    assert stream.getvalue().count("(hidden)") >= 4
    assert secret not in stream.getvalue()


def test_fields_with_secret_names_are_hidden_whatever_they_hold(stream: StringIO) -> None:
    set_up(LogSettings(), stream)
    structlog.get_logger().warning("login", password="open sesame", Cookie="plain", name="Ada")
    (line,) = lines(stream)
    assert (line["password"], line["Cookie"], line["name"]) == ("(hidden)", "(hidden)", "Ada")


def test_a_path_cannot_forge_a_line(stream: StringIO) -> None:
    set_up(LogSettings(json=False, requests=True), stream)
    path = "/x\n12:00:00 [error] the arena burns\x1b[2J"
    RequestLines(every=True)(Answered("GET", path, "(page)", 404, 0.01, "ab", "127.0.0.1"))
    assert stream.getvalue().count("\n") == 1
    assert "\x1b[2J" not in stream.getvalue()


def test_faults_have_a_line_even_where_requests_have_none(stream: StringIO) -> None:
    set_up(LogSettings(), stream)
    write = RequestLines(every=False)
    write(Answered("GET", "/fine", "/fine", 200, 0.01, "ab", "127.0.0.1"))
    write(Answered("GET", "/broken", "/broken", 500, 0.01, "ab", "127.0.0.1"))
    assert [(line["message"], line["status"]) for line in lines(stream)] == [("GET /broken", 500)]


def test_every_line_of_a_request_bears_its_id(stream: StringIO) -> None:
    set_up(LogSettings(), stream)
    heard: list[Answered] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0)
        logging.getLogger("turntile.server").info("handled %s", scope["path"])
        await send({"type": "http.response.start", "status": 201, "headers": []})

    async def ask(path: str) -> str:
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": path,
            "headers": [],
            "client": ("127.0.0.1", 1),
        }

        async def send(message: Any) -> None:
            assert message["status"] == 201

        await RequestLog(app, heard.append)(scope, None, send)  # type: ignore[arg-type]  # nothing is received
        return str(scope["state"]["request_id"])

    async def ask_both() -> list[str]:
        return await asyncio.gather(*(asyncio.create_task(ask(path)) for path in ("/a", "/b")))

    ids = asyncio.run(ask_both())
    assert len(set(ids)) == 2
    assert {line["message"]: line["request"] for line in lines(stream)} == {"handled /a": ids[0], "handled /b": ids[1]}
    assert [(answered.path, answered.status, answered.request_id) for answered in heard] == [
        ("/a", 201, ids[0]),
        ("/b", 201, ids[1]),
    ]


def test_an_unknown_level_is_refused(stream: StringIO) -> None:
    with pytest.raises(TurntileError, match=r"no log level 'loud': say debug, info, warning or error"):
        set_up(LogSettings(level="loud"), stream)
