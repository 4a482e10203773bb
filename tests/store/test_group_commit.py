"""What shares a commit: those who answer the one before wait for each other, and for nobody who is not there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection

from turntile.store import group_commit
from turntile.store.group_commit import ENOUGH, Batches, Job

pytestmark = pytest.mark.anyio

LONG_S = 60.0


def work(_: Connection) -> None:
    """Something to be written."""


class Disk:
    """Keeps what it is given until it is told that it is written."""

    def __init__(self) -> None:
        self.batches = Batches(self.take)
        self.given: asyncio.Queue[list[Job]] = asyncio.Queue()
        self.settled = 0

    def take(self, batch: list[Job]) -> None:
        self.given.put_nowait(batch)

    def ask(self, many: int) -> None:
        for _ in range(many):
            self.batches.add(work, self.told)

    def told(self, error: Exception | None, result: Any) -> None:
        self.settled += 1

    async def write(self) -> int:
        """The next batch, when it comes; how many are in it."""
        batch = await asyncio.wait_for(self.given.get(), 10)
        size = len(batch)
        self.batches.settle(batch)
        return size


@pytest.fixture
async def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """One for which waiting would last longer than any test."""
    monkeypatch.setattr(group_commit, "GATHERING_S", LONG_S)
    return Disk()


async def test_the_first_after_a_pause_waits_for_nobody(disk: Disk) -> None:
    disk.ask(1)
    assert await disk.write() == 1


async def test_one_who_answers_at_once_does_not_wait_for_others_who_are_not_there(disk: Disk) -> None:
    disk.ask(1)
    assert await disk.write() == 1
    for _ in range(3):
        disk.ask(1)
        assert await disk.write() == 1


async def test_those_of_one_commit_share_the_next(disk: Disk) -> None:
    disk.ask(5)
    assert await disk.write() == 5
    disk.ask(3)
    await asyncio.sleep(0.01)
    assert disk.given.empty(), "two more were told and may just be answering"
    disk.ask(2)
    assert await disk.write() == 5


async def test_many_wait_for_no_more_than_enough(disk: Disk) -> None:
    disk.ask(2 * ENOUGH)
    assert await disk.write() == 2 * ENOUGH
    disk.ask(ENOUGH - 1)
    await asyncio.sleep(0.01)
    assert disk.given.empty()
    disk.ask(1)
    assert await disk.write() == ENOUGH


async def test_who_is_alone_in_the_end_waits_only_so_long(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.ask(5)
    await disk.write()
    monkeypatch.setattr(group_commit, "GATHERING_S", 0.02)
    disk.ask(1)
    assert await disk.write() == 1
    await asyncio.wait_for(disk.batches.idle(), 10)
    assert disk.settled == 6
