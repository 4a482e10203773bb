"""A match of Robot fight from a drawn position, and what a test asks about it."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.support import Table, picture
from turntile.core.errors import InvalidAction
from turntile.core.gears import GearName, gear
from turntile.games.robots.game import GAME
from turntile.games.robots.options import Options
from turntile.games.robots.records import Robot
from turntile.games.robots.view import View, view

OPEN_FIELD = """
    ..........
    ..........
    ..........
    ..........
    ..........
    .....0....
    ..........
    ..........
    ..........
    .........1
    """


class Fight(Table):
    """A table at which a test can look at the robots, and at refusals with their keys."""

    def robot(self, seat: int) -> Robot:
        robot: Robot = self.record.robots[seat]
        return robot

    def hp(self, seat: int) -> int:
        return self.robot(seat).hp

    def where(self, seat: int) -> tuple[int, int]:
        cell = self.robot(seat).cell
        return cell % self.record.width, cell // self.record.width

    def view(self, seat: int | None) -> View:
        return view(self.record, seat)

    def seen(self, seat: int, x: int, y: int) -> str:
        return self.view(seat).seen[y][x]

    def parts(self, seat: int) -> tuple[str, ...]:
        return self.view(seat).robots[0].parts

    def places(self) -> list[int]:
        return [self.state.place(seat) for seat in range(self.state.seats())]

    def say(self, *texts: str) -> None:
        """Several requests of the seat whose turn it is, one after the other."""
        for text in texts:
            self.play(text)

    def refused(self, seat: int, text: str) -> tuple[str, str]:
        """The key and the sentence a request is refused with; nothing has changed by it (R3)."""
        before = self.state.to_bytes()
        try:
            action = GAME.parse(self.record, seat, text)
        except InvalidAction as refusal:
            return getattr(refusal, "key", ""), str(refusal)
        code = self.state.why_illegal(seat, action)
        assert code, f"{text} of seat {seat} is accepted"
        assert self.state.to_bytes() == before
        assert GAME.error_key is not None
        return GAME.error_key(code), GAME.refusal(self.record, seat, action, code)

    def key(self, seat: int, text: str) -> str:
        return self.refused(seat, text)[0]


def fight(gear_name: GearName, drawing: str) -> Fight:
    """A match that goes on from a drawn position (notation.py says how one is drawn)."""
    return Fight(GAME, GAME.read_position(picture(drawing)), gear_name)


def duel(gear_name: GearName, zero: str, one: str = "radar1 gun", lines: str = "") -> Fight:
    """Two robots on an open field, seat 0 at (5, 5) and at turn; a turn is not started yet."""
    about = ("play, turn of 0, ended 4 of 200", "map empty", f"robot 0: {zero}", f"robot 1: {one}", lines)
    return Fight(GAME, GAME.read_position("\n".join((picture(OPEN_FIELD), *about))), gear_name)


def new_fight(gear_name: GearName, seed: int = 1, **options: Any) -> Fight:
    """A match from the beginning."""
    made = msgspec.convert(options, Options)
    return Fight(GAME, gear(GAME, gear_name).new(GAME.prepare(made), seed).record(), gear_name)
