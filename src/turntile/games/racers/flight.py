"""The flight of an identity disc: where it comes to rest and whom it hits.

Only looks ahead and changes nothing: the rules, the bots and the screens, which show a
disc's range before it is thrown, all ask the same function.
"""

from __future__ import annotations

from turntile.forge import i32, u8s
from turntile.games.racers.moves import beside, door_at
from turntile.games.racers.power import unpowered
from turntile.games.racers.records import CHARGED_ITEM, MAX_DOORS, TELEPORTER, WALL, Racers

DISC_RANGE = 4
MAX_PASSES = 2

# What `fly` writes: the square of rest, who was hit (seat + 1, or 0), and the squares on the way.
REST = 0
VICTIM = 1
SQUARES = 2  # how many squares it entered, teleporters' destinations included
FIRST_SQUARE = 3
MAX_SQUARES = 200  # the longer flights of charged discs are not noted in full
FLIGHT_SIZE = FIRST_SQUARE + MAX_SQUARES


def fly(s: Racers, seat: int, kind: int, direction: int, out: list[i32]) -> None:
    """D1 to D4, D7, D9, F10: fly from the racer's square, `direction` one of the four, clockwise from up."""
    charged = kind == CHARGED_ITEM
    at = s.racers[seat].cell
    reach = DISC_RANGE - darkness(s, at)
    travelled = 0
    passes = u8s(MAX_DOORS)
    out[VICTIM] = 0
    out[SQUARES] = 0
    flying = charged or travelled < reach
    while flying:
        ahead = beside(s, at, 2 * direction)
        if s.cells[ahead] & WALL != 0:  # R3.16
            flying = False
        else:
            at = ahead
            travelled += 1
            reach -= enter(s, at, out)
            flying = out[VICTIM] == 0
            if flying and s.cells[at] & TELEPORTER != 0:  # D2: a player on it is hit before it acts
                door = door_at(s, at)
                passes[door] += 1
                at = s.doors[door].exit
                reach -= enter(s, at, out)  # D7: even if the source has used up the range
                flying = out[VICTIM] == 0 and passes[door] < MAX_PASSES  # F10
            flying = flying and (charged or travelled < reach)
    out[REST] = at


def darkness(s: Racers, at: int) -> int:
    """R3.18: what a square takes off a disc's range; D7: once, however many failures cover it."""
    return 1 if unpowered(s, at) else 0


def enter(s: Racers, at: int, out: list[i32]) -> int:
    """The disc comes to a square: note it and the player it hits there; what it costs in range."""
    if out[SQUARES] < MAX_SQUARES:
        out[FIRST_SQUARE + out[SQUARES]] = at
        out[SQUARES] += 1
    for seat in range(2):
        if s.racers[seat].cell == at:
            out[VICTIM] = seat + 1
    return darkness(s, at)
