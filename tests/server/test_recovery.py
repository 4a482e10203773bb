"""A server that is killed loses nothing it has acknowledged, and plays nothing twice.

Real servers, killed with SIGKILL around every action; the last action is sent again with the
same number to the next one. What was acknowledged is compared with the replay at the end.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from tests.server.halls import ME, OPEN, Listener, bot, open_hall, person, play, run, until, wish
from tests.server.lives import Lives
from tests.server.sockets import Talker
from turntile.core.registry import find
from turntile.match.replay import Replay, StepLine, read_replay, verify

SHORT: dict[str, dict[str, Any]] = {
    "tron": {"size": 9},
    "racers": {"turn_limit": 6},
    "worms": {"turn_limit": 5, "worms": 2},
    "roborace": {"round_limit": 4},
    "robots": {"turn_limit": 3},
}
MOST_KILLS = 40  # of one match, so that chance cannot make the test endless; all of these are shorter
LOST = (OSError, EOFError, TimeoutError, WebSocketException)


class Player:
    """Somebody with both seats, who sends everything again that was not acknowledged before the server died."""

    def __init__(self, lives: Lives, game: str, seed: int) -> None:
        self.lives = lives
        self.game = game
        self.random = random.Random(seed)
        self.kills = 0
        self.acknowledged: dict[tuple[int, int], str] = {}
        lives.begin()
        client = lives.client()
        assert client.post("/accounts", json={"name": "Ann", "password": "a long walk"}).status_code == 201
        seats = [{"kind": "me"}, {"kind": "me", "name": "Second"}]
        wanted = {"game": game, "seats": seats, "options": SHORT[game], "clock": "60s" if game == "tron" else ""}
        told = client.post("/matches", json=wanted)
        assert told.status_code == 201, told.text
        self.match_id = told.json()["id"]
        self.cookies = client.cookies
        self.client = client
        self.talker = self.connect()

    def connect(self) -> Talker:
        self.client = self.lives.client(self.cookies)
        return Talker(self.lives.url, self.match_id, self.client, feed="view")

    def start_again(self) -> None:
        self.talker.drop()
        self.lives.begin()
        self.talker = self.connect()

    def play(self) -> Replay:
        """To the end; then what the server has kept of it."""
        while (choice := self.next_choice()) is not None:
            self.act(*choice)
        self.lives.kill()  # once more: perhaps before how it ended was stored
        self.start_again()
        # Killed after the last action was stored and before it was acknowledged, the match is over all the same.
        if self.talker.hear_a("welcome")["match"]["status"] != "over":
            while self.talker.hear_a("told")["match"]["status"] != "over":
                pass
        answer = self.client.get(f"/matches/{self.match_id}/replay", params={"packed": 1})
        assert answer.status_code == 200, answer.text
        return read_replay(answer.content)

    def next_choice(self) -> tuple[int, int, str] | None:
        """As a fresh connection shows it: who is to act, with which number; None when the match is over."""
        self.talker.drop()
        self.talker = self.connect()
        if self.talker.hear_a("welcome")["match"]["status"] == "over":
            return None
        frame = self.talker.hear_a("frame")
        if frame["outcome"] is not None:
            return None
        seat = frame["waiting"][0]
        picture = frame["pictures"][seat]
        return seat, picture["next_seq"], self.random.choice(picture.get("legal") or self.any_legal(picture))

    def any_legal(self, picture: dict[str, Any]) -> list[str]:
        """Roborace does not spell out its programs: any five of the hand's cards make one."""
        cards = self.random.sample(range(1, len(picture["view"]["hand"]) + 1), 5)
        return [" ".join(map(str, sorted(cards)))]

    def act(self, seat: int, seq: int, text: str) -> None:
        """Until it is acknowledged, by whichever server. Each is killed before or after it has answered."""
        moment = self.random.random()
        answered = False
        try:
            self.talker.act(seq, text, seat=seat)
            if moment < 0.5 or self.kills >= MOST_KILLS:
                self.hear_answer(seat, seq, text)
                answered = True
        except LOST:
            pass
        if answered and self.kills >= MOST_KILLS:
            return
        self.lives.kill()
        self.kills += 1
        self.start_again()
        if self.talker.hear_a("welcome")["match"]["status"] == "over":  # it was the last one, and it is stored
            self.acknowledged[seat, seq] = text
            return
        self.talker.act(seq, text, seat=seat)
        repeated = self.hear_answer(seat, seq, text)["repeated"]
        assert repeated or not answered, f"{text!r} was acknowledged and then lost"

    def hear_answer(self, seat: int, seq: int, text: str) -> dict[str, Any]:
        """Note the acknowledgement."""
        answer = self.talker.hear_a("ack", "refused")
        assert answer["type"] == "ack", answer
        self.acknowledged[seat, seq] = text
        return answer


def actions_of(replay: Replay) -> dict[int, list[str]]:
    played: dict[int, list[str]] = {}
    for line in replay.lines:
        assert isinstance(line, StepLine)
        assert not line.silent
        for seat, text in line.actions.items():
            played.setdefault(seat, []).append(text)
    return played


def check(player: Player, replay: Replay, spelled: bool) -> None:
    """Nothing lost, nothing doubled, nothing in another order; and the replay proves itself."""
    verify(replay, find(player.game))
    assert replay.end is not None and replay.end.outcome is not None
    sent: dict[int, list[str]] = {}
    for (seat, _), text in sorted(player.acknowledged.items()):
        sent.setdefault(seat, []).append(text)
    for seat, texts in sent.items():
        assert [seq for place, seq in sorted(player.acknowledged) if place == seat] == list(range(1, len(texts) + 1))
    if spelled:
        assert actions_of(replay) == sent
    else:
        assert {seat: len(texts) for seat, texts in actions_of(replay).items()} == {
            seat: len(texts) for seat, texts in sent.items()
        }


@pytest.mark.parametrize("game", list(SHORT))
def test_killed_around_every_action_nothing_is_lost_or_doubled(tmp_path: Path, game: str) -> None:
    with Lives(db=f"sqlite:///{tmp_path}/arena.db") as lives:
        player = Player(lives, game, seed=7)
        replay = player.play()
        assert player.kills == len(player.acknowledged) >= 3, "one for every action"
        check(player, replay, spelled=game != "tron")


def test_the_same_on_postgresql(postgres_url: str) -> None:
    with Lives(db=postgres_url, process_id="one") as lives:
        player = Player(lives, "racers", seed=8)
        check(player, player.play(), spelled=True)


# ------------------------------------------------------------------- without killing: halls one after the other


def test_a_match_against_a_bot_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(
                wish("racers", bot("easy"), bot("easy"), listed=True), await person(hall, "Ann")
            )
            match_id = table.id
            await until(lambda: table.number > 2)
        async with open_hall(tmp_path) as hall:
            row = await hall.store.matches.get(match_id)
            assert row is not None
            if row.status == "playing":
                again = await hall.find(match_id)
                assert again is not None
                await again.settled()
            replay = await hall.store.matches.replay(match_id)
            assert replay is not None
            verify(read_replay(replay), find("racers"))

    run(story())


def test_an_ending_that_was_not_stored_is_stored_after_the_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(wish("racers", ME, ME), await person(hall, "Ann"))
            await play(table, 3)
            append = hall.store.append

            async def cut_off(*words: Any) -> None:
                if len(words) > 3 and words[3] is not None:
                    await asyncio.Event().wait()  # the power goes here
                await append(*words)

            hall.store.append = cut_off  # type: ignore[method-assign, assignment]
            await table.resign(0)
            match_id = table.id
        async with open_hall(tmp_path) as hall:
            row = await hall.store.matches.get(match_id)
            assert row is not None and row.status == "playing"
            again = await hall.find(match_id)
            assert again is not None
            await again.settled()
            row = await hall.store.matches.get(match_id)
            assert row is not None and row.status == "over" and row.outcome is not None
            assert row.outcome.reason == "seat 0 resigned"
            assert await hall.store.matches.replay(match_id) is not None

    run(story())


def test_open_tables_are_still_open_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(wish("racers", ME, OPEN), await person(hall, "Ann"))
            match_id = table.id
        async with open_hall(tmp_path) as hall:
            again = await hall.find(match_id)
            assert again is not None and again.info().status == "open"
            await hall.join(again, await person(hall, "Bob"))
            await play(again, 2)
            assert again.number == 2

    run(story())


def test_a_match_that_cannot_be_run_again_is_stopped_and_keeps_no_other(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann = await person(hall, "Ann")
            bad = await hall.open_table(wish("racers", ME, ME), ann)
            good = await hall.open_table(wish("racers", ME, ME), ann)
            await play(good, 2)
            await hall.store.append(bad.id, 1, [b"\xc1 no entry"])
            ids = bad.id, good.id
        async with open_hall(tmp_path) as hall:
            found = await hall.find(ids[1])
            assert found is not None and found.number == 2
            await until(lambda: ids[0] not in hall.tables and not hall.reviving)
            broken = await hall.find(ids[0])
            if broken is not None:
                await broken.settled()
            row = await hall.store.matches.get(ids[0])
            assert row is not None and row.status == "stopped" and "after a restart" in row.stopped

    run(story())


def test_ears_of_the_next_server_hear_how_many_steps_they_missed(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            table = await hall.open_table(wish("racers", ME, ME), await person(hall, "Ann"))
            await play(table, 4)
            match_id = table.id
        async with open_hall(tmp_path) as hall:
            again = await hall.find(match_id)
            assert again is not None
            ear = Listener(0)
            again.subscribe(ear, since=1)
            assert ear.frames[-1].step == 4 and ear.frames[-1].missed_before == 3

    run(story())
