"""R19: the key of the first reason that holds, for whatever is sent."""

from __future__ import annotations

import pytest

from tests.games.robots.drawn import duel, new_fight
from tests.support import rule
from turntile.core.gears import GearName
from turntile.games.robots.words import ERROR_KEYS, error_key

BAD_INPUT = [
    ("add engine4", "ERROR"),
    ("add", "ERROR"),
    ("dance", "ERROR"),
    ("", "ERROR"),
    ("start now", "ERROR"),
    ("start", "ERROR"),
    ("scan", "ERROR"),
    ("move up", "ERROR"),
    ("move sideways", "ERROR"),
    ("shoot 4 7", "ERROR"),
    ("end", "ERROR"),
]


@rule("R19", "R3")
@pytest.mark.parametrize(("text", "key"), BAD_INPUT)
def test_in_deployment_all_but_adding_and_ending_is_an_error(gear_name: GearName, text: str, key: str) -> None:
    match = new_fight(gear_name)
    found, sentence = match.refused(0, text)
    assert found == key
    assert sentence


@rule("R19")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("add engine9", "ERROR"),
        ("add gun", "ERROR"),
        ("dance", "ERROR"),  # an unknown request is found out before whose turn it is
        ("start", "NOT_YOUR_TURN"),
        ("move sideways", "NOT_YOUR_TURN"),
        ("shoot here", "NOT_YOUR_TURN"),
        ("shoot 99 99", "NOT_YOUR_TURN"),
        ("end", "NOT_YOUR_TURN"),
    ],
)
def test_out_of_turn_it_is_not_your_turn_unless_the_phase_is_wrong(gear_name: GearName, text: str, key: str) -> None:
    match = duel(gear_name, "gun", "gun")
    assert match.key(1, text) == key


@rule("R19", "R13")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("move sideways", "ILLEGAL_MOVE"),
        ("shoot", "ERROR"),
        ("shoot 4", "ERROR"),
        ("shoot a b", "ERROR"),
        ("shoot 4 7 1", "ERROR"),
        ("shoot 0_4 4", "ERROR"),
        ("shoot \N{FULLWIDTH DIGIT FOUR} 4", "ERROR"),
        ("shoot 4.0 4", "ERROR"),
        ("shoot -1 4", "OUT_OF_BOUNDS"),
        (f"shoot {'9' * 5000} 4", "OUT_OF_BOUNDS"),
        ("shoot 10 4", "OUT_OF_BOUNDS"),
        ("shoot 0 0", "OUT_OF_BOUNDS"),
        ("shoot 5 5", "ERROR"),
        ("scan", "ERROR"),
        ("start", "ERROR"),
        ("add gun", "ERROR"),
        ("deploy", "ERROR"),
    ],
)
def test_in_the_own_turn_each_request_has_its_reasons(gear_name: GearName, text: str, key: str) -> None:
    match = duel(gear_name, "engine1 gun")
    match.play("start")
    assert match.key(0, text) == key


@rule("R19")
def test_a_used_shot_is_found_out_before_the_target_is_looked_at(gear_name: GearName) -> None:
    match = duel(gear_name, "engine1 gun")
    match.say("start", "shoot 4 4")
    assert match.key(0, "shoot 99 99") == "ERROR"
    assert match.key(0, "shoot nowhere") == "ERROR"
    assert match.key(0, "shoot 0 0") == "ERROR"


@rule("R19")
@pytest.mark.parametrize("text", ["start", "add gun", "move sideways", "shoot 1 1", "dance"])
def test_a_seat_that_there_is_not_does_not_exist(gear_name: GearName, text: str) -> None:
    match = duel(gear_name, "gun")
    assert match.key(2, text) == "PLAYER_NOT_EXISTS"
    assert match.key(-1, text) == "PLAYER_NOT_EXISTS"


@rule("O4")
def test_every_reason_has_one_of_the_eight_keys() -> None:
    assert len(ERROR_KEYS) == len(set(ERROR_KEYS)) == 8
    assert {error_key(code) for code in range(1, 27)} == set(ERROR_KEYS) - {"GAME_FULL", "GAME_NOT_EXISTS"}
