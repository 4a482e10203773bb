"""Who asks: a person or guest by the session cookie, a bot or script by a token.

Only hashes of secrets are kept: whoever reads the database cannot act for anybody. A guest is
made by the first write that needs somebody, so that playing takes one click and no form.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from turntile.server import addresses
from turntile.server.problems import Problem
from turntile.server.settings import Settings
from turntile.store import NameTaken, Store, StoreError
from turntile.store.rows import PlayerRow

log = logging.getLogger(__name__)

COOKIE = "turntile_session"
TOKEN_START = "tt_"
SCOPES = ("play", "challenge", "bots", "publish")
GUEST_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that look alike
LAST_USED_S = 60.0  # a token's last use is written down at most this often
EXTEND_S = 86400.0  # ... and a session is lengthened at most once a day
STILL_KNOWN_S = 30.0  # who has logged out, or whose token was revoked, neither acts nor sees for longer


@dataclass(frozen=True, slots=True)
class Identity:
    """A player, and what the credentials he came with allow."""

    player: PlayerRow
    scopes: frozenset[str] | None = None  # of a token; None: a person with all rights

    def may(self, scope: str) -> bool:
        return self.scopes is None or scope in self.scopes

    def need(self, scope: str) -> Identity:
        """Itself, or a refusal."""
        if not self.may(scope):
            raise Problem(403, f"this token may not do that: it needs the scope {scope}", key="SCOPE")
        return self


def hash_secret(secret: str) -> str:
    """Secrets are 256 random bits, so one plain hash cannot be guessed back."""
    return hashlib.sha256(secret.encode()).hexdigest()


async def who(connection: HTTPConnection) -> Identity | None:
    """Who asks; None for nobody we know. A token that does not hold is refused (401), not ignored."""
    state = connection.scope.setdefault("state", {})
    if "identity" not in state:
        state["identity"] = await find_out(connection)
    found: Identity | None = state["identity"]
    return found


async def find_out(connection: HTTPConnection) -> Identity | None:
    given = connection.headers.get("authorization", "")
    limits = connection.app.state.limits
    try:
        identity = await by_token(connection, given) if given else await by_cookie(connection)
    except Problem:
        limits.forget_credential(connection.scope)
        raise
    if identity is None:
        limits.forget_credential(connection.scope)
    else:
        limits.charge_account(connection.scope, identity.player.id)
    return identity


async def still_holds(connection: HTTPConnection, player_id: int) -> bool:
    """Whether the cookie or token that a long connection came with is still this player's.

    It counts as no request. While the database does not answer, nobody is sent away.
    """
    given = connection.headers.get("authorization", "")
    try:
        identity = await by_token(connection, given) if given else await by_cookie(connection)
    except Problem:
        identity = None
    except StoreError as error:
        log.warning("a cookie or token could not be looked up again: %s", error)
        return True
    if identity is not None and identity.player.id == player_id:
        return True
    connection.app.state.limits.forget_credential(connection.scope)
    return False


async def by_token(connection: HTTPConnection, given: str) -> Identity:
    scheme, _, secret = given.partition(" ")
    if scheme.lower() != "bearer" or not secret.startswith(TOKEN_START):
        raise unauthorized("the Authorization header must be: Bearer tt_...")
    store: Store = connection.app.state.store
    found = await store.tokens.find(hash_secret(secret))
    if found is None:
        raise unauthorized("this token does not hold: it is unknown or was revoked, or its account is closed")
    token, player = found
    now = time.time()
    if token.last_used is None or now - token.last_used > LAST_USED_S:
        await store.tokens.used(token.id, now)
    return Identity(player, frozenset(token.scopes.split()))


async def by_cookie(connection: HTTPConnection) -> Identity | None:
    secret = connection.cookies.get(COOKIE, "")
    if not secret or len(secret) > 200:
        return None
    store: Store = connection.app.state.store
    settings: Settings = connection.app.state.settings
    now = time.time()
    found = await store.sessions.find(hash_secret(secret), now)
    if found is None:
        return None
    session, player = found
    if session.expires - now < settings.session_s - EXTEND_S:
        await store.sessions.extend(session.hash, now + settings.session_s)
        give_cookie(connection, secret)
    return Identity(player)


async def somebody(connection: HTTPConnection) -> Identity:
    """Who asks; a new guest if it is nobody."""
    found = await who(connection)
    if found is not None:
        return found
    connection.app.state.limits.charge(connection.scope, "guest")
    return await log_in(connection, await make_guest(connection.app.state.store))


async def make_guest(store: Store) -> PlayerRow:
    """A guest with a name nobody has, such as "Guest 4F7K"."""
    length = 4
    while True:
        name = "Guest " + "".join(secrets.choice(GUEST_LETTERS) for _ in range(length))
        try:
            return await store.players.create(name, "guest", time.time())
        except NameTaken:
            length += 1  # more letters, fewer collisions


async def log_in(connection: HTTPConnection, player: PlayerRow) -> Identity:
    """A new session for a player, with the cookie on its way. Who the request was before is forgotten."""
    settings: Settings = connection.app.state.settings
    secret = secrets.token_urlsafe(32)
    now = time.time()
    await connection.app.state.store.sessions.create(hash_secret(secret), player.id, now, now + settings.session_s)
    give_cookie(connection, secret)
    identity = Identity(player)
    connection.scope.setdefault("state", {})["identity"] = identity
    return identity


async def log_out(connection: HTTPConnection) -> None:
    secret = connection.cookies.get(COOKIE, "")
    if secret:
        await connection.app.state.store.sessions.delete(hash_secret(secret))
    give_cookie(connection, "", lifetime_s=0)


def give_cookie(connection: HTTPConnection, secret: str, lifetime_s: float | None = None) -> None:
    """Let the answer set the cookie, whatever kind of answer it will be (door.py does it)."""
    settings: Settings = connection.app.state.settings
    lifetime = settings.session_s if lifetime_s is None else lifetime_s
    secure = "; Secure" if addresses.is_https(connection, settings) else ""
    cookie = f"{COOKIE}={secret}; Max-Age={int(lifetime)}; Path=/; HttpOnly; SameSite=Lax{secure}"
    connection.scope.setdefault("state", {})["set_cookie"] = cookie


def unauthorized(sentence: str) -> Problem:
    return Problem(401, sentence, headers={"WWW-Authenticate": 'Bearer realm="turntile"'})


async def somebody_known(connection: HTTPConnection) -> Identity:
    """Who asks; 401 for nobody."""
    found = await who(connection)
    if found is None:
        raise unauthorized("this needs an account or a token: log in, or send Authorization: Bearer tt_...")
    return found


async def a_person(connection: HTTPConnection) -> Identity:
    """A person with an account, here himself: tokens and passwords are not managed by tokens, nor by guests."""
    found = await somebody_known(connection)
    if found.scopes is not None:
        raise Problem(403, "a token may not do that: log in with name and password")
    if found.player.kind != "person":
        raise Problem(403, "guests may not do that: make an account first (it keeps your matches)")
    return found


def require(scope: str) -> Callable[[HTTPConnection], Awaitable[Identity]]:
    """A dependency: somebody known whose credentials allow `scope`."""

    async def allowed(connection: HTTPConnection) -> Identity:
        return (await somebody_known(connection)).need(scope)

    return allowed


def anybody(scope: str) -> Callable[[HTTPConnection], Awaitable[Identity]]:
    """A dependency: whoever asks, a new guest if need be; a token must have `scope`."""

    async def allowed(connection: HTTPConnection) -> Identity:
        return (await somebody(connection)).need(scope)

    return allowed


# For routes: `async def read(asker: MaybeKnown)`.
MaybeKnown = Annotated[Identity | None, Depends(who)]
Somebody = Annotated[Identity, Depends(somebody)]
Known = Annotated[Identity, Depends(somebody_known)]
Person = Annotated[Identity, Depends(a_person)]
