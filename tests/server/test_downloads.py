"""Replays, films, GIFs and pages of matches that are over."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.server.arena import Arena, arena, sentence_of
from turntile.core.registry import find
from turntile.match.film import make_film
from turntile.match.replay import read_replay, verify
from turntile.screens.html import pack
from turntile.screens.pictures import pictures_of


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("downloads")) as running:
        yield running


@pytest.fixture(scope="module")
def match(hall: Arena) -> str:
    """Bots have fought, and it is over."""
    bots = [{"kind": "bot", "bot": "easy"}, {"kind": "bot", "bot": "random"}]
    client = hall.person()
    made = client.post("/matches", json={"game": "tron", "seats": bots, "options": {"size": 9}, "listed": False})
    assert made.status_code == 201, made.text
    match_id: str = made.json()["id"]
    table = hall.app.state.hall.tables.get(match_id)
    if table is not None:
        hall.wait(table.settled())
    assert client.get(f"/matches/{match_id}").json()["status"] == "over"
    return match_id


def test_the_replay_proves_itself(hall: Arena, match: str) -> None:
    client = hall.browser()
    plain = client.get(f"/matches/{match}/replay")
    assert plain.status_code == 200 and plain.headers["content-type"].startswith("application/jsonl")
    assert f'filename="turntile-{match}.jsonl"' in plain.headers["content-disposition"]
    packed = client.get(f"/matches/{match}/replay?packed=1")
    assert packed.headers["content-type"] == "application/zstd" and packed.content[:4] == b"\x28\xb5\x2f\xfd"
    for data in (plain.content, packed.content):
        replay = read_replay(data)
        assert verify(replay, find("tron")).over
    assert json.loads(plain.text.splitlines()[0])["game"] == "tron"
    assert len(packed.content) < len(plain.content)


@pytest.mark.parametrize("seat", [None, 1])
def test_the_film_is_what_the_viewer_packs(hall: Arena, match: str, seat: int | None) -> None:
    client = hall.browser()
    told = client.get(f"/matches/{match}/film", params={} if seat is None else {"seat": seat})
    assert told.status_code == 200 and told.headers["content-type"] == "application/json"
    film = told.json()
    replay = read_replay(client.get(f"/matches/{match}/replay").content)
    made = make_film(replay, find("tron"), seat)
    packed = pack(pictures_of(made), made.looks)
    assert film["frames"] == json.loads(json.dumps(packed["frames"]))
    assert film["symbols"] == packed["symbols"]
    assert film["seat"] == seat and film["game"] == "tron" and len(film["players"]) == 2


def test_a_browser_gets_it_packed_and_once(hall: Arena, match: str) -> None:
    client = hall.browser()
    plain = client.get(f"/matches/{match}/film", headers={"Accept-Encoding": "identity"})
    packed = client.get(f"/matches/{match}/film", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers and packed.headers["content-encoding"] == "gzip"
    assert plain.content == packed.content  # httpx has unpacked it
    again = client.get(f"/matches/{match}/film", headers={"If-None-Match": plain.headers["etag"]})
    assert again.status_code == 304 and again.content == b""
    other = client.get(f"/matches/{match}/film?seat=0", headers={"If-None-Match": plain.headers["etag"]})
    assert other.status_code == 200, "other eyes are another film"


def test_a_gif_and_a_page_to_keep(hall: Arena, match: str) -> None:
    client = hall.browser()
    gif = client.get(f"/matches/{match}/replay.gif")
    assert gif.content.startswith(b"GIF89a") and gif.headers["content-type"] == "image/gif"
    assert "attachment" in gif.headers["content-disposition"]
    page = client.get(f"/matches/{match}/replay.html")
    assert page.text.startswith("<!doctype html>") or page.text.startswith("<!DOCTYPE html>")
    assert "attachment" in page.headers["content-disposition"], "it must not run as a page of this site"
    assert client.get(f"/matches/{match}/replay.gif").content == gif.content


def test_positions(hall: Arena, match: str) -> None:
    client = hall.browser()
    start = client.get(f"/matches/{match}/position").json()
    later = client.get(f"/matches/{match}/position?step=2").json()
    assert start["step"] == 0 and later["step"] == 2 and start["text"] != later["text"]
    assert find("tron").read_position(later["text"])
    assert "no step" in sentence_of(client.get(f"/matches/{match}/position?step=9999"), 422)


def test_eyes_that_are_not_there(hall: Arena, match: str) -> None:
    assert "no seat 7" in sentence_of(hall.browser().get(f"/matches/{match}/film?seat=7"), 422)
    assert "seat" in sentence_of(hall.browser().get(f"/matches/{match}/film?seat=-1"), 422)


@pytest.mark.parametrize(
    "what", ["replay", "replay?packed=1", "film", "film?seat=0", "replay.gif", "replay.html", "position"]
)
def test_nothing_is_told_of_a_match_that_goes_on(hall: Arena, what: str) -> None:
    """Else a player of a hidden game would read what the others know."""
    person = hall.person()
    seats = [{"kind": "me"}, {"kind": "me", "name": "other"}]
    match = person.post("/matches", json={"game": "robots", "seats": seats}).json()
    assert match["status"] == "playing"
    assert "not over" in sentence_of(person.get(f"/matches/{match['id']}/{what}"), 409)
    assert "no match" in sentence_of(person.get(f"/matches/nosuchone1/{what}"), 404)


def test_a_worker_that_dies_is_replaced(hall: Arena, match: str) -> None:
    client = hall.browser()
    assert client.get(f"/matches/{match}/film").status_code == 200
    studio = hall.app.state.studio
    for worker in studio.idle:
        worker.process.kill()
        hall.wait(worker.process.wait())
    studio.kept.clear()
    assert client.get(f"/matches/{match}/film").status_code == 200
