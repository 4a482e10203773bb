"""`turntile game check`: a game against what every game promises."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import msgspec

from turntile.core.registry import find
from turntile.match.check import CHECKS, Subject

DONE = 0
FAILED = 1
SHOWN = 5  # problems told for each check


def check_game(name: str, matches: int, seed: int, as_json: bool) -> int:
    game = find(name)
    subject = Subject(game, matches, seed)
    found: dict[str, Any] = {}
    for title, check in CHECKS.items():
        started = perf_counter()
        problems = list(check(subject))
        found[title] = problems
        if not as_json:
            summary = " ".join((check.__doc__ or "").split())
            print(f"{'failed' if problems else 'ok':6}  {title:10} {summary}  ({perf_counter() - started:.1f} s)")
            for problem in problems[:SHOWN]:
                print(f"          {problem}")
            if len(problems) > SHOWN:
                print(f"          ... and {len(problems) - SHOWN} more")
    failed = sum(bool(problems) for problems in found.values())
    if as_json:
        data = {"game": game.name, "gear": subject.gear.name, "matches": matches, "failed": failed, "checks": found}
        sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    else:
        verdict = f"{failed} of {len(CHECKS)} checks failed" if failed else f"all {len(CHECKS)} checks passed"
        print(f"{game.name}: {verdict} ({matches} random matches, {subject.gear.name} gear)")
    return FAILED if failed else DONE
