"""How fast a game's rules run here: the figures of `turntile bench`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from turntile.core.errors import InvalidOptions
from turntile.core.game import Game
from turntile.core.gears import Gear, gear

BATCH = 1024
FIRST_MOVES = 3
PATIENCE_S = 120

# What a fresh process does until its first move is played.
FIRST_MOVE = """
import sys
from turntile.core.registry import find
from turntile.match import Match
match = Match.start(find(sys.argv[1]), seed=1)
while match.step_number == 0:
    seat = match.waiting()[0]
    match.submit(seat, match.turn(seat).legal[0])
print(match.step_number, flush=True)
"""


def measure_game(game: Game, seconds: float) -> dict[str, float | None]:
    """All figures of one game; None where a gear is not there."""
    compiled = compiled_gear(game)
    interpreted = gear(game, "interpreted")
    fastest = compiled or interpreted
    figures: dict[str, float | None] = {
        "compiled_steps_per_s": playout_speed(game, compiled, seconds) if compiled else None,
        "interpreted_steps_per_s": playout_speed(game, interpreted, seconds),
        "clone_us": 1e6 / calls_per_s(position(game, fastest).clone, seconds),
        "call_us": 1e6 / calls_per_s(position(game, fastest).to_act, seconds),
        "batch_steps_per_s": batch_speed(game, compiled, seconds, observed=False) if compiled else None,
        "batch_observed_steps_per_s": batch_speed(game, compiled, seconds, observed=True) if compiled else None,
        "first_move_s": first_move(game),
    }
    fast, slow = figures["compiled_steps_per_s"], figures["interpreted_steps_per_s"]
    figures["compiled_over_interpreted"] = fast / slow if fast and slow else None
    return figures


def compiled_gear(game: Game) -> Gear | None:
    """The compiled gear, or a word about why it is not there."""
    try:
        return gear(game, "compiled")
    except InvalidOptions as reason:
        print(f"turntile: {game.name}: {reason}", file=sys.stderr)
        return None


def position(game: Game, chosen: Gear) -> Any:
    return chosen.new(game.prepare(game.options()), 1)


def playout_speed(game: Game, chosen: Gear, seconds: float) -> float:
    """Steps a second of random playouts from the first position, many in each call."""
    state = position(game, chosen)
    count, steps, spent, seed = 1, 0, 0.0, 1
    while spent < seconds:
        started = perf_counter()
        steps += state.playouts(seed, count)
        took = perf_counter() - started
        spent += took
        seed += 1
        if took < seconds / 10:
            count *= 2
    return steps / spent


def calls_per_s(call: Callable[[], object], seconds: float) -> float:
    """How often a call can be made in a plain Python loop, the loop itself taken off."""
    count = 100
    while True:
        took = timed(call, count)
        if took >= min(seconds, 0.2):
            break
        count *= 2
    best = min(took, *(timed(call, count) for _ in range(2)))
    loop = min(timed_loop(count) for _ in range(3))
    return count / max(1e-9, best - loop)


def timed(call: Callable[[], object], count: int) -> float:
    started = perf_counter()
    for _ in range(count):
        call()
    return perf_counter() - started


def timed_loop(count: int) -> float:
    started = perf_counter()
    for _ in range(count):
        pass
    return perf_counter() - started


def batch_speed(game: Game, chosen: Gear, seconds: float, observed: bool) -> float:
    """Steps a second of BATCH matches stepped together on one thread, with random actions."""
    import numpy as np

    batch = chosen.batch(game.prepare(game.options()), BATCH, 1)
    state = position(game, chosen)
    out = np.zeros((BATCH, game.rules.MAX_SEATS, len(state.observe(0))), np.uint8)
    rounds, spent = 0, 0.0
    while spent < seconds:
        batch.random_actions(rounds)
        started = perf_counter()
        batch.step()
        if observed:
            batch.observe(out)
        spent += perf_counter() - started
        rounds += 1
    return BATCH * rounds / spent


def first_move(game: Game) -> float:
    """From the start of a process to its first move, the best of a few."""
    return min(time_first_move(game) for _ in range(FIRST_MOVES))


def time_first_move(game: Game) -> float:
    started = perf_counter()
    with subprocess.Popen([sys.executable, "-c", FIRST_MOVE, game.name], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        took = perf_counter() - started
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, f"the first move of {game.name} failed"
    return took
