"""Sends a contest to a server, piece by piece over one connection; what is refused is told in one line.

Plain http.client: publishing needs nothing that a clean install does not bring.
"""

from __future__ import annotations

import hashlib
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import msgspec

import turntile
from turntile.contest.course import Course
from turntile.contest.matches import Finished
from turntile.contest.plan import Contest
from turntile.contest.publication import (
    MOST_CROSSTABLE,
    MOST_FAILURES,
    MOST_IN_PIECE,
    MOST_MATCHES,
    PIECE_BYTES,
    REPLAY_BYTES,
    PublishedContest,
    PublishedFailure,
    PublishedMatch,
    PublishedPiece,
    PublishedStanding,
)
from turntile.contest.results import Results
from turntile.contest.rounds import rounds_of
from turntile.contest.standings import Standings, standings_of
from turntile.core.errors import TurntileError

TIMEOUT_S = 60.0
TRIES = 6
LONGEST_WAIT_S = 60.0


class NotPublished(TurntileError):
    """The server could not be reached, or said no."""


class Address(msgspec.Struct, frozen=True):
    """Where a server is."""

    secure: bool
    host: str
    port: int | None
    path: str  # of a server that is not at the root of its host

    @property
    def text(self) -> str:
        port = f":{self.port}" if self.port else ""
        return f"{'https' if self.secure else 'http'}://{self.host}{port}{self.path}"


def read_address(text: str) -> Address:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise NotPublished(f"{text!r} is no server's address: write it like http://127.0.0.1:8000")
    return Address(parts.scheme == "https", parts.hostname, port, parts.path.rstrip("/"))


class Server:
    """One connection, opened again when it breaks."""

    def __init__(self, address: Address, token: str, sleep: Callable[[float], None] = time.sleep) -> None:
        self.address = address
        self.token = token
        self.sleep = sleep
        self.connection: HTTPConnection | None = None

    def send(self, method: str, path: str, body: bytes) -> dict[str, Any]:
        """The answer; asked again where the server says that it was too soon or too busy."""
        for attempt in range(1, TRIES + 1):
            try:
                status, headers, told = self.ask(method, path, body)
            except (OSError, HTTPException) as error:
                self.close()
                if attempt == TRIES or isinstance(error, ConnectionRefusedError):
                    raise NotPublished(f"{self.address.text} cannot be reached: {error}") from None
                self.sleep(attempt)
                continue
            if status in (429, 503) and attempt < TRIES:
                wait = headers.get("retry-after", "")
                self.sleep(min(float(wait) if wait.isdigit() else 1.0, LONGEST_WAIT_S))
                continue
            return self.read(status, told)
        raise AssertionError(attempt)

    def ask(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        if self.connection is None:
            kind = HTTPSConnection if self.address.secure else HTTPConnection
            self.connection = kind(self.address.host, self.address.port, timeout=TIMEOUT_S)
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "User-Agent": f"turntile/{turntile.__version__}",
        }
        self.connection.request(method, f"{self.address.path}/api/v1{path}", body, headers)
        answer = self.connection.getresponse()
        told = answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, told

    def read(self, status: int, told: bytes) -> dict[str, Any]:
        try:
            data = msgspec.json.decode(told)
        except msgspec.DecodeError:
            data = None
        if not isinstance(data, dict) or (status >= 400 and "detail" not in data):
            raise NotPublished(f"{self.address.text} answered {status}, but not as a Turntile server does")
        if status >= 400:
            raise NotPublished(f"{self.address.text} refused ({status}): {data['detail']}")
        return data

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def publish(
    course: Course, results: Results, name: str, server: Server, advance: Callable[[int], None] = lambda count: None
) -> tuple[str, int]:
    """Send all of it; the page's address, and how many replays were too large to be sent."""
    head = head_of(course, results, name)
    contest = server.send("POST", "/contests", msgspec.json.encode(head))["id"]
    left_out = 0
    for piece, too_large in pieces_of(results):
        server.send("PUT", f"/contests/{contest}/matches", msgspec.json.encode(piece))
        left_out += too_large
        advance(len(piece.matches))
    return f"{server.address.text}/contests/{contest}", left_out


# ------------------------------------------------------------------- what is sent


def key_of(contest: Contest) -> str:
    """A plan with its seed is one contest, however often its results are sent."""
    return hashlib.sha256(msgspec.json.encode(contest)).hexdigest()[:32]


def head_of(course: Course, results: Results, name: str) -> PublishedContest:
    contest = course.contest
    standings = standings_of(course)
    return PublishedContest(
        key=key_of(contest),
        name=shorten(name, 100),
        game=contest.game,
        format=contest.format,
        bots=tuple(shorten(bot, 100) for bot in contest.names),
        seats=contest.seats,
        clock=contest.clock,
        seed=standings.seed,
        options=contest.options,
        matches=min(standings.matches, MOST_MATCHES),
        in_all=standings.in_all,
        steps=standings.steps,
        ended=shorten(standings.ended, 400),
        standings=tuple(published(line) for line in msgspec.to_builtins(standings.standings)),
        crosstable=standings.crosstable if len(contest.bot) <= MOST_CROSSTABLE else (),
        seat_share={str(seats): shares for seats, shares in standings.seat_share.items()},
        summary=standings.summary,
        rounds=rounds_of(contest, results.matches(), winner_of(standings, contest)),
    )


def published(line: dict[str, Any]) -> PublishedStanding:
    del line["seat"]
    return msgspec.convert({**line, "name": shorten(line["name"], 100)}, PublishedStanding)


def winner_of(standings: Standings, contest: Contest) -> int | None:
    first = [line for line in standings.standings if line.place == 1]
    return contest.names.index(first[0].name) if standings.ended and len(first) == 1 else None


def pieces_of(results: Results) -> Iterator[tuple[PublishedPiece, int]]:
    """The matches in pieces that a server takes, each with how many replays were too large for it."""
    piece: list[PublishedMatch] = []
    size = too_large = 0
    for match in results.matches():
        if match.number >= MOST_MATCHES:
            break
        replay = results.replay(match.number)
        if len(replay) > REPLAY_BYTES:
            replay = b""
            too_large += 1
        told = match_of(match, replay)
        weight = 500 + len(told.replay) + sum(len(failure.what) for failure in told.failures)
        if piece and (len(piece) == MOST_IN_PIECE or size + weight > PIECE_BYTES):
            yield PublishedPiece(matches=tuple(piece)), too_large
            piece, size, too_large = [], 0, 0
        piece.append(told)
        size += weight
    if piece:
        yield PublishedPiece(matches=tuple(piece)), too_large


def match_of(match: Finished, replay: bytes) -> PublishedMatch:
    return PublishedMatch(
        number=match.number + 1,
        round=match.round,
        bots=match.bots,
        scores=match.scores,
        places=match.places,
        reason=shorten(match.reason, 400),
        steps=match.steps,
        seconds=round(match.seconds, 4),
        failures=tuple(
            PublishedFailure(
                seat=failure.seat,
                step=failure.step,
                kind=shorten(failure.kind, 40),
                what=shorten(failure.what, 400),
                out=failure.out,
            )
            for failure in match.failures[:MOST_FAILURES]
        ),
        replay=b64encode(replay).decode(),
    )


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
