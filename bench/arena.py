"""What the arena in the browser can carry, on one core: moves over sockets, many matches at once, memory, bytes.

Servers are real processes on one core, with a real SQLite file (WAL, synchronous=FULL); the load
comes from this process on another. A move counts when it is acknowledged, and so committed.
Beside it a bare Starlette echo takes turns with messages of the same sizes: what a socket costs
before there is any game.
"""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.arena_crowd import measure_crowd
from bench.arena_memory import measure_idle
from bench.arena_processes import Process, cpu_s, one_core
from bench.arena_visitors import Bots, Visitor
from bench.sockets import Line, Poll
from turntile.core.registry import find
from turntile.match.match import Match, Step
from turntile.match.options import choose_options
from turntile.players.host import Host
from turntile.players.seats import seat_player
from turntile.server import page

OPTIONS = {"board": "arena"}  # no chance in it: all matches can follow one script
FEEDS = ("lines", "view", "scene")
CONNECTIONS = (1, 16, 32, 64)
STEPS = 110  # of a match in a piece, two moves each
ROUNDS = 5

PART_OF_ECHO = 0.5  # what we promise: moves with feed=lines, beside the echo, ...
SATURATING = 64  # ... over so many sockets: with few, both wait, and ours for the disk, which no echo writes to
IDLE_MATCH_KB = 100.0
SCRIPT_KB = 120.0
ACK_MS = 250.0

# ------------------------------------------------------------------- moves over the socket


class Notes:
    """A witness that keeps what both seats did."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, ...]] = []

    def stepped(self, match: Match, step: Step) -> None:
        self.texts.append(tuple(step.played[seat].text for seat in sorted(step.played)))

    def resigned(self, match: Match, seat: int, why: str) -> None:
        raise AssertionError(why)


def write_script(steps: int = STEPS) -> list[bytes]:
    """The messages of a whole match of Tron in order, for who holds both seats."""
    game = find("tron")
    notes = Notes()
    match = Match.start(game, choose_options(game, OPTIONS), 1)
    Host(match, [seat_player(game, "territory"), seat_player(game, "territory")], witnesses=(notes,)).play()
    assert len(notes.texts) > steps and all(len(texts) == 2 for texts in notes.texts[:steps]), "both play on so long"
    return [
        b'{"type":"act","seq":%d,"seat":%d,"text":"%s"}' % (number, seat, text.encode())
        for number, texts in enumerate(notes.texts[:steps], 1)
        for seat, text in enumerate(texts)
    ]


def play_script(lines: Sequence[Line], script: Sequence[bytes], answer: bytes) -> tuple[float, int]:
    """Every line sends the script, each message after the answer to the one before.

    The seconds it took, and the bytes of all answers, without what else was said.
    """
    at = dict.fromkeys(lines, 1)
    poll = Poll(lines)
    size = len(answer)
    begun = perf_counter()
    for line in lines:
        line.send(script[0])
    playing = len(lines)
    answered = 0
    while playing:
        for line in poll.wait():
            for message in line.read():
                if message[:size] != answer:
                    assert not message.startswith((b'{"type":"refused"', b'{"type":"error"')), message
                    continue
                answered += len(message)
                number = at[line]
                if number < len(script):
                    at[line] = number + 1
                    line.send(script[number])
                elif number == len(script):
                    at[line] = number + 1
                    playing -= 1
    seconds = perf_counter() - begun
    poll.close()
    return seconds, answered


class Piece:
    """A measured piece: how many messages were answered in which time, and at which cost."""

    def __init__(self, server: Process, lines: Sequence[Line], script: Sequence[bytes], answer: bytes) -> None:
        received, server_s, own_s = sum(line.received for line in lines), server.cpu_s(), cpu_s(os.getpid())
        self.seconds, answered = play_script(lines, script, answer)
        self.messages = len(lines) * len(script)
        self.answer_bytes = answered / self.messages
        self.server_s = server.cpu_s() - server_s
        self.own_s = cpu_s(os.getpid()) - own_s
        self.bytes_out = (sum(line.received for line in lines) - received) / self.messages

    @property
    def rate(self) -> float:
        return self.messages / self.seconds

    @property
    def cpu_us(self) -> float:
        return self.server_s / self.messages * 1e6


def play_moves(bots: Bots, feed: str, connections: int, script: Sequence[bytes]) -> Piece:
    matches = [bots.open_match("tron", OPTIONS) for _ in range(connections)]
    lines = [bots.line(match_id, feed) for match_id in matches]
    for line in lines:
        await_start(line)
    piece = Piece(bots.arena, lines, script, b'{"type":"ack"')
    for line in lines:
        line.close()
    for match_id in matches:
        bots.resign(match_id)
    for match_id in matches:
        bots.await_end(match_id)  # writing replays is not to slow down whoever is measured next
    return piece


def await_start(line: Line) -> None:
    """Welcome and the first frame, which are not part of what is measured."""
    while not any([message.startswith(b'{"type":"frame"') for message in line.read()]):  # read to the end
        pass


def play_echo(echo: Process, what: str, connections: int, script: Sequence[bytes]) -> Piece:
    lines = [Line(f"{echo.socket_url}/{what}") for _ in range(connections)]
    piece = Piece(echo, lines, script, b"x")
    for line in lines:
        line.close()
    return piece


def compare_moves(
    bots: Bots, echo: Process, feed: str, connections: int, script: Sequence[bytes], rounds: int
) -> dict[str, Any]:
    """Pieces of both, taking turns."""
    first = play_moves(bots, feed, connections, script)
    size, answer = round(first.bytes_out), round(first.answer_bytes)
    frame = round(2 * (first.bytes_out - first.answer_bytes))  # after every second move
    ours, theirs, alike = [], [], []
    for _ in range(rounds):
        theirs.append(play_echo(echo, f"echo?bytes={size}", connections, script))
        ours.append(play_moves(bots, feed, connections, script))
        alike.append(play_echo(echo, f"alike?answer={answer}&frame={frame}", connections, script))
    return {
        "bytes_in": sum(map(len, script)) / len(script),
        "bytes_out": size,
        "answer_bytes": answer,
        "frame_bytes": frame,
        "moves_per_s": median(piece.rate for piece in ours),
        "echo_per_s": median(piece.rate for piece in theirs),
        "part_of_echo": median(own.rate / bare.rate for own, bare in zip(ours, theirs, strict=True)),
        "part_of_alike": median(own.rate / same.rate for own, same in zip(ours, alike, strict=True)),
        "server_us_a_move": median(piece.cpu_us for piece in ours),
        "server_us_an_echo": median(piece.cpu_us for piece in theirs),
        "server_busy": median(piece.server_s / piece.seconds for piece in ours),
        "load_busy": median(piece.own_s / piece.seconds for piece in ours),
        "echo_busy": median(piece.server_s / piece.seconds for piece in theirs),
        "load_busy_at_echo": median(piece.own_s / piece.seconds for piece in theirs),
    }


def measure_moves(folder: Path, rounds: int = ROUNDS) -> dict[str, Any]:
    core, script, found = one_core(), write_script(), {}
    arena, echo = Process("arena", core, folder), Process("echo", core)
    try:
        bots = Visitor(arena, "Bench").bot("runner")
        for feed in FEEDS:
            for connections in CONNECTIONS:
                if feed == "lines" or connections == SATURATING:
                    found[f"{feed} {connections}"] = compare_moves(bots, echo, feed, connections, script, rounds)
    finally:
        arena.end()
        echo.end()
    return found


# ------------------------------------------------------------------- the page, and all together


def measure_script() -> float | None:
    """Gzipped kilobytes of all scripts of the page; None where it was not built."""
    scripts = sorted((page.HERE / "assets").glob("*.js"))
    return sum(len(gzip.compress(script.read_bytes(), 9)) for script in scripts) / 1000 if scripts else None


def measure() -> dict[str, Any]:
    """The load keeps off the servers' core."""
    cores = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder:
        moves, crowd = Path(folder) / "moves", Path(folder) / "crowd"
        moves.mkdir()
        crowd.mkdir()
        try:
            os.sched_setaffinity(0, cores - {one_core()} or cores)
            return {
                "cores": len(cores),
                "moves": measure_moves(moves),
                "crowd": measure_crowd(crowd),
                "idle": measure_idle(),
                "script_kb": measure_script(),
            }
        finally:
            os.sched_setaffinity(0, cores)
