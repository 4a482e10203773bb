"""What the HTTP interface answers, as types: the only definition of it, also of its schemas in /openapi.json.

Times are RFC 3339 in UTC. Lists come in pages: `next` is the cursor of the following page, null at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from starlette.responses import Response

from turntile.server.levels import Level
from turntile.server.messages import MatchInfo
from turntile.store.rows import PlayerRow

Kind = Literal["person", "guest", "bot"]


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A person, a guest or a bot."""

    name: str
    kind: Kind
    about: str = ""
    created: str
    owner: str | None = None  # of a registered bot: whose it is


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks."""

    player: Player | None  # null: nobody yet; the first match makes a guest
    scopes: tuple[str, ...] | None = None  # of the token; null for a person, who may do everything


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A program's way in, without its secret."""

    id: int
    label: str
    scopes: tuple[str, ...]
    created: str
    last_used: str | None = None


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token with its secret, which is told this once only."""

    id: int
    label: str
    scopes: tuple[str, ...]
    created: str
    secret: str


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Token, ...]
    next: str | None = None


class GameOption(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may be chosen."""

    name: str
    default: Any
    allowed: str  # in words
    meaning: str
    kind: Literal["number", "bool", "choice", "text"]
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] | None = None


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game and all that is needed to set up a match of it."""

    name: str
    title: str
    summary: str
    players: tuple[int, int]  # fewest and most
    hidden: bool
    draws: bool
    turn_ms: int
    has_preview: bool
    rules_version: int
    levels: tuple[Level, ...]
    options: tuple[GameOption, ...]
    background: str


class Games(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[GameInfo, ...]
    next: str | None = None


class LookInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How a kind of thing looks; its shape is a symbol of symbols.svg."""

    glyph: str
    word: str
    colour: str
    turned: tuple[str, ...] = ()


class LooksInfo(msgspec.Struct, frozen=True, kw_only=True):
    background: str
    ground: dict[str, str]
    looks: dict[str, LookInfo]


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[MatchInfo, ...]
    next: str | None = None


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """The action is committed."""

    seat: int
    seq: int
    number: int
    repeated: bool = False


class RatingInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How strong a player is at one game."""

    game: str
    rating: float
    deviation: float
    matches: int


class BotSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A registered bot, as everybody may know it."""

    name: str
    game: str
    kind: Literal["remote", "webhook", "upload"]
    enabled: bool


class PlayerPage(msgspec.Struct, frozen=True, kw_only=True):
    player: Player
    ratings: tuple[RatingInfo, ...]
    bots: tuple[BotSummary, ...]


class Leader(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the list of the strongest."""

    place: int
    player: Player
    game: str
    rating: float
    deviation: float
    matches: int


class Leaders(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Leader, ...]
    next: str | None = None


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """What a rating was after a match."""

    at: str
    rating: float
    deviation: float
    match: str


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[CurvePoint, ...]
    next: str | None = None


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """The whole truth after a step, as the game writes it."""

    step: int
    text: str


def utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_or_none(seconds: float | None) -> str | None:
    return None if seconds is None else utc(seconds)


def player_of(row: PlayerRow, owner: str | None = None) -> Player:
    return Player(name=row.name, kind=row.kind, about=row.about, created=utc(row.created), owner=owner)


def answer(told: msgspec.Struct, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(told), status, headers, media_type="application/json")


def schemas_of(types: Iterable[type[msgspec.Struct]]) -> dict[str, Any]:
    """JSON Schemas of these types and all they need, by name."""
    _, needed = msgspec.json.schema_components(tuple(types), ref_template="#/components/schemas/{name}")
    return needed
