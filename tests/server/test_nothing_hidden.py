"""Nothing hidden is in any byte: whatever a seat is sent, it is sent from every state that it cannot tell apart.

A thousand pairs of positions for each game, out of random matches: one as it is, one in which
everything that the seat cannot know was drawn anew and the others have chosen something else.
All that the server would send to that seat is made from both, by the functions that sockets,
streams and HTTP use, and compared byte by byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from tests.server.halls import ME, OPEN, open_hall, person, until, wish
from turntile.core.errors import TurntileError
from turntile.core.gears import State
from turntile.core.registry import OURS
from turntile.match.log import Acted
from turntile.match.match import Match, Step
from turntile.server import explaining
from turntile.server.bots.robot_fight import live_status
from turntile.server.bots.streams import GameStream
from turntile.server.ears import Feed, Letter
from turntile.server.explaining import Explainer, preview_marks, why_text
from turntile.server.hall import Hall
from turntile.server.lookout import Lookout
from turntile.server.messages import Answer, Frame, Message, write_message
from turntile.server.table import Table
from turntile.store.rows import PlayerRow

PAIRS = 1000  # of each game
STEPS_OF_A_MATCH = 40  # pairs drawn from one match at most
QUESTIONS_EVERY = 10  # pairs
CELLS_EVERY = 50  # pairs; to explain a key or a cell every action of the game is looked at
FEEDS: tuple[Feed, ...] = ("scene", "view", "lines")

# Short enough to see the end of some, of every kind that hides something.
CHOSEN: dict[str, tuple[dict[str, Any], ...]] = {
    "tron": ({"size": 11}, {"board": "minefield"}, {"size": 21}),
    "racers": ({}, {"failure_percent": 40}, {"width": 14, "height": 12}),
    "worms": ({}, {"map": "random", "worms": 2}, {"map": "caves"}),
    "roborace": ({"board": "gears"}, {"board": "abyss"}, {"board": "made"}),
    "robots": ({}, {"mines": True, "messages": True}, {"map": "random", "width": 12, "height": 12}),
}


class Ear:
    """Keeps what it hears, as it would go over the wire."""

    def __init__(self, *seats: int, feed: Feed = "scene") -> None:
        self.seats = seats
        self.feed: Feed = feed
        self.player_id: int | None = None
        self.heard: list[tuple[Message, bytes]] = []

    def ready(self) -> bool:
        return True

    def hear(self, letter: Letter) -> None:
        self.heard.append((letter.message, letter.data))


class Sample:
    """A table just after a step: what was played, and from where."""

    def __init__(self, table: Table, step: Step | None, number: int) -> None:
        assert table.match is not None
        self.table = table
        self.match: Match = table.match
        self.step = step
        self.number = number
        self.chance = Random(number)
        self.seat = self.chance.randrange(len(self.match.seats))

    def differently(self) -> tuple[State, Step | None]:
        """The same for this seat: all it cannot know is drawn anew, before the step and after it."""
        after = self.match.state.redeal(self.seat, self.number)
        step = self.step
        if step is None:
            return after, None
        before = step.before.redeal(self.seat, self.number + PAIRS)
        return after, Step(step.number, step.played, step.events, before, after, step.refused)


# ------------------------------------------------------------------- everything a seat is sent


def sent_bytes(sample: Sample, step: Step | None) -> dict[str, bytes]:
    """All of it, by what it is."""
    table, match, seat = sample.table, sample.match, sample.seat
    table.show()
    found = dict(frames(table, seat, step))
    found["MatchInfo"] = msgspec.json.encode(table.info((seat,)))
    found["MatchInfo for others"] = msgspec.json.encode(table.info())
    found |= stream_lines(table, seat, step)
    if match.game.name == "robots":
        found["Robot fight's status"] = msgspec.json.encode(live_status(table.info((seat,)), match, [], seat))
    if sample.number % QUESTIONS_EVERY == 0:
        found |= answers(sample)
    return found


def frames(table: Table, seat: int, step: Step | None) -> Iterator[tuple[str, bytes]]:
    """What an ear of each feed hears of the step, and what one that comes now sees first."""
    ears = [Ear(seat, feed=feed) for feed in FEEDS]
    lookout = Lookout(table, table.hall.easel)
    for ear in ears:
        lookout.add(ear)
        yield f"first frame, {ear.feed}", ear.heard.pop()[1]
    if step is None:
        return
    for ear in ears:
        lookout.ears[ear].step = step.number - 1
    lookout.tell((step,))
    lookout.draw_all()
    for ear in ears:
        yield f"frame of the step, {ear.feed}", ear.heard.pop()[1]


def stream_lines(table: Table, seat: int, step: Step | None) -> dict[str, bytes]:
    """The lines of a bot's stream: all of the match, then the step."""
    stream = GameStream(table, seat)
    lookout = Lookout(table, table.hall.easel)
    lookout.add(stream)
    if step is not None and not stream.lines.ended:
        lookout.ears[stream].step = step.number - 1
        lookout.tell((step,))
    return {f"line {number} of the stream": line for number, line in enumerate(stream.lines.waiting)}


def answers(sample: Sample) -> dict[str, bytes]:
    """To `preview` and `why`, for some texts, keys and cells."""
    match, seat = sample.match, sample.seat
    chance = Random(sample.number)
    texts = [*asked_texts(match, seat, chance), "", "nonsense"]
    found = {}
    for text in texts:
        found[f"preview of {text!r}"] = write_message(Answer(id=1, marks=preview_marks(match, seat, text)))
        found[f"why {text!r}"] = write_message(Answer(id=1, sentence=why_text(match, seat, text)))
    if sample.number % CELLS_EVERY:
        return found
    explainer = Explainer(match, seat)
    view_scene = match.scene(seat)
    cell = (chance.randrange(view_scene.width), chance.randrange(view_scene.height))
    found[f"why the cell {cell}"] = write_message(Answer(id=1, sentence=explainer.why("", cell)))
    found["why the key up"] = write_message(Answer(id=1, sentence=explainer.why("up", None)))
    return found


def asked_texts(match: Match, seat: int, chance: Random) -> list[str]:
    """Some actions of the game, legal or not, spelled without looking at the position."""
    most = match.game.rules.MAX_ACTIONS
    texts = []
    for action in (chance.randrange(most) for _ in range(4)):
        try:
            texts.append(match.game.spell(match.record, seat, action))
        except (TurntileError, IndexError, AssertionError):
            continue
    return texts


# ------------------------------------------------------------------- random matches


async def samples(hall: Hall, player: PlayerRow, game: str) -> Any:
    """Positions all along random matches, at real tables."""
    number = 0
    for match_number, options in enumerate(cycle(CHOSEN[game])):
        with patch("turntile.server.hall.draw_seed", partial("{:016x}".format, match_number)):
            table = await hall.open_table(wish(game, ME, ME, **options), player)
        chance = Random(match_number)
        for step in islice(steps_of(table, chance), STEPS_OF_A_MATCH):
            number += 1
            yield Sample(table, step, number)
            if number == PAIRS:
                return
        hall.tables.pop(table.id)
        table.close()


def steps_of(table: Table, chance: Random) -> Iterator[Step | None]:
    """The match before its first step, and after every one; played as an entry of the journal is."""
    yield None
    standing = table.standing
    assert standing is not None
    match = standing.match
    while not match.over:
        seat = chance.choice(match.waiting())
        legal = match.turn(seat).legal
        steps = standing.apply(Acted(seat, legal[chance.randrange(len(legal))]))
        if steps and chance.random() < 0.3:
            yield steps[-1]
    yield steps[-1] if steps else None


def let_others_choose(sample: Sample, pick: int) -> None:
    """Where several choose at the same time, those who have chosen may have chosen anything."""
    match = sample.match
    for seat in match.to_act():
        if seat != sample.seat and len(match.waiting()) > 1:
            legal = match.turn(seat).legal
            match.set_chosen(seat, match.judge(seat, legal[pick % len(legal)]))


# ------------------------------------------------------------------- the tests


@pytest.mark.parametrize("game", OURS)
def test_what_a_seat_is_sent_does_not_depend_on_what_it_cannot_know(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Explanations stop after a while; here after so many looks at the clock, however slow the machine is.
    monkeypatch.setattr(explaining, "perf_counter", partial(next, count(step=explaining.BUDGET_S / 40)))

    async def compare() -> int:
        pairs = different = 0
        async with open_hall(tmp_path, tables_per_player=10_000) as hall:
            player = await hall.store.players.create("bot", "bot", 0.0)
            async for sample in samples(hall, player, game):
                match = sample.match
                truth, chosen = match.state, [place.chosen for place in match.seats]
                let_others_choose(sample, 0)
                told = sent_bytes(sample, sample.step)
                match.state, step = sample.differently()
                match.forget_answers()
                let_others_choose(sample, sample.number)
                different += truth.to_bytes() != match.state.to_bytes()
                told_differently = sent_bytes(sample, step)
                assert told.keys() == told_differently.keys()
                for what, data in told.items():
                    assert data == told_differently[what], f"{what}, {game}, pair {sample.number}, seat {sample.seat}"
                pairs += 1
                match.state = truth
                match.forget_answers()
                for seat, was in enumerate(chosen):
                    match.set_chosen(seat, was)
        assert different > PAIRS // 2, "most pairs differ in something"
        return pairs

    assert asyncio.run(compare()) == PAIRS


def assert_no_secret(data: bytes, table: Table) -> None:
    seed = table.row.seed
    for secret in (seed, str(int(seed, 16)), f"{int(seed, 16):x}"):
        assert secret.encode() not in data, (secret, data)


@pytest.mark.parametrize("game", OURS)
def test_a_running_match_tells_neither_its_seed_nor_what_others_chose_nor_watchers_anything_early(
    tmp_path: Path, game: str
) -> None:
    """Watchers are ten steps and some seconds behind; seconds alone, or steps alone, do not do."""

    async def play() -> None:
        async with open_hall(tmp_path, watch_delay_s=3600.0, watch_delay_steps=2) as hall:
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            with patch("turntile.server.hall.draw_seed", lambda: "1c0ffee123456789"):
                table = await hall.open_table(wish(game, ME, OPEN, clock="60s", **two_seats(game)), ann)
            await hall.join(table, bob)
            watchers = [Ear(feed=feed) for feed in FEEDS]
            players = [Ear(seat, feed=feed) for seat in (0, 1) for feed in FEEDS]
            for ear in (*watchers, *players):
                table.subscribe(ear)
            await until(lambda: all(ear.heard for ear in watchers))
            chance = Random(1)
            assert table.match is not None
            for _ in range(12):
                if table.match.over:
                    break
                seat = chance.choice(table.match.waiting())
                legal = table.match.turn(seat).legal
                await table.act(seat, 0, legal[chance.randrange(len(legal))])
                for viewer in (ann.id, bob.id, None):
                    assert_no_secret(msgspec.json.encode(await hall.info(table.id, viewer)), table)
            assert table.match.step_number > 3 and not table.match.over
            for ear in (*watchers, *players):
                for _, data in ear.heard:
                    assert_no_secret(data, table)
            for ear in watchers:
                shown = [message for message, _ in ear.heard if isinstance(message, Frame)]
                assert [frame.step for frame in shown] == [0]
                assert not any(picture.lines for frame in shown for picture in frame.pictures)

    asyncio.run(play())


def two_seats(game: str) -> dict[str, Any]:
    return {"players": 2} if game in ("tron", "roborace", "robots") else {}


def test_a_choice_that_waits_for_others_is_told_to_nobody_else(tmp_path: Path) -> None:
    """RoboRace: a program is secret until all are there; whoever looks meanwhile sees the same as before."""

    async def play() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob = await person(hall, "Ann"), await person(hall, "Bob")
            table = await hall.open_table(wish("roborace", ME, OPEN, players=2), ann)
            await hall.join(table, bob)
            seen = []
            for program in ("", "1 2 3 4 5", "5 4 3 2 1"):
                if program:
                    await table.act(0, 0, program)
                ears = [Ear(1, feed=feed) for feed in FEEDS]
                for ear in ears:
                    table.subscribe(ear)
                seen.append([without_number(ear.heard[0][1]) for ear in ears])
                for ear in ears:
                    table.unsubscribe(ear)
            assert seen[0] == seen[1] == seen[2]

    asyncio.run(play())


def without_number(data: bytes) -> Any:
    """A frame but for how many entries the journal has: that somebody has chosen is no secret, what is one."""
    frame = msgspec.json.decode(data)
    del frame["number"]
    return frame
