"""Tokens: what a program may do, and how it is stopped."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.arena import Arena, arena, name_of, sentence_of


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("tokens")) as running:
        yield running


def test_the_secret_is_told_once(hall: Arena) -> None:
    person = hall.person()
    made = person.post("/tokens", json={"label": " my  bot ", "scopes": ["play", "challenge", "play"]})
    assert made.status_code == 201
    token = made.json()
    assert token["secret"].startswith("tt_") and len(token["secret"]) == 46
    assert token["label"] == "my bot" and token["scopes"] == ["challenge", "play"]
    [listed] = person.get("/tokens").json()["items"]
    assert "secret" not in listed and token["secret"] not in str(listed)
    assert listed["id"] == token["id"] and listed["last_used"] is None


def test_a_token_acts_for_its_owner_within_its_scopes(hall: Arena) -> None:
    person = hall.person("Token Owner")
    program = hall.program("play", owner=person)
    told = program.get("/me").json()
    assert told["player"]["name"] == "Token Owner" and told["scopes"] == ["play"]
    refused = program.post("/matches", json={"game": "tron"})
    assert "challenge" in sentence_of(refused, 403) and refused.json()["key"] == "SCOPE"
    assert person.get("/tokens").json()["items"][0]["last_used"] is not None


def test_a_token_cannot_make_tokens_or_change_passwords(hall: Arena) -> None:
    program = hall.program("play", "challenge", "bots", "publish")
    assert sentence_of(program.get("/tokens"), 403)
    assert sentence_of(program.post("/tokens", json={"label": "x", "scopes": ["play"]}), 403)
    assert sentence_of(program.patch("/me", json={"about": "x"}), 403)
    assert sentence_of(program.post("/accounts", json={"name": "New One", "password": "a long password"}), 403)


def test_a_revoked_token_does_not_hold(hall: Arena) -> None:
    person = hall.person()
    program = hall.program("play", owner=person)
    [token] = person.get("/tokens").json()["items"]
    assert person.delete(f"/tokens/{token['id']}").status_code == 204
    refused = program.get("/me")
    assert "revoked" in sentence_of(refused, 401)
    assert refused.headers["www-authenticate"].startswith("Bearer")
    assert "no token" in sentence_of(person.delete(f"/tokens/{token['id']}"), 404)
    assert person.get("/tokens").json()["items"] == []


def test_other_peoples_tokens_are_not_there(hall: Arena) -> None:
    owner, stranger = hall.person(), hall.person()
    program = hall.program("play", owner=owner)
    [token] = owner.get("/tokens").json()["items"]
    assert sentence_of(stranger.delete(f"/tokens/{token['id']}"), 404)
    assert stranger.get("/tokens").json()["items"] == []
    assert name_of(program) == name_of(owner), "it must still hold"


@pytest.mark.parametrize("given", ["Bearer nonsense", "Bearer tt_" + "x" * 43, "Basic dXNlcjpwdw==", "tt_x", "Bearer"])
def test_what_is_no_token_is_refused_not_ignored(hall: Arena, given: str) -> None:
    """Else a bot with a mistyped token would play as a new guest each time."""
    told = httpx.get(f"{hall.url}/api/v1/me", headers={"Authorization": given}, trust_env=False)
    assert sentence_of(told, 401)


@pytest.mark.parametrize(
    "wish",
    [
        {"label": "x", "scopes": []},
        {"label": "x", "scopes": ["everything"]},
        {"label": "", "scopes": ["play"]},
        {"label": "x" * 61, "scopes": ["play"]},
        {"label": "x", "scopes": ["play"], "more": 1},
        {"label": "x"},
    ],
)
def test_wishes_that_make_no_token(hall: Arena, wish: dict[str, object]) -> None:
    assert sentence_of(hall.person().post("/tokens", json=wish), 422)


def test_there_is_an_end_to_tokens(hall: Arena) -> None:
    person = hall.person()
    for number in range(50):
        assert person.post("/tokens", json={"label": str(number), "scopes": ["play"]}).status_code == 201
    assert "50 tokens" in sentence_of(person.post("/tokens", json={"label": "51", "scopes": ["play"]}), 422)
