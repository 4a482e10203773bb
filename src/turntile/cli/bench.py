"""`turntile bench`: the figures of `measure` as a table or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from turntile.cli.measure import measure_game
from turntile.core.registry import find, games

COLUMNS = (
    ("compiled_steps_per_s", "compiled steps/s"),
    ("interpreted_steps_per_s", "interpreted"),
    ("compiled_over_interpreted", "ratio"),
    ("batch_steps_per_s", "batch steps/s"),
    ("batch_observed_steps_per_s", "with planes"),
    ("clone_us", "clone us"),
    ("call_us", "call us"),
    ("first_move_s", "first move s"),
)


def bench_games(names: Sequence[str], seconds: float, as_json: bool) -> None:
    chosen = [find(name) for name in names] if names else list(games().values())
    measured = {}
    if not as_json:
        print("  ".join([f"{'game':10}", *(f"{title:>{max(12, len(title))}}" for _, title in COLUMNS)]), flush=True)
    for game in chosen:
        figures = measured[game.name] = measure_game(game, seconds)
        if not as_json:
            cells = [f"{spell(figures[key]):>{max(12, len(title))}}" for key, title in COLUMNS]
            print("  ".join([f"{game.name:10}", *cells]), flush=True)
    if as_json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(measured)).decode() + "\n")


def spell(figure: float | None) -> str:
    if figure is None:
        return "-"
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"
