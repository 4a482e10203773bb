"""Light grenades: placing, arming, exploding, taking back."""

from __future__ import annotations

from tests.games.racers.drawn import Race, position
from tests.support import rule
from turntile.core.gears import GearName
from turntile.games.racers import rules
from turntile.games.racers.positions import cell_of

OPEN = """
    ..........
    ..........
    ..1.......
"""


@rule("R3.1", "G1")
def test_a_used_grenade_becomes_active_when_its_user_leaves(gear_name: GearName) -> None:
    """It leaves the inventory and lies on his square, inactive, until he goes."""
    race = Race(gear_name, OPEN, "holds 1: grenade=1")
    race.does("use grenade")
    assert race.holds(1) == (0, 0, 0)
    assert race.grenade(2, 2) == "inactive"
    assert race.view(1).grenades == ((2, 2),)
    race.does("move r")
    assert race.grenade(2, 2) == "active, of player 1"


@rule("G1")
def test_a_grenade_that_lies_there_from_the_start_never_arms(gear_name: GearName) -> None:
    """Walking over it does nothing to it or to the player."""
    race = Race(gear_name, "..........\n..........\n..1g......")
    race.does("move r", "move r")
    assert race.grenade(3, 2) == "inactive"
    assert race.due() == (1, 1)


@rule("R3.2", "G5")
def test_an_active_grenade_is_seen_by_neither_player(gear_name: GearName) -> None:
    """Only the judge sees it."""
    race = Race(gear_name, OPEN, "armed 1: 5,5", "armed 2: 6,6")
    for seat in (0, 1):
        assert race.view(seat).grenades == ()
        assert race.view(seat).armed == ()
    assert [(grenade.at, grenade.owner) for grenade in race.view().armed] == [((5, 5), 0), ((6, 6), 1)]


@rule("R3.2", "R3.6")
def test_an_active_grenade_cannot_be_picked_up(gear_name: GearName) -> None:
    """Entering sets it off, so nobody ever stands on one: it is put into the record."""
    record = position(OPEN)
    record.cells[cell_of(record, 2, 2)] |= rules.armed_by(1)
    race = Race(gear_name, record)
    assert race.refused("pick grenade") == (
        "cannot pick grenade: there is none on your square, where nothing can be picked up"
    )


@rule("R3.3", "G4")
def test_one_unexploded_grenade_a_square(gear_name: GearName) -> None:
    """Neither a second one of his own nor one upon a grenade that lies there."""
    wide = OPEN.replace("..........", "." * 20)
    race = Race(gear_name, wide, "holds 1: grenade=2")
    race.does("use grenade")
    reason = "cannot use a grenade here: there is one on your square already; move on first"
    assert race.refused("use grenade") == reason
    lying = Race(gear_name, wide, "holds 1: grenade=1", "items: 2,2=grenade")
    assert lying.refused("use grenade") == reason


@rule("R3.4", "G3", "R3.5")
def test_an_explosion_costs_three_actions_those_of_this_turn_first(gear_name: GearName) -> None:
    """Entered with the first action: two are lost now, one in the next turn. Only who enters is affected."""
    race = Race(gear_name, OPEN, "armed 2: 3,2")
    race.does("move r")
    assert race.told[1] == "A light grenade exploded under player 1 on (3, 2): 3 actions lost"
    assert (race.penalty(1), race.penalty(2)) == (1, 0)
    assert race.due() == (2, 3)
    assert race.grenade(3, 2) == "exploded"
    race.does("move l", "end")
    assert race.due() == (1, 2)


@rule("L4", "G3")
def test_actions_lost_to_an_explosion_do_not_age_the_trail(gear_name: GearName) -> None:
    """Player 1 loses the two actions left of his turn; the square he has just left has age one, the other two."""
    race = Race(gear_name, "..........\n..........\n.a1.......", "armed 2: 3,2", "trail 1: 1,2")
    race.does("move r")
    assert race.due() == (2, 3)
    assert [(square.at, square.age) for square in race.view().racers[0].trail] == [((2, 2), 1), ((1, 2), 2)]


@rule("R3.4", "R3.1")
def test_a_grenade_explodes_under_its_own_user_too(gear_name: GearName) -> None:
    """Any player sets it off."""
    race = Race(gear_name, OPEN, "armed 1: 3,2", "actions: 1", "began: 1,2")
    race.does("move r")
    assert race.penalty(1) == 3


@rule("R1.15", "F12", "G3")
def test_three_actions_lost_are_a_whole_turn(gear_name: GearName) -> None:
    """Entered with the last action, all three fall on the next turn, which is skipped."""
    race = Race(gear_name, OPEN, "armed 2: 3,2", "actions: 1", "began: 1,2")
    race.does("move r", "move l", "end")
    assert "Player 1 skipped a turn, having no actions left" in race.told
    assert race.due() == (2, 3)
    assert race.penalty(1) == 0


@rule("R3.5", "R3.6", "G4")
def test_debris_is_inert(gear_name: GearName) -> None:
    """It does not explode again, cannot be picked up, and a new grenade can be used on it."""
    race = Race(gear_name, "..........\n..........\n..1x......", "holds 1: grenade=1")
    race.does("move r")
    assert race.due() == (1, 2)
    assert "there is none on your square" in race.refused("pick grenade")
    race.does("use grenade", "move r")
    assert race.grenade(3, 2) == "active, of player 1"
    assert race.view().debris == ((3, 2),)


@rule("G4")
def test_debris_piles_up(gear_name: GearName) -> None:
    """A grenade that explodes upon debris is debris too."""
    race = Race(gear_name, OPEN, "items: 3,2=debris", "armed 2: 3,2")
    race.does("move r")
    assert race.grenade(3, 2) == "exploded"
    assert race.view().debris == ((3, 2),)


@rule("G2")
def test_a_grenade_can_be_taken_back_before_leaving(gear_name: GearName) -> None:
    """Taken back, it is in the inventory, and leaving arms nothing."""
    race = Race(gear_name, OPEN, "holds 1: grenade=1")
    race.does("use grenade", "pick grenade", "move r")
    assert race.holds(1) == (1, 0, 0)
    assert race.grenade(2, 2) == "none"


@rule("G8")
def test_used_with_the_last_action_it_waits_through_the_others_turn(gear_name: GearName) -> None:
    """It stays inactive under its user, is taken back in his next turn, or arms when he leaves then."""
    race = Race(gear_name, OPEN, "holds 1: grenade=1", "actions: 1", "began: 1,2")
    race.does("use grenade", "move l", "end")
    assert race.due() == (1, 3)
    assert race.grenade(2, 2) == "inactive"
    assert race.refused("pick grenade") == ""
    race.does("move r")
    assert race.grenade(2, 2) == "active, of player 1"


@rule("H1", "G5")
def test_a_use_is_told_to_the_user_only(gear_name: GearName) -> None:
    """The other hears nothing of the use or the arming, but sees the smaller inventory."""
    race = Race(gear_name, OPEN, "holds 1: grenade=1")
    race.does("use grenade")
    assert race.heard(0) == ["Player 1 placed a light grenade on (2, 2)"]
    assert race.heard(1) == []
    race.does("move r")
    assert "Player 1's light grenade on (2, 2) is active" in race.heard(0)
    assert race.heard(1) == ["Player 1 moved r to (3, 2)"]
    assert race.view(1).racers[0].grenades == 0
