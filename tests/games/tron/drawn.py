"""A match of Tron from a drawn position, and the drawing of what became of it."""

from __future__ import annotations

from tests.support import Table, picture
from turntile.core.gears import GearName
from turntile.games.tron.game import GAME
from turntile.games.tron.records import Cycle
from turntile.games.tron.words import HEADINGS, POWERUP_NAMES
from turntile.games.tron.words import picture as draw


class TronTable(Table):
    """A table at which a test can look at the board and the cycles."""

    @property
    def board(self) -> str:
        return "\n".join(draw(self.record))

    def cycle(self, seat: int) -> Cycle:
        cycle: Cycle = self.record.cycles[seat]
        return cycle

    def where(self, seat: int) -> tuple[int, int]:
        return self.cycle(seat).cell % self.record.width, self.cycle(seat).cell // self.record.width

    def heading(self, seat: int) -> str:
        return HEADINGS[self.cycle(seat).heading]

    def holds(self, seat: int) -> str:
        return POWERUP_NAMES.get(self.cycle(seat).held, "nothing")

    def alive(self) -> list[bool]:
        return [bool(self.cycle(seat).alive) for seat in range(self.state.seats())]

    def scores(self) -> list[int]:
        return [self.state.score(seat) for seat in range(self.state.seats())]

    def places(self) -> list[int]:
        return [self.state.place(seat) for seat in range(self.state.seats())]


def tron(gear_name: GearName, drawing: str) -> TronTable:
    """A match that goes on from a drawn position (words.py says how one is drawn)."""
    return TronTable(GAME, GAME.read_position(picture(drawing)), gear_name)
