"""Robot fight's own HTTP interface, in the rulebook's words: join, add features, end the deployment, play turns.

The game underneath is an ordinary table: it can be watched in the browser and has a replay. Errors
are `{"error": KEY, "message": sentence}` with the keys and the order of R19, so bodies are read
loosely and judged by the game itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from fastapi import APIRouter, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.responses import Response

from turntile.core.errors import TurntileError
from turntile.core.registry import find
from turntile.games.robots.records import robot_at
from turntile.games.robots.view import View
from turntile.games.robots.view import view as view_of
from turntile.games.robots.words import ERROR_KEYS
from turntile.match.match import Match, Step
from turntile.match.replay import read_replay, rerun, restart
from turntile.server.api.tokens import make_token
from turntile.server.bots.fight_messages import Messages, Said, said_in
from turntile.server.bots.fight_plans import GAME, Plans, before_the_match, deploying, imagine, judge, pending, play
from turntile.server.ears import NotStored
from turntile.server.identity import Identity, make_guest, who
from turntile.server.once import OneAtATime
from turntile.server.openapi import OPEN_TO_ALL
from turntile.server.problems import Problem, sentence_of_validation, status_of
from turntile.server.seating import NewTable, SeatWish

if TYPE_CHECKING:
    from turntile.server.hall import Hall
    from turntile.server.messages import MatchInfo
    from turntile.server.table import Table

log = logging.getLogger("turntile.server.bots")

MOST_NAME = 24
MOST_SEATS = 64  # more than any game has: a wish for a billion robots is refused, not written out
SCOPES = ["play"]  # of the token a robot's player gets

STATUSES = {
    "GAME_NOT_EXISTS": 404,
    "PLAYER_NOT_EXISTS": 404,
    "GAME_FULL": 409,
    "NOT_YOUR_TURN": 409,
    "OUT_OF_CAPACITY": 422,
    "OUT_OF_BOUNDS": 422,
    "ILLEGAL_MOVE": 422,
}
CONTENTS = {".": "empty", "#": "obstacle", "o": "robot", "@": "self"}


class Refusal(TurntileError):
    """An error with its key and status."""

    def __init__(self, key: str, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.key = key
        self.status = status or STATUSES.get(key, 422)


class RulebookRoute(APIRoute):
    """Every error leaves with a key of the rulebook and a sentence."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except RequestValidationError as error:
                return refuse("ERROR", sentence_of_validation(error), 422)
            except NotStored as failure:
                return refuse("ERROR", str(failure) or "it could not be written down: send it again", 503)
            except TurntileError as refusal:
                key = getattr(refusal, "key", "")
                status = getattr(refusal, "status", 0) or STATUSES.get(key, 0) or status_of(refusal)
                headers = refusal.headers if isinstance(refusal, Problem) else None
                return refuse(key if key in ERROR_KEYS else "ERROR", str(refusal), status, headers)

        return handle


def refuse(key: str, sentence: str, status: int, headers: dict[str, str] | None = None) -> Response:
    return told({"error": key, "message": sentence}, status, headers)


def told(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(content), status, headers, media_type="application/json")


router = APIRouter(prefix="/robot-fight", tags=["robot fight"], route_class=RulebookRoute)

GameId = Annotated[str, InPath(max_length=64)]
SeatText = Annotated[str, InPath(max_length=64, description="the robot's number, counted from 0 in joining order")]

ERROR_SCHEMA = {
    "type": "object",
    "required": ["error", "message"],
    "properties": {"error": {"type": "string", "enum": list(ERROR_KEYS)}, "message": {"type": "string"}},
}


def answers(status: int, what: str, *errors: int) -> dict[int | str, dict[str, Any]]:
    """What an operation answers, for the document."""
    content = {"application/json": {"schema": {"type": "object"}}}
    listed: dict[int | str, dict[str, Any]] = {status: {"description": what, "content": content}}
    for error in sorted({401, 403, 404, 409, 422, 503, *errors}):
        listed[error] = {
            "description": "an error key of the rulebook and a sentence",
            "content": {"application/json": {"schema": ERROR_SCHEMA}},
        }
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for error in (400, 413, 429, 500):
        listed[error] = {"description": "not about the game", "content": problem}
    return listed


def body(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"requestBody": {"required": bool(required), "content": {"application/json": {"schema": schema}}}}


TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


class Fights:
    """What this interface keeps beside the hall's tables. A bystander of the hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.once = OneAtATime()
        self.tasks: set[asyncio.Task[None]] = set()
        self.plans = Plans(hall)
        self.messages = Messages(hall.store)

    def invited(self, table: Table, seat: int, player_id: int) -> None:
        pass

    def uninvited(self, table: Table, seat: int, player_id: int) -> None:
        pass

    def began(self, table: Table) -> None:
        """Send what was kept, also for those who do not ask again soon."""
        if table.row.game == GAME:
            for seat in table.seats:
                if seat.kind == "human":
                    self.start(self.play_plan(table, seat.seat))

    async def play_plan(self, table: Table, seat: int) -> None:
        try:
            async with self.once(f"{table.id} {seat}"):
                await self.plans.play(table, seat)
        except (TurntileError, NotStored) as failure:
            log.warning("robot fight %s: the deployment of robot %d waits: %s", table.id, seat, failure)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def closing(self) -> None:
        pass

    def ended(self, table: Table) -> None:
        self.plans.forget(table)
        self.messages.forget(table)


# ------------------------------------------------------------------- games


@router.post(
    "/games",
    operation_id="robotFightCreate",
    summary="Set up a game",
    description="`options` are those of Robot fight; `opponents` sit at the last seats (a level, a bot's spelling or "
    "@name). Seats count from 0 in the order of joining.",
    status_code=201,
    openapi_extra={
        **body(options={"type": "object"}, opponents={"type": "array", "items": TEXT}, listed={"type": "boolean"}),
        **OPEN_TO_ALL,
    },
    responses=answers(201, "the new game"),
)
async def create_game(request: Request) -> Response:
    wish = await read_body(request)
    options, opponents, listed = wish.get("options", {}), wish.get("opponents", []), wish.get("listed", True)
    if not isinstance(options, dict) or not isinstance(opponents, list) or not isinstance(listed, bool):
        raise Refusal("ERROR", "options is an object, opponents a list of names, listed true or false")
    if not all(isinstance(name, str) for name in opponents):
        raise Refusal("ERROR", 'opponents are named by texts, as in ["easy"]')
    players = options.get("players", 2)
    free = (min(players, MOST_SEATS) if isinstance(players, int) else 2) - len(opponents)  # the game judges the rest
    if free < 1:
        raise Refusal("ERROR", f"{len(opponents)} opponents leave no robot to join: ask for fewer, or for more players")
    seats = (*(SeatWish(kind="open") for _ in range(free)), *(SeatWish(kind="bot", bot=name) for name in opponents))
    identity = await token_holder(request)
    creator = identity.need("challenge").player if identity is not None else await new_guest(request)
    hall: Hall = request.app.state.hall
    table = await hall.open_table(NewTable(game=GAME, options=options, seats=seats, listed=listed), creator)
    return told(describe_game(table.info()), 201)


@router.get(
    "/games/{game}",
    operation_id="robotFightGame",
    openapi_extra=OPEN_TO_ALL,
    summary="Who has joined",
    responses=answers(200, "the game"),
)
async def read_game(request: Request, game: GameId) -> Response:
    info = await find_info(request, game)
    return told(describe_game(info))


@router.post(
    "/games/{game}/players",
    operation_id="robotFightJoin",
    summary="Join a game",
    description="The answer has a token for the robot's player, told this once; who sends a token of his own joins as "
    "himself and gets none.",
    status_code=201,
    openapi_extra={**body(name=TEXT), **OPEN_TO_ALL},
    responses=answers(201, "the robot's number and its token"),
)
async def join_game(request: Request, game: GameId) -> Response:
    wish = await read_body(request)
    hall: Hall = request.app.state.hall
    table = await hall.find(game)
    if table is None:
        await find_info(request, game)  # GAME_NOT_EXISTS
        raise Refusal("GAME_FULL", f"game {game} is over: nobody can join it any more")
    check_game(table.row.game, game)
    name = wish.get("name", "")
    if not isinstance(name, str) or len(name) > MOST_NAME:
        raise Refusal("ERROR", f"a name is a text of at most {MOST_NAME} characters")
    if table.match is not None:
        raise Refusal("GAME_FULL", f"game {game} is running: nobody can join it any more")
    free = [seat.seat for seat in table.seats if seat.kind == "open" and seat.player_id is None]
    if not free:
        raise Refusal("GAME_FULL", f"game {game} is full: all {len(table.seats)} robots have joined")
    identity = await token_holder(request)
    if identity is not None:
        player, secret = identity.need("challenge").player, None
    else:
        player = await new_guest(request)
        secret = (await make_token(hall.store, player.id, f"robot fight {game}", SCOPES)).secret
    seat = await hall.join(table, player, free[0], name)
    joined = table.seats[seat]
    return told({"game": game, "player": seat, "name": joined.name, "token": secret}, 201)


# ------------------------------------------------------------------- one robot


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for a robot: the table (None when the game is over), the seat, and the way to the rest."""

    request: Request
    fights: Fights
    info: MatchInfo
    table: Table | None
    seat: int

    async def live(self) -> Table:
        """The table, with what was kept before the match sent to it."""
        if self.table is None:
            raise Refusal("ERROR", "the match is over: only the status can still be asked for", 409)
        await self.fights.plans.play(self.table, self.seat)
        return self.table

    def alone(self) -> AbstractAsyncContextManager[None]:
        """No two requests for one robot at the same time: the second must know what the first has changed."""
        return self.fights.once(f"{self.info.id} {self.seat}")

    async def ask(self, text: str) -> Match:
        """Send a request of the fight itself; the match afterwards."""
        async with self.alone():
            return await self.ask_alone(text)

    async def ask_alone(self, text: str) -> Match:
        table = await self.live()
        match = table.match
        if match is None:
            judge(
                imagine(before_the_match(table), self.seat, await self.fights.plans.of(table, self.seat)),
                self.seat,
                text,
            )
            raise Refusal("ERROR", "not all robots have joined yet: add features and wait for the others", 409)
        if deploying(match):
            judge(imagine(match, self.seat, pending(match, self.seat)), self.seat, text)
        match.judge(self.seat, text)
        await table.act(self.seat, 0, text)
        assert table.match is not None
        return table.match

    async def deploy(self, text: str) -> dict[str, Any]:
        """Send a request of the deployment; the own robot as it will be."""
        async with self.alone():
            return await self.deploy_alone(text)

    async def deploy_alone(self, text: str) -> dict[str, Any]:
        table = await self.live()
        plans = self.fights.plans
        match = table.match
        if match is None:
            plan = await plans.of(table, self.seat)
            record = imagine(before_the_match(table), self.seat, plan)
            judge(record, self.seat, text)
            await plans.add(table, self.seat, text)
        elif deploying(match):
            waiting = pending(match, self.seat)
            record = imagine(match, self.seat, waiting)
            judge(record, self.seat, text)
            if match.seats[self.seat].resigned:
                match.judge(self.seat, text)
            await table.act(self.seat, 0, "; ".join([*waiting, text]))
        else:
            match.judge(self.seat, text)  # refused: the fight has begun
            raise Refusal("ERROR", "the deployment is over", 409)
        play(record, self.seat, text)
        return describe_robot(view_of(record, self.seat))


async def caller_of(request: Request, game: str, player: str) -> Caller:
    """R19: the game, the player, then whether it is the caller's own."""
    hall: Hall = request.app.state.hall
    table = await hall.find(game)
    info = table.info() if table is not None else await find_info(request, game)
    check_game(info.game, game)
    known = {str(seat.seat): seat for seat in info.seats if seat.kind != "open"}
    if player not in known:
        raise Refusal("PLAYER_NOT_EXISTS", f"there is no player {player[:20]!r} in game {game}: {joined_text(info)}")
    identity = await who(request)
    if identity is None:
        raise Refusal("ERROR", "this needs the robot's token: send Authorization: Bearer tt_...", 401)
    identity.need("play")
    seat = int(player)
    mine = table.seats_of(identity.player.id) if table is not None else await old_seats(hall, game, identity)
    if seat not in mine:
        raise Refusal("ERROR", f"robot {seat} is not yours: the token belongs to somebody else", 403)
    return Caller(request, request.app.state.bots.fights, info, table, seat)


async def old_seats(hall: Hall, game: str, identity: Identity) -> tuple[int, ...]:
    row = await hall.store.matches.get(game)
    return tuple(seat.seat for seat in (row.seats if row else ()) if seat.player_id == identity.player.id)


def joined_text(info: MatchInfo) -> str:
    joined = [str(seat.seat) for seat in info.seats if seat.kind != "open"]
    return f"there are {', '.join(joined)}" if joined else "nobody has joined yet"


PLAYER = "/games/{game}/players/{player}"


@router.post(
    PLAYER + "/features",
    operation_id="robotFightAddFeature",
    summary="Add a feature",
    openapi_extra=body(("feature",), feature=TEXT),
    responses=answers(200, "the own robot"),
)
async def add_feature(request: Request, game: GameId, player: SeatText) -> Response:
    wish = await read_body(request)
    caller = await caller_of(request, game, player)
    return told({"robot": await caller.deploy(f"add {word(wish.get('feature', ''))}")})


@router.post(
    PLAYER + "/features/end",
    operation_id="robotFightEndDeployment",
    summary="End the deployment",
    responses=answers(200, "the own robot"),
)
async def end_deployment(request: Request, game: GameId, player: SeatText) -> Response:
    caller = await caller_of(request, game, player)
    return told({"robot": await caller.deploy("deploy")})


@router.get(
    PLAYER + "/status",
    operation_id="robotFightStatus",
    summary="The status: at any time, and nothing that a radar would have to find",
    responses=answers(200, "the status"),
)
async def status(request: Request, game: GameId, player: SeatText) -> Response:
    caller = await caller_of(request, game, player)
    seat = caller.seat
    if caller.table is None:
        ended, said = await replayed(request, game)
        return told(describe_status(caller.info, ended.view(seat), said, seat))
    table = await caller.live()
    match = table.match
    if match is None:
        record = imagine(before_the_match(table), seat, await caller.fights.plans.of(table, seat))
        return told({**describe_status(caller.info, view_of(record, seat), [], seat), "phase": "waiting"})
    said = await caller.fights.messages.of(table) if match.record.messaging else []
    return told(live_status(caller.info, match, said, seat))


@router.post(
    PLAYER + "/turn/start",
    operation_id="robotFightStartTurn",
    summary="Start the turn",
    responses=answers(200, "the own robot"),
)
async def start_turn(request: Request, game: GameId, player: SeatText) -> Response:
    return await simple_request(request, game, player, "start")


@router.post(
    PLAYER + "/turn/end",
    operation_id="robotFightEndTurn",
    summary="End the turn",
    responses=answers(200, "the own robot"),
)
async def end_turn(request: Request, game: GameId, player: SeatText) -> Response:
    return await simple_request(request, game, player, "end")


@router.post(
    PLAYER + "/mines",
    operation_id="robotFightMine",
    summary="Lay a mine (option mines)",
    responses=answers(200, "the own robot"),
)
async def lay_mine(request: Request, game: GameId, player: SeatText) -> Response:
    return await simple_request(request, game, player, "mine")


async def simple_request(request: Request, game: str, player: str, text: str) -> Response:
    caller = await caller_of(request, game, player)
    match = await caller.ask(text)
    view: View = match.view(caller.seat)
    return told({"robot": describe_robot(view), "turns_ended": view.turns_ended, "result": view.result})


@router.post(
    PLAYER + "/radar",
    operation_id="robotFightScan",
    summary="Scan the surroundings",
    responses=answers(200, "each cell of the area"),
)
async def scan(request: Request, game: GameId, player: SeatText) -> Response:
    caller = await caller_of(request, game, player)
    view: View = (await caller.ask("scan")).view(caller.seat)
    return told(describe_scan(view))


@router.post(
    PLAYER + "/move",
    operation_id="robotFightMove",
    summary="Move one step",
    openapi_extra=body(("direction",), direction=TEXT),
    responses=answers(200, "the own robot"),
)
async def move(request: Request, game: GameId, player: SeatText) -> Response:
    wish = await read_body(request)
    caller = await caller_of(request, game, player)
    before = caller.table.match.record.robots[caller.seat].hp if caller.table and caller.table.match else 0
    match = await caller.ask(f"move {word(wish.get('direction', ''))}")
    view: View = match.view(caller.seat)
    robot = describe_robot(view)
    answer = {"robot": robot, "result": view.result}
    if view.with_mines:
        answer["mine"] = robot["hp"] < before  # one went off under it (X7): nothing else hurts in the own turn
    return told(answer)


@router.post(
    PLAYER + "/shoot",
    operation_id="robotFightShoot",
    summary="Fire at a cell",
    openapi_extra=body(("x", "y"), x=NUMBER, y=NUMBER),
    responses=answers(200, "whether a robot was hit"),
)
async def shoot(request: Request, game: GameId, player: SeatText) -> Response:
    wish = await read_body(request)
    caller = await caller_of(request, game, player)
    x, y = word(wish.get("x", "")), word(wish.get("y", ""))
    before = caller.table.match.record if caller.table and caller.table.match else None
    match = await caller.ask(f"shoot {x} {y}")
    view: View = match.view(caller.seat)
    hit = before is not None and robot_at(before, int(y) * before.width + int(x)) >= 0  # R13: that, and no more
    return told({"hit": hit, "robot": describe_robot(view), "result": view.result})


@router.post(
    PLAYER + "/messages",
    operation_id="robotFightSay",
    summary="Send a message (option messages)",
    openapi_extra=body(("text",), to={"type": ["string", "integer"]}, text=TEXT),
    responses=answers(200, "the own robot"),
)
async def say(request: Request, game: GameId, player: SeatText) -> Response:
    wish = await read_body(request)
    text = wish.get("text", "")
    return await simple_request(
        request, game, player, f"say {word(wish.get('to', 'all'))} {text if isinstance(text, str) else word(text)}"
    )


# ------------------------------------------------------------------- reading


async def read_body(request: Request) -> dict[str, Any]:
    """A JSON object, or nothing for an empty body. What is in it the game judges."""
    raw = await request.body()
    if not raw.strip():
        return {}
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("ERROR", f"the body is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise Refusal("ERROR", "the body must be a JSON object")
    return found


def word(value: Any) -> str:
    """A value as one word of a request: nothing in it can be taken for another word or request."""
    text = value.strip() if isinstance(value, str) else msgspec.json.encode(value).decode()
    return "".join("?" if char.isspace() or char in ";(),\x00" else char for char in text)[:100]


async def token_holder(request: Request) -> Identity | None:
    """Who sends a token of his own. Cookies do not count here: this interface is for programs."""
    return await who(request) if "authorization" in request.headers else None


async def new_guest(request: Request) -> Any:
    request.app.state.limits.charge(request.scope, "guest")
    return await make_guest(request.app.state.store)


async def find_info(request: Request, game: str) -> MatchInfo:
    hall: Hall = request.app.state.hall
    info = await hall.info(game, None)
    if info is None:
        raise no_such_game(game)
    check_game(info.game, game)
    return info


def check_game(name: str, game: str) -> None:
    if name != GAME:
        raise no_such_game(game)


def no_such_game(game: str) -> Refusal:
    return Refusal("GAME_NOT_EXISTS", f"there is no game {game[:20]!r} of Robot fight")


async def replayed(request: Request, game: str) -> tuple[Match, list[Said]]:
    """A match that is over, and what was said in it."""
    data = await request.app.state.store.matches.replay(game)
    if data is None:
        raise Refusal("ERROR", f"game {game} was stopped: there is nothing to be told of it", 409)
    replay = read_replay(data)
    match = restart(replay, find(GAME))
    said: list[Said] = []
    for line in rerun(replay, match):
        if isinstance(line, Step):
            said += said_in([line])
    return match, said


# ------------------------------------------------------------------- telling


def describe_game(info: MatchInfo) -> dict[str, Any]:
    return {
        "game": info.id,
        "status": info.status,
        "options": info.options,
        "players": [{"player": seat.seat, "name": seat.name, "joined": seat.kind != "open"} for seat in info.seats],
        "watch": f"/m/{info.id}",
    }


def live_status(info: MatchInfo, match: Match, said: list[Said], seat: int) -> dict[str, Any]:
    """While a robot is put together its own features count as added, though nobody else can know them yet."""
    record = imagine(match, seat, pending(match, seat)) if deploying(match) else match.record
    return describe_status(info, view_of(record, seat), said, seat)


def describe_status(info: MatchInfo, view: View, said: list[Said], seat: int) -> dict[str, Any]:
    """R17, and nothing else."""
    names = {one.seat: one for one in info.seats}
    players = [
        {
            "player": one.seat,
            "name": names[one.seat].name,
            "joined": names[one.seat].kind != "open",
            "deployed": one.deployed,
            "alive": one.alive,
            **({"team": one.team} if view.teams else {}),
        }
        for one in view.seats
    ]
    status = {
        "game": info.id,
        "player": seat,
        "width": view.width,
        "height": view.height,
        "turn_limit": view.turn_limit,
        "phase": view.phase if info.outcome is None else "over",
        "turn_of": view.turn_of if view.turn_of >= 0 else None,
        "started": view.started,
        "turns_ended": view.turns_ended,
        "result": view.result or (info.outcome.reason if info.outcome is not None else ""),
        "players": players,
        "robot": describe_robot(view),
    }
    if view.with_messages:
        status["messages"] = [
            {"sender": one.sender, "to": one.address, "turn": one.turn, "text": one.text}
            for one in said
            if one.received_by(seat)
        ]
    return status


def describe_robot(view: View) -> dict[str, Any]:
    robot = view.me
    assert robot is not None, view.seat
    described: dict[str, Any] = {
        "alive": robot.alive,
        "hp": robot.hp,
        "full_hp": robot.full_hp,
        "features": robot.parts,
        "capacity": robot.slots,
        "capacity_used": robot.slots_used,
        "x": robot.cell[0] if robot.cell else None,
        "y": robot.cell[1] if robot.cell else None,
        "moves": robot.engine_moves,
        "moves_left": robot.moves_left,
        "scan_area": robot.radar_side,
        "weapon": robot.weapon or None,
        "range": robot.weapon_side,
        "loading": robot.loading,
        "shot_used": robot.shot_used,
    }
    if view.with_mines:
        described["mines_left"] = robot.mines_left if robot.mines_left >= 0 else None
        described["mines"] = [{"x": x, "y": y} for x, y in robot.mines]
    if view.with_messages:
        described["message_sent"] = robot.message_sent
    return described


def describe_scan(view: View) -> dict[str, Any]:
    """F2, F3, B17: every cell of the square, as it was just seen."""
    robot = view.me
    assert robot is not None and robot.cell is not None, view.seat
    side = robot.radar_side
    left, top = robot.cell[0] - side // 2, robot.cell[1] - side // 2
    mines = {sighting.cell for sighting in view.seen_mines}
    cells = []
    for y in range(top, top + side):
        for x in range(left, left + side):
            inside = 0 <= x < view.width and 0 <= y < view.height
            cell: dict[str, Any] = {"x": x, "y": y, "content": CONTENTS[view.seen[y][x]] if inside else "outside"}
            if view.with_mines:
                cell["mine"] = (x, y) in mines
            cells.append(cell)
    return {"area": side, "x": left, "y": top, "cells": cells}
