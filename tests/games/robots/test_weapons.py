"""Weapons: range, hits and misses, loading, destruction."""

from __future__ import annotations

import pytest

from tests.games.robots.drawn import Fight, duel, fight
from tests.support import rule
from turntile.core.gears import GearName
from turntile.games.robots.game import GAME


def facing(gear_name: GearName, zero: str, one: str = "gun") -> Fight:
    """Robot 0 at (5, 5) in a started turn; robot 1 is beside it at (4, 5), an obstacle above it."""
    return fight(
        gear_name,
        f"""
        ..........
        ..........
        ..........
        ..........
        .....#....
        ....10....
        ..........
        ..........
        ..........
        ..........
        play, turn of 0, started, ended 4 of 200
        robot 0: {zero}
        robot 1: {one}
        """,
    )


@rule("B20", "F2", "R13", "R19")
@pytest.mark.parametrize(("weapon", "low", "high"), [("gun", -3, 2), ("cannon", -1, 1)])
def test_a_weapon_reaches_the_square_of_its_range(gear_name: GearName, weapon: str, low: int, high: int) -> None:
    """The gun reaches six cells a side, the cannon three; all else is out of bounds and costs nothing."""
    match = duel(gear_name, weapon)
    match.play("start")
    for y in range(10):
        for x in range(10):
            in_range = low <= x - 5 <= high and low <= y - 5 <= high
            if (x, y) != (5, 5) and in_range:
                assert match.why_not(0, f"shoot {x} {y}") == ""
            elif (x, y) != (5, 5):
                assert match.key(0, f"shoot {x} {y}") == "OUT_OF_BOUNDS"
    assert not match.view(0).robots[0].shot_used


@rule("B20", "B21")
@pytest.mark.parametrize(("weapon", "hp"), [("gun", 7), ("cannon", 2)])
def test_a_hit_costs_its_hp(gear_name: GearName, weapon: str, hp: int) -> None:
    match = facing(gear_name, weapon)
    match.play("shoot 4 5")
    assert match.hp(1) == hp


@rule("R13")
def test_the_shooter_hears_only_of_a_hit_and_the_one_hit_only_of_its_hp(gear_name: GearName) -> None:
    match = facing(gear_name, "gun")
    match.play("shoot 4 5")
    assert match.heard(0) == ["you shoot at (4, 5): a robot is hit"]
    assert match.heard(1) == ["you are hit and lose 3 HP: 7 left"]


@rule("F6", "R13", "B21")
@pytest.mark.parametrize("target", ["5 4", "6 6"])
def test_an_empty_cell_and_an_obstacle_just_spend_the_shot(gear_name: GearName, target: str) -> None:
    """Both answer the same; the obstacle stays."""
    match = facing(gear_name, "gun")
    match.play(f"shoot {target}")
    assert match.heard(0) == [f"you shoot at ({target.replace(' ', ', ')}): no hit"]
    assert match.heard(1) == []
    assert match.key(0, "shoot 4 5") == "ERROR"
    assert GAME.write_position(match.record).splitlines()[4] == ".....#...."


@rule("F6")
def test_a_shot_needs_no_line_of_sight_and_hits_only_its_cell(gear_name: GearName) -> None:
    """Through robot 2 and an obstacle, robot 1 is hit and nobody else."""
    match = fight(
        gear_name,
        """
        ..........
        ..........
        ..........
        ..........
        ..........
        ..1#20....
        ..........
        ..........
        ..........
        ..........
        play, turn of 0, started
        robot 0: gun
        robot 1: gun
        robot 2: gun
        """,
    )
    match.play("shoot 2 5")
    assert [match.hp(seat) for seat in range(3)] == [10, 7, 10]


@rule("F4", "R19")
def test_there_is_one_shot_a_turn(gear_name: GearName) -> None:
    for weapon in ("gun", "cannon"):
        match = facing(gear_name, weapon)
        match.play("shoot 4 5")
        assert match.refused(0, "shoot 4 5") == ("ERROR", "this turn's shot is used: the next start gives a new one")


@rule("F4")
def test_the_gun_fires_every_turn(gear_name: GearName) -> None:
    match = facing(gear_name, "gun")
    match.say("shoot 4 5", "end", "start", "end", "start", "shoot 4 5")
    assert match.hp(1) == 4


@rule("F4", "R14", "B20", "R19")
@pytest.mark.parametrize("target", ["4 5", "6 6"])
def test_the_cannon_starts_loaded_and_fires_every_second_turn_of_its_own(gear_name: GearName, target: str) -> None:
    """A miss unloads it too."""
    match = facing(gear_name, "cannon")
    match.say(f"shoot {target}", "end", "start", "end", "start")
    assert match.refused(0, "shoot 6 5") == ("ERROR", "the cannon is loading: it can fire again in your next turn")
    match.say("end", "start", "end", "start", "shoot 6 5")


@rule("R14")
def test_a_loaded_cannon_stays_loaded(gear_name: GearName) -> None:
    match = facing(gear_name, "cannon")
    for _ in range(3):
        match.say("end", "start", "end", "start")
    match.play("shoot 4 5")
    assert match.hp(1) == 2


@rule("R5", "R19")
def test_a_robot_cannot_shoot_itself(gear_name: GearName) -> None:
    match = facing(gear_name, "gun")
    assert match.refused(0, "shoot 5 5") == ("ERROR", "the robot cannot shoot at itself: choose another cell")


@rule("R5", "B7", "R4", "R15")
def test_a_robot_with_no_hp_left_is_destroyed_and_its_cell_empty(gear_name: GearName) -> None:
    """HP stop at zero; the match is over in mid-turn, and everything is refused from then on."""
    match = facing(gear_name, "engine1 cannon", "gun, hp 5")
    match.play("shoot 4 5")
    assert match.told == [
        "robot 0 shoots at (4, 5): a robot is hit",
        "robot 1 is hit and loses 8 HP: 0 left",
        "robot 1 is destroyed",
        "robot 0 has won",
    ]
    assert match.hp(1) == 0
    assert match.state.over()
    assert match.view(0).turns_ended == 4
    assert GAME.write_position(match.record).splitlines()[5] == ".....0...."
    for seat in (0, 1):
        for text in ("start", "end", "scan", "move up", "shoot 4 5", "add gun", "deploy"):
            assert match.key(seat, text) == "ERROR"


@rule("R5")
def test_hp_never_come_back(gear_name: GearName) -> None:
    match = facing(gear_name, "gun", "shield1 gun")
    match.play("shoot 4 5")
    for _ in range(4):
        match.say("end", "start")
    assert match.hp(1) == 9


@rule("R15", "R4")
def test_others_can_move_over_the_cell_of_a_destroyed_robot_at_once(gear_name: GearName) -> None:
    match = fight(
        gear_name,
        """
        ..........
        ..........
        ..........
        ..........
        ..........
        ....10....
        ..........
        ..........
        ..........
        .........2
        play, turn of 0, started, moves 2
        robot 0: engine1 gun
        robot 1: gun, hp 3
        robot 2: gun
        """,
    )
    assert match.key(0, "move left") == "ILLEGAL_MOVE"
    match.say("shoot 4 5", "move left")
    assert match.where(0) == (4, 5)
    assert not match.state.over()
