"""Territory: what an unfinished match of Tron looks worth, and which actions are worth trying.

For the tree search; no rule depends on it. While cycles can still meet, each claims the cells
it reaches first (a flood from all heads at once; a cell reached by two at the same time is
nobody's), and cells with more free neighbours count more, as open space is easier to use.
Once all are apart, only the number of moves left counts, and of its part a cycle can use one
chain of chambers: behind a cell that is the only way in, there is no way back.
"""

from __future__ import annotations

from turntile.core.grid import opposite
from turntile.forge import i32, i32s, u8s
from turntile.games.tron.records import (
    ACTIVATE,
    BLAST,
    BOMB,
    EMPTY,
    MAX_CELLS,
    MAX_SEATS,
    STRAIGHT,
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

WON = 1000
LOST = 0
# What an even race looks worth, for everybody in it: more than a tie (500), so that the search
# does not run head-on into another cycle while there is something to play for.
OPEN = 650

NOBODY = MAX_SEATS + 1  # owner of a cell that two reach at the same time; owners are seat + 1
CELL_WORTH = 2
NEIGHBOUR_WORTH = 7
HELD_WORTH = 60  # a powerup in hand, as territory
HELD_MOVES = 6  # a powerup in hand, as moves
MOVE_WORTH = 40  # one move more than the other has left, once they are apart
RINGS = 100  # floods count their rings modulo this


def estimate(s: Tron, seat: int) -> int:
    """From LOST to WON, by what the seat and the strongest other have left."""
    if not s.cycles[seat].alive:
        return LOST
    if living(s) == 1:
        return WON
    owner = u8s(MAX_CELLS)
    worth = i32s(NOBODY + 1)
    apart = claim_cells(s, owner, worth)
    mine = 0
    rival = 0
    for other in range(s.players):
        if s.cycles[other].alive:
            left = moves_left(s, s.cycles[other].cell, owner, other + 1) if apart else worth[other + 1]
            if s.cycles[other].held != EMPTY:
                left += HELD_MOVES if apart else HELD_WORTH
            if other == seat:
                mine = left
            else:
                rival = max(rival, left)
    if apart:
        return min(WON - 1, max(LOST + 1, OPEN + MOVE_WORTH * (mine - rival)))
    return OPEN + (WON - OPEN - 1) * (mine - rival) // (mine + rival + 1)


def claim_cells(s: Tron, owner: bytearray, worth: list[i32]) -> bool:
    """Flood from all heads at once: whose cell it is, what each owner's are worth; whether they are apart."""
    ring_of = u8s(MAX_CELLS)
    queue = i32s(MAX_CELLS)
    end = 0
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive:
            owner[cycle.cell] = seat + 1
            ring_of[cycle.cell] = 1
            queue[end] = cycle.cell
            end += 1
    apart = True
    begin = 0
    while begin < end:
        at = queue[begin]
        begin += 1
        claimant = owner[at]
        ring = ring_of[at] % RINGS + 1
        ways = 0
        for heading in range(4):
            near = at + ahead(s, heading)
            content = s.cells[near]
            if content != WALL and not is_trail(content):
                ways += 1
                if owner[near] == 0:
                    owner[near] = claimant
                    ring_of[near] = ring
                    queue[end] = near
                    end += 1
                elif owner[near] != claimant:
                    apart = False
                    if ring_of[near] == ring:
                        owner[near] = NOBODY
        worth[claimant] += CELL_WORTH + NEIGHBOUR_WORTH * ways
    return apart


def moves_left(s: Tron, head: int, owner: bytearray, claimant: int) -> int:
    """The cells in the best chain of chambers that leads on from a head, among one owner's cells.

    A walk in depth from the head. `found` counts the cells as they are found; `earliest` is the
    earliest one that a cell's branch leads back to, and where it leads no further back than
    to the cell before it, that cell is a gate. `chamber` sums up a branch within its chamber,
    `beyond` is the best that lies behind one of its gates.
    """
    found = i32s(MAX_CELLS)
    earliest = i32s(MAX_CELLS)
    chamber = i32s(MAX_CELLS)
    beyond = i32s(MAX_CELLS)
    tried = u8s(MAX_CELLS)
    came_by = u8s(MAX_CELLS)
    at = head
    count = 1
    found[head] = 1
    best = 0
    while at != head or tried[head] < 4:
        if tried[at] < 4:
            heading = tried[at]
            tried[at] += 1
            near = at + ahead(s, heading)
            if owner[near] == claimant and found[near] == 0:
                count += 1
                found[near] = count
                earliest[near] = count
                chamber[near] = 1
                came_by[near] = heading
                at = near
            elif owner[near] == claimant and at != head and heading != opposite(came_by[at]):
                earliest[at] = min(earliest[at], found[near])
        else:
            back = at - ahead(s, came_by[at])
            if back == head:
                best = max(best, chamber[at] + beyond[at])
            elif earliest[at] >= found[back]:
                beyond[back] = max(beyond[back], chamber[at] + beyond[at])
            else:
                chamber[back] += chamber[at]
                beyond[back] = max(beyond[back], beyond[at])
                earliest[back] = min(earliest[back], earliest[at])
            at = back
    return best


def candidates(s: Tron, seat: int, out: list[i32]) -> int:
    """Headings that do not kill at once; activation where it would do something at once.

    A lone survivor has won: for it there is only the heading that lets it travel furthest.
    """
    cycle = s.cycles[seat]
    if living(s) == 1 and cycle.held == EMPTY and cycle.invincible == 0:
        out[0] = best_filling(s, seat)
        return 1
    n = 0
    for heading in range(4):
        if heading != opposite(cycle.heading) and not blocked(s, seat, heading):
            out[n] = TURN + heading
            n += 1
    if n == 0:
        out[n] = STRAIGHT
        n += 1
    if cycle.held != EMPTY and (clears_something(s, seat) if cycle.held == BOMB else beside_a_trail(s, seat)):
        for heading in range(4):
            if heading != opposite(cycle.heading) and s.cells[cycle.cell + ahead(s, heading)] != WALL:
                out[n] = ACTIVATE + TURN + heading
                n += 1
    return n


def clears_something(s: Tron, seat: int) -> bool:
    """Does a light trail lie in the zone of the bomb, besides the one under the cycle?"""
    cycle = s.cycles[seat]
    left = blast_left(s, seat)
    top = blast_top(s, seat)
    for row in range(max(top, 0), min(top + BLAST, s.height)):
        for column in range(max(left, 0), min(left + BLAST, s.width)):
            at = row * s.width + column
            if at != cycle.cell and is_trail(s.cells[at]):
                return True
    return False


def beside_a_trail(s: Tron, seat: int) -> bool:
    cycle = s.cycles[seat]
    for heading in range(4):
        if heading != opposite(cycle.heading) and is_trail(s.cells[cycle.cell + ahead(s, heading)]):
            return True
    return False


def best_filling(s: Tron, seat: int) -> int:
    """The action after which most moves are left; among equals, the one that hugs what is solid."""
    best = STRAIGHT
    best_worth = -1
    for heading in range(4):
        if heading != opposite(s.cycles[seat].heading) and not blocked(s, seat, heading):
            step = s.cycles[seat].cell + ahead(s, heading)
            owner = u8s(MAX_CELLS)
            ways = reach(s, step, owner)
            worth = 4 * moves_left(s, step, owner, 1) + 4 - ways
            if worth > best_worth:
                best_worth = worth
                best = TURN + heading
    return best


def reach(s: Tron, start: int, owner: bytearray) -> int:
    """Claim every free cell that can be reached from a start; how many ways lead on from there."""
    queue = i32s(MAX_CELLS)
    owner[start] = 1
    queue[0] = start
    begin = 0
    end = 1
    ways = 0
    while begin < end:
        at = queue[begin]
        begin += 1
        for heading in range(4):
            near = at + ahead(s, heading)
            content = s.cells[near]
            if owner[near] == 0 and content != WALL and not is_trail(content):
                owner[near] = 1
                queue[end] = near
                end += 1
        if at == start:
            ways = end - 1
    return ways
