"""A contest as it is published on a server: what is sent, the only definition of it for both ends.

A head with the plan's names and the standings, then the matches in pieces, each with its replay
where one was kept. Sent again, the same contest takes the place of what was there.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from turntile.contest.plan import FormatName
from turntile.contest.rounds import Round

HEAD = 0  # the number under which a server keeps the head: matches count from 1
MOST_BOTS = 500
MOST_CROSSTABLE = 100  # bots: a larger table is no longer read by anybody
MOST_MATCHES = 100_000
MOST_IN_PIECE = 200  # matches
PIECE_BYTES = 900_000
REPLAY_BYTES = 1_000_000  # packed; a larger one is left out
MOST_FAILURES = 20  # told of a match

Name = Annotated[str, Meta(min_length=1, max_length=100)]
Text = Annotated[str, Meta(max_length=400)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[float, Meta(ge=-1e15, le=1e15)]
Seat = Annotated[int, Meta(ge=0, le=63)]
BotNumber = Annotated[int, Meta(ge=0, lt=MOST_BOTS)]


class PublishedStanding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One bot's line; how it is started on the organiser's machine is nobody's business."""

    place: Annotated[int, Meta(ge=1, le=MOST_BOTS)]
    name: Name
    played: Count
    won: Count
    drawn: Count
    lost: Count
    share: Annotated[float, Meta(ge=0, le=1)]  # the mean part of the others it came before: 0.5 is average
    elo: Number
    margin: Number  # 95 %
    points: Number  # the game's own, a match
    failures: Annotated[dict[Name, Count], Meta(max_length=20)] = {}
    mean_ms: Number = 0.0
    slowest_ms: Number = 0.0
    more: Annotated[dict[Name, Number | Text], Meta(max_length=20)] = {}


class PublishedContest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head: all but the matches."""

    key: Annotated[str, Meta(min_length=1, max_length=100)]  # the same key of the same publisher: the same contest
    name: Name
    game: Annotated[str, Meta(max_length=60)]
    format: FormatName
    bots: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MOST_BOTS)]  # matches name them by place
    seats: Annotated[int, Meta(ge=2, le=16)] = 2
    clock: Annotated[str, Meta(max_length=100)] = ""
    seed: Annotated[str, Meta(max_length=40)] = ""
    options: Annotated[dict[str, Any], Meta(max_length=50)] = {}
    matches: Annotated[int, Meta(ge=0, le=MOST_MATCHES)] = 0
    in_all: Count | None = None  # null: not known yet, or endless
    steps: Count = 0
    ended: Text = ""  # why it is over; "" while it is not
    standings: Annotated[tuple[PublishedStanding, ...], Meta(min_length=1, max_length=MOST_BOTS)]
    crosstable: Annotated[tuple[tuple[tuple[Number, Count] | None, ...], ...], Meta(max_length=MOST_CROSSTABLE)] = ()
    seat_share: Annotated[dict[str, tuple[Number, ...]], Meta(max_length=20)] = {}
    summary: Annotated[dict[Name, Number | Text], Meta(max_length=50)] = {}
    rounds: Annotated[tuple[Round, ...], Meta(max_length=1000)] = ()


class PublishedFailure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seat: Seat
    step: Count
    kind: Annotated[str, Meta(max_length=40)]
    what: Text
    out: bool = False


class PublishedMatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=1, le=MOST_MATCHES)]
    round: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    bots: Annotated[tuple[BotNumber, ...], Meta(min_length=1, max_length=16)]  # by seat
    scores: Annotated[tuple[Annotated[int, Meta(ge=-(2**53), le=2**53)], ...], Meta(min_length=1, max_length=16)]
    places: Annotated[tuple[Annotated[int, Meta(ge=1, le=16)], ...], Meta(min_length=1, max_length=16)]
    reason: Text
    steps: Count
    seconds: Number = 0.0
    failures: Annotated[tuple[PublishedFailure, ...], Meta(max_length=MOST_FAILURES)] = ()
    replay: Annotated[str, Meta(max_length=2 * REPLAY_BYTES)] = ""  # packed with zstd, as base64


class PublishedPiece(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some matches."""

    matches: Annotated[tuple[PublishedMatch, ...], Meta(min_length=1, max_length=MOST_IN_PIECE)]
