"""Rowdy Racers' own bots, from easy to strong: random, runner, hunter, and the tree search."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import cast

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.games.racers.scene import STEPS, target
from turntile.games.racers.view import Square, View

FAR = 10_000


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
    """The shortest safe way: the move that leaves the least to go, counting what darkness costs."""
    view = cast(View, turn.view)
    here = view.racers[turn.seat].at
    way = way_home(turn, turn.seat)
    exits = {teleporter.at: teleporter.to for teleporter in view.teleporters}
    dark = {square.at: square.turns for square in view.dark}
    mined = turn.memory.setdefault("mined", set())
    best, least = "", float(FAR)
    for action in turn.legal:
        if action.startswith("move "):
            entered = target(here, action)
            landing = exits.get(entered, entered)
            cost = float(way.get(landing, FAR))
            if way.get(landing) != 0:
                # An unpowered square ends the turn, and costs an action more if it is still dark next time.
                wasted = view.actions_left - 1
                cost += 0.45 * wasted * (entered in dark or landing in dark)
                cost += 0.3 * (dark.get(landing, 0) == 3)
                cost += 4 * (entered in mined or landing in mined)
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
    """The shortest safe way to the other's start; it stops where going on would cost more than it gains."""

    def act(turn: Turn) -> str:
        return run(turn)

    return act


def run(turn: Turn) -> str:
    view = cast(View, turn.view)
    action, cost = best_move(turn)
    here = way_home(turn, turn.seat).get(view.racers[turn.seat].at, FAR)
    if view.may_end and (not action or cost > here + 0.5):
        return "end"
    return action


def hunter(argument: str) -> Bot:
    """Runs, but throws discs that hit, mines the other's way, and picks up what lies on its own."""

    def act(turn: Turn) -> str:
        view = cast(View, turn.view)
        me, other = view.racers[turn.seat], view.racers[1 - turn.seat]
        mine = way_home(turn, turn.seat).get(me.at, FAR)
        theirs = way_home(turn, 1 - turn.seat).get(other.at, FAR)
        shot = good_shot(turn, other.skips)
        if shot and not wins_now(turn):
            return shot
        if "use grenade" in turn.legal and in_the_way(turn) and mine > 1:
            turn.memory.setdefault("mined", set()).add(me.at)
            return "use grenade"
        if mine > 2 and theirs > 2:
            for item in ("pick charged", "pick disc", "pick grenade"):
                if item in turn.legal and not (item == "pick grenade" and me.at in turn.memory.get("mined", ())):
                    return item
        return run(turn)

    return act


def wins_now(turn: Turn) -> bool:
    action, cost = best_move(turn)
    return bool(action) and cost == 0


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
    BotKind("hunter", "runs, throws discs that hit and mines the other's way", hunter),
    TREE,
)
