"""Several server processes on one PostgreSQL: each match is held by one of them and found by all.

A process says every other second that it lives. What reaches another process than the match's
own is passed on to that one. When a process dies, the others claim its matches: one statement
makes one of them the owner, and from then on the database refuses the old owner's entries,
so that it does no harm if it was only asleep. Who goes in peace gives its matches up at once.

Processes recognise each other by a secret in the database. A request that was passed on once is
answered where it arrives, whatever has happened meanwhile: there are no loops.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import secrets
import time
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from turntile.server.addresses import client_address, is_https, own_address
from turntile.server.bots.doorbell import challenge, game_event
from turntile.server.forwarding import Header, Unreachable, forward, post, read_body, relay
from turntile.server.origins import same_site
from turntile.server.problems import problem
from turntile.store import StoreError
from turntile.store.rows import MatchPlace

if TYPE_CHECKING:
    from turntile.server.bots.doorbell import Doorbell
    from turntile.server.hall import Hall
    from turntile.server.table import Table

log = logging.getLogger("turntile.server.neighbours")

SECRET, CLIENT, SCHEME, REQUEST = (
    b"x-turntile-neighbour",
    b"x-turntile-client",
    b"x-turntile-scheme",
    b"x-turntile-request",
)
OURS = frozenset({SECRET, CLIENT, SCHEME, REQUEST})
EVENTS = "/neighbours/events"
LAST_WORDS_S = 1.0
FORGET_S = 3600.0  # a dead process is remembered so long, for those who look into the database
MOVING = "this match is just moving to another process: try again in a moment"

# Where a match's id stands in the addresses that are about one match.
OF_A_MATCH = re.compile(
    r"/api/v1/matches/([a-z2-7]{10})(?:/(?!replay|film|position)|$)"
    r"|/api/bot/game/(?:stream/)?([a-z2-7]{10})(?:/|$)"
    r"|/api/challenge/([a-z2-7]{10})/"
    r"|/robot-fight/games/([a-z2-7]{10})(?:/|$)"
)

# A bot's trial is told by the process that runs it, also when it is over.
OF_A_TRIAL = re.compile(r"/api/v1/bots/([^/]+)/test$")

Events = list[tuple[int, dict[str, Any]]]  # a player, and what happened to him


class Neighbours:
    """The other processes on this database, and this one's place among them. A bystander of the hall."""

    def __init__(self, hall: Hall, doorbell: Doorbell) -> None:
        self.hall = hall
        self.store = hall.store
        self.settings = hall.settings
        self.doorbell = doorbell
        self.address = own_address(hall.settings)
        self.secret = secrets.token_urlsafe(32)  # nobody else's, until the common one is known
        self.ahead_s = 0.0  # the database's clock before ours: it is the one all processes share
        self.beating: asyncio.Task[None] | None = None
        self.wanted = asyncio.Event()  # somebody asks for a match whose owner is dead
        self.telling: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------- living together

    async def arrive(self) -> None:
        """Before the hall claims its matches: whoever was at this address before is dead."""
        if self.store.shared:
            self.secret = await self.store.secrets.get("neighbours")
            await self.store.processes.succeed(self.hall.process, self.address)
            await self.beat()

    def stay(self) -> None:
        """From now on say that we live, and go on with what the dead have left."""
        if self.store.shared:
            self.hall.bystanders.append(self)
            self.beating = asyncio.get_running_loop().create_task(self.keep_beating())

    async def leave(self) -> None:
        """After the hall has stopped: others may go on with its matches at once."""
        self.closing()
        if self.telling:
            await asyncio.wait(self.telling, timeout=LAST_WORDS_S)
        if self.store.shared:
            try:
                await self.store.matches.release(self.hall.process)
                await self.store.processes.remove(self.hall.process)
            except StoreError as error:
                log.warning("this process's matches could not be given up, others find out by themselves: %s", error)

    async def keep_beating(self) -> None:
        while True:
            self.wanted.clear()
            try:
                async with asyncio.timeout(self.settings.beat_s):
                    await self.wanted.wait()
            except TimeoutError:
                pass
            try:
                await self.beat()
                await self.claim()
                await self.give_up_lost()
                await self.store.processes.forget(self.now() - FORGET_S)
            except StoreError as error:
                log.warning("the database did not hear that this process lives: %s", error)
            except Exception:
                log.exception("looking after the neighbours failed")

    async def beat(self) -> None:
        now = await self.store.processes.now()
        self.ahead_s = now - time.time()
        await self.store.processes.beat(self.hall.process, self.address, now)

    def now(self) -> float:
        return time.time() + self.ahead_s

    async def claim(self) -> None:
        """Go on with the matches of processes that are dead."""
        claimed = await self.store.matches.claim(self.hall.process, stale_before=self.now() - self.settings.stale_s)
        if claimed:
            log.info("goes on with %d matches of a process that is gone", len(claimed))
            self.hall.adopt([match.id for match in claimed])

    async def give_up_lost(self) -> None:
        """If the others believed us dead they hold our matches now: people are sent there."""
        held = set(await self.store.matches.ids(("open", "playing"), owner=self.hall.process))
        for table in [table for table in self.hall.tables.values() if table.id not in held]:
            owner = await self.store.matches.owner(table.id)
            if owner is not None and owner != self.hall.process:
                log.warning("match %s is held by another process by now", table.id)
                table.abandon()

    # ------------------------------------------------------------------- where a match is

    async def elsewhere(self, match_id: str, *, rematch: bool = False, trial: bool = False) -> str | None:
        """The address of the living process that holds a match; None if it is to be looked for here."""
        if match_id in self.hall.tables:
            return None
        place = await self.store.matches.place(match_id)
        if place is not None and rematch and place.rematch is not None:
            if place.rematch in self.hall.tables:
                return None
            place = await self.store.matches.place(place.rematch)
        if place is None or place.owner == self.hall.process:
            return None
        if place.status not in ("open", "playing"):
            # Whoever still listens there is to hear of a rematch.
            return place.address if (rematch or trial) and self.lives(place) else None
        if self.lives(place):
            return place.address
        self.wanted.set()
        return None

    async def trial_elsewhere(self, name: str) -> str | None:
        """The address of the living process that ran a bot's last trial; None if that is this one, or nobody."""
        found = await self.store.bots.by_name(name)
        if found is None:
            return None
        player, bot = found
        match_id = await self.store.matches.last_trial(player.id, bot.owner_id)
        return None if match_id is None else await self.elsewhere(match_id, trial=True)

    def lives(self, place: MatchPlace) -> bool:
        return (
            place.address is not None and place.beat is not None and (place.beat >= self.now() - self.settings.stale_s)
        )

    # ------------------------------------------------------------------- recognising each other

    def introduction(self, scope: Scope) -> list[Header]:
        """What a request is passed on with: who we are, and who asked."""
        scheme = "https" if is_https(HTTPConnection(scope), self.settings) else "http"
        return [
            (SECRET, self.secret.encode()),
            (CLIENT, client_address(scope, self.settings).encode("latin-1", "replace")),
            (SCHEME, scheme.encode()),
            (REQUEST, str(scope["state"].get("request_id", "")).encode()),
        ]

    def recognise(self, scope: Scope) -> bool:
        """Whether a neighbour passed this on; then it counts as from whoever asked there."""
        told = {name: value for name, value in scope["headers"] if name in OURS}
        if not hmac.compare_digest(told.get(SECRET, b""), self.secret.encode()):
            return False
        state = scope["state"]
        state["neighbour"] = True
        if told.get(REQUEST):
            state["request_id"] = told[REQUEST].decode("latin-1")
        scope["client"] = (told.get(CLIENT, b"").decode("latin-1"), 0)
        secure = told.get(SCHEME) == b"https"
        if scope["type"] == "http":
            scope["scheme"] = "https" if secure else "http"
        else:
            scope["scheme"] = "wss" if secure else "ws"
        return True

    # ------------------------------------------------------------------- what happens to bots

    def invited(self, table: Table, seat: int, player_id: int) -> None:
        self.tell([(player_id, challenge(table, seat))])

    def uninvited(self, table: Table, seat: int, player_id: int) -> None:
        self.tell([(player_id, {"type": "challengeCanceled", "challenge": {"id": table.id, "seat": seat}})])

    def began(self, table: Table) -> None:
        self.tell_players(table, "gameStart")

    def ended(self, table: Table) -> None:
        self.tell_players(table, "gameFinish")

    def closing(self) -> None:
        """The hall stops: it takes no more matches on."""
        if self.beating is not None:
            self.beating.cancel()

    def tell_players(self, table: Table, kind: str) -> None:
        seats = [seat for seat in table.seats if seat.player_id is not None and seat.kind in ("human", "bot")]
        self.tell([(seat.player_id, game_event(kind, table, seat.seat)) for seat in seats if seat.player_id])

    def tell(self, events: Events) -> None:
        """A bot's stream of events may be open at any process."""
        if events:
            task = asyncio.get_running_loop().create_task(self.tell_all(msgspec.json.encode(events)))
            self.telling.add(task)
            task.add_done_callback(self.telling.discard)

    async def tell_all(self, events: bytes) -> None:
        try:
            others = await self.store.processes.all()
        except StoreError as error:
            log.warning("the neighbours were not told of an event: %s", error)
            return
        stale = self.now() - self.settings.stale_s
        for other in others:
            if other.id != self.hall.process and other.beat >= stale:
                try:
                    await post(other.address, EVENTS, [(SECRET, self.secret.encode())], events)
                except Unreachable as error:
                    log.info("%s was not told of an event: %s", other.address, error)

    def hear(self, body: bytes) -> None:
        for player_id, event in msgspec.json.decode(body, type=Events):
            self.doorbell.tell(player_id, event)


class Forwarder:
    """A layer of the app, inside the door: what is about a match of another process is passed on to it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = await self.where(scope)
        neighbours = neighbours_of(scope)
        if neighbours is not None and scope["type"] == "http" and scope["path"] == EVENTS and passed_on(scope):
            neighbours.hear(await read_body(receive))
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})
        elif address is None or neighbours is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await relay(scope, receive, send, address, neighbours.introduction(scope))
        else:
            scope["route"] = PASSED_ON
            try:
                await forward(without_ours(scope), receive, send, address, neighbours.introduction(scope))
            except Unreachable as error:
                log.warning("%s does not answer: %s", address, error)
                refusal = problem(Request(scope), 503, MOVING, "", {"Retry-After": "1"})
                await refusal(scope, receive, send)

    async def where(self, scope: Scope) -> str | None:
        """The address of the process this is for; None if it is for this one."""
        neighbours = neighbours_of(scope)
        if neighbours is None or not neighbours.store.shared or passed_on(scope):
            return None
        path = scope["path"]
        about_match, about_trial = OF_A_MATCH.match(path), OF_A_TRIAL.match(path)
        if scope["type"] == "websocket" and same_site(HTTPConnection(scope), neighbours.settings) is False:
            return None  # refused here, where it is known which page asks
        try:
            if about_match is not None:
                match_id = next(group for group in about_match.groups() if group)
                return await neighbours.elsewhere(match_id, rematch=path.endswith("/rematch"))
            if about_trial is not None:
                return await neighbours.trial_elsewhere(about_trial[1])
        except StoreError:
            pass  # the route will say so
        return None


class PassedOn:
    """The route under which figures are kept for what was passed on."""

    path = "(passed on)"


PASSED_ON = PassedOn()


def passed_on(scope: Scope) -> bool:
    return bool(scope.get("state", {}).get("neighbour"))


def without_ours(scope: Scope) -> Scope:
    """Nobody outside speaks for us."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name not in OURS]}


def neighbours_of(scope: Scope) -> Neighbours | None:
    app = scope.get("app")
    return getattr(app.state, "neighbours", None) if app is not None else None
