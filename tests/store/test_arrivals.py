"""A server alone on its file of SQLite notes entries as they come: they are nowhere else, and lost nowhere."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.tables_set import playing_table, won
from turntile.store import LostOwnership, Store, open_store
from turntile.store.backup import backup, restore

pytestmark = pytest.mark.anyio


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
async def alone(file: Path, anyio_backend: str) -> AsyncIterator[Store]:
    async with await open_store(f"sqlite:///{file}", alone=True) as store:
        yield store


def count(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        found: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return found


async def play(store: Store, match_id: str, first: int, last: int) -> None:
    for number in range(first, last + 1):
        await store.append(match_id, number, [b"%d" % number])


def numbers(last: int) -> list[bytes]:
    return [b"%d" % number for number in range(1, last + 1)]


async def test_entries_of_a_match_that_goes_on_are_noted_in_one_row_a_commit(alone: Store, file: Path) -> None:
    ids = [await playing_table(alone) for _ in range(5)]
    await asyncio.gather(*(play(alone, match_id, 1, 4) for match_id in ids))
    assert count(file, "journal") == 5  # the first of each, by which its number became known
    assert 3 <= count(file, "arrivals") <= 15


async def test_what_was_noted_is_read_like_everything_else(alone: Store, file: Path) -> None:
    ids = [await playing_table(alone) for _ in range(3)]
    await asyncio.gather(*(play(alone, match_id, 1, 6) for match_id in ids))
    for match_id in ids:
        assert await alone.read_journal(match_id) == numbers(6)
        assert await alone.read_journal(match_id, after=4) == [b"5", b"6"]
    assert count(file, "arrivals")  # nobody had to file them for that
    await play(alone, ids[0], 7, 9)
    assert await alone.read_journal(ids[0]) == numbers(9)


async def test_what_was_noted_is_there_after_a_kill(alone: Store, file: Path, tmp_path: Path) -> None:
    match_id = await playing_table(alone)
    await play(alone, match_id, 1, 8)
    left = tmp_path / "left"
    left.mkdir()
    for part in tmp_path.glob("arena.db*"):  # as a dead process leaves it
        shutil.copy(part, left / part.name)
    async with await open_store(f"sqlite:///{left / 'arena.db'}", alone=True) as after:
        assert await after.read_journal(match_id) == numbers(8)
        await play(after, match_id, 9, 10)
        assert await after.read_journal(match_id) == numbers(10)


async def test_an_end_takes_along_what_was_noted(alone: Store, file: Path) -> None:
    ends, stays = await playing_table(alone), await playing_table(alone)
    await asyncio.gather(play(alone, ends, 1, 5), play(alone, stays, 1, 5))
    await alone.append(ends, 6, [b"6"], won())
    assert await alone.read_journal(ends) == []
    assert await alone.read_journal(stays) == numbers(5)
    with pytest.raises(LostOwnership):
        await alone.append(ends, 7, [b"late"])


@pytest.mark.parametrize("number", [1, 4, 5, 7])
async def test_a_number_that_is_not_the_next_is_refused_alone(alone: Store, number: int) -> None:
    """One that is there already; one that leaves a gap is the caller's own business, and kept as it is."""
    match_id, other = await playing_table(alone), await playing_table(alone)
    await asyncio.gather(play(alone, match_id, 1, 5), play(alone, other, 1, 5))
    wrong, right = await asyncio.gather(
        alone.append(match_id, number, [b"again"]), alone.append(other, 6, [b"6"]), return_exceptions=True
    )
    assert right is None and isinstance(wrong, LostOwnership) == (number <= 5)
    assert await alone.read_journal(other) == numbers(6)
    assert await alone.read_journal(match_id) == [*numbers(5), *([b"again"] if number > 5 else [])]


async def test_a_match_that_was_handed_over_is_noted_no_more(alone: Store) -> None:
    alone.process = "me"
    match_id, other = await playing_table(alone, owner="me"), await playing_table(alone, owner="me")
    await asyncio.gather(play(alone, match_id, 1, 3), play(alone, other, 1, 3))
    assert await alone.matches.hand_over(match_id, "me", "another")
    lost, kept = await asyncio.gather(
        alone.append(match_id, 4, [b"4"]), alone.append(other, 4, [b"4"]), return_exceptions=True
    )
    assert isinstance(lost, LostOwnership) and kept is None
    assert await alone.read_journal(match_id) == numbers(3) and await alone.read_journal(other) == numbers(4)


async def test_of_many_the_oldest_are_filed(alone: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turntile.store.sqlite.FILE_AFTER", 20)
    monkeypatch.setattr("turntile.store.sqlite.FILED_AT_ONCE", 5)
    match_id = await playing_table(alone)
    await play(alone, match_id, 1, 20)
    assert count(file, "journal") == 1 and count(file, "arrivals") == 19
    await play(alone, match_id, 21, 22)  # the last is committed after the filing
    assert count(file, "journal") == 6 and count(file, "arrivals") == 16
    assert await alone.read_journal(match_id) == numbers(22)
    await play(alone, match_id, 23, 60)
    assert await alone.read_journal(match_id, after=3) == numbers(60)[3:]
    assert count(file, "arrivals") <= 20


async def test_what_is_over_is_not_filed(alone: Store, file: Path) -> None:
    over, stays = await playing_table(alone), await playing_table(alone)
    await asyncio.gather(play(alone, over, 1, 5), play(alone, stays, 1, 5))
    await alone.append(over, 6, [], won())
    await alone.close()
    assert count(file, "arrivals") == 0 and count(file, "journal") == 5


async def test_closing_leaves_nothing_on_its_way(file: Path) -> None:
    async with await open_store(f"sqlite:///{file}", alone=True) as store:
        match_id = await playing_table(store)
        await play(store, match_id, 1, 4)
    assert count(file, "arrivals") == 0 and count(file, "journal") == 4


async def test_a_backup_brings_along_what_was_noted(alone: Store, file: Path, tmp_path: Path) -> None:
    match_id = await playing_table(alone)
    await play(alone, match_id, 1, 7)
    assert count(file, "arrivals")
    await backup(f"sqlite:///{file}", tmp_path / "kept.backup")
    await restore(tmp_path / "kept.backup", f"sqlite:///{tmp_path / 'restored.db'}")
    async with await open_store(f"sqlite:///{tmp_path / 'restored.db'}", migrate=False) as restored:
        assert await restored.read_journal(match_id) == numbers(7)
