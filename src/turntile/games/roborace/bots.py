"""RoboRace's bots, from easy to strong."""

from __future__ import annotations

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.forge import i32s
from turntile.games.roborace.boards import DIRECTIONS, lay_hall
from turntile.games.roborace.planning import best_programs
from turntile.games.roborace.records import RoboRace
from turntile.games.roborace.view import View, hall_in


def record_of(view: View, seat: int) -> RoboRace:
    """What a seat knows, as a record: the hall, the robots and its own hand."""
    s = RoboRace()
    lay_hall(s, hall_in(view))
    s.players = len(view.robots)
    for other, robot in enumerate(view.robots):
        s.robots[other].cell = robot.y * view.width + robot.x
        s.robots[other].facing = DIRECTIONS.index(robot.direction)
        s.robots[other].alive = robot.alive
    s.robots[seat].hand[:] = bytes(card.priority for card in view.hand)
    return s


def planner_bot(argument: str) -> Bot:
    """The best of all programs against the hall alone: the others are left out of the plan."""

    def act(turn: Turn) -> str:
        best = i32s(1)
        best_programs(record_of(turn.view, turn.seat), turn.seat, 1, best)
        return turn.spell(best[0])

    return act


PLANNER = BotKind("planner", "the best of its 2520 programs against the hall alone", planner_bot)

BOTS = (RANDOM, PLANNER, TREE)
