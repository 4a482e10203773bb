"""Watchers of hidden games are behind, by time and by steps; at the end they see everything."""

from __future__ import annotations

from pathlib import Path

from tests.server.halls import ME, OPEN, Listener, bot, open_hall, person, play, run, until, wish
from turntile.server.hall import Hall
from turntile.server.table import Table
from turntile.server.watching import Marks


async def two_people(hall: Hall, game: str = "racers") -> Table:
    table = await hall.open_table(wish(game, ME, OPEN), await person(hall, "Ann"))
    await hall.join(table, await person(hall, "Bob"))
    return table


def steps(ear: Listener) -> list[int]:
    return [frame.step for frame in ear.frames]


def test_watchers_are_so_many_steps_behind(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=0.0, watch_delay_steps=3) as hall:
            table = await two_people(hall)
            ear = Listener(feed="view")
            table.subscribe(ear)
            await until(lambda: ear.frames)
            await play(table, 5)
            assert steps(ear) == [0, 1, 2]
            assert ear.frames[-1].pictures[0].seat is None

    run(story())


def test_watchers_are_so_many_seconds_behind(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=3600.0, watch_delay_steps=0) as hall:
            table = await two_people(hall)
            ear = Listener()
            table.subscribe(ear)
            await until(lambda: ear.frames)
            await play(table, 5)
            assert steps(ear) == [0]
            assert ear.lines == []

    run(story())


def test_at_the_end_watchers_see_everything(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=3600.0, watch_delay_steps=10) as hall:
            table = await two_people(hall)
            watcher, player = Listener(), Listener(0)
            table.subscribe(watcher)
            table.subscribe(player)
            await until(lambda: watcher.frames)
            await play(table, 5)
            await table.resign(0)
            await table.settled()
            assert watcher.frames[-1].step == 5
            assert watcher.frames[-1].outcome == player.frames[-1].outcome is not None
            assert watcher.told[-1] == "the match is over"

    run(story())


def test_who_begins_to_watch_later_is_behind_as_well(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=0.0, watch_delay_steps=3) as hall:
            table = await two_people(hall)
            await play(table, 5)
            ear = Listener()
            table.subscribe(ear)
            await play(table)  # while the second match is still being run
            await until(lambda: ear.frames and ear.frames[-1].step == 3)
            await play(table)
            assert ear.frames[-1].step == 4

    run(story())


def test_several_steps_of_one_message_are_shown_together_and_not_early(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=0.0, watch_delay_steps=2) as hall:
            table = await hall.open_table(wish("tron", ME, ME, clock="60s", board="arena"), await person(hall, "Ann"))
            ear = Listener()
            table.subscribe(ear)
            await until(lambda: ear.frames)
            await table.act(0, 0, "straight; straight; straight")
            await table.act(1, 0, "straight; straight; straight")
            assert table.match is not None and table.match.step_number == 3
            assert steps(ear)[-1] == 0
            await play(table, 4)
            assert table.match.step_number == 5
            assert steps(ear)[-1] == 3

    run(story())


def test_bots_among_themselves_are_watched_live(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=3600.0, show_pace_s=0.01) as hall:
            table = await hall.open_table(wish("racers", bot("easy"), bot("easy")), await person(hall, "Ann"))
            ear = Listener(feed="scene")
            table.subscribe(ear)
            await until(lambda: len(ear.frames) > 3)
            assert table.delayed is None

    run(story())


def test_the_second_match_exists_only_while_somebody_watches(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            first, second = Listener(), Listener()
            table.subscribe(first)
            table.subscribe(second)
            assert table.delayed is not None and table.info().watchers == 2
            table.unsubscribe(first)
            assert table.delayed is not None
            table.unsubscribe(second)
            assert table.delayed is None and table not in hall.watched

    run(story())


def test_who_watched_an_open_table_is_behind_once_it_begins(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, watch_delay_s=3600.0) as hall:
            table = await hall.open_table(wish("racers", ME, OPEN), await person(hall, "Ann"))
            ear = Listener()
            table.subscribe(ear)
            await hall.join(table, await person(hall, "Bob"))
            await play(table, 3)
            await until(lambda: ear.frames)
            assert steps(ear) == [0]

    run(story())


def test_marks_tell_what_is_older_than_the_delay() -> None:
    marks = Marks(30.0, now=0.0, number=0)
    for second in range(1, 61):
        marks.add(float(second), second)
    assert marks.number_before(60.0) == 30
    assert marks.number_before(75.0) == 45
    assert marks.number_before(91.0) == 60
    assert len(marks.marks) <= 31
    quick = Marks(30.0, now=0.0, number=0)
    for entry in range(1, 1001):
        quick.add(entry / 1000, entry)
    assert len(quick.marks) <= 3
    assert quick.number_before(30.9) < 1000 == quick.number_before(31.0)


def test_after_a_restart_watchers_wait_the_whole_delay_again() -> None:
    """When the entries were made is not stored: all may be of this very moment."""
    marks = Marks(30.0, now=100.0, number=50)
    assert marks.number_before(129.0) == 0
    assert marks.number_before(130.0) == 50
