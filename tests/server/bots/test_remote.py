"""Bots behind NAT: whole matches over streams of JSON lines, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Any

import httpx
import pytest

from tests.server.arena import Arena, arena, sentence_of
from tests.server.bots.conftest import bot_name, finished, tried, wait_until
from turntile.core.registry import find
from turntile.match.replay import read_replay, verify
from turntile.server.bots.streams import MOST_STATES, MOST_STREAMS, GameStream
from turntile.server.settings import Limits, Rate

EXAMPLE = Path(__file__).parents[3] / "examples" / "bots" / "remote_bot.py"


class Remote:
    """A remote bot of the owner's, and a program with its token."""

    def __init__(self, running: Arena, owner: httpx.Client, *scopes: str, game: str = "") -> None:
        self.name = bot_name()
        told = owner.post("/bots", json={"name": self.name, "kind": "remote", "game": game})
        assert told.status_code == 201, told.text
        wish = {"label": "test", "scopes": list(scopes) or ["play", "challenge"]}
        told = owner.post(f"/bots/{self.name}/tokens", json=wish)
        assert told.status_code == 201, told.text
        self.token = told.json()["secret"]
        self.client = httpx.Client(
            base_url=running.url,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=30,
            trust_env=False,
            verify=False,
        )

    @contextmanager
    def stream(self, path: str) -> Iterator[Stream]:
        with self.client.stream("GET", path) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"] == "application/x-ndjson"
            yield Stream(answer)


class Stream:
    """The messages of a stream as they come; what is blank is counted."""

    def __init__(self, answer: httpx.Response) -> None:
        self.blank = 0
        self.queue: Queue[Any] = Queue()
        threading.Thread(target=self.read, args=(answer,), daemon=True).start()

    def read(self, answer: httpx.Response) -> None:
        try:
            for line in answer.iter_lines():
                if line.strip():
                    self.queue.put(json.loads(line))
                else:
                    self.blank += 1
        except (httpx.HTTPError, httpx.StreamError):
            pass
        self.queue.put(None)

    def next(self, *kinds: str) -> Any:
        """The next message of these kinds; None at the end."""
        while True:
            message = self.queue.get(timeout=30)
            if message is None or not kinds or message["type"] in kinds:
                return message


def invite(person: httpx.Client, bot: Remote, game: str = "tron", **more: Any) -> dict[str, Any]:
    seats = more.pop("seats", [{"kind": "me"}, {"kind": "bot", "bot": f"@{bot.name}"}])
    told = person.post("/matches", json={"game": game, "seats": seats, **more})
    assert told.status_code == 201, told.text
    match: dict[str, Any] = told.json()
    return match


def test_a_program_plays_whole_matches(running: Arena, owner: httpx.Client) -> None:
    """The example bot as a process of its own, challenged twice, at two games."""
    bot = Remote(running, owner)
    program = subprocess.Popen(
        [sys.executable, str(EXAMPLE), running.url],
        env={**os.environ, "TURNTILE_TOKEN": bot.token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(lambda: owner.get(f"/bots/{bot.name}").json()["online"])
        for game in ("tron", "racers"):
            trial = tried(owner, bot.name, game=game)
            assert trial["state"] == "over", trial
            replay = owner.get(f"/matches/{trial['match']}/replay").content
            assert verify(read_replay(replay), find(game)).over
    finally:
        program.terminate()
        told, complaints = program.communicate(timeout=10)
    assert trial["match"] in told
    assert "Traceback" not in complaints, complaints


def test_a_challenge_is_accepted_and_played(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    person = running.browser()
    with bot.stream("/api/stream/event") as events:
        wait_until(lambda: events.blank)  # it is kept alive
        match = invite(person, bot, options={"size": 11, "players": 2}, clock="20s")
        assert match["status"] == "open"
        challenge = events.next("challenge")["challenge"]
        assert challenge["id"] == match["id"] and challenge["game"] == "tron" and challenge["seat"] == 1
        assert bot.client.post(f"/api/challenge/{match['id']}/accept").json() == {"ok": True}
        assert events.next("gameStart")["game"]["id"] == match["id"]
        with bot.stream(f"/api/bot/game/stream/{match['id']}") as game:
            full = game.next("gameFull")
            assert full["seat"] == 1 and full["game"] == "tron" and full["options"]["size"] == 11
            state = full["state"]
            assert state["step"] == 0 and state["my_turn"] and "straight" in state["legal"]
            assert state["view"]["seat"] == 1
            told = bot.client.post(f"/api/bot/game/{match['id']}/move/straight?seq=1&step=0").json()
            assert told["ok"] and told["seq"] == 1 and not told["repeated"]
            again = bot.client.post(f"/api/bot/game/{match['id']}/move/straight?seq=1&step=0").json()
            assert again["repeated"], "sent twice, it counts once"
            second = bot.client.post(f"/api/bot/game/{match['id']}/move/straight")
            assert "has chosen" in sentence_of(second, 409)
            person.post(f"/matches/{match['id']}/act", json={"seat": 0, "seq": 1, "text": "straight"})
            state = game.next("gameState")
            while state["step"] == 0:
                state = game.next("gameState")
            assert state["step"] == 1 and state["next_seq"] == 2
            late = bot.client.post(f"/api/bot/game/{match['id']}/move/straight?step=0")
            assert "gone on" in sentence_of(late, 409)
            assert bot.client.post(f"/api/bot/game/{match['id']}/resign").json() == {"ok": True}
            state = game.next("gameState")
            assert state["status"] == "over" and state["outcome"]["places"] == [1, 2]
            assert game.next() is None, "the stream ends with the match"
        assert events.next("gameFinish")["game"]["status"] == "over"
    with bot.stream(f"/api/bot/game/stream/{match['id']}") as game:
        full = game.next("gameFull")
        assert full["status"] == "over" and full["state"]["outcome"]["places"] == [1, 2]
        assert game.next() is None


def test_a_stream_begins_with_all_that_is_going_on(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    person = running.browser()
    running_match = invite(person, bot)
    assert bot.client.post(f"/api/challenge/{running_match['id']}/accept").status_code == 200
    waiting = invite(person, bot)
    with bot.stream("/api/stream/event") as events:
        told = {events.next()["type"]: True for _ in range(2)}
        assert told == {"gameStart": True, "challenge": True}
    assert bot.client.post(f"/api/challenge/{waiting['id']}/decline").status_code == 200
    assert bot.client.post(f"/api/bot/game/{running_match['id']}/abort").status_code == 200
    info = finished(person, running_match["id"])
    assert info["outcome"]["places"] == [1, 2] and "aborted" in info["outcome"]["reason"]


def test_a_declined_challenge_frees_the_seat(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    person = running.browser()
    match = invite(person, bot)
    other = running.browser()
    told = other.post(f"/matches/{match['id']}/join", json={"seat": 1})
    assert "kept for" in sentence_of(told, 422)
    assert bot.client.post(f"/api/challenge/{match['id']}/decline").json() == {"ok": True}
    assert other.post(f"/matches/{match['id']}/join", json={"seat": 1}).status_code == 200
    assert "no challenge" in sentence_of(bot.client.post(f"/api/challenge/{match['id']}/accept"), 404)
    person.post(f"/matches/{match['id']}/resign", json={"seat": 0})


def test_a_challenge_without_an_answer_is_declined(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    person = running.browser()
    with bot.stream("/api/stream/event") as events:
        match = invite(person, bot)
        assert events.next("challenge")
        assert events.next("challengeCanceled")["challenge"]["id"] == match["id"]
    seat = person.get(f"/matches/{match['id']}").json()["seats"][1]
    assert seat["kind"] == "open" and seat["player"] is None
    trial = tried(owner, bot.name)
    assert trial["state"] == "failed" and "did not take its seat" in trial["what"]


def test_a_stream_shows_what_its_seat_may_know(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    person = running.browser()
    match = invite(person, bot, "robots")
    bot.client.post(f"/api/challenge/{match['id']}/accept")
    person.post(f"/matches/{match['id']}/act", json={"seat": 0, "seq": 1, "text": "add cannon; add radar3; deploy"})
    with bot.stream(f"/api/bot/game/stream/{match['id']}") as game:
        full = game.next("gameFull")
        assert [robot["seat"] for robot in full["state"]["view"]["robots"]] == [1]
        for request in ("add gun", "deploy"):
            assert bot.client.post(f"/api/bot/game/{match['id']}/move/{request}").status_code == 200
        states = [full["state"], game.next("gameState"), game.next("gameState")]
        seen = json.dumps([(state["view"], state["heard"]) for state in states])
    assert "cannon" not in seen and "radar3" not in seen
    person.post(f"/matches/{match['id']}/resign", json={"seat": 0})


def test_of_one_players_streams_of_a_match_the_oldest_ends_for_a_new_one(running: Arena, owner: httpx.Client) -> None:
    """Else a program that opens one after the other would take all connections the server has."""
    bot = Remote(running, owner)
    wish = {"game": "worms", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = bot.client.post("/api/v1/matches", json=wish).json()
    path = f"/api/bot/game/stream/{match['id']}"
    with ExitStack() as opened:
        streams = []
        for _ in range(MOST_STREAMS + 2):
            streams.append(opened.enter_context(bot.stream(path)))
            assert streams[-1].queue.get(timeout=30)["type"] == "gameFull"
        assert [streams[at].queue.get(timeout=30) for at in range(2)] == [None, None], "they have ended"
        assert len(running.app.state.hall.tables[match["id"]].ears()) == MOST_STREAMS


def test_opponents_who_go_are_told(running: Arena, owner: httpx.Client) -> None:
    from websockets.sync.client import connect

    bot = Remote(running, owner)
    person = running.browser()
    match = invite(person, bot)
    bot.client.post(f"/api/challenge/{match['id']}/accept")
    cookie = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
    address = f"ws://127.0.0.1:{running.port}/api/v1/matches/{match['id']}/socket"
    with bot.stream(f"/api/bot/game/stream/{match['id']}") as game:
        game.next("gameFull")
        headers = {"Cookie": cookie, "Origin": running.url}
        with connect(address, additional_headers=headers, subprotocols=["turntile.v1"]):  # type: ignore[list-item]
            assert game.next("opponentGone") == {"type": "opponentGone", "seat": 0, "gone": False}
        assert game.next("opponentGone") == {"type": "opponentGone", "seat": 0, "gone": True}
    person.post(f"/matches/{match['id']}/resign", json={"seat": 0})


def test_who_may_do_what(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    stranger = Remote(running, running.person())
    player_only = Remote(running, owner, "play")
    match = invite(owner, bot)
    bot.client.post(f"/api/challenge/{match['id']}/accept")
    nobody = httpx.Client(base_url=running.url, trust_env=False, verify=False)
    for method, path in (
        ("GET", "/api/account"),
        ("GET", "/api/stream/event"),
        ("GET", f"/api/bot/game/stream/{match['id']}"),
        ("POST", f"/api/bot/game/{match['id']}/move/left"),
        ("POST", f"/api/bot/game/{match['id']}/resign"),
        ("POST", f"/api/challenge/{match['id']}/accept"),
    ):
        assert "log in" in sentence_of(nobody.request(method, path), 401)
        bad = nobody.request(method, path, headers={"Authorization": "Bearer tt_no"})
        assert "does not hold" in sentence_of(bad, 401)
    assert "no seat" in sentence_of(stranger.client.get(f"/api/bot/game/stream/{match['id']}"), 403)
    assert "no seat" in sentence_of(stranger.client.post(f"/api/bot/game/{match['id']}/move/left"), 403)
    assert "no seat" in sentence_of(stranger.client.post(f"/api/bot/game/{match['id']}/resign"), 403)
    assert "not yours" in sentence_of(bot.client.post(f"/api/bot/game/{match['id']}/move/left?seat=0"), 403)
    assert "scope challenge" in sentence_of(player_only.client.post(f"/api/challenge/{match['id']}/accept"), 403)
    assert "no match" in sentence_of(bot.client.get("/api/bot/game/stream/nothing"), 404)
    assert "no match" in sentence_of(bot.client.post("/api/bot/game/nothing/move/left"), 404)
    assert sentence_of(bot.client.post(f"/api/bot/game/{match['id']}/move/fly"), 409)
    owner.post(f"/matches/{match['id']}/resign", json={"seat": 0})
    finished(owner, match["id"])
    assert "is over" in sentence_of(bot.client.post(f"/api/bot/game/{match['id']}/move/left"), 409)


def test_a_revoked_token_no_longer_holds(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    account = bot.client.get("/api/account").json()
    assert account["username"] == bot.name and account["kind"] == "bot" and account["scopes"] == ["challenge", "play"]
    [token] = owner.get(f"/bots/{bot.name}/tokens").json()["items"]
    assert "secret" not in token
    assert owner.delete(f"/bots/{bot.name}/tokens/{token['id']}").status_code == 204
    assert "does not hold" in sentence_of(bot.client.get("/api/account"), 401)


@pytest.mark.parametrize("way", ["revoked", "closed", "its owner closed", "logged out"])
def test_streams_of_who_is_no_longer_known_end(running: Arena, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """As the socket of a match does: what a token opened does not outlive it by more than half a minute."""
    monkeypatch.setattr("turntile.server.bots.streams.STILL_KNOWN_S", 0.05)
    owner = running.person()
    bot = Remote(running, owner, game="racers")  # it waits for ever: no stream ends because the match does
    if way == "logged out":
        bot.client = httpx.Client(base_url=running.url, cookies=dict(owner.cookies), timeout=30, trust_env=False)
        seats = [{"kind": "me"}, {"kind": "open"}]
        match = owner.post("/matches", json={"game": "racers", "seats": seats}).json()
    else:
        match = invite(owner, bot, "racers")
        bot.client.post(f"/api/challenge/{match['id']}/accept")
    store = running.store
    with (
        bot.stream("/api/stream/event") as events,
        bot.stream(f"/api/bot/game/stream/{match['id']}") as game,
    ):
        assert game.next("gameFull")["id"] == match["id"]
        events.blank = game.blank = 0
        wait_until(lambda: events.blank > 1 and game.blank > 1)  # as long as it holds
        if way == "revoked":
            [token] = owner.get(f"/bots/{bot.name}/tokens").json()["items"]
            assert owner.delete(f"/bots/{bot.name}/tokens/{token['id']}").status_code == 204
        elif way == "logged out":
            assert owner.delete("/sessions/current").status_code == 204
        else:
            player = running.wait(store.players.by_name(bot.name))
            running.wait(store.players.set_disabled(player.id if way == "closed" else player.owner_id, True))
        while game.next() is not None:
            pass
        while events.next() is not None:
            pass
    assert sentence_of(bot.client.get("/api/stream/event"), 401)


def test_streams_of_who_reads_long_cost_no_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That a token is looked up again counts for nobody's limits: a stream may be open for days."""
    monkeypatch.setattr("turntile.server.bots.streams.STILL_KNOWN_S", 0.01)
    limits = replace(Limits().scaled(1000), read=Rate(burst=3, per_second=0.001))
    with arena(tmp_path, limits=limits, keep_alive_s=0.1) as strict:
        bot = Remote(strict, strict.person())
        with bot.stream("/api/stream/event") as events:
            wait_until(lambda: events.blank > 5)
            assert bot.client.get("/api/account").status_code == 200


def test_of_a_stream_that_nobody_reads_only_the_newest_state_is_kept(running: Arena, owner: httpx.Client) -> None:
    bot = Remote(running, owner)
    person = running.browser()
    match = invite(person, bot, "robots", options={"turn_limit": 500})
    bot.client.post(f"/api/challenge/{match['id']}/accept")
    table = running.app.state.hall.tables[match["id"]]
    stream = GameStream(table, 1)

    async def play() -> None:
        stream.open()
        await table.act(0, 0, "deploy")
        await table.act(1, 0, "deploy")
        for _ in range(50):
            for seat in (0, 1):
                await table.act(seat, 0, "start")
                await table.act(seat, 0, "end")

    async def read() -> list[dict[str, Any]]:
        lines = stream.lines.pieces(5.0, stream.catch_up)
        states: list[dict[str, Any]] = []
        while not states or states[-1].get("step") != table.match.step_number:
            states.append(json.loads(await anext(lines)))
        table.unsubscribe(stream)
        return states

    running.wait(play())
    assert len(stream.lines.waiting) <= MOST_STATES
    states = running.wait(read())
    assert states[0]["type"] == "gameFull" and len(states) <= MOST_STATES + 1
    assert len(states[-1]["heard"]) > 60, "what was told meanwhile is not lost"
    person.post(f"/matches/{match['id']}/resign", json={"seat": 0})


def test_a_bot_that_asks_too_often_is_told_when_to_come_again(tmp_path: Path) -> None:
    limits = replace(Limits().scaled(1000), move=Rate(burst=2, per_second=0.01))
    with arena(tmp_path, limits=limits) as strict:
        bot = Remote(strict, strict.person())
        answers = [bot.client.post("/api/bot/game/nothing/move/left") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [404, 404, 429]
        assert "too many requests" in sentence_of(answers[2], 429)
        assert int(answers[2].headers["Retry-After"]) > 0


def test_a_server_that_stops_ends_streams_of_events(tmp_path: Path) -> None:
    with arena(tmp_path) as short:
        bot = Remote(short, short.person())
        with bot.stream("/api/stream/event") as events:
            wait_until(lambda: short.app.state.bots.doorbell.streams)
            short.wait(short.app.state.hall.stop())
            assert events.next() is None


@pytest.mark.parametrize("wish", [{"kind": "remote", "address": "http://x"}, {"kind": "nothing"}, {"name": "x" * 200}])
def test_what_is_no_remote_bot_is_refused(running: Arena, owner: httpx.Client, wish: dict[str, str]) -> None:
    told = owner.post("/bots", json={"name": bot_name(), "kind": "remote", **wish})
    assert sentence_of(told, 422)
