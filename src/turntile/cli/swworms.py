"""swworms: SEWorms as its rulebook prescribes it, exact to the byte.

    swworms CONFIG.ini

Reads the ini file, the map and the names, is seeded by RAND_SEED, prompts, prints and exits as
written there. It plays on the rules as plain Python, in a record with as much room as the
files ask for, so that no map and no team is too large (I1). It starts quickly: nothing here
imports a screen, a server or anything else that takes long to load.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple, NoReturn

from turntile.core.events import forget_events
from turntile.games.worms.maps import Map, file_lines, read_map, read_number, spawn_room
from turntile.games.worms.records import ENDED, MOVED, READY, Worm, Worms
from turntile.games.worms.rules import act, end_turn, setup, why_illegal
from turntile.games.worms.words import (
    ERROR_LINES,
    HELP,
    INVALID_PARAMETER,
    InvalidCommand,
    logged,
    map_lines,
    parse,
    prescribed_line,
    split_words,
    state_lines,
)

USAGE_ERROR = 255  # the rulebook's -1, as a shell sees it (E3)
CONFIG_ERROR = 254  # its -2
INTERRUPTED = 130  # what a shell gives for Ctrl-C
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


def read_text(path: str) -> str:
    """Z5: a file's text. Bytes that are no UTF-8 pass through and come out as they were."""
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


def read_config(path: str) -> Config:
    try:
        values = read_ini(read_text(path))
        world = read_map(read_text(locate(values["general", "map"], path)))
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
    return path if os.path.exists(path) else os.path.join(os.path.dirname(config_path), path)


def read_names(path: str) -> Sequence[str]:
    """Z1, Z5: one name a line; an unreadable or empty file is the single name `unknown`."""
    try:
        return file_lines(read_text(path)) or [NO_NAME]
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


class EndlessNumbers(list[int]):
    """Room for as many events as a step has: on a large map they can be more than the arena's log holds."""

    def __setitem__(self, place: Any, number: Any) -> None:
        while place >= len(self):
            self.append(0)
        super().__setitem__(place, number)


def prepare(config: Config, seed: int) -> Worms:
    """I1: a record with room for this map and these teams, whatever their size."""
    s = Worms()
    s.width, s.height = config.world.width, config.world.height
    room = spawn_room(*config.world)
    # Z7: where not all find room, one more than fit is as good as all of them, and takes no memory.
    s.team = config.team if room is None else min(config.team, room + 1)
    s.names = len(config.names)
    s.rand_seed = seed
    s.seeded = True
    s.cells = bytearray(config.world.cells)
    s.worms = [Worm() for _ in range(PLAYERS * s.team)]
    s.log.numbers = EndlessNumbers()
    return s


class Program:
    """One run: reads commands, writes lines, and says with which code it ends."""

    def __init__(self, config: Config, seed: int, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self.config = config
        self.stdin = stdin
        self.stdout = stdout
        self.s = prepare(config, seed)

    def run(self) -> int:
        setup(self.s)
        self.write_events()
        if self.s.crowded:
            self.write_lines([CONFIG_LINE])  # Z7
            return CONFIG_ERROR
        self.converse()
        return 0

    def converse(self) -> None:
        """R-prompt: command after command, until the game, the input or the player's patience ends."""
        while not self.s.ended:
            words = self.ask()
            if words is None or words == ["quit"]:
                break
            self.obey(words)

    def ask(self) -> list[str] | None:
        """The next command's words; None at the end of input (E3). All output is out before it waits."""
        self.write(self.config.prompt + " ")
        self.stdout.flush()
        line = self.stdin.readline()
        if not line:
            return None
        # Latin-1 takes every byte as one letter; only ASCII ones mean something here (E7).
        return split_words(line.removesuffix(b"\n").removesuffix(b"\r").decode("latin-1"))

    def obey(self, words: list[str]) -> None:
        if not words:
            return  # Enter
        if words[0] in ("map", "state", "help", "quit"):
            if len(words) > 1:
                self.write_lines([INVALID_PARAMETER])  # E1
            elif words[0] == "map":
                self.write_map()
            elif words[0] == "state":
                self.write_lines(state_lines(self.s, self.name, self.config.signs))
            else:
                self.write(HELP)
            return
        try:
            action = parse(self.s, self.s.player, " ".join(words))
        except InvalidCommand as error:
            self.write_lines([error.line])
            return
        code = why_illegal(self.s, self.s.player, action)
        if code != 0:
            self.write_lines([ERROR_LINES[code]])
            return
        self.do(action)

    def do(self, action: int) -> None:
        """A step of the rules in its two halves: a move's map (O3) is printed before the chest comes."""
        forget_events(self.s.log)
        act(self.s, action)
        self.write_events()
        if self.s.turn_done:
            forget_events(self.s.log)
            end_turn(self.s)
            self.write_events()

    def write_events(self) -> None:
        """O1 to O3: the map stands before the line that opens a turn or ends the game, and after a move."""
        for event in logged(self.s):
            if event.kind in (READY, ENDED):
                self.write_map()
            line = prescribed_line(self.name, event)
            if line:
                self.write_lines([line])
            if event.kind == MOVED:
                self.write_map()

    def name(self, worm: int) -> str:
        return self.config.names[self.s.worms[worm].name]

    def write(self, text: str) -> None:
        self.stdout.write(text.encode("utf-8", "surrogateescape"))

    def write_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line + "\n")

    def write_map(self) -> None:
        self.write_lines(map_lines(self.s, self.config.signs))


# ------------------------------------------------------------------------- the command


def run(
    arguments: Sequence[str], environment: Mapping[str, str], stdin: BinaryIO, stdout: BinaryIO, stderr: BinaryIO
) -> int:
    """The whole program with its surroundings given; its exit code."""
    if len(arguments) != 1:
        stdout.write(f"{USAGE_LINE}\n".encode())
        return USAGE_ERROR
    try:
        config = read_config(arguments[0])
    except InvalidConfig:
        stdout.write(f"{CONFIG_LINE}\n".encode())
        return CONFIG_ERROR
    return Program(config, read_seed(environment, stderr), stdin, stdout).run()


def main() -> NoReturn:
    try:
        stdin = sys.stdin.buffer if sys.stdin else BytesIO()
        code = run(sys.argv[1:], os.environ, stdin, sys.stdout.buffer, sys.stderr.buffer)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        # Nobody reads any more. What is left in the buffer must go nowhere, or Python complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


if __name__ == "__main__":
    main()
