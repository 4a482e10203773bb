"""Random playouts, written once for all games in forge's subset."""

from __future__ import annotations

from turntile.core.contract import MAX_SEATS, State, place, seats, step, to_act
from turntile.core.defaults import rollout_action
from turntile.core.dice import Dice
from turntile.forge import i32, i32s

REWARD = 1000  # what a win is worth; a loss is worth as much less


def choose_rollout_actions(s: State, bits: int, dice: Dice, actions: list[i32]) -> None:
    """An action of the playout's policy for each seat that is to act."""
    for seat in range(MAX_SEATS):
        actions[seat] = rollout_action(s, seat, dice) if (bits >> seat) & 1 == 1 else 0


def playout(s: State, dice: Dice, limit: int) -> int:
    """Play to the end in place, or for `limit` steps; the number of steps."""
    actions = i32s(MAX_SEATS)
    steps = 0
    bits = to_act(s)
    while bits != 0 and steps < limit:
        choose_rollout_actions(s, bits, dice, actions)
        step(s, actions)
        steps += 1
        bits = to_act(s)
    return steps


def reward(s: State, seat: int) -> int:
    """From -REWARD (last, alone) to REWARD (first, alone) by place; ties share; 0 while it is open."""
    mine = place(s, seat)
    if mine == 0:
        return 0
    players = seats(s)
    if players == 1:
        return REWARD if mine == 1 else -REWARD
    better = 0
    equal = 0
    for other in range(players):
        if other != seat:
            if place(s, other) < mine:
                better += 1
            elif place(s, other) == mine:
                equal += 1
    return REWARD - REWARD * (2 * better + equal) // (players - 1)
