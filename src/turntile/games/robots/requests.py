"""Which requests are accepted, and why others are not (R2, R19). Nothing here changes anything."""

from __future__ import annotations

from turntile.forge import i32
from turntile.games.robots.records import (
    ADD,
    ALREADY_STARTED,
    BLOCKED,
    CAPACITY,
    CELL_MINED,
    DEPLOY,
    DEPLOYMENT,
    DEPLOYMENT_ENDED,
    DESTROYED_ROBOT,
    END,
    EXTRA,
    FEATURES,
    LOADING,
    MATCH_OVER,
    MAX_ACTIONS,
    MESSAGE_SENT,
    MINE,
    MINED,
    MINES,
    MOVE,
    NO_EXTRA,
    NO_MINES_LEFT,
    NO_MOVES_LEFT,
    NO_RADAR,
    NO_SUCH_ADDRESSEE,
    NO_SUCH_REQUEST,
    NO_SUCH_SEAT,
    NO_WEAPON,
    NOBODY_LISTENS,
    NOT_STARTED,
    NOT_YOUR_TURN,
    OUT_OF_CAPACITY,
    OUT_OF_RANGE,
    OVER,
    OWN_CELL,
    RADAR,
    RANGE_SIDE,
    SAY,
    SAY_ALL,
    SAY_TEAM,
    SCAN,
    SHOOT,
    SHOOT_FAR,
    SHOOT_OUTSIDE,
    SHOT_USED,
    START,
    STILL_DEPLOYING,
    TARGET_OUTSIDE,
    TO_ALL,
    TO_TEAM,
    WALL_AHEAD,
    WEAPON,
    WIDEST_RANGE,
    Robots,
    area_start,
    blocked,
    hearers,
    in_area,
    next_cell,
    slots_with,
    target_of,
)


def why_illegal(s: Robots, seat: int, action: int) -> int:
    """R19: the first reason that holds, 0 if none does."""
    if seat < 0 or seat >= s.players:
        return NO_SUCH_SEAT
    if action < 0 or action >= MAX_ACTIONS or switched_off(s, action):
        return NO_SUCH_REQUEST
    if s.phase == OVER:
        return MATCH_OVER
    if action == DEPLOY or ADD <= action < ADD + FEATURES:
        return why_not_deploy(s, seat, action)
    if s.phase == DEPLOYMENT:
        return STILL_DEPLOYING
    if not s.robots[seat].alive:
        return DESTROYED_ROBOT
    if s.turn_of != seat:
        return NOT_YOUR_TURN
    if action == START:
        return ALREADY_STARTED if s.started else 0
    if not s.started:
        return NOT_STARTED
    if action == END:
        return 0
    if action == SCAN:
        return NO_RADAR if s.robots[seat].parts[RADAR] == 0 else 0
    if action < MINE:
        return why_not_move(s, seat, action - MOVE)
    if action == MINE:
        return why_not_mine(s, seat)
    if action < ADD:
        return why_not_say(s, seat, address_of(action))
    return why_not_shoot(s, seat, action)


def switched_off(s: Robots, action: int) -> bool:
    """X8: a request of an option that is off is no request."""
    if action == MINE or action == ADD + MINES:
        return not s.mining
    if action == SAY_TEAM:
        return not s.messaging or s.teams == 0
    return SAY_ALL <= action < ADD and not s.messaging


def why_not_deploy(s: Robots, seat: int, action: int) -> int:
    """R4, R10, F1: before play only, until the seat ends it, and within the capacity."""
    robot = s.robots[seat]
    if s.phase != DEPLOYMENT or robot.deployed:
        return DEPLOYMENT_ENDED
    if not robot.alive:
        return DESTROYED_ROBOT
    if action != DEPLOY and slots_with(robot, action - ADD) > CAPACITY:
        return OUT_OF_CAPACITY
    return 0


def why_not_move(s: Robots, seat: int, direction: int) -> int:
    """R12: one step, over nothing that stands there; the reason does not tell what it is."""
    if s.moves == 0:
        return NO_MOVES_LEFT
    cell = next_cell(s, s.robots[seat].cell, direction)
    if cell < 0:
        return WALL_AHEAD
    return BLOCKED if blocked(s, cell) else 0


def why_not_fire(s: Robots, seat: int) -> int:
    """R1, F4: a weapon, this turn's shot, and a cannon that is loaded; whatever the target."""
    robot = s.robots[seat]
    if robot.parts[WEAPON] == 0:
        return NO_WEAPON
    if s.shot:
        return SHOT_USED
    return LOADING if robot.loading > 0 else 0


def why_not_shoot(s: Robots, seat: int, action: int) -> int:
    """R5, R13: a cell of the grid in range, and not the own one."""
    code = why_not_fire(s, seat)
    if code != 0:
        return code
    if action == SHOOT_OUTSIDE:
        return TARGET_OUTSIDE
    if action == SHOOT_FAR:
        return OUT_OF_RANGE
    robot = s.robots[seat]
    target = target_of(s, robot.cell, action)
    if target < 0:
        return TARGET_OUTSIDE
    if not in_area(s, robot.cell, RANGE_SIDE[robot.parts[WEAPON]], target):
        return OUT_OF_RANGE
    return OWN_CELL if target == robot.cell else 0


def why_not_mine(s: Robots, seat: int) -> int:
    """X3, X7: the extra, a mine left, this turn's shot, and one mine a cell."""
    robot = s.robots[seat]
    if robot.parts[EXTRA] == 0:
        return NO_EXTRA
    if robot.mines == 0:
        return NO_MINES_LEFT
    if s.shot:
        return SHOT_USED
    return CELL_MINED if s.cells[robot.cell] >= MINED else 0


def address_of(action: int) -> int:
    """Whom a SAY action addresses: a seat, TO_ALL or TO_TEAM."""
    if action == SAY_ALL:
        return TO_ALL
    return TO_TEAM if action == SAY_TEAM else action - SAY


def why_not_say(s: Robots, seat: int, address: int) -> int:
    """X2, X6: one message a turn, to somebody who is there to read it."""
    if s.sent:
        return MESSAGE_SENT
    if address < TO_ALL and address >= s.players:
        return NO_SUCH_ADDRESSEE
    return NOBODY_LISTENS if hearers(s, seat, address) == 0 else 0


def legal(s: Robots, seat: int, out: list[i32]) -> int:
    """The accepted requests in rising order; asks the same questions as `why_illegal`, each once."""
    if seat < 0 or seat >= s.players or s.phase == OVER:
        return 0
    if s.phase == DEPLOYMENT:
        return list_deployment(s, seat, out)
    if not s.robots[seat].alive or s.turn_of != seat:
        return 0
    if not s.started:
        out[0] = START
        return 1
    n = 0
    if s.robots[seat].parts[RADAR] > 0:
        out[n] = SCAN
        n += 1
    out[n] = END
    n += 1
    n = list_moves(s, seat, out, n)
    if s.mining and why_not_mine(s, seat) == 0:
        out[n] = MINE
        n += 1
    if s.messaging and not s.sent:
        for action in range(SAY_ALL, SAY + s.players):
            if not switched_off(s, action) and why_not_say(s, seat, address_of(action)) == 0:
                out[n] = action
                n += 1
    return list_shots(s, seat, out, n)


def list_deployment(s: Robots, seat: int, out: list[i32]) -> int:
    robot = s.robots[seat]
    if robot.deployed or not robot.alive:
        return 0
    out[0] = DEPLOY
    n = 1
    for feature in range(FEATURES if s.mining else MINES):
        if slots_with(robot, feature) <= CAPACITY:
            out[n] = ADD + feature
            n += 1
    return n


def list_moves(s: Robots, seat: int, out: list[i32], n: int) -> int:
    for direction in range(4):
        if why_not_move(s, seat, direction) == 0:
            out[n] = MOVE + direction
            n += 1
    return n


def list_shots(s: Robots, seat: int, out: list[i32], n: int) -> int:
    """All cells of the grid in range but the own one, row by row."""
    if why_not_fire(s, seat) != 0:
        return n
    robot = s.robots[seat]
    x = robot.cell % s.width
    y = robot.cell // s.width
    side = RANGE_SIDE[robot.parts[WEAPON]]
    left = area_start(x, side)
    top = area_start(y, side)
    for row in range(max(top, 0), min(top + side, s.height)):
        first = SHOOT + (row - area_start(y, WIDEST_RANGE)) * WIDEST_RANGE - area_start(x, WIDEST_RANGE)
        for column in range(max(left, 0), min(left + side, s.width)):
            if row != y or column != x:
                out[n] = first + column
                n += 1
    return n
