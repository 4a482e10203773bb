"""Rows of the store as plain frozen data. Fields stand in the order of the table's columns (a test holds it).

Times are seconds since 1970, UTC. What is JSON in the database is already read here.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

PlayerKind = Literal["person", "guest", "bot"]
BotPlace = Literal["remote", "webhook", "upload"]
MatchStatus = Literal["open", "playing", "over", "stopped"]
SeatKind = Literal["open", "human", "builtin", "bot"]


class PlayerRow(msgspec.Struct, frozen=True):
    """A person, a guest or a bot; also the built-in bots at their levels, which nobody owns."""

    id: int
    name: str
    name_key: str  # what must be unique: see `players.name_key`
    kind: PlayerKind
    password_hash: str | None = None
    created: float = 0.0
    owner_id: int | None = None  # of a bot: the person who registered it
    about: str = ""
    disabled: bool = False


class SessionRow(msgspec.Struct, frozen=True):
    """Somebody's browser. Only the hash of its secret is known here."""

    hash: str
    player_id: int
    created: float
    expires: float


class TokenRow(msgspec.Struct, frozen=True):
    """A program's way in. Only the hash of its secret is known here."""

    id: int
    player_id: int
    label: str
    hash: str
    scopes: str  # words with blanks between them
    created: float
    last_used: float | None = None
    revoked: float | None = None


class BotRow(msgspec.Struct, frozen=True):
    """Where a registered bot is to be found. An upload's code is asked for by itself: `store.bots.code`."""

    player_id: int
    owner_id: int
    game: str  # "": any
    kind: BotPlace
    address: str = ""
    file_name: str = ""
    version: int = 1  # rises with every upload
    created: float = 0.0
    enabled: bool = True


class SeatRow(msgspec.Struct, frozen=True):
    """A place at a table."""

    seat: int
    player_id: int | None = None
    name: str = ""
    kind: SeatKind = "open"
    bot: str = ""  # a built-in bot's level or spelling
    score: int | None = None
    place: int | None = None


class OutcomeRow(msgspec.Struct, frozen=True):
    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str


class MatchRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table: open, playing or over; with its seats."""

    id: str
    game: str
    rules_version: int
    options: dict[str, Any]
    seed: str  # 16 hexadecimal digits; secret until the match is over
    clock: str = ""
    status: MatchStatus = "open"
    listed: bool = True
    rated: bool = False
    created: float
    started: float | None = None
    ended: float | None = None
    outcome: OutcomeRow | None = None
    stopped: str = ""  # why there is no outcome
    steps: int = 0
    owner: str | None = None  # the process that holds it
    rematch_of: str | None = None
    rematch: str | None = None
    created_by: int | None = None
    seats: tuple[SeatRow, ...] = ()


class MatchPlace(msgspec.Struct, frozen=True):
    """Which process holds a match, and where that process is."""

    status: MatchStatus
    owner: str | None
    rematch: str | None
    address: str | None  # None: the owner is not known any more
    beat: float | None


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended; committed together with its last entries."""

    status: Literal["over", "stopped"]
    ended: float
    steps: int
    outcome: OutcomeRow | None = None  # its scores and places also go to the seats
    stopped: str = ""
    replay: bytes | None = None
    keep_journal: bool = False  # else its entries are deleted in the same commit: the replay tells them


class RatingRow(msgspec.Struct, frozen=True):
    """How strong a player is at one game."""

    player_id: int
    game: str
    mu: float
    sigma: float
    rating: float
    deviation: float
    matches: int
    updated: float


class RatedRow(msgspec.Struct, frozen=True):
    """A place in the list of the strongest."""

    player: PlayerRow
    rating: RatingRow


class RatingPoint(msgspec.Struct, frozen=True):
    """What a rating was after a match."""

    id: int
    player_id: int
    game: str
    match_id: str
    at: float
    rating: float
    deviation: float


class NewRating(msgspec.Struct, frozen=True):
    """What a match made of a rating."""

    mu: float
    sigma: float
    rating: float
    deviation: float


class ContestRow(msgspec.Struct, frozen=True):
    """A published contest; its matches are rows of their own."""

    id: str
    name: str
    game: str
    format: str
    created: float
    published_by: int | None
    data: Any


class ContestMatchRow(msgspec.Struct, frozen=True):
    """A match of a published contest; its replay is asked for by itself: `store.contests.replay`."""

    contest_id: str
    number: int
    data: Any
    has_replay: bool = False


class ProcessRow(msgspec.Struct, frozen=True):
    """A server process, where its neighbours reach it, and when it last said that it lives."""

    id: str
    address: str
    beat: float


class KeptAnswer(msgspec.Struct, frozen=True):
    """What a request with an Idempotency-Key was answered: the same request again gets the same answer."""

    key: str
    player_id: int
    created: float
    status: int
    body: bytes
