"""What may be chosen in SEWorms in the arena, and the record a match is set up from."""

from __future__ import annotations

from functools import lru_cache
from pkgutil import get_data
from typing import Annotated

import msgspec
from msgspec import Meta

from turntile.core.errors import InvalidOptions
from turntile.games.worms.maps import MAGIC, Map, find_faults, read_map, spawn_room
from turntile.games.worms.records import MAX_HEIGHT, MAX_TEAM, MAX_WIDTH, Worms
from turntile.games.worms.terrain import MIN_HEIGHT, MIN_WIDTH
from turntile.games.worms.words import our_names

MAPS = ("island", "caves", "towers")
RANDOM_MAP = "random"
CHOOSE_LIMIT = 20  # N-choose-limit: so that a turn of the arena always ends
MOST_SEED = 2**32 - 1


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """SEWorms' options in the arena; the prescribed program does exactly what its ini says."""

    worms: Annotated[int, Meta(ge=1, le=MAX_TEAM, description="worms of each player, 1 to 8")] = 3
    map: Annotated[
        str,
        Meta(description="island, caves, towers, random (drawn from the seed), or the text of a map file"),
    ] = "island"
    width: Annotated[int, Meta(ge=MIN_WIDTH, le=MAX_WIDTH, description="width of a random map, 12 to 128")] = 40
    height: Annotated[int, Meta(ge=MIN_HEIGHT, le=MAX_HEIGHT, description="height of a random map, 8 to 64")] = 12
    turn_limit: Annotated[
        int, Meta(ge=1, le=100_000, description="turns after which the match is a draw; both players' turns count")
    ] = 200
    rand_seed: Annotated[
        int,
        Meta(ge=-1, le=MOST_SEED, description="RAND_SEED of the prescribed generator; -1: drawn from the match's seed"),
    ] = -1


def prepare(options: Options) -> Worms:
    """A record ready for setup; everything that no match can be made of is refused here."""
    s = Worms()
    s.team = options.worms
    s.names = len(our_names())
    s.turn_limit = options.turn_limit
    s.choose_limit = CHOOSE_LIMIT
    if options.rand_seed >= 0:
        s.seeded = True
        s.rand_seed = options.rand_seed
    if options.map.strip().lower() == RANDOM_MAP:
        s.random_map = True
        s.width, s.height = options.width, options.height
    else:
        lay_map(s, find_map(options.map))
    return s


def find_map(chosen: str) -> Map:
    """One of ours by its name, or a map file's own text."""
    if chosen.startswith(MAGIC):
        return read_text(chosen)
    name = chosen.strip().lower()
    if name not in MAPS:
        known = ", ".join((*MAPS, RANDOM_MAP))
        raise InvalidOptions(f"there is no map {chosen[:40]!r}: choose one of {known}, or give a map file's text")
    return our_map(name)


@lru_cache(maxsize=len(MAPS))
def our_map(name: str) -> Map:
    data = get_data("turntile.games.worms", f"data/{name}.txt")
    assert data is not None, name
    return read_text(data.decode("ascii"))


def read_text(text: str) -> Map:
    """A map from its file's text; the first fault is told."""
    world = read_map(text)
    if world is None:
        raise InvalidOptions(f"the map cannot be used: {next(find_faults(text))}")
    return world


def lay_map(s: Worms, world: Map) -> None:
    if world.width > MAX_WIDTH or world.height > MAX_HEIGHT:
        size = f"{world.width}x{world.height}"
        raise InvalidOptions(f"a map of {size} is too large for the arena: at most {MAX_WIDTH}x{MAX_HEIGHT}")
    room = spawn_room(*world)
    if room is not None and room < 2 * s.team:
        raise InvalidOptions(f"the map has room for {room} worms at the start, not for {2 * s.team}: choose fewer")
    s.width, s.height = world.width, world.height
    s.cells[: len(world.cells)] = world.cells
