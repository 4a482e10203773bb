"""What every game promises, tried on all games there are: the checks of `turntile game check`.

The two gears are compared on many more matches than the rest: at least 2,000 of all games
together, every state and event. TURNTILE_RANDOM_MATCHES multiplies that number.
"""

from __future__ import annotations

import os
from functools import cache
from itertools import product
from typing import Any

import pytest

from turntile.core.game import Game
from turntile.core.gears import GearName, gear
from turntile.core.registry import find, games, our_names
from turntile.match.check import CHECKS, Subject, check_gears
from turntile.match.options import choose_options

TIMES = int(os.environ.get("TURNTILE_RANDOM_MATCHES", "1"))

# Small and short, so that the interpreted gear is through with very many, yet of every kind:
# how many matches, and what may be chosen, all of it crossed.
SHORT: dict[str, tuple[int, dict[str, tuple[Any, ...]]]] = {
    "tron": (1500, {"players": (2, 3, 4), "board": ("random", "minefield"), "size": (9, 13), "playon": (False, True)}),
    "racers": (100, {"width": (10, 12), "failure_percent": (5, 40), "turn_limit": (3,)}),
    "worms": (150, {"worms": (2, 3), "width": (20, 40), "turn_limit": (12,)}),
    "roborace": (150, {"players": (2, 3), "board": ("gears", "belts", "presses", "abyss"), "round_limit": (6,)}),
    "robots": (100, {"map": ("auto", "random"), "mines": (False, True), "turn_limit": (6,)}),
}
AS_IT_COMES: tuple[int, dict[str, tuple[Any, ...]]] = (20, {})  # for games of other packages
COMPARED = 2000  # matches of our own games in which the gears are compared
CHECKED_MATCHES = 6  # for all other checks: of the game as it comes, or short ones in the slow gear
OTHER_CHECKS = [title for title in CHECKS if title != "gears"]
NAMES = list(games())


def short_options(game: Game) -> tuple[Any, ...]:
    _, choices = SHORT.get(game.name, AS_IT_COMES)
    return tuple(choose_options(game, dict(zip(choices, chosen, strict=True))) for chosen in product(*choices.values()))


@cache
def subject_of(name: str, gear_name: GearName) -> Subject:
    """The game and its random matches, which all checks look at."""
    game = find(name)
    options = short_options(game) if gear_name == "interpreted" else ()
    return Subject(game, CHECKED_MATCHES, seed=1, gear_name=gear_name, options=options)


def test_our_games_are_found_first() -> None:
    assert NAMES[: len(our_names())] == our_names()


def test_our_games_are_compared_over_two_thousand_matches() -> None:
    assert sum(SHORT[name][0] for name in our_names()) >= COMPARED


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("title", OTHER_CHECKS)
def test_a_game_keeps_what_every_game_promises(name: str, title: str, gear_name: GearName) -> None:
    assert list(CHECKS[title](subject_of(name, gear_name))) == []


@pytest.mark.parametrize("name", NAMES)
def test_both_gears_play_the_same(name: str) -> None:
    """Every state's bytes, every event, the legal actions, scores and places, over many random matches."""
    game = find(name)
    gear(game, "compiled")  # refused with the reason where there is none: nothing would be compared
    matches, _ = SHORT.get(name, AS_IT_COMES)
    subject = Subject(game, matches * TIMES, seed=2, options=short_options(game))

    assert list(check_gears(subject)) == []
