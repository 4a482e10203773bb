"""`turntile replay`: telling what a replay holds, and proving it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from turntile.cli.listing import as_typed
from turntile.cli.run import outcome_lines
from turntile.cli.start import read_bytes, read_gear
from turntile.cli.streams import needs_ascii, on_a_terminal, wants_colour
from turntile.core.errors import TurntileError
from turntile.core.game import Game
from turntile.core.registry import find
from turntile.match.film import make_film, picture, thoughts_of
from turntile.match.match import Match, Step
from turntile.match.replay import (
    MOST_BYTES,
    DamagedReplay,
    DrawLine,
    Header,
    InvalidReplay,
    Replay,
    ReplayDiffers,
    ResignLine,
    StepLine,
    read_replay,
    rerun,
    restart,
    same_layout,
    verify,
)

DONE = 0
DIFFERS = 1


def load_replay(file: Path, so_far: bool) -> tuple[Replay, Game]:
    """A replay from its file, and its game."""
    try:
        replay = read_replay(read_bytes(file, MOST_BYTES), str(file), so_far)
    except DamagedReplay as damage:
        raise InvalidReplay(f"{damage}: --so-far makes do with them") from None
    return replay, find(replay.header.game)


def check_seat(match: Match, seat: int | None) -> None:
    if seat is not None and seat >= len(match.seats):
        raise InvalidReplay(f"there is no seat {seat} in this replay: seats are 0 to {len(match.seats) - 1}")


def check_step(replay: Replay, step: int | None) -> None:
    if step is not None and step > replay.steps:
        raise InvalidReplay(f"{replay.name} has no step {step}: its last is {replay.steps}")


# ------------------------------------------------------------------- show


@dataclass(frozen=True)
class Wanted:
    """What `replay show` was asked for."""

    seat: int | None = None
    step: int | None = None
    boards: bool = False
    position: bool = False
    plain: bool = False
    so_far: bool = False
    seed: int | None = None
    as_json: bool = False

    @property
    def film(self) -> bool:
        """Nothing was asked for that only lines can show, and there is somebody to look."""
        return (
            self.step is None and not (self.boards or self.position or self.plain or self.as_json) and on_a_terminal()
        )


def show_replay(file: Path, wanted: Wanted) -> None:
    replay, game = load_replay(file, wanted.so_far)
    if replay.end is None and wanted.seed is None:
        tell_without_seed(replay, wanted.as_json)
        return
    check_step(replay, wanted.step)
    match = restart(replay, game, wanted.seed)
    check_seat(match, wanted.seat)
    if wanted.film:
        from turntile.screens.terminal import watch

        watch(make_film(replay, game, wanted.seat, wanted.seed))
    elif wanted.as_json:
        for data in json_steps(replay, match, wanted.seat):
            sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    elif wanted.step is not None:
        show_step(replay, match, wanted, wanted.step)
    else:
        show_all(replay, match, wanted)


def show_step(replay: Replay, match: Match, wanted: Wanted, step: int) -> None:
    """The board after one step."""
    moments = rerun(replay, match)
    while match.step_number < step:
        next(moments)
    show_board(match, wanted)


def show_all(replay: Replay, match: Match, wanted: Wanted) -> None:
    """All steps in lines, with the last board, or with the board after each."""
    if not wanted.position:
        print("\n".join(header_lines(replay)))
    if wanted.boards:
        show_board(match, wanted)
    for moment in rerun(replay, match):
        if not wanted.position:
            print("\n".join(moment_lines(match, moment, wanted.seat, replay.end is not None)))
        if wanted.boards and isinstance(moment, Step):
            show_board(match, wanted)
    if not wanted.boards:
        show_board(match, wanted)
    if not wanted.position:
        print("\n".join(end_lines(replay, match)))


def tell_without_seed(replay: Replay, as_json: bool) -> None:
    """A replay that breaks off keeps its seed secret: there are actions, but no boards."""
    if as_json:
        for line in replay.lines:
            sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
        return
    print("\n".join(header_lines(replay)))
    for line in replay.lines:
        if isinstance(line, StepLine):
            print(f"{line.step:5}  {spell_actions(line.actions.items())}")
        elif isinstance(line, DrawLine):
            print("       a draw was agreed")
        else:
            print(f"       seat {line.resigned} {line.why}")
    print(f"breaks off after step {replay.steps}; with --seed N, if you know it, the boards can be shown")


def header_lines(replay: Replay) -> list[str]:
    header = replay.header
    players = ", ".join(f"{seat} {who.name}" for seat, who in enumerate(header.seats))
    lines = [f"{header.game}, rules version {header.rules_version}; seats: {players}"]
    chosen = [f"{key}={as_typed(value)}" for key, value in changed_options(header).items()]
    if header.position:
        lines.append("started from a position")
    if chosen:
        lines.append("options: " + " ".join(text if len(text) < 60 else text[:57] + "..." for text in chosen))
    told = [f"started {header.started}" if header.started else "", f"clock {header.clock}"]
    return [*lines, ", ".join(text for text in told if text)]


def changed_options(header: Header) -> dict[str, Any]:
    defaults = msgspec.to_builtins(find(header.game).options())
    return {key: value for key, value in (header.options or {}).items() if defaults.get(key) != value}


def moment_lines(match: Match, moment: Step | ResignLine | DrawLine, seat: int | None, over: bool) -> Iterator[str]:
    """What happened. What bots thought and failed of is their own seat's affair until the match is over."""
    if isinstance(moment, ResignLine):
        yield f"       seat {moment.resigned} {moment.why}"
        if moment.failure is not None and seat in (None, moment.resigned):
            yield from (f"         | {line}" for line in moment.failure.stderr)
        return
    if isinstance(moment, DrawLine):
        yield "       a draw was agreed"
        return
    shown = [(who, did.text) for who, did in moment.played.items() if seat is None or who == seat]
    yield f"{moment.number:5}  {spell_actions(shown)}"
    thinkers = [who for who in moment.played if who == seat or (seat is None and over)]
    thoughts = [line for who in thinkers for line in thoughts_of(moment, who)]
    for line in [*match.heard(moment, seat), *thoughts]:
        yield f"       {line}"


def spell_actions(actions: Any) -> str:
    return "  ".join(f"{seat}: {text}" for seat, text in actions)


def end_lines(replay: Replay, match: Match) -> list[str]:
    if match.outcome is not None:
        return outcome_lines(match.outcome, [who.name for who in replay.header.seats])
    why = replay.end.stopped if replay.end else "breaks off here"
    return [f"no outcome: {why}"]


def show_board(match: Match, wanted: Wanted) -> None:
    if wanted.position:
        print(match.position().rstrip("\n"))
        return
    from turntile.screens.plain import draw_plain

    print(draw_plain(picture(match, wanted.seat), match.game.looks, colour=wants_colour(), ascii=needs_ascii()), end="")


def json_steps(replay: Replay, match: Match, seat: int | None) -> Iterator[dict[str, Any]]:
    yield {"header": replay.header, "scene": picture(match, seat)}
    for moment in rerun(replay, match):
        if isinstance(moment, ResignLine):
            yield {"resigned": moment.resigned, "why": moment.why}
            continue
        if isinstance(moment, DrawLine):
            yield {"drawn": moment.drawn}
            continue
        yield {
            "step": moment.number,
            "actions": {who: did.text for who, did in moment.played.items() if seat is None or who == seat},
            "lines": match.heard(moment, seat),
            "scene": picture(match, seat),
        }
    yield {"outcome": match.outcome, "stopped": replay.end.stopped if replay.end else "breaks off here"}


# ------------------------------------------------------------------- verify


def verify_replay(file: Path, seed: int | None, so_far: bool, gear: str, as_json: bool) -> int:
    """Damaged bytes are bad input; what re-runs differently is a finding."""
    replay, game = load_replay(file, so_far)
    try:
        match = verify(replay, game, seed, read_gear(gear))
    except ReplayDiffers as difference:
        tell_verdict(replay, str(difference), as_json)
        return DIFFERS
    except InvalidReplay:
        raise
    except TurntileError as refusal:  # options or a position that this game never wrote
        tell_verdict(replay, f"{replay.name} cannot be set up: {refusal}", as_json)
        return DIFFERS
    compared = "every byte, action and position" if same_layout(replay, game) else "every byte and action"
    ending = match.outcome.reason if match.outcome else (replay.end.stopped if replay.end else "it breaks off there")
    tell_verdict(replay, "", as_json, f"{compared} of {match.step_number} steps; {ending}")
    return DONE


def tell_verdict(replay: Replay, difference: str, as_json: bool, proof: str = "") -> None:
    if as_json:
        data = {"replay": replay.name, "verified": not difference, "difference": difference or None}
        sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    elif difference:
        print(f"turntile: {difference}", file=sys.stderr)
    else:
        print(f"{replay.name} is what was played: {proof}")
