"""Pictures wait for their turn: nobody's action waits for them, and none of them is old."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.halls import ME, Listener, open_hall, person, run, until, wish
from turntile.server.easel import PLAYERS_FIRST, Easel
from turntile.server.hall import Hall
from turntile.server.messages import Ack, Frame
from turntile.server.table import Table


class Scribe:
    """A painter that writes down when it was whose turn."""

    def __init__(self, name: str, turns: list[str], fails: bool = False) -> None:
        self.name = name
        self.turns = turns
        self.fails = fails

    def draw(self, seats: tuple[int, ...]) -> None:
        self.turns.append(f"{self.name}{''.join(map(str, seats))}")
        if self.fails:
            raise RuntimeError("no colours left")


async def drawn(easel: Easel) -> None:
    await until(lambda: not easel.waiting)


def test_those_who_play_come_first_and_watchers_now_and_then() -> None:
    async def story() -> None:
        turns: list[str] = []
        easel = Easel()
        for name in "ab":
            easel.ask(Scribe(name, turns), ())
        for name in "pqrstu":
            easel.ask(Scribe(name, turns), (0,))
        await drawn(easel)
        assert PLAYERS_FIRST == 4
        assert turns == ["p0", "q0", "r0", "s0", "a", "t0", "u0", "b"]

    run(story())


def test_a_picture_asked_for_twice_is_drawn_once() -> None:
    async def story() -> None:
        turns: list[str] = []
        easel = Easel()
        scribe = Scribe("p", turns)
        for seats in ((0,), (1,), (0,), (), (1,), ()):
            easel.ask(scribe, seats)
        await drawn(easel)
        assert turns == ["p0", "p1", "p"]
        easel.ask(scribe, (0,))
        await drawn(easel)
        assert turns[3:] == ["p0"]

    run(story())


def test_the_loop_does_other_things_between_two_pictures() -> None:
    async def story() -> None:
        turns: list[str] = []
        easel = Easel()
        for name in "pqr":
            easel.ask(Scribe(name, turns), (0,))
        while easel.waiting:
            await asyncio.sleep(0)
            turns.append("-")
        assert "pq" not in "".join(turns).replace("0", "") and turns[-2:] == ["r0", "-"]

    run(story())


def test_a_picture_that_cannot_be_drawn_keeps_no_other_waiting(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        turns: list[str] = []
        easel = Easel()
        easel.ask(Scribe("p", turns, fails=True), (0,))
        easel.ask(Scribe("q", turns), (0,))
        await drawn(easel)
        assert turns == ["p0", "q0"]
        assert "could not be drawn" in caplog.text

    run(story())


def test_a_closed_easel_draws_nothing() -> None:
    async def story() -> None:
        turns: list[str] = []
        easel = Easel()
        easel.ask(Scribe("p", turns), (0,))
        easel.close()
        await asyncio.sleep(0.01)
        assert not turns and not easel.waiting

    run(story())


# ------------------------------------------------------------------- at a table


async def racers_table(hall: Hall) -> tuple[Table, Listener]:
    """Somebody who holds both seats and looks at pictures."""
    ann = await person(hall, "Ann")
    table = await hall.open_table(wish("racers", ME, ME), ann)
    ear = Listener(0, 1, feed="scene")
    table.subscribe(ear)
    return table, ear


def first_legal(table: Table) -> tuple[int, str]:
    match = table.match
    assert match is not None
    seat = match.waiting()[0]
    return seat, match.legal(seat)[0]


def test_an_acknowledgement_comes_before_its_picture(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table, ear = await racers_table(hall)
            seen = len(ear.frames)
            seat, text = first_legal(table)
            assert await table.act(seat, 1, text) == Ack(seat=seat, seq=1, number=1)
            await until(lambda: len(ear.frames) > seen)
            assert ear.frames[-1].step == 1

    run(story())


def test_a_match_that_goes_on_meanwhile_is_drawn_as_it_stands_with_all_that_was_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table, ear = await racers_table(hall)
            told = Listener(0, 1)
            table.subscribe(told)
            seen, heard = len(ear.frames), len(told.lines)
            hall.easel.turn = hall.easel.loop.call_later(3600, print)  # whoever draws is away
            for _ in range(6):
                seat, text = first_legal(table)
                await table.act(seat, 0, text)
            assert len(ear.frames) == seen
            hall.easel.turn.cancel()
            hall.easel.draw_one()
            assert [frame.step for frame in ear.frames[seen:]] == [6]
            assert [line for picture in ear.frames[-1].pictures for line in picture.lines] and told.lines[heard:]
            for_seat = [picture.lines for picture in ear.frames[-1].pictures]
            assert sorted(line for lines in for_seat for line in lines) == sorted(told.lines[heard:])

    run(story())


def test_the_last_picture_comes_before_the_word_that_it_is_over(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table, ear = await racers_table(hall)
            hall.easel.turn = hall.easel.loop.call_later(3600, print)
            await table.resign(0)
            await until(lambda: "the match is over" in ear.told)
            kinds = [type(message) for message in ear.heard]
            assert isinstance(ear.frames[-1], Frame) and ear.frames[-1].outcome is not None
            assert ear.heard.index(ear.frames[-1]) < len(kinds) - 1

    run(story())
