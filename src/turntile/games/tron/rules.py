"""Tron: the rules, once, in forge's subset. The ids are those of RULES.md.

A turn is one step: all living cycles act at the same time. Cells are counted row by row;
a cell holds a wall, a powerup or a light trail. The cell under a living cycle already
carries its trail, because that is what it will be when the cycle has left.
"""

from __future__ import annotations

from turntile.core.dice import Dice, below, reseed
from turntile.core.events import forget_events, tell
from turntile.core.grid import opposite
from turntile.forge import i32
from turntile.games.tron.records import (
    ACTIVATE,
    ACTIVATED,
    BLAST,
    BOMB,
    BONUS,
    CRASHED,
    CYCLE,
    CYCLE_DEAD,
    EMPTY,
    EXPLODED,
    GREY,
    INVINCIBLE_MOVES,
    LANDMINE,
    MATCH_OVER,
    MAX_ACTIONS,
    NO_SUCH_ACTION,
    NO_SUCH_SEAT,
    PICKED_UP,
    PLANES,
    POWERUP_KINDS,
    SEVERED,
    START_HEADING,
    STRAIGHT,
    TRAIL,
    TURN,
    WALL,
    Tron,
    ahead,
    blast_left,
    blast_top,
    blocked,
    is_trail,
    living,
)
from turntile.games.tron.records import MAX_SEATS as MAX_SEATS
from turntile.games.tron.territory import candidates as candidates
from turntile.games.tron.territory import estimate as estimate

ROLLOUT_STEPS = 0  # the search asks `estimate` at once: random play says little about Tron

# ------------------------------------------------------------------------- set-up


def setup(s: Tron) -> None:
    """F2, T-starts: the board is in the record already, unless it is to be drawn."""
    if s.random_board:
        draw_board(s)
    for seat in range(s.players):
        place_cycle(s, seat, start_cell(s, seat), START_HEADING[seat])


def start_cell(s: Tron, seat: int) -> int:
    """F2, T-starts: three cells from the middle of each side: left, right, then top and bottom."""
    if seat == 0:
        return s.height // 2 * s.width + 3
    if seat == 1:
        return s.height // 2 * s.width + s.width - 4
    if seat == 2:
        return 3 * s.width + s.width // 2
    return (s.height - 4) * s.width + s.width // 2


def place_cycle(s: Tron, seat: int, cell: int, heading: int) -> None:
    cycle = s.cycles[seat]
    cycle.cell = cell
    cycle.target = cell
    cycle.heading = heading
    cycle.alive = True
    s.cells[cell] = TRAIL + seat


def draw_board(s: Tron) -> None:
    """T-random: walls and powerups in pairs, point-symmetric, none where a cycle starts or must go."""
    last = s.width * s.height - 1
    for at in range(s.width * s.height):
        s.cells[at] = EMPTY
    for x in range(s.width):
        s.cells[x] = WALL
        s.cells[last - x] = WALL
    for y in range(s.height):
        s.cells[y * s.width] = WALL
        s.cells[last - y * s.width] = WALL
    for _ in range(s.width * s.height // 80):
        draw_pair(s, WALL)
    for _ in range(s.width * s.height // 80):
        draw_pair(s, BOMB + below(s.dice, POWERUP_KINDS))


def draw_pair(s: Tron, what: int) -> None:
    at = below(s.dice, s.width * s.height)
    mirror = s.width * s.height - 1 - at
    if s.cells[at] == EMPTY and s.cells[mirror] == EMPTY and not near_a_start(s, at) and not near_a_start(s, mirror):
        s.cells[at] = what
        s.cells[mirror] = what


def near_a_start(s: Tron, at: int) -> bool:
    """The two middle lines are kept clear around the starts: nobody begins in a trap."""
    x = at % s.width
    y = at // s.width
    beside = abs(y - s.height // 2) <= 1 and (x <= 5 or x >= s.width - 6)
    above = abs(x - s.width // 2) <= 1 and (y <= 5 or y >= s.height - 6)
    return beside or above


# ------------------------------------------------------------------------- who may do what


def seats(s: Tron) -> int:
    return s.players


def over(s: Tron) -> bool:
    return to_act(s) == 0


def to_act(s: Tron) -> int:
    """T-turn: every living cycle, at the same time. T-playon, T1: a lone one only where it travels on."""
    bits = 0
    left = 0
    for seat in range(s.players):
        if s.cycles[seat].alive:
            bits |= 1 << seat
            left += 1
    return 0 if left == 1 and not s.survivor_travels_on else bits


def why_illegal(s: Tron, seat: int, action: int) -> int:
    """F4: all ten are legal for a living cycle."""
    if seat < 0 or seat >= s.players:
        return NO_SUCH_SEAT
    if over(s):
        return MATCH_OVER
    if not s.cycles[seat].alive:
        return CYCLE_DEAD
    if action < 0 or action >= MAX_ACTIONS:
        return NO_SUCH_ACTION
    return 0


def legal(s: Tron, seat: int, out: list[i32]) -> int:
    if why_illegal(s, seat, STRAIGHT) != 0:
        return 0
    for action in range(MAX_ACTIONS):
        out[action] = action
    return MAX_ACTIONS


def default_action(s: Tron, seat: int) -> int:
    """T-silence: no answer means the same direction."""
    return STRAIGHT


# ------------------------------------------------------------------------- one turn


def step(s: Tron, actions: list[i32]) -> None:
    forget_events(s.log)
    s.turn += 1
    activate_powerups(s, actions)  # F5: from the cell one is on, before anyone moves
    turn_cycles(s, actions)
    find_crashes(s)
    wear_off(s)
    bury_the_dead(s)
    move_survivors(s)
    set_off_landmines(s)


def activate_powerups(s: Tron, actions: list[i32]) -> None:
    """F5: with the old heading. F4: activating with nothing held is a plain move."""
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive and actions[seat] >= ACTIVATE and cycle.held != EMPTY:
            held = cycle.held
            cycle.held = EMPTY
            tell(s.log, ACTIVATED, seat, held)
            if held == BOMB:
                explode(s, seat, BOMB)
            else:
                cycle.invincible = INVINCIBLE_MOVES  # F8: again sets it to 10 again


def turn_cycles(s: Tron, actions: list[i32]) -> None:
    """F4: turning straight back means same direction."""
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive:
            turn = actions[seat]
            if turn >= ACTIVATE:
                turn -= ACTIVATE
            if turn != STRAIGHT and turn - TURN != opposite(cycle.heading):
                cycle.heading = turn - TURN
            cycle.target = cycle.cell + ahead(s, cycle.heading)


def find_crashes(s: Tron) -> None:
    """T-dying: all targets are judged before anyone moves."""
    for seat in range(s.players):
        if s.cycles[seat].alive:
            s.cycles[seat].hit = obstacle(s, seat)


def obstacle(s: Tron, seat: int) -> int:
    """T-dying, T3: other cycles and walls always kill, light trails unless invincible."""
    cycle = s.cycles[seat]
    content = s.cells[cycle.target]
    if meets_a_cycle(s, seat):
        return CYCLE
    if content == WALL or (is_trail(content) and cycle.invincible == 0):
        return content
    return EMPTY


def meets_a_cycle(s: Tron, seat: int) -> bool:
    """T2, T-no-ramming: the same target cell, or an exchange of cells, kills both, invincible or not."""
    cycle = s.cycles[seat]
    for other_seat in range(s.players):
        other = s.cycles[other_seat]
        if other_seat != seat and other.alive:
            if other.target == cycle.target:
                return True
            if other.target == cycle.cell and cycle.target == other.cell:
                return True
    return False


def wear_off(s: Tron) -> None:
    """F8: every move uses one up, a fatal one too."""
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive and cycle.invincible > 0:
            cycle.invincible -= 1


def bury_the_dead(s: Tron) -> None:
    """F9: the fatal step is not travelled; the last cell is trail from now on."""
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.hit != EMPTY:
            tell(s.log, CRASHED, seat, cycle.target, cycle.hit)
            cycle.alive = False
            cycle.died = s.turn
            cycle.hit = EMPTY


def move_survivors(s: Tron) -> None:
    """T-turn, T-trail: one cell on, which is trail from then on. T-box, T7: only survivors pick up."""
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive:
            found = s.cells[cycle.target]
            if found >= TRAIL:
                sever(s, found - TRAIL, cycle.target, seat)
            cycle.cell = cycle.target
            cycle.distance += 1
            s.cells[cycle.cell] = TRAIL + seat
            s.laid[cycle.cell] = s.turn
            if BOMB <= found <= BONUS:
                pick_up(s, seat, found)


def pick_up(s: Tron, seat: int, what: int) -> None:
    """T-exchange, T-bonus: bombs and invincibility replace what is held; landmines and bonus points do not."""
    cycle = s.cycles[seat]
    cycle.bonus += s.bonus_points if what == BONUS else s.powerup_points
    if what == LANDMINE:
        cycle.mined = True
    elif what != BONUS:
        cycle.held = what
    tell(s.log, PICKED_UP, seat, cycle.cell, what)


def sever(s: Tron, owner: int, at: int, by: int) -> None:
    """T-sever, T5: from the crossed cell back to the start, the trail turns grey."""
    when = s.laid[at]
    for cell in range(s.width * s.height):
        if s.cells[cell] == TRAIL + owner and s.laid[cell] <= when:
            s.cells[cell] = GREY
            s.laid[cell] = 0
    tell(s.log, SEVERED, owner, at, by)


def set_off_landmines(s: Tron) -> None:
    """F7, T4: after all cycles have moved, in seat order, from the new cell in the new heading.

    A cell left in this turn becomes trail when its seat's place in that order comes, so an
    earlier seat's landmine spares it.
    """
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.mined:
            cycle.mined = False
            explode(s, seat, LANDMINE)


def explode(s: Tron, seat: int, what: int) -> None:
    """T-bomb, F6: five wide, five deep, the first row is the cycle's own. Trails only, grey too."""
    cycle = s.cycles[seat]
    left = blast_left(s, seat)
    top = blast_top(s, seat)
    for row in range(max(top, 0), min(top + BLAST, s.height)):
        for column in range(max(left, 0), min(left + BLAST, s.width)):
            at = row * s.width + column
            if is_trail(s.cells[at]) and not spared(s, seat, what, at):
                s.cells[at] = EMPTY
                s.laid[at] = 0
    tell(s.log, EXPLODED, seat, cycle.cell, cycle.heading, what)


def spared(s: Tron, by: int, what: int, at: int) -> bool:
    """F6: what is under a cycle stays. T4: so does what a later seat has just left."""
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive and cycle.cell == at:
            return True
        if what == LANDMINE and seat > by and just_left(s, seat, at):
            return True
    return False


def just_left(s: Tron, seat: int, at: int) -> bool:
    """Was the cycle there before this turn's move? One that died in this turn has not moved."""
    cycle = s.cycles[seat]
    if cycle.alive:
        return cycle.cell - ahead(s, cycle.heading) == at
    return cycle.died == s.turn and cycle.cell == at


# ------------------------------------------------------------------------- the outcome


def place(s: Tron, seat: int) -> int:
    """T-tie, T10: who outlives whom; those who die in the same turn share a place."""
    return outlived_by(s, seat) + 1 if over(s) else 0


def outlived_by(s: Tron, seat: int) -> int:
    """How many others were alive, or still are, after this one's death."""
    n = 0
    if not s.cycles[seat].alive:
        for other in range(s.players):
            if s.cycles[other].alive or s.cycles[other].died > s.cycles[seat].died:
                n += 1
    return n


def score(s: Tron, seat: int) -> int:
    """F1: the result, a point a square, and what the powerups gave."""
    cycle = s.cycles[seat]
    return result_points(s, seat) + s.square_points * cycle.distance + cycle.bonus


def result_points(s: Tron, seat: int) -> int:
    """T1, T-tie: a loss is settled by the cycle's death, a win or tie by the last duel."""
    if outlived_by(s, seat) > 0:
        return s.loss_points
    if living(s) > 1:
        return 0
    for other in range(s.players):
        if other != seat and outlived_by(s, other) == 0:
            return s.tie_points
    return s.win_points


# ------------------------------------------------------------------------- for bots and learners


def observe(s: Tron, seat: int, out: bytearray) -> None:
    """T6: a powerup's content is never shown; what a cycle holds is seen by all."""
    size = s.width * s.height
    for at in range(PLANES * size):
        out[at] = 0
    for at in range(size):
        content = s.cells[at]
        if content == WALL:
            out[at] = 1
        elif content == GREY:
            out[3 * size + at] = 1
        elif content == TRAIL + seat:
            out[size + at] = 1
        elif content >= TRAIL:
            out[2 * size + at] = 1
        elif content != EMPTY:
            out[4 * size + at] = 1
    for other in range(s.players):
        cycle = s.cycles[other]
        if cycle.alive:
            out[(5 if other == seat else 6) * size + cycle.cell] = 1 + cycle.heading
            out[7 * size + cycle.cell] = cycle.held
            out[8 * size + cycle.cell] = cycle.invincible


def redeal(s: Tron, seat: int) -> None:
    """T6: what the powerups on the board hold, and the dice."""
    for at in range(s.width * s.height):
        if BOMB <= s.cells[at] <= BONUS:
            s.cells[at] = BOMB + below(s.dice, POWERUP_KINDS)
    reseed(s.dice)


def rollout_action(s: Tron, seat: int, dice: Dice) -> int:
    """A random heading that does not crash at once, if there is one; now and then the powerup."""
    cycle = s.cycles[seat]
    draw = below(dice, 64)
    heading = draw & 3
    for _ in range(4):
        if heading != opposite(cycle.heading) and not blocked(s, seat, heading):
            break
        heading = (heading + 1) & 3
    if cycle.held != EMPTY and draw >= 56:
        return ACTIVATE + TURN + heading
    return TURN + heading
