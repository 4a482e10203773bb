"""Building a robot: features, capacity, replacing, ending."""

from __future__ import annotations

import pytest

from tests.games.robots.drawn import duel, new_fight
from tests.support import rule
from turntile.core.gears import GearName
from turntile.games.robots.game import GAME
from turntile.games.robots.notation import FEATURE_NAMES
from turntile.games.robots.options import Options
from turntile.games.robots.presets import PRESET_NAMES, preset_line, preset_parts
from turntile.match.match import Match


@rule("B4", "B5", "R19")
def test_features_can_be_added_until_ten_slots_are_full(gear_name: GearName) -> None:
    """An eleventh slot is refused with OUT_OF_CAPACITY, and nothing changes."""
    match = new_fight(gear_name)
    match.play("add engine2", "deploy")
    match.play("add radar2")
    match.play("add gun")
    assert match.view(0).robots[0].slots_used == 10

    key, sentence = match.refused(0, "add shield1")

    assert key == "OUT_OF_CAPACITY"
    assert sentence.startswith("shield1 takes 2 slots, and 12 of 10 would be in use")
    assert match.parts(0) == ("engine2", "radar2", "gun")


@rule("B9", "B16", "B19", "B20")
@pytest.mark.parametrize(
    ("feature", "slots"),
    [
        ("engine1", 2), ("engine2", 4), ("engine3", 6), ("radar1", 2), ("radar2", 4), ("radar3", 6),
        ("shield1", 2), ("shield2", 4), ("shield3", 6), ("gun", 2), ("cannon", 4),
    ],
)  # fmt: skip
def test_a_feature_takes_its_slots(gear_name: GearName, feature: str, slots: int) -> None:
    match = new_fight(gear_name)
    match.play(f"add {feature}", "deploy")
    assert match.view(0).robots[0].slots_used == slots
    assert match.told[0] == f"robot 0 installs {feature} ({slots} of 10 slots in use)"


@rule("B6", "B19")
@pytest.mark.parametrize(("shield", "hp"), [("", 10), ("shield1", 12), ("shield2", 14), ("shield3", 18)])
def test_a_robot_has_ten_hp_and_a_shield_adds_to_them(gear_name: GearName, shield: str, hp: int) -> None:
    match = new_fight(gear_name)
    if shield:
        match.play(f"add {shield}", "deploy")
    assert match.hp(0) == hp


@rule("B8", "F1")
def test_a_feature_replaces_the_one_of_its_kind(gear_name: GearName) -> None:
    """The gun gives way to the cannon, and the capacity is counted anew."""
    match = new_fight(gear_name)
    match.play("add gun", "deploy")
    match.play("add shield3")
    assert match.hp(0) == 18
    match.play("add cannon")
    assert match.parts(0) == ("shield3", "cannon")
    assert match.view(0).robots[0].slots_used == 10

    match.play("add shield1")

    assert match.parts(0) == ("shield1", "cannon")
    assert match.view(0).robots[0].slots_used == 6
    assert match.hp(0) == 12


@rule("F1")
def test_a_replacement_that_does_not_fit_is_refused_and_changes_nothing(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    for feature in ("engine2", "radar2", "gun"):
        match.play(f"add {feature}", "deploy")
    assert match.key(0, "add cannon") == "OUT_OF_CAPACITY"
    assert match.parts(0) == ("engine2", "radar2", "gun")


@rule("R10")
def test_adding_what_is_installed_is_accepted(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play("add engine3", "deploy")
    match.play("add engine3")
    assert match.parts(0) == ("engine3",)


@rule("R10")
def test_a_feature_cannot_be_removed(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play("add engine3", "deploy")
    assert match.key(0, "remove engine3") == "ERROR"


@rule("R10", "B22", "O7")
def test_seats_deploy_at_the_same_time_and_unseen(gear_name: GearName) -> None:
    """Each hears of its own features only; that a seat has ended its deployment everybody hears."""
    match = new_fight(gear_name)
    assert match.seats_to_act() == [0, 1]
    match.play("add gun", "add cannon")
    assert match.heard(0) == ["you install gun (2 of 10 slots in use)"]
    assert match.heard(1) == ["you install cannon (4 of 10 slots in use)"]

    match.play("add engine1", "deploy")

    assert match.seats_to_act() == [0]
    assert match.heard(0) == ["you install engine1 (4 of 10 slots in use)", "robot 1 ends the deployment"]
    assert [status.deployed for status in match.view(0).seats] == [False, True]


@rule("R10", "O7")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_seats_deploy_in_any_order_each_with_one_message(gear_name: GearName, order: tuple[int, ...]) -> None:
    """The same robots come of it, whoever is first and however many requests a seat makes."""
    match = Match.start(GAME, Options(players=3), seed=1, gear=gear_name)
    lines = ("add gun; add radar1; add engine1; deploy", "deploy", "add cannon; add shield1; add cannon; deploy")
    for seat in order:
        match.submit(seat, lines[seat])
    assert match.view(0).phase == "play"
    assert [robot.parts for robot in match.view(None).robots] == [
        ("engine1", "radar1", "gun"),
        (),
        ("shield1", "cannon"),
    ]


@rule("R10")
def test_the_end_of_a_deployment_is_final(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play("add gun", "deploy")
    assert match.key(1, "add gun") == "ERROR"
    assert match.key(1, "deploy") == "ERROR"


@rule("R4", "B22", "F5")
def test_the_fight_begins_when_all_are_deployed_and_the_first_to_join_begins(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play("deploy", "add gun")
    assert match.view(0).phase == "deployment"
    assert match.key(0, "start") == "ERROR"

    match.play("deploy")

    assert match.told[-1] == "all robots are deployed: the fight begins"
    assert match.view(0).phase == "play"
    assert match.seats_to_act() == [0]
    assert (match.where(0), match.where(1)) == ((0, 0), (9, 9))


@rule("R4")
def test_features_cannot_change_once_the_fight_has_begun(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play("deploy", "deploy")
    assert match.key(0, "add gun") == "ERROR"


@rule("R1")
def test_all_features_are_optional(gear_name: GearName) -> None:
    """A bare hull may take part: it can start and end its turns, and nothing else."""
    match = duel(gear_name, "deployed")
    match.play("start")
    assert match.refused(0, "scan") == ("ERROR", "the robot has no radar and cannot scan")
    assert match.refused(0, "move up") == ("ILLEGAL_MOVE", "the robot has no engine and cannot move")
    assert match.refused(0, "shoot 5 4") == ("ERROR", "the robot has no weapon and cannot shoot")
    assert match.state.legal(0) == [GAME_END]


GAME_END = 2


@rule("B8")
def test_there_are_eleven_features_of_four_kinds_without_options(gear_name: GearName) -> None:
    """The fifth kind, extras, has something in it only where an option puts it there."""
    match = new_fight(gear_name)
    texts = [match.game.spell(match.record, 0, action) for action in match.state.legal(0)]
    assert texts == ["deploy", *(f"add {name}" for name in FEATURE_NAMES[:11])]


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_a_preset_can_be_built_by_the_line_it_is_shown_with(gear_name: GearName, name: str) -> None:
    match = new_fight(gear_name, mines=True)
    for text in preset_line(name).split("; "):
        match.step({0: text, 1: "add gun"})
    assert match.parts(0) == preset_parts(name)
    assert match.view(0).seats[0].deployed
    assert match.view(0).robots[0].slots_used == 10


@rule("O1")
def test_silence_ends_the_deployment_starts_a_turn_and_ends_a_started_one(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play()
    assert match.view(0).phase == "play"
    match.play()
    assert match.view(0).started
    match.play()
    assert match.view(0).turns_ended == 1
