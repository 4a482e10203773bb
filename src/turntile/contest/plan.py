"""The plan of a contest: what its file or the command line says, checked before anything is played.

Everything wrong is told with the file's line and with what would do.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from turntile.core.errors import TurntileError
from turntile.core.game import Game
from turntile.core.registry import find
from turntile.match.clock import read_control
from turntile.match.options import allowed_values, choose_options
from turntile.players.policy import read_policy
from turntile.players.process import Launch
from turntile.players.seats import HUMAN, seat_player

MOST_SEATS = 4
MOST_ROUNDS = 1_000_000
MOST_BYTES = 1024 * 1024

FormatName = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder", "sprt"]
Kept = Literal["all", "failures", "none"]
Sandbox = Literal["off", "auto", "bwrap", "landlock"]


class InvalidContest(TurntileError):
    """A plan no contest can be made of."""


class Bot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One that takes part."""

    seat: Annotated[str, Meta(min_length=1)]  # as behind --seat
    name: str = ""  # the seat's text if left out


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When to end before the last round; 0 means no such rule."""

    matches: Annotated[int, Meta(ge=0)] = 0
    minutes: Annotated[float, Meta(ge=0)] = 0.0
    interval: Annotated[float, Meta(ge=0)] = 0.0  # Elo: when every bot's interval is no wider than +- this


class Sprt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sequential test: is the first bot elo1 stronger than the second, rather than elo0?"""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05  # how often elo1 may be accepted where elo0 is true
    beta: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05  # how often elo0 may be accepted where elo1 is true


class Contest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that decides how a contest goes. Where and how fast it is played is not part of it."""

    game: str
    bot: tuple[Bot, ...] = ()
    format: FormatName = "round-robin"
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)] = 2
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    clock: str = ""
    policy: str = ""  # what is done with an answer that does not count: rulebook, forfeit, forgive N
    sandbox: Sandbox = "off"  # for programs
    best_of: Annotated[int, Meta(ge=1, le=999)] = 3  # knockout: games a table plays at most, before it goes on
    champion: str = ""  # gauntlet: who plays against all others; the first if left out
    drop_failing: bool = False  # a bot that failed in all matches of a round is out
    replays: Kept = "all"
    options: dict[str, Any] = {}
    stop: Stop = Stop()
    sprt: Sprt = Sprt()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bot.name or bot.seat for bot in self.bot)

    @property
    def champion_number(self) -> int:
        return self.names.index(self.champion) if self.champion else 0

    def last_round(self) -> int | None:
        """The number of rounds where it is known: a ladder without `rounds` goes on, a knockout ends by itself."""
        if self.rounds is not None or self.format in ("ladder", "knockout"):
            return self.rounds
        if self.format == "swiss":  # enough for one to come out ahead of all
            return max(1, (len(self.bot) - 1).bit_length())
        return MOST_ROUNDS if self.format == "sprt" else 1

    def options_for(self, seats: int) -> dict[str, Any]:
        """The options of a match with so many seats."""
        if "players" in find(self.game).options.__struct_fields__:
            return {**self.options, "players": seats}
        return self.options


SECTIONS: dict[str, type[msgspec.Struct]] = {"bot": Bot, "stop": Stop, "sprt": Sprt}

# ------------------------------------------------------------------- where something stands

KeyPath = Sequence[str | int]  # ("bot", 1, "seat")


FLAGS = {"options": "set", "best_of": "best-of"}  # keys whose word on the command line is another


@dataclass(frozen=True)
class Origin:
    """Where a plan comes from: a file with its text, or the command line."""

    name: str
    text: str = ""

    def at(self, *path: str | int) -> str:
        """The place of a key, as messages begin with it."""
        if not self.text:
            return f"--{FLAGS.get(str(path[0]), path[0])}" if path else self.name
        return f"{self.name}, line {line_of(self.text, path)}"


def line_of(text: str, path: KeyPath) -> int:
    """The line where a key is given, or the nearest thing around it that has one."""
    places = places_in(text)
    wanted = tuple(path)
    while wanted and wanted not in places:
        wanted = wanted[:-1]
    return places.get(wanted, 1)


def places_in(text: str) -> dict[tuple[str | int, ...], int]:
    """The lines of all keys and headings. The text has been read as TOML: what looks like a key is one."""
    places: dict[tuple[str | int, ...], int] = {}
    section: tuple[str | int, ...] = ()
    entries: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\[\s*\"?([\w-]+)\"?\s*\]\]", line):
            entry = entries[heading[1]] = entries.get(heading[1], -1) + 1
            section = (heading[1], entry)
        elif heading := re.match(r"\s*\[\s*\"?([\w-]+)\"?\s*\]", line):
            section = (heading[1],)
        elif key := re.match(r"\s*[\"']?([\w-]+)[\"']?\s*[=.]", line):
            places.setdefault((*section, key[1]), number)
            continue
        else:
            continue
        places.setdefault(section, number)
        places.setdefault(section[:1], number)
    return places


# ------------------------------------------------------------------- reading


def read_plan(path: Path) -> tuple[Contest, Origin]:
    """The plan in a file, checked as far as it can be without playing."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidContest(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > MOST_BYTES:
        raise InvalidContest(f"{path} is too large for a contest's file: at most {MOST_BYTES} bytes")
    try:
        text = data.decode("utf-8")
        loose = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise InvalidContest(f"{path} is no text: byte {error.start} is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidContest(f"{path}, {say_syntax(str(error), text)}") from None
    origin = Origin(str(path), text or "\n")
    return make_plan(loose, origin), origin


def say_syntax(message: str, text: str) -> str:
    """tomllib's complaint, with the line before it."""
    found = re.search(r"\s*\(at line (\d+), column (\d+)\)$", message)
    if found is None:
        where, what = max(1, len(text.splitlines())), re.sub(r"\s*\(at end of document\)$", "", message)
    else:
        where, what = int(found[1]), message[: found.start()]
    return f"line {where}: {what[:1].lower()}{what[1:]}: this is no TOML; `turntile contest example` shows a file"


def make_plan(loose: dict[str, Any], origin: Origin) -> Contest:
    """From plain data to a plan that can be played."""
    try:
        contest = msgspec.convert(loose, Contest)
    except msgspec.ValidationError as error:
        raise InvalidContest(say_mistake(str(error), loose, origin)) from None
    check_plan(contest, origin)
    return contest


def say_mistake(message: str, loose: dict[str, Any], origin: Origin) -> str:
    """What msgspec found wrong, with the line and with what would do."""
    what, _, place = message.partition(" - at `$")
    path: list[str | int] = [
        int(part) if part.isdigit() else part for part in re.findall(r"[\w-]+", place.rstrip("`")) if part
    ]
    section = SECTIONS.get(str(path[0])) if path else None
    kind = section or Contest
    names = kind.__struct_fields__
    if unknown := re.search(r"unknown field `(.*)`", what):
        near = get_close_matches(unknown[1], names, n=1)
        hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(names)
        return f"{origin.at(*path, unknown[1])}: there is no key {unknown[1]!r} here: {hint}"
    if missing := re.search(r"missing required field `(.*)`", what):
        return f"{origin.at(*path)}: {missing[1]!r} is missing here: {EXAMPLE_OF[missing[1]]}"
    key = str(path[-1]) if path else ""
    return f"{origin.at(*path)}: {key} = {look_up(loose, path)!r} will not do: it must be {say_allowed(kind, key)}"


EXAMPLE_OF = {"game": 'say game = "tron"', "seat": 'say seat = "greedy"'}


def look_up(loose: Any, path: KeyPath) -> Any:
    for part in path:
        loose = loose[part]
    return loose


def say_allowed(kind: type[msgspec.Struct], key: str) -> str:
    from msgspec import inspect

    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType), info
    for field in info.fields:
        if field.encode_name == key:
            types = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
            told = next((allowed_values(each) for each in types if allowed_values(each)), "")
            if isinstance(types[0], inspect.FloatType) and types[0].gt is not None:
                return f"a number between {types[0].gt:g} and {types[0].lt:g}"
            return told or "a table" if key != "bot" else "one [[bot]] heading for each bot"
    return "something else"


def check_plan(contest: Contest, origin: Origin) -> None:
    """What a type cannot say."""
    game = told_at(origin.at("game"), lambda: find(contest.game))
    check_seats(contest, game, origin)
    check_bots(contest, game, origin)
    told_at(origin.at("clock"), lambda: read_control(contest.clock))
    told_at(origin.at("policy"), lambda: read_policy(contest.policy))
    for name, value in contest.options.items():
        place = origin.at("options", name)
        if name == "players":
            raise InvalidContest(f"{place}: players is not an option of a contest: say seats = {value}")
        told_at(place, lambda name=name, value=value: choose_options(game, {name: value}))
    told_at(origin.at("options"), lambda: game.prepare(choose_options(game, contest.options_for(contest.seats))))
    if contest.champion and contest.champion not in contest.names:
        raise InvalidContest(
            f"{origin.at('champion')}: no bot is called {contest.champion!r}: there are {', '.join(contest.names)}"
        )
    if contest.format == "sprt":
        if len(contest.bot) != 2:
            raise InvalidContest(
                f"{origin.at('bot')}: a sequential test is between 2 bots, here are {len(contest.bot)}: name two"
            )
        if contest.sprt.elo0 >= contest.sprt.elo1:
            raise InvalidContest(
                f"{origin.at('sprt', 'elo1')}: elo1 = {contest.sprt.elo1:g} must be more than "
                f"elo0 = {contest.sprt.elo0:g}"
            )


def check_seats(contest: Contest, game: Game, origin: Origin) -> None:
    fewest, most = game.players
    if not fewest <= contest.seats <= most:
        able = f"{most}" if fewest == most else f"{max(2, fewest)} to {min(most, MOST_SEATS)}"
        raise InvalidContest(
            f"{origin.at('seats')}: a match of {game.name} cannot have {contest.seats} seats: say {able}"
        )


def check_bots(contest: Contest, game: Game, origin: Origin) -> None:
    launch = Launch(contest.sandbox)
    for number, bot in enumerate(contest.bot):
        place = origin.at("bot", number, "seat")
        if bot.seat == HUMAN:
            raise InvalidContest(f"{place}: a contest has no screen for people: name a bot")
        told_at(place, lambda bot=bot: seat_player(game, bot.seat, launch))
    for number, name in enumerate(contest.names):
        first = contest.names.index(name)
        if first < number:
            other = f" (line {line_of(origin.text, ('bot', first))})" if origin.text else ""
            raise InvalidContest(
                f"{origin.at('bot', number, 'name')}: two bots are called {name!r}{other}: give this one another "
                + ("name" if origin.text else "name, such as --bot second=" + contest.bot[number].seat)
            )
    fewest = 2 if contest.format == "sprt" else contest.seats
    if len(contest.bot) < fewest:
        raise InvalidContest(
            f"{origin.at('bot')}: {len(contest.bot)} bots cannot fill the {fewest} seats of a match: name more"
        )


def told_at(place: str, ask: Any) -> Any:
    """What `ask` gives; its refusal with the place before it."""
    try:
        return ask()
    except TurntileError as refusal:
        raise InvalidContest(f"{place}: {refusal}") from None


EXAMPLE = """\
# A contest of Turntile: turntile contest run THIS.toml

game = "tron"
format = "round-robin"      # round-robin, gauntlet, swiss, knockout, ladder or sprt
rounds = 10                 # seeds; each is played at every table in all orders of seats
seats = 2                   # of a match, 2 to 4 where the game can have that
seed = 1                    # decides all chance; drawn if left out
# clock = "100ms"           # how long a bot may think; see `turntile run --help`
# policy = "forfeit"        # who answers late or against the rules is out; or "rulebook", or "forgive 3"
# sandbox = "auto"          # for programs nobody vouches for
# replays = "all"           # or "failures", or "none"
# best_of = 3               # knockout
# champion = "greedy"       # gauntlet: who plays against all others
# drop_failing = true       # a bot that fails in all matches of a round is out

[options]                   # of the game: `turntile games tron` lists them
size = 15

[[bot]]
seat = "greedy"             # as behind --seat: a bot's name, cmd:./mybot, file.py, http://...

[[bot]]
name = "anything"           # what it is called in the standings; its seat if left out
seat = "random"

# [stop]                    # end earlier
# matches = 10000
# minutes = 30
# interval = 25             # when all ratings are known to +-25 Elo

# [sprt]                    # format = "sprt": is the first bot elo1 stronger than the second, rather than elo0?
# elo0 = 0
# elo1 = 10
# alpha = 0.05
# beta = 0.05
"""
