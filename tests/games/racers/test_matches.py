"""Whole matches at random: what must hold in every state, whatever is played."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.racers.drawn import bytes_of
from tests.support import rule
from turntile.core.dice import Dice, seed_dice
from turntile.core.gears import GearName, gear
from turntile.games.racers import rules
from turntile.games.racers.game import GAME
from turntile.games.racers.options import Options, prepare
from turntile.games.racers.positions import squares
from turntile.games.racers.records import GRENADES, Racers
from turntile.games.racers.view import view


def random_match(gear_name: GearName, seed: int, steps: int) -> list[Racers]:
    """The records of a match in which items are used more often than by chance alone."""
    random = Random(seed)
    options = Options(
        width=random.randint(10, 14), height=random.randint(10, 14), failure_percent=random.choice([0, 1, 5])
    )
    state = gear(GAME, gear_name).new(prepare(options), seed)
    records = [state.record()]
    while not state.over() and len(records) < steps:
        seat = state.to_act() - 1
        legal = state.legal(seat)
        others = [action for action in legal if rules.PICK <= action < rules.END]
        state.step([random.choice(others if others and random.random() < 0.4 else legal)] * 2)
        records.append(state.record())
    return records


@pytest.mark.parametrize("seed", range(6))
def test_every_state_is_a_position_that_reads_back_equal(gear_name: GearName, seed: int) -> None:
    """Reading checks every rule of a position, so no state of a match breaks one."""
    for record in random_match(gear_name, seed, 70):
        assert bytes_of(GAME.read_position(GAME.write_position(record))) == bytes_of(record)


@rule("A3")
@pytest.mark.parametrize("seed", range(10, 14))
def test_what_is_listed_is_what_is_legal(gear_name: GearName, seed: int) -> None:
    """`legal` and `why_illegal` agree for every number; silence and search stay within them; words read back."""
    for record in random_match(gear_name, seed, 70):
        state = gear(GAME, gear_name).load(record)
        for seat in range(2):
            legal = state.legal(seat)
            assert legal == [a for a in range(-3, rules.MAX_ACTIONS + 3) if state.why_illegal(seat, a) == 0]
            assert bool(legal) == (not state.over() and seat == record.due)
            if legal:
                assert state.default_action(seat) in legal
                assert state.candidates(seat)
                assert set(state.candidates(seat)) <= set(legal)
                assert [GAME.parse(record, seat, GAME.spell(record, seat, action)) for action in legal] == legal
            assert 0 <= state.estimate(seat) <= 1000
            for action in range(rules.MAX_ACTIONS):
                code = state.why_illegal(seat, action)
                sentence = GAME.refusal(record, seat, action, code) if code else "fine"
                assert sentence and "\n" not in sentence


def items(record: Racers) -> tuple[int, int, int]:
    """How many grenades (unexploded), discs and charged discs there are, on the board and in hands."""
    seen = view(record, None)
    grenades = sum(bool(record.cells[cell] & GRENADES) for cell, _, _ in squares(record))
    return (
        grenades + sum(racer.grenades for racer in seen.racers),
        sum(disc.count for disc in seen.discs) + sum(racer.discs for racer in seen.racers),
        len(seen.charged) + sum(racer.charged for racer in seen.racers),
    )


@rule("R1.6", "R1.9", "R1.18")
@pytest.mark.parametrize("seed", range(20, 24))
def test_nothing_is_lost_or_doubled(gear_name: GearName, seed: int) -> None:
    """Discs are conserved, grenades only explode, racers keep apart, trails and hands keep their limits."""
    before: tuple[int, int, int] | None = None
    for record in random_match(gear_name, seed, 120):
        now = items(record)
        if before is not None:
            assert now[1:] == before[1:]
            assert now[0] <= before[0]
        before = now
        seen = view(record, None)
        assert seen.racers[0].at != seen.racers[1].at
        assert not {racer.at for racer in seen.racers} & set(seen.walls)
        for racer in seen.racers:
            assert len(racer.trail) <= 3
            assert racer.grenades + racer.discs + racer.charged <= 6


def test_both_gears_play_alike() -> None:
    """The same seed and actions give the same bytes and events, state by state."""
    for seed in range(4):
        random = Random(seed)
        prepared = prepare(Options(width=10 + seed, height=12))
        one, two = (gear(GAME, name).new(prepared, seed) for name in ("interpreted", "compiled"))
        for _ in range(80):
            assert one.to_bytes() == two.to_bytes()
            assert one.events() == two.events()
            if one.over():
                break
            action = random.choice(one.legal(one.to_act() - 1))
            one.step([action, action])
            two.step([action, action])


def test_playouts_come_to_an_end(gear_name: GearName) -> None:
    """Their policy heads for the goal: no playout of a small grid goes on for hundreds of steps."""
    prepared = prepare(Options())
    for seed in range(20 if gear_name == "interpreted" else 300):
        state = gear(GAME, gear_name).new(prepared, seed)
        assert state.playout(seed, 1000) < 400
        assert state.over()


def test_the_playouts_policy_is_legal() -> None:
    dice = Dice()
    seed_dice(dice, 1, 2)
    for seed in range(6):
        for record in random_match("interpreted", seed, 40):
            if record.ended == 0:
                for _ in range(8):
                    action = rules.rollout_action(record, record.due, dice)
                    assert rules.why_illegal(record, record.due, action) == 0


def test_the_largest_grid_is_playable(gear_name: GearName) -> None:
    state = gear(GAME, gear_name).new(prepare(Options(width=64, height=64)), 9)
    for _ in range(12):
        seat = state.to_act() - 1
        state.step([state.default_action(seat)] * 2)
    record = state.record()
    assert record.turn > 4
    assert GAME.scene(view(record, record.due), ()).width == 64
