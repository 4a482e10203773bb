"""Playing the matches of a contest: the one place where a contest meets players and the host.

Runs in a worker process, here or on another machine. Players are made once and sit down again
for match after match.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec
import zstandard

from turntile.contest.matches import Finished, Mishap, Planned
from turntile.contest.plan import Contest
from turntile.core.game import Game, Outcome
from turntile.core.registry import find
from turntile.match.clock import TimeControl, read_control
from turntile.match.match import Match, Step
from turntile.match.options import choose_options
from turntile.match.remarks import Failure
from turntile.match.replay import ReplayWriter, SeatHeader
from turntile.players.host import Host
from turntile.players.policy import Policy, read_policy
from turntile.players.process import Launch
from turntile.players.seats import Player, seat_player

MOST_FAILURES = 20  # of one match that are kept with their words
LONGEST_KIND = 20
MOST_WORDS = 400  # characters of one failure's words
PROBE_S = 0.0002  # how long a sleep lasts that measures how late this machine wakes a sleeper


class Notes:
    """A witness that keeps what a contest tells of a match: times, failures and the replay."""

    def __init__(self, seats: int, writer: ReplayWriter | None) -> None:
        self.writer = writer
        self.lines: list[bytes] = []
        self.moves = [0] * seats
        self.time_s = [0.0] * seats
        self.slowest_s = [0.0] * seats
        self.failures: list[Mishap] = []
        self.failures_in_all = 0

    def begin(self, match: Match, names: Sequence[str], control: TimeControl) -> None:
        if self.writer is not None:
            started = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            seats = [SeatHeader(name) for name in names]
            self.lines.append(self.writer.begin(match, seats, str(control), started))

    def stepped(self, match: Match, step: Step) -> None:
        for seat, did in step.played.items():
            self.moves[seat] += 1
            self.time_s[seat] += did.time_s
            self.slowest_s[seat] = max(self.slowest_s[seat], did.time_s)
            if did.failure is not None or (did.silent and did.note):
                self.fail(seat, step.number, did.note, did.failure)
        if self.writer is not None:
            self.lines.append(self.writer.step(step))

    def resigned(self, match: Match, seat: int, why: str) -> None:
        failure = match.seats[seat].failure
        self.fail(seat, match.step_number + 1, why, failure, out=True)
        if self.writer is not None:
            self.lines.append(self.writer.resign(seat, why, failure))

    def fail(self, seat: int, step: int, told: str, failure: Failure | None, out: bool = False) -> None:
        """What went wrong; where only a note says it, that begins with the kind: `late: 120 ms of 100 ms`."""
        self.failures_in_all += 1
        if len(self.failures) >= MOST_FAILURES and not out:
            return
        kind, colon, what = told.partition(":")
        if failure is not None:
            kind, what = failure.kind, failure.what
        elif not colon or len(kind) > LONGEST_KIND:
            kind, what = "failed", told
        self.failures.append(Mishap(seat, step, kind, what.strip()[:MOST_WORDS], out))

    def replay(self, match: Match) -> bytes:
        if self.writer is None:
            return b""
        self.lines.append(self.writer.end(match))
        return zstandard.ZstdCompressor(level=3).compress(b"".join(self.lines))


def play_match(
    game: Game, players: Sequence[Player], options: Any, control: TimeControl, policy: Policy, seed: int, notes: Notes
) -> tuple[Match, Outcome]:
    """One match from its seed to its end."""
    match = Match.start(game, options, seed)
    notes.begin(match, [player.name for player in players], control)
    outcome = Host(match, players, control, (notes,), policy=policy).play()
    return match, outcome


class Table:
    """Where one worker plays matches of one contest, one after the other."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.game = find(contest.game)
        self.control = read_control(contest.clock)
        self.policy = read_policy(contest.policy)
        self.options = {
            seats: choose_options(self.game, contest.options_for(seats))
            for seats in range(max(2, self.game.players[0]), contest.seats + 1)
        }
        self.seated: dict[tuple[int, int], Player] = {}  # a bot that sits twice at one table is there twice

    def player(self, bot: int, copy: int) -> Player:
        key = (bot, copy)
        if key not in self.seated:
            self.seated[key] = seat_player(self.game, self.contest.bot[bot].seat, Launch(self.contest.sandbox))
        return self.seated[key]

    def play(self, planned: Planned) -> Finished:
        """Play a match and tell how it went."""
        copies: Counter[int] = Counter()
        players: list[Player] = []
        for bot in planned.bots:
            made = self.player(bot, copies[bot])
            players.append(Player(self.contest.names[bot], made.bot))
            copies[bot] += 1
        notes = Notes(len(players), None if self.contest.replays == "none" else ReplayWriter())
        latency = measure_latency()
        started = time.perf_counter()
        match, outcome = play_match(
            self.game, players, self.options[len(players)], self.control, self.policy, planned.seed, notes
        )
        keep = self.contest.replays == "all" or notes.failures
        return Finished(
            number=planned.number,
            round=planned.round,
            bots=planned.bots,
            seed=planned.seed,
            scores=outcome.scores,
            places=outcome.places,
            reason=outcome.reason,
            steps=match.step_number,
            seconds=time.perf_counter() - started,
            moves=tuple(notes.moves),
            time_ms=tuple(round(seconds * 1000, 3) for seconds in notes.time_s),
            slowest_ms=tuple(round(seconds * 1000, 3) for seconds in notes.slowest_s),
            failures=tuple(notes.failures),
            failures_in_all=notes.failures_in_all,
            replay=notes.replay(match) if keep else b"",
            latency_ms=round(latency * 1000, 3),
        )

    def close(self) -> None:
        """Send away players that are more than a function."""
        for player in self.seated.values():
            player.close()
        self.seated.clear()


def measure_latency() -> float:
    """How late a short sleep ends: what this machine, as busy as it is, could add to anybody's time."""
    started = time.perf_counter()
    time.sleep(PROBE_S)
    return max(0.0, time.perf_counter() - started - PROBE_S)


# ------------------------------------------------------------------- on a cluster

tables = threading.local()  # a cluster's worker may play in several threads: each has a table of its own


@cache
def read_contest(contest: bytes) -> Contest:
    return msgspec.json.decode(contest, type=Contest)


def play_batch(contest: bytes, batch: list[bytes]) -> list[bytes]:
    """Some matches, as a task of a cluster: bytes in and out, so that only this function must be known there."""
    if getattr(tables, "contest", None) != contest:
        if hasattr(tables, "table"):
            tables.table.close()
        tables.contest, tables.table = contest, Table(read_contest(contest))
    return [msgspec.msgpack.encode(tables.table.play(msgspec.msgpack.decode(one, type=Planned))) for one in batch]
