"""Playouts, batches and the tree search: written once, alike in both gears, for every kind of game."""

from __future__ import annotations

import numpy as np
import pytest

from turntile.core.errors import InvalidOptions
from turntile.core.game import Game
from turntile.core.gears import GearName, State, gear
from turntile.core.registry import find, games

GAMES = sorted(games())


def first_position(game: Game, gear_name: GearName, seed: int = 3) -> State:
    return gear(game, gear_name).new(game.prepare(game.options()), seed)


@pytest.mark.parametrize("name", GAMES)
def test_playouts_agree_in_both_gears(name: str) -> None:
    game = find(name)
    interpreted, compiled = first_position(game, "interpreted"), first_position(game, "compiled")
    assert interpreted.playout(11, 60) == compiled.playout(11, 60)
    assert interpreted.position() == compiled.position()


@pytest.mark.parametrize("name", GAMES)
def test_searches_agree_in_both_gears(name: str) -> None:
    """The same seed and iterations grow the same tree, visit for visit."""
    game = find(name)
    seat = first_position(game, "compiled").to_act().bit_length() - 1
    trees = [first_position(game, g).search(seat, 5, iterations=12) for g in ("interpreted", "compiled")]
    assert trees[0] == trees[1]
    assert sum(visits for _, visits, _ in trees[1]) == 12


@pytest.mark.parametrize("name", GAMES)
def test_a_search_changes_nothing_and_keeps_to_legal_actions(name: str) -> None:
    game = find(name)
    state = first_position(game, "compiled")
    before = state.position()
    seat = state.to_act().bit_length() - 1
    found = state.search(seat, 5, iterations=300)
    assert state.position() == before
    assert all(state.why_illegal(seat, action) == 0 for action, _, _ in found)
    assert all(0 <= value <= 1 for _, _, value in found)
    assert [visits for _, visits, _ in found] == sorted((visits for _, visits, _ in found), reverse=True)


def test_a_search_without_a_budget_is_refused(gear_name: GearName) -> None:
    with pytest.raises(ValueError, match="needs a budget"):
        first_position(find("tron"), gear_name).search(0, 1)


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_is_its_matches_one_by_one(name: str) -> None:
    """Both gears, and one thread or two, give the same arrays and the same states, through auto-resets too."""
    game = find(name)
    record = game.prepare(game.options())
    batches = [gear(game, g).batch(record, 3, seed=4) for g in ("interpreted", "compiled", "compiled")]
    for turn in range(25):
        for batch in batches:
            batch.random_actions(turn)
        for batch, threads in zip(batches, (1, 1, 2), strict=True):
            assert np.array_equal(batch.actions, batches[0].actions)
            batch.step(threads)
        for batch in batches[1:]:
            assert np.array_equal(batch.to_act, batches[0].to_act)
            assert np.array_equal(batch.done, batches[0].done)
            assert np.allclose(batch.rewards, batches[0].rewards)
    for k in range(3):
        assert len({batch.state(k).position() for batch in batches}) == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_observes_and_masks_as_each_state_does(name: str) -> None:
    game = find(name)
    record = game.prepare(game.options())
    batch = gear(game, "compiled").batch(record, 4, seed=9)
    first = batch.state(0)
    seats, size = batch.actions.shape[1], len(first.observe(0))
    planes = np.full((4, seats, size), 77, dtype=np.uint8)
    mask = np.full((4, seats, game.rules.MAX_ACTIONS), 77, dtype=np.uint8)
    batch.observe(planes, threads=2)
    batch.legal_mask(mask, threads=2)
    for k in range(4):
        state = batch.state(k)
        for seat in range(seats):
            if state.to_act() >> seat & 1:
                assert planes[k, seat].tobytes() == state.observe(seat)
            else:
                assert not planes[k, seat].any()
            legal = state.legal(seat) if state.to_act() >> seat & 1 else []
            assert list(np.flatnonzero(mask[k, seat])) == legal


def test_rewards_add_up_to_nothing_and_matches_start_anew() -> None:
    game = find("tron")
    batch = gear(game, "compiled").batch(game.prepare(game.options()), 64, seed=1)
    ended = 0
    for turn in range(400):
        batch.random_actions(turn)
        batch.step()
        over = batch.done.astype(bool)
        ended += int(over.sum())
        assert np.allclose(batch.rewards.sum(axis=1), 0)
        assert not batch.rewards[~over].any()
        assert (batch.to_act != 0).all(), "a match that is over has begun anew"
    assert ended > 100


def test_wrong_arrays_and_sizes_are_refused() -> None:
    game = find("tron")
    batch = gear(game, "compiled").batch(game.prepare(game.options()), 2, seed=1)
    with pytest.raises(InvalidOptions, match="must be uint8"):
        batch.observe(np.zeros((2, 2, 5), dtype=np.uint8))
    with pytest.raises(InvalidOptions, match="at least one"):
        gear(game, "compiled").batch(game.prepare(game.options()), 0, seed=1)
