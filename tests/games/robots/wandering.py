"""States that random matches come through, with all options."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from turntile.core.gears import GearName, State, gear
from turntile.games.robots.game import GAME
from turntile.games.robots.options import Options, prepare
from turntile.games.robots.records import END, PLAY

OPTIONS = (
    Options(turn_limit=40),
    Options(map="random", turn_limit=40),
    Options(players=3, mines=True, map="random", turn_limit=60),
    Options(players=5, width=12, height=10, teams=2, messages=True, mines=True, turn_limit=60),
)


def wander(gear_name: GearName, options: Options, seed: int, steps: int, every: int = 1) -> Iterator[State]:
    """Every so many states of a match at random, in which turns are seldom ended at once."""
    chance = Random(seed)
    state = gear(GAME, gear_name).new(prepare(options), seed)
    for number in range(steps):
        if number % every == 0:
            yield state
        bits = state.to_act()
        if not bits:
            return
        actions = [choose(state, seat, chance) if bits >> seat & 1 else 0 for seat in range(state.seats())]
        state = state.clone()
        state.step(actions)


def choose(state: State, seat: int, chance: Random) -> int:
    legal = state.legal(seat)
    if state.record().phase == PLAY and len(legal) > 1 and chance.random() < 0.8:
        legal = [action for action in legal if action != END]
    if chance.random() < 0.3:
        return chance.choice(state.candidates(seat))
    return chance.choice(legal)
