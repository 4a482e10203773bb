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
    distance,
    in_area,
    map_at,
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
SEARCHED_PRESETS = 3  # the first of them, which win most against all robots there can be

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


def on_the_way_to(robot: Robot, preset: int) -> bool:
    """What is installed belongs to the preset."""
    for kind in range(KINDS):
        if robot.parts[kind] != 0 and robot.parts[kind] != preset_level(preset, kind):
            return False
    return True


# ------------------------------------------------------------------------- candidates


def candidates(s: Robots, seat: int, out: list[i32]) -> int:
    """Look before anything else; shoot what is seen, else where somebody may hide; do not stop while one can shoot."""
    if s.phase == DEPLOYMENT:
        return list_presets(s, seat, out)
    if not s.started:
        out[0] = START
        return 1
    robot = s.robots[seat]
    if robot.parts[RADAR] > 0 and not s.scanned:
        out[0] = SCAN
        return 1
    seen = 0
    if why_not_fire(s, seat) == 0:
        seen = count_seen_targets(s, seat)
    n = 0
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


def list_presets(s: Robots, seat: int, out: list[i32]) -> int:
    """The next part of each preset that nothing has to be replaced for, in rising order."""
    robot = s.robots[seat]
    n = 0
    for action in range(DEPLOY, ADD + FEATURES):
        for preset in range(SEARCHED_PRESETS):
            wanted = on_the_way_to(robot, preset) and next_part(robot, preset) == action
            if wanted and (n == 0 or out[n - 1] != action):
                out[n] = action
                n += 1
    if n == 0:
        out[0] = DEPLOY
        n = 1
    return n


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
