"""Matches: from the open table to the list of those that are over, and who holds them."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tests.store.tables_set import new_table, open_table, playing_table, won
from turntile.store import Store, StoreError, new_match_id
from turntile.store.cursors import write_cursor
from turntile.store.rows import MatchPlace, SeatRow

pytestmark = pytest.mark.anyio


def test_ids_are_unguessable_and_easy_to_say() -> None:
    ids = {new_match_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(match_id) == 10 and set(match_id) <= set("abcdefghijklmnopqrstuvwxyz234567") for match_id in ids)


async def test_a_table_comes_back_as_it_was_put_in(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    table = new_table(
        owner="me",
        created_by=ann.id,
        listed=False,
        seats=(SeatRow(0, ann.id, "Ann", "human"), SeatRow(1, None, "Tron hard", "builtin", "tree:100"), SeatRow(2)),
    )
    await store.matches.create(table)

    assert await store.matches.get(table.id) == table
    assert await store.matches.get("nosuchgame") is None


async def test_seats_are_taken_and_left(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    match_id = await open_table(store)
    taken = SeatRow(1, ann.id, "Ann", "human")
    await store.matches.put_seat(match_id, taken)
    match = await store.matches.get(match_id)
    assert match is not None and match.seats == (SeatRow(0), taken)
    await store.matches.put_seat(match_id, SeatRow(1))
    match = await store.matches.get(match_id)
    assert match is not None and match.seats == (SeatRow(0), SeatRow(1))


async def test_a_table_begins_once(store: Store) -> None:
    match_id = await open_table(store)
    assert await store.matches.begin(match_id, started=50.0)
    assert not await store.matches.begin(match_id, started=60.0)
    match = await store.matches.get(match_id)
    assert match is not None and (match.status, match.started) == ("playing", 50.0)


async def test_only_an_open_table_can_be_removed(store: Store) -> None:
    match_id, playing = await open_table(store), await playing_table(store)
    assert await store.matches.remove(match_id)
    assert not await store.matches.remove(match_id)
    assert not await store.matches.remove(playing)
    assert await store.matches.get(match_id) is None


async def test_there_is_one_rematch_and_it_is_there_as_soon_as_it_is_told_of(store: Store) -> None:
    match_id = await playing_table(store)
    wishes = [msgspec.structs.replace(new_table(), rematch_of=match_id) for _ in range(4)]
    asked = await asyncio.gather(*(store.matches.create_rematch(wish) for wish in wishes))
    match = await store.matches.get(match_id)
    assert match is not None and match.rematch is not None
    assert asked == [match.rematch] * 4
    assert [wish.id for wish in wishes if await store.matches.get(wish.id) is not None] == [match.rematch]
    assert await store.matches.create_rematch(msgspec.structs.replace(new_table(), rematch_of="nosuchgame")) is None


async def test_lists_come_in_pages_newest_first_and_new_ones_shift_nothing(store: Store) -> None:
    """Those of the same moment included."""
    tables = [await open_table(store, created=float(number // 3)) for number in range(10)]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page, cursor = await store.matches.page(["open"], cursor=cursor, limit=3)
        seen += [match.id for match in page]
        if cursor is None:
            break
        await open_table(store, created=99.0)

    assert sorted(seen) == sorted(tables)
    times = [match.created for match in await store.matches.many(seen)]
    assert times == sorted(times, reverse=True)


async def test_lists_show_what_is_listed_and_ones_own(store: Store) -> None:
    ann, bob = [await store.players.create(name, "person", 1.0) for name in ("Ann", "Bob")]
    listed = await open_table(store, game="worms", created=1.0)
    of_ann = await open_table(store, listed=False, created_by=ann.id, created=2.0)
    bob_sits = await open_table(
        store, listed=False, seats=(SeatRow(0, bob.id, "Bob", "human"), SeatRow(1)), created=3.0
    )
    over = await playing_table(store, seats=(SeatRow(0, bob.id, "Bob", "human"), SeatRow(1)), created=4.0)
    await store.append(over, 1, [], won())

    async def shown(*statuses: str, **wishes: object) -> list[str]:
        page, _ = await store.matches.page(statuses, **wishes)  # type: ignore[arg-type]
        return [match.id for match in page]

    assert await shown("open") == [listed]
    assert await shown("open", viewer=ann.id) == [of_ann, listed]
    assert await shown("open", viewer=bob.id) == [bob_sits, listed]
    assert await shown("open", "over", viewer=bob.id) == [over, bob_sits, listed]
    assert await shown("open", game="worms", viewer=ann.id) == [listed]
    assert await shown("open", "over", player=bob.id) == [over]
    assert await shown("open", "over", player=bob.id, viewer=bob.id) == [over, bob_sits]
    assert await shown("playing") == []
    assert await store.matches.count(["open"]) == 3
    assert await store.matches.ids(["open", "over"]) == [listed, of_ann, bob_sits, over]


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "%%%", "AAAA", write_cursor((1.0, 5)), write_cursor((float("nan"), "a")), write_cursor((1.0, "\0"))],
)
async def test_a_cursor_that_no_page_ended_with_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(StoreError, match="this cursor names no place in the list"):
        await store.matches.page(["open"], cursor=cursor)


async def test_a_process_claims_what_dead_ones_held(store: Store) -> None:
    for process, beat in (("alive", 100.0), ("dead", 80.0), ("me", 100.0)):
        await store.processes.beat(process, f"http://{process}", beat)
    of_alive = await playing_table(store, owner="alive")
    of_dead = await playing_table(store, owner="dead", created=1.0)
    of_forgotten = await open_table(store, owner="forgotten", created=2.0)
    of_nobody = await playing_table(store, owner=None, created=3.0)
    of_me = await playing_table(store, owner="me")
    over = await playing_table(store, owner="dead")
    await store.append(over, 1, [], won())
    claimed = await store.matches.claim("me", stale_before=90.0)

    assert sorted(match.id for match in claimed) == sorted([of_dead, of_forgotten, of_nobody])
    assert {match.owner for match in claimed} == {"me"}
    assert [await store.matches.owner(match_id) for match_id in (of_alive, of_me, over)] == ["alive", "me", "dead"]
    assert await store.matches.claim("me", stale_before=90.0) == []
    assert sorted(match.id for match in await store.matches.claim_all("other")) == sorted(
        [of_dead, of_forgotten, of_nobody, of_alive, of_me]
    )
    assert await store.matches.ids(["playing"], owner="me") == []


async def test_a_match_is_found_where_it_is_held(store: Store) -> None:
    await store.processes.beat("there", "http://there", 50.0)
    held, orphaned = await playing_table(store, owner="there"), await open_table(store, owner="gone")

    assert await store.matches.place(held) == MatchPlace("playing", "there", None, "http://there", 50.0)
    assert await store.matches.place(orphaned) == MatchPlace("open", "gone", None, None, None)
    assert await store.matches.place("nosuchgame") is None
    assert await store.matches.release("there") == 1
    assert await store.matches.place(held) == MatchPlace("playing", None, None, None, None)


async def test_who_starts_at_an_address_succeeds_whoever_was_there(store: Store) -> None:
    for process, address in (("old", "http://here"), ("new", "http://here"), ("other", "http://there")):
        await store.processes.beat(process, address, 50.0)
    match_id = await playing_table(store, owner="old")
    assert await store.processes.succeed("new", "http://here") == 1

    assert [row.id for row in await store.processes.all()] == ["new", "other"]
    assert [match.id for match in await store.matches.claim("new", stale_before=40.0)] == [match_id]


async def test_what_goes_on_with_a_player(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    seats = (SeatRow(0, ann.id, "Ann", "human"), SeatRow(1))
    going_on = [await open_table(store, seats=seats), await playing_table(store, seats=seats)]
    over = await playing_table(store, seats=seats)
    await store.append(over, 1, [], won())
    await open_table(store)

    assert sorted(match.id for match in await store.matches.going_on_of(ann.id)) == sorted(going_on)


async def test_the_last_trial_of_a_bot_is_found(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    bot, _ = await store.bots.create("Annbot", ann.id, "tron", "remote", 2.0)
    seats = (SeatRow(0, bot.id, "Annbot", "bot"), SeatRow(1))
    assert await store.matches.last_trial(bot.id, ann.id) is None
    for created in (3.0, 5.0, 4.0):
        await open_table(store, seats=seats, created_by=ann.id, listed=False, created=created)
    await open_table(store, seats=seats, created_by=ann.id, listed=True, created=9.0)
    await open_table(store, seats=seats[::-1], created_by=bot.id, listed=False, created=9.0)
    last = await store.matches.last_trial(bot.id, ann.id)

    assert last is not None
    match = await store.matches.get(last)
    assert match is not None and match.created == 5.0


async def test_of_two_that_claim_at_once_each_match_goes_to_one(store: Store) -> None:
    ids = [await playing_table(store, owner="dead") for _ in range(30)]
    for process in ("one", "other"):
        await store.processes.beat(process, "", 100.0)
    one, other = await asyncio.gather(
        store.matches.claim("one", stale_before=90.0), store.matches.claim("other", stale_before=90.0)
    )

    assert sorted(match.id for match in [*one, *other]) == sorted(ids)
    assert {match.owner for match in one} <= {"one"} and {match.owner for match in other} <= {"other"}


async def test_very_many_matches_are_read(store: Store) -> None:
    """More than a database takes values in one query at a time."""
    ids = [await open_table(store, seats=()) for _ in range(3)] * 800
    assert [match.id for match in await store.matches.many(ids)] == ids


async def test_processes_beat_and_go(store: Store) -> None:
    await store.processes.beat("a", "http://one", 1.0)
    await store.processes.beat("b", "http://two", 1.0)
    await store.processes.beat("a", "http://one", 5.0)
    found = await store.processes.get("a")

    assert found is not None and (found.address, found.beat) == ("http://one", 5.0)
    assert [row.id for row in await store.processes.all()] == ["a", "b"]
    assert await store.processes.forget(beat_before=2.0) == 1
    await store.processes.remove("a")
    assert await store.processes.all() == []
    assert await store.processes.get("a") is None


async def test_all_processes_know_the_same_secret(store: Store) -> None:
    told = await asyncio.gather(*(store.secrets.get("neighbours") for _ in range(5)))
    assert len(set(told)) == 1
    assert len(told[0]) >= 40
    assert await store.secrets.get("another") != told[0]
