"""The bots: each plays legally, and each is stronger than the one before."""

from __future__ import annotations

from tests.games.racers.drawn import position
from turntile.core.bots import Bot
from turntile.core.gears import GearName
from turntile.games.racers.bots import BOTS
from turntile.games.racers.game import GAME
from turntile.games.racers.options import Options
from turntile.match.match import Match

KINDS = {kind.name: kind for kind in BOTS}


CORNER = (
    """
    1b........
    ab........
    a.2.......
    """,
    "to act: 2",
    "actions: 2",
    "began: 3,3",
    "trail 1: 0,1 0,2",
    "trail 2: 1,1 1,0",
)


def made(name: str) -> Bot:
    kind, _, argument = name.partition(":")
    return KINDS[kind].make(argument)


def play(match: Match, bots: list[Bot], most: int = 600) -> int:
    """Play to the end; the winner's seat, or -1."""
    while match.waiting() and match.step_number < most:
        seat = match.waiting()[0]
        match.submit(seat, bots[seat](match.turn(seat)))
    outcome = match.outcome
    return outcome.winners[0] if outcome is not None and len(outcome.winners) == 1 else -1


def duel(one: str, other: str, matches: int) -> tuple[int, int]:
    """Wins of each, seats changed from match to match."""
    wins = [0, 0]
    for number in range(matches):
        match = Match.start(GAME, Options(turn_limit=300), number // 2)
        first = number % 2
        bots = [made(one), made(other)]
        seated = bots if first == 0 else bots[::-1]
        winner = play(match, seated)
        if winner >= 0:
            wins[winner ^ first] += 1
    return wins[0], wins[1]


def test_bots_go_from_easy_to_strong() -> None:
    assert [kind.name for kind in BOTS] == ["random", "runner", "hunter", "tree"]


def test_the_runner_outruns_the_random_bot() -> None:
    won, _ = duel("runner", "random", 12)
    assert won >= 11


def test_the_hunter_beats_the_random_bot_and_holds_its_own_against_the_runner() -> None:
    won, _ = duel("hunter", "random", 8)
    assert won >= 7
    won, lost = duel("hunter", "runner", 60)
    assert won >= lost


def test_the_tree_search_beats_the_hunter() -> None:
    """With a fraction of its usual thinking time already: 1,000 iterations are ten milliseconds."""
    won, lost = duel("tree:1000i", "hunter", 40)
    assert won > lost


def test_the_hunter_traps_where_it_can(gear_name: GearName) -> None:
    """Player 2 can shut the corner in which player 1 stands."""
    match = Match.from_position(GAME, position(*CORNER), gear=gear_name)
    play(match, [KINDS["runner"].make(""), KINDS["hunter"].make("")])
    assert match.outcome is not None
    assert match.outcome.reason == "player 1 was trapped"
