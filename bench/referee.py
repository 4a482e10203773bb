"""What the referee costs: a program's move through it, against a bare ping-pong of the same bytes; and whom it wrongs.

Both talk to the same kind of program, a loop that reads a line and writes an answer, in turns of
some dozen moves, so that a busy moment of the machine hits both alike. The second figure plays
many matches at the same time under a tight clock with programs that answer at once: every time
loss there would be one that the referee caused.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter
from typing import Any

from turntile.core.registry import find
from turntile.match.clock import read_control
from turntile.match.match import Match, Step
from turntile.match.options import choose_options
from turntile.players.guests import GuestFailed, Question, exchange, opening_for, question_for
from turntile.players.host import Host
from turntile.players.process import ProcessGuest
from turntile.players.seats import Player

RATIO = 1.5  # at most
MOVES = 4000
CHUNK = 50
BETWEEN_S = 0.0001
CROWD_MOVES = 20_000
CLOCK = "100ms"

# The program of both measurements: no JSON, as few instructions as a loop in Python can have.
PROGRAM = """
import os
seq = 0
data = b""
ready = b'{"type":"ready"}\\n'
while True:
    data += os.read(0, 1 << 20)
    if not data:
        break
    while b"\\n" in data:
        line, _, data = data.partition(b"\\n")
        if line.startswith(b'{"type":"turn"'):
            seq += 1
            os.write(1, b'{"type":"move","seq":%d,"action":"straight"}\\n' % seq)
        elif line.startswith(b'{"type":"quit"'):
            os._exit(0)
        elif not line.startswith(b'{"type":"end"'):
            os.write(1, ready)
"""
COMMAND = [sys.executable, "-S", "-c", PROGRAM]


def play_the_rules() -> None:
    """Stands for what a match does between two moves; meanwhile the program comes to wait for its next line."""
    until = perf_counter() + BETWEEN_S
    while perf_counter() < until:
        pass


class Pingpong:
    """The bare one: blocking pipes, nothing else."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()

    def times(self, message: bytes, moves: int) -> list[float]:
        spent = []
        for _ in range(moves):
            play_the_rules()
            started = perf_counter()
            os.write(self.input, message)
            os.read(self.output, 65536)
            spent.append(perf_counter() - started)
        return spent

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def exchange_times(guest: ProcessGuest, question: Question, moves: int) -> tuple[list[float], list[float]]:
    """A turn through the referee: how long making its message takes, and writing, waiting, reading, judging."""
    making, spent = [], []
    for _ in range(moves):
        started = perf_counter()
        message = guest.prepare(question)
        making.append(perf_counter() - started)
        play_the_rules()
        made = perf_counter()
        answer = exchange(guest, question, message)
        spent.append(perf_counter() - made)
        assert not isinstance(answer, GuestFailed), answer
    return making, spent


def measure_overhead(same_core: bool, moves: int = MOVES) -> dict[str, float]:
    """The bare loop has its bytes ready, so the referee's are made beforehand too; what that costs is told beside.

    Where the scheduler puts the programs decides more than anything else: so both are put on the
    referee's core, as in a contest with pinned workers, or both on another.
    """
    before = os.sched_getaffinity(0)
    cores = sorted(before)
    here, there = cores[0], cores[0] if same_core else cores[-1]
    try:
        os.sched_setaffinity(0, {there})  # programs inherit it
        return compare(moves, here)
    finally:
        os.sched_setaffinity(0, before)


def compare(moves: int, here: int) -> dict[str, float]:
    game = find("tron")
    match = Match.start(game, None, 1)
    guest = ProcessGuest(COMMAND)
    bare = Pingpong()
    making: list[float] = []
    ours: list[float] = []
    theirs: list[float] = []
    try:
        guest.begin(opening_for(match, 0, ("a", "b"), CLOCK))
        question = question_for(match, 0, read_control(CLOCK).turn_s)
        message = guest.prepare(question)
        guest.seq -= 1
        os.sched_setaffinity(0, {here})
        for _ in range(moves // CHUNK):
            theirs += bare.times(message, CHUNK)
            made, spent = exchange_times(guest, question, CHUNK)
            making += made
            ours += spent
    finally:
        bare.close()
        guest.close()
    return {
        "message_bytes": len(message),
        "bare_us": median(theirs) * 1e6,
        "making_us": median(making) * 1e6,
        "referee_us": median(ours) * 1e6,
        "ratio": median(ours) / median(theirs),
    }


class Losses:
    """A witness that counts moves and time losses."""

    def __init__(self) -> None:
        self.moves = 0
        self.lost = 0
        self.slowest_s = 0.0

    def stepped(self, match: Match, step: Step) -> None:
        for did in step.played.values():
            self.moves += 1
            self.lost += did.silent
            self.slowest_s = max(self.slowest_s, did.time_s)

    def resigned(self, match: Match, seat: int, why: str) -> None:
        self.lost += 1


def play_matches(moves: int, first_seed: int) -> Losses:
    """Matches of two programs, one after the other, until so many moves are made."""
    game = find("tron")
    losses = Losses()
    players = [Player(f"program {seat}", ProcessGuest(COMMAND)) for seat in range(2)]
    options = choose_options(game, {"board": "arena"})
    try:
        while losses.moves < moves:
            match = Match.start(game, options, first_seed + losses.moves)
            Host(match, players, read_control(CLOCK), (losses,)).play()
    finally:
        for player in players:
            player.close()
    return losses


def measure_crowd(moves: int = CROWD_MOVES) -> dict[str, float]:
    """As many tables as the machine has cores, all at once."""
    tables = max(2, os.cpu_count() or 2)
    with ThreadPoolExecutor(tables) as pool:
        found = list(pool.map(play_matches, [moves // tables + 1] * tables, [10**6 * n for n in range(tables)]))
    return {
        "tables": tables,
        "moves": sum(losses.moves for losses in found),
        "time_losses": sum(losses.lost for losses in found),
        "slowest_ms": max(losses.slowest_s for losses in found) * 1000,
    }


def measure() -> dict[str, Any]:
    return {
        "same_core": measure_overhead(True),
        "other_core": measure_overhead(False),
        "crowd": measure_crowd(),
    }
