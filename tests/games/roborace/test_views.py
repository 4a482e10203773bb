"""What a seat may know: never the others' hands, never the dice."""

from __future__ import annotations

import msgspec

from tests.support import rule
from turntile.core.game import Told
from turntile.core.gears import GearName, gear
from turntile.games.roborace.game import GAME
from turntile.games.roborace.records import HAND

STEPS = 4


@rule("R7")
def test_states_that_a_seat_cannot_tell_apart_look_alike(gear_name: GearName) -> None:
    """View, scene and planes of a seat are the same after everything it cannot know is drawn anew."""
    for seed in range(12):
        players = 2 + seed % 3
        state = gear(GAME, gear_name).new(GAME.prepare(GAME.options(players=players)), seed)
        for _ in range(STEPS):
            if state.over():
                break
            for seat in range(players):
                other = state.redeal(seat, seed * 7 + seat)
                assert other.to_bytes() != state.to_bytes()
                mine, yours = GAME.view(state.record(), seat), GAME.view(other.record(), seat)
                assert msgspec.json.encode(mine) == msgspec.json.encode(yours)
                assert GAME.scene(mine, ()) == GAME.scene(yours, ())
                assert state.observe(seat) == other.observe(seat)
                assert GAME.preview is not None
                assert GAME.preview(mine, "1 2 3") == GAME.preview(yours, "1 2 3")
            state.playout(seed, 1)


@rule("R7")
def test_a_round_tells_only_what_is_executed(gear_name: GearName) -> None:
    """Two states that differ in the cards others do not play tell a seat the same."""
    heard = []
    for unplayed in ((70, 71), (20, 84)):
        state = gear(GAME, gear_name).new(GAME.prepare(GAME.options(players=2, board="yard", round_limit=1)), 3)
        s = state.record()
        s.robots[0].hand[:] = bytes([49, 1, 2, 3, 4, 5, 6])
        s.robots[1].hand[:] = bytes([50, 7, 8, 9, 10, *unplayed])
        state = gear(GAME, gear_name).load(s)
        state.step([0, 0])
        told = [Told(*event) for event in state.events()]
        heard.append([GAME.narrate(state.record(), event, 0) for event in told if event.heard_by(0)])

    assert heard[0] == heard[1]
    assert "robot B played 50 move 1" in heard[0]


@rule("R7", "R3")
def test_redealt_hands_come_from_the_cards_one_does_not_hold(gear_name: GearName) -> None:
    state = gear(GAME, gear_name).new(GAME.prepare(GAME.options(players=4)), 5)
    own = bytes(state.record().robots[2].hand)
    seen = set()
    for seed in range(60):
        s = state.redeal(2, seed).record()
        cards = [card for robot in s.robots for card in robot.hand]
        assert bytes(s.robots[2].hand) == own
        assert len(set(cards)) == 4 * HAND
        seen.update(cards)

    assert seen == set(range(1, 85))


def test_the_judge_sees_every_hand(gear_name: GearName) -> None:
    s = gear(GAME, gear_name).new(GAME.prepare(GAME.options(players=3)), 5).record()
    view = GAME.view(s, None)

    assert [[card.priority for card in hand] for hand in view.hands] == [list(r.hand) for r in s.robots[:3]]
    assert view.hand == ()
