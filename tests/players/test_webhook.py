"""Web servers as bots, good and bad ones."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.players.test_host import Diary, arena, goes_straight
from turntile.core.registry import find
from turntile.match.clock import read_control
from turntile.players.host import Host
from turntile.players.policy import FORFEIT, RULEBOOK, Policy
from turntile.players.seats import Player, seat_player

TRON = find("tron")
Respond = Callable[[dict[str, Any]], bytes]


@contextmanager
def serving(respond: Respond, version: str = "HTTP/1.1") -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """A server whose answer to /move is what `respond` makes of the request; the requests it got."""
    seen: list[tuple[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = version

        def do_GET(self) -> None:
            seen.append((self.path, None))
            self.answer(b'{"apiversion":"1"}')

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append((self.path, request))
            self.answer(respond(request) if self.path == "/move" else b"ok")

        def answer(self, body: bytes) -> None:
            self.send_response(500 if body == b"500" else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def play(address: str, clock: str = "none", policy: Policy = RULEBOOK) -> tuple[Any, Diary]:
    match, diary = arena(), Diary()
    bot = seat_player(TRON, address)
    try:
        Host(match, [bot, Player("s", goes_straight)], read_control(clock), (diary,), policy=policy).play()
    finally:
        bot.close()
    return match, diary


@pytest.mark.parametrize("version", ["HTTP/1.0", "HTTP/1.1"])
def test_a_server_plays_in_battlesnakes_shape(version: str) -> None:
    with serving(lambda request: b'{"move":"straight","shout":"hi"}', version) as (address, seen):
        match, diary = play(address)
    paths = [path for path, _ in seen]
    assert paths[:2] == ["/", "/start"] and paths[-1] == "/end"
    assert set(paths[2:-1]) == {"/move"} and len(paths[2:-1]) == match.step_number
    request = seen[2][1]
    assert (request["you"]["seat"], request["turn"], request["game"]["ruleset"]["name"]) == (0, 1, "tron")
    assert "straight" in request["legal"] and request["board"]["seat"] == 0
    assert seen[-1][1]["outcome"]["places"] == list(match.outcome.places)
    assert not any(step.played[0].silent for step in diary.steps)
    assert diary.steps[0].played[0].remarks[0].text == "hi"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"500", "it answered with status 500"),
        (b"hello", "the answer 'hello' is wrong"),
        (b'{"go":"up"}', "missing required field `move`"),
        (b"x" * 300_000, "an answer of more than 262144 bytes"),
    ],
)
def test_a_bad_answer_is_an_error_of_protocol(body: bytes, what: str) -> None:
    with serving(lambda request: body) as (address, _):
        match, _ = play(address, policy=FORFEIT)
    failure = match.seats[0].failure
    assert (failure.kind, failure.stage) == ("protocol", "turn 1")
    assert what in failure.what


def test_a_slow_server_is_late_for_that_turn_only() -> None:
    def respond(request: dict[str, Any]) -> bytes:
        time.sleep(0.4 if request["turn"] == 2 else 0)
        return b'{"move":"up"}' if request["turn"] == 2 else b'{"move":"straight"}'

    with serving(respond) as (address, _):
        _, diary = play(address, "150ms")
    assert [step.number for step in diary.steps if step.played[0].silent] == [2]
    assert {step.played[0].text for step in diary.steps} == {"straight"}


def test_nobody_at_the_address_is_told_before_the_first_turn() -> None:
    with serving(lambda request: b"{}") as (address, _):
        pass
    match, _ = play(address)
    assert "nobody answers at http://127.0.0.1" in match.seats[0].failure.what
    assert match.step_number == 0
