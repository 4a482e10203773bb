"""The journal of a match: what was done to it, in order, as data that can be kept and applied again.

An entry is one call on `Match`. The same entries applied in the same order to a match of the
same options and seed give the same match, so that a server that was killed, a watcher who sees
everything later, a bot that thinks in another process and the replay all come from one list.
A replay tells what each step was; the journal also tells what was chosen and not played yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from turntile.match.clock import Clock
from turntile.match.match import Match, Step
from turntile.match.remarks import Failure, Remark
from turntile.match.replay import ReplayWriter, SeatHeader


class Acted(msgspec.Struct, frozen=True, tag="act", omit_defaults=True, array_like=True):
    """A seat's message was accepted. `seq` is the sender's own number of it: sent twice, it counts once."""

    seat: int
    text: str
    seq: int = 0
    time_s: float = 0.0
    note: str = ""
    remarks: tuple[Remark, ...] = ()


class WasSilent(msgspec.Struct, frozen=True, tag="silent", omit_defaults=True, array_like=True):
    """These seats said nothing in time, or nothing that counts."""

    seats: tuple[int, ...]
    time_s: float = 0.0
    note: str = ""
    remarks: tuple[Remark, ...] = ()
    failure: Failure | None = None


class Resigned(msgspec.Struct, frozen=True, tag="resign", omit_defaults=True, array_like=True):
    """A seat gave up."""

    seat: int
    why: str = "resigned"
    failure: Failure | None = None
    seq: int = 0


class Drawn(msgspec.Struct, frozen=True, tag="draw", array_like=True):
    """All who still play agreed on a draw."""


Entry = Acted | WasSilent | Resigned | Drawn

write_entry = msgspec.msgpack.Encoder().encode
read_entry = msgspec.msgpack.Decoder(Entry).decode


def apply(match: Match, entry: Entry) -> list[Step]:
    """Do to a match what the entry says; the steps that could be played. Raises what `Match` raises."""
    if isinstance(entry, Acted):
        return match.submit(entry.seat, entry.text, entry.time_s, entry.note, entry.remarks)
    if isinstance(entry, Resigned):
        return match.resign(entry.seat, entry.why, entry.failure)
    if isinstance(entry, Drawn):
        match.agree_draw()
        return []
    steps: list[Step] = []
    for seat in entry.seats:
        steps += match.be_silent(seat, entry.time_s, entry.note, entry.remarks, entry.failure)
    return steps


def charge(clocks: list[Clock], entry: Entry) -> None:
    """What an entry costs the clocks of those who acted or were silent."""
    if isinstance(entry, Acted):
        clocks[entry.seat].charge(entry.time_s)
    elif isinstance(entry, WasSilent):
        for seat in entry.seats:
            clocks[seat].charge(entry.time_s)


def write_replay(
    match: Match,
    entries: Iterable[Entry],
    seats: list[SeatHeader],
    clock: str = "none",
    started: str = "",
    stopped: str = "",
    compress: bool = True,
) -> bytes:
    """The replay of a journal; `match` is as it began, and afterwards as it ended."""
    return b"".join(replay_pieces(match, entries, seats, clock, started, stopped, compress))


def replay_pieces(
    match: Match,
    entries: Iterable[Entry],
    seats: list[SeatHeader],
    clock: str,
    started: str,
    stopped: str,
    compress: bool,
) -> Iterator[bytes]:
    writer = ReplayWriter(compress)
    yield writer.begin(match, seats, clock, started)
    for entry in entries:
        steps = apply(match, entry)
        if isinstance(entry, Resigned):
            yield writer.resign(entry.seat, entry.why, entry.failure)
        if isinstance(entry, Drawn):
            yield writer.draw()
        for step in steps:
            yield writer.step(step)
    yield writer.end(match, stopped)
