"""/api/v1/bots: whose bots are whose, what others see of them, and what is refused."""

from __future__ import annotations

import httpx
import pytest

from tests.server.arena import Arena, name_of, sentence_of
from tests.server.bots.conftest import bot_name, finished, tried, upload

CODE = "def bot(o):\n    print('my secret is 42')\n    return o.legal[0]\n"


def test_a_bot_is_registered_looked_at_changed_and_deleted(running: Arena) -> None:
    owner = running.person()
    name = bot_name()
    told = owner.post("/bots", json={"name": name, "kind": "remote", "game": "tron", "about": "fast"})
    assert told.status_code == 201, told.text
    bot = told.json()
    assert bot["owner"] == name_of(owner) and bot["mine"] and bot["enabled"] and bot["version"] == 1
    assert bot["online"] is False and bot["about"] == "fast" and bot["game"] == "tron"
    assert [one["name"] for one in owner.get("/bots").json()["items"]] == [name]
    assert name in [one["name"] for one in running.browser().get("/bots?game=tron").json()["items"]]
    assert name not in [one["name"] for one in running.browser().get("/bots?game=worms").json()["items"]]
    changed = owner.patch(f"/bots/{name}", json={"enabled": False, "about": "slow", "game": ""}).json()
    assert (changed["enabled"], changed["about"], changed["game"]) == (False, "slow", "")
    assert name not in [one["name"] for one in running.browser().get("/bots?game=tron").json()["items"]]
    told = owner.post("/matches", json={"game": "tron", "seats": [{"kind": "me"}, {"kind": "bot", "bot": f"@{name}"}]})
    assert sentence_of(told, 422)
    assert owner.delete(f"/bots/{name}").status_code == 204
    assert "no bot" in sentence_of(owner.get(f"/bots/{name}"), 404)
    assert owner.get("/bots").json()["items"] == []
    taken = owner.post("/bots", json={"name": name, "kind": "remote"})
    assert "taken" in sentence_of(taken, 409)


def test_a_bots_log_address_and_file_are_its_owners(running: Arena, owner: httpx.Client) -> None:
    name = upload(owner, CODE, file="clever.py")
    tried(owner, name)
    mine = owner.get(f"/bots/{name}").json()
    assert mine["log"] == ["my secret is 42"] * len(mine["log"]) and mine["file_name"] == "clever.py"
    stranger = running.person()
    for other in (stranger, running.browser(), running.program("play", owner=owner)):
        seen = other.get(f"/bots/{name}").json()
        assert seen["log"] is None and seen["file_name"] is None and seen["address"] is None and not seen["mine"]
    for method, path, body in (
        ("PATCH", f"/bots/{name}", {"enabled": False}),
        ("DELETE", f"/bots/{name}", None),
        ("POST", f"/bots/{name}/test", {}),
        ("GET", f"/bots/{name}/test", None),
        ("GET", f"/bots/{name}/tokens", None),
        ("POST", f"/bots/{name}/tokens", {}),
        ("DELETE", f"/bots/{name}/tokens/1", None),
    ):
        assert "somebody else's" in sentence_of(stranger.request(method, path, json=body), 403)
        assert sentence_of(running.browser().request(method, path, json=body), 401)
    told = stranger.post(f"/bots/{name}/file", files={"file": ("bot.py", "x = 1")})
    assert "somebody else's" in sentence_of(told, 403)


def test_a_deleted_bot_gives_up_its_matches(running: Arena, owner: httpx.Client) -> None:
    name = upload(owner, CODE, game="tron")
    person = running.browser()
    wish = {"game": "tron", "clock": "600s", "seats": [{"kind": "me"}, {"kind": "bot", "bot": f"@{name}"}]}
    match = person.post("/matches", json=wish).json()
    assert owner.delete(f"/bots/{name}").status_code == 204
    outcome = finished(person, match["id"])["outcome"]
    assert outcome["places"] == [1, 2] and "deleted" in outcome["reason"]


def test_bots_belong_to_accounts(running: Arena) -> None:
    guest = running.browser()
    guest.post("/matches", json={"game": "tron", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert "accounts" in sentence_of(guest.post("/bots", json={"name": bot_name(), "kind": "remote"}), 403)
    player = running.program("play")
    assert "scope bots" in sentence_of(player.post("/bots", json={"name": bot_name(), "kind": "remote"}), 403)
    manager = running.program("bots")
    assert manager.post("/bots", json={"name": bot_name(), "kind": "remote"}).status_code == 201


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"name": "x", "kind": "remote"},
        {"name": "Tron hard", "kind": "remote"},
        {"name": "admin", "kind": "remote"},
        {"name": "a\u0000b", "kind": "remote"},
        {"name": "Upload by JSON", "kind": "upload"},
        {"name": "Fine", "kind": "remote", "more": 1},
        {"name": 7, "kind": "remote"},
    ],
)
def test_what_is_no_bot_is_refused(running: Arena, owner: httpx.Client, wish: dict[str, object]) -> None:
    assert sentence_of(owner.post("/bots", json=wish), 422)


def test_unknown_games_bodies_and_forms_are_refused(running: Arena, owner: httpx.Client) -> None:
    assert sentence_of(owner.post("/bots", json={"name": bot_name(), "kind": "remote", "game": "chess"}), 404)
    assert sentence_of(owner.get("/bots?game=chess"), 404)
    assert sentence_of(owner.post("/bots", content=b"{"), 422)
    form = {"Content-Type": "multipart/form-data"}
    assert "form" in sentence_of(owner.post("/bots", content=b"what", headers=form), 422)
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    assert sentence_of(owner.post("/bots", content=b"--x\r\nwhat", headers=broken), 422)
    assert "no file" in sentence_of(owner.post("/bots", data={"name": "x"}, files={"other": ("bot.py", CODE)}), 422)
    assert "name" in sentence_of(owner.post("/bots", files={"file": ("bot.py", CODE)}), 422)
    name = bot_name()
    owner.post("/bots", json={"name": name, "kind": "remote"})
    assert "only uploaded" in sentence_of(owner.post(f"/bots/{name}/file", files={"file": ("b.py", CODE)}), 422)
    assert "no address" in sentence_of(owner.patch(f"/bots/{name}", json={"address": "http://x.example"}), 422)
    uploaded = upload(owner, CODE)
    assert "needs no token" in sentence_of(owner.post(f"/bots/{uploaded}/tokens", json={}), 422)
    assert sentence_of(owner.post(f"/bots/{uploaded}/test", json={"game": "chess"}), 404)
    assert sentence_of(owner.post(f"/bots/{uploaded}/test", json={"level": "godlike"}), 422)
    assert "no token" in sentence_of(owner.delete(f"/bots/{uploaded}/tokens/99999"), 404)


def test_an_account_has_only_so_many_bots(running: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turntile.server.bots.registry.MOST_BOTS", 2)
    owner = running.person()
    for _ in range(2):
        assert owner.post("/bots", json={"name": bot_name(), "kind": "remote"}).status_code == 201
    assert "2 bots" in sentence_of(owner.post("/bots", json={"name": bot_name(), "kind": "remote"}), 422)


def test_one_trial_at_a_time(running: Arena, owner: httpx.Client) -> None:
    name = bot_name()
    owner.post("/bots", json={"name": name, "kind": "remote"})
    assert owner.get(f"/bots/{name}/test").json()["state"] == "none"
    started = owner.post(f"/bots/{name}/test")
    assert started.status_code == 202 and started.json()["state"] == "waiting"
    assert "going on" in sentence_of(owner.post(f"/bots/{name}/test"), 409)
