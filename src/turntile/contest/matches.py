"""What passes between a contest and whoever plays its matches: a match that is planned, and one that is finished."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Planned(msgspec.Struct, frozen=True, array_like=True):
    """A match to be played. Its number decides the order in which results count, whenever they arrive."""

    number: int
    round: int  # from 1
    bots: tuple[int, ...]  # by seat: places in the contest's list of bots
    seed: int


class Mishap(msgspec.Struct, frozen=True, array_like=True):
    """Something a bot did wrong."""

    seat: int
    step: int  # the step it happened in, from 1
    kind: str  # crash, time, illegal ...
    what: str
    out: bool = False  # it was out of the match from then on


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was played to its end."""

    number: int
    round: int
    bots: tuple[int, ...]
    seed: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    steps: int
    seconds: float
    moves: tuple[int, ...]  # by seat: how often it was asked
    time_ms: tuple[float, ...]  # by seat: all its moves together
    slowest_ms: tuple[float, ...]  # by seat: its slowest move
    failures: tuple[Mishap, ...] = ()
    failures_in_all: int = 0  # `failures` holds the first ones only
    replay: bytes = b""  # packed; empty where none is kept
    latency_ms: float = -1.0  # how late this machine woke a sleeper just before the match; -1: not measured

    def failed(self, seat: int) -> bool:
        """The bot there gave up or broke down, as opposed to having lost."""
        return any(failure.seat == seat and failure.out for failure in self.failures)


def shares(places: Sequence[int]) -> list[float]:
    """By seat: the part of the others it came before, ties counting half; 0 to 1."""
    others = len(places) - 1
    return [(sum(place < other for other in places) + (places.count(place) - 1) / 2) / others for place in places]
