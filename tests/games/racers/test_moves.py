"""Moves and light trails."""

from __future__ import annotations

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.gears import GearName
from turntile.games.racers.positions import cell_of
from turntile.games.racers.records import WALL

ALL = {"u", "ur", "r", "dr", "d", "dl", "l", "ul"}


@rule("R1.5", "L1")
def test_a_move_goes_one_square_in_any_of_eight_directions(gear_name: GearName) -> None:
    """On an open grid all eight are legal, and each leads to its neighbour."""
    drawn = """
    ..........
    ..........
    ....1.....
    """
    steps = {
        "u": (4, 1), "ur": (5, 1), "r": (5, 2), "dr": (5, 3),
        "d": (4, 3), "dl": (3, 3), "l": (3, 2), "ul": (3, 1),
    }  # fmt: skip
    assert Race(gear_name, drawn).moves() == ALL
    for direction, square in steps.items():
        race = Race(gear_name, drawn)
        race.does(f"move {direction}")
        assert race.at(1) == square


@rule("R1.6", "R1.7", "R1.8", "L1")
def test_no_move_onto_a_player_a_wall_or_off_the_grid(gear_name: GearName) -> None:
    """Player 1 at the left edge, a wall below him and player 2 to his right."""
    race = Race(
        gear_name,
        """
        ..........
        12........
        ##........
        """,
    )
    assert race.refused("move r") == "cannot move r: the other racer is there; choose another direction"
    assert race.refused("move d") == "cannot move d: there is a wall; choose another direction"
    assert race.refused("move l") == "cannot move l: that would leave the grid; choose another direction"
    assert race.moves() == {"u", "ur"}


@rule("R1.8")
def test_the_grid_has_four_edges(gear_name: GearName) -> None:
    """From opposite corners five of the eight directions lead out."""
    race = Race(gear_name, "1.........")
    assert race.moves() == {"r", "dr", "d"}
    corner = Race(gear_name, "..........\n" * 9 + ".##......1")
    assert corner.moves() == {"u", "ul", "l"}


@rule("L1")
def test_squeezing_diagonally_between_two_walls_is_allowed(gear_name: GearName) -> None:
    """Only trails have a diagonal rule. Walls never stand like this (C7), so they are put into the record."""
    record = position("..........\n..........\n...1......")
    record.cells[cell_of(record, 4, 2)] = WALL
    record.cells[cell_of(record, 3, 1)] = WALL
    race = Race(gear_name, record)
    race.does("move ur")
    assert race.at(1) == (4, 1)


@rule("L1", "R2.3")
def test_a_wall_bars_the_way_but_not_past_its_corner(gear_name: GearName) -> None:
    """Beside the end of a wall a player goes around it diagonally."""
    race = Race(gear_name, "..........\n.##1......\n..........")
    assert race.moves() == ALL - {"l"}


@rule("R1.9", "L3")
def test_a_trail_has_three_squares_at_most(gear_name: GearName) -> None:
    """After three moves the other player sees three squares, the newest first."""
    race = Race(gear_name, "..........\n..........\n1.........")
    race.does("move r", "move r", "move r")
    assert race.trail(1) == [(2, 2), (1, 2), (0, 2)]
    assert [square.age for square in race.view().racers[0].trail] == [1, 2, 3]


@rule("L3", "L7", "R1.9")
def test_what_was_left_three_actions_ago_vanishes_when_its_owner_is_due(gear_name: GearName) -> None:
    """Player 1's oldest square stays through player 2's whole turn and is gone at once when player 1 is due."""
    race = Race(gear_name, "..........\n..........\n1.........")
    race.does("move r", "move r", "move r", "move d", "move d")
    assert race.trail(1) == [(2, 2), (1, 2), (0, 2)]
    race.does("move d")
    assert race.due() == (1, 3)
    assert race.trail(1) == [(2, 2), (1, 2)]
    assert race.view(1).racers[0] == race.view(0).racers[0]


@rule("L3", "R1.10")
def test_a_square_is_solid_through_the_next_two_actions(gear_name: GearName) -> None:
    """Player 1 cannot step back, nor go around in a triangle: his own trail is in the way for two actions."""
    race = Race(gear_name, "..........\n..........\n...1......")
    race.does("move r")
    assert race.refused("move l") == "cannot move l: there is a light trail; wait until it is gone or go around"
    race.does("move ul")
    assert "there is a light trail" in race.refused("move d")


@rule("L7", "L8")
def test_the_vanished_square_is_free_for_the_action_that_made_it_vanish(gear_name: GearName) -> None:
    """Three actions ago player 1 left a square; as he becomes due it is gone, and he may enter it."""
    race = Race(
        gear_name,
        """
        ..........
        ..........
        ...a1.....
        ...aa.....
        ........2.
        """,
        "to act: 2",
        "actions: 1",
        "began: 9,4",
        "trail 1: 4,3 3,3 3,2",
    )
    race.does("move d")
    assert race.trail(1) == [(4, 3), (3, 3)]
    assert race.refused("move l") == ""


@rule("L7", "R1.15")
def test_a_turn_without_actions_makes_nothing_vanish(gear_name: GearName) -> None:
    """Player 1's turn is skipped: his three squares are all there in the next turn."""
    notes = ("to act: 2", "actions: 1", "began: 9,4", "trail 1: 4,2 3,2 2,2")
    drawn = """
    ..........
    ..........
    ..aaa1....
    ..........
    ........2.
    """
    race = Race(gear_name, drawn, *notes, "skips 1: 1")
    race.does("move d")
    assert race.due() == (2, 3)
    assert race.trail(1) == [(4, 2), (3, 2), (2, 2)]


@rule("F4")
def test_only_the_owners_actions_age_a_trail(gear_name: GearName) -> None:
    """Three actions of player 2 leave the ages of player 1's trail as they were."""
    race = Race(gear_name, "..........\n..........\n1.........")
    race.does("move r", "end")
    before = race.view().racers[0].trail
    race.does("move d", "move d")
    assert race.view().racers[0].trail == before


@rule("L4")
def test_every_performed_action_ages_the_trail(gear_name: GearName) -> None:
    """Picking up and using count like a move."""
    race = Race(gear_name, "..........\n..........\n1.........", "items: 1,2=disc", "holds 1: disc=1")
    race.does("move r", "pick disc")
    assert [(square.at, square.age) for square in race.view().racers[0].trail] == [((0, 2), 2)]
    race.does("use disc down")
    assert [(square.at, square.age) for square in race.view().racers[0].trail] == [((0, 2), 3)]


@rule("L4", "P4")
def test_lost_actions_do_not_age_the_trail(gear_name: GearName) -> None:
    """A turn that darkness ends leaves the newest square with age one: the two lost actions were not performed."""
    race = Race(gear_name, "..........\n..........\n1.........", "failures: 1,2:3", "skips 2: 1")
    race.does("move r")
    assert race.record.turn == 3
    assert [(square.at, square.age) for square in race.view().racers[0].trail] == [((0, 2), 1)]


@rule("R1.10", "L1")
def test_no_player_enters_the_others_trail(gear_name: GearName) -> None:
    """Player 2's trail bars player 1's way straight on."""
    race = Race(
        gear_name,
        """
        ..........
        ...1b.....
        ....b2....
        """,
        "trail 2: 4,2 4,1",
    )
    assert "there is a light trail" in race.refused("move r")
    assert "there is a light trail" in race.refused("move dr")


@rule("R1.11", "L2")
def test_no_passing_diagonally_through_a_trail(gear_name: GearName) -> None:
    """Player 2's chain goes from (4, 3) over (4, 2) to (3, 1); player 1 must not cut through."""
    race = Race(
        gear_name,
        """
        ..........
        ...b......
        ...1b.....
        ....2.....
        """,
        "trail 2: 4,2 3,1",
    )
    assert (
        race.refused("move ur") == "cannot move ur: that would cut diagonally through a light trail; go around its tail"
    )
    assert race.moves() == {"d", "dl", "l", "ul"}


@rule("R1.11", "L2")
def test_a_player_is_the_head_of_his_trail(gear_name: GearName) -> None:
    """Between player 2 and the newest square of his trail there is no way through."""
    race = Race(
        gear_name,
        """
        ..........
        ...2......
        ...1b.....
        """,
        "trail 2: 4,2",
    )
    assert "cut diagonally through a light trail" in race.refused("move ur")


@rule("R1.12", "L2")
def test_behind_the_tail_the_way_is_free(gear_name: GearName) -> None:
    """The oldest square of player 2's trail, at (4, 3), is the end of his chain: player 1 slips past it."""
    race = Race(
        gear_name,
        """
        ..........
        ...2......
        ...b......
        ....b.....
        ....1.....
        """,
        "trail 2: 3,2 4,3",
    )
    race.does("move ur")
    assert race.told[0].startswith("Player 1 moved ur")


@rule("L2")
def test_squares_of_a_trail_that_are_not_linked_do_not_bar_the_way(gear_name: GearName) -> None:
    """Player 2 came from (4, 3) over (5, 2) to (4, 1): he and (4, 3) are two links apart, (3, 2) is free between."""
    race = Race(
        gear_name,
        """
        ..........
        ....2.....
        .....b....
        ...1b.....
        """,
        "trail 2: 5,2 4,3",
    )
    assert "ur" in race.moves()


@rule("L2")
def test_squares_of_two_trails_do_not_bar_the_way_together(gear_name: GearName) -> None:
    """(3, 1) is of player 1's own trail and (4, 2) of player 2's: no chain links them."""
    race = Race(
        gear_name,
        """
        ..........
        ..aa......
        ...1b.....
        ....2.....
        """,
        "began: 2,1",
        "actions: 1",
        "trail 1: 3,1 2,1",
        "trail 2: 4,2",
    )
    assert "ur" in race.moves()


@rule("L2")
def test_ones_own_chain_counts_too(gear_name: GearName) -> None:
    """Player 1 has gone from (4, 2) to (3, 1) and is now at (4, 1): he must not cut back through that link."""
    race = Race(
        gear_name,
        """
        ..........
        ...a1.....
        ....a.....
        """,
        "began: 4,2",
        "actions: 1",
        "trail 1: 3,1 4,2",
    )
    assert "cut diagonally through a light trail" in race.refused("move dl")
    assert "dr" in race.moves()


@rule("L2", "L4")
def test_a_pause_does_not_tear_the_chain(gear_name: GearName) -> None:
    """Player 2 moved, then picked up something: he and the square he left are still linked."""
    race = Race(
        gear_name,
        """
        ..........
        ...2......
        ...1b.....
        """,
        "trail 2: - 4,2",
    )
    assert "cut diagonally through a light trail" in race.refused("move ur")


@rule("R1.16", "L6", "R2.2")
def test_both_players_win_on_the_others_start(gear_name: GearName) -> None:
    """Player 2's goal is the bottom left corner; his own start means nothing to him."""
    race = Race(gear_name, "..........\n" * 8 + "....1.....\n.2........", "to act: 2")
    race.does("move l")
    assert race.winner() == 2
    back = Race(gear_name, "........2.", "to act: 2")
    back.does("move r")
    assert back.winner() == 0
