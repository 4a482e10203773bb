"""From the words of the command line to a match that can begin: game, options, seed, seats, clock, replay."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, cast

from turntile.core.errors import InvalidOptions, InvalidPosition, TurntileError
from turntile.core.game import Game
from turntile.core.gears import GearName, why_interpreted
from turntile.core.registry import find
from turntile.match.clock import TimeControl, read_control
from turntile.match.match import Match, hash_seed
from turntile.match.options import choose_options
from turntile.players.guests import PATIENCE_S
from turntile.players.policy import RULEBOOK, Policy, read_policy
from turntile.players.process import OWN, SANDBOXES, Launch
from turntile.players.recording import CannotSave, Recording
from turntile.players.seats import InvalidSeat, Player, fill_seats

LARGEST_TEXT = 16 * 1024 * 1024  # of a position or option given as a file
GEARS = ("compiled", "interpreted")
UNHURRIED_S = 24 * 3600.0  # --no-clock: a debugger may stop a program before its first word


class CannotRead(TurntileError):
    """A file that cannot be read, or not as text."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What `play` and `run` were asked for, as it was typed."""

    game: str
    seats: Sequence[str] = ()
    seed: int | None = None
    settings: Sequence[str] = ()
    start: Path | None = None  # a file with a position
    clock: str = ""
    save: Path | None = None
    keep: bool = True
    overwrite: bool = False
    gear: str = ""
    policy: str = ""
    no_clock: bool = False
    sandbox: str = "off"


@dataclass(frozen=True)
class Plan:
    """What a request means: all that its matches share."""

    game: Game
    options: Any
    position: Any  # the record to start from, or None for the game's own set-up
    seats: Sequence[str]
    control: TimeControl
    gear: GearName | None
    seed: int = field(default_factory=lambda: secrets.randbits(64))
    policy: Policy = RULEBOOK
    patience_s: float | None = PATIENCE_S
    launch: Launch = OWN

    def match(self, seed: int) -> Match:
        if self.position is not None:
            return Match.from_position(self.game, self.position, None, seed, self.gear)
        return Match.start(self.game, self.options, seed, self.gear)

    def players(self, match: Match) -> list[Player]:
        return fill_seats(self.game, self.seats, len(match.seats), launch=self.launch)


def make_plan(request: Request) -> Plan:
    """What the words mean, or the first thing wrong with them."""
    game = find(request.game)
    gear = read_gear(request.gear)
    control = read_control(request.clock)
    if request.no_clock and control.limited:
        raise InvalidOptions(f"--no-clock and --clock {request.clock!r} do not go together")
    options, position = None, None
    if request.start is not None:
        if request.settings:
            raise InvalidOptions("--from and --set do not go together: the position says what is played")
        try:
            position = game.read_position(read_text(request.start))
        except InvalidPosition as error:
            raise InvalidPosition(f"{request.start}: {error}") from None
    else:
        options = choose_options(game, seats_in_options(game, request.seats, read_settings(request.settings)))
    plan = Plan(
        game,
        options,
        position,
        request.seats,
        control,
        gear,
        policy=read_policy(request.policy),
        patience_s=None if request.no_clock else PATIENCE_S,
        launch=read_launch(request),
    )
    if gear is None:
        tell_if_interpreted(game)
    return plan if request.seed is None else replace(plan, seed=request.seed)


def tell_if_interpreted(game: Game) -> None:
    """Bots with a clock think a hundred times less in the slow gear: nobody should wonder why."""
    reason = why_interpreted(game)
    if reason:
        print(f"turntile: {game.name} runs interpreted: {reason}", file=sys.stderr)


def read_launch(request: Request) -> Launch:
    if request.sandbox not in SANDBOXES:
        raise InvalidOptions(f"there is no sandbox {request.sandbox!r}: say {', '.join(SANDBOXES)}")
    if not request.no_clock:
        return Launch(request.sandbox)
    return Launch(request.sandbox, hello_s=UNHURRIED_S, newgame_s=UNHURRIED_S)


def seats_in_options(game: Game, seats: Sequence[str], chosen: dict[str, Any]) -> dict[str, Any]:
    """Who names three seats wants three players."""
    fewest, most = game.players
    if len(seats) > most:
        many = f"{most} players" if fewest == most else f"{fewest} to {most} players"
        raise InvalidSeat(f"{len(seats)} players are named, but {game.name} is for {many}")
    if "players" not in game.options.__struct_fields__ or "players" in chosen or len(seats) <= 1:
        return chosen
    return {**chosen, "players": max(len(seats), fewest)}


def read_settings(texts: Sequence[str]) -> dict[str, Any]:
    """`--set` as a mapping; a value `@FILE` is the text of that file."""
    chosen: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise InvalidOptions(f"--set {text!r} is no option: say --set KEY=VALUE, such as --set players=2")
        chosen[key] = read_text(Path(value[1:])) if value.startswith("@") else value
    return chosen


def read_gear(text: str) -> GearName | None:
    if text and text not in GEARS:
        raise InvalidOptions(f"there is no gear {text!r}: say compiled or interpreted")
    return cast(GearName, text) if text else None


# ------------------------------------------------------------------- files


def read_text(path: Path) -> str:
    data = read_bytes(path, LARGEST_TEXT)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CannotRead(f"{path} is no text: byte {error.start} is not UTF-8") from None


def read_bytes(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise CannotRead(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > most:
        raise CannotRead(f"{path} is too large: at most {most} bytes")
    return data


def replay_folder() -> Path:
    """Where replays are kept when nobody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("turntile", appauthor=False) / "replays"


def replay_name(plan: Plan) -> str:
    """Tells game and time, and what may be told of the seed before the match is over."""
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return f"{plan.game.name}-{now}-{hash_seed(plan.game.name, plan.seed)[:8]}"


def open_recording(
    request: Request, path: Path, match: Match, players: Sequence[Player], control: TimeControl
) -> Recording | None:
    """The replay's file. The place that was asked for must do; the usual one may fail with a warning."""
    if not request.keep:
        return None
    try:
        recording = Recording(path, request.overwrite)
    except CannotSave as error:
        if request.save is not None:
            raise
        print(f"turntile: no replay is kept: {error}; --save FILE chooses another place", file=sys.stderr)
        return None
    recording.begin(match, players, control)
    return recording


def usual_place(plan: Plan, suffix: str) -> Path:
    """A name in the usual folder that nothing has yet, although two matches may begin in one second."""
    first = replay_folder() / replay_name(plan)
    places = (first.with_name(f"{first.name}{f'-{number}' if number > 1 else ''}{suffix}") for number in count(1))
    return next(place for place in places if not taken(place))


def taken(place: Path) -> bool:
    return place.exists() or place.with_name(place.name + ".part").exists()


def finish(recording: Recording | None, match: Match, stopped: str = "") -> Path | None:
    """The replay's end; one without any step is not worth keeping."""
    if recording is None:
        return None
    if match.step_number == 0 and not match.over:
        recording.discard()
        return None
    return recording.end(match, stopped)
