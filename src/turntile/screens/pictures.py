"""A film as one strip of pictures: the moments inside a step come before the picture after it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from turntile.core.scene import Scene
from turntile.match.film import Film


@dataclass(frozen=True)
class Picture:
    """One picture of a strip."""

    step: int
    scene: Scene
    caption: str = ""
    lines: tuple[str, ...] = ()  # what was told of the step, at its last picture
    inside: bool = False  # a moment inside the step, not the picture after it


def pictures_of(film: Film, *, stages: bool = True) -> list[Picture]:
    strip: list[Picture] = []
    for frame in film.frames:
        if stages:
            strip += [Picture(frame.number, stage.scene, stage.caption, inside=True) for stage in frame.stages]
        strip.append(Picture(frame.number, frame.scene, ". ".join(frame.lines), frame.lines))
    if film.outcome is not None:
        strip[-1] = with_reason(strip[-1], film.outcome.reason)
    return strip


def with_reason(last: Picture, reason: str) -> Picture:
    """The last picture tells why the match is over, unless its last line has told just that."""
    if last.lines[-1:] == (reason,):
        return last
    caption = f"{last.caption}. {reason}" if last.caption else reason
    return replace(last, caption=caption, lines=(*last.lines, reason))
