"""A film: a replay as the pictures and lines that screens show, for the judge or for one seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from turntile.core.game import Game, Outcome
from turntile.core.gears import GearName
from turntile.core.scene import Looks, Scene, Stage
from turntile.match.match import Match, Step
from turntile.match.remarks import marks_of
from turntile.match.replay import DrawLine, Header, Replay, ResignLine, rerun, restart


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
        if isinstance(moment, DrawLine):
            lines.append("a draw was agreed")
            continue
        frames.append(frame_of(match, moment, seat, lines, reveal=seat is None and replay.end is not None))
        lines = []
    if lines:
        frames.append(Frame(match.step_number, picture(match, seat), tuple(lines)))
    return Film(game, replay.header, seat, tuple(frames), match.outcome)


def frame_of(match: Match, step: Step, seat: int | None, lines_before: Sequence[str], reveal: bool = False) -> Frame:
    """A live screen may build its film step by step with this.

    What a bot thinks is its own seat's affair; `reveal` shows it to the judge, once the match is over.
    """
    thinkers = [who for who in step.played if who == seat or reveal]
    thoughts = tuple(line for who in thinkers for line in thoughts_of(step, who))
    return Frame(
        step.number,
        with_drawings(picture(match, seat), step, thinkers),
        (*lines_before, *match.heard(step, seat), *thoughts),
        match.stages(step, seat),
        tuple((who, did.text) for who, did in step.played.items() if seat is None or who == seat),
    )


def thoughts_of(step: Step, seat: int) -> list[str]:
    """What a bot told of its thoughts in a step, and why its answer did not count, a line each."""
    did = step.played[seat]
    lines = [f"seat {seat} thinks: {spoken}" for remark in did.remarks if (spoken := remark.spoken())]
    if did.failure is not None:
        lines.append(f"seat {seat} {did.failure.note}")
    return lines


def with_drawings(scene: Scene, step: Step, thinkers: Sequence[int]) -> Scene:
    """The picture with what bots have drawn on it."""
    remarks = [remark for who in thinkers for remark in step.played[who].remarks]
    marks = [mark for remark in remarks for mark in marks_of(remark, scene)]
    return msgspec.structs.replace(scene, marks=(*scene.marks, *marks)) if marks else scene


def picture(match: Match, seat: int | None) -> Scene:
    """The scene without choices: in a film nobody is asked."""
    return match.game.scene(match.view(seat), ())
