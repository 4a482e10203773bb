"""The bots build robots and fight to the end; each is stronger than the one before."""

from __future__ import annotations

import pytest

from turntile.core.bots import Bot
from turntile.core.errors import InvalidOptions
from turntile.games.robots.game import GAME
from turntile.games.robots.options import Options
from turntile.games.robots.presets import PRESET_NAMES
from turntile.match.match import Match

KINDS = {kind.name: kind for kind in GAME.bots}


def play(zero: Bot, one: Bot, seed: int, options: Options | None = None) -> Match:
    match = Match.start(GAME, options, seed=seed)
    bots = (zero, one)
    while not match.over:
        for seat in match.waiting():
            match.submit(seat, bots[seat % 2](match.turn(seat)))
    return match


def make(name: str) -> Bot:
    """A bot as it is named on the command line: `tree:400i`."""
    kind, _, argument = name.partition(":")
    return KINDS[kind].make(argument)


def points(stronger: str, weaker: str, matches: int) -> float:
    """Of so many matches on both sides, the share of the first: a draw is half."""
    total = 0.0
    for seed in range(matches):
        first = seed % 2 == 0
        strong, weak = make(stronger), make(weaker)
        outcome = (play(strong, weak, seed) if first else play(weak, strong, seed)).outcome
        assert outcome is not None
        mine, theirs = outcome.places if first else outcome.places[::-1]
        total += 1 if mine < theirs else 0.5 if mine == theirs else 0
    return total / matches


def test_the_bots_are_listed_from_easy_to_strong() -> None:
    assert [kind.name for kind in GAME.bots] == ["random", "sentry", "hunter", "tree"]


def test_the_sentry_holds_against_random_play() -> None:
    """Random play rarely comes near, but it does not win."""
    assert points("sentry", "random", 4) >= 0.5


def test_the_hunter_beats_the_sentry() -> None:
    assert points("hunter", "sentry", 10) > 0.5


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_a_bot_builds_what_it_is_told(preset: str) -> None:
    bot = KINDS["hunter"].make(preset)
    match = play(bot, KINDS["sentry"].make(""), 1, Options(turn_limit=6, mines=True))
    assert match.view(0).robots[0].slots_used == 10


def test_a_robot_that_is_not_there_to_build_is_refused() -> None:
    with pytest.raises(InvalidOptions, match="is no robot to build"):
        KINDS["sentry"].make("tank")


def test_the_tree_search_beats_the_hunter() -> None:
    """Also with fewer iterations than 50 ms give it."""
    assert points("tree:300i", "hunter", 6) > 0.5


@pytest.mark.parametrize("kind", ["random", "sentry", "hunter", "tree:20i"])
def test_bots_play_with_all_options(kind: str) -> None:
    options = Options(players=4, width=14, height=11, teams=2, messages=True, mines=True, turn_limit=24)
    assert play(make(kind), make(kind), 3, options).over
