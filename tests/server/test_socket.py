"""The socket: what clients say and hear, and what those hear who do not keep to the rules."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.server.arena import Arena, arena
from tests.server.sockets import PATIENCE_S, Talker
from turntile.core.registry import find
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.server.explaining import Explainer
from turntile.server.socket import TOO_SLOW


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """One arena for all of them: each test has its own players and tables."""
    with arena(tmp_path_factory.mktemp("arena"), socket_messages=1000, countdown_s=0.0) as running:
        yield running


def new_match(client: httpx.Client, game: str, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
    told = client.post("/matches", json={"game": game, "seats": list(seats), **more})
    assert told.status_code == 201, told.text
    info: dict[str, Any] = told.json()
    return info


ME = {"kind": "me"}
OPEN = {"kind": "open"}
EASY = {"kind": "bot", "bot": "easy"}


def two_people(here: Arena, game: str = "racers", **more: Any) -> tuple[str, httpx.Client, httpx.Client]:
    ann, bob = here.person(), here.person()
    match_id = new_match(ann, game, ME, OPEN, **more)["id"]
    assert bob.post(f"/matches/{match_id}/join", json={}).status_code == 200
    return match_id, ann, bob


# ------------------------------------------------------------------- playing


def test_welcome_then_the_whole_picture_then_frames(here: Arena) -> None:
    match_id, ann, bob = two_people(here)
    with Talker(here.url, match_id, ann, feed="view") as first, Talker(here.url, match_id, bob, feed="scene") as second:
        assert first.connection.subprotocol == "turntile.v1"
        welcome = first.hear()
        assert welcome["type"] == "welcome" and welcome["seats"] == [0] and welcome["match"]["id"] == match_id
        assert [seat["mine"] for seat in welcome["match"]["seats"]] == [True, False]
        frame = first.hear_a("frame")
        [picture] = frame["pictures"]
        assert (frame["step"], frame["waiting"], picture["seat"], picture["next_seq"]) == (0, [0], 0, 1)
        second.frame_at(0)
        first.act(1, picture["legal"][0])
        ack = first.hear_a("ack", "refused")
        assert (ack["type"], ack["seat"], ack["seq"], ack["number"], ack["repeated"]) == ("ack", 0, 1, 1, False)
        after = second.frame_at(1)
        assert after["pictures"][0]["lines"] and after["pictures"][0]["scene"]["sprites"]


def test_an_action_is_refused_with_a_sentence_and_may_be_sent_better(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann, feed="view") as talker:
        legal = talker.hear_a("frame")["pictures"][0]["legal"]
        talker.act(1, "dance")
        refused = talker.hear_a("ack", "refused")
        assert refused["type"] == "refused" and refused["seq"] == 1 and "dance" in refused["sentence"]
        talker.act(2, legal[0])
        assert "seq 1, not 2" in talker.hear_a("ack", "refused")["sentence"]
        talker.act(1, legal[0], step=7)
        assert "gone on since step 7" in talker.hear_a("ack", "refused")["sentence"]
        talker.act(1, legal[0])
        assert talker.hear_a("ack", "refused")["type"] == "ack"
        talker.act(1, legal[0])
        again = talker.hear_a("ack", "refused")
        assert (again["type"], again["repeated"]) == ("ack", True)


def test_a_whole_match_against_a_bot(here: Arena) -> None:
    ann = here.person()
    match_id = new_match(ann, "racers", ME, EASY, options={"turn_limit": 8})["id"]
    with Talker(here.url, match_id, ann, feed="view") as talker:
        frame = talker.hear_a("frame")
        while frame.get("outcome") is None:
            if frame["waiting"]:
                picture = frame["pictures"][0]
                talker.act(picture["next_seq"], picture["legal"][0])
            frame = talker.hear_a("frame")
        told = talker.hear_a("told")
        assert told["match"]["status"] == "over" and told["match"]["seed"]
    assert ann.get(f"/matches/{match_id}/replay").status_code == 200
    with Talker(here.url, match_id, ann) as late:
        assert late.hear()["match"]["status"] == "over"
        assert late.closed_with() == 1000


def test_who_comes_back_hears_the_lines_he_missed(here: Arena) -> None:
    match_id, ann, bob = two_people(here)
    with Talker(here.url, match_id, bob, feed="lines") as stays, Talker(here.url, match_id, ann, feed="view") as first:
        gone = Talker(here.url, match_id, bob, feed="lines")
        gone.frame_at(0)
        gone.drop()
        frame = first.frame_at(0)
        for step in (1, 2):
            seat = frame["waiting"]
            assert seat in ([0], []), frame
            if seat:
                first.act(frame["pictures"][0]["next_seq"], frame["pictures"][0]["legal"][0])
                frame = first.frame_at(step)
        lines = stays.frame_at(1)["pictures"][0]["lines"]
        with Talker(here.url, match_id, bob, feed="lines", since=0) as again:
            heard = again.frame_at(1)
            assert heard["pictures"][0]["lines"][: len(lines)] == lines != []
            assert heard["missed_before"] == 0


def test_preview_and_why(here: Arena) -> None:
    match_id, ann, bob = two_people(here)
    with Talker(here.url, match_id, ann, feed="scene") as first, Talker(here.url, match_id, bob) as second:
        frame = first.frame_at(0)
        choices = frame["pictures"][0]["scene"]["choices"]
        offered = {choice["key"] for choice in choices}
        first.say(type="preview", id=7, text=choices[0]["action"])
        assert first.hear_a("answer")["id"] == 7
        first.say(type="why", id=8, text="move x")
        assert first.hear_a("answer")["sentence"]
        keys = [key for key in ("up", "down", "left", "right") if key not in offered]
        first.say(type="why", id=9, key=keys[0])
        answer = first.hear_a("answer")
        assert answer["id"] == 9 and answer["sentence"] and "means nothing" not in answer["sentence"]
        first.say(type="why", id=10, key="°")
        assert "means nothing here" in first.hear_a("answer")["sentence"]
        second.say(type="why", id=11, cell=[0, 0])
        assert "not the turn of seat 1" in second.hear_a("answer")["sentence"]


@pytest.mark.parametrize("game", ["tron", "racers", "worms", "roborace", "robots"])
def test_why_answers_for_keys_and_cells_of_every_game(here: Arena, game: str) -> None:
    """Whatever is pointed at: an answer, never an error."""
    ann = here.person()
    seats = [ME, ME]
    match_id = new_match(ann, game, *seats, clock="60s" if game == "tron" else "")["id"]
    with Talker(here.url, match_id, ann) as talker:
        talker.frame_at(0)
        for number, key in enumerate(("up", "e", "1")):
            talker.say(type="why", id=number, seat=0, key=key)
            assert talker.hear_a("answer", "error", "refused")["id"] == number
        for number, cell in enumerate(((0, 0), (3, 4), (99, 99), (-1, 5))):
            talker.say(type="why", id=number, seat=0, cell=cell)
            assert talker.hear_a("answer", "error", "refused")["id"] == number


def test_resigning_and_draws(here: Arena) -> None:
    match_id, ann, bob = two_people(here)
    with Talker(here.url, match_id, ann) as first, Talker(here.url, match_id, bob) as second:
        first.frame_at(0), second.frame_at(0)
        second.say(type="draw", answer="accept")
        assert "no offer" in second.hear_a("refused")["sentence"]
        first.say(type="draw", answer="offer")
        while not (told := second.hear_a("told"))["sentence"].endswith("offers a draw"):
            pass
        assert told["match"]["draw_offers"] == [0]
        second.say(type="draw", answer="accept")
        assert first.frame_at(0)["outcome"]["places"] == [1, 1]
    match_id, ann, bob = two_people(here)
    with Talker(here.url, match_id, ann) as first:
        first.frame_at(0)
        first.say(type="resign")
        assert first.frame_at(0)["outcome"]["reason"] == "seat 0 resigned"


def test_two_people_at_one_screen_say_which_seat_acts(here: Arena) -> None:
    ann = here.person()
    match_id = new_match(ann, "racers", ME, {"kind": "me", "name": "Second"})["id"]
    with Talker(here.url, match_id, ann, feed="view") as talker:
        assert talker.hear()["seats"] == [0, 1]
        frame = talker.hear_a("frame")
        assert [picture["seat"] for picture in frame["pictures"]] == [0, 1]
        talker.act(1, frame["pictures"][0]["legal"][0])
        assert "say which one acts" in talker.hear_a("refused")["sentence"]
        talker.act(1, frame["pictures"][0]["legal"][0], seat=0)
        assert talker.hear_a("ack")["seat"] == 0


def test_who_waits_at_an_open_table_is_told_when_it_begins(here: Arena) -> None:
    ann, bob = here.person(), here.person()
    match_id = new_match(ann, "racers", ME, OPEN)["id"]
    with Talker(here.url, match_id, ann) as waits, Talker(here.url, match_id, bob) as looks:
        assert waits.hear()["match"]["status"] == "open"
        assert looks.hear()["seats"] == []
        assert bob.post(f"/matches/{match_id}/join", json={}).status_code == 200
        assert waits.hear_a("told")["match"]["seats"][1]["kind"] == "human"
        assert waits.hear_a("told")["match"]["status"] == "playing"
        assert looks.frame_at(0)["pictures"][0]["seat"] == 1  # he sat down while he was looking


def test_a_token_without_the_scope_only_watches(here: Arena) -> None:
    ann = here.person()
    match_id = new_match(ann, "racers", ME, OPEN)["id"]
    with Talker(here.url, match_id, here.program("challenge", owner=ann)) as watches:
        assert watches.hear()["seats"] == []
    with Talker(here.url, match_id, here.program("play", owner=ann)) as plays:
        assert plays.hear()["seats"] == [0]


def test_ping(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann) as talker:
        talker.say(type="ping", id=5)
        assert talker.hear_a("pong") == {"type": "pong", "id": 5}


# ------------------------------------------------------------------- what nobody may know or do


def test_acting_for_anothers_seat_or_as_a_watcher_is_refused(here: Arena) -> None:
    match_id, _, bob = two_people(here)
    stranger = here.person()
    with Talker(here.url, match_id, bob) as talker:
        talker.frame_at(0)
        talker.act(1, "move r", seat=0)
        assert talker.hear_a("ack", "refused")["sentence"] == "seat 0 is not yours: you hold 1"
        talker.say(type="resign", seat=0)
        assert "not yours" in talker.hear_a("refused")["sentence"]
        talker.say(type="draw", seat=0, answer="offer")
        assert "not yours" in talker.hear_a("refused")["sentence"]
        talker.say(type="why", seat=0, id=1, text="move r")
        assert "not yours" in talker.hear_a("refused")["sentence"]
    for nobody in (stranger, None):
        with Talker(here.url, match_id, nobody) as talker:
            assert talker.hear()["seats"] == []
            talker.act(1, "move r", seat=0)
            assert "you watch this match" in talker.hear_a("ack", "refused")["sentence"]
            talker.say(type="preview", id=1, text="move r", seat=0)
            assert "you watch this match" in talker.hear_a("refused")["sentence"]


@pytest.mark.parametrize("game", ["tron", "racers", "worms", "roborace", "robots"])
@pytest.mark.parametrize("feed", ["scene", "view", "lines"])
def test_a_seat_receives_exactly_what_it_may_know(here: Arena, game: str, feed: str) -> None:
    """Frame by frame: what the rules show this seat of the same match, and not a byte more."""
    match_id, ann, bob = two_people(here, game, clock="60s" if game == "tron" else "")
    row = here.wait(here.store.matches.get(match_id))
    truth = Match.start(find(game), choose_options(find(game), row.options), int(row.seed, 16))
    talkers = [Talker(here.url, match_id, who, feed=feed) for who in (ann, bob)]
    seqs = [0, 0]
    heard: list[list[str]] = [[], []]
    for number in range(7):
        for seat in (0, 1):
            frame = talkers[seat].frame_at(truth.step_number)
            [picture] = frame["pictures"]
            assert set(picture) <= {"seat", "lines", "scene", "stages", "view", "legal", "legal_count", "next_seq"}
            assert picture["seat"] == seat
            if feed == "view":
                assert picture["view"] == json.loads(msgspec.json.encode(truth.view(seat)))
                choosing = seat in truth.waiting()
                assert tuple(picture.get("legal", ())) == (truth.legal(seat) if choosing else ())
            elif feed == "scene":
                assert picture["scene"] == json.loads(msgspec.json.encode(truth.scene(seat)))
            assert picture.get("lines", []) == heard[seat]
            heard[seat] = []
        if truth.over or number == 6:
            break
        step = truth.step_number
        while truth.step_number == step:
            seat = truth.waiting()[0]
            text = truth.turn(seat).legal[0]
            seqs[seat] += 1
            talkers[seat].act(seqs[seat], text)
            assert talkers[seat].hear_a("ack", "refused")["type"] == "ack"
            for played in truth.submit(seat, text):
                for eye in (0, 1):
                    heard[eye] += truth.heard(played, eye)
    for talker in talkers:
        talker.connection.close()


def test_watchers_of_a_hidden_game_are_told_how_far_they_are_behind(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, None) as watcher, Talker(here.url, match_id, ann, feed="view") as player:
        welcome = watcher.hear()
        assert (welcome["delay_s"], welcome["delay_steps"]) == (30.0, 10)
        first = player.hear_a("frame")
        player.act(1, first["pictures"][0]["legal"][0])
        player.hear_a("ack")
        player.say(type="resign")
        shown: list[dict[str, Any]] = []
        while not shown or shown[-1].get("outcome") is None:
            shown.append(watcher.hear_a("frame"))
        assert [frame["step"] for frame in shown] == [0, 1]
        while watcher.hear_a("told")["match"]["status"] != "over":
            pass
    with Talker(here.url, match_id, ann, watch=1) as own:  # over: everybody may see everything
        assert own.hear()["match"]["status"] == "over"


def test_a_player_who_watches_his_own_match_sees_no_more_than_watchers(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann, watch=1) as talker:
        welcome = talker.hear()
        assert welcome["seats"] == [] and welcome["delay_s"] == 30.0


# ------------------------------------------------------------------- those who do not keep to the rules


def test_a_page_of_another_origin_is_sent_away(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann, origin="https://evil.example") as talker:
        assert talker.closed_with() == 1008
        assert "origin" in talker.heard[0]["sentence"]


def test_an_unknown_match_a_bad_token_and_a_bad_feed(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, "nosuchmatch", ann) as talker:
        assert talker.closed_with() == 4404
    with Talker(here.url, match_id, httpx.Client(headers={"Authorization": "Bearer tt_wrong"})) as talker:
        assert talker.closed_with() == 4401
    with Talker(here.url, match_id, ann, feed="xray") as talker:
        assert talker.closed_with() == 1008
        assert "feed=scene" in talker.heard[0]["sentence"]


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "hello",
        "{",
        "[]",
        "null",
        '{"type":"fly"}',
        '{"type":"act"}',
        '{"type":"act","seq":"one","text":"x"}',
        '{"type":"act","seq":1,"text":7}',
        '{"type":"draw","answer":"maybe"}',
        '{"type":"why","id":1,"cell":[1]}',
        '{"type":"act","seq":1e99,"text":"x"}',
        '"\\ud800"',
        "[" * 10_000,
    ],
)
def test_what_cannot_be_read_is_answered_with_a_sentence_and_the_connection_lives(here: Arena, nonsense: str) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann) as talker:
        talker.connection.send(nonsense)
        assert talker.hear_a("error")["sentence"].startswith("this message cannot be read: ")
        talker.say(type="ping", id=1)
        assert talker.hear_a("pong")["id"] == 1


def test_binary_messages_are_refused(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann) as talker:
        talker.connection.send(b'{"type":"ping"}')
        assert "binary" in talker.hear_a("error")["sentence"]


def test_numbers_that_make_no_sense_are_refused(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann) as talker:
        for seq in (0, -1, 2**40):
            talker.act(seq, "move r")
            assert talker.hear_a("ack", "refused")["type"] == "refused"
        for seat in (-2, 5, 2**33):
            talker.act(1, "move r", seat=seat)
            assert talker.hear_a("ack", "refused")["type"] == "refused"


def test_twenty_messages_that_cannot_be_read_end_the_connection(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann) as talker:
        for _ in range(20):
            talker.connection.send("?")
        assert talker.closed_with() == 1008


def test_a_message_that_is_too_long_ends_the_connection(here: Arena) -> None:
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann) as talker:
        talker.act(1, "x" * 70_000)
        assert talker.closed_with() == 1009


def test_a_flood_ends_the_connection_and_nobody_else_is_disturbed(tmp_path: Path) -> None:
    with arena(tmp_path, socket_messages=50) as here:
        match_id, ann, bob = two_people(here)
        with Talker(here.url, match_id, bob) as other, Talker(here.url, match_id, ann) as talker:
            for number in range(51):
                talker.say(type="ping", id=number)
            assert talker.closed_with() == 1008
            assert "too many" in talker.heard[-1]["sentence"]
            other.say(type="ping", id=1)
            assert other.hear_a("pong")["id"] == 1


def test_two_at_one_keyboard_may_say_twice_as_much_and_more_in_real_time(tmp_path: Path) -> None:
    """Two people who steer in every step of Tron are no flood."""
    with arena(tmp_path, socket_messages=50, countdown_s=0.0) as here:
        ann = here.person()
        for clock, allowed in (("60s", 2 * 50), ("", 2 * (50 + 2 * 100))):
            match_id = new_match(ann, "tron", ME, ME, clock=clock)["id"]
            with Talker(here.url, match_id, ann) as talker:
                for number in range(allowed):
                    talker.say(type="ping", id=number)
                while talker.hear_a("pong")["id"] < allowed - 1:
                    pass
                talker.say(type="ping", id=allowed)
                assert talker.closed_with() == 1008


def test_a_fault_of_ours_in_a_question_is_told_and_the_connection_goes_on(
    here: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a game's preview is wrong")

    monkeypatch.setattr("turntile.server.socket.preview_marks", fail)
    match_id, ann, _ = two_people(here)
    with Talker(here.url, match_id, ann) as talker:
        talker.say(type="preview", id=1, text="move r")
        assert "mistake" in talker.hear_a("error")["sentence"]
        talker.say(type="ping", id=2)
        assert talker.hear_a("pong")["id"] == 2


def test_questions_about_one_position_are_thought_about_once(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """They take a third of a second of a core: who asks again and again must not have all of it."""
    match_id, ann, _ = two_people(here, "worms")
    thought: list[int] = []
    meanings = Explainer.meanings

    def count(explainer: Explainer, deadline: float) -> Any:
        thought.append(explainer.seat)
        return meanings(explainer, deadline)

    monkeypatch.setattr(Explainer, "meanings", count)
    with Talker(here.url, match_id, ann) as talker:
        seat = talker.hear_a("frame")["pictures"][0]["seat"]
        for number in range(5):
            talker.say(type="why", id=number, key="no such key", seat=seat)
            assert talker.hear_a("answer")["id"] == number
    assert len(thought) <= 1


@pytest.mark.parametrize("way", ["logged out", "revoked"])
def test_who_is_no_longer_known_neither_acts_nor_sees_on(
    here: Arena, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr("turntile.server.socket.STILL_KNOWN_S", 0.05)
    ann = here.person()
    if way == "revoked":
        secret = ann.post("/tokens", json={"label": "x", "scopes": ["play", "challenge"]}).json()
        client = httpx.Client(headers={"Authorization": f"Bearer {secret['secret']}"}, verify=False)
    else:
        client = httpx.Client(cookies=dict(ann.cookies), verify=False)
    match_id = new_match(ann, "racers", ME, OPEN)["id"]
    with Talker(here.url, match_id, client) as talker:
        time.sleep(0.3)
        talker.say(type="ping", id=1)
        assert talker.hear_a("pong")["id"] == 1, "as long as it holds"
        gone = ann.delete("/sessions/current" if way == "logged out" else f"/tokens/{secret['id']}")
        assert gone.status_code == 204
        assert talker.closed_with() == 1012


def test_a_client_that_does_not_read_disturbs_nobody_and_fills_no_memory(here: Arena) -> None:
    """Frames it has no room for are never made; whoever reads gets all of them."""
    ann = here.person()
    match_id = new_match(ann, "worms", ME, ME, options={"turn_limit": 400, "worms": 8})["id"]
    table = here.app.state.hall.tables[match_id]
    with Talker(here.url, match_id, ann, feed="view") as player:
        frame = player.frame_at(0)
        deaf = deaf_socket(here, match_id, ann)
        try:
            wait_for(lambda: len(table.lookout.ears) == 2)
            [behind] = [ear for ear in table.lookout.ears if not isinstance(ear, Talker) and ear.feed == "scene"]
            played = 0
            while not table.lookout.ears.get(behind) or not table.lookout.ears[behind].behind:
                seat = frame["waiting"][0]
                picture = frame["pictures"][seat]
                legal = [text for text in picture["legal"] if text.startswith("move")] or picture["legal"]
                player.act(picture["next_seq"], legal[0], seat=seat)
                player.hear_a("ack")
                frame = player.frame_at(frame["step"] + 1)
                played += 1
                assert played < 390 and frame.get("outcome") is None
            assert len(behind.queue) <= 2
            for _ in range(5):
                seat = frame["waiting"][0]
                picture = frame["pictures"][seat]
                player.act(picture["next_seq"], picture["legal"][0], seat=seat)
                player.hear_a("ack")
                frame = player.frame_at(frame["step"] + 1)
                assert len(behind.queue) <= 2
            assert here.loop is not None
            here.loop.call_soon_threadsafe(behind.close, TOO_SLOW, "made for this test")
            wait_for(lambda: behind not in table.lookout.ears)  # it cannot even be told, and goes all the same
        finally:
            deaf.close()


def deaf_socket(here: Arena, match_id: str, client: httpx.Client) -> socket.socket:
    """A socket that asks for everything and then reads nothing, with the least room the system gives it."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    deaf.connect(("127.0.0.1", here.port))
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    deaf.sendall(
        f"GET /api/v1/matches/{match_id}/socket?feed=scene HTTP/1.1\r\nHost: 127.0.0.1:{here.port}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Sec-WebSocket-Version: 13\r\nCookie: {cookies}\r\n\r\n".encode()
    )
    return deaf


def wait_for(fact: Any) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while not fact():
        assert time.monotonic() < give_up
        time.sleep(0.005)


def test_a_server_that_goes_away_says_so(tmp_path: Path) -> None:
    with arena(tmp_path) as here:
        match_id, ann, _ = two_people(here)
        talker = Talker(here.url, match_id, ann)
        talker.frame_at(0)
        here.wait(here.app.state.hall.stop())  # as `turntile serve` does before it closes its connections
        assert talker.closed_with() == 1012
        assert talker.heard[-1]["type"] == "reconnect" and talker.heard[-1]["after_ms"] > 0
