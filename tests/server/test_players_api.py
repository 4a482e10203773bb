"""Players over HTTP: leaders, one player, his curve and his matches."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.server.arena import PASSWORD, Arena, arena, sentence_of
from turntile.store.rows import NewRating, RatingRow


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("players")) as running:
        for number, name in enumerate(("Ada", "Bo", "Cy")):
            running.person(name)
            for match in range(3):
                rate(running, name, f"match{number}{match}", 1500.0 + 100 * number + 10 * match)
        yield running


def rate(hall: Arena, name: str, match: str, rating: float) -> None:
    def judge(before: Sequence[RatingRow | None]) -> list[NewRating]:
        return [NewRating(25.0, 8.0, rating, 80.0)]

    player = hall.wait(hall.store.players.by_name(name))
    hall.wait(hall.store.ratings.rate(match, "tron", [player.id], time.time(), judge))


def test_the_strongest_come_first_in_pages(hall: Arena) -> None:
    client = hall.browser()
    first = client.get("/players?game=tron&limit=2").json()
    assert [(one["place"], one["player"]["name"], one["rating"]) for one in first["items"]] == [
        (1, "Cy", 1720.0),
        (2, "Bo", 1620.0),
    ]
    rest = client.get("/players", params={"game": "tron", "limit": 2, "cursor": first["next"], "after": 2}).json()
    assert [(one["place"], one["player"]["name"]) for one in rest["items"]] == [(3, "Ada")] and rest["next"] is None
    assert client.get("/players?game=worms").json()["items"] == []
    assert "no game" in sentence_of(client.get("/players?game=go"), 404)
    assert "game" in sentence_of(client.get("/players"), 422)


def test_one_player_and_his_curve(hall: Arena) -> None:
    client = hall.browser()
    told = client.get("/players/ada").json()
    assert told["player"]["name"] == "Ada" and told["player"]["kind"] == "person"
    assert told["ratings"] == [{"game": "tron", "rating": 1520.0, "deviation": 80.0, "matches": 3}]
    curve = client.get("/players/Ada/curve?game=tron").json()["items"]
    assert [point["rating"] for point in curve] == [1500.0, 1510.0, 1520.0]
    assert curve[0]["match"] == "match00" and curve[0]["at"].endswith("Z")
    assert client.get("/players/Ada/curve?game=worms").json()["items"] == []


def test_nothing_private_is_told(hall: Arena) -> None:
    text = hall.browser().get("/players/Ada").text
    assert "password" not in text and "hash" not in text and '"id"' not in text


def test_somebody_nobody_knows(hall: Arena) -> None:
    for path in ("", "/curve?game=tron", "/matches"):
        assert "nobody here is called 'Zed'" in sentence_of(hall.browser().get(f"/players/Zed{path}"), 404)


def test_a_players_matches(hall: Arena) -> None:
    person = hall.person("Dee")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
    shown = person.post("/matches", json={"game": "racers", "seats": seats}).json()["id"]
    hidden = person.post("/matches", json={"game": "racers", "seats": seats, "listed": False}).json()["id"]
    person.post(f"/matches/{shown}/resign")
    assert {match["id"] for match in person.get("/players/Dee/matches").json()["items"]} == {shown, hidden}
    [told] = hall.browser().get("/players/Dee/matches").json()["items"]
    assert told["id"] == shown and told["status"] == "over" and told["seed"]
    assert hall.browser().get("/players/Dee/matches?game=tron").json()["items"] == []


def test_the_same_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    """Accounts, tokens, a match and a list, on the other database."""
    with arena(tmp_path, db=postgres_url) as running:
        person = running.person("Gres")
        running.person("Other One")
        program = running.program("play", "challenge", owner=person)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
        match = program.post(
            "/matches", json={"game": "racers", "seats": seats}, headers={"Idempotency-Key": "k"}
        ).json()
        again = program.post(
            "/matches", json={"game": "racers", "seats": seats}, headers={"Idempotency-Key": "k"}
        ).json()
        assert match["id"] == again["id"]
        assert program.post(f"/matches/{match['id']}/resign").json()["status"] == "over"
        [listed] = running.browser().get("/matches?status=over").json()["items"]
        assert listed["id"] == match["id"]
        assert running.browser().get(f"/matches/{match['id']}/film").json()["game"] == "racers"
        taken = running.browser().post("/accounts", json={"name": "gres", "password": PASSWORD})
        assert "taken" in sentence_of(taken, 409)
        rate(running, "Gres", match["id"], 1600.0)
        assert running.browser().get("/players?game=tron").json()["items"][0]["player"]["name"] == "Gres"
