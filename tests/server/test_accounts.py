"""Accounts, sessions and guests."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.server.arena import PASSWORD, QUICK, Arena, arena, name_of, sentence_of
from turntile.server.names import InvalidName, clean_name
from turntile.server.passwords import Passwords
from turntile.server.problems import Problem


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("accounts")) as running:
        yield running


def against_a_bot(client: httpx.Client) -> httpx.Response:
    wish = {"game": "tron", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "easy"}], "listed": False}
    return client.post("/matches", json=wish)


def test_nobody_is_nobody(hall: Arena) -> None:
    client = hall.browser()
    assert client.get("/me").json() == {"player": None, "scopes": None}
    assert not client.cookies


def test_the_first_match_makes_a_guest_who_stays_the_same(hall: Arena) -> None:
    client = hall.browser()
    made = against_a_bot(client)
    assert made.status_code == 201, made.text
    me = client.get("/me").json()["player"]
    assert me["kind"] == "guest" and me["name"].startswith("Guest ")
    assert made.json()["seats"][0]["player"] == me["name"] and made.json()["seats"][0]["mine"]
    against_a_bot(client)
    assert name_of(client) == me["name"]


def test_the_cookie_cannot_be_read_by_scripts_nor_sent_by_other_sites(hall: Arena) -> None:
    cookie = against_a_bot(hall.browser()).headers["set-cookie"]
    assert cookie.startswith("turntile_session=")
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie
    assert "Secure" not in cookie  # plain http on this machine


def test_the_cookie_is_secure_behind_https(tmp_path: Path) -> None:
    with arena(tmp_path, public_url="https://arena.example") as running:
        client = running.browser(Origin="https://arena.example")
        told = client.post("/accounts", json={"name": "Ada", "password": PASSWORD})
        assert told.status_code == 201
        assert "; Secure" in told.headers["set-cookie"]


def test_a_guest_becomes_an_account_and_keeps_his_matches(hall: Arena) -> None:
    client = hall.browser()
    match = against_a_bot(client).json()["id"]
    before = client.cookies["turntile_session"]
    told = client.post("/accounts", json={"name": "Kept Matches", "password": PASSWORD})
    assert told.status_code == 201 and told.json()["player"]["kind"] == "person"
    assert client.get(f"/matches/{match}").json()["seats"][0]["player"] == "Kept Matches"
    old = httpx.Client(base_url=client.base_url, cookies={"turntile_session": before}, trust_env=False)
    assert old.get("/me").json()["player"] is None, "the guest's secret must not open the account"


def test_log_in_and_out(hall: Arena) -> None:
    hall.person("Comes Again")
    client = hall.browser()
    told = client.post("/sessions", json={"name": "comes  AGAIN", "password": PASSWORD})
    assert told.status_code == 201 and told.json()["player"]["name"] == "Comes Again"
    secret = client.cookies["turntile_session"]
    assert client.delete("/sessions/current").status_code == 204
    assert client.get("/me").json()["player"] is None
    again = httpx.Client(base_url=client.base_url, cookies={"turntile_session": secret}, trust_env=False)
    assert again.get("/me").json()["player"] is None, "the session must be gone, not only the cookie"


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(hall: Arena) -> None:
    hall.person("Real Person")
    wrong = hall.browser().post("/sessions", json={"name": "Real Person", "password": "something else"})
    unknown = hall.browser().post("/sessions", json={"name": "No Person", "password": "something else"})
    guest = hall.browser()
    against_a_bot(guest)
    unprotected = hall.browser().post("/sessions", json={"name": name_of(guest), "password": "something else"})
    sentences = {sentence_of(told, 401) for told in (wrong, unknown, unprotected)}
    assert len(sentences) == 1
    assert {told.json().get("key") for told in (wrong, unknown, unprotected)} == {"LOGIN"}


def test_an_unknown_name_takes_as_long_as_a_wrong_password(hall: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """As much is hashed for both; a clock would tell little on a busy machine."""
    hall.person("Takes Long")
    passwords = hall.app.state.passwords
    hashed: list[str] = []
    verify = passwords.verify

    def counted(known: str, password: str) -> bool:
        hashed.append(known)
        return bool(verify(known, password))

    monkeypatch.setattr(passwords, "verify", counted)
    for name in ("Takes Long", "Not Anybody"):
        assert hall.browser().post("/sessions", json={"name": name, "password": "wrong"}).status_code == 401
    assert len(hashed) == 2
    cost = [known.rpartition("$")[0].rpartition("$")[0] for known in hashed]
    assert cost[0] == cost[1] and "m=256,t=1" in cost[0]


def test_no_more_passwords_are_hashed_at_once_than_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    passwords = Passwords(replace(QUICK, hashing_at_once=2))
    at_once, most, lock = 0, 0, threading.Lock()

    def slowly(known: str, password: str) -> bool:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.02)
        with lock:
            at_once -= 1
        return True

    monkeypatch.setattr(passwords, "verify", slowly)

    async def crowd() -> list[bool]:
        return await asyncio.gather(*(passwords.fits("hash", "password") for _ in range(10)))

    assert asyncio.run(crowd()) == [True] * 10
    assert most == 2
    passwords.waiting = 100
    with pytest.raises(Problem, match="too many people"):
        asyncio.run(passwords.fits("hash", "password"))
    passwords.close()


def test_a_name_is_somebodys_once(hall: Arena) -> None:
    hall.person("Ärger")
    for spelling in ("Ärger", "ärger", "ÄRGER", "A\u0308rger", "Ａ\u0308rger"):
        told = hall.browser().post("/accounts", json={"name": spelling, "password": PASSWORD})
        assert "taken" in sentence_of(told, 409)


def test_who_is_logged_in_makes_no_second_account(hall: Arena) -> None:
    client = hall.person()
    assert "log out" in sentence_of(client.post("/accounts", json={"name": "Another", "password": PASSWORD}), 409)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("A", "2 to 24"),
        ("A" * 25, "2 to 24"),
        ("<script>", "cannot be in a name"),
        ("a\u202eb", "cannot be in a name"),
        ("a\x00b", "cannot be in a name"),
        ("--", "letter or a digit"),
        ("a\u0301\u0301\u0301\u0301", "marks"),
        ("Admin", "kept for the arena"),
        ("guest ABCD", "kept for the arena"),
        ("Tron Hard", "kept for the arena"),
        ("tron_hard", "kept for the arena"),
        ("hard", "kept for the arena"),
    ],
)
def test_names_nobody_may_bear(name: str, why: str) -> None:
    with pytest.raises(InvalidName, match=why):
        clean_name(name)


@pytest.mark.parametrize("name", ["Ada", "Jean-Luc 2", "Ωmega", "小林", "snake_case", "Hard Luck", "Adminis Tron"])
def test_names_anybody_may_bear(name: str) -> None:
    assert clean_name(f" {name} ") == name


@pytest.mark.parametrize("password", ["seven77", "x" * 12, "password name", "p" * 300])
def test_passwords_that_protect_nothing_are_refused(hall: Arena, password: str) -> None:
    name = "Password Name"
    sentence = sentence_of(hall.browser().post("/accounts", json={"name": name, "password": password}), 422)
    assert password not in sentence


def test_only_hashes_of_secrets_are_kept(tmp_path: Path) -> None:
    with arena(tmp_path) as running:
        client = running.person("Keeper")
        token = client.post("/tokens", json={"label": "x", "scopes": ["play"]}).json()["secret"]
        session = client.cookies["turntile_session"]
    kept = "\n".join(sqlite3.connect(tmp_path / "arena.db").iterdump())
    assert "Keeper" in kept and "$argon2id$" in kept
    for secret in (PASSWORD, token, session):
        assert secret not in kept


def test_a_new_password_ends_all_other_sessions(hall: Arena) -> None:
    here = hall.person("Two Places")
    there = hall.browser()
    assert there.post("/sessions", json={"name": "Two Places", "password": PASSWORD}).status_code == 201
    wrong = here.patch("/me", json={"password": {"old": "not this", "new": "another long walk"}})
    assert "nothing was changed" in sentence_of(wrong, 403)
    assert here.patch("/me", json={"password": {"old": PASSWORD, "new": "another long walk"}}).status_code == 200
    assert name_of(here) == "Two Places"
    assert there.get("/me").json()["player"] is None
    assert hall.browser().post("/sessions", json={"name": "Two Places", "password": PASSWORD}).status_code == 401


def test_about_is_text_whatever_it_holds(hall: Arena) -> None:
    client = hall.person("About Me")
    script = '<script>alert(1)</script> & "quotes"'
    assert client.patch("/me", json={"about": script}).json()["player"]["about"] == script
    shown = hall.browser().get("/players/About Me")
    assert shown.headers["content-type"] == "application/json"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert shown.json()["player"]["about"] == script


def test_guests_have_no_password_and_no_tokens(hall: Arena) -> None:
    guest = hall.browser()
    against_a_bot(guest)
    assert "account" in sentence_of(guest.patch("/me", json={"about": "x"}), 403)
    assert "account" in sentence_of(guest.post("/tokens", json={"label": "x", "scopes": ["play"]}), 403)
    assert sentence_of(hall.browser().get("/tokens"), 401)


def test_a_disabled_account_is_nobody(hall: Arena) -> None:
    client = hall.person("Goes Away")
    player = hall.wait(hall.store.players.by_name("Goes Away"))
    hall.wait(hall.store.players.set_disabled(player.id, True))
    assert client.get("/me").json()["player"] is None
    assert hall.browser().post("/sessions", json={"name": "Goes Away", "password": PASSWORD}).status_code == 401
