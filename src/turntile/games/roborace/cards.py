"""Cards, and programs as numbers. A program is one of the 2520 ordered choices of 5 out of 7."""

from __future__ import annotations

from turntile.forge import i32, table
from turntile.games.roborace.records import HAND, MAX_ACTIONS, PHASES

FIRST_CARDS = table(1, 19, 37, 43, 49, 67, 79, 85)  # F1: where each kind begins in the deck
LINE = 0x76543210  # eight numbers in a row, four bits each: what `taken_from` draws from
CHOICES_BELOW = table(360, 60, 12, 3, 1)  # how many programs share their first 1, 2, ... cards


def card_kind(card: int) -> int:
    """F1: what a card does, by its priority."""
    kind = 0
    while card >= FIRST_CARDS[kind + 1]:
        kind += 1
    return kind


def item(line: int, place: int) -> int:
    """The number at a place of a line."""
    return (line >> (4 * place)) & 15


def without(line: int, place: int) -> int:
    """The line that is left when the number at a place is taken out."""
    low = line & ((1 << (4 * place)) - 1)
    return low | ((line >> (4 * place + 4)) << (4 * place))


def read_program(action: int, chosen: list[i32]) -> None:
    """R2: the five hand positions (0 to 6) of an action, in order."""
    line = LINE
    rest = action
    for phase in range(PHASES):
        place = rest // CHOICES_BELOW[phase]
        rest -= place * CHOICES_BELOW[phase]
        chosen[phase] = item(line, place)
        line = without(line, place)


def program_number(chosen: list[i32]) -> int:
    """The action of five different hand positions."""
    action = 0
    for phase in range(PHASES):
        place = chosen[phase]
        for earlier in range(phase):
            if chosen[earlier] < chosen[phase]:
                place -= 1
        action += place * CHOICES_BELOW[phase]
    assert 0 <= action < MAX_ACTIONS and chosen[0] < HAND
    return action
