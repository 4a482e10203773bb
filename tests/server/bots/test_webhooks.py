"""Webhooks at real tables: web servers on this machine, good and bad ones."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.arena import Arena, arena, sentence_of
from tests.server.bots.conftest import begin_trial, bot_name, end_trial, finished, tried, wait_until
from turntile.core.registry import find
from turntile.match.replay import read_replay, verify

Respond = Callable[[dict[str, Any]], dict[str, Any] | bytes]


class Hook:
    """A web server in Battlesnake's shape, whose answer to /move is what `respond` makes of the question."""

    def __init__(self, respond: Respond, greeting: bytes = b'{"apiversion":"1"}', status: int = 200) -> None:
        self.seen: list[tuple[str, Any]] = []
        self.go_on = threading.Event()
        hook = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                hook.seen.append((self.path, None))
                self.answer(greeting, status)

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                hook.seen.append((self.path, request))
                answer = respond(request) if self.path.endswith("/move") else {}
                self.answer(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

            def answer(self, body: bytes, status: int = 200) -> None:
                with contextlib.suppress(OSError):  # nobody waits any more
                    self.send_response(status)
                    if status == 302:
                        self.send_header("Location", "/elsewhere")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.seen]

    def close(self) -> None:
        self.go_on.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@contextmanager
def serving(respond: Respond, **more: Any) -> Iterator[Hook]:
    hook = Hook(respond, **more)
    try:
        yield hook
    finally:
        hook.close()


def first_legal(request: dict[str, Any]) -> dict[str, Any]:
    return {"move": request["legal"][0], "shout": f"of {request['legal_count']}"}


def register(owner: httpx.Client, address: str, game: str = "") -> str:
    name = bot_name()
    told = owner.post("/bots", json={"name": name, "kind": "webhook", "address": address, "game": game})
    assert told.status_code == 201, told.text
    assert told.json()["address"] == address
    return name


def test_a_web_server_plays_a_whole_match(running: Arena, owner: httpx.Client) -> None:
    with serving(first_legal) as hook:
        name = register(owner, hook.address + "/snake")
        trial = tried(owner, name, game="racers")
        assert trial["state"] == "over" and not trial["failures"], trial
    assert hook.paths[:3] == ["/snake/", "/snake/", "/snake/start"]  # registered, then asked for the match
    assert hook.paths[-1] == "/snake/end" and "/snake/move" in hook.paths
    moves = [request for path, request in hook.seen if path == "/snake/move"]
    assert moves[0]["you"]["seat"] == 0 and moves[0]["you"]["name"] == name
    assert moves[0]["game"]["ruleset"]["name"] == "racers" and moves[1]["heard"]
    replay = owner.get(f"/matches/{trial['match']}/replay").content
    assert verify(read_replay(replay), find("racers")).over


def test_a_slow_one_is_silent_and_holds_up_nobody(running: Arena, owner: httpx.Client) -> None:
    def slow(request: dict[str, Any]) -> dict[str, Any]:
        hook.go_on.wait(30)
        return {"move": "straight"}

    with serving(slow) as hook, serving(first_legal) as quick:
        name = register(owner, hook.address)
        seats = [{"kind": "bot", "bot": f"@{name}"}, {"kind": "bot", "bot": "easy"}]
        wish = {"game": "tron", "options": {"size": 11}, "clock": "100ms", "listed": False, "seats": seats}
        match = owner.post("/matches", json=wish).json()
        other = tried(owner, register(owner, quick.address), game="racers")
        assert other["state"] == "over" and not other["failures"]
        assert finished(owner, match["id"])["status"] == "over"
    assert "/move" in hook.paths


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(b"{}", "protocol"), (b"no json", "protocol"), (b'{"move": "fly"}', "illegal"), (b'{"move": 7}', "protocol")],
)
def test_wrong_answers_do_not_count(running: Arena, owner: httpx.Client, answer: bytes, kind: str) -> None:
    with serving(lambda request: answer) as hook:
        trial = tried(owner, register(owner, hook.address), game="tron")
    assert trial["state"] == "over" and trial["failures"][0]["kind"] == kind


def test_one_that_is_gone_is_out(running: Arena, owner: httpx.Client) -> None:
    with serving(first_legal) as hook:
        name = register(owner, hook.address)
    trial = tried(owner, name, game="tron")
    assert trial["state"] == "over" and trial["failures"][0]["kind"] == "crash"
    assert "nobody answers" in trial["failures"][0]["what"]
    assert trial["result"]["places"] == [2, 1]


def test_a_match_that_ends_does_not_wait_for_an_answer(running: Arena, owner: httpx.Client) -> None:
    asked = threading.Event()

    def never(request: dict[str, Any]) -> dict[str, Any]:
        asked.set()
        hook.go_on.wait(60)
        return {}

    person = running.browser()
    with serving(never) as hook:
        name = register(owner, hook.address)
        seats = [{"kind": "bot", "bot": f"@{name}"}, {"kind": "me"}]
        wish = {"game": "racers", "clock": "600s", "seats": seats}
        match = person.post("/matches", json=wish).json()
        assert asked.wait(30)
        person.post(f"/matches/{match['id']}/resign", json={"seat": 1})
        finished(person, match["id"])
        driver = running.app.state.bots.webhooks
        running.wait(driver.gone(match["id"], 0))
        assert not driver.desks


@pytest.mark.parametrize(
    ("greeting", "status", "says"),
    [
        (b"hello", 200, "is wrong"),
        (b'{"apiversion": 1}', 200, "is wrong"),
        (b"{}", 500, "status 500"),
        (b"{}", 302, "status 302"),
    ],
)
def test_registration_says_what_was_wrong(
    running: Arena, owner: httpx.Client, greeting: bytes, status: int, says: str
) -> None:
    with serving(first_legal, greeting=greeting, status=status) as hook:
        told = owner.post("/bots", json={"name": bot_name(), "kind": "webhook", "address": hook.address})
        assert says in sentence_of(told, 422)
    assert hook.paths == ["/"], "redirects are not followed"


def test_an_address_where_nobody_listens_is_refused(running: Arena, owner: httpx.Client) -> None:
    told = owner.post("/bots", json={"name": bot_name(), "kind": "webhook", "address": "http://127.0.0.1:9"})
    assert "nobody answers" in sentence_of(told, 422)
    told = owner.post("/bots", json={"name": bot_name(), "kind": "webhook"})
    assert "http://" in sentence_of(told, 422)


def test_a_server_asks_nobody_inside_its_own_network(tmp_path: Path) -> None:
    """Neither when a bot is registered nor when its address is changed."""
    with arena(tmp_path) as careful, serving(first_legal) as hook:
        owner = careful.person()
        for address in (
            hook.address,
            hook.address.replace("127.0.0.1", "localhost"),
            "http://[::1]:80",
            "http://10.0.0.1",
        ):
            told = owner.post("/bots", json={"name": bot_name(), "kind": "webhook", "address": address})
            assert "not on the public internet" in sentence_of(told, 422)
        assert hook.paths == []


def test_an_address_that_turns_inside_later_is_not_asked(tmp_path: Path) -> None:
    """The address is checked for every match, not only when it is registered."""
    with serving(first_legal) as hook:
        with arena(tmp_path, allow_local_webhooks=True) as open_one:
            owner = open_one.person("Mallory")
            name = register(owner, hook.address)
        with arena(tmp_path) as careful:
            owner = careful.browser()
            owner.post("/sessions", json={"name": "Mallory", "password": "a long walk by the sea"})
            begin_trial(owner, name, game="tron")
            trial = end_trial(owner, name)
        assert "not on the public internet" in trial["failures"][0]["what"]
    assert hook.paths == ["/"]


def test_slow_servers_that_are_being_registered_hold_up_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever registers servers that never answer takes nobody's threads."""
    monkeypatch.setattr("turntile.server.bots.webhooks.THREADS", 1)
    monkeypatch.setattr("turntile.players.webhook.REPLY_S", 120.0)
    silent = socket.create_server(("127.0.0.1", 0))
    with arena(tmp_path, allow_local_webhooks=True) as here, silent, serving(first_legal) as hook:
        owner = here.person()
        name = register(owner, hook.address, "racers")
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        wish = {"name": "Silence", "kind": "webhook", "address": address}
        with ThreadPoolExecutor(1) as threads:
            registering = threads.submit(owner.post, "/bots", json=wish)
            asked, _ = silent.accept()
            assert owner.post(f"/bots/{name}/test", json={"game": "racers"}).status_code == 202
            wait_until(lambda: owner.get(f"/bots/{name}/test").json()["step"] > 0)
            assert not registering.done()
            asked.close()
            assert registering.result().status_code == 422
