"""Matches over HTTP: set up, listed, joined, played and given up, by those who may."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.server.arena import Arena, arena, name_of, sentence_of


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("matches")) as running:
        yield running


ME, OPEN, EASY = {"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "easy"}


def wish(*seats: dict[str, str], **more: Any) -> dict[str, Any]:
    return {"game": "racers", "seats": list(seats), **more}


def create(client: httpx.Client, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
    told = client.post("/matches", json=wish(*seats, **more))
    assert told.status_code == 201, told.text
    info: dict[str, Any] = told.json()
    return info


def ids(told: httpx.Response) -> list[str]:
    assert told.status_code == 200, told.text
    return [match["id"] for match in told.json()["items"]]


def begin(hall: Arena, **more: Any) -> tuple[httpx.Client, httpx.Client, str]:
    """Two people at a table that has begun."""
    one, other = hall.person(), hall.person()
    match = create(one, ME, OPEN, **more)["id"]
    assert other.post(f"/matches/{match}/join", json={}).json()["status"] == "playing"
    return one, other, match


# ------------------------------------------------------------------- setting up


def test_an_open_table_waits_and_begins_when_it_is_full(hall: Arena) -> None:
    one, other = hall.person(), hall.person()
    made = create(one, ME, OPEN)
    assert made["status"] == "open" and made["seats"][1]["kind"] == "open" and made["seats"][0]["mine"]
    assert made["seed"] is None and len(made["seed_hash"]) == 64
    joined = other.post(f"/matches/{made['id']}/join")
    assert joined.status_code == 200 and joined.json()["status"] == "playing"
    assert [seat["mine"] for seat in joined.json()["seats"]] == [False, True]
    assert joined.json()["seats"][1]["player"] == name_of(other)
    assert [seat["mine"] for seat in hall.browser().get(f"/matches/{made['id']}").json()["seats"]] == [False, False]


def test_a_guest_joins_by_the_link(hall: Arena) -> None:
    made = create(hall.person(), ME, OPEN, listed=False)
    guest = hall.browser()
    assert guest.get(f"/matches/{made['id']}").status_code == 200
    assert guest.post(f"/matches/{made['id']}/join", json={"seat": 1}).status_code == 200
    assert name_of(guest).startswith("Guest ")


def test_who_joins_nothing_becomes_nobody(hall: Arena) -> None:
    client = hall.browser()
    assert sentence_of(client.post("/matches/nosuchone1/join"), 404)
    assert not client.cookies


def test_a_table_that_is_full_takes_nobody(hall: Arena) -> None:
    _, _, match = begin(hall)
    assert sentence_of(hall.person().post(f"/matches/{match}/join", json={}), 422)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"game": "chess"}, 404),
        ({"options": {"colour": "red"}}, 422),
        ({"options": {"players": 99}}, 422),
        ({"clock": "soon"}, 422),
        ({"seats": [ME] * 17}, 422),
        ({"seats": [ME] * 9}, 422),
        ({"seats": [{"kind": "bot", "bot": "genius"}]}, 422),
        ({"seats": [{"kind": "bot", "bot": "@nobody at all"}]}, 422),
        ({"seats": [{"kind": "king"}]}, 422),
        ({"options": {"a" * 10: "b" * 70000}}, 422),
        ({"listed": "perhaps"}, 422),
        ({"more": 1}, 422),
    ],
)
def test_wishes_that_make_no_table(hall: Arena, changes: dict[str, Any], status: int) -> None:
    told = hall.person().post("/matches", json={**wish(ME, OPEN), **changes})
    assert len(sentence_of(told, status)) < 500


def test_names_are_text_in_json_whatever_they_hold(hall: Arena) -> None:
    script = "</script><script>"
    told = hall.person().post("/matches", json=wish(ME, {"kind": "me", "name": script}))
    if told.status_code == 201:
        assert told.headers["content-type"] == "application/json"
        assert told.json()["seats"][1]["name"] == script
    else:
        assert sentence_of(told, 422)


# ------------------------------------------------------------------- the same request again


def test_the_same_key_gives_the_same_match(hall: Arena) -> None:
    person = hall.person()
    key = {"Idempotency-Key": "once"}
    first = person.post("/matches", json=wish(ME, OPEN), headers=key)
    again = person.post("/matches", json=wish(ME, OPEN), headers=key)
    assert first.status_code == again.status_code == 201
    assert first.json()["id"] == again.json()["id"]
    other = person.post("/matches", json=wish(ME, EASY), headers=key)
    assert "another request" in sentence_of(other, 422)
    stranger = hall.person().post("/matches", json=wish(ME, OPEN), headers=key)
    assert stranger.json()["id"] != first.json()["id"]


def test_the_same_key_at_the_same_moment_makes_one_match(hall: Arena) -> None:
    person = hall.person("Double Click")
    secret = dict(person.cookies)

    def ask(_: int) -> str:
        with hall.browser() as client:
            client.cookies.update(secret)
            told = client.post("/matches", json=wish(ME, OPEN), headers={"Idempotency-Key": "twice"})
            return str(told.json()["id"])

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ask, range(8)))) == 1
    assert len(ids(person.get("/matches?status=open&player=Double Click"))) == 1


# ------------------------------------------------------------------- lists


def test_unlisted_matches_are_shown_to_their_players_only(hall: Arena) -> None:
    person = hall.person("Hides It")
    hidden = create(person, ME, OPEN, listed=False)["id"]
    shown = create(person, ME, OPEN)["id"]
    assert {hidden, shown} <= set(ids(person.get("/matches?status=open")))
    for stranger in (hall.person(), hall.browser()):
        listed = ids(stranger.get("/matches?status=open&limit=100"))
        assert shown in listed and hidden not in listed
        assert ids(stranger.get("/matches?status=open&player=Hides It")) == [shown]


def test_lists_come_in_pages_newest_first(hall: Arena) -> None:
    person = hall.person("Many Tables")
    made = [create(person, ME, OPEN)["id"] for _ in range(5)]
    seen: list[str] = []
    cursor = ""
    for _ in range(3):
        page = person.get(
            "/matches",
            params={"status": "open", "player": "Many Tables", "limit": 2, "cursor": cursor}
            if cursor
            else {"status": "open", "player": "Many Tables", "limit": 2},
        )
        seen += ids(page)
        cursor = page.json()["next"]
    assert seen == made[::-1] and cursor is None


def test_lists_by_game_and_by_player(hall: Arena) -> None:
    person = hall.person("Two Games")
    tron = create(person, ME, OPEN, game="tron")["id"]
    racers = create(person, ME, OPEN)["id"]
    assert ids(person.get("/matches?status=open&player=Two Games&game=tron")) == [tron]
    assert set(ids(person.get("/matches?status=open&player=two games"))) == {tron, racers}
    assert "Unheard Of" in sentence_of(person.get("/matches?player=Unheard Of"), 404)


# ------------------------------------------------------------------- playing


def test_an_action_is_stored_before_it_is_answered_and_counts_once(hall: Arena) -> None:
    mover, _, match = begin(hall, game="robots")
    seat = 0
    told = mover.post(f"/matches/{match}/act", json={"seq": 1, "text": "add engine1", "seat": seat, "step": 0})
    assert told.status_code == 200, told.text
    ack = told.json()
    assert (ack["seat"], ack["seq"], ack["repeated"]) == (seat, 1, False)
    assert len(hall.wait(hall.store.read_journal(match))) == 1
    again = mover.post(f"/matches/{match}/act", json={"seq": 1, "text": "add radar1", "seat": seat})
    assert again.json()["repeated"] is True
    assert len(hall.wait(hall.store.read_journal(match))) == 1
    late = mover.post(f"/matches/{match}/act", json={"seq": 9, "text": "add radar1"})
    assert sentence_of(late, late.status_code) and late.status_code in (409, 422)


def test_what_the_rules_forbid_is_refused_with_a_sentence(hall: Arena) -> None:
    one, other, match = begin(hall)
    for client in (one, other):
        told = client.post(f"/matches/{match}/act", json={"seq": 1, "text": "fly to the moon"})
        assert sentence_of(told, told.status_code) and told.status_code in (409, 422)
    assert hall.wait(hall.store.read_journal(match)) == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("act", {"seq": 1, "text": "up"}),
        ("act", {"seq": 1, "text": "up", "seat": 0}),
        ("resign", {}),
        ("resign", {"seat": 0}),
        ("draw", {"answer": "offer"}),
        ("leave", None),
        ("rematch", None),
    ],
)
def test_other_peoples_matches_are_not_mine(hall: Arena, path: str, body: dict[str, Any] | None) -> None:
    one, _, match = begin(hall)
    stranger = hall.person()
    told = stranger.post(f"/matches/{match}/{path}", json=body)
    assert sentence_of(told, told.status_code) and told.status_code in (403, 409, 422)
    nobody = hall.browser().post(f"/matches/{match}/{path}", json=body)
    assert sentence_of(nobody, 401)
    assert one.get(f"/matches/{match}").json()["status"] == "playing"


def test_nobody_acts_for_anothers_seat(hall: Arena) -> None:
    one, _, match = begin(hall)
    assert "not yours" in sentence_of(one.post(f"/matches/{match}/act", json={"seq": 1, "text": "up", "seat": 1}), 403)
    assert "not yours" in sentence_of(one.post(f"/matches/{match}/resign", json={"seat": 1}), 403)


def test_at_one_screen_one_says_which_seat(hall: Arena) -> None:
    person = hall.person()
    match = create(person, ME, {"kind": "me", "name": "Second"})["id"]
    assert "which" in sentence_of(person.post(f"/matches/{match}/resign"), 422)
    assert person.post(f"/matches/{match}/resign", json={"seat": 1}).json()["status"] == "over"


def test_leaving_before_it_begins_frees_the_seat(hall: Arena) -> None:
    one, other = hall.person(), hall.person()
    match = create(one, ME, OPEN, OPEN, game="tron", options={"players": 3})["id"]
    assert other.post(f"/matches/{match}/join", json={}).status_code == 200
    left = other.post(f"/matches/{match}/leave")
    assert left.status_code == 200 and [seat["kind"] for seat in left.json()["seats"]].count("open") == 2
    assert one.post(f"/matches/{match}/leave").status_code == 200
    begun = begin(hall)
    assert sentence_of(begun[0].post(f"/matches/{begun[2]}/leave"), 422)


def test_resigning_ends_it_and_a_rematch_rotates_the_seats(hall: Arena) -> None:
    one, other, match = begin(hall)
    over = one.post(f"/matches/{match}/resign").json()
    assert over["status"] == "over" and over["outcome"]["places"] == [2, 1] and len(over["seed"]) == 16
    assert sentence_of(one.post(f"/matches/{match}/resign"), 409)
    again = one.post(f"/matches/{match}/rematch")
    assert again.status_code == 201
    table = again.json()
    assert [seat["mine"] for seat in table["seats"]] == [False, True]
    assert other.get(f"/matches/{match}").json()["rematch"] == table["id"]
    assert other.post(f"/matches/{match}/rematch").json()["id"] == table["id"]
    assert other.get(f"/matches/{table['id']}").json()["status"] == "playing"


def test_a_match_that_is_not_there(hall: Arena) -> None:
    person = hall.person()
    assert "no match" in sentence_of(person.get("/matches/nosuchone1"), 404)
    for path in ("join", "leave", "resign", "rematch"):
        assert "no match" in sentence_of(person.post(f"/matches/nosuchone1/{path}"), 404)
    assert "no match" in sentence_of(person.post("/matches/nosuchone1/act", json={"seq": 1, "text": "up"}), 404)


def test_programs_play_with_tokens(hall: Arena) -> None:
    program = hall.program("play", "challenge")
    match = create(program, ME, EASY)["id"]
    assert program.post(f"/matches/{match}/resign").json()["status"] == "over"
    reader = hall.program("challenge")
    match = create(reader, ME, EASY)["id"]
    assert "play" in sentence_of(reader.post(f"/matches/{match}/resign"), 403)
