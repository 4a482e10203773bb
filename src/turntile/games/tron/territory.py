"""Territory: what an unfinished match of Tron looks worth, and which actions are worth trying.

For the tree search; no rule depends on it. Every living cycle claims the cells it reaches
first (a flood from all heads at once); a cell reached by two at the same time is nobody's.
Cells with more free neighbours count more: open space is easier to use than corridors.
When no two cycles can reach each other any more, only the number of moves left counts, and
a cycle alternates between the colours of a chessboard: the scarcer colour limits it.
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
MOVE_WORTH = 40  # one move more than the other has left, once they are apart
RINGS = 100  # floods count their rings modulo this


def estimate(s: Tron, seat: int) -> int:
    """From LOST to WON, by the territory of the seat and of the strongest other."""
    if not s.cycles[seat].alive:
        return LOST
    if living(s) == 1:
        return WON
    worth = i32s(MAX_SEATS + 2)
    moves = i32s(MAX_SEATS + 2)
    apart = claim_territory(s, worth, moves)
    rival = 0
    rival_moves = 0
    for other in range(s.players):
        if other != seat and s.cycles[other].alive:
            rival = max(rival, worth[other + 1])
            rival_moves = max(rival_moves, moves[other + 1])
    if apart:
        return min(WON - 1, max(LOST + 1, OPEN + MOVE_WORTH * (moves[seat + 1] - rival_moves)))
    mine = worth[seat + 1]
    return OPEN + (WON - OPEN - 1) * (mine - rival) // (mine + rival + 1)


def claim_territory(s: Tron, worth: list[i32], moves: list[i32]) -> bool:
    """Flood from all heads at once. Worth and moves left by owner; whether the cycles are apart."""
    owner = u8s(MAX_CELLS)
    ring_of = u8s(MAX_CELLS)
    queue = i32s(MAX_CELLS)
    black = i32s(MAX_SEATS + 2)
    end = 0
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive:
            owner[cycle.cell] = seat + 1
            ring_of[cycle.cell] = 1
            queue[end] = cycle.cell
            end += 1
            worth[seat + 1] = HELD_WORTH if cycle.held != EMPTY else 0
    apart = True
    begin = 0
    while begin < end:
        at = queue[begin]
        begin += 1
        claimant = owner[at]
        ring = ring_of[at] % RINGS + 1
        free = 0
        for heading in range(4):
            near = at + ahead(s, heading)
            content = s.cells[near]
            if content != WALL and not is_trail(content):
                free += 1
                if owner[near] == 0:
                    owner[near] = claimant
                    ring_of[near] = ring
                    queue[end] = near
                    end += 1
                elif owner[near] != claimant:
                    apart = False
                    if ring_of[near] == ring:
                        owner[near] = NOBODY
        worth[claimant] += CELL_WORTH + NEIGHBOUR_WORTH * free
        moves[claimant] += 1
        if (at % s.width + at // s.width) & 1 == 0:
            black[claimant] += 1
    limit_moves(s, moves, black)
    return apart


def limit_moves(s: Tron, moves: list[i32], black: list[i32]) -> None:
    """A cycle's cells, its own included, are entered black, white, black ...: no more than the colours allow."""
    for seat in range(s.players):
        cycle = s.cycles[seat]
        if cycle.alive:
            on_black = (cycle.cell % s.width + cycle.cell // s.width) & 1 == 0
            mine = black[seat + 1] if on_black else moves[seat + 1] - black[seat + 1]
            others = moves[seat + 1] - mine
            moves[seat + 1] = min(2 * (mine - 1) + 1, 2 * others) if others > 0 else 0


def candidates(s: Tron, seat: int, out: list[i32]) -> int:
    """Headings that do not kill at once; activation where it would do something at once."""
    cycle = s.cycles[seat]
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
