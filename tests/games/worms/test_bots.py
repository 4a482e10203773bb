"""The bots: random, greedy and the tree search, from easy to strong."""

from __future__ import annotations

import pytest

from tests.games.worms.drawn import worms
from turntile.core.gears import GearName
from turntile.games.worms.game import GAME
from turntile.games.worms.options import Options
from turntile.match.match import Match

KINDS = {kind.name: kind for kind in GAME.bots}


def chosen(bot: str, drawing: str, gear_name: GearName) -> str:
    """What a bot does in a drawn position."""
    match = Match.from_position(GAME, worms(gear_name, drawing).record, gear=gear_name)
    name, _, argument = bot.partition(":")
    return KINDS[name].make(argument)(match.turn(match.to_act()[0]))


def play(first: str, second: str, seed: int, gear_name: GearName) -> tuple[int, ...]:
    """The places of two bots in one match."""
    match = Match.start(GAME, Options(worms=2, map="random", turn_limit=80), seed=seed, gear=gear_name)
    bots = [KINDS[text.partition(":")[0]].make(text.partition(":")[2]) for text in (first, second)]
    while not match.over:
        for seat in match.to_act():
            match.submit(seat, bots[seat](match.turn(seat)))
    assert match.outcome is not None
    return match.outcome.places


def test_they_stand_from_easy_to_strong() -> None:
    assert [kind.name for kind in GAME.bots] == ["random", "greedy", "tree"]


def test_greedy_takes_the_weapon_that_hurts_most(gear_name: GearName) -> None:
    """Two enemies side by side: one swing of the melee takes 100 HP."""
    assert chosen("greedy", "......\n.*~*..\nEEEEEE\nEEEEEE\nEEEEEE", gear_name) == "choose melee"
    assert chosen("greedy", "......\n.*~*..\nEEEEEE\nEEEEEE\nEEEEEE\nacts 1 with melee", gear_name) == "action"


def test_greedy_walks_first_if_that_opens_a_better_shot(gear_name: GearName) -> None:
    """Three steps on, down from the roof, the enemy stands in the gun's line."""
    drawing = "........\n~.......\nEEE..*..\nEEEEEEEE\nEEEEEEEE\nworm 1 at 1 0 ammunition 0 0 0 0 0"

    assert chosen("greedy", drawing, gear_name) == "move r 3"


@pytest.mark.parametrize("hp", [10, 100])
def test_greedy_never_hurts_its_own_side(gear_name: GearName, hp: int) -> None:
    """The friend stands in every line; the only harmless things are to walk or to idle."""
    drawing = f".......\n.......\n~.~...*\nEEEEEEE\nworm 2 at 2 2 hp {hp}\nworm 1 at 2 0 ammunition 1 0 0 1 0"
    text = chosen("greedy", drawing, gear_name)

    assert text not in ("action r", "choose bazooka")


def test_greedy_beats_random(gear_name: GearName) -> None:
    wins = 0
    for seed in range(6):
        wins += play("greedy", "random", seed, gear_name) == (1, 2)
        wins += play("random", "greedy", seed, gear_name) == (2, 1)
    assert wins >= 8


def test_the_tree_search_finds_a_kill(gear_name: GearName) -> None:
    """The enemy's last worm has 25 HP and stands in the gun's line."""
    drawing = "......\n~....*\nEEEEEE\nworm 2 at 1 5 hp 25\nworm 1 at 1 0 ammunition 0 0 0 0 0"

    assert chosen("tree:400i", drawing, gear_name) == "action r"
