"""Nothing hidden leaves Tron: view, scene, planes, legal actions and what is heard (T6)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.games.tron.drawn import tron
from tests.support import rule
from turntile.core.gears import GearName, State, gear
from turntile.games.tron.game import GAME
from turntile.games.tron.options import Options
from turntile.games.tron.records import BOMB, BONUS


def received(state: State, seat: int) -> tuple[Any, ...]:
    """All that one seat is given of a state."""
    record = state.record()
    legal = [GAME.spell(record, seat, action) for action in state.legal(seat)]
    view = GAME.view(record, seat)
    return view, GAME.scene(view, legal), state.observe(seat), legal


@rule("T6")
@pytest.mark.parametrize("players", [2, 4])
def test_states_that_differ_in_hidden_things_look_the_same(gear_name: GearName, players: int) -> None:
    """Powerups drawn anew change nothing of what any seat receives."""
    differing = 0
    for seed in range(6):
        chance = Random(seed)
        state = gear(GAME, gear_name).new(GAME.prepare(Options(size=15, players=players)), seed)
        while not state.over():
            for seat in range(players):
                other = state.redeal(seat, chance.getrandbits(64))
                assert received(other, seat) == received(state, seat)
                differing += GAME.view(other.record(), None) != GAME.view(state.record(), None)
            state.step([chance.choice(state.candidates(seat)) for seat in range(players)])
    assert differing > 0


@rule("T6")
def test_a_redealt_state_has_powerups_where_there_were_some(gear_name: GearName) -> None:
    """Only contents are unknown: the boxes are seen. Every kind is drawn sooner or later."""
    match = tron(
        gear_name,
        """
        #########
        #A..b...#
        #..bbbb.#
        #......B#
        #########
        seat 0: right
        seat 1: left
        """,
    )
    before = match.record
    kinds = set()
    for seed in range(40):
        dealt = match.state.redeal(0, seed).record()
        for at in range(dealt.width * dealt.height):
            hidden = BOMB <= before.cells[at] <= BONUS
            assert (BOMB <= dealt.cells[at] <= BONUS) == hidden
            if hidden:
                kinds.add(dealt.cells[at])
            else:
                assert dealt.cells[at] == before.cells[at]
    assert kinds == set(range(BOMB, BONUS + 1))


@rule("T6")
def test_what_a_cycle_holds_is_seen_by_all(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #.....#
        #....B#
        #######
        seat 0: right, holding invincibility
        seat 1: left, invincible 4
        """,
    )
    for seat in (None, 0, 1):
        cycles = GAME.view(match.record, seat).cycles
        assert [cycle.held for cycle in cycles] == ["invincibility", ""]
        assert [cycle.invincible for cycle in cycles] == [0, 4]


@rule("T6")
def test_planes_show_a_powerup_but_not_what_it_holds(gear_name: GearName) -> None:
    drawing = """
        #######
        #A.{}..#
        #.....#
        #....B#
        #######
        seat 0: right
        seat 1: left
        """
    planes = {tron(gear_name, drawing.format(drawn)).state.observe(0) for drawn in "blip"}

    assert len(planes) == 1
    assert planes != {tron(gear_name, drawing.format(".")).state.observe(0)}


def test_planes_are_named_in_order(gear_name: GearName) -> None:
    """Each plane is a board of its own; `Game.planes` says what it shows."""
    match = tron(
        gear_name,
        """
        #######
        #00A~.#
        #..?..#
        #...1B#
        #######
        seat 0: right, holding bomb
        seat 1: left, invincible 4
        """.replace("?", "l"),
    )
    size = 7 * 5
    seen = match.state.observe(0)
    planes = {name: seen[k * size : (k + 1) * size] for k, name in enumerate(GAME.planes)}

    def shown(name: str) -> dict[tuple[int, int], int]:
        return {(at % 7, at // 7): value for at, value in enumerate(planes[name]) if value}

    assert len(shown("walls")) == 7 * 2 + 3 * 2
    assert shown("own trail") == {(1, 1): 1, (2, 1): 1, (3, 1): 1}
    assert shown("others' trails") == {(4, 3): 1, (5, 3): 1}
    assert shown("grey trails") == {(4, 1): 1}
    assert shown("powerups") == {(3, 2): 1}
    assert shown("own cycle: heading + 1") == {(3, 1): 2}
    assert shown("other cycles: heading + 1") == {(5, 3): 4}
    assert shown("powerup held") == {(3, 1): BOMB}
    assert shown("invincible moves left") == {(5, 3): 4}
