"""Robot fight: the rules, once, in forge's subset. The ids are those of RULES.md.

One step is one request: in deployment one of each seat that has not ended it, in play one of
the seat whose turn it is. The chapters: records.py (numbers and records), requests.py (what is
refused and why), ground.py (obstacles), fog.py (what a seat cannot know), thinking.py (for
searching bots). Nothing in play is random (R20).
"""

from __future__ import annotations

from turntile.core.events import forget_events, tell, tell_some
from turntile.forge import i32
from turntile.games.robots.fog import redeal
from turntile.games.robots.ground import lay_obstacles
from turntile.games.robots.records import (
    ADD,
    ADDED,
    ADDRESS,
    BARE,
    BEGAN,
    CANNON,
    DAMAGE,
    DEPLOY,
    DEPLOYED,
    DEPLOYMENT,
    DESTROYED,
    DREW,
    END,
    ENDED,
    EXTRA,
    FEATURE_KIND,
    FEATURE_LEVEL,
    HEARERS,
    HIT,
    HURT,
    KILLED,
    KINDS,
    LOADING_TURNS,
    MAX_ACTIONS,
    MAX_SEATS,
    MESSAGE_NUMBERS,
    MINE,
    MINE_DAMAGE,
    MINE_LAID,
    MINE_STRUCK,
    MINED,
    MINES_GIVEN,
    MISSED,
    MOVE,
    MOVED,
    NOT_FIRED,
    OBSTACLE,
    OVER,
    PLANES,
    PLAY,
    RADAR,
    SAID,
    SCAN,
    SCAN_SIDE,
    SCANNED,
    SEEN_CONTENT,
    SEEN_EMPTY,
    SEEN_MINE,
    SEEN_OBSTACLE,
    SEEN_ROBOT,
    SEEN_SELF,
    SEEN_TURN,
    SHOT,
    START,
    STARTED,
    WEAPON,
    WON,
    Robot,
    Robots,
    area,
    area_start,
    full_hp,
    hearers,
    last_side,
    map_at,
    messages_at,
    moves_of,
    next_cell,
    robot_at,
    side_of,
    start_cell,
    target_of,
    used_bytes,
)
from turntile.games.robots.requests import address_of, legal, why_illegal
from turntile.games.robots.thinking import candidates, estimate, rollout_action

__all__ = [
    "MAX_ACTIONS", "MAX_SEATS", "PLANES", "Robot", "Robots", "candidates", "default_action", "estimate", "legal",
    "observe", "over", "place", "redeal", "remove", "rollout_action", "score", "seats", "setup", "step", "to_act",
    "used_bytes", "why_illegal",
]  # fmt: skip

WIN_POINTS = 2
DRAW_POINTS = 1
OLDEST = 254  # turns since a sighting, as far as a learner is told


# ------------------------------------------------------------------------- set-up


def setup(s: Robots) -> None:
    """R7, F5: obstacles and starts; all robots are bare hulls that are still to be deployed."""
    lay_obstacles(s)
    s.phase = DEPLOYMENT
    for seat in range(s.players):
        robot = s.robots[seat]
        robot.cell = start_cell(s, seat)
        robot.alive = True
        robot.hp = full_hp(robot)
        robot.team = seat % s.teams if s.teams > 0 else 0


# ------------------------------------------------------------------------- who may do what


def seats(s: Robots) -> int:
    return s.players


def over(s: Robots) -> bool:
    return s.phase == OVER


def to_act(s: Robots) -> int:
    """R10, R11: all that still deploy, at the same time; then the seat whose turn it is."""
    if s.phase == PLAY:
        return 1 << s.turn_of
    bits = 0
    if s.phase == DEPLOYMENT:
        for seat in range(s.players):
            if s.robots[seat].alive and not s.robots[seat].deployed:
                bits |= 1 << seat
    return bits


def default_action(s: Robots, seat: int) -> int:
    """O1: silence ends the deployment; in play it starts the turn, and ends a started one."""
    if s.phase == DEPLOYMENT:
        return DEPLOY
    return END if s.started else START


# ------------------------------------------------------------------------- one request


def step(s: Robots, actions: list[i32]) -> None:
    forget_events(s.log)
    if s.phase == DEPLOYMENT:
        bits = to_act(s)
        for seat in range(s.players):
            if (bits >> seat) & 1 != 0:
                deploy(s, seat, actions[seat])
        begin_when_all_are_deployed(s)
    else:
        obey(s, s.turn_of, actions[s.turn_of])


def deploy(s: Robots, seat: int, action: int) -> None:
    """R10, F1: a feature takes the place of the one of its kind; or the deployment ends."""
    robot = s.robots[seat]
    if action == DEPLOY:
        robot.deployed = True
        tell(s.log, DEPLOYED, seat)
    else:
        kind = FEATURE_KIND[action - ADD]
        robot.parts[kind] = FEATURE_LEVEL[action - ADD]
        robot.hp = full_hp(robot)
        if kind == EXTRA:
            robot.mines = MINES_GIVEN
        tell_some(s.log, 1 << seat, ADDED, seat, action - ADD)


def begin_when_all_are_deployed(s: Robots) -> None:
    """R4, R10: play begins when every seat has ended its deployment; the first to join begins (F5)."""
    if s.phase == DEPLOYMENT and to_act(s) == 0:
        s.phase = PLAY
        tell(s.log, BEGAN)
        s.turn_of = s.players - 1
        pass_turn(s)


def obey(s: Robots, seat: int, action: int) -> None:
    """R2: the requests of a turn."""
    if action == START:
        start_turn(s, seat)
    elif action == END:
        end_turn(s)
    elif action == SCAN:
        scan(s, seat)
    elif action < MINE:
        move(s, seat, action - MOVE)
    elif action == MINE:
        lay_mine(s, seat)
    elif action < ADD:
        say(s, seat, address_of(action))
    else:
        shoot(s, seat, target_of(s, s.robots[seat].cell, action))


def start_turn(s: Robots, seat: int) -> None:
    """R11: the engine's moves and one shot. R14: loading counts own turns started."""
    robot = s.robots[seat]
    s.started = True
    s.moves = moves_of(robot)
    robot.turns += 1
    if robot.loading > 0:
        robot.loading -= 1
    tell(s.log, STARTED, seat)


def end_turn(s: Robots) -> None:
    """R11: what is left lapses. R16: the limit counts the ended turns of all."""
    forget_turn(s)
    s.ended += 1
    tell(s.log, ENDED, s.turn_of, s.ended)
    if s.ended >= s.limit:
        s.phase = OVER
        tell(s.log, DREW)
    else:
        pass_turn(s)


def forget_turn(s: Robots) -> None:
    s.started = False
    s.moves = 0
    s.shot = False
    s.scanned = False
    s.sent = False
    s.aimed = 0
    s.struck = NOT_FIRED


def pass_turn(s: Robots) -> None:
    """R11: round in joining order, past the destroyed ones."""
    seat = s.turn_of
    for _ in range(s.players):
        seat = seat + 1 if seat + 1 < s.players else 0
        if s.robots[seat].alive:
            break
    s.turn_of = seat


def scan(s: Robots, seat: int) -> None:
    """F2, F3, R18: each cell of the area as it is now, and when that was; X7: mines beside it."""
    robot = s.robots[seat]
    side = SCAN_SIDE[robot.parts[RADAR]]
    left = area_start(robot.cell % s.width, side)
    top = area_start(robot.cell // s.width, side)
    base = map_at(s, seat)
    now = SEEN_TURN * s.ended
    for y in range(max(top, 0), min(top + side, s.height)):
        for cell in range(y * s.width + max(left, 0), y * s.width + min(left + side, s.width)):
            ground = s.cells[cell]
            if ground == BARE:
                s.cells[base + cell] = now + SEEN_EMPTY
            elif ground == OBSTACLE:
                s.cells[base + cell] = now + SEEN_OBSTACLE
            else:
                s.cells[base + cell] = now + SEEN_EMPTY + SEEN_MINE
    for other in range(s.players):
        if s.robots[other].alive:
            cell = s.robots[other].cell
            x = cell % s.width
            y = cell // s.width
            if left <= x < left + side and top <= y < top + side:
                mine = s.cells[base + cell] & SEEN_MINE
                s.cells[base + cell] = now + mine + (SEEN_SELF if other == seat else SEEN_ROBOT)
    s.scanned = True
    tell_some(s.log, 1 << seat, SCANNED, seat, robot.cell, side)


def move(s: Robots, seat: int, direction: int) -> None:
    """R12: one step."""
    robot = s.robots[seat]
    robot.cell = next_cell(s, robot.cell, direction)
    s.moves -= 1
    s.scanned = False
    tell_some(s.log, 1 << seat, MOVED, seat, robot.cell, direction)
    if s.cells[robot.cell] >= MINED:
        set_off_mine(s, seat)


def set_off_mine(s: Robots, seat: int) -> None:
    """X7: it goes off once under who enters, its owner included; a destroyed one's turn ends and counts."""
    robot = s.robots[seat]
    owner = s.cells[robot.cell] - MINED
    s.cells[robot.cell] = BARE
    hp = max(0, robot.hp - MINE_DAMAGE)
    tell_some(s.log, 1 << seat, MINE_STRUCK, seat, robot.cell, hp)
    if owner != seat:
        s.robots[owner].dealt += MINE_DAMAGE  # its owner sees that the mine is gone
    robot.hp = hp
    if hp == 0:
        destroy(s, seat)
        finish_turn_of_the_destroyed(s)


def finish_turn_of_the_destroyed(s: Robots) -> None:
    """X7, R15: the turn counts, but a last side that is left has won, also in the last turn (R16)."""
    if s.phase == OVER:
        s.ended += 1
        forget_turn(s)
    else:
        end_turn(s)


def shoot(s: Robots, seat: int, target: int) -> None:
    """F4, F6, R13: only the target counts; the shooter learns whether a robot was hit, no more."""
    robot = s.robots[seat]
    weapon = robot.parts[WEAPON]
    victim = robot_at(s, target)
    s.shot = True
    s.aimed = target
    s.struck = MISSED
    if weapon == CANNON:
        robot.loading = LOADING_TURNS  # R14: a miss unloads it too
    tell_some(s.log, 1 << seat, SHOT, seat, target, 1 if victim >= 0 else 0)
    if victim >= 0:
        s.struck = HIT
        robot.dealt += DAMAGE[weapon]
        robot.hit_cell = 1 + target
        robot.hit_turn = s.ended
        hurt(s, victim, weapon)


def hurt(s: Robots, victim: int, weapon: int) -> None:
    """R5: HP never goes below 0. R13: the one hit sees its HP, not who shot or from where."""
    robot = s.robots[victim]
    robot.felt |= 1 << (weapon - 1)
    robot.hp = max(0, robot.hp - DAMAGE[weapon])
    tell_some(s.log, 1 << victim, HURT, victim, DAMAGE[weapon], robot.hp)
    if robot.hp == 0:
        s.struck = KILLED
        destroy(s, victim)


def destroy(s: Robots, seat: int) -> None:
    """R4: its cell is empty at once. R15: with one side left the match is over in mid-turn."""
    robot = s.robots[seat]
    robot.alive = False
    robot.hp = 0
    robot.cell = -1
    tell(s.log, DESTROYED, seat)
    side = last_side(s)
    if side >= 0:
        s.phase = OVER
        tell(s.log, WON, side)


def remove(s: Robots, seat: int) -> None:
    """R20: a seat that the platform takes away is destroyed, and its turn ends."""
    if s.phase == OVER or not s.robots[seat].alive:
        return
    destroy(s, seat)
    if s.phase == DEPLOYMENT:
        begin_when_all_are_deployed(s)
    elif s.turn_of == seat:
        finish_turn_of_the_destroyed(s)


def lay_mine(s: Robots, seat: int) -> None:
    """X7: on the own cell, for this turn's shot; the loading is left alone."""
    robot = s.robots[seat]
    s.cells[robot.cell] = MINED + seat
    robot.mines -= 1
    s.shot = True
    tell_some(s.log, 1 << seat, MINE_LAID, seat, robot.cell)


def say(s: Robots, seat: int, address: int) -> None:
    """X6: who, to whom and when; the text travels beside the request and is none of the rules' business."""
    bits = hearers(s, seat, address)
    at = messages_at(s) + MESSAGE_NUMBERS * s.messages
    s.cells[at] = seat + ADDRESS * address + HEARERS * bits
    s.cells[at + 1] = s.ended
    s.messages += 1
    s.sent = True
    tell_some(s.log, bits | (1 << seat), SAID, seat, address, s.ended)


# ------------------------------------------------------------------------- the outcome


def place(s: Robots, seat: int) -> int:
    """X1, X5: the last side alive wins, with all its members; R16: without a winner all draw."""
    if s.phase != OVER:
        return 0
    winner = last_side(s)
    return 1 if winner < 0 or side_of(s, seat) == winner else 2


def score(s: Robots, seat: int) -> int:
    """O2: two points for a win, one for a draw."""
    if s.phase != OVER:
        return 0
    if last_side(s) < 0:
        return DRAW_POINTS
    return WIN_POINTS if place(s, seat) == 1 else 0


# ------------------------------------------------------------------------- for learners


def observe(s: Robots, seat: int, out: bytearray) -> None:
    """R17, R18: the seat's own sightings, its own robot and mines, and figures of the status."""
    size = area(s)
    for at in range(PLANES * size):
        out[at] = 0
    base = map_at(s, seat)
    for cell in range(size):
        seen = s.cells[base + cell]
        content = seen & SEEN_CONTENT
        if content == SEEN_OBSTACLE:
            out[size + cell] = 1
        elif content == SEEN_ROBOT:
            out[2 * size + cell] = 1
        elif seen != 0:
            out[cell] = 1
        if seen & SEEN_MINE != 0:
            out[3 * size + cell] = 1
        if seen != 0:
            out[4 * size + cell] = 1 + min(OLDEST, s.ended - seen // SEEN_TURN)
        if s.cells[cell] == MINED + seat:
            out[5 * size + cell] = 1
    robot = s.robots[seat]
    if robot.alive:
        out[6 * size + robot.cell] = robot.hp
    observe_figures(s, seat, out, 7 * size)


def observe_figures(s: Robots, seat: int, out: bytearray, at: int) -> None:
    """The phase, this turn, the own parts, who is alive and who has deployed, a number a cell."""
    mine = s.phase == PLAY and s.turn_of == seat
    robot = s.robots[seat]
    out[at] = s.phase
    out[at + 1] = s.turn_of
    out[at + 2] = 1 if s.started else 0
    out[at + 3] = s.moves if mine else 0
    out[at + 4] = 1 if mine and s.shot else 0
    out[at + 5] = 1 if mine and s.sent else 0
    out[at + 6] = robot.loading
    out[at + 7] = robot.mines
    for kind in range(KINDS):
        out[at + 8 + kind] = robot.parts[kind]
    for other in range(s.players):
        out[at + 16 + other] = 1 if s.robots[other].alive else 0
        out[at + 24 + other] = 1 if s.robots[other].deployed else 0
        out[at + 32 + other] = 1 + s.robots[other].team if s.teams > 0 else 0
    out[at + 40] = s.ended & 255
    out[at + 41] = s.ended >> 8
    out[at + 42] = seat
