"""Which games there are: our own five and every installed package that offers one.

A package offers a game through the entry point group `turntile.games`; our own are named
here only, and loaded when asked for, so that one game's command does not wait for the others.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import cast

from turntile.core.errors import UnknownGame
from turntile.core.game import Game

ENTRY_POINTS = "turntile.games"
OURS = ("tron", "racers", "worms", "roborace", "robots")


def find(name: str) -> Game:
    """The game of that name, or UnknownGame with the names there are."""
    if name in OURS and find_spec(f"turntile.games.{name}.game"):
        return cast(Game, import_module(f"turntile.games.{name}.game").GAME)
    offered = offered_games()
    if name in offered:
        return load(offered[name])
    known = [*our_names(), *offered]
    near = get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(known)
    raise UnknownGame(f"there is no game called {name!r}: {hint}")


def games() -> dict[str, Game]:
    """All games, ours first, by name."""
    return {name: find(name) for name in [*our_names(), *offered_games()]}


def our_names() -> list[str]:
    return [name for name in OURS if find_spec(f"turntile.games.{name}.game")]


def offered_games() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS) if point.name not in OURS}


def load(point: EntryPoint) -> Game:
    try:
        game = point.load()
    except Exception as error:  # another package's fault must be told as that package's fault
        raise UnknownGame(f"the game {point.name!r} of {point.value} cannot be loaded: {error!r}") from error
    if not isinstance(game, Game):
        raise UnknownGame(f"the game {point.name!r}: {point.value} is no Game but {type(game).__name__}")
    return game
