"""What somebody tries who means harm: nobody else is to notice, and the server is to say what was wrong."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.server.arena import API, Arena, arena, sentence_of
from turntile.server.short_way import ShortWayProtocol


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("hostile")) as running:
        yield running


def new_match(client: httpx.Client, game: str, *seats: dict[str, str], **more: Any) -> str:
    told = client.post("/matches", json={"game": game, "seats": list(seats), **more})
    assert told.status_code == 201, told.text
    match_id: str = told.json()["id"]
    return match_id


ME, OPEN = {"kind": "me"}, {"kind": "open"}


# ------------------------------------------------------------------- bodies


@pytest.mark.parametrize("value", ['"\\ud800"', '["\\udfff"]', '{"\\ud800": 1}'])
def test_half_a_sign_in_an_option_is_refused_like_any_other_nonsense(here: Arena, value: str) -> None:
    body = f'{{"game": "tron", "options": {{"size": {value}}}}}'
    told = here.browser().post("/matches", content=body, headers={"Content-Type": "application/json"})
    assert sentence_of(told, 422)


def test_a_wish_for_a_billion_robots_is_refused_at_once(here: Arena) -> None:
    """It is not written out as a billion seats first."""
    told = httpx.post(f"{here.url}/robot-fight/games", json={"options": {"players": 10**9}}, timeout=20, verify=False)
    assert told.status_code == 422 and told.json()["error"] == "ERROR"


# ------------------------------------------------------------------- sockets


class DeafClient:
    """A socket by hand that talks and never reads."""

    def __init__(self, here: Arena, match_id: str) -> None:
        place = urlsplit(here.url)
        self.connection = socket.create_connection((place.hostname or "", place.port or 0), timeout=20)
        self.connection.sendall(
            f"GET {API}/matches/{match_id}/socket HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: {here.url}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert self.connection.recv(12) == b"HTTP/1.1 101"

    def ping(self, count: int) -> None:
        self.connection.sendall((bytes((0x89, 0x80 | 125)) + bytes(4) + b"x" * 125) * count)

    def close(self) -> None:
        self.connection.close()


def waiting_bytes(here: Arena) -> int:
    """What the server keeps for sockets that do not read."""

    async def count() -> int:
        protocols = [one for one in here.server.server_state.connections if isinstance(one, ShortWayProtocol)]
        return sum(one.transport.get_write_buffer_size() for one in protocols)

    size: int = here.wait(count())
    return size


def test_answers_to_pings_are_not_heaped_up_for_who_does_not_read_them(here: Arena) -> None:
    client = DeafClient(here, new_match(here.person(), "worms", ME, OPEN))
    try:
        for _ in range(100):
            client.ping(1000)  # 13 MB in all
        assert waiting_bytes(here) < 1_000_000
    finally:
        client.close()


def test_who_takes_nothing_for_long_is_cut_off(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ShortWayProtocol, "reading_s", 0.2)
    client = DeafClient(here, new_match(here.person(), "worms", ME, OPEN))
    try:
        with pytest.raises(OSError):
            for _ in range(2000):
                client.ping(1000)
                time.sleep(0.005)
    finally:
        client.close()
