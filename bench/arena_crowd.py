"""Two hundred live matches with two watchers each, on one core: how long an action waits for its acknowledgement.

Two people in every match look at the whole picture, as the page does, think for half a second to
a second, and choose one of the actions the scene offers them. Most matches wait for whose turn it
is; some are Tron in real time, where an action is acknowledged with the step it belongs to. A
match that ends is followed by a new one, with its replay stored and its watchers back.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import quantiles
from threading import Thread
from time import perf_counter, sleep
from typing import Any, NamedTuple

import msgspec

from bench.arena_processes import Process, cpu_s, one_core
from bench.arena_visitors import Visitor
from bench.sockets import Line, Poll, SocketEnded

MATCHES = 200
WATCHERS = 2
REAL_TIME = 50  # of the matches: Tron, 200 ms a step
IN_TURN = ("racers", "worms", "roborace", "robots")
WARM_UP_S = 40.0  # longer than watchers are behind
MEASURED_S = 60.0
THINK_S = (0.5, 1.0)
LOOK_S = 0.005  # how long to wait for messages before looking who wants to act


# What a player needs of a frame; the rest is skipped as it is read.


class Choice(msgspec.Struct):
    action: str


class Scene(msgspec.Struct):
    choices: list[Choice] = []


class Picture(msgspec.Struct):
    next_seq: int = 0
    scene: Scene | None = None


class Frame(msgspec.Struct):
    step: int
    pictures: list[Picture]
    to_act: list[int] = []
    waiting: list[int] = []
    due_ms: float | None = None
    outcome: Any = None


class Answer(msgspec.Struct):
    seq: int = 0


read_frame = msgspec.json.Decoder(Frame).decode
read_answer = msgspec.json.Decoder(Answer).decode


class Sent(NamedTuple):
    """An action on its way."""

    at: float
    due: float  # when its step is due; 0: it is in turn
    counts: bool  # not so during the countdown, when there is nothing but waiting


class Seated:
    """One person at one match."""

    def __init__(self, game: str, seat: int, line: Line, match: PlayedMatch) -> None:
        self.game = game
        self.seat = seat
        self.line = line
        self.match = match
        self.frame: Frame | None = None
        self.sent: dict[int, Sent] = {}  # by the number it bears
        self.awaited: tuple[int, float] | None = None  # the step a single actor has ended, and when he acted
        self.due = 0.0  # when the present step is due, in real time
        self.thinking = False


class PlayedMatch:
    """A match with all who look at it."""

    def __init__(self, game: str, lines: Sequence[Line]) -> None:
        self.game = game
        self.people = [Seated(game, seat, line, self) for seat, line in enumerate(lines[:2])]
        self.watchers = lines[2:]
        self.over = False

    @property
    def lines(self) -> list[Line]:
        return [*(person.line for person in self.people), *self.watchers]


class Opener:
    """Opens matches in a thread of its own, so that who plays need not wait for it."""

    def __init__(self, arena: Process) -> None:
        self.host = Visitor(arena, "Ann")
        self.guest = Visitor(arena, "Bob")
        self.wanted: SimpleQueue[str | None] = SimpleQueue()
        self.opened: SimpleQueue[PlayedMatch | BaseException] = SimpleQueue()
        self.thread = Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self) -> None:
        try:
            while (game := self.wanted.get()) is not None:
                self.opened.put(self.open(game))
        except BaseException as error:  # whoever waits for matches must hear of it
            self.opened.put(error)

    def open(self, game: str) -> PlayedMatch:
        seats = [{"kind": "me"}, {"kind": "open"}]
        match_id = self.host.post("/matches", game=game, seats=seats)["id"]
        self.guest.post(f"/matches/{match_id}/join")
        watching = [self.guest.line(match_id, "scene", watch=1) for _ in range(WATCHERS)]
        return PlayedMatch(game, [self.host.line(match_id, "scene"), self.guest.line(match_id, "scene"), *watching])

    def close(self) -> None:
        self.wanted.put(None)
        self.thread.join()


class Crowd:
    """All matches, and what was measured of them."""

    def __init__(self, opener: Opener, games: Sequence[str], seed: int = 1) -> None:
        self.opener = opener
        self.random = Random(seed)
        self.poll = Poll(())
        self.who: dict[Line, Seated | None] = {}  # None: a watcher
        self.plans: list[tuple[float, int, Seated]] = []  # who acts when
        self.numbers = count()
        self.playing = 0
        self.measuring = False
        self.in_turn: list[float] = []  # seconds from an action to its acknowledgement
        self.real_time: list[float] = []  # the same, with the wait for the step
        self.late: list[float] = []  # seconds after its step was due
        self.shown: list[float] = []  # seconds from an action to the picture its actor sees of it
        self.refused = self.finished = self.frames = self.bytes = 0
        for game in games:
            opener.wanted.put(game)

    def run(self, until: float) -> None:
        while perf_counter() < until:
            self.welcome()
            for line in self.poll.wait(LOOK_S):
                if line not in self.who:  # its match has just ended
                    continue
                person = self.who[line]
                try:
                    for message in line.read():
                        self.frames += message.startswith(b'{"type":"frame"')
                        self.bytes += len(message)
                        if person is not None:
                            self.hear(person, message)
                except SocketEnded:
                    assert person is None or person.match.over, "a player was cut off"
                    self.poll.remove(line)
                    del self.who[line]
            self.act()

    def welcome(self) -> None:
        while not self.opener.opened.empty():
            match = self.opener.opened.get()
            if isinstance(match, BaseException):
                raise match
            self.playing += 1
            for line in match.watchers:
                self.who[line] = None
            for person in match.people:
                self.who[person.line] = person
            for line in match.lines:
                self.poll.add(line)

    def hear(self, person: Seated, message: bytes) -> None:
        now = perf_counter()
        if message.startswith(b'{"type":"frame"'):
            self.look(person, read_frame(message), now)
        elif message.startswith((b'{"type":"ack"', b'{"type":"refused"')):
            sent = person.sent.pop(read_answer(message).seq, None)
            if message.startswith(b'{"type":"refused"'):
                self.refused += 1
                person.awaited = None
                self.think(person, now)
            elif self.measuring and sent is not None and sent.counts:
                self.note(sent, now)

    def note(self, sent: Sent, now: float) -> None:
        if sent.due:
            self.real_time.append(now - sent.at)
            self.late.append(now - sent.due)
        else:
            self.in_turn.append(now - sent.at)

    def look(self, person: Seated, frame: Frame, now: float) -> None:
        person.due = now + frame.due_ms / 1000 if frame.due_ms is not None else 0.0
        person.frame = frame
        if person.awaited is not None and frame.step > person.awaited[0]:
            if self.measuring:
                self.shown.append(now - person.awaited[1])
            person.awaited = None
        if frame.outcome is not None:
            self.end(person.match)
        elif person.seat in frame.waiting:
            self.think(person, now)

    def think(self, person: Seated, now: float) -> None:
        if not person.thinking:
            person.thinking = True
            heapq.heappush(self.plans, (now + self.random.uniform(*THINK_S), next(self.numbers), person))

    def act(self) -> None:
        now = perf_counter()
        while self.plans and self.plans[0][0] <= now:
            _, _, person = heapq.heappop(self.plans)
            person.thinking = False
            frame = person.frame
            if frame is None or person.match.over or person.seat not in frame.waiting:
                continue
            picture = frame.pictures[0]
            if picture.scene is None or not picture.scene.choices:
                continue
            text = self.random.choice(picture.scene.choices).action
            counts = frame.step > 0 or not person.due
            sent_at = perf_counter()
            person.sent[picture.next_seq] = Sent(sent_at, person.due, counts)
            if not person.due and frame.to_act == [person.seat]:
                person.awaited = (frame.step, sent_at)
            person.line.send(
                msgspec.json.encode({"type": "act", "seq": picture.next_seq, "text": text, "step": frame.step})
            )

    def end(self, match: PlayedMatch) -> None:
        if match.over:
            return
        match.over = True
        self.finished += self.measuring
        self.playing -= 1
        for line in match.lines:
            self.poll.remove(line)
            self.who.pop(line, None)
            line.close()
        self.opener.wanted.put(match.game)


def games_of(matches: int, real_time: int) -> list[str]:
    return ["tron"] * real_time + [IN_TURN[number % len(IN_TURN)] for number in range(matches - real_time)]


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """In milliseconds."""
    if len(seconds) < 100:
        return {}
    cuts = quantiles(seconds, n=100)
    return {"actions": len(seconds), "p50_ms": cuts[49] * 1000, "p99_ms": cuts[98] * 1000, "max_ms": max(seconds) * 1e3}


def measure_crowd(folder: Path, matches: int = MATCHES, measured_s: float = MEASURED_S) -> dict[str, Any]:
    arena = Process("arena", one_core(), folder)
    opener = Opener(arena)
    try:
        crowd = Crowd(opener, games_of(matches, REAL_TIME * matches // MATCHES))
        while crowd.playing < matches:
            crowd.run(perf_counter() + 0.5)
        crowd.run(perf_counter() + WARM_UP_S)
        server_s, own_s, frames, size = arena.cpu_s(), cpu_s(os.getpid()), crowd.frames, crowd.bytes
        crowd.measuring = True
        begun = perf_counter()
        crowd.run(begun + measured_s)
        seconds = perf_counter() - begun
        return {
            "matches": matches,
            "watchers": matches * WATCHERS,
            "seconds": seconds,
            "in_turn": percentiles(crowd.in_turn),
            "real_time": percentiles(crowd.real_time),
            "real_time_after_due": percentiles(crowd.late),
            "all": percentiles(crowd.in_turn + crowd.real_time),
            "action_to_picture": percentiles(crowd.shown),
            "refused": crowd.refused,
            "finished": crowd.finished,
            "frames_per_s": (crowd.frames - frames) / seconds,
            "mb_per_s": (crowd.bytes - size) / seconds / 1e6,
            "server_busy": (arena.cpu_s() - server_s) / seconds,
            "load_busy": (cpu_s(os.getpid()) - own_s) / seconds,
        }
    finally:
        opener.close()
        sleep(0.1)
        arena.end()
