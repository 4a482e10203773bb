"""/api/v1/bots: registering bots, looking at them, trying them out.

Bots belong to an account. Anybody sees a bot's name, game and kind; its address, its file and its
log are its owner's.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Body, Depends, Query, Request
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from turntile.core.errors import TurntileError
from turntile.core.registry import find
from turntile.server.answers import NewToken, Tokens, answer, utc
from turntile.server.api.tokens import make_token, token_of
from turntile.server.bots.notebook import Entry
from turntile.server.bots.quarters import Quarters, quarters_of
from turntile.server.bots.trials import Trial
from turntile.server.bots.uploads import check_file, holding_sandbox
from turntile.server.identity import Identity, MaybeKnown, require
from turntile.server.messages import OutcomeInfo
from turntile.server.names import clean_name
from turntile.server.openapi import OPEN_TO_ALL, responses
from turntile.server.problems import Problem
from turntile.store import NameTaken, Store
from turntile.store.rows import BotRow, PlayerRow

router = APIRouter(prefix="/bots", tags=["bots"])

MOST_BOTS = 50  # of one account
MOST_ABOUT = 500
LARGEST_ID = 2**31 - 1

Owner = Annotated[Identity, Depends(require("bots"))]
BotName = Annotated[str, InPath(min_length=1, max_length=100)]


# ------------------------------------------------------------------- what is said


class NewBot(BaseModel):
    """A bot behind NAT (remote) or a web server in Battlesnake's shape (webhook)."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"name": "Zippy", "game": "tron", "kind": "remote"},
                {"name": "Hooky", "kind": "webhook", "address": "http://bots.example:9000"},
            ]
        },
    )

    name: Annotated[str, Field(min_length=1, max_length=100, description="2 to 24 letters, digits, blanks, - and _")]
    kind: Literal["remote", "webhook"]
    game: Annotated[str, Field(max_length=40, description="the one game it plays; empty: any")] = ""
    address: Annotated[str, Field(max_length=300, description="of a webhook: http://host:port/path")] = ""
    about: Annotated[str, Field(max_length=MOST_ABOUT)] = ""


class BotForm(BaseModel):
    """The fields beside an uploaded file."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=100)]
    kind: Literal["upload"] = "upload"
    game: Annotated[str, Field(max_length=40)] = ""
    about: Annotated[str, Field(max_length=MOST_ABOUT)] = ""


class BotChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"enabled": False}]})

    enabled: bool | None = None
    about: Annotated[str, Field(max_length=MOST_ABOUT)] | None = None
    game: Annotated[str, Field(max_length=40)] | None = None
    address: Annotated[str, Field(max_length=300)] | None = None


class TrialWish(BaseModel):
    """Against whom; all may be left out."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"game": "tron", "level": "easy"}]})

    game: Annotated[str, Field(max_length=40)] = ""
    level: Annotated[str, Field(max_length=40)] = ""


class BotTokenWish(BaseModel):
    """What the token is called; it may play, and accept challenges."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"label": "at home"}]})

    label: Annotated[str, Field(min_length=1, max_length=60)] = "bot"
    scopes: Annotated[list[Literal["play", "challenge"]], Field(min_length=1, max_length=2)] = ["play", "challenge"]


# ------------------------------------------------------------------- what is answered


class BotInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A registered bot. What only its owner may know is null for others."""

    name: str
    game: str  # "": any
    kind: Literal["remote", "webhook", "upload"]
    about: str
    owner: str
    created: str
    version: int
    enabled: bool
    mine: bool
    online: bool | None = None  # of a remote bot: it reads its events now
    address: str | None = None
    file_name: str | None = None
    log: tuple[str, ...] | None = None  # the last lines it wrote to standard error


class BotList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[BotInfo, ...]
    next: str | None = None


class FailureInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An answer of the bot that did not count."""

    at: str
    match: str
    kind: str
    stage: str
    what: str
    time_ms: float


class TrialInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How the bot's last trial goes, or went."""

    state: Literal["none", "waiting", "playing", "over", "failed"]
    what: str = ""
    match: str | None = None  # its id: /m/ID while it goes on, /r/ID for its replay
    step: int = 0
    result: OutcomeInfo | None = None
    seat: int = 0
    failures: tuple[FailureInfo, ...] = ()
    log: tuple[str, ...] = ()


# ------------------------------------------------------------------- routes

UPLOAD_SCHEMA = {
    "type": "object",
    "required": ["name", "file"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 100},
        "kind": {"type": "string", "enum": ["upload"]},
        "game": {"type": "string", "maxLength": 40},
        "about": {"type": "string", "maxLength": MOST_ABOUT},
        "file": {"type": "string", "format": "binary"},
    },
}
FILE_SCHEMA = {
    "type": "object",
    "required": ["file"],
    "properties": {"file": {"type": "string", "format": "binary"}},
}


def body_of(**kinds: dict[str, Any]) -> dict[str, Any]:
    names = {"json": "application/json", "form": "multipart/form-data"}
    content = {names[kind]: {"schema": schema} for kind, schema in kinds.items()}
    return {"requestBody": {"required": True, "content": content}}


@router.get(
    "",
    operation_id="listBots",
    openapi_extra=OPEN_TO_ALL,
    summary="My bots; with `game`, those that can be invited",
    responses=responses(BotList, 401, 403, 404, 422),
)
async def list_bots(
    request: Request, asker: MaybeKnown, game: Annotated[str | None, Query(max_length=40)] = None
) -> Response:
    store: Store = request.app.state.store
    if game is not None:
        pairs = await store.bots.for_game(find(game).name)
    elif asker is None:
        pairs = []
    else:
        pairs = [pair for pair in await store.bots.of_owner(asker.need("bots").player.id) if not pair[0].disabled]
    owners = await store.players.many(bot.owner_id for _, bot in pairs)
    items = tuple(
        describe(quarters_of(request), player, bot, owners[bot.owner_id].name, asker)
        for player, bot in pairs
        if bot.owner_id in owners
    )
    return answer(BotList(items=items))


@router.post(
    "",
    operation_id="registerBot",
    summary="Register a bot, or upload one",
    description="JSON for a remote bot or a webhook; a form with the file for an upload: one Python file, run in the "
    "sandbox. A webhook is asked GET / first.",
    status_code=201,
    openapi_extra=body_of(json=NewBot.model_json_schema(), form=UPLOAD_SCHEMA),
    responses=responses(BotInfo, 401, 403, 404, 409, 413, 422, status=201),
)
async def register(request: Request, asker: Owner) -> Response:
    owner = a_person(asker)
    store: Store = request.app.state.store
    if len(await store.bots.of_owner(owner.id)) >= MOST_BOTS:
        raise Problem(422, f"you have {MOST_BOTS} bots already: delete one first")
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        player, bot = await register_upload(request, owner)
    else:
        player, bot = await register_address(request, owner)
    return answer(describe(quarters_of(request), player, bot, owner.name, asker), 201)


async def register_address(request: Request, owner: PlayerRow) -> tuple[PlayerRow, BotRow]:
    wish = await read_json(request, NewBot)
    name, game = clean_name(wish.name), checked_game(wish.game)
    if wish.kind == "webhook":
        await quarters_of(request).webhooks.probe(wish.address)
    elif wish.address:
        raise Problem(422, "a remote bot has no address: it opens the connections itself")
    return await create(request, name, owner, game, wish.kind, address=wish.address, about=wish.about)


async def register_upload(request: Request, owner: PlayerRow) -> tuple[PlayerRow, BotRow]:
    fields, file_name, code = await read_form(request)
    try:
        form = BotForm.model_validate(fields)
    except ValidationError as error:
        raise Problem(422, sentence_of(error)) from None
    name, game = clean_name(form.name), checked_game(form.game)
    await check_upload(request, file_name, code)
    return await create(request, name, owner, game, "upload", file_name=file_name, code=code, about=form.about)


async def create(
    request: Request, name: str, owner: PlayerRow, game: str, kind: Literal["remote", "webhook", "upload"], **more: Any
) -> tuple[PlayerRow, BotRow]:
    store: Store = request.app.state.store
    try:
        return await store.bots.create(name, owner.id, game, kind, time.time(), **more)
    except NameTaken as taken:
        raise Problem(409, str(taken), key="NAME_TAKEN") from None


@router.get("/{name}", operation_id="readBot", summary="A bot", responses=responses(BotInfo, 404, 422))
async def read_bot(request: Request, name: BotName, asker: MaybeKnown) -> Response:
    player, bot = await find_bot(request, name)
    owner = await request.app.state.store.players.get(bot.owner_id)
    return answer(describe(quarters_of(request), player, bot, owner.name if owner else "", asker))


@router.patch(
    "/{name}",
    operation_id="changeBot",
    summary="Enable or disable it, tell about it, move it",
    responses=responses(BotInfo, 401, 403, 404, 422),
)
async def change_bot(request: Request, name: BotName, change: BotChange, asker: Owner) -> Response:
    store: Store = request.app.state.store
    player, bot = await own_bot(request, name, asker)
    game = None if change.game is None else checked_game(change.game)
    if change.address is not None:
        if bot.kind != "webhook":
            raise Problem(422, f"a bot of the kind {bot.kind} has no address")
        await quarters_of(request).webhooks.probe(change.address)
    await store.bots.change(player.id, enabled=change.enabled, address=change.address, game=game)
    if change.about is not None:
        await store.players.change(player.id, about=change.about)
    player, bot = await find_bot(request, name)
    return answer(describe(quarters_of(request), player, bot, asker.player.name, asker))


@router.delete(
    "/{name}",
    operation_id="deleteBot",
    summary="Delete a bot",
    description="Its name stays on its matches, and those that go on are given up; its tokens no longer hold.",
    status_code=204,
    response_class=Response,
    responses=responses(None, 401, 403, 404, 422, status=204, what="It is gone."),
)
async def delete_bot(request: Request, name: BotName, asker: Owner) -> Response:
    player, _ = await own_bot(request, name, asker)
    await request.app.state.store.bots.delete(player.id, time.time())
    quarters = quarters_of(request)
    await give_up_matches(quarters, player)
    quarters.notebook.forget(player.id)
    await quarters.uploads.forget(player.id)
    return Response(status_code=204)


async def give_up_matches(quarters: Quarters, player: PlayerRow) -> None:
    """Nobody is left to play them: opponents must not wait for ever."""
    for table in list(quarters.hall.tables.values()):
        for seat in table.seats_of(player.id):
            with contextlib.suppress(TurntileError):  # not begun, or over in the same moment
                await table.resign(seat, "was deleted by its owner")


@router.post(
    "/{name}/file",
    operation_id="uploadBot",
    summary="Upload a new version",
    description="Matches that go on keep the version they began with.",
    openapi_extra=body_of(form=FILE_SCHEMA),
    responses=responses(BotInfo, 401, 403, 404, 413, 422),
)
async def upload(request: Request, name: BotName, asker: Owner) -> Response:
    player, bot = await own_bot(request, name, asker)
    if bot.kind != "upload":
        raise Problem(422, f"{player.name} is a bot of the kind {bot.kind}: only uploaded ones have a file")
    _, file_name, code = await read_form(request)
    await check_upload(request, file_name, code)
    await request.app.state.store.bots.upload(player.id, file_name, code)
    player, bot = await find_bot(request, name)
    return answer(describe(quarters_of(request), player, bot, asker.player.name, asker))


# ------------------------------------------------------------------- trials


@router.post(
    "/{name}/test",
    operation_id="testBot",
    summary="Let it play a match that nobody else sees",
    status_code=202,
    responses=responses(TrialInfo, 401, 403, 404, 409, 422, status=202),
)
async def start_trial(
    request: Request, name: BotName, asker: Owner, wish: Annotated[TrialWish | None, Body()] = None
) -> Response:
    player, bot = await own_bot(request, name, asker)
    trials = quarters_of(request).trials
    if trials.running(player.id):
        raise Problem(409, f"a trial of {player.name} is going on: wait for its end")
    wish = wish or TrialWish()
    trial = await trials.start(asker.player, player, bot, wish.game, wish.level)
    return answer(describe_trial(trial), 202)


@router.get(
    "/{name}/test",
    operation_id="readTest",
    summary="How its last trial goes or went, with its log",
    responses=responses(TrialInfo, 401, 403, 404, 422),
)
async def read_trial(request: Request, name: BotName, asker: Owner) -> Response:
    player, _ = await own_bot(request, name, asker)
    return answer(describe_trial(quarters_of(request).trials.last(player.id)))


# ------------------------------------------------------------------- tokens


@router.get(
    "/{name}/tokens",
    operation_id="listBotTokens",
    summary="Its tokens",
    responses=responses(Tokens, 401, 403, 404, 422),
)
async def list_tokens(request: Request, name: BotName, asker: Owner) -> Response:
    player, _ = await own_bot(request, name, asker)
    rows = await request.app.state.store.tokens.of_player(player.id)
    return answer(Tokens(items=tuple(token_of(row) for row in rows)))


@router.post(
    "/{name}/tokens",
    operation_id="createBotToken",
    summary="Make a token for it",
    description="The secret is in this answer only: keep it. With it a program plays as the bot.",
    status_code=201,
    responses=responses(NewToken, 401, 403, 404, 422, status=201),
)
async def create_token(
    request: Request, name: BotName, asker: Owner, wish: Annotated[BotTokenWish | None, Body()] = None
) -> Response:
    player, bot = await own_bot(request, name, asker)
    if bot.kind != "remote":
        raise Problem(422, f"{player.name} is a bot of the kind {bot.kind}: the server asks it, it needs no token")
    wish = wish or BotTokenWish()
    return answer(await make_token(request.app.state.store, player.id, wish.label, list(wish.scopes)), 201)


@router.delete(
    "/{name}/tokens/{id}",
    operation_id="revokeBotToken",
    summary="Revoke a token of it",
    status_code=204,
    response_class=Response,
    responses=responses(None, 401, 403, 404, 422, status=204, what="It no longer holds."),
)
async def revoke_token(
    request: Request, name: BotName, id: Annotated[int, InPath(ge=1, le=LARGEST_ID)], asker: Owner
) -> Response:
    player, _ = await own_bot(request, name, asker)
    if not await request.app.state.store.tokens.revoke(id, player.id, time.time()):
        raise Problem(404, f"{player.name} has no token {id}: it may have been revoked already")
    return Response(status_code=204)


# ------------------------------------------------------------------- finding and reading


def a_person(asker: Identity) -> PlayerRow:
    if asker.player.kind != "person":
        raise Problem(403, "only accounts have bots: make one first (a guest keeps his matches)")
    return asker.player


async def find_bot(request: Request, name: str) -> tuple[PlayerRow, BotRow]:
    found = await request.app.state.store.bots.by_name(name)
    if found is None or found[0].disabled:
        raise Problem(404, f"there is no bot {name[:40]!r}")
    player, bot = found
    return player, bot


async def own_bot(request: Request, name: str, asker: Identity) -> tuple[PlayerRow, BotRow]:
    player, bot = await find_bot(request, name)
    if bot.owner_id != asker.player.id:
        raise Problem(403, f"{player.name} is somebody else's bot")
    return player, bot


def checked_game(name: str) -> str:
    """The game's name, or "" for any. Raises UnknownGame."""
    return find(name).name if name else ""


async def check_upload(request: Request, file_name: str, code: bytes) -> None:
    """Refused are files that cannot be bots, and all files where no sandbox holds."""
    check_file(file_name, code, request.app.state.settings.upload_bytes)
    try:
        await asyncio.to_thread(holding_sandbox)
    except TurntileError as refusal:
        raise Problem(422, f"this server cannot run uploaded bots: {refusal}", key="NO_SANDBOX") from None


async def read_json(request: Request, wanted: type[NewBot]) -> NewBot:
    try:
        return wanted.model_validate_json(await request.body())
    except ValidationError as error:
        raise Problem(422, sentence_of(error)) from None


async def read_form(request: Request) -> tuple[dict[str, str], str, bytes]:
    """The fields of a form, the file's name and the file."""
    try:
        form = await request.form(max_files=1, max_fields=8, max_part_size=64 * 1024)
    except HTTPException as error:
        raise Problem(422, f"the form cannot be read: {error.detail}") from None
    try:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Problem(422, "the form has no file: send the bot as `file` in multipart/form-data")
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        return fields, (file.filename or "bot.py")[-100:], await file.read()
    finally:
        await form.close()


def sentence_of(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "body"
    return f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}"


# ------------------------------------------------------------------- telling


def describe(quarters: Quarters, player: PlayerRow, bot: BotRow, owner: str, asker: Identity | None) -> BotInfo:
    mine = asker is not None and asker.player.id == bot.owner_id and asker.may("bots")
    return BotInfo(
        name=player.name,
        game=bot.game,
        kind=bot.kind,
        about=player.about,
        owner=owner,
        created=utc(bot.created),
        version=bot.version,
        enabled=bot.enabled,
        mine=mine,
        online=quarters.doorbell.listens(player.id) if bot.kind == "remote" else None,
        address=bot.address if mine and bot.kind == "webhook" else None,
        file_name=bot.file_name if mine and bot.kind == "upload" else None,
        log=quarters.notebook.page(player.id).log if mine else None,
    )


def describe_trial(trial: Trial | None) -> TrialInfo:
    if trial is None:
        return TrialInfo(state="none", what="it has not been tried yet")
    return TrialInfo(
        state=trial.state,
        what=trial.what,
        match=trial.match,
        step=trial.step,
        result=trial.outcome,
        seat=trial.seat,
        failures=tuple(describe_failure(entry) for entry in trial.failures),
        log=trial.log,
    )


def describe_failure(entry: Entry) -> FailureInfo:
    failure = entry.failure
    return FailureInfo(
        at=utc(entry.at),
        match=entry.match,
        kind=failure.kind,
        stage=failure.stage,
        what=failure.what,
        time_ms=failure.time_ms,
    )
