"""Every game in both gears, taking turns in one run, and each beside Tron."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.timing import rates
from turntile.core.game import Game
from turntile.core.gears import GearName, gear
from turntile.core.registry import OURS, find

STEPS_A_TURN = {"compiled": 1_500_000, "interpreted": 6_000}

# What we promise: times the interpreted gear, and part of Tron's steps a second in the same run.
TIMES_INTERPRETED = {"tron": 80.0, "worms": 60.0, "racers": 60.0, "roborace": 60.0, "robots": 60.0}
PART_OF_TRON = {"worms": 0.1, "racers": 0.1, "roborace": 0.03, "robots": 0.1}


def options_for(game: Game) -> Any:
    """The default options, except where a promise names others: a round of four robots."""
    if game.name == "roborace":
        return game.options(players=4)
    return game.options()


def playouts(name: str, gear_name: GearName) -> Callable[[], int]:
    """A way to play out for a while; the steps are what counts."""
    game = find(name)
    state = gear(game, gear_name).new(game.prepare(options_for(game)), 1)
    probe = state.playouts(1, 5)
    count = max(1, 5 * STEPS_A_TURN[gear_name] // max(1, probe))
    seeds = iter(range(10**9))
    return lambda: state.playouts(next(seeds), count)


def measure() -> dict[str, dict[str, float]]:
    gears: tuple[GearName, ...] = ("compiled", "interpreted")
    ways = {f"{name} {gear_name}": playouts(name, gear_name) for gear_name in gears for name in OURS}
    found = rates(ways)
    return {
        name: {
            "compiled_steps_per_s": found[f"{name} compiled"],
            "interpreted_steps_per_s": found[f"{name} interpreted"],
            "times_interpreted": found[f"{name} compiled"] / found[f"{name} interpreted"],
            "part_of_tron": found[f"{name} compiled"] / found["tron compiled"],
        }
        for name in OURS
    }
