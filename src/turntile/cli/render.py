"""`turntile render`: a replay as a picture or a film. The file appears whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from turntile.cli.replays import check_step, load_replay
from turntile.core.errors import InvalidOptions, TurntileError
from turntile.match.film import Film, Frame, make_film

FORMATS = (".svg", ".png", ".gif", ".html")


class CannotWrite(TurntileError):
    """A place where no picture can be written."""


def render_replay(
    file: Path, out: Path, seat: int | None, step: int | None, ms: int, scale: float, so_far: bool, seed: int | None
) -> None:
    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise InvalidOptions(f"{out} names no format that can be drawn: end it with {', '.join(FORMATS)}")
    if step is not None and suffix in (".gif", ".html"):
        raise InvalidOptions(f"--step is for one picture, and {suffix} shows the whole match: use .svg or .png")
    if not out.absolute().parent.is_dir():
        raise CannotWrite(f"{out} cannot be written: there is no folder {out.parent}")
    replay, game = load_replay(file, so_far)
    check_step(replay, step)
    if seat is not None and seat >= len(replay.header.seats):
        raise InvalidOptions(f"there is no seat {seat} in {file}: seats are 0 to {len(replay.header.seats) - 1}")
    film = make_film(replay, game, seat, seed)
    write_whole(out, draw(film, suffix, frame_at(film, step), ms, scale))
    print(f"{out}: {out.stat().st_size} bytes", file=sys.stderr)


def frame_at(film: Film, step: int | None) -> Frame:
    if step is None:
        return film.frames[-1]
    return next(frame for frame in film.frames if frame.number == step)


def draw(film: Film, suffix: str, frame: Frame, ms: int, scale: float) -> bytes:
    """Loads only the drawing that is asked for."""
    if suffix == ".svg":
        from turntile.screens.svg import draw_svg

        return draw_svg(frame.scene, film.looks).encode()
    if suffix == ".png":
        from turntile.screens.png import draw_png

        return draw_png(frame.scene, film.looks, scale)
    if suffix == ".gif":
        return draw_film(film, ms)
    from turntile.screens.html import draw_html

    return draw_html(film).encode()


def draw_film(film: Film, ms: int) -> bytes:
    from turntile.screens.gif import draw_gif
    from turntile.screens.pictures import pictures_of

    pictures = pictures_of(film)
    if not sys.stderr.isatty():
        return draw_gif(pictures, film.looks, ms)
    from turntile.cli.progress import bar

    with bar(len(pictures), "pictures") as advance:
        return draw_gif(pictures, film.looks, ms, progress=counted(advance))


def counted(advance: Callable[[], None]) -> Callable[[int, int], None]:
    return lambda done, total: advance()


def write_whole(out: Path, data: bytes) -> None:
    """Beside its place first, then into it."""
    growing = out.with_name(out.name + ".part")
    try:
        growing.write_bytes(data)
        os.replace(growing, out)
    except OSError as error:
        growing.unlink(missing_ok=True)
        raise CannotWrite(f"{out} cannot be written: {error.strerror or error}") from None
