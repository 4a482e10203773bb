"""Connect Four beside the peers that are installed: each through its fastest public way and a plain Python loop.

Our batches run on one thread here: waking a second costs more than 1024 stones. The peers use what threads they like.
What is compared: uniformly random matches of Connect Four on 7 x 6, in steps (stones dropped) per second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from bench.timing import rates
from turntile.core.gears import Gear, gear

EXAMPLE = Path(__file__).parent.parent / "examples" / "connect_four" / "src"
BATCH = 1024
Ways = dict[str, Callable[[], int]]


def our_ways() -> Ways:
    if not find_spec("connect_four"):
        sys.path.insert(0, str(EXAMPLE))
    from connect_four.game import GAME  # the example need not be installed

    built: Gear = gear(GAME, "compiled")
    record = GAME.prepare(GAME.options())
    first = built.new(record, 1)
    batch = built.batch(record, BATCH, seed=1)
    import numpy as np

    planes = np.zeros((BATCH, 2, len(first.observe(0))), dtype=np.uint8)
    seeds = iter(range(10**9))

    def batch_steps(observe: bool) -> int:
        for _ in range(100):
            batch.random_actions(next(seeds))
            batch.step()
            if observe:
                batch.observe(planes)
        return 100 * BATCH

    def loop() -> int:
        random = Random(next(seeds)).random
        steps = 0
        for _ in range(300):
            state = first.clone()
            while bits := state.to_act():
                actions = state.legal(bits - 1)
                action = actions[int(random() * len(actions))]
                state.step((action, action))
                steps += 1
        return steps

    return {
        "turntile playouts": lambda: first.playouts(next(seeds), 20_000),
        "turntile batch": lambda: batch_steps(observe=False),
        "turntile batch with observations": lambda: batch_steps(observe=True),
        "turntile loop": loop,
    }


def open_spiel_ways() -> Ways:
    import pyspiel

    game = pyspiel.load_game("connect_four")
    first = game.new_initial_state()
    # Its C++ rollouts are reached through its search bot: two simulations, each evaluated by so many
    # rollouts, the first from the empty grid, the second from one stone on.
    rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=1_000, seed=1)
    bot = pyspiel.MCTSBot(game, rollouts, 2.0, 2, 1, False, 42, False)

    def loop() -> int:
        random = Random(1).random
        steps = 0
        for _ in range(100):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                steps += 1
        return steps

    mean_length = loop() / 100

    def play_out() -> int:
        bot.step(first)
        return int(2_000 * mean_length)

    return {"open_spiel rollouts": play_out, "open_spiel loop": loop}


def pgx_ways() -> Ways:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step = auto_reset(env.step, env.init)
    rounds = 100

    def one(carry: Any, _: None) -> Any:
        state, key = carry
        key, choose, again = jax.random.split(key, 3)
        odds = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(choose, odds, axis=-1)
        return (jax.vmap(step)(state, action, jax.random.split(again, BATCH)), key), None

    @jax.jit
    def play(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, (state, key), None, length=rounds)[0]

    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), BATCH))
    carry = [play(state, jax.random.PRNGKey(1))]  # compiled here, outside the time taken
    jax.block_until_ready(carry[0])

    def batch() -> int:
        carry[0] = play(*carry[0])
        jax.block_until_ready(carry[0])
        return rounds * BATCH

    return {"pgx batch with observations": batch}


def pettingzoo_ways() -> Ways:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()

    def loop() -> int:
        random = Random(1).random
        steps = 0
        for seed in range(3):
            env.reset(seed=seed)
            for _agent in env.agent_iter():
                seen, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                actions = seen["action_mask"].nonzero()[0]
                env.step(int(actions[int(random() * len(actions))]))
                steps += 1
        return steps

    return {"pettingzoo loop": loop}


PEERS: dict[str, tuple[tuple[str, ...], Callable[[], Ways]]] = {
    "open_spiel": (("pyspiel",), open_spiel_ways),
    "pgx": (("pgx", "jax"), pgx_ways),
    "pettingzoo": (("pettingzoo", "pygame"), pettingzoo_ways),
}
# What we promise, as (ours, theirs, at least so many times).
PROMISES = (
    ("turntile playouts", "open_spiel rollouts", 10.0),
    ("turntile loop", "open_spiel loop", 2.5),
    ("turntile batch", "pgx batch with observations", 8.0),
    ("turntile batch with observations", "pgx batch with observations", 1.0),
    ("turntile loop", "pettingzoo loop", 1.0),
)


def measure() -> dict[str, Any]:
    """Steps per second of every way, the ratios, and which peers are missing."""
    ways, missing = our_ways(), []
    for name, (modules, make) in PEERS.items():
        if all(find_spec(module) for module in modules):
            ways.update(make())
        else:
            missing.append(name)
    found = rates(ways)
    ratios = {f"{ours} / {theirs}": found[ours] / found[theirs] for ours, theirs, _ in PROMISES if theirs in found}
    return {"steps_per_s": found, "ratios": ratios, "missing": missing}
