"""The terminal screen: `play` a match, `watch` a film. Both take the whole terminal until they return."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from turntile.match.film import Film
from turntile.match.match import Match
from turntile.screens.stage import TerminalTooSmall, too_small
from turntile.screens.table import Sitting, TableApp, Witness
from turntile.screens.viewer import ViewerApp

__all__ = ["TerminalTooSmall", "play", "watch"]

WATCH_MS = 400  # a picture, where the game has no pace of its own


def play(
    match: Match,
    seats: Sequence[Sitting],
    *,
    turn_ms: int = 0,
    witnesses: Sequence[Witness] = (),
    step_ms: int = 350,
    stage_ms: int = 450,
) -> bool:
    """Play a match in the terminal; whether it came to its end (False: a person left).

    With `turn_ms` the match runs in real time: who is silent for so long does what the rules say
    silence means. Bots' steps are shown for `step_ms`, moments inside a step for `stage_ms`.
    Raises TerminalTooSmall, and KeyboardInterrupt for Ctrl-C.
    """
    check_size()
    app = TableApp(match, seats, turn_ms=turn_ms, witnesses=witnesses, step_ms=step_ms, stage_ms=stage_ms)
    app.run()
    if app.interrupted:
        raise KeyboardInterrupt
    return match.over


def watch(film: Film, *, ms_per_frame: int = 0, playing: bool = True) -> None:
    """Show a film in the terminal until the person leaves. Raises TerminalTooSmall."""
    check_size()
    app = ViewerApp(film, ms_per_frame=ms_per_frame or film.game.turn_ms or WATCH_MS, playing=playing)
    app.run()
    if app.interrupted:
        raise KeyboardInterrupt


def check_size() -> None:
    columns, rows = shutil.get_terminal_size()
    if sentence := too_small(columns, rows):
        raise TerminalTooSmall(sentence)
