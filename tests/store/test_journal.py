"""Appending to journals: durable, in order, never doubled, and one match's trouble is no other's."""

from __future__ import annotations

import asyncio
from threading import Event

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import Connection, insert

from tests.databases import Postgres
from tests.store.tables_set import A_WIN, open_table, playing_table, won
from turntile.store import LostOwnership, Store, StoreError, open_store
from turntile.store.journal import MOST_ENTRIES
from turntile.store.postgres import CONNECTIONS
from turntile.store.rows import Ending, SeatRow
from turntile.store.tables import replays

pytestmark = pytest.mark.anyio


def put_replay(connection: Connection, match_id: str) -> None:
    connection.execute(insert(replays).values(match_id=match_id, data=b"strange", created=1.0))


def limit_pages(connection: Connection, pages: int) -> int:
    """How large SQLite's file may grow (0: as before); how many pages it has."""
    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    return int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())


async def test_entries_are_read_back_in_order(store: Store) -> None:
    match_id = await playing_table(store)
    await store.append(match_id, 1, [b"first", b"second"])
    await store.append(match_id, 3, [b"third"])

    assert await store.read_journal(match_id) == [b"first", b"second", b"third"]
    assert await store.read_journal(match_id, after=2) == [b"third"]


async def test_what_is_returned_from_is_there_when_the_database_is_opened_again(database_url: str) -> None:
    async with await open_store(database_url) as store:
        match_id = await playing_table(store)
        await store.append(match_id, 1, [b"kept"])
    async with await open_store(database_url, migrate=False) as store:
        assert await store.read_journal(match_id) == [b"kept"]


async def test_many_matches_append_at_once(store: Store) -> None:
    """More entries than fit into one statement, of any number."""
    ids = [await playing_table(store) for _ in range(20)]
    entries = [[b"%d" % number for number in range(size)] for size in (1, 2, 3, 5, 100, MOST_ENTRIES + 7)]

    async def play(match_id: str) -> None:
        number = 1
        for some in entries:
            await store.append(match_id, number, some)
            number += len(some)

    await asyncio.gather(*(play(match_id) for match_id in ids))
    for match_id in ids:
        assert await store.read_journal(match_id) == [entry for some in entries for entry in some]


async def test_appends_of_one_moment_share_one_commit(store: Store) -> None:
    """50 tables, one wait for the disk."""
    ids = [await playing_table(store) for _ in range(50)]
    commits = 0
    give = store.database._batches._give  # type: ignore[attr-defined]

    def count(batch: list[object]) -> None:
        nonlocal commits
        commits += 1
        give(batch)

    store.database._batches._give = count  # type: ignore[attr-defined]
    await asyncio.gather(*(store.append(match_id, 1, [b"x"]) for match_id in ids))

    assert commits == 1
    assert [await store.read_journal(match_id) for match_id in ids] == [[b"x"]] * 50


async def test_figures_are_told_of_what_was_committed(store: Store) -> None:
    ids = [await playing_table(store) for _ in range(3)]
    told: list[int] = []
    store.database.hear_commits(lambda entries, seconds: told.append(entries) if seconds > 0 and entries else None)
    await asyncio.gather(*(store.append(match_id, 1, [b"x", b"y"]) for match_id in ids))
    await store.players.create("Ann", "person", 1.0)
    with pytest.raises(LostOwnership):
        await store.append(ids[0], 1, [b"again"])

    assert told == [6]


async def test_two_owners_cannot_both_append_and_others_in_the_same_commit_are_not_disturbed(store: Store) -> None:
    contended, quiet, other = [await playing_table(store) for _ in range(3)]
    await store.append(contended, 1, [b"of the new owner"])
    verdicts = await asyncio.gather(
        store.append(quiet, 1, [b"a"]),
        store.append(contended, 1, [b"of the old owner", b"and more of his"]),
        store.append(other, 1, [b"b"], won()),
        store.players.create("Ann", "person", 1.0),
        return_exceptions=True,
    )

    assert [type(verdict).__name__ for verdict in verdicts] == ["NoneType", "LostOwnership", "NoneType", "PlayerRow"]
    assert str(verdicts[1]) == f"nothing was added to the match {contended}: somebody else has gone on with it"
    assert await store.read_journal(contended) == [b"of the new owner"]
    assert await store.read_journal(quiet) == [b"a"]
    ended = await store.matches.get(other)
    assert ended is not None and ended.status == "over"


async def test_of_two_stores_that_append_the_same_number_at_once_one_wins(database_url: str) -> None:
    async with await open_store(database_url) as one, await open_store(database_url) as other:
        ids = [await playing_table(one) for _ in range(20)]
        verdicts = await asyncio.gather(
            *(
                store.append(match_id, 1, [store_name])
                for match_id in ids
                for store, store_name in ((one, b"one"), (other, b"other"))
            ),
            return_exceptions=True,
        )
        for at, match_id in enumerate(ids):
            pair = verdicts[2 * at : 2 * at + 2]
            assert sorted(type(verdict).__name__ for verdict in pair) == ["LostOwnership", "NoneType"]
            assert await one.read_journal(match_id) == [b"one" if pair[0] is None else b"other"]


async def test_appends_of_one_match_that_wait_together_are_done_in_order(store: Store) -> None:
    match_id = await playing_table(store)
    first, second, third = await asyncio.gather(
        store.append(match_id, 1, [b"1"]),
        store.append(match_id, 2, [b"2"], won(keep_journal=True)),
        store.append(match_id, 3, [b"3"]),
        return_exceptions=True,
    )

    assert first is None and second is None
    assert isinstance(third, LostOwnership)
    assert await store.read_journal(match_id) == [b"1", b"2"]


async def test_the_ending_comes_in_the_commit_of_the_last_entries(store: Store) -> None:
    match_id = await playing_table(store, seats=(SeatRow(0, None, "Ann", "human"), SeatRow(1, None, "Bob", "human")))
    await store.append(match_id, 1, [b"1"])
    await store.append(match_id, 2, [b"2"], won())
    match = await store.matches.get(match_id)

    assert match is not None
    assert (match.status, match.ended, match.steps, match.outcome) == ("over", 200.0, 7, A_WIN)
    assert [(seat.name, seat.score, seat.place) for seat in match.seats] == [("Ann", 1, 1), ("Bob", 0, 2)]
    assert await store.matches.replay(match_id) == b"the replay"
    assert await store.read_journal(match_id) == []


async def test_a_match_that_is_stopped_has_a_reason_and_no_outcome(store: Store) -> None:
    match_id = await playing_table(store)
    await store.append(match_id, 1, [], Ending(status="stopped", ended=5.0, steps=0, stopped="everybody left"))
    match = await store.matches.get(match_id)

    assert match is not None
    assert (match.status, match.outcome, match.stopped) == ("stopped", None, "everybody left")
    assert await store.matches.replay(match_id) is None


async def test_nothing_is_added_to_a_match_that_is_over_or_open_or_unknown(store: Store) -> None:
    """Its journal may be gone by then, so its numbers are free again; it is refused all the same."""
    over = await playing_table(store)
    await store.append(over, 1, [b"1"], won())
    for match_id in (over, await open_table(store), "nosuchgame"):
        with pytest.raises(LostOwnership, match=f"{match_id}: it is not being played"):
            await store.append(match_id, 1, [b"late"])
        with pytest.raises(LostOwnership):
            await store.append(match_id, 1, [], won(b"another end"))
    assert await store.matches.replay(over) == b"the replay"


async def test_a_process_appends_only_to_matches_it_owns(store: Store) -> None:
    match_id = await playing_table(store, owner="old")
    store.process = "old"
    await store.append(match_id, 1, [b"1"])
    assert await store.matches.hand_over(match_id, "old", "new")
    with pytest.raises(LostOwnership, match="another process goes on with it"):
        await store.append(match_id, 2, [b"2"])
    store.process = "new"
    await store.append(match_id, 2, [b"two"])

    assert await store.read_journal(match_id) == [b"1", b"two"]


async def test_an_ending_that_cannot_be_written_takes_its_entries_with_it_and_nobody_elses(store: Store) -> None:
    """All or none: here a replay is there already, which no working server brings about."""
    strange, sound = await playing_table(store), await playing_table(store)
    await store.database.write(lambda connection: put_replay(connection, strange))
    verdicts = await asyncio.gather(
        store.append(strange, 1, [b"1"], won()), store.append(sound, 1, [b"1"]), return_exceptions=True
    )

    assert isinstance(verdicts[0], StoreError) and not isinstance(verdicts[0], LostOwnership)
    assert verdicts[1] is None
    assert await store.read_journal(strange) == []
    match = await store.matches.get(strange)
    assert match is not None and match.status == "playing"


async def test_who_stops_waiting_does_not_undo_what_he_asked_for(store: Store) -> None:
    match_id = await playing_table(store)
    impatient = asyncio.ensure_future(store.append(match_id, 1, [b"1"]))
    await asyncio.sleep(0)
    impatient.cancel()
    await store.append(match_id, 2, [b"2"])

    assert await store.read_journal(match_id) == [b"1", b"2"]


async def test_what_is_under_way_is_committed_before_the_store_closes(database_url: str) -> None:
    store = await open_store(database_url)
    match_id = await playing_table(store)
    under_way = [asyncio.ensure_future(store.append(match_id, number, [b"x"])) for number in range(1, 6)]
    await asyncio.sleep(0)
    await store.close()

    await asyncio.gather(*under_way)
    with pytest.raises(StoreError, match="closed"):
        await store.append(match_id, 6, [b"late"])
    async with await open_store(database_url) as store:
        assert len(await store.read_journal(match_id)) == 5


async def test_a_full_disk_fails_what_was_to_be_written_and_nothing_more(sqlite_url: str) -> None:
    async with await open_store(sqlite_url) as store:
        match_id = await playing_table(store)
        await store.append(match_id, 1, [b"1"])
        pages = await store.database.write(lambda connection: limit_pages(connection, 0))
        await store.database.write(lambda connection: limit_pages(connection, pages + 2))
        with pytest.raises(StoreError, match="there is no room left on the disk"):
            await store.append(match_id, 2, [bytes(100_000)])
        assert await store.read_journal(match_id) == [b"1"]
        await store.database.write(lambda connection: limit_pages(connection, 1_000_000))
        await store.append(match_id, 2, [bytes(100_000)])
        assert len(await store.read_journal(match_id)) == 2


async def test_the_store_goes_on_when_postgresql_was_restarted() -> None:
    server = await asyncio.to_thread(Postgres)
    try:
        url = await asyncio.to_thread(server.new_database)
        async with await open_store(url) as store:
            match_id = await playing_table(store)
            await store.append(match_id, 1, [b"1"])
            await asyncio.to_thread(server.stop)
            with pytest.raises(StoreError, match="PostgreSQL cannot be reached at postgresql://"):
                await store.append(match_id, 2, [b"2"])
            with pytest.raises(StoreError, match="PostgreSQL cannot be reached"):
                await store.matches.get(match_id)
            await asyncio.to_thread(server.start)
            await store.append(match_id, 2, [b"2"])
            assert await store.read_journal(match_id) == [b"1", b"2"]
    finally:
        await asyncio.to_thread(server.remove)


async def test_readers_do_not_wait_for_the_writer(sqlite_url: str) -> None:
    """While a transaction is open they see what was committed before it."""
    has_begun, may_go_on = Event(), Event()
    async with await open_store(sqlite_url) as store:
        ann = await store.players.create("Ann", "person", 1.0, about="before")

        def slow(connection: Connection) -> None:
            connection.exec_driver_sql("UPDATE players SET about = 'after'")
            has_begun.set()
            may_go_on.wait()

        writing = asyncio.ensure_future(store.database.write(slow))
        await asyncio.to_thread(has_begun.wait)
        for _ in range(10):
            found = await store.players.get(ann.id)
            assert found is not None and found.about == "before"
        may_go_on.set()
        await writing
        found = await store.players.get(ann.id)
        assert found is not None and found.about == "after"


async def test_appends_do_not_wait_for_readers(postgres_url: str) -> None:
    """As many readers as there are connections for them wait for something, and an entry is committed meanwhile."""
    async with await open_store(postgres_url) as store:
        match_id = await playing_table(store)
        holder = await asyncpg.connect(postgres_url)
        await holder.execute("SELECT pg_advisory_lock(7)")

        def wait(connection: Connection) -> None:
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7)")

        readers = [asyncio.ensure_future(store.database.read(wait)) for _ in range(CONNECTIONS + 1)]
        while await holder.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < CONNECTIONS:
            await asyncio.sleep(0.01)
        await store.append(match_id, 1, [b"1"])
        assert not any(reader.done() for reader in readers)
        await holder.close()
        await asyncio.gather(*readers)
        assert await store.read_journal(match_id) == [b"1"]
