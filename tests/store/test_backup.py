"""Backups: made while a server runs, restored onto either kind of database, refused when they are not whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from sqlalchemy import Connection, select

from tests.databases import Postgres
from tests.store.tables_set import playing_table, won
from turntile.store import Store, StoreError, open_store
from turntile.store.backup import FIRST_LINE, LEFT_OUT, backup, read_summary, restore
from turntile.store.rows import ContestRow, KeptAnswer, NewRating, SeatRow
from turntile.store.tables import VERSION, metadata

pytestmark = pytest.mark.anyio

KINDS = ["sqlite", "postgresql"]


@pytest.fixture
def new_url(tmp_path: Path, postgres: Postgres) -> Callable[[str], str]:
    """An empty database of a kind, beside the one under test."""

    def make(kind: str) -> str:
        return f"sqlite:///{tmp_path}/restored.db" if kind == "sqlite" else postgres.new_database()

    return make


async def put_something_everywhere(store: Store) -> str:
    ann = await store.players.create("Ann Ä", "person", 1.5, password_hash="argon")
    bot, _ = await store.bots.create("Annbot", ann.id, "tron", "upload", 2.0, file_name="b.py", code=bytes(range(256)))
    await store.sessions.create("hash", ann.id, 1.0, 2.0)
    await store.tokens.create(bot.id, "laptop", "hash", "play", 1.0)
    over = await playing_table(store, created_by=ann.id, seats=(SeatRow(0, ann.id, "Ann", "human"), SeatRow(1)))
    await store.append(over, 1, [b"1"], won())
    going_on = await playing_table(store, owner="me")
    await store.append(going_on, 1, [b"\0\xff", b""])
    bob = await store.players.create("Bob B", "person", 2.5)
    await store.ratings.rate(over, "tron", [ann.id, bob.id], 3.0, lambda _: [NewRating(1.0, 2.0, 3.25, 4.0)] * 2)
    await store.contests.put(ContestRow("c", "Cup", "tron", "swiss", 1.0, ann.id, {"a": [1]}))
    await store.contests.put_matches("c", [(0, {}, None), (1, {"x": 1}, b"replay")])
    await store.answers.keep(KeptAnswer("key", ann.id, 1.0, 201, b"{}"))
    await store.processes.beat("me", "http://here", 1.0)
    await store.secrets.get("neighbours")
    return going_on


def everything(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    return {
        table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
        for table in metadata.sorted_tables
    }


@pytest.mark.parametrize("kind", KINDS)
async def test_a_restored_store_holds_the_same(
    database_url: str, kind: str, new_url: Callable[[str], str], tmp_path: Path
) -> None:
    """From either kind of database to either: this is also how one moves from SQLite to PostgreSQL."""
    file = tmp_path / "arena.backup"
    told: list[tuple[int, int]] = []
    async with await open_store(database_url) as store:
        going_on = await put_something_everywhere(store)
        before = await store.database.read(everything)
        made = await backup(database_url, file, lambda done, total: told.append((done, total)))
    url = await asyncio.to_thread(new_url, kind)
    restored = await restore(file, url)

    assert all(before[table] for table in metadata.tables if table != "arrivals")  # nothing is on its way
    assert restored == made == read_summary(file)
    assert made.rows == {name: len(rows) for name, rows in before.items() if name not in LEFT_OUT}
    assert told[-1] == (sum(made.rows.values()),) * 2
    async with await open_store(url, migrate=False) as store:
        after = await store.database.read(everything)
        assert after == before | {name: [] for name in LEFT_OUT & set(before)}
        await store.append(going_on, 3, [b"and on it goes"])
        assert (await store.players.create("Bob", "person", 1.0)).id not in {row[0] for row in before["players"]}


async def test_a_backup_shows_one_moment_of_a_store_that_is_written_to(database_url: str, tmp_path: Path) -> None:
    """Two matches always advance in one commit: a backup that shows them apart has seen two moments."""
    async with await open_store(database_url, alone=True) as store:
        one, other = await playing_table(store), await playing_table(store)
        over = False

        async def play() -> None:
            number = 0
            while not over:
                number += 1
                await asyncio.gather(store.append(one, number, [b"x"]), store.append(other, number, [b"x"]))

        playing = asyncio.ensure_future(play())
        for number in range(3):
            await backup(database_url, tmp_path / f"{number}.backup")
        over = True
        await playing
    sizes = []
    for number in range(3):
        await restore(tmp_path / f"{number}.backup", f"sqlite:///{tmp_path}/restored{number}.db")
        async with await open_store(f"sqlite:///{tmp_path}/restored{number}.db") as store:
            sizes.append((len(await store.read_journal(one)), len(await store.read_journal(other))))
    assert all(of_one == of_other for of_one, of_other in sizes), sizes
    assert sizes == sorted(sizes) and sizes[-1][0] > 0


async def test_more_rows_than_are_written_at_once(database_url: str, tmp_path: Path) -> None:
    async with await open_store(database_url) as store:
        match_id = await playing_table(store)
        entries = [b"%d" % number for number in range(1700)] + [bytes(2_000_000), b"last"]
        await store.append(match_id, 1, entries)
        await backup(database_url, tmp_path / "arena.backup")
    await restore(tmp_path / "arena.backup", f"sqlite:///{tmp_path}/restored.db")
    async with await open_store(f"sqlite:///{tmp_path}/restored.db") as store:
        assert await store.read_journal(match_id) == entries


async def test_a_database_that_holds_an_arena_is_not_overwritten(database_url: str, tmp_path: Path) -> None:
    async with await open_store(database_url) as store:
        ann = await store.players.create("Ann", "person", 1.0)
    await backup(database_url, tmp_path / "arena.backup")
    with pytest.raises(StoreError, match="holds an arena already, and it is not touched"):
        await restore(tmp_path / "arena.backup", database_url)
    async with await open_store(database_url) as store:
        assert await store.players.get(ann.id) == ann


async def test_a_backup_is_not_overwritten(sqlite_url: str, tmp_path: Path) -> None:
    async with await open_store(sqlite_url):
        pass
    await backup(sqlite_url, tmp_path / "arena.backup")
    with pytest.raises(StoreError, match=r"arena\.backup exists already: name a new file"):
        await backup(sqlite_url, tmp_path / "arena.backup")
    with pytest.raises(StoreError, match="could not be written: No such file or directory"):
        await backup(sqlite_url, tmp_path / "nowhere" / "arena.backup")
    with pytest.raises(StoreError, match="there is no database"):
        await backup(f"sqlite:///{tmp_path}/nosuch.db", tmp_path / "another.backup")
    assert sorted(path.name for path in tmp_path.iterdir() if "backup" in path.name) == ["arena.backup"]


def cut_off(content: bytes) -> bytes:
    return content[:-20]


def cut_in_half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def turn_a_bit(content: bytes) -> bytes:
    at = len(content) - 40
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def lose_the_checksum(content: bytes) -> bytes:
    """Repacked without the last message, so that zstd itself has nothing to complain of."""
    messages = zstandard.ZstdDecompressor().stream_reader(content[len(FIRST_LINE) :]).read()
    return FIRST_LINE + zstandard.ZstdCompressor().compress(messages[:-30])


@pytest.mark.parametrize("damage", [cut_off, cut_in_half, turn_a_bit, lose_the_checksum])
async def test_a_damaged_backup_is_refused_before_anything_is_written(
    sqlite_url: str, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "arena.backup"
    async with await open_store(sqlite_url) as store:
        await put_something_everywhere(store)
    await backup(sqlite_url, file)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(StoreError, match=r"arena\.backup is a damaged backup, and nothing was restored"):
        await restore(file, f"sqlite:///{tmp_path}/restored.db")
    assert not (tmp_path / "restored.db").exists()


async def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").write_bytes(b"Dear Ann, ...")
    with pytest.raises(StoreError, match="letter is no backup of Turntile"):
        await restore(tmp_path / "letter", f"sqlite:///{tmp_path}/restored.db")
    with pytest.raises(StoreError, match="nosuch cannot be read: No such file"):
        await restore(tmp_path / "nosuch", f"sqlite:///{tmp_path}/restored.db")


async def test_a_backup_of_a_newer_turntile_is_refused(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await open_store(sqlite_url):
        pass
    await backup(sqlite_url, tmp_path / "arena.backup")
    monkeypatch.setattr("turntile.store.backup.VERSION", "0000")
    with pytest.raises(StoreError, match=f"made by a newer Turntile .*version {VERSION}, this one knows 0000"):
        await restore(tmp_path / "arena.backup", f"sqlite:///{tmp_path}/restored.db")
