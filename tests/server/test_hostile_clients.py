"""What somebody tries who means harm: nobody else is to notice, and the server is to say what was wrong."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from tests.server.arena import API, PASSWORD, Arena, arena, name_of, sentence_of
from turntile.server.settings import Limits, Rate
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


# ------------------------------------------------------------------- limits


def test_a_cookie_or_token_nobody_was_given_makes_nobody_known(tmp_path: Path) -> None:
    """The address of those who are known may do more; strangers cannot have that by sending any cookie."""
    limits = replace(Limits().scaled(1000), read=Rate.per_minute(5))
    with arena(tmp_path, limits=limits) as running:
        for headers in ({}, {"Cookie": "turntile_session=made-up"}, {"Authorization": "Bearer tt_made-up"}):
            last = [running.browser(**headers).get("/games").status_code for _ in range(6)][-1]
            assert last == 429, headers


def test_who_is_known_is_counted_by_his_account_wherever_he_asks(tmp_path: Path) -> None:
    """Also where nobody asks who he is; others at his address are not kept for it."""
    limits = replace(Limits().scaled(1000), read=Rate.per_minute(5))
    with arena(tmp_path, limits=limits) as running:
        busy, other = running.person(), running.person()
        assert busy.get("/me").status_code == other.get("/me").status_code == 200
        assert [busy.get("/games").status_code for _ in range(5)][-1] == 429
        assert other.get("/games").status_code == 200


def test_a_session_that_was_ended_makes_nobody_known_any_more(tmp_path: Path) -> None:
    limits = replace(Limits().scaled(1000), read=Rate.per_minute(5))
    with arena(tmp_path, limits=limits) as running:
        person = running.person()
        cookie = {"Cookie": f"turntile_session={person.cookies['turntile_session']}"}
        assert person.get("/me").status_code == 200
        assert person.delete("/sessions/current").status_code == 204
        last = [running.browser(**cookie).get("/me").status_code for _ in range(7)][-1]
        assert last == 429


# ------------------------------------------------------------------- races


def test_a_guest_who_asks_for_two_accounts_at_once_gets_one(here: Arena) -> None:
    for number in range(5):
        guest = here.browser()
        new_match(guest, "worms", ME, OPEN)
        names = [f"Twice {number} {which}" for which in "ab"]

        def ask(name: str, guest: httpx.Client = guest) -> int:
            cookies = {"Cookie": f"turntile_session={guest.cookies['turntile_session']}"}
            wish = {"name": name, "password": PASSWORD}
            return here.browser(**cookies).post("/accounts", json=wish).status_code

        with ThreadPoolExecutor(2) as threads:
            told = list(threads.map(ask, names))
        assert sorted(told)[0] == 201 and sorted(told)[1] in (401, 409), told
        assert here.browser().get(f"/players/{names[told.index(201)]}").status_code == 200


def test_of_two_processes_with_the_same_key_one_table_stays(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another process was quicker, its table is answered with, and ours is taken back."""
    person, answers = here.person(), here.store.answers
    keep = answers.keep
    theirs = new_match(person, "worms", ME, OPEN)

    async def come_second(answer: Any) -> bool:
        other = msgspec.json.decode(answer.body) | {"match": theirs}
        assert await keep(msgspec.structs.replace(answer, body=msgspec.json.encode(other)))
        return bool(await keep(answer))

    monkeypatch.setattr(answers, "keep", come_second)
    wish = {"game": "worms", "seats": [ME, ME]}
    told = person.post("/matches", json=wish, headers={"Idempotency-Key": "once"})
    assert told.status_code == 201 and told.json()["id"] == theirs
    name = name_of(person)
    going_on = [person.get("/matches", params={"status": which, "player": name}) for which in ("open", "playing")]
    assert [[match["id"] for match in one.json()["items"]] for one in going_on] == [[theirs], []]
