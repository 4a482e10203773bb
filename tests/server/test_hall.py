"""The hall where several things happen at the same moment, or one of them fails: nobody is left behind."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.halls import ME, OPEN, Listener, bot, open_hall, person, run, until, wish
from turntile.server import hall as hall_module
from turntile.server.hall import Hall
from turntile.server.seating import CannotSit
from turntile.server.table import Table
from turntile.store import StoreError


async def two_people(hall: Hall, game: str = "racers") -> Table:
    ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
    table = await hall.open_table(wish(game, ME, OPEN), ann)
    await hall.join(table, bob)
    return table


async def over(table: Table) -> None:
    await table.resign(0)
    await table.settled()


# ------------------------------------------------------------------- rematches


def test_two_who_ask_for_a_rematch_at_the_same_moment_meet_at_one_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            for _ in range(5):
                table = await two_people(hall)
                await over(table)
                one, other = await asyncio.gather(hall.rematch(table.id, ann), hall.rematch(table.id, bob))
                assert one is other and one.row.status == "playing"
                assert await hall.find(one.id) is one

    run(story())


def test_a_table_is_one_table_for_who_finds_it_before_it_is_quite_there(tmp_path: Path) -> None:
    """Who reads of a new table in the store finds the same one as who opened it."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, create = await person(hall, "Ann"), hall.store.matches.create
            found: list[Table | None] = []

            async def create_and_be_found(match: Any) -> None:
                await create(match)
                found.append(await hall.find(match.id))

            hall.store.matches.create = create_and_be_found  # type: ignore[method-assign]
            table = await hall.open_table(wish("racers", ME, OPEN), ann)
            assert found == [table]

    run(story())


def test_a_table_that_could_not_be_stored_is_not_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann = await person(hall, "Ann")

            async def fail(match: Any) -> None:
                raise StoreError("no room")

            hall.store.matches.create = fail  # type: ignore[method-assign]
            with pytest.raises(StoreError):
                await hall.open_table(wish("racers", ME, OPEN), ann)
            assert not hall.tables

    run(story())


@pytest.mark.parametrize("deleted", [False, True])
def test_a_bot_that_was_put_to_rest_is_not_woken_by_a_rematch(tmp_path: Path, deleted: bool) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            robot, _ = await hall.store.bots.create("Zippy", bob.id, "", "webhook", time.time(), address="http://x")
            table = await hall.open_table(wish("racers", ME, bot("@Zippy")), ann)
            await over(table)
            if deleted:
                await hall.store.bots.delete(robot.id, time.time())
            else:
                await hall.store.bots.change(robot.id, enabled=False)
            with pytest.raises(CannotSit, match="does not play"):
                await hall.rematch(table.id, ann)

    run(story())


# ------------------------------------------------------------------- what fails in between


async def fill_without_beginning(hall: Hall) -> Table:
    """A table whose last seat was taken at the moment when the store went away."""
    ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
    table = await hall.open_table(wish("racers", ME, OPEN), ann)
    begin = hall.store.matches.begin

    async def fail(match_id: str, started: float) -> bool:
        raise StoreError("no room")

    hall.store.matches.begin = fail  # type: ignore[method-assign]
    with pytest.raises(StoreError):
        await hall.join(table, bob)
    hall.store.matches.begin = begin  # type: ignore[method-assign]
    return table


def test_a_full_table_that_could_not_begin_begins_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_module, "TIDY_S", 0.02)

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await fill_without_beginning(hall)
            await until(lambda: table.row.status == "playing")

    run(story())


def test_a_full_table_that_could_not_begin_begins_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await fill_without_beginning(hall)
        async with open_hall(tmp_path) as hall:
            again = await hall.find(table.id)
            assert again is not None and again.row.status == "playing" and again.match is not None

    run(story())


def test_tidying_goes_on_after_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open table that cannot be removed now is removed later, and others are not kept for it."""
    monkeypatch.setattr(hall_module, "TIDY_S", 0.02)

    async def story() -> None:
        async with open_hall(tmp_path, open_table_s=0.0) as hall:
            remove, failures = hall.store.matches.remove, list[str]()

            async def fail_at_first(match_id: str) -> bool:
                if not failures:
                    failures.append(match_id)
                    raise StoreError("no room")
                return await remove(match_id)

            hall.store.matches.remove = fail_at_first  # type: ignore[method-assign]
            await hall.open_table(wish("racers", ME, OPEN), await person(hall, "Ann"))
            await until(lambda: not hall.tables)
            assert failures

    run(story())


def test_watchers_of_one_table_see_on_where_those_of_another_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "SHOW_WATCHERS_S", 0.02)

    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=0.2, watch_delay_steps=0) as hall:
            broken, sound = [await two_people(hall, "robots") for _ in range(2)]
            watcher = Listener()
            broken.subscribe(Listener())
            await until(lambda: broken.delayed is not None and broken.delayed.match is not None)
            assert broken.delayed is not None
            broken.delayed.limits = None  # type: ignore[assignment, method-assign]
            broken.delayed.coming = [b"nonsense"]  # type: ignore[assignment]
            sound.subscribe(watcher)
            for seat in (0, 1):
                await sound.act(seat, 0, "deploy")
            await until(lambda: watcher.frames and watcher.frames[-1].step > 0)

    run(story())


def test_a_picture_that_cannot_be_drawn_does_not_stop_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)

            def fail(*_: object) -> None:
                raise ValueError("no such look")

            with monkeypatch.context() as patched:
                patched.setattr(type(table.lookout), "tell", fail)
                assert (await table.act(0, 1, "move r")).number == 1
            assert (await table.act(0, 2, "end")).number == 2

    run(story())
