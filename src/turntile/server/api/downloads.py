"""What was played, to be watched and kept: replays, films, GIFs, pages. Only once a match is over."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from turntile import __version__
from turntile.server import tags
from turntile.server.answers import Position, answer
from turntile.server.api.matches import MatchId, no_match
from turntile.server.drawing import Drawn, Job, Kind
from turntile.server.openapi import responses
from turntile.server.problems import Problem
from turntile.server.studio import Studio, unpacked
from turntile.store import Store

router = APIRouter(tags=["replays"], prefix="/matches/{id}")

Eyes = Annotated[int | None, Query(ge=0, le=63, description="as this seat saw it; the judge, who saw all, if left out")]
NOT_CHANGED = {"description": "The client has it already (If-None-Match)."}
LINES = "application/jsonl"
ZSTD = "application/zstd"
BINARY = {"schema": {"type": "string", "format": "binary"}}


def file_response(*errors: int, what: str, media: dict[str, Any]) -> dict[int | str, dict[str, Any]]:
    return {**responses(None, 404, 409, 422, 503, *errors, what=what, media=media), 304: NOT_CHANGED}


@router.get(
    "/replay",
    operation_id="readReplay",
    summary="The replay: JSON lines that prove themselves",
    response_class=Response,
    responses=file_response(
        what="See docs/replay-format.md.", media={LINES: {"schema": {"type": "string"}}, ZSTD: BINARY}
    ),
)
async def read_replay(
    request: Request, id: MatchId, packed: Annotated[bool, Query(description="compressed with zstd")] = False
) -> Response:
    replay = await find_replay(request, id)
    return await tell_replay(request, id, replay, packed)


@router.get(
    "/film",
    operation_id="readFilm",
    summary="The film for the replay viewer",
    response_class=Response,
    responses=file_response(
        what="Frames packed as screens/html.py says.", media={"application/json": {"schema": {"type": "object"}}}
    ),
)
async def read_film(request: Request, id: MatchId, seat: Eyes = None) -> Response:
    return await tell_drawn(request, "film", id, await find_replay(request, id), seat, "application/json")


@router.get(
    "/replay.gif",
    operation_id="readGif",
    summary="The match as an animation",
    response_class=Response,
    responses=file_response(what="A GIF.", media={"image/gif": BINARY}),
)
async def read_gif(request: Request, id: MatchId, seat: Eyes = None) -> Response:
    return await tell_drawn(request, "gif", id, await find_replay(request, id), seat, "image/gif", ".gif")


@router.get(
    "/replay.html",
    operation_id="readHtml",
    summary="The match as one HTML file that needs nothing else",
    response_class=Response,
    responses=file_response(what="A page.", media={"text/html": {"schema": {"type": "string"}}}),
)
async def read_html(request: Request, id: MatchId, seat: Eyes = None) -> Response:
    return await tell_drawn(request, "html", id, await find_replay(request, id), seat, "text/html", ".html")


@router.get(
    "/position",
    operation_id="readPosition",
    summary="The whole truth after a step, as text",
    responses=responses(Position, 404, 409, 422, 503),
)
async def read_position(
    request: Request, id: MatchId, step: Annotated[int, Query(ge=0, le=10_000_000)] = 0
) -> Response:
    studio: Studio = request.app.state.studio
    job = Job(kind="position", name=f"match {id}", replay=await find_replay(request, id), step=step)
    drawn = await studio.make(f"position {id} {step}", job)
    return answer(Position(step=step, text=drawn.body.decode()))


# ------------------------------------------------------------------- parts, also of contests' matches


async def find_replay(request: Request, match_id: str) -> bytes:
    store: Store = request.app.state.store
    replay = await store.matches.replay(match_id)
    if replay is not None:
        return replay
    row = await store.matches.get(match_id)
    if row is None:
        raise no_match(match_id)
    if row.status in ("open", "playing"):
        raise Problem(409, "this match is not over: its replay is there when it has ended")
    raise Problem(404, "this match was stopped before it began: there is no replay of it")


async def tell_replay(request: Request, name: str, replay: bytes, packed: bool) -> Response:
    if packed:
        file = {"Content-Disposition": f'attachment; filename="turntile-{name}.jsonl.zst"'}
        return tags.tagged(request, replay, ZSTD, headers=file)
    return await tell_drawn(request, "lines", name, replay, None, LINES, ".jsonl")


async def tell_drawn(
    request: Request, kind: Kind, name: str, replay: bytes, seat: int | None, media_type: str, ending: str = ""
) -> Response:
    """Something that is drawn from a replay; as a download where it has an ending."""
    tag = f'"{kind}-{name}-{"judge" if seat is None else seat}-{tags.tag_of(replay)[1:9]}-{__version__}"'
    if tags.has_it(request, tag):
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": "no-cache"})
    studio: Studio = request.app.state.studio
    drawn = await studio.make(tag, Job(kind=kind, name=f"match {name}", replay=replay, seat=seat))
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if ending:
        headers["Content-Disposition"] = f'attachment; filename="turntile-{name}{ending}"'
    body = as_accepted(request, drawn, headers)
    return Response(body, 200, headers, media_type=media_type)


def as_accepted(request: Request, drawn: Drawn, headers: dict[str, str]) -> bytes:
    """Packed, if the client can unpack it."""
    if drawn.packed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return drawn.body
    return unpacked(drawn)
