"""Makes the pictures of the documentation with our own renderer: `python docs/pictures/make.py`.

Every picture is a real match of the games' own bots from a fixed seed, so that it can be made
again after a change of rules or looks. `match.png` and `home.png` are of the page: the tests in the
browser leave such screenshots in build/screenshots.
"""

from __future__ import annotations

from pathlib import Path

from turntile.core.registry import find
from turntile.match.film import Film, make_film
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.match.replay import ReplayWriter, SeatHeader, read_replay
from turntile.screens.gif import draw_gif
from turntile.screens.pictures import pictures_of
from turntile.screens.svg import draw_svg

HERE = Path(__file__).parent

# Game, bots, options, seed, and the step that makes a good still (0: the last).
STILLS: tuple[tuple[str, tuple[str, ...], dict[str, object], int, int], ...] = (
    ("tron", ("territory", "greedy", "territory", "greedy"), {"players": 4}, 3, 60),
    ("racers", ("hunter", "hunter"), {}, 5, 40),
    ("worms", ("greedy", "greedy"), {}, 5, 30),
    ("roborace", ("planner", "planner", "planner", "planner"), {"players": 4}, 5, 2),
    ("robots", ("hunter", "hunter"), {}, 5, 60),
)


def play(name: str, bots: tuple[str, ...], options: dict[str, object], seed: int) -> Film:
    """A match of bots, and the film of its replay as the judge sees it."""
    game = find(name)
    match = Match.start(game, choose_options(game, options), seed)
    kinds = {kind.name: kind for kind in game.bots}
    players = [kinds[bot].make("") for bot in bots]
    writer = ReplayWriter()
    replay = writer.begin(match, [SeatHeader(bot) for bot in bots])
    while not match.over:
        seat = match.waiting()[0]
        for step in match.submit(seat, players[seat](match.turn(seat))):
            replay += writer.step(step)
    replay += writer.end(match)
    return make_film(read_replay(replay), game)


def main() -> None:
    for name, bots, options, seed, step in STILLS:
        film = play(name, bots, options, seed)
        frame = film.frames[min(step, len(film.frames) - 1) if step else -1]
        write(f"{name}.svg", draw_svg(frame.scene, film.looks).encode())
        if name == "tron":
            write("tron.gif", draw_gif(pictures_of(film, stages=False), film.looks, 90, scale=0.72))


def write(name: str, data: bytes) -> None:
    (HERE / name).write_bytes(data)
    print(f"docs/pictures/{name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
