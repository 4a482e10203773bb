"""Makes films, GIFs and pages of replays, in a process of its own: `python -m turntile.server.drawing`.

Drawing takes seconds of a core, which a live match must not wait for. Jobs come in and results
go out over pipes, one at a time, each a msgpack message behind its length (4 bytes).
"""

from __future__ import annotations

import gzip
import os
import resource
import sys
from contextlib import suppress
from typing import Any, BinaryIO, Literal

import msgspec

from turntile.core.errors import TurntileError
from turntile.core.registry import find
from turntile.match.film import Film, make_film
from turntile.match.replay import Replay, read_replay, rerun, restart, unpack
from turntile.screens.html import DEFAULT_MS, draw_html, pack, players_of
from turntile.screens.pictures import pictures_of

MOST_GIF_PICTURES = 2000
MOST_FILM_STEPS = 20_000
STAGES_UP_TO = 600  # pictures of a GIF: beyond, moments inside a step are left out
GIF_MS = 120
NICE = 5
MOST_MEMORY = 3 * 1024**3  # a replay made to burst takes this process along, and nothing else

Kind = Literal["film", "gif", "html", "lines", "position"]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    kind: Kind
    name: str  # of the replay, for sentences
    replay: bytes
    seat: int | None = None  # whose eyes; None: the judge's
    step: int = 0  # of a position


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    body: bytes = b""
    packed: bool = False  # with gzip
    refused: str = ""  # why not


def draw(job: Job) -> Drawn:
    try:
        return DRAWERS[job.kind](job)
    except TurntileError as refusal:
        return Drawn(refused=str(refusal))


def draw_lines(job: Job) -> Drawn:
    plain, damage = unpack(job.replay, job.name)
    if damage:
        return Drawn(refused=f"{job.name}: {damage}")
    return Drawn(body=gzip.compress(plain, 6, mtime=0), packed=True)


def film_of(job: Job) -> Film:
    replay = read_replay(job.replay, job.name)
    if replay.steps > MOST_FILM_STEPS:
        raise TurntileError(f"{job.name} has {replay.steps} steps: too long for a film; take the replay itself")
    check_seat(replay, job)
    return make_film(replay, find(replay.header.game), job.seat)


def check_seat(replay: Replay, job: Job) -> None:
    if job.seat is not None and job.seat >= len(replay.header.seats):
        raise TurntileError(f"{job.name} has no seat {job.seat}: seats are 0 to {len(replay.header.seats) - 1}")


def draw_film(job: Job) -> Drawn:
    """What web/src/replay reads: the film as screens/html.py packs it, and who played."""
    film = film_of(job)
    data: dict[str, Any] = pack(pictures_of(film), film.looks)
    del data["used"]  # the page has all of the game's symbols
    data["game"] = film.game.name
    data["title"] = film.game.title
    data["seat"] = job.seat
    data["msPerFrame"] = film.game.turn_ms or DEFAULT_MS
    data["players"] = players_of(film)
    data["outcome"] = film.outcome
    data["started"] = film.header.started
    data["options"] = film.header.options
    return Drawn(body=gzip.compress(msgspec.json.encode(data), 6, mtime=0), packed=True)


def draw_page(job: Job) -> Drawn:
    return Drawn(body=gzip.compress(draw_html(film_of(job)).encode(), 6, mtime=0), packed=True)


def draw_animation(job: Job) -> Drawn:
    from turntile.screens.gif import draw_gif

    film = film_of(job)
    pictures = pictures_of(film)
    if len(pictures) > STAGES_UP_TO:
        pictures = pictures_of(film, stages=False)
    if len(pictures) > MOST_GIF_PICTURES:
        raise TurntileError(f"{job.name} has {len(pictures)} pictures: too many for a GIF; take the page (replay.html)")
    return Drawn(body=draw_gif(pictures, film.looks, GIF_MS))


def draw_position(job: Job) -> Drawn:
    replay = read_replay(job.replay, job.name)
    match = restart(replay, find(replay.header.game))
    if job.step > replay.steps:
        raise TurntileError(f"{job.name} has no step {job.step}: steps are 0 to {replay.steps}")
    moments = rerun(replay, match)
    while match.step_number < job.step:
        next(moments)
    return Drawn(body=match.position().encode())


DRAWERS = {
    "film": draw_film,
    "gif": draw_animation,
    "html": draw_page,
    "lines": draw_lines,
    "position": draw_position,
}

# ------------------------------------------------------------------- the process

read_job = msgspec.msgpack.Decoder(Job).decode
read_drawn = msgspec.msgpack.Decoder(Drawn).decode
write = msgspec.msgpack.Encoder().encode


def framed(message: Job | Drawn) -> bytes:
    body = write(message)
    return len(body).to_bytes(4, "big") + body


def serve(jobs: BinaryIO, results: BinaryIO) -> None:
    """Until the other end closes."""
    while head := jobs.read(4):
        results.write(framed(draw(read_job(jobs.read(int.from_bytes(head, "big"))))))
        results.flush()


if __name__ == "__main__":
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not end up among the results
    with suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, out)
