"""A replay's file while its match is played: one piece for each step, each on disk before the next.

It grows beside its place under the name with `.part` behind, and takes the place when it is
whole. A match that is killed leaves the `.part`, of which every line can be trusted.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from turntile.core.errors import TurntileError
from turntile.match.clock import TimeControl
from turntile.match.match import Match, Step
from turntile.match.replay import ReplayWriter, SeatHeader
from turntile.players.seats import Player


class CannotSave(TurntileError):
    """A place where no replay can be written."""


class AlreadyThere(CannotSave):
    """A name that another replay has."""


class Recording:
    """Keeps one match; a witness of its host."""

    def __init__(self, path: Path, overwrite: bool = False) -> None:
        if path.exists() and not overwrite:
            raise AlreadyThere(f"{path} is there already: choose another name, or say --overwrite")
        self.path = path
        self.growing = path.with_name(path.name + ".part")
        self.writer = ReplayWriter(compress=path.suffix == ".zst")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotSave(f"no replay can be written to {path}: {error.strerror or error}") from None
        try:
            self.file = FileIO(self.growing, "w" if overwrite else "x")
        except FileExistsError:
            raise AlreadyThere(
                f"{self.growing} is there already, of a match that runs or was killed: choose another name, "
                "or say --overwrite"
            ) from None
        except OSError as error:
            raise CannotSave(f"no replay can be written to {path}: {error.strerror or error}") from None

    def begin(self, match: Match, players: Sequence[Player], control: TimeControl) -> None:
        seats = [SeatHeader(player.name, player.kind) for player in players]
        started = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        self.write(self.writer.begin(match, seats, str(control), started))

    def stepped(self, match: Match, step: Step) -> None:
        self.write(self.writer.step(step))

    def resigned(self, match: Match, seat: int, why: str) -> None:
        self.write(self.writer.resign(seat, why, match.seats[seat].failure))

    def end(self, match: Match, stopped: str = "") -> Path:
        """The last line; from now on the file has its name."""
        self.write(self.writer.end(match, stopped))
        self.file.close()
        os.replace(self.growing, self.path)
        return self.path

    def discard(self) -> None:
        """There was nothing to keep."""
        self.file.close()
        self.growing.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[self.file.write(view) :]
        except OSError as error:
            raise CannotSave(f"the replay cannot go on in {self.growing}: {error.strerror or error}") from None
