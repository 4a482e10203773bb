"""Films for the tests: a hand-made one of the race, and real ones of short matches."""

from __future__ import annotations

from turntile.core.game import Game
from turntile.core.registry import find
from turntile.match.film import Film, Frame, frame_of, picture
from turntile.match.match import Match
from turntile.match.replay import Header, ReplayWriter, SeatHeader, read_replay


def header_of(match: Match, names: tuple[str, ...]) -> Header:
    """The header as a replay of this match would have it."""
    written = ReplayWriter().begin(match, [SeatHeader(name) for name in names])
    return read_replay(written, so_far=True).header


def play_film(game: Game, steps: int, seed: int = 3, seat: int | None = None) -> Film:
    """A match of random bots, at most so many steps long."""
    match = Match.start(game, seed=seed)
    bots = [game.bots[0].make("") for _ in match.seats]
    frames = [Frame(0, picture(match, seat))]
    while not match.over and match.step_number < steps:
        for acting in match.waiting():
            for step in match.submit(acting, bots[acting](match.turn(acting))):
                frames.append(frame_of(match, step, seat, []))
    names = tuple(f"random <{number}>" for number in range(len(bots)))
    return Film(game, header_of(match, names), seat, tuple(frames), match.outcome)


def tron_film(steps: int = 12) -> Film:
    return play_film(find("tron"), steps)
