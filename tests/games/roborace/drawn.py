"""A race from a drawn position, with the order of effects spelled out, and what became of it phase by phase.

The drawing is a position of words.py with less to write: starts face north unless a line says
otherwise, and a hand that is left out or short is filled up with turns to the right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import factorial
from typing import Any

from tests.support import Table, picture
from turntile.core.gears import GearName, State
from turntile.core.planned import plan_dice
from turntile.games.roborace.board_text import ROBOTS
from turntile.games.roborace.boards import DIRECTIONS
from turntile.games.roborace.game import GAME
from turntile.games.roborace.records import (
    DESTROYED,
    HALL_BEGAN,
    HAND,
    PHASE_BEGAN,
    PHASES,
    REVITALISED,
    STEPPED,
    TURNED,
    RoboRace,
)

TURNS_RIGHT = range(18, 0, -1)  # what fills up a hand
FIRST_FIVE = "1 2 3 4 5"

Place = tuple[int, int, str] | None  # x, y, facing; None while destroyed


class Race(Table):
    """A table at which a test can look at every phase of the last round."""

    def __init__(self, record: RoboRace, gear_name: GearName, orders: Sequence[str] = ()) -> None:
        plan_orders(record, [[ROBOTS.index(name) for name in order] for order in orders])
        super().__init__(GAME, record, gear_name)
        self.moments: list[list[Place]] = []

    def play_round(self, *programs: str) -> None:
        """One round; who has no program plays the first five cards."""
        self.moments = play_and_follow(self, programs)

    def after_cards(self, phase: int) -> dict[str, Place]:
        return dict(zip(ROBOTS, self.moments[2 * phase - 2], strict=False))

    def after_hall(self, phase: int) -> dict[str, Place]:
        return dict(zip(ROBOTS, self.moments[2 * phase - 1], strict=False))

    @property
    def now(self) -> dict[str, Place]:
        return dict(zip(ROBOTS, places(self.record), strict=False))

    @property
    def lines_of_phase_1(self) -> list[str]:
        """What was told of the first phase, its cards and its effects."""
        end = self.told.index("phase 2") if "phase 2" in self.told else len(self.told)
        return self.told[1:end]


def race(gear_name: GearName, drawing: str, *orders: str) -> Race:
    """A race that goes on from a drawn position; `orders` are those of the effects, such as "BA"."""
    return Race(GAME.read_position(complete(picture(drawing))), gear_name, orders)


def complete(drawing: str) -> str:
    """Add what the drawing leaves out."""
    drawn = "\n".join(line for line in drawing.splitlines() if re.match(r"\s*[+| ]", line))
    for number in re.findall(r"[1-8]", drawn):
        if f"start {number}:" not in drawing:
            drawing += f"\nstart {number}: north"
    taken = {int(card) for cards in re.findall(r"hand \w: (.*)", drawing) for card in cards.split()}
    free = iter([card for card in [*TURNS_RIGHT, *range(19, 37)] if card not in taken])
    for name in sorted(set(re.findall(f"[{ROBOTS}]", drawn))):
        found = re.search(rf"hand {name}:(.*)", drawing)
        cards = found[1].split() if found else []
        cards += [str(next(free)) for _ in range(HAND - len(cards))]
        drawing = re.sub(rf"\n?hand {name}:.*", "", drawing) + f"\nhand {name}: {' '.join(cards)}"
    return drawing


def plan_orders(record: RoboRace, orders: Iterable[Sequence[int]]) -> None:
    """Let the effects of the coming phases have these orders, and rising order in the phases after."""
    numbers = [order_number(order) for order in orders]
    if record.players > 1:
        plan_dice(record.dice, numbers + [0] * (PHASES - len(numbers)))


def order_number(order: Sequence[int]) -> int:
    """Which of the n! orders this is, counted as the rules count them."""
    rest = sorted(order)
    number = 0
    for place, seat in enumerate(order):
        number += rest.index(seat) * factorial(len(order) - 1 - place)
        rest.remove(seat)
    return number


def play_and_follow(table: Table, programs: Sequence[str]) -> list[list[Place]]:
    before = table.record
    table.play(*programs)
    return follow(before, table.state)


def follow(before: RoboRace, state: State) -> list[list[Place]]:
    """Where everybody was after the cards and after the effects of each phase, from the events alone."""
    now = places(before)
    moments: list[list[Place]] = []
    for kind, _, seat, b, *_ in state.events():
        if (kind == PHASE_BEGAN and seat > 1) or kind == HALL_BEGAN:
            moments.append(list(now))
        elif kind == REVITALISED:
            break
        elif kind in (STEPPED, TURNED, DESTROYED):
            now[seat] = changed(now[seat], kind, b, before.width)
    return [*moments, now]


def changed(place: Place, kind: int, number: int, width: int) -> Place:
    assert place is not None, "a destroyed robot cannot do anything"
    if kind == STEPPED:
        return number % width, number // width, place[2]
    if kind == TURNED:
        return place[0], place[1], DIRECTIONS[number]
    return None


def places(record: Any) -> list[Place]:
    return [
        (robot.cell % record.width, robot.cell // record.width, DIRECTIONS[robot.facing]) if robot.alive else None
        for robot in record.robots[: record.players]
    ]
