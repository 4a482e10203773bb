"""What holds in every race, tried on random ones."""

from __future__ import annotations

import pytest

from tests.support import rule
from turntile.core.events import MAX_EVENTS
from turntile.core.gears import GearName, gear
from turntile.games.roborace.boards import lay_hall
from turntile.games.roborace.game import GAME
from turntile.games.roborace.generator import make_hall
from turntile.games.roborace.records import PIT, RoboRace


@rule("RR-grid", "RR-revitalise")
def test_between_rounds_everybody_stands_on_a_cell_of_his_own(gear_name: GearName) -> None:
    """Alive, off the pits, one robot a cell, seven cards each that nobody else has."""
    for seed in range(15):
        record = RoboRace()
        lay_hall(record, make_hall(seed, 6, 6, 4, 1 + seed % 5))
        record.players, record.round_limit = 1 + seed % 4, 8
        state = gear(GAME, gear_name).new(record, seed)
        while not state.over():
            s = state.record()
            robots = s.robots[: s.players]
            assert all(robot.alive and s.tiles[robot.cell] != PIT for robot in robots)
            assert len({robot.cell for robot in robots}) == s.players
            assert len({card for robot in robots for card in robot.hand}) == 7 * s.players
            state.step([(seed * 977 + seat * 131 + s.round * 59) % 2520 for seat in range(s.players)])


def test_the_liveliest_round_fits_the_log(gear_name: GearName) -> None:
    """Four robots in a row that push each other with every card, on belts that do it once more."""
    text = """
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +
  >1A  >2B  >3C  >4D  >    >    >    >    >    >    >    >    >    >    >    >    >    >    >    >    >    >  | *
+    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +    +
start 1: east
start 2: east
start 3: east
start 4: east
robot A: east
robot B: east
robot C: east
robot D: east
hand A: 79 80 81 1 2 3 4
hand B: 67 82 83 84 5 6 7
hand C: 68 69 70 71 72 8 9
hand D: 73 74 75 76 77 10 11
"""
    state = gear(GAME, gear_name).load(GAME.read_position(text))
    state.step([0, 0, 0, 0])

    assert 100 < len(state.events()) <= MAX_EVENTS
    # A card is told once and is at most three steps of a row of four; an effect at most one.
    phase = 2 + 4 * (1 + 3 * 4) + 4 * (1 + 4)
    assert 5 * phase + 4 + 4 + 4 + 1 < MAX_EVENTS


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_playouts_come_to_an_end(gear_name: GearName, players: int) -> None:
    """Without a round limit too."""
    for board in ("yard", "gears", "presses"):
        state = gear(GAME, gear_name).new(GAME.prepare(GAME.options(players=players, board=board)), 7)
        state.playout(5)
        assert state.over()
        assert sorted(state.place(seat) for seat in range(players)) == [1] + [2] * (players - 1)
