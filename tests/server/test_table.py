"""Tables: orders are judged in order, nothing is told before it is stored, and nothing is told twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.server.halls import (
    ME,
    OPEN,
    Listener,
    bot,
    first_legal,
    guest,
    open_hall,
    person,
    play,
    play_out,
    run,
    until,
    wish,
)
from turntile.core.errors import IllegalAction, TurntileError
from turntile.core.registry import find
from turntile.match.log import Acted, read_entry
from turntile.match.remarks import Failure
from turntile.match.replay import read_replay, verify
from turntile.server.ears import NotStored
from turntile.server.hall import Hall
from turntile.server.judging import FORGIVEN
from turntile.server.messages import Ack, Frame
from turntile.server.seating import CannotSit, SeatWish
from turntile.server.table import Table
from turntile.store import LostOwnership, StoreError
from turntile.store.database import WhenStored


async def two_people(hall: Hall, game: str = "tron", clock: str | None = None, **more: Any) -> Table:
    """Ann and Bob at one table; Ann is seat 0. Tron with a clock, else it would run in real time."""
    ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
    if clock is None:
        clock = "60s" if game == "tron" else ""
    if game == "tron":
        more = {"board": "arena", **more}  # with room to go straight on
    table = await hall.open_table(wish(game, ME, OPEN, clock=clock, **more), ann)
    assert await hall.join(table, bob) == 1
    return table


# ------------------------------------------------------------------- acting


def test_an_action_is_acknowledged_once_it_is_in_the_journal(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            assert await table.act(0, 1, "straight") == Ack(seat=0, seq=1, number=0), "no step yet"
            assert await table.act(1, 1, "up") == Ack(seat=1, seq=1, number=1)
            journal = [read_entry(entry) for entry in await hall.store.read_journal(table.id)]
            assert [(entry.seat, entry.text, entry.seq) for entry in journal if isinstance(entry, Acted)] == [
                (0, "straight", 1),
                (1, "up", 1),
            ]

    run(story())


def test_an_action_sent_again_counts_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            await table.act(0, 1, "straight")
            await table.act(1, 1, "straight")
            again = await table.act(0, 1, "straight")
            assert again.repeated and again.seq == 1
            assert table.match is not None and table.match.step_number == 1 and table.match.waiting() == (0, 1)

    run(story())


def test_an_action_that_leaves_out_a_number_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            with pytest.raises(IllegalAction, match="next message of seat 0 bears seq 1, not 2"):
                await table.act(0, 2, "straight")

    run(story())


def test_a_refusal_uses_up_no_number(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            with pytest.raises(TurntileError, match="dance"):
                await table.act(0, 1, "dance")
            assert (await table.act(0, 1, "straight")).repeated is False

    run(story())


def test_an_action_meant_for_another_step_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            await table.act(0, 1, "straight", step=0)
            await table.act(1, 1, "straight", step=0)
            with pytest.raises(IllegalAction, match="gone on since step 0: it is at step 1"):
                await table.act(0, 2, "straight", step=0)

    run(story())


def test_nobody_acts_before_the_match_begins(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(wish("racers", ME, OPEN), await person(hall, "Ann"))
            with pytest.raises(IllegalAction, match="has not begun"):
                await table.act(0, 1, "straight")

    run(story())


def test_nothing_tells_how_often_another_has_chosen(tmp_path: Path) -> None:
    """Robots are put together with a message for each part: how many there were would tell what a rival has."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            heard = []
            for messages in (1, 4):
                table = await two_people(hall, "robots")
                rival = Listener(1, feed="view")
                for _ in range(messages):
                    await table.act(0, 0, "deploy")
                table.subscribe(rival)
                ack = await table.act(1, 1, "deploy")
                assert len(await hall.store.read_journal(table.id)) == messages + 1
                heard.append(([frame.number for frame in rival.frames], ack.number))
            assert heard[0] == heard[1]

    run(story())


def test_orders_that_wait_share_one_commit(tmp_path: Path) -> None:
    """While one commit is under way others gather; they are judged one after the other all the same."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            gate = Gate(hall)
            sent = [asyncio.create_task(table.act(*one, "straight")) for one in ((0, 1), (1, 1), (0, 2))]
            await until(lambda: len(table.inbox) == 2)
            gate.open.set()
            assert [ack.number for ack in await asyncio.gather(*sent)] == [0, 1, 1]
            assert gate.sizes == [1, 2]

    run(story())


class Gate:
    """Holds every commit until it is opened."""

    def __init__(self, hall: Hall) -> None:
        self.open = asyncio.Event()
        self.sizes: list[int] = []
        self.hall = hall
        self.add = hall.store.add
        hall.store.add = self.hold  # type: ignore[method-assign]

    def hold(self, match_id: str, first_number: int, entries: Sequence[bytes], told: WhenStored) -> None:
        self.sizes.append(len(entries))
        self.hall.spawn(self.add_later(match_id, first_number, entries, told))

    async def add_later(self, match_id: str, first_number: int, entries: Sequence[bytes], told: WhenStored) -> None:
        await self.open.wait()
        self.add(match_id, first_number, entries, told)


def test_nothing_is_told_before_it_is_stored(tmp_path: Path) -> None:
    """Neither the acknowledgement, nor a frame, nor a refusal that depends on what is not stored yet."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            ear = Listener(0, 1)
            table.subscribe(ear)
            heard = len(ear.heard)
            gate = Gate(hall)
            acts = [asyncio.create_task(table.act(seat, 1, "straight", step=0)) for seat in (0, 1)]
            late = asyncio.create_task(table.act(0, 2, "straight", step=0))
            for _ in range(20):
                await asyncio.sleep(0.001)
            assert len(ear.heard) == heard and not any(task.done() for task in (*acts, late))
            gate.open.set()
            await asyncio.gather(*acts)
            with pytest.raises(IllegalAction, match="gone on"):
                await late
            assert isinstance(ear.heard[-1], Frame) and ear.heard[-1].step == 1

    run(story())


def test_who_comes_during_a_commit_sees_only_what_is_stored(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            gate = Gate(hall)
            acts = [asyncio.create_task(table.act(seat, 1, "straight")) for seat in (0, 1)]
            await until(lambda: gate.sizes)
            ear = Listener(0, feed="scene")
            table.subscribe(ear)
            assert ear.frames == [] and table.info().step == 0
            gate.open.set()
            await asyncio.gather(*acts)
            assert [frame.step for frame in ear.frames][-1] == 1 == table.info().step

    run(story())


@pytest.mark.parametrize("error", [StoreError("the disk is full"), LostOwnership("somebody else has gone on")])
def test_a_match_that_could_not_be_stored_stands_as_it_is_stored(tmp_path: Path, error: StoreError) -> None:
    """The sender is told, and may send the same again."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            await table.act(0, 1, "straight")
            good, failing = hall.store.add, True

            def add(match_id: str, first_number: int, entries: Sequence[bytes], told: WhenStored) -> None:
                if failing:
                    table.loop.call_soon(told, error, None)
                else:
                    good(match_id, first_number, entries, told)

            hall.store.add = add  # type: ignore[method-assign]
            with pytest.raises(NotStored, match="send it again"):
                await table.act(1, 1, "straight")
            await until(lambda: not table.busy)
            assert table.match is not None and table.match.step_number == 0
            failing = False
            assert await table.act(1, 1, "straight") == Ack(seat=1, seq=1, number=1)
            assert table.match.step_number == 1

    run(story())


def test_a_table_that_another_process_took_over_is_given_up(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            ear = Listener(0)
            table.subscribe(ear)
            assert await hall.store.matches.hand_over(table.id, hall.process, "another")
            with pytest.raises(NotStored):
                await table.act(0, 1, "straight")
            await until(lambda: table.id not in hall.tables)
            assert type(ear.heard[-1]).__name__ == "Reconnect"

    run(story())


# ------------------------------------------------------------------- bots' failures, resigning, draws


def test_a_bots_failures_are_silence_until_there_are_too_many(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, "robots")
            failure = Failure(kind="time", stage="turn 1", what="too slow")
            failed = 0
            assert table.match is not None
            while not table.match.over:
                if 0 in table.match.waiting():
                    await table.fail(0, failure)
                    failed += 1
                else:
                    await table.act(1, 0, "end" if "end" in table.match.legal(1) else first_legal(table, 1))
            assert failed == FORGIVEN + 1
            assert table.match.resignations == [(0, "failed: late: too slow")]

    run(story())


def test_a_resignation_ends_the_match_and_is_stored(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            await table.act(0, 1, "straight")
            await table.resign(1)
            await table.settled()
            row = await hall.store.matches.get(table.id)
            assert row is not None and row.status == "over" and row.outcome is not None
            assert row.outcome.places == (1, 2) and row.outcome.reason == "seat 1 resigned"
            assert await hall.store.read_journal(table.id) == []
            with pytest.raises(IllegalAction, match="over"):
                await table.act(0, 2, "straight")

    run(story())


def test_a_draw_is_agreed_when_all_have_offered_or_accepted(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            with pytest.raises(IllegalAction, match="no offer"):
                await table.draw(1, "accept")
            await table.draw(0, "offer")
            assert table.info().draw_offers == (0,)
            with pytest.raises(IllegalAction, match="already"):  # everybody would hear of it each time
                await table.draw(0, "offer")
            await table.draw(1, "decline")
            assert table.info().draw_offers == ()
            await table.draw(0, "offer")
            await table.draw(1, "accept")
            await table.settled()
            row = await hall.store.matches.get(table.id)
            assert row is not None and row.outcome is not None and row.outcome.places == (1, 1)

    run(story())


def test_built_in_bots_agree_to_no_draw(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(wish("racers", ME, bot("easy")), await person(hall, "Ann"))
            with pytest.raises(IllegalAction, match="Rowdy Racers easy does not agree to draws"):
                await table.draw(0, "offer")

    run(story())


# ------------------------------------------------------------------- the end


@pytest.mark.parametrize("game", ["tron", "racers", "worms", "roborace", "robots"])
def test_the_replay_of_a_match_verifies_and_holds_what_was_acknowledged(tmp_path: Path, game: str) -> None:
    async def story() -> bytes:
        limits: dict[str, dict[str, Any]] = {
            "racers": {"turn_limit": 6},
            "worms": {"turn_limit": 6},
            "robots": {"turn_limit": 8},
        }
        limit: dict[str, Any] = limits.get(game, {"round_limit": 3} if game == "roborace" else {})
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, game, **limit)
            await play_out(table)
            replay = await hall.store.matches.replay(table.id)
            assert replay is not None
            return replay

    replay = read_replay(run(story()), "stored")
    assert replay.end is not None and replay.end.outcome is not None
    assert [seat.name for seat in replay.header.seats] == ["Ann", "Bob"]
    verify(replay, find(game))


def test_a_match_that_lasts_too_long_is_stopped(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, most_steps=3) as hall:
            table = await two_people(hall)
            await play(table, 6)
            await table.settled()
            row = await hall.store.matches.get(table.id)
            assert row is not None and row.status == "stopped" and "3 steps" in row.stopped
            assert await hall.store.matches.replay(table.id) is not None

    run(story())


def test_a_fault_in_the_rules_stops_that_match_and_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            other = await hall.open_table(wish("racers", ME, ME), await person(hall, "Ann"))
            assert table.match is not None

            def fault(*words: object) -> None:
                raise ZeroDivisionError("a fault made for this test")

            table.match.play_on = fault  # type: ignore[method-assign, assignment]
            with pytest.raises(IllegalAction, match="fault in the rules"):
                await table.act(0, 1, "straight")
            await table.settled()
            row = await hall.store.matches.get(table.id)
            assert row is not None and row.status == "stopped"
            await play(other)
            assert other.number == 1

    run(story())
    assert "a fault made for this test" in caplog.text


def test_a_rated_match_moves_the_ratings_of_all(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, rated=True)
            await table.resign(1)
            await table.settled()
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            ratings = await hall.store.ratings.many([ann.id, bob.id], "tron")
            assert ratings[ann.id].rating > 1500 > ratings[bob.id].rating
            assert ratings[ann.id].matches == 1
            [point] = await hall.store.ratings.curve(ann.id, "tron")
            assert point.match_id == table.id

    run(story())


def test_an_unrated_match_moves_no_rating(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            await table.resign(1)
            await table.settled()
            ann = await person(hall, "Ann")
            assert await hall.store.ratings.of_player(ann.id) == []

    run(story())


# ------------------------------------------------------------------- ears


def test_ears_with_the_same_eyes_share_what_is_written(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, "racers")
            here, there, other = Listener(0, feed="scene"), Listener(0, feed="scene"), Listener(1, feed="scene")
            for ear in (here, there, other):
                table.subscribe(ear)
            await play(table)
            await until(lambda: other.frames[-1].step == 1)
            assert here.letters[-1].data is there.letters[-1].data
            assert here.letters[-1].data != other.letters[-1].data

    run(story())


def test_an_ear_that_lags_gets_the_newest_frame_with_all_lines(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, "racers")
            quick, slow = Listener(1), Listener(1)
            table.subscribe(quick)
            table.subscribe(slow)
            slow.can_hear = False
            await play(table, 3)
            assert len(slow.frames) == 1 and len(quick.frames) == 4
            slow.can_hear = True
            table.catch_up(slow)
            assert slow.frames[-1].step == 3
            assert len(slow.frames) == 2
            assert slow.lines == quick.lines != []
            table.catch_up(slow)
            assert len(slow.frames) == 2

    run(story())


def test_who_comes_back_hears_what_he_missed(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, "racers")
            stays, goes = Listener(1), Listener(1)
            table.subscribe(stays)
            table.subscribe(goes)
            await play(table)
            table.unsubscribe(goes)
            await play(table, 2)
            again = Listener(1)
            table.subscribe(again, since=goes.frames[-1].step)
            assert again.lines == stays.lines[len(goes.lines) :] and again.lines
            assert again.frames[-1].missed_before == 0

    run(story())


def test_lines_nobody_kept_are_counted_as_missed(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, "racers")
            await play(table, 3)
            ear = Listener(1)
            table.subscribe(ear, since=1)
            assert ear.frames[-1].missed_before == 2 and ear.lines == []

    run(story())


def test_a_frame_tells_the_next_number_and_who_is_to_act(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, "racers")
            ear = Listener(0, feed="view")
            table.subscribe(ear)
            [frame] = ear.frames
            assert (frame.step, frame.to_act, frame.waiting) == (0, (0,), (0,))
            [picture] = frame.pictures
            assert picture.next_seq == 1 and "end" not in picture.legal and picture.legal_count == len(picture.legal)
            await table.act(0, 1, first_legal(table, 0))
            assert ear.frames[-1].pictures[0].next_seq == 2

    run(story())


def test_a_choice_is_not_told_to_those_who_choose_at_the_same_time(tmp_path: Path) -> None:
    """Only its own screen shows that a seat has chosen."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            own, other = Listener(0, feed="scene"), Listener(1, feed="scene")
            table.subscribe(own)
            table.subscribe(other)
            before = len(other.heard)
            await table.act(0, 1, "straight")
            await until(lambda: not hall.easel.waiting)
            assert own.frames[-1].waiting == () and own.frames[-1].step == 0
            assert len(other.heard) == before
            await table.act(1, 1, "straight")
            await until(lambda: other.frames[-1].step == 1)

    run(story())


def test_a_queued_action_that_cannot_be_played_is_told_to_its_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            own, other = Listener(0), Listener(1)
            table.subscribe(own)
            table.subscribe(other)
            await table.act(0, 1, "straight; dance; straight")
            await table.act(1, 1, "straight")
            [told] = [sentence for sentence in own.told if "dance" in sentence]
            assert told.startswith("dance was not played (and 1 more behind it): ")
            assert not any("dance" in sentence for sentence in other.told)

    run(story())


def test_two_people_at_one_screen_are_covered_while_they_know_different_things(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann = await person(hall, "Ann")
            robots = await hall.open_table(wish("robots", ME, SeatWish("me", "Second")), ann)
            ear = Listener(0, 1, feed="scene", player_id=ann.id)
            robots.subscribe(ear)
            assert [picture.seat for picture in ear.frames[-1].pictures] == [0, 1]
            while not ear.frames[-1].covered:
                assert robots.match is not None and not robots.match.over
                for seat in robots.match.waiting():
                    await robots.act(seat, 0, robots.match.turn(seat).legal[0])
            assert robots.info().seats[1].name == "Second"

    run(story())


# ------------------------------------------------------------------- seats


def test_a_table_begins_when_the_last_seat_is_taken(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            table = await hall.open_table(wish("racers", ME, OPEN), ann)
            waits, watches = Listener(0, player_id=ann.id), Listener(player_id=bob.id)
            table.subscribe(waits)
            table.subscribe(watches)
            assert table.info().status == "open" and waits.heard == []
            await hall.join(table, bob)
            assert table.info().status == "playing"
            assert watches.seats == (1,)
            assert waits.told == ["Bob sits down", "the match begins"]
            assert [frame.step for frame in waits.frames] == [0] == [frame.step for frame in watches.frames]

    run(story())


def test_seats_that_cannot_be_had(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob, cy = [await person(hall, name) for name in ("Ann", "Bob", "Cy")]
            table = await hall.open_table(wish("tron", ME, OPEN, OPEN), ann)
            with pytest.raises(CannotSit, match="seat 0 is taken by Ann"):
                await hall.join(table, bob, 0)
            with pytest.raises(CannotSit, match="there is no seat 3"):
                await hall.join(table, bob, 3)
            with pytest.raises(CannotSit, match="sits at this table already"):
                await hall.join(table, ann)
            await hall.join(table, bob, 2)
            with pytest.raises(CannotSit, match="does not sit"):
                await hall.leave(table, cy)
            await hall.join(table, cy)
            with pytest.raises(CannotSit, match="has begun"):
                await hall.leave(table, cy)
            with pytest.raises(CannotSit, match="has begun"):
                await hall.join(table, cy)

    run(story())


def test_who_leaves_frees_the_seat_and_the_last_one_closes_the_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            table = await hall.open_table(wish("tron", ME, OPEN, OPEN), ann)
            await hall.join(table, bob)
            await hall.leave(table, ann)
            assert table.seats[0].kind == "open" and table.id in hall.tables
            await hall.leave(table, bob)
            assert table.id not in hall.tables
            assert await hall.store.matches.get(table.id) is None

    run(story())


def test_wishes_that_cannot_be_met(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path, tables_per_player=2) as hall:
            ann = await person(hall, "Ann")
            for wrong, why in [
                (wish("chess", ME), "no game called 'chess'"),
                (wish("racers", ME, OPEN, OPEN), "3 seats are named, but this match of Rowdy Racers has 2"),
                (wish("tron", ME, OPEN, players=9), "players=9"),
                (wish("racers", ME, bot("wizard")), "no bot called 'wizard'"),
                (wish("racers", ME, bot("cmd:/bin/sh")), "no bot called 'cmd:/bin/sh'"),
                (wish("racers", ME, bot("http://127.0.0.1:1")), "no bot called"),
                (wish("racers", ME, bot("bot.py")), "no bot called"),
                (wish("racers", ME, bot("tree:99999")), "thinks too long"),
                (wish("racers", ME, bot("@nobody")), "no bot called 'nobody'"),
                (wish("racers", ME, OPEN, clock="soon"), "no time control"),
                (wish("racers", ME, OPEN, clock="real 1s"), "not played in real time"),
                (wish("tron", ME, OPEN, clock="real 1ms"), "no speed"),
                (wish("racers", ME, ME, rated=True), "against himself"),
                (wish("racers", ME, bot("tree:20"), rated=True), "choose a level"),
            ]:
                with pytest.raises(TurntileError) as refusal:
                    await hall.open_table(wrong, ann)
                assert why in str(refusal.value)
            with pytest.raises(CannotSit, match="guests have no rating"):
                await hall.open_table(wish("racers", ME, OPEN, rated=True), await guest(hall, "Guest 1"))
            assert hall.tables == {}
            for _ in range(2):
                await hall.open_table(wish("racers", ME, OPEN), ann)
            with pytest.raises(CannotSit, match="has 2 tables already"):
                await hall.open_table(wish("racers", ME, OPEN), ann)

    run(story())


def test_a_guest_cannot_join_a_rated_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(wish("racers", ME, OPEN, rated=True), await person(hall, "Ann"))
            with pytest.raises(CannotSit, match="guests have no rating"):
                await hall.join(table, await guest(hall, "Guest 2"))
            assert table.seats[1].kind == "open"

    run(story())


def test_a_rematch_rotates_seats_and_waits_for_the_other(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            ann, bob, cy = [await person(hall, name) for name in ("Ann", "Bob", "Cy")]
            ear = Listener(1, player_id=bob.id)
            table.subscribe(ear)
            with pytest.raises(CannotSit, match="not over yet"):
                await hall.rematch(table.id, ann)
            await table.resign(0)
            await table.settled()
            with pytest.raises(CannotSit, match="only those who played"):
                await hall.rematch(table.id, cy)
            following = await hall.rematch(table.id, ann)
            assert following.seats_of(ann.id) == (1,) and following.info().status == "open"
            assert ear.told[-1] == "Ann asks for a rematch"
            info = await hall.info(table.id, bob.id)
            assert info is not None and info.rematch == following.id
            with pytest.raises(CannotSit, match="no seat is free"):
                await hall.join(following, cy)
            assert await hall.rematch(table.id, bob) is following
            assert following.seats_of(bob.id) == (0,) and following.info().status == "playing"

    run(story())


def test_what_others_hold_of_a_match_is_not_mine(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall)
            bob = await person(hall, "Bob")
            mine = await hall.info(table.id, bob.id)
            nobodys = await hall.info(table.id, None)
            assert mine is not None and [seat.mine for seat in mine.seats] == [False, True]
            assert nobodys is not None and not any(seat.mine for seat in nobodys.seats)
            assert nobodys.seed is None and len(nobodys.seed_hash) == 64
            assert await hall.info("nosuchone", None) is None

    run(story())


def test_refusals_bear_the_rulebooks_key(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await two_people(hall, "robots")
            with pytest.raises(IllegalAction) as refusal:
                await table.act(0, 1, "shoot 1 1")
            assert refusal.value.key

    run(story())
