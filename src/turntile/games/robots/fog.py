"""Redeal: everything a seat cannot know, drawn anew (R17, R18, O3).

What a seat knows: its own robot, mines and messages; who is alive, who has deployed, whose
turn it is; what its scans showed; what its shots hit; by what it was hit; and, while it may
move, which of the four cells beside it are blocked (asking is free, R12). A sighting of the
turn going on still holds. An older one tells of obstacles for good, and of a robot how far
off it can be by now. Two states that look alike to the seat are redealt alike: the truth is
read here only where the seat knows it.
"""

from __future__ import annotations

from turntile.core.dice import below, reseed
from turntile.forge import i32, i32s, u8s
from turntile.games.robots.ground import may_stand_at
from turntile.games.robots.records import (
    ADDRESS,
    BARE,
    CANNON,
    CAPACITY,
    DEPLOYMENT,
    DRAWS_PER_OBSTACLE,
    ENGINE,
    EXTRA,
    GUN,
    HEARERS,
    HIT,
    HULL_HP,
    KINDS,
    LOADING_TURNS,
    MAX_AREA,
    MAX_SEATS,
    MESSAGE_NUMBERS,
    MINED,
    MINES_GIVEN,
    MISSED,
    MOVES,
    NOT_FIRED,
    OBSTACLE,
    PLAY,
    RANDOM_MAP,
    SEEN_CONTENT,
    SEEN_MINE,
    SEEN_OBSTACLE,
    SEEN_ROBOT,
    SEEN_TURN,
    SHIELD,
    SHIELD_HP,
    WEAPON,
    Robot,
    Robots,
    area,
    blocked,
    distance,
    full_hp,
    map_at,
    messages_at,
    moves_of,
    next_cell,
    robot_at,
    sees_now,
    slots_of,
    start_cell,
)

# What the seat knows of a cell, as far as other robots go.
POSSIBLE = 0  # one may be there
IMPOSSIBLE = 1
CERTAIN = 2  # one is there
BUMPED = 3  # something is there, a robot or an obstacle
CLEAR = 4  # nothing is there, not even an obstacle
MISSED_AT = 5  # no robot is there; an obstacle may be
STONE = 6  # an obstacle is there

STRONGEST_ENGINE = 3


def redeal(s: Robots, seat: int) -> None:
    fate = u8s(MAX_AREA)
    if s.phase != DEPLOYMENT:
        find_what_is_certain(s, seat, fate)
    forget_what_others_know(s, seat)
    forget_unheard_messages(s, seat)
    if s.phase == DEPLOYMENT:
        for other in range(s.players):
            if other != seat:
                draw_parts(s, s.robots[other], 0, 0, 0, False)
                if not s.robots[other].alive:
                    s.robots[other].hp = 0
    else:
        deal_robots(s, seat, fate)
    reseed(s.dice)


# ------------------------------------------------------------------------- what is known


def find_what_is_certain(s: Robots, seat: int, fate: bytearray) -> None:
    """From the scans and the shot of the turn going on, and the cells a step would meet."""
    base = map_at(s, seat)
    for cell in range(area(s)):
        content = s.cells[base + cell] & SEEN_CONTENT
        if content == SEEN_OBSTACLE:
            fate[cell] = IMPOSSIBLE
        elif sees_now(s, seat, cell):
            # A robot seen in this turn is still there, unless this seat has destroyed it: known too.
            fate[cell] = CERTAIN if content == SEEN_ROBOT and other_at(s, seat, cell) else IMPOSSIBLE
        elif s.map != RANDOM_MAP and s.cells[cell] == OBSTACLE:
            fate[cell] = IMPOSSIBLE  # fixed maps are in the rulebook
    if s.phase == PLAY and s.turn_of == seat and s.started:
        if s.struck != NOT_FIRED and fate[s.aimed] == POSSIBLE:
            fate[s.aimed] = CERTAIN if s.struck == HIT else MISSED_AT if s.struck == MISSED else CLEAR
        if s.moves > 0:
            find_bumps(s, seat, fate)
    if s.robots[seat].alive:
        fate[s.robots[seat].cell] = IMPOSSIBLE


def other_at(s: Robots, seat: int, cell: int) -> bool:
    found = robot_at(s, cell)
    return found >= 0 and found != seat


def find_bumps(s: Robots, seat: int, fate: bytearray) -> None:
    """R12: a refused step is free, so the seat can know which of the four cells are blocked."""
    for direction in range(4):
        cell = next_cell(s, s.robots[seat].cell, direction)
        if cell >= 0 and fate[cell] == MISSED_AT:
            fate[cell] = STONE if blocked(s, cell) else CLEAR
        elif cell >= 0 and fate[cell] == POSSIBLE:
            never_seen = s.cells[map_at(s, seat) + cell] == 0
            if not blocked(s, cell):
                fate[cell] = CLEAR
            elif never_seen and s.map == RANDOM_MAP:
                fate[cell] = BUMPED
            else:
                fate[cell] = CERTAIN


def forget_what_others_know(s: Robots, seat: int) -> None:
    size = area(s)
    for other in range(s.players):
        if other != seat:
            base = map_at(s, other)
            for cell in range(size):
                s.cells[base + cell] = 0
            robot = s.robots[other]
            robot.dealt = 0
            robot.hit_cell = 0
            robot.hit_turn = 0
            robot.felt = 0


def forget_unheard_messages(s: Robots, seat: int) -> None:
    """X6: a message is known to who sent it and to those it reached."""
    base = messages_at(s)
    kept = 0
    for number in range(s.messages):
        at = base + MESSAGE_NUMBERS * number
        message = s.cells[at]
        turn = s.cells[at + 1]
        s.cells[at] = 0
        s.cells[at + 1] = 0
        if message % ADDRESS == seat or (message // HEARERS >> seat) & 1 != 0:
            s.cells[base + MESSAGE_NUMBERS * kept] = message
            s.cells[base + MESSAGE_NUMBERS * kept + 1] = turn
            kept += 1
    s.messages = kept


# ------------------------------------------------------------------------- where the others are


def deal_robots(s: Robots, seat: int, fate: bytearray) -> None:
    """Those that are seen first, then the obstacles, the mines, and the others anywhere they can be."""
    sight = i32s(4)  # the last sighting and the last hit of the only other robot: cell, turns since
    find_last_sightings(s, seat, sight)
    holder = i32s(MAX_AREA)  # of a cell with a robot for certain: 1 + who it is
    settle_bumps(s, seat, fate, holder, sight)
    lift_unseen_mines(s, seat)
    draw_obstacles(s, seat, fate)
    owned = u8s(MAX_SEATS)  # mines a robot is dealt
    deal_mines(s, seat, fate, holder, owned)
    weapons = u8s(MAX_SEATS)
    blame_for_hits(s, seat, weapons)
    for other in range(s.players):
        if other != seat:
            s.robots[other].cell = -1
    for cell in range(area(s)):
        if holder[cell] > 0:
            deal_seen_robot(s, seat, holder[cell] - 1, cell, weapons, owned, sight)
    for other in range(s.players):
        if other != seat and s.robots[other].cell < 0:
            deal_unseen_robot(s, seat, other, fate, weapons, owned, sight)
    deal_turn(s, seat)


def find_last_sightings(s: Robots, seat: int, sight: list[i32]) -> None:
    """With one other robot a sighting tells who it was. Turns since -1: none."""
    sight[1] = -1
    sight[3] = -1
    if s.players != 2:
        return
    base = map_at(s, seat)
    latest = -1
    for cell in range(area(s)):
        seen = s.cells[base + cell]
        if seen & SEEN_CONTENT == SEEN_ROBOT and seen // SEEN_TURN > latest:
            latest = seen // SEEN_TURN
            sight[0] = cell
    if latest >= 0:
        sight[1] = (s.ended - latest + 1) // 2
    robot = s.robots[seat]
    if robot.hit_cell > 0:
        sight[2] = robot.hit_cell - 1
        sight[3] = (s.ended - robot.hit_turn + 1) // 2


def could_be_at(s: Robots, other: int, cell: int, engine: int, sight: list[i32]) -> bool:
    """With that engine it can have come there from its start, and from where it was seen or hit."""
    steps = MOVES[engine]
    if distance(s, start_cell(s, other), cell) > steps * s.robots[other].turns:
        return False
    if sight[1] >= 0 and distance(s, sight[0], cell) > steps * sight[1]:
        return False
    return sight[3] < 0 or distance(s, sight[2], cell) <= steps * sight[3]


def settle_bumps(s: Robots, seat: int, fate: bytearray, holder: list[i32], sight: list[i32]) -> None:
    """What stands beside the seat unseen: mostly an obstacle, sometimes a robot if one can be there."""
    must = i32s(MAX_SEATS)
    count = 0
    others = 0
    for other in range(s.players):
        if other != seat and s.robots[other].alive:
            others += 1
    for cell in range(area(s)):
        if fate[cell] == CERTAIN and count < others:
            must[count] = cell
            count += 1
    for cell in range(area(s)):
        if fate[cell] == BUMPED:
            fate[cell] = STONE
            if count < others and below(s.dice, 3) == 0:
                must[count] = cell
                if name_the_seen(s, seat, must, count + 1, holder, sight):
                    fate[cell] = CERTAIN
                    count += 1
            s.cells[cell] = BARE if fate[cell] == CERTAIN else OBSTACLE
    name_the_seen(s, seat, must, count, holder, sight)


def name_the_seen(s: Robots, seat: int, must: list[i32], count: int, holder: list[i32], sight: list[i32]) -> bool:
    """R18: a scan does not tell which robot; any living one that can be there, tried in a drawn order."""
    chosen = i32s(MAX_SEATS)
    tried = i32s(MAX_SEATS)
    first = i32s(MAX_SEATS)
    taken = u8s(MAX_SEATS)
    for i in range(count):
        first[i] = below(s.dice, s.players)
    depth = 0
    while 0 <= depth < count:
        found = -1
        while tried[depth] < s.players and found < 0:
            other = (first[depth] + tried[depth]) % s.players
            tried[depth] += 1
            open_seat = other != seat and s.robots[other].alive and taken[other] == 0
            if open_seat and could_be_at(s, other, must[depth], STRONGEST_ENGINE, sight):
                found = other
        if found >= 0:
            chosen[depth] = found
            taken[found] = 1
            depth += 1
        else:
            tried[depth] = 0
            depth -= 1
            if depth >= 0:
                taken[chosen[depth]] = 0
    if depth < 0:
        return False
    for cell in range(area(s)):
        holder[cell] = 0
    for i in range(count):
        holder[must[i]] = 1 + chosen[i]
    return True


def draw_obstacles(s: Robots, seat: int, fate: bytearray) -> None:
    """R7: random obstacles are drawn anew wherever the seat has never looked."""
    if s.map != RANDOM_MAP:
        return
    base = map_at(s, seat)
    size = area(s)
    for cell in range(size):
        if s.cells[base + cell] == 0 and s.cells[cell] == OBSTACLE and fate[cell] != STONE:
            s.cells[cell] = BARE
    for _ in range(size // DRAWS_PER_OBSTACLE):
        cell = below(s.dice, size)
        open_question = fate[cell] == POSSIBLE or fate[cell] == MISSED_AT
        if s.cells[base + cell] == 0 and open_question and may_stand_at(s, cell):
            s.cells[cell] = OBSTACLE
            fate[cell] = STONE


def deal_seen_robot(
    s: Robots, seat: int, other: int, cell: int, weapons: bytearray, owned: bytearray, sight: list[i32]
) -> None:
    engine = 0
    while engine < STRONGEST_ENGINE and not could_be_at(s, other, cell, engine, sight):
        engine += 1
    equip(s, seat, other, engine, weapons, owned)
    s.robots[other].cell = cell


def deal_unseen_robot(
    s: Robots, seat: int, other: int, fate: bytearray, weapons: bytearray, owned: bytearray, sight: list[i32]
) -> None:
    """Anywhere its engine can have brought it; a stronger engine if there is no such cell."""
    robot = s.robots[other]
    equip(s, seat, other, 0, weapons, owned)
    if not robot.alive:
        return
    engine = robot.parts[ENGINE]
    places = count_places(s, other, fate, engine, sight)
    while places == 0 and engine < STRONGEST_ENGINE:
        engine += 1
        places = count_places(s, other, fate, engine, sight)
    if engine != robot.parts[ENGINE]:
        equip(s, seat, other, engine, weapons, owned)
    wanted = below(s.dice, max(places, 1))
    for cell in range(area(s)):
        if may_be_dealt(s, other, fate, cell) and (places == 0 or could_be_at(s, other, cell, engine, sight)):
            if wanted == 0:
                robot.cell = cell
                return
            wanted -= 1
    # Only a position nobody can have played into has no cell left; the start is as good as any.
    robot.cell = start_cell(s, other)


def may_be_dealt(s: Robots, other: int, fate: bytearray, cell: int) -> bool:
    """Free, and no mine under it but its own."""
    ground = s.cells[cell]
    return fate[cell] == POSSIBLE and (ground == BARE or ground == MINED + other) and robot_at(s, cell) < 0


def count_places(s: Robots, other: int, fate: bytearray, engine: int, sight: list[i32]) -> int:
    places = 0
    for cell in range(area(s)):
        if may_be_dealt(s, other, fate, cell) and could_be_at(s, other, cell, engine, sight):
            places += 1
    return places


# ------------------------------------------------------------------------- what they are made of


def blame_for_hits(s: Robots, seat: int, weapons: bytearray) -> None:
    """R13: a hit tells the weapon by its points, not whose it was."""
    felt = s.robots[seat].felt
    for weapon in range(GUN, CANNON + 1):
        if (felt >> (weapon - 1)) & 1 != 0:
            other = below(s.dice, s.players)
            for _ in range(s.players):
                if other != seat and weapons[other] == 0:
                    weapons[other] = weapon
                    break
                other = (other + 1) % s.players


def equip(s: Robots, seat: int, other: int, engine: int, weapons: bytearray, owned: bytearray) -> None:
    """Parts that could be the true ones, and the HP that are left after what the seat has dealt."""
    robot = s.robots[other]
    dealt = s.robots[seat].dealt if s.players == 2 else 0
    shield = 0
    while robot.alive and shield < 3 and HULL_HP + SHIELD_HP[shield] <= dealt:
        shield += 1
    draw_parts(s, robot, engine, shield, weapons[other], owned[other] > 0)
    if robot.parts[EXTRA] > 0:
        robot.mines = MINES_GIVEN - owned[other]
    if robot.parts[WEAPON] == CANNON and robot.turns > 0:
        robot.loading = below(s.dice, LOADING_TURNS + 1)
    if not robot.alive:
        robot.hp = 0
    elif s.players == 2:
        robot.hp = max(1, robot.hp - dealt)
    elif s.ended > 0:
        robot.hp = 1 + below(s.dice, robot.hp)  # others fight among themselves, unseen


def draw_parts(s: Robots, robot: Robot, engine: int, shield: int, weapon: int, extra: bool) -> None:
    """A robot somebody could have built, with at least these parts; most are armed and full."""
    for kind in range(KINDS):
        robot.parts[kind] = 0
    robot.parts[ENGINE] = engine
    robot.parts[SHIELD] = shield
    robot.parts[EXTRA] = 1 if extra else 0
    left = CAPACITY - slots_of(ENGINE, engine) - slots_of(SHIELD, shield) - slots_of(EXTRA, robot.parts[EXTRA])
    drawn = weapon
    if weapon == 0:
        draw = below(s.dice, 10)
        drawn = GUN if draw < 6 else CANNON if draw < 9 else 0
        if slots_of(WEAPON, drawn) > left:
            drawn = GUN if left >= 2 else 0
    robot.parts[WEAPON] = drawn
    left -= slots_of(WEAPON, drawn)
    if s.mining and not extra and left >= 2 and below(s.dice, 4) == 0:
        robot.parts[EXTRA] = 1
        left -= 2
    while left >= 2 and below(s.dice, 10) != 0:
        kind = below(s.dice, 3)  # a level more of an engine, radar or shield takes two slots
        if robot.parts[kind] < 3:
            robot.parts[kind] += 1
            left -= 2
    robot.mines = MINES_GIVEN if robot.parts[EXTRA] > 0 else 0
    robot.loading = 0
    robot.hp = full_hp(robot)


def lift_unseen_mines(s: Robots, seat: int) -> None:
    for cell in range(area(s)):
        if s.cells[cell] >= MINED and s.cells[cell] != MINED + seat and not sees_now(s, seat, cell):
            s.cells[cell] = BARE


def deal_mines(s: Robots, seat: int, fate: bytearray, holder: list[i32], owned: bytearray) -> None:
    """X7: others' mines the seat sees now; some it saw once; and others where it does not look."""
    if not s.mining:
        return
    base = map_at(s, seat)
    size = area(s)
    for cell in range(size):
        if s.cells[cell] >= MINED and s.cells[cell] != MINED + seat:
            s.cells[cell] = BARE
            own_mine(s, seat, cell, holder, owned)
    for cell in range(size):
        stale = s.cells[base + cell] & SEEN_MINE != 0 and not sees_now(s, seat, cell)
        if stale and fate[cell] == POSSIBLE and s.cells[cell] == BARE and below(s.dice, 4) != 0:
            own_mine(s, seat, cell, holder, owned)
    for other in range(s.players):
        if other != seat and s.robots[other].turns > 0:
            for _ in range(below(s.dice, MINES_GIVEN + 1)):
                cell = below(s.dice, size)
                unseen = fate[cell] == POSSIBLE and s.cells[cell] == BARE
                if unseen and owned[other] < MINES_GIVEN and owned[other] < s.robots[other].turns:
                    s.cells[cell] = MINED + other
                    owned[other] += 1


def own_mine(s: Robots, seat: int, cell: int, holder: list[i32], owned: bytearray) -> None:
    """A mine under a robot is that robot's; another may be anybody's who has some to lay."""
    owner = holder[cell] - 1
    if owner < 0:
        owner = below(s.dice, s.players)
        for _ in range(s.players):
            if owner != seat and owned[owner] < MINES_GIVEN:
                break
            owner = (owner + 1) % s.players
    if owner != seat and owned[owner] < MINES_GIVEN:
        s.cells[cell] = MINED + owner
        owned[owner] += 1


def deal_turn(s: Robots, seat: int) -> None:
    """In another's turn the seat knows that it was started, not what is left of it."""
    if s.phase != PLAY or s.turn_of == seat or not s.started:
        return
    s.moves = below(s.dice, moves_of(s.robots[s.turn_of]) + 1)
    robot = s.robots[s.turn_of]
    armed = robot.parts[WEAPON] > 0 or robot.parts[EXTRA] > 0
    s.shot = armed and below(s.dice, 2) == 1
    s.scanned = False
    s.aimed = 0
    s.struck = NOT_FIRED
    at = messages_at(s) + MESSAGE_NUMBERS * (s.messages - 1)
    s.sent = s.messages > 0 and s.cells[at] % ADDRESS == s.turn_of and s.cells[at + 1] == s.ended
