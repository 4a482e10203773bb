"""Recorded matches of Tron, replayed turn by turn in both gears.

The recordings are no part of the repository: TURNTILE_CONFORMANCE names their folder; without it
they are looked for beside the checkout. A recording gives a dead cycle's position as the cell
it ran into.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from turntile.core.gears import GearName, State, gear
from turntile.games.tron.boards import CELL_OF
from turntile.games.tron.game import GAME
from turntile.games.tron.options import Options
from turntile.games.tron.records import GREY, INVINCIBILITY, Cycle, Tron
from turntile.games.tron.rules import place_cycle
from turntile.games.tron.words import DRAWN, HEADINGS

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[3] / "shared" / "conformance"
RECORDINGS = Path(os.environ.get("TURNTILE_CONFORMANCE", BESIDE_THE_CHECKOUT)) / "tron" / "traces.jsonl"

# How the recordings name an action's two parts, and the results.
ACTIVATED, DIRECTIONS = "ACTIVATE_POWERUP", {"SAME_DIRECTION": "straight", "": ""}
DIRECTIONS.update({f"MOVE_{heading.upper()}": heading for heading in HEADINGS})
PLACES = {"P1_WIN": [1, 2], "P2_WIN": [2, 1], "TIE": [1, 1]}


@pytest.fixture(scope="module")
def recordings() -> list[dict[str, Any]]:
    if not RECORDINGS.is_file():
        pytest.skip(f"no recorded matches: set TURNTILE_CONFORMANCE to the folder that holds tron/{RECORDINGS.name}")
    with RECORDINGS.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_every_recorded_match_plays_the_same(gear_name: GearName, recordings: list[dict[str, Any]]) -> None:
    """Positions, headings, holdings, invincible moves, distances, bonus, boards and scores, at every turn."""
    assert recordings
    for number, recorded in enumerate(recordings, 1):
        replay(gear_name, recorded, f"recording {number}")


def replay(gear_name: GearName, recorded: dict[str, Any], name: str) -> None:
    state = gear(GAME, gear_name).load(first_position(recorded))
    for turn, told in enumerate(recorded["turns"], 1):
        where = f"{name}, turn {turn}"
        assert not state.over(), where
        state.step([GAME.parse(state.record(), seat, action(text)) for seat, text in enumerate(told["a"])])
        s: Tron = state.record()
        cycles = s.cycles[: s.players]
        assert [describe(s, cycle) for cycle in cycles] == told["p"], where
        assert [cycle.distance for cycle in cycles] == told["dist"], where
        assert [cycle.bonus for cycle in cycles] == told["bonus"], where
        if "grid" in told:
            assert draw(s) == told["grid"], where
    assert state.over(), name
    assert draw(state.record()) == recorded["final_grid"], name
    assert [state.score(seat) for seat in range(2)] == recorded["score"], name
    assert places(state) == PLACES[recorded["result"]], name


def first_position(recorded: dict[str, Any]) -> Tron:
    s = GAME.prepare(Options(size=recorded["n"], playon=not recorded["survivor_travels_on"]))
    assert isinstance(s, Tron)
    for y, row in enumerate(recorded["grid"]):
        for x, drawn in enumerate(row):
            s.cells[y * s.width + x] = CELL_OF.get(drawn, CELL_OF["."])
    for seat, (x, y, heading) in enumerate(recorded["start"]):
        place_cycle(s, seat, y * s.width + x, HEADINGS.index(heading.lower()))
    return s


def action(text: str) -> str:
    """A recorded action in our words."""
    prefix = "activate " if text.startswith(ACTIVATED) else ""
    return prefix + DIRECTIONS[text.removeprefix(ACTIVATED).removeprefix("_")]


def describe(s: Tron, cycle: Cycle) -> list[object]:
    """A cycle as the recordings tell of it; a dead one is where it ran into something."""
    at = cycle.cell if cycle.alive else cycle.target
    held = "" if not cycle.held else "INVINCIBILITY" if cycle.held == INVINCIBILITY else "BOMB"
    return [at % s.width, at // s.width, HEADINGS[cycle.heading].upper(), cycle.alive, held, cycle.invincible]


def draw(s: Tron) -> list[str]:
    """The board as the recordings draw it: all trails alike, living cycles as A and B."""
    heads = {cycle.cell: letter for cycle, letter in zip(s.cycles, "AB", strict=False) if cycle.alive}
    cells = [heads.get(at) or DRAWN[min(s.cells[at], GREY)] for at in range(s.width * s.height)]
    return ["".join(cells[y * s.width : (y + 1) * s.width]) for y in range(s.height)]


def places(state: State) -> list[int]:
    return [state.place(seat) for seat in range(state.seats())]
