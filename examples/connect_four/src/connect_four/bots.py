"""Bots for Connect Four, from easy to strong."""

from __future__ import annotations

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.core.gears import State


def careful_bot(argument: str) -> Bot:
    """Wins if it can, stops the other if it must, else plays near the middle."""

    def act(turn: Turn) -> str:
        state = turn.imagine()
        actions = state.legal(turn.seat)
        middle = sorted(actions, key=lambda column: abs(2 * column - turn.view.width + 1))
        for column in actions:
            after = state.clone()
            after.step([column, column])
            if after.over() and after.place(turn.seat) == 1:
                return turn.spell(column)
        for column in middle:
            after = state.clone()
            after.step([column, column])
            if not any(loses(after, turn.seat, reply) for reply in after.legal(1 - turn.seat)):
                return turn.spell(column)
        return turn.spell(middle[0])

    return act


def loses(state: State, seat: int, reply: int) -> bool:
    after = state.clone()
    after.step([reply, reply])
    return after.over() and after.place(seat) != 1


CAREFUL = BotKind("careful", "wins if it can, stops the other if it must", careful_bot)
BOTS = (RANDOM, CAREFUL, TREE)
