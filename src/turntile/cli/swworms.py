"""swworms: SEWorms as its rulebook prescribes it, exact to the byte.

    swworms CONFIG.ini

Reads the ini file, the map and the names, is seeded by RAND_SEED, prompts, prints and exits as
written there. It plays on the rules as plain Python, in a record with as much room as the
files ask for, so that no map and no team is too large (I1). It starts quickly: nothing here
imports a screen, a server or anything else that takes long to load.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple

from turntile.core.events import Event, forget_events
from turntile.games.worms.maps import Map, file_lines, read_map, read_number
from turntile.games.worms.records import Worm, Worms
from turntile.games.worms.words import (
    map_lines,
)

USAGE_ERROR = 255  # the rulebook's -1, as a shell sees it (E3)
CONFIG_ERROR = 254  # its -2
USAGE_LINE = "[ERROR] usage: ./swworms <config-file>"
CONFIG_LINE = "[ERROR] invalid config file!"

NO_NAME = "unknown"
MOST_SEED = 2**32 - 1
PLAYERS = 2

# I4: all are required; where each stands.
KEYS = {
    ("general", "promt"),
    ("general", "map"),
    ("general", "worm_names"),
    ("player", "num_player"),
    ("player", "num_worms"),
    ("player", "player0"),
    ("player", "player1"),
}


class InvalidConfig(Exception):
    """Anything wrong with the ini file or the map; the rulebook has one line for all of it."""


class Config(NamedTuple):
    prompt: str
    world: Map
    names: Sequence[str]
    team: int
    signs: tuple[str, str]


# ------------------------------------------------------------------------- files


def read_bytes(path: str) -> str:
    """Z5: a file's text. Bytes that are no UTF-8 pass through and come out as they were."""
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


def read_config(path: str) -> Config:
    try:
        values = read_ini(read_bytes(path))
        world = read_map(read_bytes(locate(values["general", "map"], path)))
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte in it
        raise InvalidConfig from error
    team = whole_number(values["player", "num_worms"])
    signs = (values["player", "player0"], values["player", "player1"])
    if world is None or whole_number(values["player", "num_player"]) != PLAYERS or team < 1:
        raise InvalidConfig
    if any(len(sign) != 1 for sign in signs):
        raise InvalidConfig
    names = read_names(locate(values["general", "worm_names"], path))
    return Config(values["general", "promt"], world, names, team, signs)


def read_ini(text: str) -> dict[tuple[str, str], str]:
    """I3: sections, keys and whole-line comments; nothing else is a line of an ini file."""
    values: dict[tuple[str, str], str] = {}
    section: str | None = None
    for whole in file_lines(text):
        line = whole.strip(" \t")
        if not line or line[0] in ";#":
            continue
        if line[0] == "[" and line[-1] == "]":
            section = fold(line[1:-1].strip(" \t"))
            continue
        key, equals, value = line.partition("=")
        place = (section or "", fold(key.strip(" \t")))
        if section is None or not equals or not place[1] or place in values:
            raise InvalidConfig
        values[place] = value.strip(" \t")
    if any(not values.get(key) for key in KEYS):
        raise InvalidConfig
    return values


def fold(text: str) -> str:
    """Names of sections and keys in any case; only ASCII letters have one (E7)."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def whole_number(text: str) -> int:
    """E6: ASCII digits only."""
    if not (text.isascii() and text.isdigit()):
        raise InvalidConfig
    return read_number(text)


def locate(path: str, config_path: str) -> str:
    """I2: relative to the working directory, or else to the ini's folder."""
    raw = os.fsencode(path) if path.isascii() else path.encode("utf-8", "surrogateescape")
    name = os.fsdecode(raw)
    if os.path.exists(name):
        return name
    return os.path.join(os.path.dirname(config_path), name)


def read_names(path: str) -> Sequence[str]:
    """Z1, Z5: one name a line; an unreadable or empty file is the single name `unknown`."""
    try:
        return file_lines(read_bytes(path)) or [NO_NAME]
    except (OSError, ValueError):
        return [NO_NAME]


def read_seed(environment: Mapping[str, str], stderr: BinaryIO) -> int:
    """Z1, Z6: RAND_SEED in decimal digits; unset is random, anything else random with a warning."""
    text = environment.get("RAND_SEED")
    if text is not None:
        if text.isascii() and text.isdigit() and read_number(text) <= MOST_SEED:
            return read_number(text)
        stderr.write(b"[WARNING] RAND_SEED must be a whole number from 0 to 4294967295: using a random seed\n")
        stderr.flush()
    return int.from_bytes(os.urandom(4), "little")


# ------------------------------------------------------------------------- the game


class EndlessEvents(list[Event]):
    """Room for as many events as a step has: a large map can have more than the arena's log holds."""

    def __getitem__(self, place: int) -> Event:  # type: ignore[override]
        while place >= len(self):
            self.append(Event())
        return super().__getitem__(place)


def prepare(config: Config, seed: int) -> Worms:
    """I1: a record with room for this map and these teams, whatever their size."""
    s = Worms()
    s.width, s.height = config.world.width, config.world.height
    s.team = config.team
    s.names = len(config.names)
    s.rand_seed = seed
    s.seeded = True
    s.cells = bytearray(config.world.cells)
    s.worms = [Worm() for _ in range(PLAYERS * config.team)]
    s.log.events = EndlessEvents()
    return s


class Program:
    """One run: reads commands, writes lines, and says with which code it ends."""

    def __init__(self, config: Config, seed: int, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self.config = config
        self.stdin = stdin
        self.stdout = stdout
        self.s = prepare(config, seed)

    def name(self, worm: int) -> str:
        return self.config.names[self.s.worms[worm].name]

    def write(self, text: str) -> None:
        self.stdout.write(text.encode("utf-8", "surrogateescape"))

    def write_lines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line + "\n")

    def write_map(self) -> None:
        self.write_lines(map_lines(self.s, self.config.signs))

    def take_events(self) -> list[Event]:
        """What happened since the last time, so that a map can be printed in between."""
        events = self.s.log.events[: self.s.log.n]
        forget_events(self.s.log)
        return [event.copy() for event in events]
