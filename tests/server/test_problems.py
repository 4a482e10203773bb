"""Whatever goes wrong: a problem with one sentence, and nothing of our insides."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator

import httpx
import pytest
from starlette.requests import Request

from tests.server.arena import Arena, arena, sentence_of


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("problems")) as running:
        yield running


def test_an_unknown_address_of_the_interface(hall: Arena) -> None:
    assert "nothing at /api/v1/nowhere" in sentence_of(hall.browser().get("/nowhere"), 404)
    assert sentence_of(httpx.get(f"{hall.url}/api/nowhere", trust_env=False), 404)


def test_a_method_that_is_not_there(hall: Arena) -> None:
    told = hall.browser().put("/me", json={})
    assert "PUT is not possible" in sentence_of(told, 405)
    assert "GET" in told.headers["allow"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "no JSON"),
        (b"", "JSON object"),
        (b"[]", "JSON object"),
        (b'"text"', "JSON object"),
        (b"{}", "name"),
        (b'{"name": 3, "password": "x"}', "name"),
        (b'{"name": "x", "password": "y", "admin": true}', "admin"),
        (b"\xff\xfe", ""),
    ],
)
def test_a_body_that_does_not_fit(hall: Arena, body: bytes, says: str) -> None:
    told = hall.browser().post("/sessions", content=body, headers={"Content-Type": "application/json"})
    sentence = sentence_of(told, 422 if told.status_code == 422 else 400)
    assert says in sentence


def test_a_body_that_is_not_json_by_name_is_not_read(hall: Arena) -> None:
    """A form of another site could send it without the browser asking us first."""
    body = b'{"name": "x", "password": "y"}'
    told = hall.browser().post("/sessions", content=body, headers={"Content-Type": "text/plain"})
    assert "JSON" in sentence_of(told, 422)


def test_a_parameter_that_does_not_fit(hall: Arena) -> None:
    assert "limit" in sentence_of(hall.browser().get("/matches?limit=0"), 422)
    assert "status" in sentence_of(hall.browser().get("/matches?status=soon"), 422)
    assert "cursor" in sentence_of(hall.browser().get("/matches?cursor=abc!"), 422)
    assert "no game" in sentence_of(hall.browser().get("/matches?game=chess"), 404)


def test_our_own_fault_is_told_by_an_id_only(hall: Arena, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(request: Request) -> None:
        raise RuntimeError("the secret is xyzzy")

    hall.app.add_api_route("/api/v1/broken", broken, methods=["GET"])
    hall.app.router.routes.insert(0, hall.app.router.routes.pop())  # before the page, which answers all the rest
    with caplog.at_level(logging.ERROR, logger="turntile.server"):
        told = hall.browser().get("/broken")
    sentence = sentence_of(told, 500)
    assert "xyzzy" not in told.text and "RuntimeError" not in told.text and "mistake" in sentence
    number = told.json()["instance"].rpartition(":")[2]
    assert number == told.headers["x-request-id"]
    [record] = [record for record in caplog.records if number in record.getMessage()]
    assert record.exc_info is not None
    assert told.headers["content-security-policy"]


def test_a_body_that_is_too_large_is_refused_before_it_came(hall: Arena) -> None:
    """The head says how much will come: the answer is there before any of it."""
    with socket.create_connection(("127.0.0.1", hall.port), timeout=10) as client:
        client.sendall(
            b"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100000000\r\n\r\n"
        )
        answer = b"".join(iter(lambda: client.recv(65536), b""))  # to its end: the connection is closed
    assert answer.startswith(b"HTTP/1.1 413"), answer[:200]
    assert b"application/problem+json" in answer and b"256 KB" in answer


def test_a_body_in_pieces_is_counted(hall: Arena) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 10_000

    told = hall.browser().post("/sessions", content=pieces(), headers={"Content-Type": "application/json"})
    assert "256 KB" in sentence_of(told, 413)


def test_a_body_cut_short_is_nobodys_wish(hall: Arena, caplog: pytest.LogCaptureFixture) -> None:
    """The first half of a body happens to be a whole wish: it must not be taken for one."""
    half = b'{"name": "Half Sent", "password": "a long walk by the sea"}'
    contest = b'{"key": "x"}'
    with caplog.at_level(logging.ERROR):
        for path, body in ((b"accounts", half), (b"contests", contest)):
            with socket.create_connection(("127.0.0.1", hall.port), timeout=10) as client:
                client.sendall(
                    b"POST /api/v1/" + path + b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    b"Content-Length: " + str(len(body) + 1).encode() + b"\r\n\r\n" + body
                )
        assert hall.browser().get("/games").status_code == 200
        assert sentence_of(hall.browser().get("/players/Half Sent"), 404)
    assert not caplog.records


def test_deep_json_is_just_a_bad_body(hall: Arena) -> None:
    body = b'{"game":"tron","options":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_001
    told = hall.browser().post("/matches", content=body, headers={"Content-Type": "application/json"})
    assert sentence_of(told, told.status_code) and told.status_code in (400, 422)


@pytest.mark.parametrize(
    "path", ["/players/%00", "/players/" + "x" * 5000, "/games/..%2f..%2fetc", "/tokens/99999999999999"]
)
def test_odd_addresses(hall: Arena, path: str) -> None:
    told = hall.browser().get(path) if "tokens" not in path else hall.person().delete(path)
    assert sentence_of(told, told.status_code) and told.status_code in (404, 422)
