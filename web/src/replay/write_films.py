"""Writes films as the server packs them, and beside each the scenes it was made of, for film.test.ts.

    python web/src/replay/write_films.py > films.json

One of every game, and a hand-made one in which everything changes that may change.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from turntile.core.game import Game
from turntile.core.registry import games
from turntile.core.scene import Edge, Gauge, Lines, Look, Looks, Mark, Scene, Sprite
from turntile.match.film import Film, Frame, frame_of, picture
from turntile.match.match import Match
from turntile.match.remarks import NotedCell, NotedLine, Remark
from turntile.match.replay import ReplayWriter, SeatHeader, read_replay
from turntile.screens.html import pack
from turntile.screens.pictures import Picture, pictures_of

STEPS = 55  # beyond the first checkpoint of the reader
SEEN_BY_A_SEAT = ("tron", "robots")  # what a seat sees differs from what the judge does
THOUGHT = Remark("a <thought>", (NotedCell(1, 1, "there"),), (NotedLine(((0, 0), (2, 2))),))


def play(game: Game, seat: int | None) -> Film:
    """A short match of the game's easiest bot against itself, with a thought now and then."""
    match = Match.start(game, seed=5)
    header = read_replay(ReplayWriter().begin(match, [SeatHeader("a") for _ in match.seats]), so_far=True).header
    bots = [game.bots[0].make("") for _ in match.seats]
    frames = [Frame(0, picture(match, seat))]
    while not match.over and match.step_number < STEPS:
        for acting in match.waiting():
            remarks = (THOUGHT,) if match.step_number % 9 == 4 else ()
            for step in match.submit(acting, bots[acting](match.turn(acting)), remarks=remarks):
                frames.append(frame_of(match, step, seat, [], reveal=seat is None))
    return Film(game, header, seat, tuple(frames), match.outcome)


LOOKS = Looks({"wall": Look("#", "wall", "<path/>"), "a_b é": Look("a", "thing", "<path/>")}, {"#": "wall"})
MADE = [
    Picture(0, Scene(3, 2, "start", ("#..", "..."), (Sprite("one", "a_b é", 0, 0, 7, 1, 2, "9"),))),
    Picture(1, Scene(3, 2, "start", ("#..", ".#."), (Sprite("two", "wall", 2, 1), Sprite("one", "a_b é", 1, 0, 0, 1)))),
    Picture(2, Scene(3, 2, "inside", ("#..", ".#."), (Sprite("two", "wall", 2, 1, 12),)), "caption", inside=True),
    Picture(
        2, Scene(2, 1, "smaller", ("#.",), (Sprite("one", "a_b é", 1, 0),), (Edge(0, 0, "north"), Edge(2, 0, "west")))
    ),
    Picture(3, Scene(2, 3, "marked", ("..", "", "##"), (), (), (Mark(1, 0, "danger", "why"), Mark(0, 0, "path")))),
    Picture(4, Scene(2, 3, "", (), (), (), (), (Gauge("hp", 3, 9, 1), Lines("said", ("a", "b")))), "", ("a", "b")),
    Picture(5, Scene(2, 3, "", (), (), (), (), (Lines("said", ("a", "b")), Gauge("hp", 3, 9, 1)))),
]


def told(pictures: Sequence[Picture], looks: Looks) -> dict[str, Any]:
    return {
        "film": pack(pictures, looks),
        "pictures": [
            {
                "step": one.step,
                "inside": one.inside,
                "caption": one.caption,
                "lines": one.lines,
                "scene": msgspec.to_builtins(one.scene),
            }
            for one in pictures
        ],
    }


def main() -> None:
    films = {"made": told(MADE, LOOKS)}
    for name, game in games().items():
        for seat in (None, 0) if name in SEEN_BY_A_SEAT else (None,):
            film = play(game, seat)
            films[f"{name} for {'the judge' if seat is None else f'seat {seat}'}"] = told(pictures_of(film), film.looks)
    sys.stdout.buffer.write(msgspec.json.encode(films))


if __name__ == "__main__":
    main()
