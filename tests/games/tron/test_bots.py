"""Tron's bots: each stronger than the one before."""

from __future__ import annotations

from tests.support import picture
from turntile.core.bots import Bot
from turntile.core.gears import GearName, gear
from turntile.games.tron.game import GAME
from turntile.games.tron.options import Options
from turntile.match.match import Match


def make(spec: str) -> Bot:
    name, _, argument = spec.partition(":")
    return next(kind for kind in GAME.bots if kind.name == name).make(argument)


def wins(name: str, other: str, matches: int, size: int, gear_name: GearName | None = None) -> int:
    """How often the first outlives the second, over boards that are played from both seats."""
    won = 0
    for number in range(matches):
        seat = number % 2
        bots = [make(name), make(other)] if seat == 0 else [make(other), make(name)]
        match = Match.start(GAME, Options(size=size, playon=True), seed=number // 2, gear=gear_name)
        while not match.over:
            answers = {acting: bots[acting](match.turn(acting)) for acting in match.waiting()}
            for acting, text in answers.items():
                match.submit(acting, text)
        won += match.state.place(seat) == 1 and match.state.place(1 - seat) == 2
    return won


def test_bots_are_listed_from_easy_to_strong() -> None:
    assert [kind.name for kind in GAME.bots] == ["random", "greedy", "territory", "tree"]


def test_greedy_beats_random() -> None:
    assert wins("greedy", "random", 40, size=15) >= 36


def test_territory_beats_greedy_in_four_of_five_matches() -> None:
    """At least 80 % of 400 matches with seats swapped."""
    assert wins("territory", "greedy", 400, size=15) >= 320


def test_the_tree_search_beats_greedy_with_a_small_budget() -> None:
    assert wins("tree:400i", "greedy", 10, size=13, gear_name="compiled") >= 7


def first_answer(bot: str, drawing: str) -> str:
    match = Match.from_position(GAME, GAME.read_position(picture(drawing)))
    return make(bot)(match.turn(0))


SHUT_IN_BY_TRAILS = """
    #########
    #.......#
    #.000...#
    #.0A0...#
    #.0.0..B#
    #.......#
    #########
    seat 0: up, holding {}
    seat 1: up
    """


def test_scripted_bots_use_what_they_hold_when_every_way_is_deadly() -> None:
    for bot in ("greedy", "territory"):
        for held in ("bomb", "invincibility"):
            assert first_answer(bot, SHUT_IN_BY_TRAILS.format(held)).startswith("activate")


def test_territory_does_not_run_into_a_cell_that_the_other_may_enter() -> None:
    answer = first_answer(
        "territory",
        """
        #########
        #.......#
        #.......#
        #.0A.B1.#
        #.......#
        #.......#
        #########
        seat 0: right
        seat 1: left
        """,
    )
    assert answer in ("up", "down")


def test_territory_fills_its_part_once_it_is_shut_off() -> None:
    """It hugs what is solid rather than cutting its part in two."""
    match = Match.from_position(
        GAME,
        GAME.read_position(
            picture(
                """
                ###########
                #A..#.....#
                #...#.....#
                #...#.....#
                #...#....B#
                ###########
                seat 0: right
                seat 1: up
                """
            )
        ),
    )
    bots = [make("territory"), make("territory")]
    while not match.over and match.state.record().cycles[0].alive:
        answers = {acting: bots[acting](match.turn(acting)) for acting in match.waiting()}
        for acting, text in answers.items():
            match.submit(acting, text)

    assert match.state.record().cycles[0].distance == 3 * 4 - 1  # every cell of it


def test_the_estimate_knows_who_is_ahead() -> None:
    """More territory is better; the winner's is full, the loser's empty; chambers behind a gate count once."""
    state = gear(GAME).load(
        GAME.read_position(
            picture(
                """
                ###########
                #A..#.....#
                #...#.....#
                #...#.....#
                #...#....B#
                ###########
                seat 0: right
                seat 1: up
                """
            )
        )
    )
    assert state.estimate(0) < 500 < state.estimate(1)

    chambers = gear(GAME).load(
        GAME.read_position(
            picture(
                """
                #############
                #...#A#...#.#
                #.........#.#
                #...###...#B#
                #############
                seat 0: down
                seat 1: up
                """
            )
        )
    )
    # Left or right, not both: the cell below the head, the gate and a chamber of nine; B has two moves.
    assert chambers.estimate(0) == min(999, 650 + 40 * (11 - 2))


def test_the_tree_search_fills_the_board_once_it_has_won(gear_name: GearName) -> None:
    """A lone survivor has one candidate, the heading that lets it travel furthest."""
    record = GAME.read_position(
        picture(
            """
            #######
            #A....#
            #.....#
            #.....#
            #..0..#
            #######
            turn 3
            seat 0: right
            seat 1: dead in turn 3 at 5,4, down
            """
        )
    )
    state = gear(GAME, gear_name).load(record)
    while not state.over():
        (only,) = state.candidates(0)
        state.step([only, 0])

    assert state.record().cycles[0].distance >= 16  # of 18
