"""SEWorms' bots, from easy to strong."""

from __future__ import annotations

from dataclasses import dataclass

from turntile.core.bots import RANDOM, TREE, Bot, BotKind, Turn
from turntile.core.gears import State
from turntile.games.worms.records import CHOOSE, DIED, FELL, HURT, IDLE, PICKED_UP, SHOOT
from turntile.games.worms.view import View, WormView

KILL_WORTH = 40  # what a kill counts besides the HP
STEPS_OF_A_TURN = 3  # walk, choose, act


@dataclass(frozen=True)
class Plan:
    """The first step of a turn thought through to its end, and what that turn would bring."""

    worth: int
    action: int


def greedy_bot(argument: str) -> Bot:
    """The turn that costs the enemy most and its own side nothing; without one, a step nearer."""

    def act(turn: Turn) -> str:
        state = turn.imagine()
        plan = best_turn(state, turn.view, turn.seat, STEPS_OF_A_TURN)
        if plan.worth > 0:
            return turn.spell(plan.action)
        return approach(turn, state)

    return act


def best_turn(state: State, view: View, seat: int, steps: int) -> Plan:
    """The best of the turns worth trying; what harms its own side is not among them."""
    best = Plan(0, IDLE)
    for action in state.candidates(seat):
        after = state.clone()
        after.step([action, action])
        harm, own = damage(after, view, seat)
        if own > 0:
            continue
        worth = harm
        if steps > 1 and action < IDLE and after.to_act() == 1 << seat:
            worth += best_turn(after, view, seat, steps - 1).worth
        if worth > best.worth:
            best = Plan(worth, action)
    return best


def damage(after: State, view: View, seat: int) -> tuple[int, int]:
    """What the last step cost the others and its own side; HP, and more for a kill."""
    harm = own = 0
    for kind, _, worm, points, hp, _ in after.events():
        if kind in (HURT, FELL, DIED):
            cost = hp + KILL_WORTH if kind == DIED else points
            if view.worms[worm].player == seat + 1:
                own += cost
            else:
                harm += cost
    return harm, own


def approach(turn: Turn, state: State) -> str:
    """Nothing to gain at once: a harmless walk to a chest or towards the nearest enemy, or a tunnel, or idle."""
    view: View = turn.view
    me = view.worms[view.worm - 1]
    enemies = [worm for worm in view.worms if worm.player != me.player and worm.hp > 0]
    best, action = columns_apart(me.col, enemies), IDLE
    for candidate in state.candidates(turn.seat):
        after = state.clone()
        after.step([candidate, candidate])
        if damage(after, view, turn.seat)[1] > 0:
            continue
        if candidate < CHOOSE:
            found = any(event[0] == PICKED_UP for event in after.events())
            column = after.record().worms[view.worm - 1].cell % view.width
            distance = -1 if found else columns_apart(column, enemies)
            if distance < best:
                best, action = distance, candidate
        elif candidate >= SHOOT and action == IDLE:
            action = candidate
    return turn.spell(action)


def columns_apart(column: int, enemies: list[WormView]) -> int:
    return min(abs(worm.col - column) for worm in enemies)


BOTS = (
    RANDOM,
    BotKind("greedy", "the most damage at once, never to its own side", greedy_bot),
    TREE,
)
