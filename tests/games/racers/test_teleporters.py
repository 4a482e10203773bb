"""Teleporters: hops of players, their trails, and what acts at both ends."""

from __future__ import annotations

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.gears import GearName
from turntile.games.racers.positions import cell_of

HALL = """
    ..........
    .1o.......
    ..........
    ..........
    ......o...
"""
THERE_AND_BACK = "teleporters: 2,1>6,4 6,4>2,1"


@rule("R3.33", "R3.34", "F9")
def test_stepping_on_a_teleporter_leads_to_its_destination(gear_name: GearName) -> None:
    """One hop: the teleporter at the destination does not act on arrival."""
    race = Race(gear_name, HALL, THERE_AND_BACK)
    race.does("move r")
    assert race.told == ["Player 1 moved r to (2, 1)", "Player 1 was teleported from (2, 1) to (6, 4)"]
    assert race.at(1) == (6, 4)
    assert race.due() == (1, 2)
    race.does("move r")
    assert race.at(1) == (7, 4)


@rule("R3.33")
def test_a_teleporter_cannot_be_picked_up(gear_name: GearName) -> None:
    """On the square of one, nothing is to be had."""
    race = Race(gear_name, HALL, THERE_AND_BACK)
    race.does("move r")
    assert "nothing can be picked up" in race.refused("pick grenade")


@rule("R3.35", "L5")
def test_the_trail_travels_through_the_teleporter(gear_name: GearName) -> None:
    """The square he stepped from carries trail, the source carries none; part of it is here, part there."""
    race = Race(gear_name, HALL, THERE_AND_BACK)
    race.does("move r", "move r")
    assert race.trail(1) == [(6, 4), (1, 1)]
    assert [square.hop for square in race.view().racers[0].trail] == [False, True]


@rule("L5")
def test_a_hop_is_no_link_of_the_chain(gear_name: GearName) -> None:
    """Player 2 came from (4, 3) to (5, 2) by a teleporter: the two squares do not bar the diagonal."""
    drawn = """
    ..........
    ..........
    .....2....
    ....b1....
    ...o......
    """
    race = Race(gear_name, drawn, "teleporters: 3,4>5,2 5,2>3,4", "trail 2: 4,3~")
    assert race.refused("move ul") == ""
    linked = Race(gear_name, drawn, "teleporters: 3,4>5,2 5,2>3,4", "trail 2: 4,3")
    assert "cut diagonally" in linked.refused("move ul")


@rule("L5", "L2")
def test_a_hop_is_no_link_either_when_the_chain_has_moved_on(gear_name: GearName) -> None:
    """Player 2 hops from (4, 3) to (5, 2) and goes on to (6, 1): only his last step is a link that bars the way."""
    race = Race(
        gear_name,
        """
        ..........
        ..........
        .....o1...
        ....2.....
        ...o......
        """,
        "to act: 2",
        "teleporters: 3,4>5,2 5,2>3,4",
        "actions: 2",
    )
    race.does("move dl", "move ur")
    assert race.at(2) == (6, 1)
    assert race.trail(2) == [(5, 2), (4, 3)]
    assert "cut diagonally" in race.refused("move ul")
    race.does("move dl")
    assert race.at(1) == (5, 3)
    assert race.refused("move ul") == ""


@rule("L8")
def test_the_diagonal_rule_judges_the_step_onto_a_teleporter(gear_name: GearName) -> None:
    """The teleporter lies behind a link of player 2's chain."""
    race = Race(
        gear_name,
        """
        ..........
        ...2o.....
        ...1b.....
        ..........
        ........o.
        """,
        "teleporters: 4,1>8,4 8,4>4,1",
        "trail 2: 4,2",
    )
    assert "cut diagonally through a light trail" in race.refused("move ur")


@rule("R3.36")
def test_items_at_the_source_are_out_of_reach_those_at_the_destination_are_not(gear_name: GearName) -> None:
    """A disc lies at both ends; he gets the one at the destination."""
    race = Race(gear_name, HALL, THERE_AND_BACK, "items: 2,1=disc 6,4=disc")
    race.does("move r", "pick disc")
    assert race.discs() == {(2, 1): 1}


@rule("R3.36")
def test_without_an_action_left_nothing_is_picked_up_at_the_destination(gear_name: GearName) -> None:
    """The hop was the last action."""
    race = Race(gear_name, HALL, THERE_AND_BACK, "items: 6,4=disc", "actions: 1", "began: 0,1")
    race.does("move r")
    assert race.due() == (2, 3)


@rule("R3.38")
def test_a_destination_need_not_lead_back(gear_name: GearName) -> None:
    """From (2, 1) one gets to (6, 4), but from (6, 4) to (8, 4)."""
    doors = "teleporters: 2,1>6,4 6,4>8,4 8,4>2,1"
    race = Race(gear_name, HALL, doors)
    race.does("move r")
    assert race.at(1) == (6, 4)
    other = Race(gear_name, "..........\n..o.......\n..........\n..........\n.....1o.o.", doors)
    other.does("move r")
    assert other.at(1) == (8, 4)


@rule("R3.39", "T1")
def test_no_hop_onto_the_other_player(gear_name: GearName) -> None:
    """Player 2 stands on the destination."""
    race = Race(gear_name, HALL.replace("......o", "......2"), THERE_AND_BACK)
    assert race.refused("move r") == (
        "cannot move r: the teleporter leads to the other racer's square; choose another direction"
    )


@rule("T1")
def test_no_hop_onto_a_trail_or_ones_own_square(gear_name: GearName) -> None:
    """Player 2's trail, the mover's own trail and the mover's own square all bar the step."""
    drawn = HALL.replace("......o", "......b2")
    race = Race(gear_name, drawn, THERE_AND_BACK, "trail 2: 6,4")
    assert "leads to a square with a light trail" in race.refused("move r")
    own = Race(
        gear_name,
        """
        ..........
        .a1o......
        """,
        "teleporters: 3,1>1,1 1,1>3,1",
        "trail 1: 1,1",
        "began: 1,1",
        "actions: 2",
    )
    assert "leads to a square with a light trail" in own.refused("move r")
    here = Race(gear_name, "..........\n.1o.......", "teleporters: 2,1>1,1 1,1>2,1")
    assert "leads back to your own square" in here.refused("move r")


@rule("G6", "G3")
def test_the_grenade_at_the_source_explodes_before_he_is_moved(gear_name: GearName) -> None:
    """Two of the three lost actions are those left of this turn; he is moved all the same."""
    race = Race(gear_name, HALL, THERE_AND_BACK, "armed 2: 2,1")
    race.does("move r")
    assert race.told[1:3] == [
        "A light grenade exploded under player 1 on (2, 1): 3 actions lost",
        "Player 1 was teleported from (2, 1) to (6, 4)",
    ]
    assert race.at(1) == (6, 4)
    assert race.penalty(1) == 1


@rule("G6", "P4")
def test_the_darkness_of_either_end_ends_the_turn(gear_name: GearName) -> None:
    """Unpowered source or unpowered destination."""
    for failure in ("failures: 3,0:3", "failures: 7,5:3"):
        race = Race(gear_name, HALL, THERE_AND_BACK, failure)
        race.does("move r")
        assert race.at(1) == (6, 4)
        assert race.due()[0] == 2
        assert race.penalty(1) == 0


@rule("G7")
def test_a_dark_source_leaves_nothing_to_count_towards_the_destinations_grenade(gear_name: GearName) -> None:
    """All three of the destination's actions fall on later turns."""
    race = Race(gear_name, HALL, THERE_AND_BACK, "failures: 3,0:3", "armed 2: 6,4")
    race.does("move r")
    assert race.penalty(1) == 3
    assert race.grenade(6, 4) == "exploded"


@rule("G7")
def test_two_explosions_add_up(gear_name: GearName) -> None:
    """Three at the source, four at the dark destination, less the two left of this turn: five."""
    race = Race(gear_name, HALL, THERE_AND_BACK, "armed 2: 2,1 6,4", "failures: 7,5:3")
    race.does("move r")
    assert race.penalty(1) == 5
    assert race.at(1) == (6, 4)


@rule("L6", "G6", "A12")
def test_a_hop_onto_the_goal_wins_after_the_source_has_acted(gear_name: GearName) -> None:
    """No teleporter stands on a start (R3.45), so this one is put into the record.

    The grenade of the dark source explodes; on the goal neither the grenade nor the darkness acts.
    """
    record = position(
        "..........\n.1o.......\n..........\n..........\n......o..2",
        THERE_AND_BACK,
        "armed 2: 2,1 9,0",
        "failures: 3,0:3 9,0:3",
    )
    record.doors[0].exit = cell_of(record, 9, 0)
    race = Race(gear_name, record)
    race.does("move r")
    assert race.told == [
        "Player 1 moved r to (2, 1)",
        "A light grenade exploded under player 1 on (2, 1): 4 actions lost",
        "Player 1 was teleported from (2, 1) to (9, 0)",
        "Player 1 reached the other's start on (9, 0) and won",
    ]
    assert race.winner() == 1
    assert race.grenade(9, 0) == "active, of player 2"
    assert race.record.turn == 1
