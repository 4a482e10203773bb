"""Published contests: standings, crosstable, rounds and films of what was played somewhere else."""

from __future__ import annotations

import base64
import binascii
import hashlib
import time
from typing import Annotated, Any, TypeVar

import msgspec
import zstandard
from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from turntile.contest.publication import (
    HEAD,
    MOST_MATCHES,
    PublishedContest,
    PublishedFailure,
    PublishedMatch,
    PublishedPiece,
    PublishedStanding,
)
from turntile.contest.rounds import Round
from turntile.core import registry
from turntile.core.errors import TurntileError, UnknownGame
from turntile.match.replay import ZSTD_MAGIC, InvalidReplay, read_replay
from turntile.server.answers import answer, utc
from turntile.server.api.downloads import BINARY, LINES, ZSTD, Eyes, file_response, tell_drawn, tell_replay
from turntile.server.api.matches import Cursor, Limit
from turntile.server.identity import Identity, Known
from turntile.server.openapi import SHOWN, responses
from turntile.server.problems import Problem
from turntile.server.settings import Settings
from turntile.store import Store
from turntile.store.contests import TooMuchPublished
from turntile.store.rows import ContestMatchRow, ContestRow

router = APIRouter(tags=["contests"], prefix="/contests")

LARGEST_REPLAY = 8 * 2**20  # unpacked
LARGEST_PIECE = 64 * 2**20  # all replays of a piece, unpacked: checking them takes a second of a core
CHECKING = "a piece of a contest"  # one at a time, so that matches go on

ContestId = Annotated[str, Path(max_length=40)]
MatchNumber = Annotated[int, Path(ge=1, le=MOST_MATCHES, description="from 1")]
Told = TypeVar("Told", bound=msgspec.Struct)


class ContestSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A contest in a list."""

    id: str
    name: str
    game: str
    title: str  # the game's
    format: str
    created: str
    published_by: str | None
    bots: int
    played: int  # matches
    in_all: int | None
    ended: str
    leader: str


class Contests(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[ContestSummary, ...]
    next: str | None = None


class ContestPage(msgspec.Struct, frozen=True, kw_only=True):
    """A contest. Rounds name bots by their places in `bots`, the crosstable stands in the standings' order."""

    id: str
    name: str
    game: str
    title: str
    format: str
    created: str
    published_by: str | None
    bots: tuple[str, ...]
    seats: int
    clock: str
    seed: str
    options: dict[str, Any]
    played: int
    in_all: int | None
    steps: int
    ended: str
    standings: tuple[PublishedStanding, ...]
    crosstable: tuple[tuple[tuple[float, int] | None, ...], ...]
    seat_share: dict[str, tuple[float, ...]]
    summary: dict[str, float | str]
    rounds: tuple[Round, ...]


class ContestMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a contest."""

    number: int
    round: int
    players: tuple[str, ...]  # by seat
    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    steps: int
    seconds: float
    failures: tuple[PublishedFailure, ...]
    replay: bool  # there is one: it can be watched


class ContestMatches(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[ContestMatch, ...]
    next: str | None = None


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a piece was taken."""

    matches: int
    replays: int


# ------------------------------------------------------------------- reading


@router.get("", operation_id="listContests", summary="Contests, newest first", responses=responses(Contests, 404, 422))
async def list_contests(
    request: Request, game: Annotated[str, Query(max_length=60)] = "", cursor: Cursor = None, limit: Limit = 50
) -> Response:
    store: Store = request.app.state.store
    name = registry.find(game).name if game else ""
    rows, following = await store.contests.page(game=name, cursor=cursor, limit=limit)
    names = await publishers(store, rows)
    return answer(Contests(items=tuple(summary_of(row, names) for row in rows), next=following))


@router.get(
    "/{id}",
    operation_id="readContest",
    summary="One contest: standings, crosstable, rounds",
    responses=responses(ContestPage, 404, 422),
)
async def read_contest(request: Request, id: ContestId) -> Response:
    store: Store = request.app.state.store
    row = await find_contest(store, id)
    return answer(page_of(row, await find_head(store, id), await publishers(store, [row])))


@router.get(
    "/{id}/matches",
    operation_id="listContestMatches",
    summary="A contest's matches, in order",
    responses=responses(ContestMatches, 404, 422),
)
async def list_contest_matches(
    request: Request,
    id: ContestId,
    cursor: Annotated[int, Query(ge=0, le=MOST_MATCHES, description="`next` of the page before")] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    store: Store = request.app.state.store
    head = await find_head(store, id)
    rows = await store.contests.matches(id, after=max(cursor, HEAD), limit=limit + 1)
    told = tuple(match_of(head, row) for row in rows[:limit])
    return answer(ContestMatches(items=told, next=str(told[-1].number) if len(rows) > limit else None))


@router.get(
    "/{id}/matches/{number}",
    operation_id="readContestMatch",
    summary="One match of a contest",
    responses=responses(ContestMatch, 404, 422),
)
async def read_contest_match(request: Request, id: ContestId, number: MatchNumber) -> Response:
    store: Store = request.app.state.store
    head = await find_head(store, id)
    return answer(match_of(head, await find_match(store, id, number)))


@router.get(
    "/{id}/matches/{number}/replay",
    operation_id="readContestReplay",
    summary="The replay of a contest's match",
    response_class=Response,
    responses=file_response(
        what="See docs/replay-format.md.", media={LINES: {"schema": {"type": "string"}}, ZSTD: BINARY}
    ),
)
async def read_contest_replay(
    request: Request,
    id: ContestId,
    number: MatchNumber,
    packed: Annotated[bool, Query(description="compressed with zstd")] = False,
) -> Response:
    return await tell_replay(request, f"{id}-{number}", await find_replay(request, id, number), packed)


@router.get(
    "/{id}/matches/{number}/film",
    operation_id="readContestFilm",
    summary="The film of a contest's match, for the replay viewer",
    response_class=Response,
    responses=file_response(
        what="Frames packed as screens/html.py says.", media={"application/json": {"schema": {"type": "object"}}}
    ),
)
async def read_contest_film(request: Request, id: ContestId, number: MatchNumber, seat: Eyes = None) -> Response:
    replay = await find_replay(request, id, number)
    return await tell_drawn(request, "film", f"{id}-{number}", replay, seat, "application/json")


# ------------------------------------------------------------------- publishing


def body_of(told: type[msgspec.Struct]) -> dict[str, Any]:
    SHOWN[told.__name__] = told
    schema = {"$ref": f"#/components/schemas/{told.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


@router.post(
    "",
    operation_id="publishContest",
    summary="Publish a contest, or what is known of it by now",
    description="Needs an account, or a token with the scope `publish`. The same `key` is the same contest: sent "
    "again, it takes the place of what was there. The matches follow in pieces. `turntile contest publish` does it. "
    "Who has published as much as one account may is refused (409) until he deletes an old one.",
    status_code=201,
    responses=responses(ContestSummary, 401, 403, 409, 413, 422, 503, status=201),
    openapi_extra=body_of(PublishedContest),
)
async def publish_contest(request: Request, asker: Known) -> Response:
    publisher = may_publish(asker)
    store: Store = request.app.state.store
    wish = await read_body(request, PublishedContest)
    check_contest(wish)
    contest_id = id_of(publisher.player.id, wish.key)
    before = await store.contests.get(contest_id)
    row = ContestRow(
        contest_id,
        wish.name,
        wish.game,
        wish.format,
        before.created if before is not None else time.time(),
        publisher.player.id,
        msgspec.to_builtins(gist_of(wish)),
    )
    settings: Settings = request.app.state.settings
    try:
        await store.contests.put(row, most=settings.contests_per_player)
    except TooMuchPublished as refusal:
        raise Problem(
            409, f"you have published {refusal.kept} contests: delete an old one first", key="QUOTA"
        ) from None
    try:
        await keep(request, contest_id, [(HEAD, msgspec.to_builtins(wish), None)])
    except Problem:
        if before is None:
            await store.contests.delete(contest_id)
        raise
    return answer(summary_of(row, {publisher.player.id: publisher.player.name}), 201)


@router.put(
    "/{id}/matches",
    operation_id="publishContestMatches",
    summary="Add matches to a contest",
    description="Each replaces the match of its number. Only for who published the contest.",
    responses=responses(Taken, 401, 403, 404, 409, 413, 422, 503),
    openapi_extra=body_of(PublishedPiece),
)
async def publish_matches(request: Request, id: ContestId, asker: Known) -> Response:
    store: Store = request.app.state.store
    await own_contest(store, id, may_publish(asker))
    head = await find_head(store, id)
    piece = await read_body(request, PublishedPiece)
    async with request.app.state.one_at_a_time(CHECKING):
        rows = await run_in_threadpool(checked_rows, head, piece)
    await keep(request, id, rows)
    return answer(Taken(matches=len(rows), replays=sum(replay is not None for _, _, replay in rows)))


@router.delete(
    "/{id}",
    operation_id="deleteContest",
    summary="Take a contest back, with its matches",
    status_code=204,
    response_class=Response,
    responses=responses(None, 401, 403, 404, 422, status=204, what="It is gone."),
)
async def delete_contest(request: Request, id: ContestId, asker: Known) -> Response:
    store: Store = request.app.state.store
    await own_contest(store, id, may_publish(asker))
    await store.contests.delete(id)
    return Response(status_code=204)


# ------------------------------------------------------------------- parts


def may_publish(asker: Identity) -> Identity:
    if asker.player.kind == "guest":
        raise Problem(403, "guests cannot publish contests: make an account first")
    return asker.need("publish")


async def keep(request: Request, contest_id: str, rows: list[tuple[int, Any, bytes | None]]) -> None:
    """Put matches into a contest, if its publisher's room does."""
    store: Store = request.app.state.store
    settings: Settings = request.app.state.settings
    try:
        there = await store.contests.put_matches(contest_id, rows, most_bytes=settings.contest_bytes_per_player)
    except TooMuchPublished as refusal:
        kept, most = refusal.kept / 2**20, settings.contest_bytes_per_player / 2**20
        raise Problem(
            409,
            f"your published contests take {kept:.1f} of the {most:g} MB you may keep, and this is too much: "
            "delete an old one first",
            key="QUOTA",
        ) from None
    if not there:
        raise no_such_contest(contest_id)


async def read_body(request: Request, kind: type[Told]) -> Told:
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        where = place.strip(".`") or "the body"
        raise Problem(422, f"{where}: {what[:1].lower()}{what[1:]}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, f"the body is no JSON: {error}") from None


def check_contest(wish: PublishedContest) -> None:
    """What types cannot say."""
    try:
        registry.find(wish.game)
    except UnknownGame as refusal:
        raise Problem(422, str(refusal)) from None
    if len(set(wish.bots)) != len(wish.bots):
        raise Problem(422, "two bots of a contest have the same name")
    if sorted(line.name for line in wish.standings) != sorted(wish.bots):
        raise Problem(422, "the standings must have one line for each of the bots")
    if wish.crosstable and {len(wish.crosstable), *map(len, wish.crosstable)} != {len(wish.bots)}:
        raise Problem(422, "the crosstable must have a row and a column for each of the bots")
    for round in wish.rounds:
        for table in round.tables:
            if not len(table.bots) == len(table.points) == len(table.won):
                raise Problem(422, f"round {round.round}: a table needs points and wins for each of its bots")
            if max(table.bots, default=0) >= len(wish.bots) or min(table.bots, default=0) < 0:
                raise Problem(422, f"round {round.round}: a table names a bot that is not in the contest")


def checked_rows(head: PublishedContest, piece: PublishedPiece) -> list[tuple[int, Any, bytes | None]]:
    left = LARGEST_PIECE
    rows = []
    for match in {match.number: match for match in piece.matches}.values():
        row, unpacked = checked_row(head, match)
        left -= unpacked
        if left < 0:
            most = LARGEST_PIECE // 2**20
            raise Problem(422, f"the replays have more than {most} MB unpacked: send them in several pieces")
        rows.append(row)
    return rows


def checked_row(head: PublishedContest, match: PublishedMatch) -> tuple[tuple[int, Any, bytes | None], int]:
    """What is to be kept, and how large the replay is unpacked."""
    where = f"match {match.number}"
    if not len(match.bots) == len(match.scores) == len(match.places):
        raise Problem(422, f"{where}: there must be a score and a place for each seat")
    if max(match.bots) >= len(head.bots):
        raise Problem(422, f"{where}: bot {max(match.bots)} is not in the contest: there are {len(head.bots)}")
    replay, unpacked = checked_replay(head, match, where) if match.replay else (None, 0)
    return (match.number, msgspec.to_builtins(msgspec.structs.replace(match, replay="")), replay), unpacked


def checked_replay(head: PublishedContest, match: PublishedMatch, where: str) -> tuple[bytes, int]:
    """It is one, whole, and of this game; whether it is what the rules play shows when it is watched."""
    try:
        data = base64.b64decode(match.replay, validate=True)
        plain = unpack_some(data, where)
        replay = read_replay(plain, f"the replay of {where}")
    except binascii.Error as error:
        raise Problem(422, f"{where}: its replay is no base64: {error}") from None
    except InvalidReplay as refusal:
        raise Problem(422, str(refusal)) from None
    if replay.header.game != head.game or len(replay.header.seats) != len(match.bots):
        raise Problem(422, f"{where}: its replay is of another game, or of other seats")
    return data, len(plain)


def unpack_some(data: bytes, where: str) -> bytes:
    """The replay's lines; not those of one that is made to burst."""
    if not data.startswith(ZSTD_MAGIC):
        raise Problem(422, f"{where}: its replay must be packed with zstd")
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(data) as reader:
            plain = reader.read(LARGEST_REPLAY + 1)
    except (zstandard.ZstdError, MemoryError):
        raise Problem(422, f"{where}: its replay cannot be unpacked") from None
    if len(plain) > LARGEST_REPLAY:
        raise Problem(422, f"{where}: its replay is too large: at most {LARGEST_REPLAY // 2**20} MB unpacked")
    return plain


def id_of(player_id: int, key: str) -> str:
    digest = hashlib.sha256(f"contest {player_id} {key}".encode()).digest()
    return base64.b32encode(digest)[:10].decode().lower()


async def find_contest(store: Store, contest_id: str) -> ContestRow:
    row = await store.contests.get(contest_id)
    if row is None:
        raise no_such_contest(contest_id)
    return row


def no_such_contest(contest_id: str) -> Problem:
    return Problem(404, f"there is no contest {contest_id[:20]!r}")


async def find_head(store: Store, contest_id: str) -> PublishedContest:
    """All of a contest but its matches. It lies among them, as number 0: lists of contests stay light."""
    row = await store.contests.match(contest_id, HEAD)
    if row is None:
        await find_contest(store, contest_id)
        raise Problem(404, "this contest was not published to its end: publish it again")
    return msgspec.convert(row.data, PublishedContest)


async def own_contest(store: Store, contest_id: str, asker: Identity) -> ContestRow:
    row = await find_contest(store, contest_id)
    if row.published_by != asker.player.id:
        raise Problem(403, "somebody else has published this contest: only he may change it")
    return row


async def find_match(store: Store, contest_id: str, number: int) -> ContestMatchRow:
    row = await store.contests.match(contest_id, number)
    if row is None:
        raise Problem(404, f"this contest has no match {number}")
    return row


async def find_replay(request: Request, contest_id: str, number: int) -> bytes:
    store: Store = request.app.state.store
    replay = await store.contests.replay(contest_id, number)
    if replay is None:
        await find_match(store, contest_id, number)
        raise Problem(404, f"no replay was kept of match {number}")
    return replay


async def publishers(store: Store, rows: list[ContestRow]) -> dict[int, str]:
    found = await store.players.many(row.published_by for row in rows if row.published_by is not None)
    return {player_id: player.name for player_id, player in found.items()}


def title_of(game: str) -> str:
    try:
        return registry.find(game).title
    except TurntileError:  # a game whose package is gone
        return game


class Gist(msgspec.Struct, frozen=True, kw_only=True):
    """What a list tells of a contest."""

    bots: int
    played: int
    in_all: int | None
    ended: str
    leader: str


def gist_of(head: PublishedContest) -> Gist:
    return Gist(
        bots=len(head.bots),
        played=head.matches,
        in_all=head.in_all,
        ended=head.ended,
        leader=head.standings[0].name,
    )


def summary_of(row: ContestRow, names: dict[int, str]) -> ContestSummary:
    gist = msgspec.convert(row.data, Gist)
    return ContestSummary(
        id=row.id,
        name=row.name,
        game=row.game,
        title=title_of(row.game),
        format=row.format,
        created=utc(row.created),
        published_by=names.get(row.published_by or 0),
        bots=gist.bots,
        played=gist.played,
        in_all=gist.in_all,
        ended=gist.ended,
        leader=gist.leader,
    )


def page_of(row: ContestRow, head: PublishedContest, names: dict[int, str]) -> ContestPage:
    return ContestPage(
        id=row.id,
        name=head.name,
        game=head.game,
        title=title_of(head.game),
        format=head.format,
        created=utc(row.created),
        published_by=names.get(row.published_by or 0),
        bots=head.bots,
        seats=head.seats,
        clock=head.clock,
        seed=head.seed,
        options=head.options,
        played=head.matches,
        in_all=head.in_all,
        steps=head.steps,
        ended=head.ended,
        standings=head.standings,
        crosstable=head.crosstable,
        seat_share=head.seat_share,
        summary=head.summary,
        rounds=head.rounds,
    )


def match_of(head: PublishedContest, row: ContestMatchRow) -> ContestMatch:
    match = msgspec.convert(row.data, PublishedMatch)
    names = head.bots
    return ContestMatch(
        number=match.number,
        round=match.round,
        players=tuple(names[bot] if bot < len(names) else f"bot {bot + 1}" for bot in match.bots),
        scores=match.scores,
        places=match.places,
        reason=match.reason,
        steps=match.steps,
        seconds=match.seconds,
        failures=match.failures,
        replay=row.has_replay,
    )
