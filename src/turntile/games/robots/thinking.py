"""For searching bots: the requests worth a thought, a playout's policy, and how a fight stands.

No rules: nothing here decides what is legal. `candidates` uses only what the seat itself knows;
the playout's policy plays in an imagined state and may look at all of it.
"""

from __future__ import annotations

from turntile.core.dice import Dice, below
from turntile.core.grid import opposite
from turntile.forge import i32, table
from turntile.games.robots.records import (
    ADD,
    CANNON,
    CAPACITY,
    DEPLOY,
    DEPLOYMENT,
    END,
    FEATURE_KIND,
    FEATURE_LEVEL,
    FEATURES,
    KINDS,
    MINE,
    MOVE,
    RADAR,
    RANGE_SIDE,
    SCAN,
    SCAN_SIDE,
    SEEN_CONTENT,
    SEEN_OBSTACLE,
    SEEN_ROBOT,
    START,
    WEAPON,
    Robot,
    Robots,
    area_start,
    distance,
    in_area,
    map_at,
    next_cell,
    sees_now,
    shot_at,
    side_of,
    slots_with,
    target_of,
)
from turntile.games.robots.requests import list_moves, list_shots, why_not_fire, why_not_mine, why_not_move

# Robots worth building, the levels of engine, radar, shield, weapon and extra of each.
PRESETS = 5
PRESET_PARTS = table(
    2, 2, 0, 1, 0,  # scout: engine2 radar2 gun
    1, 2, 1, 1, 0,  # ranger: engine1 radar2 shield1 gun
    2, 1, 0, 2, 0,  # brawler: engine2 radar1 cannon
    0, 2, 2, 1, 0,  # sentry: radar2 shield2 gun
    1, 2, 0, 1, 1,  # sapper: engine1 radar2 gun mines
)  # fmt: skip
SEARCHED_PRESET = 0  # the scout: played by our playouts it wins most against all robots there can be

LUCKY_SHOTS = 3  # of 64 at a foe that is in range but not in sight
GUN_RATE = 3  # points a turn
CANNON_RATE = 4


def preset_level(preset: int, kind: int) -> int:
    return PRESET_PARTS[KINDS * preset + kind]


def next_part(robot: Robot, preset: int) -> int:
    """The action that brings a robot nearer to a preset: a part, DEPLOY when it is there, -1 if it cannot be."""
    missing = -1
    for feature in range(FEATURES):
        kind = FEATURE_KIND[feature]
        if FEATURE_LEVEL[feature] == preset_level(preset, kind) and robot.parts[kind] != preset_level(preset, kind):
            if slots_with(robot, feature) <= CAPACITY:
                return ADD + feature
            missing = feature
    for kind in range(KINDS):
        if robot.parts[kind] != preset_level(preset, kind):
            return -1
    return DEPLOY if missing < 0 else -1


# ------------------------------------------------------------------------- candidates


def candidates(s: Robots, seat: int, out: list[i32]) -> int:
    """Look before anything else; search while nobody is seen; shoot what is seen, else where somebody may hide."""
    if s.phase == DEPLOYMENT:
        out[0] = worth_building(s, seat)
        return 1
    if not s.started:
        out[0] = START
        return 1
    robot = s.robots[seat]
    if robot.parts[RADAR] > 0 and not s.scanned:
        out[0] = SCAN
        return 1
    ready = why_not_fire(s, seat) == 0
    seen = count_seen_targets(s, seat) if ready else 0
    n = 0
    if ready and s.moves > 0 and not sees_a_robot(s, seat):
        n = list_searching_moves(s, seat, out)
    if n == 0:
        if seen == 0:
            out[n] = END
            n += 1
        n = list_moves(s, seat, out, n)
    if s.mining and seen == 0 and why_not_mine(s, seat) == 0:
        out[n] = MINE
        n += 1
    first = n
    last = list_shots(s, seat, out, n)
    for i in range(first, last):
        target = target_of(s, robot.cell, out[i])
        if worth_a_shot(s, seat, target, seen > 0):
            out[n] = out[i]
            n += 1
    return n


def worth_building(s: Robots, seat: int) -> int:
    """The next part of a robot that wins; a search over parts would only see what playouts make of them."""
    action = next_part(s.robots[seat], SEARCHED_PRESET)
    return action if action >= 0 else DEPLOY


def count_seen_targets(s: Robots, seat: int) -> int:
    """Others' robots seen in this turn, now in range."""
    robot = s.robots[seat]
    side = RANGE_SIDE[robot.parts[WEAPON]]
    n = 0
    for other in range(s.players):
        cell = s.robots[other].cell
        near = other != seat and s.robots[other].alive and in_area(s, robot.cell, side, cell)
        if near and sees_robot_now(s, seat, cell):
            n += 1
    return n


def sees_a_robot(s: Robots, seat: int) -> bool:
    """Another's robot was seen in this turn, in range or not."""
    found = False
    for other in range(s.players):
        if other != seat and s.robots[other].alive:
            found = found or sees_robot_now(s, seat, s.robots[other].cell)
    return found


def list_searching_moves(s: Robots, seat: int, out: list[i32]) -> int:
    """Who finds the other shoots first: steps from where the radar would show cells not seen in this turn."""
    robot = s.robots[seat]
    side = SCAN_SIDE[robot.parts[RADAR]]
    n = 0
    for direction in range(4):
        if why_not_move(s, seat, direction) == 0:
            cell = next_cell(s, robot.cell, direction)
            left = area_start(cell % s.width, side)
            top = area_start(cell // s.width, side)
            news = 0
            for y in range(max(top, 0), min(top + side, s.height)):
                for x in range(max(left, 0), min(left + side, s.width)):
                    if not sees_now(s, seat, y * s.width + x):
                        news += 1
            if news > 0:
                out[n] = MOVE + direction
                n += 1
    return n


def sees_robot_now(s: Robots, seat: int, cell: int) -> bool:
    return sees_now(s, seat, cell) and s.cells[map_at(s, seat) + cell] & SEEN_CONTENT == SEEN_ROBOT


def worth_a_shot(s: Robots, seat: int, target: int, seen: bool) -> bool:
    """A robot that is seen; if none is, a cell not in sight that is no obstacle."""
    if seen:
        return sees_robot_now(s, seat, target)
    content = s.cells[map_at(s, seat) + target] & SEEN_CONTENT
    return content != SEEN_OBSTACLE and not sees_now(s, seat, target)


# ------------------------------------------------------------------------- playouts


def rollout_action(s: Robots, seat: int, dice: Dice) -> int:
    """Shoot a foe in sight and range, go for one in sight, roam for one that is not; after the shot step back or stop.

    Nothing is scanned: what the radar covers counts as seen. A robot that sees nothing has half a
    nose for where its foe is, which is about what remembering and reasoning are worth.
    """
    if s.phase == DEPLOYMENT:
        return some_part(s, seat, dice)
    if not s.started:
        return START
    robot = s.robots[seat]
    draw = below(dice, 64)
    ready = why_not_fire(s, seat) == 0
    foe = s.robots[nearest_foe(s, seat)].cell
    seen = in_area(s, robot.cell, SCAN_SIDE[robot.parts[RADAR]], foe)
    if ready and in_area(s, robot.cell, RANGE_SIDE[robot.parts[WEAPON]], foe) and (seen or draw < LUCKY_SHOTS):
        return shot_at(s, robot.cell, foe)
    if s.moves == 0 or (not ready and draw < 32):
        return END
    way = draw & 3
    if seen:
        way = toward(s, robot.cell, foe, draw & 1)
        if not ready:
            way = opposite(way)
    elif draw & 4 != 0:
        way = toward(s, robot.cell, foe, draw & 1)
    if why_not_move(s, seat, way) == 0:
        return MOVE + way
    return step_or_end(s, seat, (draw >> 3) & 3)


def some_part(s: Robots, seat: int, dice: Dice) -> int:
    preset = below(dice, PRESETS if s.mining else PRESETS - 1)
    action = next_part(s.robots[seat], preset)
    return action if action >= 0 else DEPLOY


def nearest_foe(s: Robots, seat: int) -> int:
    """A living robot of another side; there is one as long as the match goes on."""
    best = -1
    nearest = 0
    mine = side_of(s, seat)
    for other in range(s.players):
        if s.robots[other].alive and side_of(s, other) != mine:
            far = distance(s, s.robots[seat].cell, s.robots[other].cell)
            if best < 0 or far < nearest:
                best = other
                nearest = far
    return best


def toward(s: Robots, cell: int, goal: int, prefer_rows: int) -> int:
    """A direction that brings one nearer to the goal."""
    across = goal % s.width - cell % s.width
    down = goal // s.width - cell // s.width
    if across == 0 or (down != 0 and prefer_rows == 1):
        return 2 if down > 0 else 0
    return 1 if across > 0 else 3


def step_or_end(s: Robots, seat: int, direction: int) -> int:
    return MOVE + direction if why_not_move(s, seat, direction) == 0 else END


# ------------------------------------------------------------------------- how it stands


def estimate(s: Robots, seat: int) -> int:
    """The own side's share of what all have left, HP by fire power."""
    total = 0
    own = 0
    mine = side_of(s, seat)
    for other in range(s.players):
        if s.robots[other].alive:
            worth = strength(s.robots[other])
            total += worth
            if side_of(s, other) == mine:
                own += worth
    return 1000 * own // total if total > 0 else 500


def strength(robot: Robot) -> int:
    """An unarmed robot can still hold out for a draw."""
    weapon = robot.parts[WEAPON]
    rate = 1 if weapon == 0 else CANNON_RATE if weapon == CANNON else GUN_RATE
    return robot.hp * (1 + rate)
