"""Planning against the hall alone: what a program does if nobody else is there.

This is what the tree search gets as candidates, what playouts use as policy, and what the
planner of bots.py is: the others' robots are left out, because their programs are unknown.
`efforts` in the record says how far it is from every pose to a goal (efforts.py).
"""

from __future__ import annotations

from turntile.core.dice import Dice, below
from turntile.forge import i32, i32s, table, u8s
from turntile.games.roborace.cards import PRICES, card_kind, item, program_number, read_program
from turntile.games.roborace.hall import card_alone, effect_alone
from turntile.games.roborace.records import DEAD, HAND, HOME, MAX_ACTIONS, MAX_POSES, NEVER, PHASES, RoboRace

WANTED = 6  # how many candidates the tree search gets: luck is large here, so few are tried often
SAME_END = 1  # how many of them may end in the same pose
DEATH = 6  # what being destroyed costs besides the way from the start
WORST = 1000
LONG_WAY = 16  # beyond this effort an advantage counts no less

# 10000 * e ** (-n / 4)
EXPONENTIALS = table(
    10000, 7788, 6065, 4724, 3679, 2865, 2231, 1738, 1353, 1054, 821, 639, 498, 388, 302, 235, 183,
    143, 111, 87, 67, 52, 41, 32, 25, 19, 15, 12, 9, 7, 6, 4, 3,
)  # fmt: skip
LAST_EXPONENTIAL = 32


def after_phase(s: RoboRace, pose: int, kind: int, phase: int) -> int:
    """The pose after one phase alone in the hall, DEAD or HOME."""
    moved = card_alone(s, pose, kind)
    if moved < 0:
        return moved
    return effect_alone(s, moved, phase)


def cost(s: RoboRace, seat: int, pose: int, phases: int) -> int:
    """How good it is to have come here after so many phases: less is better, winning early is best."""
    if pose == HOME:
        return phases - PHASES - 1
    if pose == DEAD:
        return min(WORST, s.efforts[s.start_cells[seat] * 4 + s.start_facings[seat]] + DEATH)
    return s.efforts[pose]


def robot_pose(s: RoboRace, seat: int) -> int:
    return s.robots[seat].cell * 4 + s.robots[seat].facing


def promising_programs(s: RoboRace, seat: int, out: list[i32]) -> int:
    """The best programs, in rising order of their numbers."""
    found = i32s(WANTED)
    count = best_programs(s, seat, WANTED, found)
    for place in range(count):
        least = place
        for other in range(place + 1, count):
            if found[other] < found[least]:
                least = other
        out[place] = found[least]
        found[least] = found[place]
    return count


def best_programs(s: RoboRace, seat: int, wanted: int, found: list[i32]) -> int:
    """Write the best programs, best first, at most SAME_END for each pose they end in; how many.

    Cards of one kind are tried in the hand's order only: their priorities differ, but not
    what they do, and 2520 programs become a few hundred.
    """
    kinds = i32s(HAND)
    dearest = 0  # the price of the card that can gain most
    alike = i32s(HAND)  # bit set of the earlier cards of the same kind
    for position in range(HAND):
        kinds[position] = card_kind(s.robots[seat].hand[position])
        dearest = max(dearest, PRICES[kinds[position]])
        for earlier in range(position):
            if kinds[earlier] == kinds[position]:
                alike[position] |= 1 << earlier
    chosen = i32s(PHASES)
    poses = i32s(PHASES + 1)
    costs = i32s(WANTED)
    ends = u8s(MAX_POSES)
    poses[0] = robot_pose(s, seat)
    used = 0
    count = 0
    phase = 0
    position = 0
    while phase >= 0:
        while position < HAND and ((used >> position) & 1 != 0 or alike[position] & ~used != 0):
            position += 1
        if position == HAND:  # nothing more to try here: take the card before back
            phase -= 1
            if phase >= 0:
                position = chosen[phase]
                used &= ~(1 << position)
                position += 1
            continue
        chosen[phase] = position
        pose = after_phase(s, poses[phase], kinds[position], phase + 1)
        if pose < 0 or phase == PHASES - 1:
            count = keep_program(s, seat, chosen, phase, used | 1 << position, pose, wanted, found, costs, ends, count)
            position += 1
        elif count == wanted and least_cost(s, pose, phase + 1, dearest) >= costs[count - 1]:
            position += 1  # whatever follows cannot come among the best
        else:
            used |= 1 << position
            phase += 1
            poses[phase] = pose
            position = 0
    return count


def least_cost(s: RoboRace, pose: int, phases: int, dearest: int) -> int:
    """What a program can cost at best, from its pose after so many phases."""
    effort = s.efforts[pose] - dearest * (PHASES - phases)
    return effort if effort > 0 else phases - PHASES


def keep_program(
    s: RoboRace,
    seat: int,
    chosen: list[i32],
    phase: int,
    used: int,
    pose: int,
    wanted: int,
    found: list[i32],
    costs: list[i32],
    ends: bytearray,
    count: int,
) -> int:
    """Insert a program into the list of the best, if it belongs there; the list's new length.

    One that ended early (DEAD or HOME) is filled up with the first free cards.
    """
    price = cost(s, seat, pose, phase + 1)
    if count == wanted and price >= costs[count - 1]:
        return count
    if pose >= 0:
        if ends[pose] == SAME_END:
            return count
        ends[pose] += 1
    position = 0
    for later in range(phase + 1, PHASES):
        while (used >> position) & 1 != 0:
            position += 1
        chosen[later] = position
        used |= 1 << position
    if count < wanted:
        count += 1
    place = count - 1
    while place > 0 and costs[place - 1] > price:
        costs[place] = costs[place - 1]
        found[place] = found[place - 1]
        place -= 1
    costs[place] = price
    found[place] = program_number(chosen)
    return count


def sensible_program(s: RoboRace, seat: int, dice: Dice) -> int:
    """A careless program: the hand in random order, but a card that leads nowhere lets a better next one pass.

    Cheap (one draw, at most two looks a phase), and good enough to bring playouts home.
    """
    line = i32s(HAND)
    line[PHASES] = item(read_program(below(dice, MAX_ACTIONS), line), 0)
    hand = s.robots[seat].hand
    pose = robot_pose(s, seat)
    effort = s.efforts[pose]
    for phase in range(PHASES):
        end = after_phase(s, pose, card_kind(hand[line[phase]]), phase + 1)
        price = cost(s, seat, end, phase + 1)
        if price >= effort:
            other = after_phase(s, pose, card_kind(hand[line[phase + 1]]), phase + 1)
            other_price = cost(s, seat, other, phase + 1)
            if other_price < price:
                passing = line[phase + 1]
                line[phase + 1] = line[phase]
                line[phase] = passing
                end = other
                price = other_price
        if end < 0:
            break
        pose = end
        effort = price
    return program_number(line)


def outlook(s: RoboRace, seat: int) -> int:
    """0 to 1000: the chance to win, by how far everybody has to go, as the search counts it.

    Measured on races of planners: an advantage in effort counts the less, the more is still to
    do by the robot that is ahead. A lost race of more than two is not worth 0, for the losers
    share their place.
    """
    least = WORST
    for other in range(s.players):
        least = min(least, effort_left(s, other))
    if s.players == 1:
        return 8000 // (8 + least)
    spread = min(least, LONG_WAY) + 4
    everybody = 0
    for other in range(s.players):
        everybody += weight(effort_left(s, other) - least, spread)
    chance = 1000 * weight(effort_left(s, seat) - least, spread) // everybody
    lost = (1000 - 1000 // (s.players - 1)) // 2
    return lost + chance * (1000 - lost) // 1000


def effort_left(s: RoboRace, seat: int) -> int:
    return s.efforts[robot_pose(s, seat)] if s.robots[seat].alive else NEVER


def weight(behind: int, spread: int) -> int:
    """e to the minus (behind / (spread / 4)), in ten-thousandths."""
    return EXPONENTIALS[min(16 * behind // spread, LAST_EXPONENTIAL)]
