"""RoboRace: the rules, once, in forge's subset. The ids are those of RULES.md.

One step is one whole round: every player's program at the same time, then five phases of
cards and effects, then the destroyed robots come back and the next hands are dealt. So
between steps every robot stands on the board, unless the race is over.
"""

from __future__ import annotations

from turntile.core.dice import Dice, below, reseed
from turntile.core.events import forget_events, tell, tell_some
from turntile.core.grid import STEP_X, STEP_Y, opposite
from turntile.forge import i32, i32s, table, u8s
from turntile.games.roborace.cards import card_kind, item, read_program
from turntile.games.roborace.hall import acting_decoration, next_cell, quarter_turns
from turntile.games.roborace.planning import outlook, promising_programs, sensible_program
from turntile.games.roborace.records import (
    ACTED,
    ACTED_DECORATION,
    BACK_UP,
    BELT,
    BLOCKED,
    BUMPED,
    CRUSHED,
    CRUSHER,
    DEALT,
    DECK,
    DECORATION_SHIFT,
    DESTROYED,
    FALL,
    FELL_INTO_PIT,
    FLOOR,
    GEAR_LEFT,
    GEAR_RIGHT,
    GOAL,
    HALL_BEGAN,
    HAND,
    LEFT_THE_BOARD,
    MATCH_OVER,
    MAX_ACTIONS,
    MAX_SEATS,
    MOVE_1,
    NO_SUCH_ACTION,
    NO_SUCH_SEAT,
    NOWHERE,
    PHASE_BEGAN,
    PHASE_BITS,
    PHASES,
    PIT,
    PLANES,
    PLAYED,
    PUSHER,
    REVITALISED,
    ROUNDS_USED_UP,
    STEPPED,
    TURNED,
    WALL_BITS,
    WON,
    RoboRace,
)

ORDERS = table(1, 1, 2, 6, 24)  # in how many orders so many robots can be
FIRST_ORDER = table(0, 0, 1, 3, 9)  # where the orders of so many robots begin in ORDER_LINES
# All orders of one, two, three and four robots: four bits a seat, the first one lowest.
ORDER_LINES = table(
    0x0,
    0x10, 0x01,
    0x210, 0x120, 0x201, 0x021, 0x102, 0x012,
    0x3210, 0x2310, 0x3120, 0x1320, 0x2130, 0x1230, 0x3201, 0x2301, 0x3021, 0x0321, 0x2031, 0x0231,
    0x3102, 0x1302, 0x3012, 0x0312, 0x1032, 0x0132, 0x2103, 0x1203, 0x2013, 0x0213, 0x1023, 0x0123,
)  # fmt: skip
ALL_CARDS = MAX_SEATS * PHASES
NOBODY = -1
ROLLOUT_STEPS = 0  # the search asks `estimate` after its round: that says more than careless play
FIRST_HAND_PLANE = 13
HIGHEST_BID = 4096
SEAT_BITS = 2

# ------------------------------------------------------------------------- set-up


def setup(s: RoboRace) -> None:
    """RR-begin: the hall is in the record already; each robot goes to its start, and hands are dealt."""
    s.round = 1
    s.winner = 0
    for seat in range(s.players):
        put_on_start(s, seat, seat)
    deal(s)


def put_on_start(s: RoboRace, seat: int, start: int) -> None:
    robot = s.robots[seat]
    robot.cell = s.start_cells[start]
    robot.facing = s.start_facings[start]
    robot.alive = True


def deal(s: RoboRace) -> None:
    """F1, R3: seven cards to each player from one shuffled deck; nobody sees the others'."""
    deck = u8s(DECK)
    for place in range(DECK):
        deck[place] = place + 1
    left = DECK
    for seat in range(s.players):
        left = deal_hand(s, seat, deck, left)
        tell_hand(s, seat)


def deal_hand(s: RoboRace, seat: int, deck: bytearray, left: int) -> int:
    """Draw a hand from the first `left` cards of the deck; how many are left then."""
    hand = s.robots[seat].hand
    for place in range(HAND):
        drawn = below(s.dice, left)
        left -= 1
        hand[place] = deck[drawn]
        deck[drawn] = deck[left]
    return left


def tell_hand(s: RoboRace, seat: int) -> None:
    if not s.log.quiet:
        hand = s.robots[seat].hand
        first = hand[0] | hand[1] << 7 | hand[2] << 14 | hand[3] << 21
        tell_some(s.log, 1 << seat, DEALT, seat, first, hand[4] | hand[5] << 7 | hand[6] << 14)


# ------------------------------------------------------------------------- who may do what


def seats(s: RoboRace) -> int:
    return s.players


def over(s: RoboRace) -> bool:
    """RR-rounds, R8: somebody is home, or the rounds are used up."""
    return s.winner != 0 or (s.round_limit != 0 and s.round > s.round_limit)


def to_act(s: RoboRace) -> int:
    """RR-plan: all players at the same time; robots that were destroyed are back by now."""
    if over(s):
        return 0
    return (1 << s.players) - 1


def why_illegal(s: RoboRace, seat: int, action: int) -> int:
    """R2: every ordered choice of five different cards of one's hand, and nothing else."""
    if seat < 0 or seat >= s.players:
        return NO_SUCH_SEAT
    if over(s):
        return MATCH_OVER
    if action < 0 or action >= MAX_ACTIONS:
        return NO_SUCH_ACTION
    return 0


def legal(s: RoboRace, seat: int, out: list[i32]) -> int:
    if why_illegal(s, seat, 0) != 0:
        return 0
    for action in range(MAX_ACTIONS):
        out[action] = action
    return MAX_ACTIONS


def default_action(s: RoboRace, seat: int) -> int:
    """RR-silence: the first five cards of the hand, as they lie."""
    return 0


# ------------------------------------------------------------------------- one round


def step(s: RoboRace, actions: list[i32]) -> None:
    """RR-round: execute all programs, revitalise, and deal for the next round."""
    forget_events(s.log)
    cards = i32s(ALL_CARDS)
    lay_out_programs(s, actions, cards)
    for phase in range(1, PHASES + 1):
        tell(s.log, PHASE_BEGAN, phase)
        play_cards(s, cards, phase)
        let_hall_act(s, phase)
        if s.winner != 0:
            return  # F7: victory stops everything
    revitalise(s)
    s.round += 1
    if over(s):
        tell(s.log, ROUNDS_USED_UP, s.round_limit)
    else:
        deal(s)


def lay_out_programs(s: RoboRace, actions: list[i32], cards: list[i32]) -> None:
    """RR-plan: the five chosen cards of each player, in their order."""
    chosen = i32s(PHASES)
    for seat in range(s.players):
        read_program(actions[seat], chosen)
        for phase in range(PHASES):
            cards[seat * PHASES + phase] = s.robots[seat].hand[chosen[phase]]


def play_cards(s: RoboRace, cards: list[i32], phase: int) -> None:
    """RR-priority, F1: the higher card first. R4: a destroyed robot's card is void when its turn comes."""
    bids = i32s(MAX_SEATS)  # a card and its seat in one number; in set positions equal cards go by seat
    for seat in range(s.players):
        bids[seat] = cards[seat * PHASES + phase - 1] << SEAT_BITS | (MAX_SEATS - 1 - seat)
    last = HIGHEST_BID
    for place in range(1, s.players + 1):
        bid = 0
        for seat in range(s.players):
            if bid < bids[seat] < last:
                bid = bids[seat]
        last = bid
        first = MAX_SEATS - 1 - (bid & (MAX_SEATS - 1))
        if s.robots[first].alive:
            card = bid >> SEAT_BITS
            tell(s.log, PLAYED, first, card, phase, place)
            play_card(s, first, card_kind(card))


def play_card(s: RoboRace, seat: int, kind: int) -> None:
    """F3: a turn, a step back, or one to three steps ahead; each is tried, unless the robot died."""
    robot = s.robots[seat]
    if kind < BACK_UP:
        turn(s, seat, quarter_turns(kind))
    elif kind == BACK_UP:
        move(s, seat, opposite(robot.facing))
    else:
        for _ in range(kind - MOVE_1 + 1):
            if robot.alive:
                move(s, seat, robot.facing)


def turn(s: RoboRace, seat: int, quarters: int) -> None:
    robot = s.robots[seat]
    robot.facing = (robot.facing + quarters) & 3
    tell(s.log, TURNED, seat, robot.facing, quarters)


def robot_at(s: RoboRace, cell: int) -> int:
    """The seat of the robot on a cell, or NOBODY (R1: destroyed robots are on none)."""
    for seat in range(s.players):
        if s.robots[seat].cell == cell:
            return seat
    return NOBODY


def move(s: RoboRace, seat: int, direction: int) -> None:
    """F4: one step; who stands in the way is pushed, and whoever stands in theirs.

    The row of robots that would move is found first. A wall anywhere in it stops them all
    (RR-blocked); else they go, the foremost first, which may be its end.
    """
    row = seat  # the robots to move, four bits each, the foremost lowest
    count = 1
    there = next_cell(s, s.robots[seat].cell, direction)
    while there >= 0:
        other = robot_at(s, there)
        if other == NOBODY:
            break
        row = row << 4 | other
        count += 1
        there = next_cell(s, there, direction)
    if there == BLOCKED:
        bump(s, row, count, direction)
        return
    for place in range(count):
        mover = item(row, place)
        pusher = 0 if mover == seat else seat + 1
        left = s.robots[mover].cell
        if there == FALL:
            destroy(s, mover, abyss_kind(s, left, direction), direction, pusher)
        else:
            s.robots[mover].cell = there
            tell(s.log, STEPPED, mover, there, direction, pusher)
        there = left


def bump(s: RoboRace, row: int, count: int, direction: int) -> None:
    """RR-wall, RR-blocked: the foremost bumps into the wall, those behind it into each other."""
    for place in range(count):
        robot = item(row, place)
        ahead = 0 if place == 0 else item(row, place - 1) + 1
        tell(s.log, BUMPED, robot, s.robots[robot].cell, direction, ahead)


def abyss_kind(s: RoboRace, cell: int, direction: int) -> int:
    """For the story only: a pit, or the outside of the board?"""
    x = cell % s.width + STEP_X[direction]
    y = cell // s.width + STEP_Y[direction]
    if x < 0 or x >= s.width or y < 0 or y >= s.height:
        return LEFT_THE_BOARD
    return FELL_INTO_PIT


def destroy(s: RoboRace, seat: int, how: int, direction: int, pusher: int) -> None:
    """RR-destroyed, R1: at once, and it leaves the board at once. R4: it sits out the round."""
    robot = s.robots[seat]
    tell(s.log, DESTROYED, seat, robot.cell, how, direction + 4 * pusher)
    robot.alive = False
    robot.cell = NOWHERE
    robot.facing = 0


# ------------------------------------------------------------------------- the hall


def let_hall_act(s: RoboRace, phase: int) -> None:
    """RR-random, F5: the effects come in a fresh random order, each where the robot is at that moment."""
    order = draw_order(s)
    tell(s.log, HALL_BEGAN, phase, order)
    for place in range(s.players):
        seat = item(order, place)
        if s.robots[seat].alive and s.winner == 0:
            act_on(s, seat, phase)


def draw_order(s: RoboRace) -> int:
    """RR-draw: one draw picks one of the n! orders; four bits a seat, the first one lowest."""
    number = below(s.dice, ORDERS[s.players]) if s.players > 1 else 0
    return ORDER_LINES[FIRST_ORDER[s.players] + number]


def act_on(s: RoboRace, seat: int, phase: int) -> None:
    """RR-decoration, F6: the decoration if it acts now, blocked or not; the tile only if it does not."""
    cell = s.robots[seat].cell
    decoration = acting_decoration(s, cell, phase)
    tile = s.tiles[cell]
    if decoration != 0:
        tell(s.log, ACTED, seat, cell, ACTED_DECORATION + decoration)
        if decoration == CRUSHER:
            destroy(s, seat, CRUSHED, 0, 0)
        else:
            move(s, seat, decoration - PUSHER)
    elif tile != FLOOR:
        tell(s.log, ACTED, seat, cell, tile)
        if tile == GOAL:
            s.winner = seat + 1
            tell(s.log, WON, seat, cell)
        elif tile == GEAR_RIGHT:
            turn(s, seat, 1)
        elif tile == GEAR_LEFT:
            turn(s, seat, 3)
        else:
            move(s, seat, tile - BELT)


def revitalise(s: RoboRace) -> None:
    """RR-revitalise, F8, R5: in player order, on one's own start or else on the first free one."""
    for seat in range(s.players):
        if not s.robots[seat].alive:
            start = seat
            if robot_at(s, s.start_cells[seat]) != NOBODY:
                start = 0
                while robot_at(s, s.start_cells[start]) != NOBODY:
                    start += 1
            put_on_start(s, seat, start)
            tell(s.log, REVITALISED, seat, s.robots[seat].cell, s.robots[seat].facing, start + 1)


# ------------------------------------------------------------------------- the outcome


def score(s: RoboRace, seat: int) -> int:
    """RR-places: a point for the winner."""
    return 1 if s.winner == seat + 1 else 0


def place(s: RoboRace, seat: int) -> int:
    """RR-places: the winner first, all others second. R8: a draw when the rounds are used up.

    A lone racer whose rounds are used up has lost: nobody is there to draw with.
    """
    if not over(s):
        return 0
    if s.winner == 0:
        return 1 if s.players > 1 else 2
    return 1 if s.winner == seat + 1 else 2


# ------------------------------------------------------------------------- for bots and learners


def observe(s: RoboRace, seat: int, out: bytearray) -> None:
    """R7: the hall and the robots, and of the cards only one's own hand."""
    size = s.width * s.height
    for at in range(PLANES * size):
        out[at] = 0
    for cell in range(size):
        tile = s.tiles[cell]
        if tile == PIT:
            out[cell] = 1
        elif tile == GOAL:
            out[size + cell] = 1
        elif tile == GEAR_RIGHT:
            out[2 * size + cell] = 1
        elif tile == GEAR_LEFT:
            out[3 * size + cell] = 1
        elif tile >= BELT:
            out[4 * size + cell] = 1 + tile - BELT
        out[5 * size + cell] = s.edges[cell] & WALL_BITS
        decoration = s.decorations[cell] >> DECORATION_SHIFT
        if decoration == CRUSHER:
            out[6 * size + cell] = s.decorations[cell] & PHASE_BITS
        elif decoration >= PUSHER:
            out[7 * size + cell] = 1 + decoration - PUSHER
            out[8 * size + cell] = s.decorations[cell] & PHASE_BITS
        for position in range(HAND):
            out[(FIRST_HAND_PLANE + position) * size + cell] = s.robots[seat].hand[position]
    for start in range(s.starts):
        out[9 * size + s.start_cells[start]] = 1 + start
    for other in range(s.players):
        robot = s.robots[other]
        if robot.alive:
            out[(10 if other == seat else 11) * size + robot.cell] = 1 + robot.facing
            out[12 * size + robot.cell] = 1 + other


def redeal(s: RoboRace, seat: int) -> None:
    """R7: the others' hands anew, from the cards one does not hold oneself; and the dice."""
    deck = u8s(DECK)
    own = u8s(DECK + 1)
    for position in range(HAND):
        own[s.robots[seat].hand[position]] = 1
    left = 0
    for card in range(1, DECK + 1):
        if own[card] == 0:
            deck[left] = card
            left += 1
    for other in range(s.players):
        if other != seat:
            left = deal_hand(s, other, deck, left)
    reseed(s.dice)


def candidates(s: RoboRace, seat: int, out: list[i32]) -> int:
    """The programs that look best against the hall alone."""
    return promising_programs(s, seat, out)


def rollout_action(s: RoboRace, seat: int, dice: Dice) -> int:
    """A program that tends towards the goal."""
    return sensible_program(s, seat, dice)


def estimate(s: RoboRace, seat: int) -> int:
    """Who has how far to go."""
    return outlook(s, seat)
