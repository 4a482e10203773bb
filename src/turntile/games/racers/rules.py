"""Rowdy Racers: the rules, once, in forge's subset. The ids are those of RULES.md.

A step is one action of the racer to act. Between two actions nothing is left to do: turns
that nobody can act in are played through, the trail squares that are due have vanished, and
a trapped racer has lost. Chapters: power.py, moves.py, flight.py (discs), placement.py (set-up).
"""

from __future__ import annotations

from turntile.core.dice import Dice, below, reseed
from turntile.core.events import forget_events, tell, tell_some
from turntile.forge import i32, i32s
from turntile.games.racers.flight import FLIGHT_SIZE, REST, VICTIM, fly
from turntile.games.racers.moves import (
    DIRECTIONS,
    age_trail,
    beside,
    can_move,
    exit_of,
    forget_oldest,
    why_no_move,
)
from turntile.games.racers.placement import lay_out_grid
from turntile.games.racers.power import roll_failures, turns_without_power, unpowered
from turntile.games.racers.records import (
    ACTIONS_A_TURN,
    ARMED,
    CHARGED,
    CHARGED_ITEM,
    DEBRIS,
    DISC_ITEM,
    GRENADE,
    GRENADE_ITEM,
    GRENADES,
    KINDS,
    MAX_CELLS,
    MAX_ITEMS,
    MAX_SEATS,
    NO_SQUARE,
    REACHED_GOAL,
    RUNNING,
    SUSPECT,
    TELEPORTER,
    TRAIL_LENGTH,
    TURNS_RAN_OUT,
    WALL,
    WAS_TRAPPED,
    Racer,
    Racers,
)

PLANES = 19

# Actions.
MOVE = 0  # + one of the eight directions, clockwise from up
PICK = 8  # + a kind of item
USE_GRENADE = 11
THROW_DISC = 12  # + one of the four directions, clockwise from up
THROW_CHARGED = 16
END = 20
MAX_ACTIONS = 21

# Why an action is refused; moves.py has the reasons 5 to 13.
NO_SUCH_SEAT = 1
MATCH_OVER = 2
NOT_YOUR_TURN = 3
NO_SUCH_ACTION = 4
MUST_MOVE = 14
NOTHING_THERE = 15
HANDS_FULL = 16
NOT_HELD = 17
GRENADE_HERE = 18
NOT_MOVED = 19

# What happened.
TURN_BEGAN = 1  # seat, actions, number of the turn
POWER_FAILED = 2  # how many failures began, number of the turn
BEGAN_UNPOWERED = 3  # seat, cell
SKIPPED = 4  # seat, why
MOVED = 5  # seat, from, to, direction
TELEPORTED = 6  # seat, from, to
STOPPED = 7  # seat, unpowered cell
EXPLODED = 8  # seat, cell, actions lost
PICKED_UP = 9  # seat, kind, cell
PLACED = 10  # seat, cell
GRENADE_ARMED = 11  # seat, cell
THREW = 12  # seat, kind, direction, where it came to rest
HIT = 13  # who was hit, by whom, cell
ENDED_TURN = 14  # seat, empty actions
WON = 15  # seat, cell
TRAPPED = 16  # seat, cell
DRAWN = 17  # number of the turn

# Why a turn is skipped.
BY_DISC = 1
BY_PENALTY = 2

BLAST = 3
BLAST_UNPOWERED = 4


# ------------------------------------------------------------------------- set-up


def setup(s: Racers) -> None:
    """R2, R3: the grid, then player 1's first turn, which rolls failures like any other (A10)."""
    forget_events(s.log)
    for seat in range(MAX_SEATS):
        empty_hands(s.racers[seat])
    for at in range((s.width + 2) * (s.height + 2)):
        s.failures[at] = 0
    lay_out_grid(s)
    s.ended = RUNNING
    s.winner = 0
    s.turn = 0
    s.due = 1  # so that the first turn is player 1's
    begin_turns(s)


def empty_hands(racer: Racer) -> None:
    racer.penalty = 0
    racer.skips = 0
    racer.placed = False
    for kind in range(KINDS):
        racer.held[kind] = 0
    for k in range(TRAIL_LENGTH):
        racer.trail[k] = NO_SQUARE
        racer.hops[k] = False


# ------------------------------------------------------------------------- who may do what


def seats(s: Racers) -> int:
    return MAX_SEATS


def over(s: Racers) -> bool:
    return s.ended != RUNNING


def to_act(s: Racers) -> int:
    """A1: the players alternate."""
    return 0 if over(s) else 1 << s.due


def why_illegal(s: Racers, seat: int, action: int) -> int:
    """R1: move, pick up, use or end the turn. A3: a refused request costs nothing."""
    if seat < 0 or seat >= MAX_SEATS:
        return NO_SUCH_SEAT
    if over(s):
        return MATCH_OVER
    if seat != s.due:
        return NOT_YOUR_TURN
    if action < 0 or action >= MAX_ACTIONS:
        return NO_SUCH_ACTION
    if action < PICK:
        return why_no_move(s, seat, action - MOVE)
    if action == END:
        return why_no_end(s, seat)
    if action < USE_GRENADE:
        return why_no_pick(s, seat, action - PICK)
    return why_no_use(s, seat, kind_used(action))


def kind_used(action: int) -> int:
    """The kind of item an action uses."""
    if action == USE_GRENADE:
        return GRENADE_ITEM
    return DISC_ITEM if action < THROW_CHARGED else CHARGED_ITEM


def has_moved(s: Racers, seat: int) -> bool:
    """He stands elsewhere than when his turn began; his own trail bars the way back for the whole turn."""
    return s.racers[seat].cell != s.began


def must_move(s: Racers, seat: int) -> bool:
    """F7, A5: the last action of a racer who has not moved can only be a move."""
    return s.actions_left == 1 and not has_moved(s, seat)


def why_no_end(s: Racers, seat: int) -> int:
    """R1.13, A4: not on the square on which the turn began."""
    return 0 if has_moved(s, seat) else NOT_MOVED


def why_no_pick(s: Racers, seat: int, kind: int) -> int:
    """R1.17, R1.18, F7, G2: an item on his square, room for it, and a move to come."""
    racer = s.racers[seat]
    if lying(s, racer.cell, kind) == 0:
        return NOTHING_THERE
    if carried(racer) >= MAX_ITEMS:
        return HANDS_FULL
    return MUST_MOVE if must_move(s, seat) else 0


def why_no_use(s: Racers, seat: int, kind: int) -> int:
    """R1.19, F7, R3.3: an item he holds, a move to come, and one unexploded grenade a square (G4)."""
    racer = s.racers[seat]
    if racer.held[kind] == 0:
        return NOT_HELD
    if must_move(s, seat):
        return MUST_MOVE
    if kind == GRENADE_ITEM and s.cells[racer.cell] & GRENADES != 0:
        return GRENADE_HERE
    return 0


def lying(s: Racers, at: int, kind: int) -> int:
    """How many items of a kind lie on a square to be picked up. R3.6: active and exploded grenades do not."""
    if kind == DISC_ITEM:
        return s.discs[at]
    if kind == CHARGED_ITEM:
        return 1 if s.cells[at] & CHARGED != 0 else 0
    return 1 if s.cells[at] & GRENADES == GRENADE else 0


def carried(racer: Racer) -> int:
    return racer.held[GRENADE_ITEM] + racer.held[DISC_ITEM] + racer.held[CHARGED_ITEM]


def legal(s: Racers, seat: int, out: list[i32]) -> int:
    n = 0
    for action in range(MAX_ACTIONS):
        if why_illegal(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


def default_action(s: Racers, seat: int) -> int:
    """H4: silence ends the turn, or makes the legal move that comes nearest to the goal."""
    if has_moved(s, seat):
        return END
    best = MOVE
    nearest = 1000
    for direction in range(DIRECTIONS):
        distance = distance_after(s, seat, direction)
        if distance < nearest and why_no_move(s, seat, direction) == 0:
            nearest = distance
            best = MOVE + direction
    return best


# ------------------------------------------------------------------------- one action


def step(s: Racers, actions: list[i32]) -> None:
    """R1: one action of the racer to act, and all that follows until somebody is to act again."""
    forget_events(s.log)
    seat = s.due
    action = actions[seat]
    if action < PICK:
        move(s, seat, action - MOVE)
    elif action < USE_GRENADE:
        pick_up(s, seat, action - PICK)
    elif action == USE_GRENADE:
        place_grenade(s, seat)
    elif action == END:
        end_turn(s, seat)
    else:
        throw(s, seat, kind_used(action), action & 3)
    if s.ended == RUNNING and s.actions_left > 0:
        begin_action(s)
    elif s.ended == RUNNING:
        begin_turns(s)


def move(s: Racers, seat: int, direction: int) -> None:
    """R1.1: leave the square, drag the trail, then everything the square entered does (G6)."""
    racer = s.racers[seat]
    left = racer.cell
    target = beside(s, left, direction)
    exit_cell = exit_of(s, target)
    s.actions_left -= 1
    tell(s.log, MOVED, seat, left, target, direction)
    age_trail(racer, left, exit_cell != NO_SQUARE)
    leave(s, seat, left)
    arrive(s, seat, target)
    if exit_cell != NO_SQUARE and s.ended == RUNNING:
        tell(s.log, TELEPORTED, seat, target, exit_cell)
        arrive(s, seat, exit_cell)  # F9: the teleporter there does not act


def leave(s: Racers, seat: int, left: int) -> None:
    """R3.1, G1: a grenade he has used here becomes active."""
    racer = s.racers[seat]
    if racer.placed:
        racer.placed = False
        s.cells[left] = s.cells[left] & ~GRENADES | armed_by(seat)
        s.secretive = True
        tell_some(s.log, 1 << seat, GRENADE_ARMED, seat, left)
    if s.secretive:
        # H2: the other sees that he holds one less, and where he has been in this turn; what lies
        # in the trail behind the square on which it began was left in an earlier one.
        this_turn = True
        for k in range(TRAIL_LENGTH):
            if this_turn and racer.trail[k] != NO_SQUARE:
                s.cells[racer.trail[k]] |= SUSPECT << seat
            this_turn = this_turn and racer.trail[k] != s.began


def armed_by(seat: int) -> int:
    """The two bits of a square with an active grenade of this seat."""
    return ARMED + seat * GRENADE


def arrive(s: Racers, seat: int, at: int) -> None:
    """L6: the goal wins before anything else happens; P4, P5, R3.4: else the square's grenade or darkness acts."""
    racer = s.racers[seat]
    racer.cell = at
    if at == racer.goal:
        s.ended = REACHED_GOAL
        s.winner = seat
        tell(s.log, WON, seat, at)
        return
    s.cells[at] &= ~(SUSPECT | SUSPECT << 1)
    dark = unpowered(s, at)
    if s.cells[at] & ARMED != 0:
        explode(s, seat, BLAST_UNPOWERED if dark else BLAST)
    elif dark:
        s.actions_left = 0
        tell(s.log, STOPPED, seat, at)


def explode(s: Racers, seat: int, cost: int) -> None:
    """G3, G4: the racer loses his next actions, those left of this turn first; debris stays."""
    racer = s.racers[seat]
    now = min(cost, s.actions_left)
    s.actions_left -= now
    racer.penalty += cost - now
    s.cells[racer.cell] = s.cells[racer.cell] & ~GRENADES | DEBRIS
    tell(s.log, EXPLODED, seat, racer.cell, cost)


def pick_up(s: Racers, seat: int, kind: int) -> None:
    """R1.2, A11: one item of a kind."""
    racer = s.racers[seat]
    perform_in_place(s, racer)
    racer.held[kind] += 1
    if kind == DISC_ITEM:
        s.discs[racer.cell] -= 1
    elif kind == CHARGED_ITEM:
        s.cells[racer.cell] &= ~CHARGED
    else:
        s.cells[racer.cell] &= ~GRENADES
        racer.placed = False
    tell(s.log, PICKED_UP, seat, kind, racer.cell)


def perform_in_place(s: Racers, racer: Racer) -> None:
    """L4: an action that is no move ages the trail as well."""
    s.actions_left -= 1
    age_trail(racer, NO_SQUARE, False)


def place_grenade(s: Racers, seat: int) -> None:
    """R3.1: it lies on his square, inactive until he leaves."""
    racer = s.racers[seat]
    perform_in_place(s, racer)
    racer.held[GRENADE_ITEM] -= 1
    racer.placed = True
    s.cells[racer.cell] |= GRENADE
    tell_some(s.log, 1 << seat, PLACED, seat, racer.cell)


def throw(s: Racers, seat: int, kind: int, direction: int) -> None:
    """R3.13, R3.26: a disc flies, comes to rest, and whoever it hit skips a turn."""
    racer = s.racers[seat]
    perform_in_place(s, racer)
    flight = i32s(FLIGHT_SIZE)
    fly(s, seat, kind, direction, flight)
    rest = flight[REST]
    racer.held[kind] -= 1
    if kind == CHARGED_ITEM:
        s.cells[rest] |= CHARGED  # D8
    else:
        s.discs[rest] += 1
    tell(s.log, THREW, seat, kind, direction, rest)
    if flight[VICTIM] != 0:
        hit(s, flight[VICTIM] - 1, seat)


def hit(s: Racers, victim: int, by: int) -> None:
    """R3.15, D5: his next turn is skipped, one more for each hit. F11: his own disc ends this turn too."""
    s.racers[victim].skips += 1
    if victim == by:
        s.actions_left = 0
    tell(s.log, HIT, victim, by, s.racers[victim].cell)


def end_turn(s: Racers, seat: int) -> None:
    """R1.4, A8: an empty action for each that is left."""
    tell(s.log, ENDED_TURN, seat, s.actions_left)
    while s.actions_left > 0:
        perform_in_place(s, s.racers[seat])


# ------------------------------------------------------------------------- turns


def begin_action(s: Racers) -> None:
    """L7: squares left three actions ago vanish; then A7: no legal move, whatever else he could do, is the end."""
    racer = s.racers[s.due]
    forget_oldest(racer)
    if not can_move(s, s.due):
        s.ended = WAS_TRAPPED
        s.winner = 1 - s.due
        tell(s.log, TRAPPED, s.due, racer.cell)


def begin_turns(s: Racers) -> None:
    """A1: the other's turn; turns without actions are turns, and the next one follows."""
    s.actions_left = 0
    while s.actions_left == 0 and s.ended == RUNNING:
        if s.turn_limit != 0 and s.turn >= s.turn_limit:
            s.ended = TURNS_RAN_OUT  # H3
            tell(s.log, DRAWN, s.turn)
        else:
            begin_turn(s)
    if s.ended == RUNNING:
        begin_action(s)


def begin_turn(s: Racers) -> None:
    """P3: failures expire and roll, then the player's penalties are counted."""
    s.turn += 1
    s.due = 1 - s.due
    s.secretive = False
    racer = s.racers[s.due]
    s.began = racer.cell
    failures = roll_failures(s)
    if failures != 0:
        tell(s.log, POWER_FAILED, failures, s.turn)
    if racer.skips > 0:  # P7: penalties neither grow nor shrink
        racer.skips -= 1
        tell(s.log, SKIPPED, s.due, BY_DISC)
    else:
        count_actions(s, racer)


def count_actions(s: Racers, racer: Racer) -> None:
    """P6, P9: an unpowered start costs one more; what a turn cannot pay stays for the next."""
    penalty = racer.penalty
    if unpowered(s, racer.cell):
        penalty += 1
        tell(s.log, BEGAN_UNPOWERED, s.due, racer.cell)
    s.actions_left = max(0, ACTIONS_A_TURN - penalty)
    racer.penalty = max(0, penalty - ACTIONS_A_TURN)
    if s.actions_left == 0:
        tell(s.log, SKIPPED, s.due, BY_PENALTY)
    else:
        tell(s.log, TURN_BEGAN, s.due, s.actions_left, s.turn)


# ------------------------------------------------------------------------- the outcome


def score(s: Racers, seat: int) -> int:
    """R1.16: the winner has one point."""
    return 1 if place(s, seat) == 1 and s.ended != TURNS_RAN_OUT else 0


def place(s: Racers, seat: int) -> int:
    if s.ended == RUNNING:
        return 0
    if s.ended == TURNS_RAN_OUT or s.winner == seat:
        return 1
    return 2


# ------------------------------------------------------------------------- for bots and learners


def observe(s: Racers, seat: int, out: bytearray) -> None:
    """G5: everything but the active grenades; the squares' planes first, then what belongs to the racers."""
    size = s.width * s.height
    row = s.width + 2
    for at in range(PLANES * size):
        out[at] = 0
    for y in range(s.height):
        for x in range(s.width):
            observe_square(s, (y + 1) * row + x + 1, y * s.width + x, size, out)
    for place_of in range(MAX_SEATS):
        other = place_of != seat
        racer = s.racers[place_of]
        at = unframed(s, racer.cell)
        out[(8 if other else 7) * size + at] = 1
        out[(10 if other else 9) * size + unframed(s, racer.goal)] = 1
        for k in range(TRAIL_LENGTH):
            if racer.trail[k] != NO_SQUARE:
                out[(12 if other else 11) * size + unframed(s, racer.trail[k])] = TRAIL_LENGTH - k
        for kind in range(KINDS):
            out[(13 + kind) * size + at] = racer.held[kind]
        out[16 * size + at] = racer.penalty
        out[17 * size + at] = racer.skips
        if place_of == s.due:
            out[18 * size + at] = s.actions_left


def observe_square(s: Racers, cell: int, at: int, size: int, out: bytearray) -> None:
    content = s.cells[cell]
    if content & WALL != 0:
        out[at] = 1
    if content & TELEPORTER != 0:
        landing = unframed(s, exit_of(s, cell))
        out[size + at] = 1 + landing % s.width
        out[2 * size + at] = 1 + landing // s.width
    out[3 * size + at] = turns_without_power(s, cell)
    out[4 * size + at] = lying(s, cell, GRENADE_ITEM)
    out[5 * size + at] = s.discs[cell]
    out[6 * size + at] = lying(s, cell, CHARGED_ITEM)


def unframed(s: Racers, cell: int) -> int:
    """A square's number where squares are counted without the frame."""
    row = s.width + 2
    return (cell // row - 1) * s.width + cell % row - 1


def redeal(s: Racers, seat: int) -> None:
    """H2: the other's active grenades lie on any of the squares where he may have armed one.

    Their number is known from the inventories; the seat's own ones it remembers.
    """
    other = 1 - seat
    hidden = 0
    suspects = 0
    for at in range((s.width + 2) * (s.height + 2)):
        content = s.cells[at]
        if content & GRENADES == armed_by(other):
            s.cells[at] = content & ~GRENADES
            hidden += 1
        if suspected(s, at, other):
            suspects += 1
    if hidden > 0:
        for at in range((s.width + 2) * (s.height + 2)):
            if suspected(s, at, other):
                if below(s.dice, suspects) < hidden:
                    s.cells[at] |= armed_by(other)
                    hidden -= 1
                suspects -= 1
    reseed(s.dice)


def suspected(s: Racers, at: int, owner: int) -> bool:
    """H2: a square its owner left in a turn in which he armed one, not entered since, without another grenade."""
    return s.cells[at] & (SUSPECT << owner) != 0 and s.cells[at] & GRENADES == 0


def distance_after(s: Racers, seat: int, direction: int) -> int:
    """How many moves the goal is away once this move is made."""
    target = beside(s, s.racers[seat].cell, direction)
    if s.cells[target] & TELEPORTER != 0:
        target = exit_of(s, target)
    return s.far[seat * MAX_CELLS + target]


def candidates(s: Racers, seat: int, out: list[i32]) -> int:
    """Moves that come about as near to the goal as any, shots that hit the other, and what is not a move."""
    nearest = 1000
    for direction in range(DIRECTIONS):
        distance = distance_after(s, seat, direction)
        if distance < nearest and why_no_move(s, seat, direction) == 0:
            nearest = distance
    n = 0
    for direction in range(DIRECTIONS):
        if distance_after(s, seat, direction) <= nearest + 1 and why_no_move(s, seat, direction) == 0:
            out[n] = MOVE + direction
            n += 1
    for action in range(PICK, MAX_ACTIONS):
        if why_illegal(s, seat, action) == 0 and (action < THROW_DISC or action == END or would_hit(s, seat, action)):
            out[n] = action
            n += 1
    return n


def would_hit(s: Racers, seat: int, action: int) -> bool:
    """The throw would hit the other racer."""
    flight = i32s(FLIGHT_SIZE)
    fly(s, seat, kind_used(action), action & 3, flight)
    return flight[VICTIM] == 2 - seat


def rollout_action(s: Racers, seat: int, dice: Dice) -> int:
    """Mostly a move towards the goal; now and then an item, or a move at random."""
    racer = s.racers[seat]
    draw = below(dice, 256)
    if draw < 64 and carried(racer) > 0:
        shot = rollout_use(s, seat, draw)
        if shot != END:
            return shot
    if draw < 32:
        for kind in range(KINDS):
            if lying(s, racer.cell, kind) != 0 and why_no_pick(s, seat, kind) == 0:
                return PICK + kind
    here = s.far[seat * MAX_CELLS + racer.cell]
    fallback = -1
    for k in range(DIRECTIONS):
        direction = (draw + 3 * k) & 7
        nearer = distance_after(s, seat, direction) < here
        if (nearer or fallback < 0) and why_no_move(s, seat, direction) == 0:
            if nearer or draw >= 240:
                return MOVE + direction
            fallback = MOVE + direction
    return fallback


def rollout_use(s: Racers, seat: int, draw: int) -> int:
    """A shot at the other if he stands in line, a grenade now and then; END for none of these."""
    racer = s.racers[seat]
    if racer.held[GRENADE_ITEM] > 0 and draw < 16 and why_no_use(s, seat, GRENADE_ITEM) == 0:
        return USE_GRENADE
    if racer.held[DISC_ITEM] + racer.held[CHARGED_ITEM] > 0 and not must_move(s, seat):
        base = THROW_DISC if racer.held[DISC_ITEM] > 0 else THROW_CHARGED
        direction = direction_towards(s, racer.cell, s.racers[1 - seat].cell)
        if direction >= 0 and would_hit(s, seat, base + direction):
            return base + direction
    return END


def direction_towards(s: Racers, at: int, target: int) -> int:
    """The direction, of the four, in which a square lies in line; -1 if it does not."""
    row = s.width + 2
    if at // row == target // row:
        return 1 if target > at else 3
    if at % row == target % row:
        return 2 if target > at else 0
    return -1


def estimate(s: Racers, seat: int) -> int:
    """By the moves both have to go, what they have lost, and whose turn it is."""
    if over(s):
        return 1000 if place(s, seat) == 1 else 0
    lead = burden(s, 1 - seat) - burden(s, seat) + (6 if s.due == seat else -6)
    return max(20, min(980, 500 + 5 * lead))


def burden(s: Racers, seat: int) -> int:
    """Tenths of a move that lie before a racer: the way, lost actions, turns to skip."""
    racer = s.racers[seat]
    return 10 * s.far[seat * MAX_CELLS + racer.cell] + 6 * racer.penalty + 14 * racer.skips
