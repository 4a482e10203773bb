"""A worker process that thinks for built-in bots: `python -m turntile.server.thinking`.

It keeps a shadow of each match it thinks about, made from the same journal entries, and reads
and writes msgpack with its length before it. It knows no store and no network, ends when its
input does, and is nice: people's actions come before bots' thoughts.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, BinaryIO

import msgspec

from turntile.core.bots import Bot
from turntile.core.registry import find
from turntile.match.log import apply, read_entry
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.players.seats import seat_player

MOST_SHADOWS = 500  # the one longest unused is forgotten; if it is asked for, its journal is sent again
NICENESS = 10
LENGTH_BYTES = 4
READY = 0  # the request that the first thought answers: nobody asked, but now it can be asked


class Think(msgspec.Struct, frozen=True, tag="think", array_like=True):
    """What would this bot do there? `entries` are the journal's from number `first` (counted from 0) on."""

    request: int
    match: str
    game: str
    options: dict[str, Any]
    seed: int
    seat: int
    bot: str
    first: int
    entries: Sequence[bytes]


class Forget(msgspec.Struct, frozen=True, tag="forget", array_like=True):
    """A match is over."""

    match: str


class Thought(msgspec.Struct, frozen=True, tag="thought", array_like=True):
    """The bot's answer. `lost`: the shadow is not where `first` is, send all entries."""

    request: int
    text: str = ""
    spent_s: float = 0.0
    failed: str = ""
    lost: bool = False


Order = Think | Forget

read_order = msgspec.msgpack.Decoder(Order).decode
write_order = msgspec.msgpack.Encoder().encode
read_thought = msgspec.msgpack.Decoder(Thought).decode


class Shadow:
    """A match as this process has re-run it."""

    __slots__ = ("bots", "match", "number")

    def __init__(self, order: Think) -> None:
        game = find(order.game)
        self.match = Match.start(game, choose_options(game, order.options), order.seed)
        self.number = 0
        self.bots: dict[tuple[int, str], Bot] = {}

    def follow(self, entries: Sequence[bytes]) -> None:
        for entry in entries:
            apply(self.match, read_entry(entry))
            self.number += 1

    def bot(self, seat: int, text: str) -> Bot:
        if (seat, text) not in self.bots:
            bot = seat_player(self.match.game, text).bot
            assert bot is not None, text
            self.bots[seat, text] = bot
        return self.bots[seat, text]


class Worker:
    """Does one order after the other."""

    def __init__(self) -> None:
        self.shadows: OrderedDict[str, Shadow] = OrderedDict()

    def think(self, order: Think) -> Thought:
        shadow = self.shadows.get(order.match)
        if shadow is None and order.first == 0:
            shadow = self.shadows[order.match] = Shadow(order)
            if len(self.shadows) > MOST_SHADOWS:
                self.shadows.popitem(last=False)
        if shadow is None or shadow.number != order.first:
            self.shadows.pop(order.match, None)
            return Thought(order.request, lost=True)
        self.shadows.move_to_end(order.match)
        try:
            shadow.follow(order.entries)
            started = perf_counter()
            text = shadow.bot(order.seat, order.bot)(shadow.match.turn(order.seat))
            return Thought(order.request, text, perf_counter() - started)
        except Exception as failure:  # told to the server, which decides: this process must go on
            self.shadows.pop(order.match, None)
            return Thought(order.request, failed=f"{type(failure).__name__}: {failure}")

    def run(self, orders: BinaryIO, thoughts: BinaryIO) -> None:
        say(thoughts, Thought(READY))
        while data := read_piece(orders):
            order = read_order(data)
            if isinstance(order, Forget):
                self.shadows.pop(order.match, None)
                continue
            say(thoughts, self.think(order))


def say(thoughts: BinaryIO, thought: Thought) -> None:
    data = msgspec.msgpack.encode(thought)
    thoughts.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    thoughts.flush()


def read_piece(orders: BinaryIO) -> bytes:
    """One message; b"" when the server is gone."""
    head = orders.read(LENGTH_BYTES)
    return orders.read(int.from_bytes(head, "big")) if len(head) == LENGTH_BYTES else b""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server, which ends us
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    # What a bot prints must not get between the answers.
    thoughts = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Worker().run(sys.stdin.buffer, thoughts)


if __name__ == "__main__":
    main()
