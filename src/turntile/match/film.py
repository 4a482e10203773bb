"""A film: a replay as the pictures and lines that screens show, for the judge or for one seat."""

from __future__ import annotations

from dataclasses import dataclass

from turntile.core.game import Game, Outcome
from turntile.core.gears import GearName
from turntile.core.scene import Looks, Scene, Stage
from turntile.match.match import Match, Step
from turntile.match.replay import Header, Replay, ResignLine, rerun, restart


@dataclass(frozen=True, slots=True)
class Frame:
    """The picture after a step (0: the start), what led there and what was told of it."""

    number: int
    scene: Scene
    lines: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()  # moments between the frame before and this one
    actions: tuple[tuple[int, str], ...] = ()  # seat and text; in a seat's film its own only


@dataclass(frozen=True, slots=True)
class Film:
    """All that a screen needs to show a whole match."""

    game: Game
    header: Header
    seat: int | None  # whose eyes; None: the judge's
    frames: tuple[Frame, ...]
    outcome: Outcome | None

    @property
    def looks(self) -> Looks:
        return self.game.looks


def make_film(
    replay: Replay, game: Game, seat: int | None = None, seed: int | None = None, gear: GearName | None = None
) -> Film:
    """Re-run a replay and keep what one pair of eyes sees of it."""
    match = restart(replay, game, seed, gear)
    frames = [Frame(0, picture(match, seat))]
    lines: list[str] = []
    for moment in rerun(replay, match):
        if isinstance(moment, ResignLine):
            lines.append(f"seat {moment.resigned} {moment.why}")
            continue
        frames.append(frame_of(match, moment, seat, lines))
        lines = []
    if lines:
        frames.append(Frame(match.step_number, picture(match, seat), tuple(lines)))
    return Film(game, replay.header, seat, tuple(frames), match.outcome)


def frame_of(match: Match, step: Step, seat: int | None, lines_before: list[str]) -> Frame:
    """A live screen may build its film step by step with this."""
    return Frame(
        step.number,
        picture(match, seat),
        (*lines_before, *match.heard(step, seat)),
        match.stages(step, seat),
        tuple((who, did.text) for who, did in step.played.items() if seat is None or who == seat),
    )


def picture(match: Match, seat: int | None) -> Scene:
    """The scene without choices: in a film nobody is asked."""
    return match.game.scene(match.view(seat), ())
