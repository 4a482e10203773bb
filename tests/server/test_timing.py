"""Time at a table: clocks, games in real time, people who leave."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.halls import ME, OPEN, Listener, bot, first_legal, open_hall, person, run, until, wish
from turntile.core.errors import IllegalAction
from turntile.match.log import Acted, WasSilent, read_entry
from turntile.server.hall import Hall
from turntile.server.orders import Choose
from turntile.server.seating import SeatWish
from turntile.server.table import Table


async def table_for_two(hall: Hall, game: str, clock: str = "") -> Table:
    ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
    options: dict[str, Any] = {"board": "arena"} if game == "tron" else {}  # with room to go straight on
    table = await hall.open_table(wish(game, ME, OPEN, clock=clock, **options), ann)
    await hall.join(table, bob)
    return table


# ------------------------------------------------------------------- clocks


def test_who_says_nothing_in_time_is_silent(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "tron", "30ms")
            await until(lambda: table.match is not None and table.match.step_number >= 2)
            entry = read_entry((await hall.store.read_journal(table.id))[0])
            assert isinstance(entry, WasSilent) and entry.seats == (0, 1)

    run(story())


def test_who_has_used_up_his_bank_has_lost(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "racers", "bank 50ms")
            await table.settled()
            assert table.match is not None and table.match.outcome is not None
            assert table.match.outcome.reason == "seat 0 ran out of time"

    run(story())


def test_an_answer_that_took_too_long_does_not_count(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "racers", "60s")
            assert table.match is not None
            with pytest.raises(IllegalAction, match="too late: the turn of seat 0 ended after 60 s"):
                await table.act(0, 1, first_legal(table, 0), time_s=61.0)
            assert table.match.step_number == 1
            assert table.standing is not None and table.standing.next_seq[0] == 1

    run(story())


def test_with_a_clock_a_turn_has_one_choice(tmp_path: Path) -> None:
    """Else everybody could earn the increment twice."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "tron", "bank 60s +1s")
            await table.act(0, 1, "up")
            with pytest.raises(IllegalAction, match="has chosen"):
                await table.act(0, 2, "left")
            assert table.standing is not None and table.standing.clocks[0].turns == 1

    run(story())


def test_a_bank_is_the_same_after_a_restart_and_the_turn_starts_anew(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "racers", "bank 60s")
            await table.act(0, 1, first_legal(table, 0), time_s=20.0)
            match_id = table.id
        async with open_hall(tmp_path) as hall:
            again = await hall.find(match_id)
            assert again is not None and again.standing is not None and again.timing is not None
            assert again.standing.clocks[0].bank_s == 40.0
            assert again.number == 1
            seat = again.standing.match.waiting()[0]
            ear = Listener(seat)
            again.subscribe(ear)
            [clock, _] = ear.frames[-1].clocks
            assert clock.bank_ms == pytest.approx(40_000, abs=10_000)

    run(story())


def test_built_in_bots_have_budgets_and_no_clock(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(wish("racers", bot("tree:60"), ME, clock="1ms"), await person(hall, "Ann"))
            await until(lambda: table.number >= 3)
            entries = [read_entry(entry) for entry in await hall.store.read_journal(table.id)]
            assert isinstance(entries[0], Acted) and entries[0].seat == 0
            assert all(entry.seats == (1,) for entry in entries if isinstance(entry, WasSilent))

    run(story())


# ------------------------------------------------------------------- real time


def test_real_time_begins_when_all_people_are_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "tron", "real 50ms")
            first, second = Listener(0), Listener(1)
            table.subscribe(first)
            await asyncio.sleep(0.2)
            assert table.number == 0 and first.frames[-1].due_ms is None
            table.subscribe(second)
            assert first.frames[-1].due_ms is not None and second.frames[-1].due_ms is not None
            await until(lambda: table.number >= 2)
            entry = read_entry((await hall.store.read_journal(table.id))[0])
            assert isinstance(entry, WasSilent) and entry.seats == (0, 1)

    run(story())


def test_in_real_time_a_step_waits_for_its_moment_and_the_last_choice_counts(tmp_path: Path) -> None:
    """Both have chosen at once, but nothing is played or acknowledged before the step is due."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "tron", "real 60s")
            first, second = Listener(0), Listener(1)
            table.subscribe(first)
            table.subscribe(second)
            for seat, seq, text, ear in ((0, 1, "up", first), (0, 2, "down", first), (1, 1, "left", second)):
                table.post(Choose(seat, seq, text, reply=ear))
            table.post(Choose(0, 1, "up", reply=first))  # sent again: it is answered when the first one is
            assert table.match is not None and table.match.step_number == 0
            assert first.answers == [] == second.answers
            assert table.timing is not None
            table.timing.due = table.now()
            table.time_passed()
            await until(lambda: table.number == 3)
            assert table.match.step_number == 1
            assert sorted(answer.seq for answer in first.answers) == [1, 1, 2]
            assert [answer.seq for answer in second.answers] == [1]
            entries = [read_entry(entry) for entry in await hall.store.read_journal(table.id)]
            assert [(entry.seat, entry.text) for entry in entries if isinstance(entry, Acted)] == [
                (0, "up"),
                (0, "down"),
                (1, "left"),
            ]
            assert table.next_seq(0) == 3

    run(story())


def test_in_real_time_each_step_has_its_own_action(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "tron", "real 60s")
            with pytest.raises(IllegalAction, match="one at a time"):
                await table.act(0, 1, "up; left")
            with pytest.raises(IllegalAction, match="seq 1, not 2"):
                await table.act(0, 2, "up")

    run(story())


def test_a_bot_plays_in_real_time_with_people(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann = await person(hall, "Ann")
            table = await hall.open_table(wish("tron", ME, bot("medium"), clock="real 60ms", board="arena"), ann)
            ear = Listener(0, feed="scene", player_id=ann.id)
            table.subscribe(ear)
            await until(lambda: table.number >= 4)
            entries = [read_entry(entry) for entry in await hall.store.read_journal(table.id)]
            assert isinstance(entries[0], Acted) and entries[0].seat == 1
            assert any(isinstance(entry, WasSilent) and 0 in entry.seats for entry in entries)

    run(story())


def test_two_people_at_one_keyboard_play_in_real_time_uncovered(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann = await person(hall, "Ann")
            table = await hall.open_table(
                wish("tron", ME, SeatWish("me", "Bea"), clock="real 50ms", board="arena"), ann
            )
            ear = Listener(0, 1, feed="scene", player_id=ann.id)
            table.subscribe(ear)
            await until(lambda: table.number >= 2)
            assert len(ear.frames[-1].pictures) == 2 and not any(frame.covered for frame in ear.frames)

    run(story())


# ------------------------------------------------------------------- people who leave


def test_who_is_away_while_others_wait_has_left(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, abandon_s=0.05) as hall:
            table = await table_for_two(hall, "racers")
            await table.settled()
            assert table.match is not None and table.match.outcome is not None
            assert table.match.outcome.reason == "seat 0 left"

    run(story())


def test_who_is_there_may_think_as_long_as_he_likes(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, abandon_s=0.05) as hall:
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            table = await hall.open_table(wish("racers", ME, OPEN), ann)
            ear = Listener(0, player_id=ann.id)
            table.subscribe(ear)
            await hall.join(table, bob)
            await asyncio.sleep(0.3)
            assert table.match is not None and not table.match.over
            table.unsubscribe(ear)
            await table.settled()
            assert table.match.resignations == [(0, "left")]

    run(story())


def test_an_open_table_nobody_comes_to_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr("turntile.server.hall.TIDY_S", 0.02)
        async with open_hall(tmp_path, open_table_s=0.05) as hall:
            ann = await person(hall, "Ann")
            waited_for = await hall.open_table(wish("racers", ME, OPEN), ann)
            waited_for.subscribe(Listener(0))
            forgotten = await hall.open_table(wish("racers", ME, OPEN), ann)
            await until(lambda: forgotten.id not in hall.tables)
            assert await hall.store.matches.get(forgotten.id) is None
            assert waited_for.id in hall.tables

    run(story())


def test_an_idle_table_gives_back_what_it_can_make_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await table_for_two(hall, "robots")
            table.subscribe(Listener(0, feed="scene"))
            assert table.match is not None and table.match.known_record is not None and table.lookout.letters
            table.tidy(table.now() + 3600)
            assert table.match.known_record is None and not table.lookout.letters
            await table.act(0, 1, "deploy")

    run(story())
