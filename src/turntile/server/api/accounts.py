"""Accounts and sessions: who one is, and how one comes in."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from turntile.server import passwords
from turntile.server.answers import Me, answer, player_of
from turntile.server.hall import Hall
from turntile.server.identity import (
    COOKIE,
    Identity,
    MaybeKnown,
    Person,
    hash_secret,
    log_in,
    log_out,
)
from turntile.server.names import clean_name
from turntile.server.openapi import OPEN_TO_ALL, responses
from turntile.server.passwords import Passwords
from turntile.server.problems import Problem
from turntile.store import NameTaken, Store
from turntile.store.rows import PlayerRow

router = APIRouter(tags=["accounts"])

MOST_ABOUT = 500

Name = Annotated[str, Field(min_length=1, max_length=100, description="2 to 24 letters, digits, blanks, - and _")]
Secret = Annotated[str, Field(min_length=1, max_length=1000)]


class Credentials(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"name": "Ada", "password": "a long walk by the sea"}]},
    )

    name: Name
    password: Secret


class NewAccount(Credentials):
    """A name nobody has, and a password of at least 8 characters."""


class NewPassword(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    old: Secret
    new: Secret


class Changes(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"about": "plays Tron at lunch"}]}
    )

    about: Annotated[str | None, Field(max_length=MOST_ABOUT)] = None
    password: NewPassword | None = None


@router.get("/me", operation_id="readMe", summary="Who am I?", responses=responses(Me, 401))
async def read_me(asker: MaybeKnown) -> Response:
    return answer(me_of(asker))


@router.post(
    "/accounts",
    operation_id="createAccount",
    openapi_extra=OPEN_TO_ALL,
    summary="Make an account",
    description="A guest becomes this account and keeps his matches. One is logged in afterwards.",
    status_code=201,
    responses=responses(Me, 401, 403, 409, 422, 503, status=201),
)
async def create_account(request: Request, wish: NewAccount, asker: MaybeKnown) -> Response:
    store: Store = request.app.state.store
    hashing: Passwords = request.app.state.passwords
    if asker is not None and asker.scopes is not None:
        raise Problem(403, "a token cannot make an account: ask without it")
    if asker is not None and asker.player.kind == "person":
        raise Problem(409, f"you are logged in as {asker.player.name}: log out first")
    name = clean_name(wish.name)
    passwords.check_password(wish.password, name)
    if await store.players.by_name(name) is not None:
        raise NameTaken(f"the name {name!r} is taken: choose another, or log in if it is yours")
    request.app.state.limits.charge(request.scope, "account")  # here, not at the door: mistypes are no accounts
    password_hash = await hashing.hash(wish.password)
    if asker is not None:
        became = await store.players.become_person(asker.player.id, name, password_hash)
        if became is None:  # asked for twice in the same moment: the first one counts
            raise Problem(409, "this guest has an account by now: log in with its name and password")
        player = became
        await store.sessions.delete_all(player.id)  # whoever knew the guest's secret does not know the account's
        rename_at_tables(request.app.state.hall, player)
    else:
        player = await store.players.create(name, "person", time.time(), password_hash=password_hash)
    return answer(me_of(await log_in(request, player)), 201)


@router.post(
    "/sessions",
    operation_id="logIn",
    openapi_extra=OPEN_TO_ALL,
    summary="Log in",
    description="Sets the session's cookie. A wrong password and an unknown name are answered alike.",
    status_code=201,
    responses=responses(Me, 401, 403, 422, 503, status=201),
)
async def create_session(request: Request, wish: Credentials) -> Response:
    store: Store = request.app.state.store
    hashing: Passwords = request.app.state.passwords
    player = await store.players.by_name(wish.name)
    known = player.password_hash if player is not None and not player.disabled else None
    if not await hashing.fits(known, wish.password) or player is None:
        raise Problem(401, "this name and this password do not belong together: check both", key="LOGIN")
    return answer(me_of(await log_in(request, player)), 201)


@router.delete(
    "/sessions/current",
    operation_id="logOut",
    openapi_extra=OPEN_TO_ALL,
    summary="Log out",
    description="A guest who logs out cannot come back to his matches.",
    status_code=204,
    response_class=Response,
    responses=responses(None, 401, 403, status=204, what="Logged out, or nobody was logged in."),
)
async def delete_session(request: Request) -> Response:
    await log_out(request)
    return Response(status_code=204)


@router.patch(
    "/me",
    operation_id="changeMe",
    summary="Change what is told about me, or my password",
    description="A new password ends all other sessions.",
    responses=responses(Me, 401, 403, 422, 503),
)
async def change_me(request: Request, wish: Changes, asker: Person) -> Response:
    store: Store = request.app.state.store
    player = asker.player
    if wish.password is not None:
        player = await change_password(request, asker, wish.password)
    if wish.about is not None:
        player = await store.players.change(player.id, about=" ".join(wish.about.split()))
    return answer(me_of(Identity(player)))


async def change_password(request: Request, asker: Identity, wish: NewPassword) -> PlayerRow:
    store: Store = request.app.state.store
    hashing: Passwords = request.app.state.passwords
    if not await hashing.fits(asker.player.password_hash, wish.old):
        raise Problem(403, "the old password is not right: nothing was changed", key="LOGIN")
    passwords.check_password(wish.new, asker.player.name)
    player = await store.players.change(asker.player.id, password_hash=await hashing.hash(wish.new))
    await store.sessions.delete_all(player.id, but=hash_secret(request.cookies.get(COOKIE, "")))
    return player


def rename_at_tables(hall: Hall, player: PlayerRow) -> None:
    """Who plays on bears his new name at once."""
    for table in (*hall.tables.values(), *hall.finished.values()):
        if player.id in table.names:
            table.names[player.id] = player.name


def me_of(asker: Identity | None) -> Me:
    if asker is None:
        return Me(player=None)
    scopes = None if asker.scopes is None else tuple(sorted(asker.scopes))
    return Me(player=player_of(asker.player), scopes=scopes)
