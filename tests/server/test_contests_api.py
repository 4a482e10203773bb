"""Contests published on a server: by `turntile contest publish`, again, in part, and by those who may not."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from tests.cli.terminal import Here
from tests.contest.tables import by_strength, contest, finished, play_all, play_to_end
from tests.server.arena import Arena, arena, name_of, sentence_of
from turntile.contest.course import Course
from turntile.contest.matches import Finished, Planned
from turntile.contest.publication import MOST_IN_PIECE
from turntile.contest.publish import NotPublished, Server, head_of, pieces_of, publish, read_address
from turntile.contest.results import Results
from turntile.contest.rounds import rounds_of
from turntile.contest.run import follow
from turntile.core.registry import find
from turntile.match.replay import read_replay, verify

PLAN = contest(bots=3, rounds=2)  # 12 matches


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("contests")) as running:
        yield running


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "spring cup.contest"
    play_to_end(path, PLAN)
    return path


def token_of(client: Any) -> str:
    return str(client.headers["Authorization"].removeprefix("Bearer "))


def send(hall: Arena, path: Path, token: str) -> str:
    """Publish it; the contest's id."""
    with Results.open(path) as results:
        page, left_out = publish(follow(results), results, path.stem, Server(read_address(hall.url), token))
    assert left_out == 0
    return page.rpartition("/")[2]


@pytest.fixture(scope="module")
def published(hall: Arena, played: Path) -> str:
    return send(hall, played, token_of(hall.program("publish", owner=hall.person("Organiser"))))


# ------------------------------------------------------------------- what is shown


def test_the_page_tells_what_the_standings_tell(hall: Arena, published: str, played: Path) -> None:
    told = hall.browser().get(f"/contests/{published}").json()
    with Results.open(played) as results:
        head = head_of(follow(results), results, "spring cup")
    assert told["name"] == "spring cup" and told["published_by"] == "Organiser" and told["title"] == "Tron"
    assert told["standings"] == json.loads(msgspec.json.encode(head.standings))
    assert told["crosstable"] == json.loads(msgspec.json.encode(head.crosstable))
    assert told["played"] == told["in_all"] == 12 and told["ended"] == "all rounds are played"
    assert "seat" not in told["standings"][0], "how a bot is started is nobody's business"
    [listed] = [one for one in hall.browser().get("/contests").json()["items"] if one["id"] == published]
    assert listed["leader"] == told["standings"][0]["name"] and listed["bots"] == 3


def test_its_matches_come_in_pages_and_can_be_watched(hall: Arena, published: str) -> None:
    client = hall.browser()
    first = client.get(f"/contests/{published}/matches?limit=7").json()
    rest = client.get(f"/contests/{published}/matches?limit=7&cursor={first['next']}").json()
    numbers = [match["number"] for match in first["items"] + rest["items"]]
    assert numbers == list(range(1, 13)) and rest["next"] is None
    match = client.get(f"/contests/{published}/matches/3").json()
    assert match == first["items"][2] and match["replay"] and set(match["players"]) <= {"bot0", "bot1", "bot2"}
    replay = read_replay(client.get(f"/contests/{published}/matches/3/replay").content)
    outcome = verify(replay, find("tron")).outcome
    assert outcome is not None and list(outcome.places) == match["places"]
    assert client.get(f"/contests/{published}/matches/3/replay?packed=1").content[:4] == b"\x28\xb5\x2f\xfd"
    film = client.get(f"/contests/{published}/matches/3/film").json()
    assert [player["name"] for player in film["players"]] == match["players"]


def test_what_is_not_there(hall: Arena, published: str) -> None:
    client = hall.browser()
    for path in ("", "/matches", "/matches/1", "/matches/1/film"):
        assert sentence_of(client.get(f"/contests/nosuchone1{path}"), 404)
    assert "no match 99" in sentence_of(client.get(f"/contests/{published}/matches/99"), 404)
    assert "no match 99" in sentence_of(client.get(f"/contests/{published}/matches/99/film"), 404)
    assert "no game" in sentence_of(client.get("/contests?game=chess"), 404)


# ------------------------------------------------------------------- publishing


def test_sent_again_it_is_the_same_contest(hall: Arena, played: Path) -> None:
    owner = hall.person()
    token = token_of(hall.program("publish", owner=owner))
    first, again = send(hall, played, token), send(hall, played, token)
    assert first == again
    mine = [one for one in hall.browser().get("/contests").json()["items"] if one["published_by"] == name_of(owner)]
    assert len(mine) == 1
    assert len(hall.browser().get(f"/contests/{first}/matches").json()["items"]) == 12
    other = send(hall, played, token_of(hall.program("publish")))
    assert other != first, "somebody else's is another"


def test_a_contest_that_still_runs_can_be_published_and_later_completed(
    hall: Arena, tmp_path: Path, played: Path
) -> None:
    token = token_of(hall.program("publish"))
    with Results.open(played) as whole:
        matches = [msgspec.structs.replace(match, replay=whole.replay(match.number)) for match in whole.matches()]
    half = tmp_path / "half.contest"
    with Results.create(half, PLAN) as results:
        results.add(matches[:5])
    contest_id = send(hall, half, token)
    told = hall.browser().get(f"/contests/{contest_id}").json()
    assert told["played"] == 5 and told["ended"] == "" and told["in_all"] == 12
    with Results.open(half) as results:
        results.add(matches[5:])
    assert send(hall, half, token) == contest_id
    assert hall.browser().get(f"/contests/{contest_id}").json()["ended"] == "all rounds are played"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(tmp_path, monkeypatch, capfd)


def test_the_command_publishes_and_tells_the_pages_address(
    hall: Arena, played: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("contest", "publish", played, "--to", hall.url, "--name", "Autumn <b>cup</b>")
    monkeypatch.setenv("TURNTILE_TOKEN", token_of(hall.program("publish")))
    done = here(*words)
    monkeypatch.delenv("TURNTILE_TOKEN")
    assert done.code == 0, done.err
    contest_id = done.out.strip().removeprefix(f"{hall.url}/contests/")
    assert hall.browser().get(f"/contests/{contest_id}").json()["name"] == "Autumn <b>cup</b>"
    for more, says in [
        (("--token", "tt_wrong"), "refused (401)"),
        (("--token", token_of(hall.program("play"))), "scope publish"),
        ((), "asks for a token"),
    ]:
        refused = here(*words, *more)
        assert refused.code == 2 and says in refused.err and refused.err.count("\n") == 1
    nowhere = here("contest", "publish", played, "--to", "http://127.0.0.1:9", "--token", "tt_x")
    assert nowhere.code == 2 and "cannot be reached" in nowhere.err and nowhere.err.count("\n") == 1
    assert "no server's address" in here("contest", "publish", played, "--to", "arena").err


def test_only_who_may_publishes(hall: Arena, published: str) -> None:
    body: dict[str, Any] = {}
    assert sentence_of(hall.browser().post("/contests", json=body), 401)
    guest = hall.browser()
    guest.post("/matches", json={"game": "tron", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert "guests" in sentence_of(guest.post("/contests", json=body), 403)
    assert "publish" in sentence_of(hall.program("play").post("/contests", json=body), 403)
    stranger = hall.program("publish")
    piece = {
        "matches": [
            {"number": 1, "round": 1, "bots": [0, 1], "scores": [1, 0], "places": [1, 2], "reason": "", "steps": 1}
        ]
    }
    assert "somebody else" in sentence_of(stranger.put(f"/contests/{published}/matches", json=piece), 403)
    assert "somebody else" in sentence_of(stranger.delete(f"/contests/{published}"), 403)
    assert hall.browser().get(f"/contests/{published}").status_code == 200


def test_it_can_be_taken_back(hall: Arena, played: Path) -> None:
    program = hall.program("publish")
    contest_id = send(hall, played, token_of(program))
    assert program.delete(f"/contests/{contest_id}").status_code == 204
    assert sentence_of(hall.browser().get(f"/contests/{contest_id}"), 404)
    assert sentence_of(hall.browser().get(f"/contests/{contest_id}/matches/1/film"), 404)


@pytest.fixture(scope="module")
def head(played: Path) -> dict[str, Any]:
    with Results.open(played) as results:
        told: dict[str, Any] = json.loads(msgspec.json.encode(head_of(follow(results), results, "x")))
    return told


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "no game"),
        ({"format": "lottery"}, "format"),
        ({"bots": ["a", "a", "b"]}, "same name"),
        ({"bots": ["a", "b", "c"]}, "one line for each"),
        ({"standings": []}, "standings"),
        ({"crosstable": [[None]]}, "crosstable"),
        ({"matches": -1}, "matches"),
        ({"steps": 2**60}, "steps"),
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"secret": 1}, "secret"),
        ({"rounds": [{"round": 1, "tables": [{"bots": [7], "points": [1.0], "won": [1], "matches": [1]}]}]}, "round 1"),
        ({"rounds": [{"round": 1, "tables": [{"bots": [1], "points": [], "won": [1], "matches": [1]}]}]}, "round 1"),
    ],
)
def test_heads_that_are_none(hall: Arena, head: dict[str, Any], change: dict[str, Any], says: str) -> None:
    assert says in sentence_of(hall.person().post("/contests", json={**head, **change}), 422)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"bots": [0, 9]}, "bot 9"),
        ({"places": [1]}, "for each seat"),
        ({"number": 0}, "number"),
        ({"number": 200_000}, "number"),
        ({"replay": "!!!"}, "base64"),
        ({"replay": b64encode(b"no replay").decode()}, "packed with zstd"),
        ({"replay": b64encode(b"\x28\xb5\x2f\xfd broken").decode()}, "unpacked"),
        ({"replay": b64encode(zstandard.compress(b"no replay")).decode()}, "no replay"),
        ({"replay": b64encode(zstandard.compress(bytes(9 * 2**20))).decode()}, "too large"),
        ({"failures": [{"seat": 0, "step": 1, "kind": "x" * 50, "what": ""}]}, "kind"),
    ],
)
def test_matches_that_are_none(hall: Arena, head: dict[str, Any], change: dict[str, Any], says: str) -> None:
    person = hall.person()
    contest_id = person.post("/contests", json=head).json()["id"]
    match = {"number": 1, "round": 1, "bots": [0, 1], "scores": [1, 0], "places": [1, 2], "reason": "r", "steps": 1}
    told = person.put(f"/contests/{contest_id}/matches", json={"matches": [match, {**match, **change}]})
    assert says in sentence_of(told, 422)
    assert person.get(f"/contests/{contest_id}/matches").json()["items"] == [], "all of a piece, or none"


def test_a_replay_of_another_game_is_refused(hall: Arena, head: dict[str, Any], played: Path) -> None:
    person = hall.person()
    contest_id = person.post("/contests", json={**head, "game": "worms"}).json()["id"]
    with Results.open(played) as results:
        replay = b64encode(results.replay(0)).decode()
    match = {"number": 1, "round": 1, "bots": [0, 1], "scores": [1, 0], "places": [1, 2], "reason": "r", "steps": 1}
    told = person.put(f"/contests/{contest_id}/matches", json={"matches": [{**match, "replay": replay}]})
    assert "another game" in sentence_of(told, 422)


def test_a_piece_is_bounded_by_what_its_replays_unpack_to(
    hall: Arena, head: dict[str, Any], played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many replays that pack well would keep a core busy for a minute with one request."""
    with Results.open(played) as results:
        [(piece, _)] = pieces_of(results)
    sizes = [len(zstandard.decompress(b64decode(match.replay), 2**23)) for match in piece.matches]
    person = hall.person()
    contest = person.post("/contests", json=head).json()["id"]

    def send_within(most: int) -> Any:
        monkeypatch.setattr("turntile.server.api.contests.LARGEST_PIECE", most)
        return person.put(f"/contests/{contest}/matches", content=msgspec.json.encode(piece))

    assert "several pieces" in sentence_of(send_within(sum(sizes) - 1), 422)
    assert send_within(sum(sizes)).json()["replays"] == len(sizes)


def test_an_account_keeps_only_so_many_contests(tmp_path: Path, head: dict[str, Any]) -> None:
    with arena(tmp_path, contests_per_player=2) as small:
        person = small.person()
        ids = [person.post("/contests", json={**head, "key": key}).json()["id"] for key in ("a", "b")]
        told = person.post("/contests", json={**head, "key": "c"})
        assert "2 contests: delete an old one" in sentence_of(told, 409)
        assert person.post("/contests", json={**head, "key": "b"}).status_code == 201, "it is there already"
        assert small.person().post("/contests", json={**head, "key": "c"}).status_code == 201
        assert person.delete(f"/contests/{ids[0]}").status_code == 204
        assert person.post("/contests", json={**head, "key": "c"}).status_code == 201


def test_an_account_keeps_only_so_many_bytes_of_contests(tmp_path: Path, head: dict[str, Any], played: Path) -> None:
    """Nothing of the piece that is too much is kept, and the command says what would do."""
    with arena(tmp_path, contest_bytes_per_player=30_000) as small:
        person = small.person()
        token = token_of(small.program("publish", owner=person))
        first = send(small, played, token)
        assert send(small, played, token) == first, "the same again is no more"
        other = {**head, "key": "another", "name": "x" * 100}
        contest_id = person.post("/contests", json=other).json()["id"]
        with Results.open(played) as results:
            [(piece, _)] = pieces_of(results)
        for number in range(1, 10):
            matches = tuple(msgspec.structs.replace(one, number=one.number + 12 * number) for one in piece.matches)
            body = msgspec.json.encode(msgspec.structs.replace(piece, matches=matches))
            told = person.put(f"/contests/{contest_id}/matches", content=body)
            if told.status_code != 200:
                break
        said = sentence_of(told, 409)
        assert "MB you may keep" in said and "delete an old one" in said
        kept = person.get(f"/contests/{contest_id}/matches?limit=500").json()["items"]
        assert len(kept) == 12 * (number - 1)
        with pytest.raises(NotPublished, match=r"refused \(409\): .*delete an old one"):
            publish_as(small, played, token, "third")
        assert len(person.get("/contests").json()["items"]) == 2, "what found no room left nothing behind"
        assert person.delete(f"/contests/{first}").status_code == 204
        assert person.put(f"/contests/{contest_id}/matches", content=body).status_code == 200


def publish_as(hall: Arena, path: Path, token: str, key: str) -> None:
    """The same results as another contest, one with long words."""
    server = Server(read_address(hall.url), token)
    with Results.open(path) as results:
        head = head_of(follow(results), results, key)
        long = msgspec.structs.replace(head, key=key, summary={str(n): "x" * 400 for n in range(50)})
        server.send("POST", "/contests", msgspec.json.encode(long))


def test_broken_bodies(hall: Arena) -> None:
    person = hall.person()
    deep = b'{"options":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001
    for body in (b"", b"{", b"\xff", deep):
        told = person.post("/contests", content=body, headers={"Content-Type": "application/json"})
        assert "no JSON" in sentence_of(told, 400)
    assert "expected `object`" in sentence_of(person.post("/contests", content=b"[]"), 422)
    too_large = person.post("/contests", content=b" " * (2 * 1024 * 1024 + 1))
    assert "2048 KB" in sentence_of(too_large, 413)


# ------------------------------------------------------------------- the sender


def test_large_contests_are_sent_in_pieces(tmp_path: Path) -> None:
    plan = contest(bots=2, rounds=400, replays="none")
    course = Course(plan)
    with Results.create(tmp_path / "large.contest", plan) as results:
        results.add([by_strength(planned) for planned in play_all(course)])
        pieces = [piece for piece, _ in pieces_of(results)]
    assert [len(piece.matches) for piece in pieces] == [MOST_IN_PIECE] * 4
    assert [match.number for piece in pieces for match in piece.matches] == list(range(1, 801))


def test_a_replay_that_is_too_large_is_left_out_and_told(tmp_path: Path) -> None:
    plan = contest(bots=2, rounds=1)
    with Results.create(tmp_path / "huge.contest", plan) as results:
        huge = [
            msgspec.structs.replace(by_strength(planned), replay=b"x" * 1_000_001) for planned in play_all(Course(plan))
        ]
        results.add(huge)
        [(piece, left_out)] = pieces_of(results)
    assert left_out == 2 and [match.replay for match in piece.matches] == ["", ""]


def test_a_server_that_is_busy_is_asked_again(hall: Arena, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    server = Server(read_address(hall.url), token_of(hall.program("publish")), waited.append)
    busy = iter([(429, {"retry-after": "7"}, b"{}"), (503, {}, b"{}")])
    ask = server.ask

    def sometimes_busy(method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        return next(busy, None) or ask(method, path, body)

    monkeypatch.setattr(server, "ask", sometimes_busy)
    with Results.open(played) as results:
        assert publish(follow(results), results, "x", server)[0].startswith(hall.url)
    assert waited == [7.0, 1.0]


def test_what_is_no_turntile_server_is_told_so(hall: Arena, played: Path) -> None:
    address = read_address(f"{hall.url}/lobby/")
    with Results.open(played) as results, pytest.raises(NotPublished, match=r"refused|not as a Turntile server"):
        publish(follow(results), results, "x", Server(address, "tt_x"))


# ------------------------------------------------------------------- rounds


def test_a_knockout_tells_who_went_on() -> None:
    plan = contest(bots=5, format="knockout", best_of=1)
    course = Course(plan)
    matches: list[Finished] = []

    def result(planned: Planned) -> Finished:
        matches.append(by_strength(planned))
        return matches[-1]

    play_all(course, result)
    rounds = rounds_of(plan, matches, best=0)
    assert [len(round.tables) for round in rounds] == [1, 2, 1]
    assert rounds[0].byes == (0, 1, 2) and rounds[0].tables[0].winner == min(rounds[0].tables[0].bots)
    assert [table.winner for round in rounds for table in round.tables][-1] == 0
    assert rounds[-1].tables[0].won[0] == 2 and rounds[-1].tables[0].points == (2.0, 0.0)


def test_a_swiss_has_rounds_and_a_round_robin_none() -> None:
    plan = contest(bots=4, format="swiss", rounds=2)
    matches: list[Finished] = []

    def drawn(planned: Planned) -> Finished:
        matches.append(finished(planned, [1] * len(planned.bots)))
        return matches[-1]

    play_all(Course(plan), drawn)
    rounds = rounds_of(plan, matches)
    assert [len(round.tables) for round in rounds] == [2, 2]
    assert all(table.points == (1.0, 1.0) and table.winner is None for round in rounds for table in round.tables)
    assert rounds_of(PLAN, matches) == ()
