"""Recorded rounds of RoboRace, replayed phase by phase in both gears.

The recordings are no part of the repository: TURNTILE_CONFORMANCE names their folder; without it
they are looked for beside the checkout. Their cards may repeat, which no deal of ours does: of two
equal priorities the lower seat goes first.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.games.roborace.drawn import Place, follow, places, plan_orders
from turntile.core.gears import GearName, gear
from turntile.games.roborace.board_xml import read_xml, write_xml
from turntile.games.roborace.boards import lay_hall
from turntile.games.roborace.game import GAME
from turntile.games.roborace.records import HAND, PHASES, RoboRace

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[3] / "shared" / "conformance"
RECORDINGS = Path(os.environ.get("TURNTILE_CONFORMANCE", BESIDE_THE_CHECKOUT)) / "roborace" / "vectors.jsonl"
FIRST_FIVE = 0  # the number of the program that plays a hand as it lies


@pytest.fixture(scope="module")
def recordings() -> list[dict[str, Any]]:
    if not RECORDINGS.is_file():
        pytest.skip(f"no recorded rounds: set TURNTILE_CONFORMANCE to the folder that holds roborace/{RECORDINGS.name}")
    with RECORDINGS.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_every_recorded_round_plays_the_same(gear_name: GearName, recordings: list[dict[str, Any]]) -> None:
    """Every robot after the cards and after the effects of every phase, at the round's end, and the winner."""
    assert recordings
    for number, recorded in enumerate(recordings, 1):
        replay(gear_name, recorded, f"recording {number}")


def test_every_recorded_board_is_read_and_written(recordings: list[dict[str, Any]]) -> None:
    for recorded in recordings:
        hall = read_xml(recorded["factory"])
        assert read_xml(write_xml(hall)) == hall


def replay(gear_name: GearName, recorded: dict[str, Any], name: str) -> None:
    rules = gear(GAME, gear_name)
    record = RoboRace()
    lay_hall(record, read_xml(recorded["factory"]))
    record.players = recorded["players"]
    state = rules.new(record, 1)
    assert places(state.record()) == told_places(recorded["start"]), name
    for number, told in enumerate(recorded["rounds"], 1):
        where = f"{name}, round {number}"
        before: RoboRace = state.record()
        for seat, cards in enumerate(told["cards"]):
            before.robots[seat].hand[:] = bytes([*cards, *[1] * (HAND - PHASES)])
        plan_orders(before, [phase["order"] for phase in told["phases"]])
        state = rules.load(before)
        state.step([FIRST_FIVE] * record.players)
        expected = [told_places(phase[when]) for phase in told["phases"] for when in ("after_cards", "after_effects")]
        assert follow(before, state) == expected, where
        assert state.over() == told["victory"], where
        if not told["victory"]:
            assert places(state.record()) == told_places(told["end"]), where
    winner = [seat for seat in range(record.players) if state.score(seat)]
    assert winner == ([recorded["winner"]] if recorded["winner"] >= 0 else []), name


def told_places(robots: list[list[Any]]) -> list[Place]:
    """A recorded robot is x, y, facing, alive; a dead one's place has no meaning."""
    return [(x, y, facing.lower()) if alive else None for x, y, facing, alive in robots]
