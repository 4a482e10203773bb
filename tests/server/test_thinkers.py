"""Built-in bots think elsewhere: nobody waits for them but their own match, and a worker that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.server.halls import ME, bot, first_legal, open_hall, person, run, until, wish
from turntile.core.errors import TurntileError
from turntile.core.registry import find, games
from turntile.match.log import Acted, read_entry, write_entry
from turntile.match.match import Match
from turntile.server.levels import UnknownBot, check_bot, expected_s, find_level, levels_of
from turntile.server.thinkers import CannotThink, Job, Thinkers
from turntile.server.thinking import Think, Worker


async def nothing_yet(number: int) -> Sequence[bytes]:
    return []


def job(text: str = "random", match: str = "m", seat: int = 0, seed: int = 1) -> Job:
    return Job(match, "racers", {}, seed, seat, text, nothing_yet, lambda: True)


# ------------------------------------------------------------------- in a match


def test_a_bot_that_thinks_delays_no_other_match(tmp_path: Path) -> None:
    """While one bot searches, another match is played to its tenth action: told by the order of events."""

    async def story() -> list[str]:
        events: list[str] = []
        async with open_hall(tmp_path, thinkers=2) as hall:
            ann = await person(hall, "Ann")
            slow = await hall.open_table(wish("worms", bot("tree:2000"), ME, worms=3), ann)
            await until(lambda: hall.thinkers.busy == 1)
            other = await hall.open_table(wish("racers", ME, ME), ann)
            for _ in range(10):
                assert other.match is not None
                seat = other.match.waiting()[0]
                await other.act(seat, 0, first_legal(other, seat))
                events.append("acted elsewhere")
            quick = await hall.open_table(wish("racers", bot("random"), ME), ann)
            await until(lambda: quick.number > 0)
            events.append("another bot acted")
            await until(lambda: slow.number > 0)
            events.append("the search is done")
        return events

    assert run(story()) == ["acted elsewhere"] * 10 + ["another bot acted", "the search is done"]


def test_turns_people_wait_for_come_before_those_of_bots_among_themselves() -> None:
    """Else whoever sets up fifty matches of bots keeps everybody's opponents from thinking."""

    async def story() -> None:
        thinkers = Thinkers(1)
        try:
            for number, people_wait in enumerate((False, False, True, False, True)):
                asked = job(match=str(number))
                asked.people_wait = people_wait
                thinkers.think(asked)
            assert [waiting.match for waiting in thinkers.workers[0].queue] == ["2", "4", "0", "1", "3"]
        finally:
            await thinkers.close()

    run(story())


def test_a_worker_that_is_killed_is_replaced_and_the_match_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, thinkers=1) as hall:
            table = await hall.open_table(wish("racers", bot("tree:300"), ME), await person(hall, "Ann"))
            [worker] = hall.thinkers.workers
            await until(lambda: worker.process is not None and worker.seen)
            first = worker.process
            assert first is not None
            os.kill(first.pid, signal.SIGKILL)
            await until(lambda: table.number > 0)
            assert worker.process is not None and worker.process.pid != first.pid
            entry = read_entry((await hall.store.read_journal(table.id))[0])
            assert isinstance(entry, Acted) and entry.seat == 0

    run(story())


def test_a_bot_that_cannot_think_is_silent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, thinkers=1) as hall:
            ann = await person(hall, "Ann")
            table = await hall.open_table(wish("racers", ME, bot("random")), ann)

            def refuse(job: Job) -> asyncio.Future[object]:
                job.answer.set_exception(CannotThink("made for this test"))
                return job.answer  # type: ignore[return-value]

            hall.thinkers.think = refuse  # type: ignore[method-assign, assignment]
            assert table.match is not None
            while table.match.waiting() == (0,):
                await table.act(0, 0, "end" if "end" in table.match.legal(0) else first_legal(table, 0))
            await until(lambda: table.standing is not None and table.standing.failures[1] > 0)

    run(story())
    assert "made for this test" in caplog.text


# ------------------------------------------------------------------- workers


def test_a_worker_that_hangs_is_replaced() -> None:
    async def story() -> None:
        thinkers = Thinkers(1, patience_s=60.0)
        try:
            await thinkers.think(job())
            [worker] = thinkers.workers
            first = worker.process
            assert first is not None
            os.kill(first.pid, signal.SIGSTOP)
            worker.patience_s = 5.0  # shorter, but enough for the next worker on a busy machine
            assert (await thinkers.think(job())).text
            assert worker.process is not None and worker.process.pid != first.pid
        finally:
            await thinkers.close()

    run(story())


def test_a_bot_that_fails_twice_is_told_as_failed() -> None:
    async def story() -> None:
        thinkers = Thinkers(1)
        try:
            with pytest.raises(CannotThink, match="no bot called 'nobody'"):
                await thinkers.think(job("nobody"))
            assert (await thinkers.think(job("random"))).text  # and the worker lives on
        finally:
            await thinkers.close()

    run(story())


def test_what_nobody_waits_for_is_not_thought_about() -> None:
    async def story() -> None:
        thinkers = Thinkers(1)
        try:
            unwanted = job()
            unwanted.wanted = lambda: False
            with pytest.raises(asyncio.CancelledError):
                await thinkers.think(unwanted)
            assert thinkers.workers[0].process is None
        finally:
            await thinkers.close()

    run(story())


def test_a_worker_is_told_only_what_it_has_not_seen() -> None:
    """And one whose shadow of a match is elsewhere says so."""
    match = Match.start(find("racers"), None, 1)
    entries = []
    for _ in range(6):
        seat = match.waiting()[0]
        text = match.turn(seat).legal[0]
        match.submit(seat, text)
        entries.append(write_entry(Acted(seat, text)))
    worker = Worker()

    def ask(first: int, told: list[bytes]) -> object:
        seat = match.waiting()[0]
        return worker.think(Think(1, "m", "racers", {}, 1, seat, "random", first, told))

    assert ask(3, entries[3:]).lost  # type: ignore[attr-defined]
    assert ask(0, entries[:4]).lost is False  # type: ignore[attr-defined]
    assert ask(4, entries[4:]).text in match.legal(match.waiting()[0])  # type: ignore[attr-defined]
    assert worker.shadows["m"].number == 6
    assert worker.shadows["m"].match.state.position() == match.state.position()


def test_a_match_stays_with_the_worker_that_knows_it_unless_that_one_is_busy() -> None:
    async def story() -> None:
        thinkers = Thinkers(3)
        first, second, third = thinkers.workers
        second.seen["m"] = 4
        assert thinkers.choose(job()) is second
        second.load_s = 0.4
        assert thinkers.choose(job()) is first
        first.load_s = 0.1
        assert thinkers.choose(job()) is third

    run(story())


# ------------------------------------------------------------------- levels


@pytest.mark.parametrize("name", list(games()))
def test_every_game_has_levels_from_easy_to_strong(name: str) -> None:
    game = find(name)
    levels = levels_of(game)
    assert [level.level for level in levels] == ["easy", "medium", "hard", "expert"][: len(levels)] and levels
    for level in levels:
        assert check_bot(game, level.bot) == level.bot
        assert level.name == f"{game.title} {level.level}"
        assert find_level(game, level.level) == level == find_level(game, level.name)
    assert [expected_s(level.bot) for level in levels][-1] == max(expected_s(level.bot) for level in levels)


def test_a_game_we_do_not_know_has_the_levels_its_bots_suggest() -> None:
    unknown = replace(find("racers"), name="unknown", title="Unknown")
    assert [level.bot for level in levels_of(unknown)] == ["random", "runner", "tree:100", "tree:400"]
    quick = replace(find("tron"), name="unknown", title="Unknown")
    assert [level.bot for level in levels_of(quick)] == ["random", "greedy", "tree:25", "tree:100"]


@pytest.mark.parametrize(
    "text", ["cmd:/bin/sh", "plain:/bin/sh", "x.py", "http://127.0.0.1", "human", "", "tree:99999"]
)
def test_only_the_games_own_bots_may_be_asked_for(text: str) -> None:
    with pytest.raises(UnknownBot):
        check_bot(find("racers"), text)


@pytest.mark.parametrize("text", ["tree:x", "tree:-1", "tree:0", "hunter:" + "x" * 50, "tree:²"])
def test_a_budget_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(TurntileError):
        check_bot(find("racers"), text)
