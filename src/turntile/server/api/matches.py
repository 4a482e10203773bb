"""Matches: tables set up, listed, joined, played and given up; what a live match says goes over the socket."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Header, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.responses import Response

from turntile.core import registry
from turntile.server.answers import Acted, Matches, answer
from turntile.server.hall import Hall
from turntile.server.identity import Identity, MaybeKnown, anybody, require, somebody
from turntile.server.infos import stored_info
from turntile.server.messages import MatchInfo
from turntile.server.openapi import OPEN_TO_ALL, responses
from turntile.server.problems import Problem
from turntile.server.seating import NewTable, SeatWish
from turntile.server.table import Table
from turntile.store import Store
from turntile.store.rows import KeptAnswer, MatchRow, MatchStatus

router = APIRouter(tags=["matches"], prefix="/matches")

SETTLED_WITHIN_S = 10.0

MatchId = Annotated[str, Path(max_length=40, description="the match's id, 10 letters and digits")]
Cursor = Annotated[str | None, Query(max_length=200, description="`next` of the page before")]
Limit = Annotated[int, Query(ge=1, le=100)]
Player = Annotated[Identity, Depends(require("play"))]
Challenger = Annotated[Identity, Depends(anybody("challenge"))]
Status = Literal["open", "playing", "over", "stopped"]


class Seat(BaseModel):
    """`me`: who asks (again with a name: somebody at the same screen), `open`: whoever comes, `bot`: a bot."""

    model_config = ConfigDict(extra="forbid", strict=True)

    kind: Literal["me", "open", "bot"]
    name: Annotated[str, Field(max_length=24)] = ""
    bot: Annotated[
        str, Field(max_length=80, description="a level (hard), a bot of the game (tree:200), a registered one (@name)")
    ] = ""


class NewMatch(BaseModel):
    """A table. It begins as soon as no seat is open."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"game": "tron", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "easy"}], "options": {"size": 15}},
                {"game": "worms", "seats": [{"kind": "me"}, {"kind": "open"}], "listed": False},
            ]
        },
    )

    game: Annotated[str, Field(max_length=60)]
    options: Annotated[dict[str, Any], Field(max_length=50)] = {}
    seats: Annotated[list[Seat], Field(max_length=16, description="those left out are open")] = []
    clock: Annotated[
        str, Field(max_length=60, description="how long one may think, such as 30s, 5m+2s; none if empty")
    ] = ""
    listed: bool = True
    rated: bool = False

    @field_validator("options")
    @classmethod
    def can_be_kept(cls, options: dict[str, Any]) -> dict[str, Any]:
        """Python reads more than JSON can write: half a sign of UTF-16, numbers without end."""
        try:
            msgspec.json.encode(options)
        except (ValueError, OverflowError, RecursionError):
            raise ValueError("a text in it is no Unicode, or a number too large") from None
        return options


class JoinWish(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{}, {"seat": 1}]})

    seat: Annotated[int | None, Field(ge=0, le=63, description="any that is open if left out")] = None
    name: Annotated[str, Field(max_length=24)] = ""


class SeatOnly(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{}, {"seat": 0}]})

    seat: Annotated[int, Field(ge=-1, le=63, description="may be left out by who holds one seat")] = -1


class DrawWish(SeatOnly):
    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"answer": "offer"}]})

    answer: Literal["offer", "accept", "decline"]


class Action(SeatOnly):
    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"seat": 0, "seq": 1, "text": "up", "step": 0}]}
    )

    seq: Annotated[int, Field(ge=0, le=2**31, description="of this seat: 1, 2, 3 ...; 0: whatever is next")]
    text: Annotated[str, Field(max_length=64 * 1024)]
    step: Annotated[int, Field(ge=-1, le=2**31, description="the step it was chosen at")] = -1


# ------------------------------------------------------------------- the list


@router.get(
    "",
    operation_id="listMatches",
    summary="Matches, newest first",
    description="Those that are listed, and one's own.",
    responses=responses(Matches, 401, 404, 422),
)
async def list_matches(
    request: Request,
    asker: MaybeKnown,
    status: Status = "playing",
    game: Annotated[str, Query(max_length=60)] = "",
    player: Annotated[str, Query(max_length=100, description="only where this player sits")] = "",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    store: Store = request.app.state.store
    player_id = None
    if player:
        found = await store.players.by_name(player)
        if found is None:
            raise Problem(404, f"nobody here is called {player!r}")
        player_id = found.id
    statuses: tuple[MatchStatus, ...] = ("over", "stopped") if status == "over" else (status,)
    return await list_page(request, asker, statuses, game, player_id, cursor, limit)


async def list_page(
    request: Request,
    asker: Identity | None,
    statuses: tuple[MatchStatus, ...],
    game: str,
    player_id: int | None,
    cursor: str | None,
    limit: int,
) -> Response:
    store: Store = request.app.state.store
    hall: Hall = request.app.state.hall
    viewer = asker.player.id if asker is not None else None
    name = registry.find(game).name if game else ""
    rows, following = await store.matches.page(
        statuses, game=name, player=player_id, viewer=viewer, cursor=cursor, limit=limit
    )
    return answer(Matches(items=await infos_of(hall, rows, viewer), next=following))


async def infos_of(hall: Hall, rows: Sequence[MatchRow], viewer: int | None) -> tuple[MatchInfo, ...]:
    """As `Hall.info`, for a whole page with a few questions to the store."""
    stored = [row for row in rows if row.id not in hall.tables and row.id not in hall.finished]
    ids = {seat.player_id for row in stored for seat in row.seats if seat.player_id is not None}
    creators = {row.created_by for row in stored if row.created_by is not None}
    names = {player.id: player.name for player in (await hall.store.players.many(ids | creators)).values()}
    ratings: dict[str, dict[int, float]] = {}
    for game in {row.game for row in stored}:
        found = await hall.store.ratings.many(ids, game)
        ratings[game] = {player_id: rating.rating for player_id, rating in found.items()}
    told = []
    for row in rows:
        table = hall.tables.get(row.id) or hall.finished.get(row.id)
        if table is not None:
            told.append(table.info(table.seats_of(viewer) if viewer is not None else ()))
        else:  # also one that ended a moment ago
            told.append(stored_info(row, names, ratings.get(row.game, {}), viewer))
    return tuple(told)


# ------------------------------------------------------------------- one match


@router.post(
    "",
    operation_id="createMatch",
    openapi_extra=OPEN_TO_ALL,
    summary="Set up a match",
    description="Whoever asks without an account becomes a guest. With an `Idempotency-Key` the same request sent "
    "again gives the same match.",
    status_code=201,
    responses=responses(MatchInfo, 401, 403, 404, 409, 413, 422, 503, status=201),
)
async def create_match(
    request: Request,
    wish: NewMatch,
    asker: Challenger,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> Response:
    hall: Hall = request.app.state.hall
    if idempotency_key is None:
        table = await hall.open_table(table_of(wish), asker.player)
        return await tell(hall, table.id, asker, 201)
    return await create_once(request, wish, asker, idempotency_key)


def table_of(wish: NewMatch) -> NewTable:
    return NewTable(
        game=wish.game,
        options=wish.options,
        seats=tuple(SeatWish(seat.kind, seat.name, seat.bot) for seat in wish.seats),
        clock=wish.clock,
        listed=wish.listed,
        rated=wish.rated,
    )


class Kept(msgspec.Struct, frozen=True):
    """What is remembered of a match that was created with a key."""

    request: str  # a hash of what was asked
    match: str


async def create_once(request: Request, wish: NewMatch, asker: Identity, given: str) -> Response:
    """The same player's same key gives the same match; two at the same moment wait for each other."""
    hall: Hall = request.app.state.hall
    store: Store = request.app.state.store
    key = hashlib.sha256(f"match {asker.player.id} {given}".encode()).hexdigest()
    asked = hashlib.sha256(wish.model_dump_json().encode()).hexdigest()
    async with request.app.state.one_at_a_time(key):
        known = await store.answers.find(key, asker.player.id)
        if known is not None:
            kept = msgspec.json.decode(known.body, type=Kept)
            if kept.request != asked:
                raise Problem(422, "this Idempotency-Key was used for another request: take a new one")
            return await tell(hall, kept.match, asker, 201)
        table = await hall.open_table(table_of(wish), asker.player)
        body = msgspec.json.encode(Kept(asked, table.id))
        if await store.answers.keep(KeptAnswer(key, asker.player.id, time.time(), 201, body)):
            return await tell(hall, table.id, asker, 201)
    await hall.take_back(table, "it was asked for twice")  # another process was quicker: its table counts
    return await create_once(request, wish, asker, given)


@router.get("/{id}", operation_id="readMatch", summary="One match", responses=responses(MatchInfo, 401, 404, 422))
async def read_match(request: Request, id: MatchId, asker: MaybeKnown) -> Response:
    return await tell(request.app.state.hall, id, asker)


@router.post(
    "/{id}/join",
    operation_id="joinMatch",
    openapi_extra=OPEN_TO_ALL,
    summary="Take a seat",
    description="Whoever asks without an account becomes a guest.",
    responses=responses(MatchInfo, 401, 403, 404, 409, 413, 422, 503),
)
async def join_match(request: Request, id: MatchId, wish: JoinWish | None = None) -> Response:
    hall: Hall = request.app.state.hall
    table = await find_table(request, id)
    asker = (await somebody(request)).need("challenge")  # not before: a guest is made where there is a seat
    await hall.join(table, asker.player, wish.seat if wish else None, wish.name if wish else "")
    return await tell(hall, id, asker)


@router.post(
    "/{id}/leave",
    operation_id="leaveMatch",
    summary="Get up before the match begins",
    responses=responses(MatchInfo, 401, 403, 404, 409, 413, 422, 503),
)
async def leave_match(
    request: Request, id: MatchId, asker: Annotated[Identity, Depends(require("challenge"))]
) -> Response:
    hall: Hall = request.app.state.hall
    table = await find_table(request, id)
    if not table.seats_of(asker.player.id):
        raise Problem(403, "you hold no seat here")
    before = await hall.info(id, asker.player.id)
    await hall.leave(table, asker.player)
    after = await hall.info(id, asker.player.id) or before  # who leaves last closes the table
    assert after is not None
    return answer(after)


@router.post(
    "/{id}/resign",
    operation_id="resignMatch",
    summary="Give up",
    responses=responses(MatchInfo, 401, 403, 404, 409, 413, 422, 503),
)
async def resign_match(request: Request, id: MatchId, asker: Player, wish: SeatOnly | None = None) -> Response:
    table = await find_table(request, id)
    await table.resign(own_seat(table, asker, wish.seat if wish else -1))
    await settle(table)
    return await tell(request.app.state.hall, id, asker)


@router.post(
    "/{id}/draw",
    operation_id="drawMatch",
    summary="Offer a draw, or answer an offer",
    responses=responses(MatchInfo, 401, 403, 404, 409, 413, 422, 503),
)
async def draw_match(request: Request, id: MatchId, wish: DrawWish, asker: Player) -> Response:
    table = await find_table(request, id)
    await table.draw(own_seat(table, asker, wish.seat), wish.answer)
    await settle(table)
    return await tell(request.app.state.hall, id, asker)


@router.post(
    "/{id}/rematch",
    operation_id="rematchMatch",
    summary="Once more, with the seats rotated",
    description="The first who asks opens the next table; the others find it in `rematch` and join it.",
    status_code=201,
    responses=responses(MatchInfo, 401, 403, 404, 409, 413, 422, 503, status=201),
)
async def rematch_match(
    request: Request, id: MatchId, asker: Annotated[Identity, Depends(require("challenge"))]
) -> Response:
    hall: Hall = request.app.state.hall
    if await hall.info(id, asker.player.id) is None:
        raise no_match(id)
    table = await hall.rematch(id, asker.player)
    return await tell(hall, table.id, asker, 201)


@router.post(
    "/{id}/act",
    operation_id="actInMatch",
    summary="Play an action",
    description="The same as the socket's `act`, for scripts: answered when it is stored. Sent again with the same "
    "`seq` it counts once.",
    responses=responses(Acted, 401, 403, 404, 409, 413, 422, 503),
)
async def act_in_match(request: Request, id: MatchId, wish: Action, asker: Player) -> Response:
    table = await find_table(request, id)
    ack = await table.act(own_seat(table, asker, wish.seat), wish.seq, wish.text, step=wish.step)
    return answer(Acted(seat=ack.seat, seq=ack.seq, number=ack.number, repeated=ack.repeated))


# ------------------------------------------------------------------- parts


async def tell(hall: Hall, match_id: str, asker: Identity | None, status: int = 200) -> Response:
    info = await hall.info(match_id, asker.player.id if asker is not None else None)
    if info is None:
        raise no_match(match_id)
    return answer(info, status)


async def find_table(request: Request, match_id: str) -> Table:
    """The live table, or why there is none."""
    hall: Hall = request.app.state.hall
    table = await hall.find(match_id)
    if table is not None:
        return table
    store: Store = request.app.state.store
    row = await store.matches.get(match_id)
    if row is None:
        raise no_match(match_id)
    if row.status in ("over", "stopped"):
        raise Problem(409, "this match is over")
    raise Problem(
        503, "this match is just moving to another process: try again in a moment", headers={"Retry-After": "1"}
    )


async def settle(table: Table) -> None:
    """Who ended a match is told how it ended, not that it is about to."""
    if table.match is not None and table.match.over:
        with suppress(TimeoutError):
            await asyncio.wait_for(table.settled(), SETTLED_WITHIN_S)


def no_match(match_id: str) -> Problem:
    return Problem(
        404, f"there is no match {match_id[:20]!r}: check the address; open tables nobody comes to are removed"
    )


def own_seat(table: Table, asker: Identity, seat: int) -> int:
    """The seat an asker means, which must be his own."""
    held = table.seats_of(asker.player.id)
    if not held:
        raise Problem(403, "you hold no seat in this match: others play it")
    if seat == -1 and len(held) == 1:
        return held[0]
    if seat == -1:
        raise Problem(422, f"you hold the seats {', '.join(map(str, held))}: say which one acts")
    if seat not in held:
        raise Problem(403, f"seat {seat} is not yours: you hold {', '.join(map(str, held))}")
    return seat
