"""Tron's bots, from easy to strong."""

from __future__ import annotations

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.core.grid import STEP_X, STEP_Y, opposite
from turntile.games.tron.view import View
from turntile.games.tron.words import GREY_DRAWN, HEADINGS, TRAILS


def free_headings(view: View, seat: int) -> list[int]:
    """The headings whose next cell does not kill at once."""
    cycle = view.cycles[seat]
    back = opposite(HEADINGS.index(cycle.heading))
    ahead = [(side, cycle.x + STEP_X[side], cycle.y + STEP_Y[side]) for side in range(4) if side != back]
    return [side for side, x, y in ahead if is_free(view, seat, x, y)]


def is_free(view: View, seat: int, x: int, y: int) -> bool:
    drawn = view.board[y][x]
    if drawn in TRAILS or drawn == GREY_DRAWN:
        return view.cycles[seat].invincible > 0
    return drawn != "#"


def greedy_bot(argument: str) -> Bot:
    """Goes where the free run is longest, and uses what it holds when it is shut in."""

    def act(turn: Turn) -> str:
        view: View = turn.view
        cycle = view.cycles[turn.seat]
        open_sides = free_headings(view, turn.seat)
        if not open_sides:
            return "activate" if cycle.held else "straight"
        return HEADINGS[max(open_sides, key=lambda side: free_run(view, turn.seat, side))]

    return act


def free_run(view: View, seat: int, side: int) -> int:
    cycle = view.cycles[seat]
    x, y, cells = cycle.x + STEP_X[side], cycle.y + STEP_Y[side], 0
    while is_free(view, seat, x, y) and cells < view.width + view.height:
        x, y, cells = x + STEP_X[side], y + STEP_Y[side], cells + 1
    return cells


GREEDY = BotKind("greedy", "goes where the free run is longest", greedy_bot)

BOTS = (RANDOM, GREEDY, TREE)
