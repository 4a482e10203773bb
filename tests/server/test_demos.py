"""The short film of every game: there before anybody has played, the same at every call."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.arena import arena, sentence_of
from turntile.core.registry import games
from turntile.screens.svg import name_of
from turntile.server.api.demos import MOST_PICTURES


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with arena(tmp_path_factory.mktemp("demos")) as running, running.browser() as browser:
        yield browser


@pytest.mark.parametrize("name", list(games()))
def test_every_game_has_a_film_in_which_something_happens(client: httpx.Client, name: str) -> None:
    film = client.get(f"/games/{name}/film").json()
    frames = film["frames"]
    assert 10 < len(frames) <= MOST_PICTURES
    assert "size" in frames[0] and any(frame.get("sprites") or frame.get("ground") for frame in frames[1:])
    looks = games()[name].looks.looks
    assert set(film["symbols"]) <= {name_of(look, seat) for look in looks for seat in range(-1, 8)}


def test_a_browser_that_has_it_is_not_sent_it_again(client: httpx.Client) -> None:
    first = client.get("/games/tron/film")
    again = client.get("/games/tron/film", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_a_game_nobody_knows_has_none(client: httpx.Client) -> None:
    assert "chess" in sentence_of(client.get("/games/chess/film"), 404)
