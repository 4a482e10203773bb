"""Bots behind NAT, in lichess's shape: they open connections, the server never does.

`GET /api/stream/event` tells what happens to the bot, `GET /api/bot/game/stream/{id}` what happens
in a match, as JSON lines; moves are posted. A seat's stream shows what that seat may know.
Streams end when the token they came with no longer holds.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as InPath
from starlette.responses import Response

from turntile.server.answers import answer
from turntile.server.bots.quarters import Quarters, quarters_of
from turntile.server.bots.streams import GameStream, Holds, Lines, answer_lines, game_full
from turntile.server.ears import NotStored
from turntile.server.hall import Hall
from turntile.server.identity import Identity, Known, require, still_holds
from turntile.server.openapi import responses
from turntile.server.problems import Problem
from turntile.server.table import Table
from turntile.store import Store

router = APIRouter(prefix="/api", tags=["bot streams"])

MOST_ACTION = 4096  # characters of an action in an address

Player = Annotated[Identity, Depends(require("play"))]
Challenger = Annotated[Identity, Depends(require("challenge"))]
MatchId = Annotated[str, InPath(min_length=1, max_length=32)]
SeatWish = Annotated[int | None, Query(ge=0, le=63, description="which, if the bot holds several seats")]

NDJSON: dict[str, Any] = {"application/x-ndjson": {"schema": {"type": "string"}}}


class Perf(msgspec.Struct, frozen=True, kw_only=True):
    games: int
    rating: float
    deviation: float


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """Who the token is for."""

    id: int
    username: str
    kind: str
    scopes: tuple[str, ...]
    perfs: dict[str, Perf]  # by game


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """It is done."""

    ok: bool = True


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """The action is committed."""

    ok: bool = True
    seat: int
    seq: int
    number: int  # of what everybody knows to have happened: steps, resignations, a draw agreed on
    step: int  # of the match now
    repeated: bool = False


@router.get("/account", operation_id="botAccount", summary="Who am I", responses=responses(Account, 401, 403))
async def account(request: Request, asker: Known) -> Response:
    store: Store = request.app.state.store
    ratings = await store.ratings.of_player(asker.player.id)
    perfs = {
        row.game: Perf(games=row.matches, rating=round(row.rating, 1), deviation=round(row.deviation, 1))
        for row in ratings
    }
    scopes = tuple(sorted(asker.scopes)) if asker.scopes is not None else ()
    player = asker.player
    return answer(Account(id=player.id, username=player.name, kind=player.kind, scopes=scopes, perfs=perfs))


# ------------------------------------------------------------------- streams


@router.get(
    "/stream/event",
    operation_id="streamEvents",
    summary="What happens to me",
    description="gameStart, gameFinish, challenge and challengeCanceled; begins with all that is going on.",
    response_class=Response,
    responses=responses(None, 401, 403, what="A JSON object a line, blank lines in between.", media=NDJSON),
)
async def stream_events(request: Request, asker: Player) -> Response:
    quarters = quarters_of(request)
    return answer_lines(quarters.doorbell.sent(asker.player, quarters.settings.keep_alive_s, known(request, asker)))


@router.get(
    "/bot/game/stream/{id}",
    operation_id="streamGame",
    summary="What happens in a match, as my seat may know it",
    description="First gameFull, then gameState for each change, opponentGone when a person is away; it ends with the "
    "match.",
    response_class=Response,
    responses=responses(None, 401, 403, 404, what="A JSON object a line, blank lines in between.", media=NDJSON),
)
async def stream_game(request: Request, id: MatchId, asker: Player, seat: SeatWish = None) -> Response:
    quarters = quarters_of(request)
    table = await quarters.hall.find(id)
    if table is None:
        return answer_lines(await finished(quarters, id, asker))
    stream = GameStream(table, own_seat(table, asker, seat))
    return answer_lines(stream.sent(quarters.settings.keep_alive_s, known(request, asker)))


def known(request: Request, asker: Identity) -> Holds:
    """Whether the token, or the cookie, of a stream still holds: asked again and again while it is open."""
    return partial(still_holds, request, asker.player.id)


async def finished(quarters: Quarters, id: str, asker: Identity) -> Any:
    """The stream of a match that is over: one line."""
    info = await quarters.hall.info(id, asker.player.id)
    if info is None:
        raise no_such_match(id)
    mine = [seat.seat for seat in info.seats if seat.mine]
    if not mine:
        raise Problem(403, f"you have no seat in match {id}: /m/{id} shows it to everybody")
    lines = Lines()
    state = {"status": info.status, "outcome": info.outcome, "step": info.step, "to_act": (), "my_turn": False}
    lines.put(game_full(info, mine[0], state))
    lines.end()
    return lines.pieces(quarters.settings.keep_alive_s)


# ------------------------------------------------------------------- moves


@router.post(
    "/bot/game/{id}/move/{action:path}",
    operation_id="botMove",
    summary="Play an action",
    description="The action's text, URL-encoded. With `seq` (the stream tells `next_seq`) it may be sent again without "
    "harm; with `step` it is refused once the match has gone on.",
    responses=responses(Moved, 401, 403, 404, 409, 422, 503),
)
async def move(
    request: Request,
    id: MatchId,
    action: Annotated[str, InPath(min_length=1, max_length=MOST_ACTION)],
    asker: Player,
    seat: SeatWish = None,
    seq: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    step: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
) -> Response:
    table = await find_table(request, id)
    own = own_seat(table, asker, seat)
    match = table.match
    if match is None:
        raise Problem(409, f"match {id} has not begun: wait for gameStart")
    if not seq and own in match.to_act() and own not in match.waiting():
        raise Problem(409, f"seat {own} has chosen for step {match.step_number} already: wait for the next gameState")
    try:
        ack = await table.act(own, seq, action, step=step)
    except NotStored as failure:
        raise not_stored(failure) from None
    step_now = table.match.step_number if table.match is not None else 0
    return answer(Moved(seat=own, seq=ack.seq, number=ack.number, step=step_now, repeated=ack.repeated))


@router.post(
    "/bot/game/{id}/resign",
    operation_id="botResign",
    summary="Give up",
    responses=responses(Done, 401, 403, 404, 409, 422, 503),
)
async def resign(request: Request, id: MatchId, asker: Player, seat: SeatWish = None) -> Response:
    table = await find_table(request, id)
    try:
        await table.resign(own_seat(table, asker, seat))
    except NotStored as failure:
        raise not_stored(failure) from None
    return answer(Done())


@router.post(
    "/bot/game/{id}/abort",
    operation_id="botAbort",
    summary="Get up before the first move",
    description="Before the match begins the seat is free again; before the first move it counts as given up.",
    responses=responses(Done, 401, 403, 404, 409, 422, 503),
)
async def abort(request: Request, id: MatchId, asker: Player, seat: SeatWish = None) -> Response:
    table = await find_table(request, id)
    own = own_seat(table, asker, seat)
    if table.match is None:
        hall: Hall = request.app.state.hall
        await hall.leave(table, asker.player)
        return answer(Done())
    if table.match.step_number > 0:
        raise Problem(409, f"match {id} is at step {table.match.step_number}: it can be resigned, not aborted")
    try:
        await table.resign(own, "aborted before the first move")
    except NotStored as failure:
        raise not_stored(failure) from None
    return answer(Done())


# ------------------------------------------------------------------- challenges


@router.post(
    "/challenge/{id}/accept",
    operation_id="acceptChallenge",
    summary="Take the seat that is kept for me",
    responses=responses(Done, 401, 403, 404, 409, 422),
)
async def accept(request: Request, id: MatchId, asker: Challenger) -> Response:
    table, kept = await find_challenge(request, id, asker)
    hall: Hall = request.app.state.hall
    for seat in kept:
        await hall.join(table, asker.player, seat)
    return answer(Done())


@router.post(
    "/challenge/{id}/decline",
    operation_id="declineChallenge",
    summary="Leave that seat to others",
    responses=responses(Done, 401, 403, 404, 409, 422),
)
async def decline(request: Request, id: MatchId, asker: Challenger) -> Response:
    table, _ = await find_challenge(request, id, asker)
    hall: Hall = request.app.state.hall
    await hall.leave(table, asker.player)
    return answer(Done())


async def find_challenge(request: Request, id: str, asker: Identity) -> tuple[Table, list[int]]:
    hall: Hall = request.app.state.hall
    table = await hall.find(id)
    kept = [
        seat.seat
        for seat in (table.seats if table is not None else ())
        if seat.kind == "open" and seat.player_id == asker.player.id
    ]
    if table is None or not kept:
        raise Problem(404, f"there is no challenge {id} for you: it may have been taken back, or its time is over")
    return table, kept


# ------------------------------------------------------------------- finding


async def find_table(request: Request, id: str) -> Table:
    hall: Hall = request.app.state.hall
    table = await hall.find(id)
    if table is None:
        if await hall.info(id, None) is not None:
            raise Problem(409, f"match {id} is over: nothing more can be done in it")
        raise no_such_match(id)
    return table


def own_seat(table: Table, asker: Identity, wish: int | None) -> int:
    mine = table.seats_of(asker.player.id)
    if not mine:
        raise Problem(403, f"you have no seat in match {table.id}: act only for your own")
    if wish is not None and wish not in mine:
        raise Problem(403, f"seat {wish} of match {table.id} is not yours: yours is {', '.join(map(str, mine))}")
    return mine[0] if wish is None else wish


def no_such_match(id: str) -> Problem:
    return Problem(404, f"there is no match {id[:20]}: it may have been removed")


def not_stored(failure: NotStored) -> Problem:
    return Problem(503, str(failure) or "it could not be written down: send it again", headers={"Retry-After": "1"})
