"""Robot fight's numbers and records, and the questions that need nothing else. Ids as in RULES.md.

Cells are counted row by row from the top left (R9). The board and what every seat has seen of
it lie in one array at the end of the record, packed to the size in use, so that a small match
is a small state: first the ground, then a map of sightings for each seat, then the messages.
"""

from __future__ import annotations

from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.forge import i16, i32, many, record, table, u8

MAX_SEATS = 8
MIN_SIDE = 10
MAX_SIDE = 50
MAX_AREA = MAX_SIDE * MAX_SIDE
MAX_TURNS = 2000  # a sighting has eleven bits for the number of turns ended
PLANES = 8

# Phases.
DEPLOYMENT = 0
PLAY = 1
OVER = 2

# Maps (R7, X4).
STANDARD = 0
EMPTY_MAP = 1
RANDOM_MAP = 2
STANDARD_X = table(3, 3, 3, 6, 6, 6)
STANDARD_Y = table(1, 2, 3, 6, 7, 8)
DRAWS_PER_OBSTACLE = 8  # X4: at most one cell in six becomes an obstacle; we try one in eight

# Kinds of features; a robot has one level of each, 0 for none.
ENGINE = 0
RADAR = 1
SHIELD = 2
WEAPON = 3
EXTRA = 4
KINDS = 5
GUN = 1
CANNON = 2

# Features by number: engine1-3, radar1-3, shield1-3, gun, cannon, mines.
FEATURES = 12
MINES = 11
FEATURE_KIND = table(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4)
FEATURE_LEVEL = table(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 1)

# What a level of a kind takes and gives.
CAPACITY = 10
SLOTS = table(0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 0, 0, 2, 0, 0)  # 4 * kind + level
MOVES = table(0, 2, 4, 6)
SCAN_SIDE = table(0, 3, 6, 12)
SHIELD_HP = table(0, 2, 4, 8)
RANGE_SIDE = table(0, 6, 3)
DAMAGE = table(0, 3, 8)
MOST_MOVES = 6
WIDEST_RANGE = 6
HULL_HP = 10
LOADING_TURNS = 2  # F4: fired in own turn t, again in t + 2
MINES_GIVEN = 3
MINE_DAMAGE = 4

# Actions.
START = 0
SCAN = 1
END = 2
DEPLOY = 3
MOVE = 4  # + direction
MINE = 8
SAY_ALL = 9
SAY_TEAM = 10
SAY = 11  # + seat
ADD = 19  # + feature
SHOOT = 31  # + place in the widest range's square around the shooter, row by row
SHOOT_FAR = 67  # a cell of the grid that no weapon reaches from here
SHOOT_OUTSIDE = 68
MAX_ACTIONS = 69

# Why a request is refused, in the order of R19: the first that holds.
NO_SUCH_SEAT = 1
NO_SUCH_REQUEST = 2
MATCH_OVER = 3
STILL_DEPLOYING = 4
DEPLOYMENT_ENDED = 5
DESTROYED_ROBOT = 6
NOT_YOUR_TURN = 7
NOT_STARTED = 8
ALREADY_STARTED = 9
OUT_OF_CAPACITY = 10
NO_RADAR = 11
NO_MOVES_LEFT = 12
WALL_AHEAD = 13
BLOCKED = 14
NO_WEAPON = 15
SHOT_USED = 16
LOADING = 17
TARGET_OUTSIDE = 18
OUT_OF_RANGE = 19
OWN_CELL = 20
NO_EXTRA = 21
NO_MINES_LEFT = 22
CELL_MINED = 23
MESSAGE_SENT = 24
NO_SUCH_ADDRESSEE = 25
NOBODY_LISTENS = 26

# What happened.
ADDED = 1  # seat, feature
DEPLOYED = 2  # seat
BEGAN = 3
STARTED = 4  # seat
SCANNED = 5  # seat, cell, side of the area
MOVED = 6  # seat, cell, direction
SHOT = 7  # seat, cell, whether a robot was hit
HURT = 8  # seat, points, HP left
MINE_LAID = 9  # seat, cell
MINE_STRUCK = 10  # seat, cell, HP left
DESTROYED = 11  # seat
SAID = 12  # sender, address, turns ended
ENDED = 13  # seat, turns ended by now
WON = 14  # team
DREW = 15

# The ground of a cell; a mine is MINED + its owner's seat.
BARE = 0
OBSTACLE = 1
MINED = 2

# What a seat has seen of a cell: content, SEEN_MINE, and SEEN_TURN * turns ended then; 0 is never.
SEEN_EMPTY = 1
SEEN_OBSTACLE = 2
SEEN_ROBOT = 3
SEEN_SELF = 4
SEEN_CONTENT = 7  # mask
SEEN_MINE = 8
SEEN_TURN = 16

# What became of this turn's shot.
NOT_FIRED = 0
MISSED = 1
HIT = 2
KILLED = 3

# A message: sender, ADDRESS * whom, HEARERS * bit set of seats; and beside it the turns ended.
TO_ALL = 8
TO_TEAM = 9
ADDRESS = 8
HEARERS = 128
MESSAGE_NUMBERS = 2

FIXED_BYTES = 290  # where `cells` begins; a test holds it against the layout
CELL_BYTES = 2


@record
class Robot:
    cell: i16  # -1 when destroyed
    turns: i16  # own turns started
    dealt: i16  # points it knows to have dealt
    hit_cell: i16  # 1 + the cell of its last hit
    hit_turn: i16  # turns ended then
    hp: u8
    team: u8
    parts: bytearray = many(KINDS)  # level of each kind
    loading: u8  # own turns until the cannon is loaded
    mines: u8  # left to lay
    felt: u8  # bit set of the weapons it was hit by
    deployed: bool
    alive: bool


@record
class Robots:
    width: i32
    height: i32
    dice: Dice
    limit: i16  # R8: turns of all seats together
    ended: i16  # turns ended
    messages: i16  # sent so far
    aimed: i16  # cell of this turn's shot
    players: u8
    teams: u8  # 0: each for itself
    map: u8
    messaging: bool  # X2
    mining: bool  # X3
    phase: u8
    turn_of: u8
    moves: u8  # left in this turn
    struck: u8  # what this turn's shot did
    started: bool
    shot: bool  # this turn's shot is used
    scanned: bool  # from where the robot stands now, in this turn
    sent: bool  # this turn's message is sent
    robots: list[Robot] = many(MAX_SEATS)
    # ground, then a map per seat, each width * height; then the messages
    cells: list[i16] = many((MAX_SEATS + 1) * MAX_AREA + MESSAGE_NUMBERS * MAX_TURNS)
    log: Log


def used_bytes(s: Robots) -> int:
    """How many bytes of the position are in use; all behind them, up to the log, are zero."""
    return FIXED_BYTES + CELL_BYTES * (messages_at(s) + MESSAGE_NUMBERS * s.messages)


# ------------------------------------------------------------------------- where things lie


def area(s: Robots) -> int:
    return s.width * s.height


def map_at(s: Robots, seat: int) -> int:
    """Where the sightings of a seat begin in `cells`."""
    return (seat + 1) * area(s)


def messages_at(s: Robots) -> int:
    return (s.players + 1) * area(s)


def start_cell(s: Robots, seat: int) -> int:
    """F5, X4: corners first, then the middles of the sides."""
    right = s.width - 1
    bottom = (s.height - 1) * s.width
    if seat == 0:
        return 0
    if seat == 1:
        return bottom + right
    if seat == 2:
        return right
    if seat == 3:
        return bottom
    if seat == 4:
        return s.width // 2
    if seat == 5:
        return bottom + right - s.width // 2
    if seat == 6:
        return (s.height // 2) * s.width
    return (s.height - 1 - s.height // 2) * s.width + right


def distance(s: Robots, a: int, b: int) -> int:
    """Steps between two cells if nothing is in the way."""
    return abs(a % s.width - b % s.width) + abs(a // s.width - b // s.width)


def next_cell(s: Robots, cell: int, direction: int) -> int:
    """R9: the cell one step on, or -1 outside the grid. Directions clockwise from up."""
    x = cell % s.width
    if direction == 0:
        return cell - s.width if cell >= s.width else -1
    if direction == 1:
        return cell + 1 if x + 1 < s.width else -1
    if direction == 2:
        return cell + s.width if cell + s.width < area(s) else -1
    return cell - 1 if x > 0 else -1


def robot_at(s: Robots, cell: int) -> int:
    """The seat of the robot on a cell, or -1."""
    for seat in range(s.players):
        if s.robots[seat].cell == cell and s.robots[seat].alive:
            return seat
    return -1


def blocked(s: Robots, cell: int) -> bool:
    """Robots cannot move over obstacles or robots."""
    return s.cells[cell] == OBSTACLE or robot_at(s, cell) >= 0


def area_start(centre: int, side: int) -> int:
    """F2: the first coordinate of an area around one; `side` coordinates from there belong to it."""
    return centre - side // 2


def in_area(s: Robots, cell: int, side: int, target: int) -> bool:
    """F2: whether a target lies in the area of that side around a cell."""
    left = area_start(cell % s.width, side)
    top = area_start(cell // s.width, side)
    return left <= target % s.width < left + side and top <= target // s.width < top + side


def target_of(s: Robots, cell: int, action: int) -> int:
    """The cell that a SHOOT action means from a cell, or -1 outside the grid."""
    place = action - SHOOT
    x = area_start(cell % s.width, WIDEST_RANGE) + place % WIDEST_RANGE
    y = area_start(cell // s.width, WIDEST_RANGE) + place // WIDEST_RANGE
    if x < 0 or y < 0 or x >= s.width or y >= s.height:
        return -1
    return y * s.width + x


def shot_at(s: Robots, cell: int, target: int) -> int:
    """The SHOOT action that means a target from a cell, or SHOOT_FAR."""
    if not in_area(s, cell, WIDEST_RANGE, target):
        return SHOOT_FAR
    column = target % s.width - area_start(cell % s.width, WIDEST_RANGE)
    row = target // s.width - area_start(cell // s.width, WIDEST_RANGE)
    return SHOOT + row * WIDEST_RANGE + column


# ------------------------------------------------------------------------- a robot's parts


def slots_of(kind: int, level: int) -> int:
    return SLOTS[4 * kind + level]


def slots_used(robot: Robot) -> int:
    used = 0
    for kind in range(KINDS):
        used += slots_of(kind, robot.parts[kind])
    return used


def slots_with(robot: Robot, feature: int) -> int:
    """F1: the capacity with a feature in place of the one of its kind."""
    kind = FEATURE_KIND[feature]
    return slots_used(robot) - slots_of(kind, robot.parts[kind]) + slots_of(kind, FEATURE_LEVEL[feature])


def full_hp(robot: Robot) -> int:
    return HULL_HP + SHIELD_HP[robot.parts[SHIELD]]


def moves_of(robot: Robot) -> int:
    return MOVES[robot.parts[ENGINE]]


# ------------------------------------------------------------------------- who is there


def side_of(s: Robots, seat: int) -> int:
    """Whom a seat fights for: its team, or itself."""
    return s.robots[seat].team if s.teams > 0 else seat


def last_side(s: Robots) -> int:
    """R15, X5: the only side with a living robot, or -1 while there are several."""
    found = -1
    for seat in range(s.players):
        if s.robots[seat].alive:
            side = side_of(s, seat)
            if found >= 0 and side != found:
                return -1
            found = side
    return found


def hearers(s: Robots, sender: int, address: int) -> int:
    """X6: the bit set of those a message reaches: living others, all of them, one, or of the team."""
    bits = 0
    for seat in range(s.players):
        if seat != sender and s.robots[seat].alive:
            team_mate = s.robots[seat].team == s.robots[sender].team
            addressed = team_mate if address == TO_TEAM else address == seat
            if address == TO_ALL or addressed:
                bits |= 1 << seat
    return bits


def sees_now(s: Robots, seat: int, cell: int) -> bool:
    """The cell was scanned in the turn that is still going on."""
    seen = s.cells[map_at(s, seat) + cell]
    return seen != 0 and seen // SEEN_TURN == s.ended
