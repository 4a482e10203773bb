"""Cards, and programs as numbers. A program is one of the 2520 ordered choices of 5 out of 7."""

from __future__ import annotations

from turntile.forge import i32, table
from turntile.games.roborace.records import (
    BACK_UP,
    HAND,
    MOVE_1,
    MOVE_2,
    MOVE_3,
    PHASES,
    TURN_LEFT,
    TURN_RIGHT,
    U_TURN,
)

PRICES = table(2, 2, 3, 3, 2, 3, 4)  # what a kind counts in the way to a goal; see efforts.py

# Several small numbers in a row, four bits each, the first one lowest, are called a line.
LINE = 0x6543210  # the places of a hand
SHIFTS = table(0, 4, 8, 12, 16, 20, 24)
BEFORE = table(0x0, 0xF, 0xFF, 0xFFF, 0xFFFF, 0xFFFFF, 0xFFFFFF)  # the numbers before a place
FROM = table(0xFFFFFFF, 0xFFFFFF0, 0xFFFFF00, 0xFFFF000, 0xFFF0000, 0xFF00000, 0xF000000)  # and from it on

LOWER = table(0, 1, 3, 7, 15, 31, 63)  # the set of all hand positions below one
# How many members a set of six has.
MEMBERS = table(
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5,
    1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6,
)  # fmt: skip


def card_kind(card: int) -> int:
    """F1: what a card does, by its priority."""
    if card <= 36:
        return TURN_RIGHT if card <= 18 else TURN_LEFT
    if card <= 48:
        return U_TURN if card <= 42 else BACK_UP
    if card <= 66:
        return MOVE_1
    return MOVE_2 if card <= 78 else MOVE_3


def item(line: int, place: int) -> int:
    """The number at a place of a line."""
    return (line >> SHIFTS[place]) & 15


def without(line: int, place: int) -> int:
    """The line that is left when the number at a place is taken out."""
    return (line & BEFORE[place]) | ((line >> 4) & FROM[place])


def read_program(action: int, chosen: list[i32]) -> int:
    """R2: the five hand positions (0 to 6) of an action, in order; the line of the two left over.

    Written out, because a division by a constant is a multiplication to the compiler.
    """
    triples = action // 3
    dozens = triples // 4
    sixties = dozens // 5
    first = sixties // 6
    line = take(LINE, first, chosen, 0)
    line = take(line, sixties - first * 6, chosen, 1)
    line = take(line, dozens - sixties * 5, chosen, 2)
    line = take(line, triples - dozens * 4, chosen, 3)
    return take(line, action - triples * 3, chosen, 4)


def take(line: int, place: int, chosen: list[i32], phase: int) -> int:
    """Choose the number at a place of a line for a phase; the line that is left."""
    chosen[phase] = item(line, place)
    return without(line, place)


def program_number(chosen: list[i32]) -> int:
    """The action of five different hand positions: each counted among those still free."""
    action = 0
    used = 0
    for phase in range(PHASES):
        position = chosen[phase]
        action = action * (HAND - phase) + position - MEMBERS[used & LOWER[position]]
        used |= 1 << position
    return action
