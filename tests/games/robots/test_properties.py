"""What holds in every state of random matches, in both gears."""

from __future__ import annotations

import pytest

from tests.games.robots.wandering import OPTIONS, wander
from tests.support import rule
from turntile.core.gears import GearName, gear
from turntile.games.robots.game import GAME
from turntile.games.robots.options import Options, prepare
from turntile.games.robots.records import CAPACITY, FIXED_BYTES, OBSTACLE, full_hp, slots_used, used_bytes


@rule("R3", "R19")
@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_listed_is_what_is_allowed(gear_name: GearName, options: Options) -> None:
    for state in wander(gear_name, options, seed=1, steps=200, every=3):
        for seat in range(state.seats()):
            allowed = [a for a in range(GAME.rules.MAX_ACTIONS) if state.why_illegal(seat, a) == 0]
            assert state.legal(seat) == allowed
            if allowed:
                assert state.default_action(seat) in allowed
                assert set(state.candidates(seat)) <= set(allowed)


@pytest.mark.parametrize("options", OPTIONS)
def test_requests_read_back_as_they_are_spelled(gear_name: GearName, options: Options) -> None:
    for state in wander(gear_name, options, seed=2, steps=200, every=5):
        record = state.record()
        for seat in range(state.seats()):
            for action in state.legal(seat):
                assert GAME.parse(record, seat, GAME.spell(record, seat, action)) == action


@rule("R5", "B4", "B13", "R15")
@pytest.mark.parametrize("options", OPTIONS)
def test_robots_are_whole_and_apart(gear_name: GearName, options: Options) -> None:
    """HP within the hull and shield, ten slots, no two on a cell, none on an obstacle; HP only ever fall in play."""
    before: list[int] = []
    for state in wander(gear_name, options, seed=8, steps=250):
        record = state.record()
        robots = record.robots[: record.players]
        cells = [robot.cell for robot in robots if robot.alive]
        assert len(set(cells)) == len(cells)
        assert all(record.cells[cell] != OBSTACLE for cell in cells)
        assert all(slots_used(robot) <= CAPACITY and robot.hp <= full_hp(robot) for robot in robots)
        assert all(robot.alive == (robot.hp > 0) for robot in robots)
        hp = [robot.hp for robot in robots]
        if before and record.phase > 0:
            assert all(now <= then for now, then in zip(hp, before, strict=True))
            assert sum(now == 0 < then for now, then in zip(hp, before, strict=True)) <= 1
        before = hp if record.phase > 0 else []


@pytest.mark.parametrize("options", OPTIONS)
def test_all_bytes_behind_the_used_ones_are_zero(options: Options) -> None:
    assert GAME.root.LAYOUT.field("cells").offset == FIXED_BYTES
    for state in wander("interpreted", options, seed=9, steps=120, every=10):
        record = state.record()
        position = record.to_bytes()[: GAME.root.LAYOUT.field("log").offset]
        assert not any(position[used_bytes(record) :])


@rule("R8", "R16")
@pytest.mark.parametrize("options", OPTIONS)
def test_playouts_end(gear_name: GearName, options: Options) -> None:
    state = gear(GAME, gear_name).new(prepare(options), 1)
    for seed in range(5):
        played = state.clone()
        played.playout(seed)
        assert played.over()
        assert played.record().ended <= options.turn_limit
