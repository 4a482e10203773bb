"""Tokens: how programs come in for somebody, with as few rights as they need."""

from __future__ import annotations

import secrets
import time
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from turntile.server.answers import NewToken, Token, Tokens, answer, utc, utc_or_none
from turntile.server.identity import TOKEN_START, Person, hash_secret
from turntile.server.openapi import responses
from turntile.server.problems import Problem
from turntile.store import Store
from turntile.store.rows import TokenRow

router = APIRouter(tags=["accounts"], prefix="/tokens")

MOST_TOKENS = 50
LARGEST_ID = 2**31 - 1


class TokenWish(BaseModel):
    """What it is for, and what it may do: play (act in matches), challenge (create and join them), bots, publish."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"label": "my bot at home", "scopes": ["play", "challenge"]}]},
    )

    label: Annotated[str, Field(min_length=1, max_length=60)]
    scopes: Annotated[list[Literal["play", "challenge", "bots", "publish"]], Field(min_length=1, max_length=4)]


def make_secret() -> str:
    """`tt_` and 256 random bits: easy to recognise where it should not be."""
    return TOKEN_START + secrets.token_urlsafe(32)


async def make_token(store: Store, player_id: int, label: str, scopes: list[str]) -> NewToken:
    """A new token, for a person here or for a bot of his."""
    if len(await store.tokens.of_player(player_id)) >= MOST_TOKENS:
        raise Problem(422, f"there are {MOST_TOKENS} tokens already: revoke one first")
    secret = make_secret()
    row = await store.tokens.create(
        player_id, " ".join(label.split()), hash_secret(secret), " ".join(sorted(set(scopes))), time.time()
    )
    return NewToken(
        id=row.id, label=row.label, scopes=tuple(row.scopes.split()), created=utc(row.created), secret=secret
    )


def token_of(row: TokenRow) -> Token:
    return Token(
        id=row.id,
        label=row.label,
        scopes=tuple(row.scopes.split()),
        created=utc(row.created),
        last_used=utc_or_none(row.last_used),
    )


@router.get("", operation_id="listTokens", summary="My tokens", responses=responses(Tokens, 401, 403))
async def list_tokens(request: Request, asker: Person) -> Response:
    store: Store = request.app.state.store
    rows = await store.tokens.of_player(asker.player.id)
    return answer(Tokens(items=tuple(token_of(row) for row in rows)))


@router.post(
    "",
    operation_id="createToken",
    summary="Make a token",
    description="The secret is in this answer only: keep it.",
    status_code=201,
    responses=responses(NewToken, 401, 403, 422, status=201),
)
async def create_token(request: Request, wish: TokenWish, asker: Person) -> Response:
    return answer(await make_token(request.app.state.store, asker.player.id, wish.label, list(wish.scopes)), 201)


@router.delete(
    "/{id}",
    operation_id="revokeToken",
    summary="Revoke a token",
    status_code=204,
    response_class=Response,
    responses=responses(None, 401, 403, 404, 422, status=204, what="It no longer holds."),
)
async def revoke_token(request: Request, id: Annotated[int, Path(ge=1, le=LARGEST_ID)], asker: Person) -> Response:
    store: Store = request.app.state.store
    if not await store.tokens.revoke(id, asker.player.id, time.time()):
        raise Problem(404, f"you have no token {id}: it may have been revoked already")
    return Response(status_code=204)
