"""What a seat may know: all but what the chests hold and what will be drawn."""

from __future__ import annotations

from random import Random

import msgspec

from tests.games.worms.drawn import named, worms
from tests.support import rule
from turntile.core.game import Told
from turntile.core.gears import GearName, State, gear
from turntile.games.worms.game import GAME
from turntile.games.worms.options import Options, prepare

CHESTS = """
    ......
    ~.##.*
    EEEEEE
    chest 1 2 melee
    chest 1 3 teleport
"""


@rule("N-hidden")
def test_only_the_judge_sees_what_a_chest_holds(gear_name: GearName) -> None:
    record = worms(gear_name, CHESTS).record

    assert [chest.holds for chest in GAME.view(record, None).chests] == ["melee", "teleport"]
    for seat in (0, 1):
        assert [chest.holds for chest in GAME.view(record, seat).chests] == ["", ""]
        assert b"melee" not in msgspec.json.encode(GAME.view(record, seat).chests)


@rule("N-hidden", "R-state")
def test_a_view_has_all_that_state_and_map_print(gear_name: GearName) -> None:
    table = worms(gear_name, CHESTS + "    worm 1 at 1 0 hp 40 ammunition 3 0 1 1 1\n")
    table.play("choose bazooka")
    table.play("move l 0")
    view = GAME.view(table.record, 1)

    assert view.map == ("      ", "~ ## *", "EEEEEE")
    assert (view.player, view.worm, view.weapon, view.moved, view.over) == (1, 1, "bazooka", True, False)
    mine = view.worms[0]
    assert (f"{mine.name} ({mine.id})", mine.player, mine.hp, mine.row, mine.col) == (named(1), 1, 40, 1, 0)
    assert mine.ammunition == {"bazooka": 3, "teleporter": 0, "blowtorch": 1, "melee": 1, "airstrike": 1}


def received(state: State, seat: int) -> list[object]:
    """Everything a seat gets of a state."""
    record = state.record()
    texts = [GAME.spell(record, seat, action) for action in state.legal(seat)]
    view = GAME.view(record, seat)
    events = [Told(*event) for event in state.events()]
    heard = [GAME.narrate(record, event, seat) for event in events if event.heard_by(seat)]
    return [msgspec.json.encode(view), GAME.scene(view, texts), state.observe(seat), heard, texts]


@rule("N-hidden")
def test_states_that_differ_only_in_what_is_hidden_cannot_be_told_apart(gear_name: GearName) -> None:
    """Contents of chests and the generator are drawn anew; nothing a seat receives changes."""
    chance = Random(4)
    hidden_differed = 0
    for seed in range(3):
        state = gear(GAME, gear_name).new(prepare(Options(map="caves", turn_limit=40)), seed)
        while not state.over():
            seat = state.to_act().bit_length() - 1
            action = chance.choice(state.legal(seat))
            state.step([action, action])
            if chance.random() < 0.15:
                for looker in (0, 1):
                    other = state.redeal(looker, chance.getrandbits(64))
                    hidden_differed += other.record().cells != state.record().cells
                    assert other.record().random != state.record().random
                    mine, theirs = received(state, looker), received(other, looker)
                    assert mine[:3] == theirs[:3] and mine[4] == theirs[4]
    assert hidden_differed > 5


@rule("N-hidden")
def test_a_redealt_match_plays_on_without_foreseeing_the_chests(gear_name: GearName) -> None:
    """Two redeals of one state draw different chests; the same redeal draws the same."""
    state = gear(GAME, gear_name).new(prepare(Options()), 1)

    def chests(seed: int) -> bytes:
        other = state.redeal(0, seed)
        for _ in range(12):
            other.step([14, 14])
        return bytes(other.record().cells)

    assert chests(1) == chests(1)
    assert len({chests(seed) for seed in range(6)}) == 6


def test_the_planes_show_what_their_names_say(gear_name: GearName) -> None:
    carried = "worm 1 at 1 0 hp 40 ammunition 300 0 1 1 1\nacts 1 with melee, moved"
    table = worms(gear_name, f"......\n~.#W.*\nEEEEEE\n{carried}")
    planes = table.state.observe(0)
    size = 18
    by_name = {name: planes[at * size : (at + 1) * size] for at, name in enumerate(GAME.planes)}

    assert by_name["earth"] == bytes(12) + b"\1" * 6
    assert list(by_name["water"]).index(1) == 9
    assert list(by_name["chests"]).index(1) == 8
    assert by_name["own worms: HP"][6] == 40 and sum(by_name["own worms: HP"]) == 40
    assert by_name["other worms: HP"][11] == 100
    assert by_name["bazookas carried"][6] == 255 and by_name["bazookas carried"][11] == 1
    assert by_name["teleporters carried"][6] == 0 and by_name["airstrikes carried"][11] == 1
    assert by_name["the worm to act: chosen weapon + 1"][6] == 5
    assert by_name["the worm to act: 1, or 2 if it has moved"][6] == 2
    assert table.state.observe(1)[3 * size + 11] == 100
