"""Players: who plays how well, and how that came to be."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from turntile.core import registry
from turntile.server.answers import (
    BotSummary,
    Curve,
    CurvePoint,
    Leader,
    Leaders,
    Matches,
    PlayerPage,
    RatingInfo,
    answer,
    player_of,
    utc,
)
from turntile.server.api.matches import Cursor, Limit, list_page
from turntile.server.identity import MaybeKnown
from turntile.server.openapi import responses
from turntile.server.problems import Problem
from turntile.store import Store
from turntile.store.rows import PlayerRow, RatingRow

router = APIRouter(tags=["players"], prefix="/players")

Game = Annotated[str, Query(max_length=60, description="the game's name, such as tron")]
PlayerName = Annotated[str, Path(max_length=100)]


@router.get(
    "",
    operation_id="listLeaders",
    summary="The strongest players of a game",
    responses=responses(Leaders, 401, 404, 422),
)
async def list_leaders(
    request: Request,
    game: Game,
    cursor: Cursor = None,
    limit: Limit = 50,
    after: Annotated[int, Query(ge=0, le=10_000_000, description="how many places the pages before held")] = 0,
) -> Response:
    store: Store = request.app.state.store
    rows, following = await store.ratings.leaders(registry.find(game).name, cursor=cursor, limit=limit)
    owners = await store.players.many(row.player.owner_id for row in rows if row.player.owner_id is not None)
    items = [
        Leader(
            place=after + number,
            player=player_of(row.player, owner_name(row.player, owners)),
            game=row.rating.game,
            rating=round(row.rating.rating, 1),
            deviation=round(row.rating.deviation, 1),
            matches=row.rating.matches,
        )
        for number, row in enumerate(rows, 1)
    ]
    return answer(Leaders(items=tuple(items), next=following))


@router.get("/{name}", operation_id="readPlayer", summary="One player", responses=responses(PlayerPage, 404, 422))
async def read_player(request: Request, name: PlayerName) -> Response:
    store: Store = request.app.state.store
    player = await find_player(store, name)
    owners = await store.players.many([player.owner_id] if player.owner_id is not None else [])
    bots = await store.bots.of_owner(player.id)
    page = PlayerPage(
        player=player_of(player, owner_name(player, owners)),
        ratings=tuple(rating_of(row) for row in await store.ratings.of_player(player.id)),
        bots=tuple(BotSummary(name=bot.name, game=row.game, kind=row.kind, enabled=row.enabled) for bot, row in bots),
    )
    return answer(page)


@router.get(
    "/{name}/curve",
    operation_id="readCurve",
    summary="How a rating went, oldest first",
    description="The last 1000 matches at most.",
    responses=responses(Curve, 404, 422),
)
async def read_curve(request: Request, name: PlayerName, game: Game) -> Response:
    store: Store = request.app.state.store
    player = await find_player(store, name)
    points = await store.ratings.curve(player.id, registry.find(game).name)
    items = tuple(
        CurvePoint(
            at=utc(point.at), rating=round(point.rating, 1), deviation=round(point.deviation, 1), match=point.match_id
        )
        for point in points
    )
    return answer(Curve(items=items))


@router.get(
    "/{name}/matches",
    operation_id="listPlayersMatches",
    summary="A player's matches, newest first",
    responses=responses(Matches, 401, 404, 422),
)
async def list_players_matches(
    request: Request,
    name: PlayerName,
    asker: MaybeKnown,
    game: Annotated[str, Query(max_length=60)] = "",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    player = await find_player(request.app.state.store, name)
    return await list_page(request, asker, ("playing", "over", "stopped"), game, player.id, cursor, limit)


async def find_player(store: Store, name: str) -> PlayerRow:
    player = await store.players.by_name(name)
    if player is None:
        raise Problem(404, f"nobody here is called {name!r}")
    return player


def rating_of(row: RatingRow) -> RatingInfo:
    return RatingInfo(
        game=row.game, rating=round(row.rating, 1), deviation=round(row.deviation, 1), matches=row.matches
    )


def owner_name(player: PlayerRow, owners: dict[int, PlayerRow]) -> str | None:
    owner = owners.get(player.owner_id) if player.owner_id is not None else None
    return owner.name if owner is not None else None
