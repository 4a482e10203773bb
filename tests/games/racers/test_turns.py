"""Turns and actions: what a player may do, when, and how a match ends."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.errors import IllegalAction, InvalidAction
from turntile.core.gears import GearName, gear
from turntile.core.planned import plan_dice
from turntile.games.racers.game import GAME
from turntile.games.racers.options import Options, prepare

MIDDLE = """
    ..........
    ..........
    ....1.....
"""


@rule("R1", "A1", "A2", "R1.1")
def test_players_alternate_with_three_actions_each(gear_name: GearName) -> None:
    """Player 1 begins; after three actions it is player 2's turn, and that is another turn."""
    race = Race(gear_name, "..........")
    assert race.due() == (1, 3)
    race.does("move u", "move u", "move u")
    assert race.due() == (2, 3)
    assert race.record.turn == 2
    race.does("move l", "move l", "move l")
    assert race.due() == (1, 3)
    assert race.record.turn == 3


@rule("R1", "R1.2", "R1.3", "R1.4")
def test_kinds_of_actions_are_chosen_freely(gear_name: GearName) -> None:
    """A turn can hold a pick-up, a use and a move, in any order; ending it takes the rest."""
    race = Race(gear_name, MIDDLE, "items: 4,2=disc", "holds 1: grenade=1")
    race.does("pick disc", "use grenade")
    assert race.holds(1) == (0, 1, 0)
    race.does("move u")
    race.does("move l", "end")
    assert race.due() == (1, 3)


@rule("R1.4", "A8")
def test_ending_the_turn_performs_empty_actions(gear_name: GearName) -> None:
    """Each action that is left ages the trail by one: with two left, a square left just now has age three."""
    race = Race(gear_name, MIDDLE)
    race.does("move r", "end")
    assert race.due() == (2, 3)
    assert [(square.at, square.age) for square in race.view().racers[0].trail] == [((4, 2), 3)]


@rule("R1.13", "A4")
def test_the_turn_cannot_end_where_it_began(gear_name: GearName) -> None:
    """Ending the turn before having moved is refused, and costs nothing."""
    race = Race(gear_name, MIDDLE, "holds 1: grenade=1")
    assert race.refused("end") == "cannot end the turn on the square on which it began: move first"
    race.does("use grenade")
    assert race.refused("end") == "cannot end the turn on the square on which it began: move first"
    race.does("move u", "end")
    assert race.due() == (2, 3)


@rule("A5", "F7", "U3")
def test_the_last_action_of_one_who_has_not_moved_is_a_move(gear_name: GearName) -> None:
    """With one action left and no move made, nothing can be picked up or used."""
    race = Race(gear_name, MIDDLE, "items: 4,2=disc", "holds 1: grenade=1 disc=1", "actions: 1")
    reason = "it is your last action and you have not moved yet in this turn; move"
    assert race.refused("pick disc") == f"cannot pick disc: {reason}"
    assert race.refused("use grenade") == f"cannot use grenade: {reason}"
    assert race.refused("use disc up") == f"cannot use disc up: {reason}"
    assert race.refused("move u") == ""


@rule("F7", "U3")
def test_after_a_move_the_last_action_can_be_anything(gear_name: GearName) -> None:
    """Who has moved may pick up or use with his last action."""
    race = Race(gear_name, MIDDLE, "items: 4,2=disc", "holds 1: grenade=1 disc=1", "actions: 1", "began: 3,2")
    assert [race.refused(text) for text in ("pick disc", "use grenade", "use disc up", "end")] == ["", "", "", ""]


@rule("A6")
def test_the_last_move_must_not_lead_back_to_where_the_turn_began(gear_name: GearName) -> None:
    """A teleporter to the square where the turn began bars the last action, but no earlier one.

    In a match that square still carries the mover's trail; the position is built without it.
    """
    notes = ("teleporters: 5,2>8,2 8,2>5,2", "began: 8,2")
    race = Race(gear_name, MIDDLE, *notes, "actions: 1")
    assert "would end on the square on which it began" in race.refused("move r")
    assert Race(gear_name, MIDDLE, *notes, "actions: 2").refused("move r") == ""


def corner() -> tuple[str, ...]:
    """Player 1 in the top left corner with player 2 about to shut the only way out."""
    return (
        """
        1b........
        ab........
        a.2.......
        """,
        "to act: 2",
        "actions: 1",
        "began: 3,3",
        "trail 1: 0,1 0,2",
        "trail 2: 1,1 1,0",
    )


@rule("R1.14", "A7", "F12")
def test_trapped(gear_name: GearName) -> None:
    """Before player 1's action no move is legal, so he loses at once, although he could throw a disc."""
    race = Race(gear_name, *corner(), "holds 1: disc=1")
    race.does("move r")
    assert race.told[-1] == "Player 1 cannot move: trapped on (0, 0) and lost"
    assert race.winner() == 2
    assert GAME.reason(race.record) == "player 1 was trapped"
    assert [race.state.place(seat) for seat in (0, 1)] == [2, 1]
    assert [race.state.score(seat) for seat in (0, 1)] == [0, 1]


@rule("R1.14", "A7")
def test_a_player_can_trap_himself_in_the_middle_of_his_turn(gear_name: GearName) -> None:
    """Between a wall, player 2's trail and his own there is no way on: two actions are left, and he has lost."""
    race = Race(
        gear_name,
        """
        .##.......
        b1........
        2.........
        """,
        "trail 2: 0,1",
        "holds 1: disc=1",
    )
    race.does("move ul")
    assert race.told[-1] == "Player 1 cannot move: trapped on (0, 0) and lost"
    assert (race.winner(), race.record.turn, race.record.actions_left) == (2, 1, 2)


@rule("A7", "L7", "L8")
def test_the_square_that_vanishes_first_can_be_the_way_out(gear_name: GearName) -> None:
    """Player 1 left (1, 0) three actions ago: it is gone before the trapped test, which it decides."""
    race = Race(
        gear_name,
        """
        1a........
        aa........
        """,
        "to act: 2",
        "actions: 1",
        "began: 9,1",
        "trail 1: 0,1 1,1 1,0",
    )
    race.does("move l")
    assert race.due() == (1, 3)
    assert race.moves() == {"r"}


@rule("R1.15", "A7", "F12", "A1")
def test_a_player_without_actions_is_not_trapped(gear_name: GearName) -> None:
    """The same corner, but player 1 has no actions in this turn: he skips it and does not lose."""
    race = Race(gear_name, *corner(), "penalty 1: 3")
    race.does("move r")
    assert race.told[-2:] == ["Player 1 skipped a turn, having no actions left", "Turn 4: player 2 has 3 actions"]
    assert race.winner() == 0


@rule("R1.16", "L6", "A12")
def test_reaching_the_others_start_wins_at_once(gear_name: GearName) -> None:
    """No effect of the goal's square takes place: its grenade stays active, its darkness ends nothing."""
    race = Race(
        gear_name,
        """
        ........1.
        .........2
        """,
        "holds 1: grenade=1",
        "armed 2: 9,0",
        "failures: 9,0:3",
    )
    race.does("use grenade", "move r")
    assert race.told == [
        "Player 1 moved r to (9, 0)",
        "Player 1's light grenade on (8, 0) is active",
        "Player 1 reached the other's start on (9, 0) and won",
    ]
    assert race.winner() == 1
    assert race.grenade(9, 0) == "active, of player 2"
    assert race.grenade(8, 0) == "active, of player 1"
    assert race.trail(1) == [(8, 0)]
    assert race.record.turn == 1
    assert GAME.reason(race.record) == "player 1 reached player 2's start"


@rule("A12")
def test_after_a_win_every_request_is_refused(gear_name: GearName) -> None:
    """Both players are told that the match is over."""
    race = Race(gear_name, "........1.\n.........2")
    race.does("move r")
    assert race.state.to_act() == 0
    for seat in (0, 1):
        assert race.why_not(seat, "move l") == "the match is over: player 1 reached player 2's start"
        assert race.state.legal(seat) == []


@rule("A3", "F8")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pick disc", "there is none on your square, where nothing can be picked up"),
        ("use disc up", "you do not hold one; your inventory has grenade"),
        ("use charged left", "you do not hold one; your inventory has grenade"),
        ("move d", "there is a wall; choose another direction"),
    ],
)
def test_a_refused_request_costs_nothing(gear_name: GearName, text: str, why: str) -> None:
    """The reason is told, no action is spent and nothing changes."""
    race = Race(gear_name, MIDDLE + "    ....##....\n", "holds 1: grenade=1")
    assert race.refused(text) == f"cannot {text}: {why}"
    with pytest.raises(IllegalAction):
        race.play(text)
    assert race.due() == (1, 3)


@rule("A3")
def test_acting_out_of_turn_is_refused(gear_name: GearName) -> None:
    """The other player is told whose turn it is."""
    race = Race(gear_name, MIDDLE)
    assert race.why_not(1, "move l") == "it is not your turn: player 1 is to act"
    assert race.state.legal(1) == []
    assert GAME.refusal(race.record, 5, 0, race.state.why_illegal(5, 0)) == "there is no seat 5: the seats are 0 and 1"
    sentence = GAME.refusal(race.record, 0, 99, race.state.why_illegal(0, 99))
    assert sentence == "there is no action number 99: they go from 0 to 20"


@rule("F8", "U3")
def test_a_cancelled_use_costs_no_action(gear_name: GearName) -> None:
    """Instead of a direction the player says that he no longer wants to use the disc."""
    race = Race(gear_name, MIDDLE, "holds 1: disc=1")
    for text in ("use disc cancel", "cancel"):
        with pytest.raises(InvalidAction, match="cancelled: nothing was used and no action is spent"):
            race.play(text)
    assert race.due() == (1, 3)
    assert race.holds(1) == (0, 1, 0)


@rule("R1.17", "R1.2")
def test_only_what_lies_on_ones_own_square_can_be_picked_up(gear_name: GearName) -> None:
    """A disc beside the player is out of reach; on his square it can be taken."""
    race = Race(gear_name, "..........\n..1d......")
    assert "there is none on your square" in race.refused("pick disc")
    race.does("move r", "pick disc")
    assert race.told[0] == "Player 1 picked up an identity disc on (3, 1)"
    assert race.holds(1) == (0, 1, 0)
    assert race.discs() == {}


@rule("R1.18", "F8")
def test_at_most_six_items_are_carried(gear_name: GearName) -> None:
    """The seventh item is refused, whatever its kind."""
    wide = "." * 20 + "\n" + "." * 20 + "\n...1" + "." * 16
    race = Race(gear_name, wide, "holds 1: grenade=3 disc=3", "items: 3,2=charged+disc")
    assert race.refused("pick charged") == "cannot pick charged: you carry 6 items already; use one first"
    assert race.refused("pick disc") == "cannot pick disc: you carry 6 items already; use one first"
    race.does("use grenade", "pick charged")
    assert race.holds(1) == (2, 3, 1)


@rule("R1.19")
def test_only_held_items_can_be_used(gear_name: GearName) -> None:
    """What lies on the ground must be picked up first."""
    race = Race(gear_name, MIDDLE, "items: 4,2=grenade")
    assert race.refused("use grenade") == "cannot use grenade: you do not hold one; your inventory has nothing"
    race.does("pick grenade", "use grenade")
    assert race.grenade(4, 2) == "inactive"


@rule("A11", "H6", "U2")
def test_items_are_named_by_kind_or_by_their_number(gear_name: GearName) -> None:
    """Kinds are numbered as they are shown: grenade, disc, charged disc, of those that are held."""
    race = Race(gear_name, MIDDLE, "holds 1: disc=2 charged=1", "items: 4,2=grenade")
    record = race.record
    assert GAME.parse(record, 0, "use 1 up") == GAME.parse(record, 0, "use disc up")
    assert GAME.parse(record, 0, "use 2 left") == GAME.parse(record, 0, "use charged left")
    assert GAME.parse(record, 0, "pick") == GAME.parse(record, 0, "pick grenade")
    race.does("pick")
    assert race.holds(1) == (1, 2, 1)
    assert GAME.parse(race.record, 0, "use 2 up") == GAME.parse(record, 0, "use disc up")


@rule("A11")
def test_the_order_of_picking_up_makes_no_difference(gear_name: GearName) -> None:
    """Two players' inventories with the same items are the same inventory."""
    one = Race(gear_name, MIDDLE, "items: 4,2=grenade+disc")
    two = Race(gear_name, MIDDLE, "items: 4,2=grenade+disc")
    one.does("pick grenade", "pick disc")
    two.does("pick disc", "pick grenade")
    assert one.state.to_bytes() == two.state.to_bytes()


@rule("A10")
def test_the_first_turn_rolls_failures_too(gear_name: GearName) -> None:
    """With power failing everywhere, player 1 starts his first turn in the dark and has two actions."""
    state = gear(GAME, gear_name).new(prepare(Options(failure_percent=100)), 1)
    record = state.record()
    assert (record.due, record.actions_left, record.turn) == (0, 2, 1)
    bright = gear(GAME, gear_name).new(prepare(Options(failure_percent=0)), 1).record()
    assert (bright.due, bright.actions_left) == (0, 3)


@rule("A1", "P3")
def test_a_skipped_turn_rolls_and_ages_failures(gear_name: GearName) -> None:
    """While player 2's turn is skipped, a failure grows a turn older and a new one begins."""
    record = position(
        "..........\n..1.......",
        "actions: 1",
        "skips 2: 1",
        "failures: 5,5:3",
        "options: failure_percent=5",
    )
    plan_dice(record.dice, [99, 0] + [99] * 14)
    race = Race(gear_name, record)
    race.does("move r")
    assert race.record.turn == 3
    assert 1 in race.clocks(5, 5)
    assert 2 in race.clocks(1, 0)


@rule("H3")
def test_a_limit_of_turns_makes_a_draw(gear_name: GearName) -> None:
    """After the last turn nobody has won and both are first."""
    race = Race(gear_name, MIDDLE, "options: failure_percent=0 turn_limit=1")
    race.does("move u", "end")
    assert race.told[-1] == "Turn 1 was the last one: a draw"
    assert race.state.over()
    assert [race.state.place(seat) for seat in (0, 1)] == [1, 1]
    assert [race.state.score(seat) for seat in (0, 1)] == [0, 0]
    assert GAME.reason(race.record) == "nobody won in 1 turns"


@rule("H4")
def test_silence_moves_and_then_ends_the_turn(gear_name: GearName) -> None:
    """Without an answer the player goes one square nearer to his goal and ends his turn."""
    race = Race(gear_name, "..........")
    race.play()
    assert race.at(1) == (1, 8)
    race.play()
    assert race.due() == (2, 3)


@rule("F3")
def test_no_rule_is_left_out() -> None:
    """The rules' numbers go on without a gap in every chapter."""
    text = files("turntile.games.racers").joinpath("RULES.md").read_text(encoding="utf-8")
    ids = re.findall(r"^- \*\*(\S+)\*\*", text, flags=re.MULTILINE)
    assert len(ids) == len(set(ids))
    chapters = {
        "R1.": 19,
        "R2.": 19,
        "R3.": 45,
        "U": 3,
        "F": 12,
        "A": 12,
        "L": 8,
        "P": 9,
        "G": 8,
        "D": 9,
        "T": 1,
        "C": 9,
    }
    for chapter, last in chapters.items():
        assert [i for i in ids if re.fullmatch(re.escape(chapter) + r"\d+", i)] == [
            f"{chapter}{n}" for n in range(1, last + 1)
        ]
