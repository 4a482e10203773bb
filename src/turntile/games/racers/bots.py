"""Rowdy Racers' own bots, from easy to strong: random, runner, hunter, and the tree search."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.core.gears import State
from turntile.games.racers.scene import STEPS, target
from turntile.games.racers.view import Square, View

FAR = 10_000
TRAP_DISTANCE = 3  # from here on the hunter looks for ways to trap the other
TRAP_ACTIONS = 2


def distances(view: View, goal: Square) -> dict[Square, int]:
    """How many moves each square is from a goal, teleporters included; trails, which pass, left out."""
    walls = set(view.walls)
    exits = {teleporter.at: teleporter.to for teleporter in view.teleporters}
    entrances: dict[Square, list[Square]] = {}
    for source, to in exits.items():
        entrances.setdefault(to, []).append(source)
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        at = queue.popleft()
        for square in entrances.get(at, []) if at in exits else [at]:
            for near in neighbours(view, square):
                if near not in walls and near not in found:
                    found[near] = found[at] + 1
                    queue.append(near)
    return found


def neighbours(view: View, at: Square) -> Iterator[Square]:
    for x, y in STEPS.values():
        if 0 <= at[0] + x < view.width and 0 <= at[1] + y < view.height:
            yield at[0] + x, at[1] + y


def way_home(turn: Turn, seat: int) -> dict[Square, int]:
    """The distances to a seat's goal, measured once a match: nothing that counts there ever moves."""
    view = cast(View, turn.view)
    key = f"way of seat {seat}"
    if key not in turn.memory:
        turn.memory[key] = distances(view, view.racers[seat].goal)
    return cast(dict[Square, int], turn.memory[key])


def best_move(turn: Turn) -> tuple[str, float]:
    """The shortest safe way: the move that leaves the least to go, counting what darkness costs; and that cost."""
    view = cast(View, turn.view)
    here = view.racers[turn.seat].at
    way = way_home(turn, turn.seat)
    exits = {teleporter.at: teleporter.to for teleporter in view.teleporters}
    dark = {square.at for square in view.dark}
    best, least = "", float(FAR)
    for action in turn.legal:
        if action.startswith("move "):
            entered = target(here, action)
            landing = exits.get(entered, entered)
            cost = float(way.get(landing, FAR))
            if cost > 0:
                cost += 0.45 * (view.actions_left - 1) * (entered in dark or landing in dark)
                cost += 2 * (exits_around(view, landing) < 2)
            if cost < least:
                best, least = action, cost
    return best, least


def exits_around(view: View, at: Square) -> int:
    """How many neighbours of a square are free: with fewer than two one is soon trapped."""
    taken = {*view.walls, *(square.at for racer in view.racers for square in racer.trail)}
    taken |= {racer.at for racer in view.racers}
    return sum(near not in taken for near in neighbours(view, at))


def runner(argument: str) -> Bot:
    """The shortest safe way to the other's start, a move at a time; nothing is touched."""

    def act(turn: Turn) -> str:
        view = cast(View, turn.view)
        action, cost = best_move(turn)
        here = way_home(turn, turn.seat).get(view.racers[turn.seat].at, FAR)
        if view.may_end and (not action or cost > here + 0.5):
            return "end"
        return action

    return act


@dataclass(frozen=True)
class Plan:
    """The rest of a turn thought through: what to do first, what is left to go after it, actions it does not need."""

    action: str
    cost: float
    spare: int


class Planner:
    """Tries all ways a turn can go from here: lit squares lead on, a dark one ends it."""

    def __init__(self, turn: Turn) -> None:
        view = cast(View, turn.view)
        self.turn = turn
        self.view = view
        self.way = way_home(turn, turn.seat)
        self.exits = {teleporter.at: teleporter.to for teleporter in view.teleporters}
        self.dark = {square.at: square.turns for square in view.dark}
        self.mined: set[Square] = turn.memory.setdefault("mined", set())
        self.taken = {*view.walls, *(square.at for racer in view.racers for square in racer.trail)}
        self.taken |= {racer.at for racer in view.racers}
        self.items = {disc.at for disc in view.discs} | set(view.charged)

    def plans(self) -> list[Plan]:
        """A plan for each move there is, and for ending the turn where that is allowed; the best one first."""
        here = self.view.racers[self.turn.seat].at
        plans = []
        for action in self.turn.legal:
            if action.startswith("move "):
                entered = target(here, action)
                cost, spare = self.enter(entered, self.view.actions_left - 1, self.taken)
                plans.append(Plan(action, cost, spare))
            elif action == "end":
                plans.append(Plan(action, self.rest(here), 0))
        return sorted(plans, key=lambda plan: plan.cost)

    def enter(self, entered: Square, left: int, taken: set[Square]) -> tuple[float, int]:
        """What is left to go if this square is entered now and the turn goes on as well as it can; spare actions."""
        landing = self.exits.get(entered, entered)
        cost = self.rest(landing) + 4 * (entered in self.mined or landing in self.mined)
        if cost < 0 or left == 0:
            return cost, 0
        if entered in self.dark or landing in self.dark:
            return cost, left
        best, spare = cost, 0
        for near in neighbours(self.view, landing):
            if near not in taken and near != entered:
                further, unused = self.enter(near, left - 1, taken | {landing})
                if further < best:
                    best, spare = further, unused
        return best, spare

    def rest(self, at: Square) -> float:
        """The moves to go from a square where a turn ends, and the risk of being slow or stuck there."""
        moves = self.way.get(at, FAR)
        if moves == 0:
            return -FAR
        slow = 0.15 * (self.dark.get(at, 0) == 3)  # only those are still dark in one's own next turn
        stuck = 2 * (sum(near not in self.taken for near in neighbours(self.view, at)) < 2)
        return moves + slow + stuck - 0.1 * (at in self.items)


def hunter(argument: str) -> Bot:
    """Plans the whole turn, traps, throws discs that hit; actions that darkness would take go to items first."""

    def act(turn: Turn) -> str:
        me, other = turn.view.racers[turn.seat], turn.view.racers[1 - turn.seat]
        plans = Planner(turn).plans()
        if plans[0].cost < 0:
            return plans[0].action
        state = turn.imagine()
        actions = {turn.spell(number): number for number in state.legal(turn.seat)}
        if max(abs(me.at[0] - other.at[0]), abs(me.at[1] - other.at[1])) <= TRAP_DISTANCE:
            for text, action in actions.items():
                if wins_within(state, turn.seat, action, TRAP_ACTIONS):
                    return text
        shot = good_shot(turn, other.skips)
        if shot:
            return shot
        plan = next((plan for plan in plans if not loses(state, turn.seat, actions[plan.action])), plans[0])
        if plan.spare > 0:
            if "use grenade" in turn.legal and in_the_way(turn):
                turn.memory["mined"].add(me.at)
                return "use grenade"
            for item in ("pick charged", "pick disc", "pick grenade"):
                if item in turn.legal and not (item == "pick grenade" and me.at in turn.memory["mined"]):
                    return item
        return plan.action

    return act


def wins_within(state: State, seat: int, action: int, actions: int) -> bool:
    """The other is trapped after this action, or after it and so many more of the same turn."""
    after = state.clone()
    after.step([action, action])
    if after.over():
        return after.place(seat) == 1
    if actions == 1 or after.to_act() != 1 << seat:
        return False
    return any(wins_within(after, seat, further, actions - 1) for further in after.legal(seat))


def loses(state: State, seat: int, action: int) -> bool:
    """This action is the end: it leaves its own racer trapped."""
    after = state.clone()
    after.step([action, action])
    return after.over() and after.place(seat) != 1


def good_shot(turn: Turn, skips: int) -> str:
    """A throw that hits the other, unless he is to skip long enough already."""
    view = cast(View, turn.view)
    for throw in view.throws:
        action = f"use {throw.kind} {throw.direction}"
        if throw.hits == 1 - turn.seat and skips < 2 and action in turn.legal:
            return action
    return ""


def in_the_way(turn: Turn) -> bool:
    """The other's shortest way leads over this square, or nearly."""
    view = cast(View, turn.view)
    me, other = view.racers[turn.seat].at, view.racers[1 - turn.seat].at
    way = way_home(turn, 1 - turn.seat)
    ahead = way.get(other, FAR) - way.get(me, FAR)
    steps = max(abs(me[0] - other[0]), abs(me[1] - other[1]))
    return ahead > 0 and steps <= ahead + 1


BOTS = (
    RANDOM,
    BotKind("runner", "takes the shortest safe way and touches nothing", runner),
    BotKind("hunter", "plans its turn, sets traps, throws discs that hit, mines the other's way", hunter),
    TREE,
)
