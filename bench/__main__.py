"""Print how fast everything is here, beside what we promise.

    python -m bench [--json] [--only gears|limit|peers|contests|referee|arena]

From the project's folder, in an environment that has turntile; peers are measured where they
are installed (`pip install turntile[bench]`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from bench import arena, contests, gears, limit, peers, referee
from turntile.cli.measure import measure_game
from turntile.core.registry import OURS, find

Row = tuple[str, float, str, float | None, str]  # what, figure, unit, promise, "at least" or "at most"


def measure(only: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if only in ("", "gears"):
        found["gears"] = gears.measure()
        found["calls"] = {name: measure_game(find(name), seconds=0.3) for name in OURS}
    if only in ("", "limit"):
        found["limit"] = limit.measure()
    if only in ("", "peers"):
        found["peers"] = peers.measure()
    if only in ("", "contests"):
        found["contests"] = contests.measure()
    if only in ("", "referee"):
        found["referee"] = referee.measure()
    if only in ("", "arena"):
        found["arena"] = arena.measure()
    return found


def rows(found: dict[str, Any]) -> Iterator[Row]:
    for name, figures in found.get("gears", {}).items():
        yield f"{name}: compiled", figures["compiled_steps_per_s"] / 1e6, "M steps/s", None, ""
        yield (
            f"{name}: compiled / interpreted",
            figures["times_interpreted"],
            "x",
            gears.TIMES_INTERPRETED[name],
            "at least",
        )
        if name in gears.PART_OF_TRON:
            yield f"{name}: compiled / Tron's", figures["part_of_tron"], "x", gears.PART_OF_TRON[name], "at least"
    for name, figures in found.get("calls", {}).items():
        yield f"{name}: clone", figures["clone_us"], "us", 0.3 if name == "tron" else None, "at most"
        yield f"{name}: a call from Python", figures["call_us"], "us", None, ""
        yield f"{name}: batch of 1024", figures["batch_steps_per_s"] / 1e6, "M steps/s", None, ""
        yield f"{name}: the same with observations", figures["batch_observed_steps_per_s"] / 1e6, "M steps/s", None, ""
        yield f"{name}: first move after process start", figures["first_move_s"], "s", 0.3, "at most"
    if "limit" in found:
        yield "Tron in C by hand", found["limit"]["tron_c_steps_per_s"] / 1e6, "M steps/s", None, ""
        yield "tron: compiled / C by hand", found["limit"]["compiled_to_c"], "x", 0.8, "at least"
    if "peers" in found:
        for name, speed in found["peers"]["steps_per_s"].items():
            yield f"Connect Four, {name}", speed / 1e6, "M steps/s", None, ""
        promised = {f"{ours} / {theirs}": least for ours, theirs, least in peers.PROMISES}
        for name, ratio in found["peers"]["ratios"].items():
            yield f"Connect Four, {name}", ratio, "x", promised[name], "at least"
    if "contests" in found:
        figures = found["contests"]
        yield (
            f"a contest of {figures['matches']} matches / a bare loop",
            figures["times_bare_loop"],
            "x",
            contests.MOST_TIMES_BARE,
            "at most",
        )
        yield "a contest on all cores", figures["matches_per_s_all_cores"], "matches/s", None, ""
    if "referee" in found:
        crowd = found["referee"]["crowd"]
        for place in ("same_core", "other_core"):
            figures, where = found["referee"][place], place.replace("_", " ")
            yield f"a program's move, bare pipes, {where}", figures["bare_us"], "us", None, ""
            yield f"a program's move through the referee, {where}", figures["referee_us"], "us", None, ""
            yield f"referee / bare pipes, {where}", figures["ratio"], "x", referee.RATIO, "at most"
        yield f"moves at {crowd['tables']} tables at once", crowd["moves"], "", referee.CROWD_MOVES, "at least"
        yield "time losses in them", crowd["time_losses"], "", 0, "at most"
    if "arena" in found:
        yield from arena_rows(found["arena"])


def arena_rows(found: dict[str, Any]) -> Iterator[Row]:
    for name, figures in found["moves"].items():
        feed, connections = name.split()
        what = f"Tron over {connections} sockets, feed={feed}"
        yield f"{what}: moves committed", figures["moves_per_s"], "/s", None, ""
        yield f"{what}: a bare echo of as many bytes", figures["echo_per_s"], "/s", None, ""
        promise = arena.PART_OF_ECHO if feed == "lines" and int(connections) >= arena.SATURATING else None
        yield f"{what}: moves / echo", figures["part_of_echo"], "x", promise, "at least"
        yield f"{what}: moves / an echo of the same messages", figures["part_of_alike"], "x", None, ""
    crowd = found["crowd"]
    what = f"{crowd['matches']} matches, {crowd['watchers']} watchers"
    for name, promise in (("all", arena.ACK_MS), ("in_turn", None), ("real_time", None), ("real_time_after_due", None)):
        figures, which = crowd[name], name.replace("_", " ")
        yield f"{what}, {which}: acknowledged, median", figures["p50_ms"], "ms", None, ""
        yield f"{what}, {which}: acknowledged, 99th percentile", figures["p99_ms"], "ms", promise, "at most"
    yield f"{what}: an action to its actor's picture, median", crowd["action_to_picture"]["p50_ms"], "ms", None, ""
    yield f"{what}: ..., 99th percentile", crowd["action_to_picture"]["p99_ms"], "ms", None, ""
    yield f"{what}: the server's core", crowd["server_busy"] * 100, "% busy", None, ""
    for game, kilobytes in found["idle"]["kb"].items():
        yield f"an idle match of {game}", kilobytes, "kB", arena.IDLE_MATCH_KB, "at most"
    if found["script_kb"] is not None:
        yield "the page's script, packed", found["script_kb"], "kB", arena.SCRIPT_KB, "at most"


def kept(row: Row) -> bool | None:
    _, figure, _, promise, kind = row
    if promise is None:
        return None
    return figure >= promise if kind == "at least" else figure <= promise


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="How fast everything is here.")
    parser.add_argument("--json", action="store_true", help="figures for a program instead of a table")
    parts = ("gears", "limit", "peers", "contests", "referee", "arena")
    parser.add_argument("--only", choices=parts, default="", help="one part")
    words = parser.parse_args()
    found = measure(words.only)
    if words.json:
        json.dump(found, sys.stdout, indent=1)
        print()
        return 0
    table = Table(title="Turntile's speed here", header_style="bold")
    for column in ("what", "figure", "promised", ""):
        table.add_column(column, justify="left" if column == "what" else "right")
    for row in rows(found):
        what, figure, unit, promise, kind = row
        wish = f"{kind} {promise:g}" if promise is not None else ""
        verdict = {True: "kept", False: "MISSED", None: ""}[kept(row)]
        table.add_row(what, f"{figure:,.2f} {unit}", wish, verdict)
    Console().print(table)
    for name in found.get("peers", {}).get("missing", []):
        print(f"{name} is not installed: pip install 'turntile[bench]' to measure it too")
    return 0


if __name__ == "__main__":
    sys.exit(main())
