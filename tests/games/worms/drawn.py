"""A match of SEWorms from a drawn position, in the arena and in the prescribed program."""

from __future__ import annotations

from io import BytesIO

from tests.support import Table, picture
from turntile.cli.swworms import Config, Program
from turntile.core.gears import GearName
from turntile.games.worms.game import GAME
from turntile.games.worms.maps import Map
from turntile.games.worms.positions import draw_rows, read_position
from turntile.games.worms.records import GONE, Worm, Worms
from turntile.games.worms.words import CHOICE_WORDS, our_names

ARENAS_OWN = (" walked to ", " teleported to ", " idled", "a chest ")


class WormsTable(Table):
    """A table at which a test can look at the map and the worms; worms by their ids."""

    @property
    def happened(self) -> list[str]:
        """The prescribed lines of the last step, without the one that opens the next turn."""
        prescribed = (line for line in self.told if not any(own in line for own in ARENAS_OWN))
        return [line for line in prescribed if not line.endswith(" ready")]

    @property
    def map(self) -> str:
        return "\n".join(draw_rows(self.record))

    def worm(self, number: int) -> Worm:
        worm: Worm = self.record.worms[number - 1]
        return worm

    def hp(self, number: int) -> int:
        return self.worm(number).hp

    def where(self, number: int) -> tuple[int, int] | None:
        """Row and column, or None if it is gone."""
        cell = self.worm(number).cell
        return None if cell == GONE else (cell // self.record.width, cell % self.record.width)

    def ammunition(self, number: int, weapon: str) -> int:
        return self.worm(number).ammunition[CHOICE_WORDS.index(weapon)]

    def acting(self) -> int:
        worm: int = self.record.worm
        return worm + 1

    def play_all(self, *texts: str) -> list[str]:
        """Several steps of whoever is to act; all that happened in them."""
        lines: list[str] = []
        for text in texts:
            self.play(text)
            lines += self.happened
        return lines


def worms(gear_name: GearName, drawing: str) -> WormsTable:
    """A match that goes on from a drawn position (positions.py says how one is drawn)."""
    return WormsTable(GAME, read_position(picture(drawing)), gear_name)


def named(number: int) -> str:
    """A worm as the lines name it, where a drawing gives it no other name."""
    return f"{our_names()[number - 1]} ({number})"


def program_at(s: Worms, typed: bytes, output: BytesIO) -> Program:
    """The prescribed program in the middle of a game."""
    world = Map(s.width, s.height, bytes(s.width * s.height))
    program = Program(Config(">", world, our_names(), s.team, ("~", "*")), 0, BytesIO(typed), output)
    program.s = s
    return program


def typed_at(drawing: str, *commands: str) -> str:
    """All the prescribed program prints when these lines are typed in a drawn position."""
    output = BytesIO()
    program_at(read_position(picture(drawing)), "".join(f"{line}\n" for line in commands).encode(), output).converse()
    return output.getvalue().decode()


def answers_at(drawing: str, *commands: str) -> list[str]:
    """The same without prompts and maps, line by line."""
    lines = typed_at(drawing, *commands).replace("> ", "").splitlines()
    return [line for line in lines if not line[:2].strip().isdigit() and line[:2] != "  " and line != "Current Map:"]
