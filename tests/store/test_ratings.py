"""Ratings, published contests, and answers kept for requests that are sent again."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from turntile.store import Store
from turntile.store.contests import TooMuchPublished
from turntile.store.database import run
from turntile.store.rows import ContestRow, KeptAnswer, NewRating, PlayerRow, RatingRow
from turntile.store.tables import contests

pytestmark = pytest.mark.anyio


def one_more(before: list[RatingRow | None]) -> list[NewRating]:
    """Each player gains a point a match."""
    return [NewRating((row.mu if row else 0.0) + 1, 8.0, (row.rating if row else 0.0) + 1, 80.0) for row in before]


async def test_a_match_is_rated_once(store: Store) -> None:
    ann, bob = [await store.players.create(name, "person", 1.0) for name in ("Ann", "Bob")]
    rated = await store.ratings.rate("m1", "tron", [ann.id, bob.id], 10.0, one_more)
    assert rated == [RatingRow(player.id, "tron", 1.0, 8.0, 1.0, 80.0, 1, 10.0) for player in (ann, bob)]
    assert await store.ratings.rate("m1", "tron", [ann.id, bob.id], 11.0, one_more) is None
    await store.ratings.rate("m2", "tron", [bob.id, ann.id], 12.0, one_more)
    await store.ratings.rate("m3", "worms", [ann.id], 13.0, one_more)

    assert await store.ratings.many([ann.id, 999], "tron") == {
        ann.id: RatingRow(ann.id, "tron", 2.0, 8.0, 2.0, 80.0, 2, 12.0)
    }
    assert [(row.game, row.matches) for row in await store.ratings.of_player(ann.id)] == [("tron", 2), ("worms", 1)]
    curve = await store.ratings.curve(ann.id, "tron")
    assert [(point.match_id, point.at, point.rating) for point in curve] == [("m1", 10.0, 1.0), ("m2", 12.0, 2.0)]
    assert [point.match_id for point in await store.ratings.curve(ann.id, "tron", limit=1)] == ["m2"]


async def test_matches_that_end_at_once_are_rated_one_after_the_other(store: Store) -> None:
    players = [await store.players.create(f"P{n}", "person", 1.0) for n in range(4)]
    pairs = [(one.id, other.id) for one in players for other in players if one.id != other.id]
    await asyncio.gather(
        *(store.ratings.rate(f"m{n}", "tron", pair, float(n), one_more) for n, pair in enumerate(pairs))
    )

    found = await store.ratings.many([player.id for player in players], "tron")
    assert [(row.rating, row.matches) for row in found.values()] == [(6.0, 6)] * 4


async def test_a_judge_that_fails_leaves_everything_as_it_was(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)

    def fail(before: list[RatingRow | None]) -> list[NewRating]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.ratings.rate("m1", "tron", [ann.id], 10.0, fail)
    assert await store.ratings.of_player(ann.id) == []
    assert await store.ratings.rate("m1", "tron", [ann.id], 10.0, one_more) is not None


async def test_leaders_come_in_pages_the_strongest_first(store: Store) -> None:
    strengths = [3.0, 5.0, 5.0, 1.0, 4.0]
    players = [await store.players.create(f"P{n}", "person", 1.0) for n in range(5)]
    for player, strength in zip(players, strengths, strict=True):
        await store.ratings.rate(
            f"m{player.id}",
            "tron",
            [player.id],
            1.0,
            lambda _, s=strength: [NewRating(s, 1.0, s, 1.0)],  # type: ignore[misc]
        )
    await store.players.set_disabled(players[4].id, True)
    first, cursor = await store.ratings.leaders("tron", limit=2)
    second, end = await store.ratings.leaders("tron", cursor=cursor, limit=2)

    assert [row.rating.rating for row in [*first, *second]] == [5.0, 5.0, 3.0, 1.0]
    assert len({row.player.id for row in [*first, *second]}) == 4
    assert end is None
    assert await store.ratings.leaders("worms") == ([], None)


def contest(name: str, created: float) -> ContestRow:
    return ContestRow(f"id-{name}", name, "tron", "swiss", created, None, {"standings": [1, 2.5, None], "name": name})


async def test_contests_are_put_listed_and_deleted(store: Store) -> None:
    for number, name in enumerate("abc"):
        await store.contests.put(contest(name, float(number)))
    await store.contests.put(contest("b", 1.0))

    assert await store.contests.get("id-b") == contest("b", 1.0)
    first, cursor = await store.contests.page(limit=2)
    rest, end = await store.contests.page(limit=2, cursor=cursor)
    assert [row.name for row in [*first, *rest]] == ["c", "b", "a"] and end is None
    assert await store.contests.page(game="worms") == ([], None)
    assert await store.contests.delete("id-b")
    assert not await store.contests.delete("id-b")
    assert await store.contests.get("id-b") is None


async def test_a_contests_matches_may_be_sent_again(store: Store) -> None:
    await store.contests.put(contest("a", 1.0))
    await store.contests.put_matches("id-a", [(0, {"n": 0}, None), (1, {"n": 1}, b"replay")])
    await store.contests.put_matches("id-a", [(1, {"n": "again"}, b"another"), (2, {"n": 2}, None)])
    await store.contests.put_matches("id-a", [])
    await store.contests.put(contest("a", 1.0))
    rows = await store.contests.matches("id-a")

    assert [(row.number, row.data["n"], row.has_replay) for row in rows] == [
        (0, 0, False),
        (1, "again", True),
        (2, 2, False),
    ]
    assert [row.number for row in await store.contests.matches("id-a", after=0, limit=1)] == [1]
    assert await store.contests.match("id-a", 2) == rows[2]
    assert await store.contests.match("id-a", 3) is None
    assert await store.contests.replay("id-a", 1) == b"another"
    assert await store.contests.replay("id-a", 0) is None
    await store.contests.delete("id-a")
    assert await store.contests.matches("id-a") == []


async def test_a_publisher_keeps_no_more_than_he_may(store: Store) -> None:
    """Contests are counted, and what their matches weigh; what replaces something weighs only what it has more."""
    ann, bob = [await store.players.create(name, "person", 1.0) for name in ("Ann", "Bob")]

    def of(player: PlayerRow, name: str) -> ContestRow:
        return msgspec.structs.replace(contest(name, 1.0), published_by=player.id)

    async def add(contest_id: str, *matches: tuple[int, Any, bytes | None]) -> bool:
        return await store.contests.put_matches(contest_id, matches, most_bytes=1000)

    await store.contests.put(of(ann, "a"), most=2)
    await store.contests.put(of(ann, "b"), most=2)
    await store.contests.put(of(ann, "b"), most=2)
    with pytest.raises(TooMuchPublished):
        await store.contests.put(of(ann, "c"), most=2)
    await store.contests.put(of(bob, "c"), most=2)

    assert await add("id-a", (1, "", b"x" * 500), (2, "é", b"x" * 93))  # with the quotes of JSON 598
    assert await add("id-b", (1, "", b"x" * 400))  # 1000
    with pytest.raises(TooMuchPublished) as refused:
        await add("id-b", (2, "", None))
    assert refused.value.kept == 1000
    assert await store.contests.match("id-b", 2) is None, "nothing of it is kept"
    await store.contests.put(of(ann, "a"), most=2)
    assert await add("id-a", (1, "", b"y" * 500)), "the same again is no more"
    with pytest.raises(TooMuchPublished):
        await add("id-a", (1, "", b"y" * 501))
    assert await add("id-c", (1, "", b"z" * 900)), "of others it is not counted"
    assert await store.contests.delete("id-b")
    assert await add("id-a", (1, "", b"y" * 700))
    assert not await add("id-b", (1, "", None)), "it is gone"


async def test_contests_that_were_published_before_they_were_weighed_are_weighed(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    row = msgspec.structs.replace(contest("a", 1.0), published_by=ann.id)
    await store.contests.put(row)
    await store.contests.put_matches("id-a", [(1, "", b"x" * 500)])
    unweighed = update(contests).values(data=msgspec.json.encode(row.data).decode())
    await store.database.write(run(unweighed))
    with pytest.raises(TooMuchPublished) as refused:
        await store.contests.put_matches("id-a", [(2, "", None)], most_bytes=503)
    assert refused.value.kept == 502
    await store.contests.put(row)
    assert await store.contests.put_matches("id-a", [(2, "", None)], most_bytes=504)


async def test_the_first_answer_for_a_key_is_kept(store: Store) -> None:
    ann, bob = [await store.players.create(name, "person", 1.0) for name in ("Ann", "Bob")]
    first = KeptAnswer("key", ann.id, 10.0, 201, b"{}")
    assert await store.answers.keep(first)
    assert not await store.answers.keep(KeptAnswer("key", ann.id, 11.0, 409, b"other"))
    assert await store.answers.keep(KeptAnswer("key", bob.id, 11.0, 201, b"bob's"))

    assert await store.answers.find("key", ann.id) == first
    assert await store.answers.find("other", ann.id) is None
    assert await store.answers.forget(created_before=10.5) == 1
    assert await store.answers.find("key", ann.id) is None
