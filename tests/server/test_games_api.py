"""Games over HTTP: everything a page needs to set up and draw a match of a game it has never heard of."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import httpx
import pytest

from tests.server.arena import arena, sentence_of
from turntile.core.registry import games
from turntile.screens.svg import name_of


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with arena(tmp_path_factory.mktemp("games")) as running, running.browser() as browser:
        yield browser


def test_all_games_are_told_with_options_and_levels(client: httpx.Client) -> None:
    told = {game["name"]: game for game in client.get("/games").json()["items"]}
    assert list(told) == list(games())
    for name, game in games().items():
        assert told[name]["title"] == game.title and told[name]["players"] == list(game.players)
        assert [option["name"] for option in told[name]["options"]] == list(game.options.__struct_fields__)
        assert told[name]["levels"][0]["level"] == "easy"
        assert client.get(f"/games/{name}").json() == told[name]


def test_an_option_says_how_it_can_be_asked_for(client: httpx.Client) -> None:
    options = {option["name"]: option for option in client.get("/games/tron").json()["options"]}
    assert (options["size"]["kind"], options["size"]["minimum"], options["size"]["maximum"]) == ("number", 5, 50)
    assert options["playon"]["kind"] == "bool"
    assert options["board"]["kind"] == "choice" and "arena" in options["board"]["values"]
    assert options["map"]["kind"] == "text"


@pytest.mark.parametrize("name", list(games()))
def test_the_symbols_are_one_svg_with_a_shape_for_each_look_and_seat(client: httpx.Client, name: str) -> None:
    told = client.get(f"/games/{name}/symbols.svg")
    assert told.headers["content-type"] == "image/svg+xml"
    ids = [symbol.get("id") for symbol in ElementTree.fromstring(told.text)]
    assert len(ids) == len(set(ids))
    for look in games()[name].looks.looks:
        assert {name_of(look, seat) for seat in range(-1, 8)} <= set(ids)
    assert {"mark-danger", "seat-0", "seat-7"} <= set(ids)
    assert "style=" not in told.text and "<script" not in told.text


@pytest.mark.parametrize("name", list(games()))
def test_looks_and_rules(client: httpx.Client, name: str) -> None:
    looks = client.get(f"/games/{name}/looks").json()
    assert set(looks["ground"].values()) <= set(looks["looks"])
    rules = client.get(f"/games/{name}/rules")
    assert rules.headers["content-type"].startswith("text/markdown") and rules.text.startswith("# ")


@pytest.mark.parametrize(
    "path", ["/games", "/games/tron", "/games/tron/looks", "/games/tron/symbols.svg", "/games/tron/rules"]
)
def test_what_the_browser_has_is_not_sent_again(client: httpx.Client, path: str) -> None:
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and again.content == b"" and again.headers["etag"] == first.headers["etag"]
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_game_nobody_has(client: httpx.Client) -> None:
    for part in ("", "/looks", "/symbols.svg", "/rules"):
        assert "did you mean tron" in sentence_of(client.get(f"/games/trom{part}"), 404)
