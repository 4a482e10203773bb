"""A drawn position to play on: as much of the grid as a test needs, the rest is added."""

from __future__ import annotations

from typing import Any

from tests.support import Table, picture
from turntile.core.gears import GearName
from turntile.forge.layout import position_size
from turntile.games.racers import rules
from turntile.games.racers.game import GAME
from turntile.games.racers.positions import cell_of, read_position
from turntile.games.racers.records import DEBRIS, GRENADE, GRENADES, Racers
from turntile.games.racers.view import Square, View, view

SIDE = 10


def whole_picture(drawn: str) -> list[str]:
    """The upper left part of a grid, made 10x10 at least, with a wall out of the way and both racers on it."""
    rows = picture(drawn).splitlines()
    width = max(SIDE, *(len(row) for row in rows))
    rows = [row.ljust(width, ".") for row in rows]
    rows += ["." * width] * (SIDE - len(rows))
    if not any("#" in row for row in rows):
        rows[-1] = rows[-1][:-3] + "##" + rows[-1][-1]
    if not any("1" in row for row in rows):
        rows[-1] = "1" + rows[-1][1:]
    if not any("2" in row for row in rows):
        rows[0] = rows[0][:-1] + "2"
    return rows


def position(drawn: str, *notes: str) -> Racers:
    """The position with these lines below it; power never fails by itself unless a line says so."""
    lines = [*whole_picture(drawn), *notes]
    if not any(note.startswith("options") for note in notes):
        lines.append("options: failure_percent=0")
    return read_position("\n".join(lines))


def bytes_of(record: Any) -> bytes:
    """The position's bytes: all but the log."""
    return bytes(record.to_bytes()[: position_size(record.LAYOUT)])


class Race(Table):
    """A match from a drawn position, with short questions about it."""

    def __init__(self, gear_name: GearName, drawn: str | Racers, *notes: str) -> None:
        """From a drawing and its lines, or from a record that no drawing is allowed to show."""
        record = position(drawn, *notes) if isinstance(drawn, str) else drawn
        super().__init__(GAME, record, gear_name)

    def does(self, *texts: str) -> None:
        """One action after the other, of whoever is to act."""
        for text in texts:
            self.play(text)

    def at(self, player: int) -> Square:
        return self.view().racers[player - 1].at

    def trail(self, player: int) -> list[Square]:
        return [square.at for square in self.view().racers[player - 1].trail]

    def view(self, seat: int | None = None) -> View:
        return view(self.record, seat)

    def due(self) -> tuple[int, int]:
        """The player to act and the actions he has left."""
        return self.record.due + 1, self.record.actions_left

    def refused(self, text: str) -> str:
        """A3: the sentence the request is refused with, and nothing has changed."""
        before = self.state.to_bytes()
        sentence = self.why_not(self.record.due, text)
        assert self.state.to_bytes() == before
        return sentence

    def holds(self, player: int) -> tuple[int, int, int]:
        racer = self.view().racers[player - 1]
        return racer.grenades, racer.discs, racer.charged

    def penalty(self, player: int) -> int:
        return self.view().racers[player - 1].penalty

    def skips(self, player: int) -> int:
        return self.view().racers[player - 1].skips

    def grenade(self, x: int, y: int) -> str:
        """What the judge knows of a grenade on a square."""
        content = self.record.cells[cell_of(self.record, x, y)]
        owners = [owner + 1 for owner in range(2) if content & GRENADES == rules.armed_by(owner)]
        if owners:
            return f"active, of player {owners[0]}"
        if content & GRENADES == GRENADE:
            return "inactive"
        return "exploded" if content & DEBRIS else "none"

    def discs(self) -> dict[Square, int]:
        return {disc.at: disc.count for disc in self.view().discs}

    def clocks(self, x: int, y: int) -> list[int]:
        """The turns left of each failure that began on a square."""
        bits = self.record.failures[cell_of(self.record, x, y)]
        return [3 - k for k in range(3) if bits >> k & 1]

    def dark(self) -> dict[Square, int]:
        return {square.at: square.turns for square in self.view().dark}

    def moves(self) -> set[str]:
        """The legal moves of the player to act."""
        record = self.record
        texts = [GAME.spell(record, record.due, action) for action in self.state.legal(record.due)]
        return {text.removeprefix("move ") for text in texts if text.startswith("move ")}

    def winner(self) -> int:
        """The player who has won, or 0."""
        return self.view().winner + 1
