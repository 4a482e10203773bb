"""A short film of every game, played by its quick bots: what a newcomer sees before anybody has played.

The same for everybody and for ever: made once off the loop, from a fixed seed.
"""

from __future__ import annotations

import asyncio
from functools import cache

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from turntile.core.game import Game
from turntile.core.registry import find
from turntile.match.film import Frame, frame_of, picture
from turntile.match.match import Match
from turntile.screens.html import DEFAULT_MS, pack
from turntile.screens.pictures import Picture
from turntile.server.api.games import NOT_CHANGED, GameName
from turntile.server.levels import SEARCH
from turntile.server.openapi import responses
from turntile.server.tags import tagged

router = APIRouter(tags=["games"], prefix="/games")

SEED = 11
MOST_PICTURES = 90
JSON = "application/json"


@router.get(
    "/{game}/film",
    operation_id="readDemo",
    summary="A short match of its bots, as a film",
    description="Packed like the film of a match; the same at every call.",
    responses={
        **responses(None, 404, media={JSON: {"schema": {"type": "object"}}}, what="A packed film."),
        304: NOT_CHANGED,
    },
)
async def read_demo(request: Request, game: GameName) -> Response:
    name = find(game).name
    return tagged(request, await asyncio.to_thread(demo_of, name), JSON)


@cache
def demo_of(name: str) -> bytes:
    game = find(name)
    film = pack(play(game), game.looks)
    del film["used"]
    film["msPerFrame"] = game.turn_ms or DEFAULT_MS
    return msgspec.json.encode(film)


def play(game: Game) -> list[Picture]:
    """The strongest bots that answer at once play each other; moments inside a step are shown where a step is long."""
    match = Match.start(game, seed=SEED)
    quick = [kind for kind in game.bots if kind.name != SEARCH] or list(game.bots)
    bots = [quick[-1].make("") for _ in match.seats]
    frames = [Frame(0, picture(match, None))]
    pictures = pictures_of_frame(frames[0])
    while not match.over and len(pictures) < MOST_PICTURES:
        for seat in match.waiting():
            for step in match.submit(seat, bots[seat](match.turn(seat))):
                pictures += pictures_of_frame(frame_of(match, step, None, []))
    return pictures[:MOST_PICTURES]


def pictures_of_frame(frame: Frame) -> list[Picture]:
    inside = [Picture(frame.number, stage.scene, stage.caption, inside=True) for stage in frame.stages]
    return [*inside, Picture(frame.number, frame.scene, ". ".join(frame.lines))]
