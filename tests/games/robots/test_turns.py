"""Turns: start and end, moving, the round, the limit, the end."""

from __future__ import annotations

import pytest

from tests.games.robots.drawn import duel, fight, new_fight
from tests.support import rule
from turntile.core.gears import GearName, gear
from turntile.games.robots.game import GAME
from turntile.games.robots.rules import remove


@rule("B24", "R2", "R3", "R19")
@pytest.mark.parametrize("text", ["scan", "move up", "shoot 5 4", "end"])
def test_nothing_goes_before_the_start(gear_name: GearName, text: str) -> None:
    match = duel(gear_name, "engine1 radar1 gun")
    assert match.refused(0, text) == ("ERROR", "your turn has not been started: say start first")
    match.play("start")
    match.play(text)


@rule("B24", "R2", "R19")
def test_a_turn_is_started_once(gear_name: GearName) -> None:
    match = duel(gear_name, "engine1")
    match.play("start")
    assert match.key(0, "start") == "ERROR"


@rule("B24", "R2", "R11", "R19")
@pytest.mark.parametrize("text", ["start", "scan", "move up", "shoot 5 4", "end"])
def test_nothing_goes_after_the_end(gear_name: GearName, text: str) -> None:
    match = duel(gear_name, "engine1 radar1 gun")
    match.say("start", "end")
    assert match.refused(0, text) == ("NOT_YOUR_TURN", "it is not your turn: robot 1 is to act")


@rule("B25", "R2", "B18")
def test_scans_moves_and_the_shot_come_in_any_order(gear_name: GearName) -> None:
    """Moves need not follow each other, and scans are not counted."""
    match = duel(gear_name, "engine1 radar2 gun")
    match.say("start", "shoot 5 4", "scan", "move up", "scan", "scan", "move up", "scan", "end")
    assert match.where(0) == (5, 3)
    match = duel(gear_name, "engine1 radar2 gun")
    match.say("start", "move up", "scan", "shoot 5 3", "move up", "end")
    assert match.where(0) == (5, 3)


@rule("B10", "B9", "R11", "R19")
@pytest.mark.parametrize(("engine", "moves"), [("engine1", 2), ("engine2", 4), ("engine3", 6)])
def test_the_engine_gives_the_steps_of_a_turn(gear_name: GearName, engine: str, moves: int) -> None:
    match = duel(gear_name, engine)
    match.play("start")
    for _ in range(moves // 2):
        match.say("move up", "move down")
    key, sentence = match.refused(0, "move up")
    assert (key, sentence) == ("ILLEGAL_MOVE", "no moves are left in this turn: the next start gives new ones")


@rule("R11")
def test_what_is_left_of_moves_and_shot_lapses(gear_name: GearName) -> None:
    match = duel(gear_name, "engine1 gun")
    match.say("start", "end", "start", "end", "start", "move up", "move up")
    assert match.key(0, "move up") == "ILLEGAL_MOVE"
    match.say("shoot 5 4")
    assert match.key(0, "shoot 5 4") == "ERROR"


@rule("B11", "R9")
@pytest.mark.parametrize(("direction", "cell"), [("up", (5, 4)), ("right", (6, 5)), ("down", (5, 6)), ("left", (4, 5))])
def test_robots_move_in_four_directions(gear_name: GearName, direction: str, cell: tuple[int, int]) -> None:
    match = duel(gear_name, "engine1")
    match.say("start", f"move {direction}")
    assert match.where(0) == cell
    assert match.heard(0) == [f"you move {direction} to ({cell[0]}, {cell[1]})"]
    assert match.heard(1) == []


@rule("B11", "R19")
@pytest.mark.parametrize("direction", ["up-right", "diagonally", "", "2"])
def test_there_is_no_other_direction(gear_name: GearName, direction: str) -> None:
    match = duel(gear_name, "engine1")
    match.play("start")
    key, sentence = match.refused(0, f"move {direction}")
    assert key == "ILLEGAL_MOVE"
    assert "is no direction" in sentence


CORNERED = """
    0#........
    1.........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    play, turn of 0, started, moves 2
    robot 0: engine1
    robot 1: gun
    """


@rule("B2", "B12", "B13", "B15", "R12", "R3", "R19")
def test_robots_move_over_neither_obstacles_nor_robots_and_are_not_told_which(gear_name: GearName) -> None:
    """Both answers are the same, and the step is not spent."""
    match = fight(gear_name, CORNERED)
    into_obstacle = match.refused(0, "move right")
    into_robot = match.refused(0, "move down")
    assert into_obstacle == into_robot == ("ILLEGAL_MOVE", "something is in the way: choose another direction")
    assert match.view(0).robots[0].moves_left == 2


@rule("B3", "B14", "B15", "R19")
@pytest.mark.parametrize("direction", ["up", "left"])
def test_robots_do_not_leave_the_grid(gear_name: GearName, direction: str) -> None:
    match = fight(gear_name, CORNERED)
    key, sentence = match.refused(0, f"move {direction}")
    assert (key, sentence) == ("OUT_OF_BOUNDS", "the wall around the grid is in the way: choose another direction")


@rule("R12", "R19")
@pytest.mark.parametrize("direction", ["up", "right", "down", "left"])
def test_who_has_no_moves_left_learns_nothing_of_what_is_in_the_way(gear_name: GearName, direction: str) -> None:
    """The wall, an obstacle and a robot around it, and the answer is the same: no moves are left."""
    match = fight(gear_name, CORNERED.replace("moves 2", "moves 0"))
    key, sentence = match.refused(0, f"move {direction}")
    assert (key, sentence) == ("ILLEGAL_MOVE", "no moves are left in this turn: the next start gives new ones")


@rule("R12")
def test_a_move_is_one_step(gear_name: GearName) -> None:
    match = duel(gear_name, "engine3")
    match.say("start", "move up")
    assert match.where(0) == (5, 4)
    assert match.key(0, "move up 2") == "ILLEGAL_MOVE"


THREE = """
    0........2
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    .........1
    play, turn of 0, ended 9 of 200
    robot 0: radar1
    robot 1: gun
    robot 2: gun
    """


@rule("R11")
def test_turns_go_round_in_joining_order(gear_name: GearName) -> None:
    match = fight(gear_name, THREE)
    order = []
    for _ in range(4):
        order += match.seats_to_act()
        match.say("start", "end")
    assert order == [0, 1, 2, 0]


@rule("R11")
def test_destroyed_robots_are_passed_over(gear_name: GearName) -> None:
    drawing = THREE.replace(".........1", "..........")
    match = fight(gear_name, drawing.replace("robot 1: gun", "robot 1: destroyed, gun"))
    match.say("start", "end")
    assert match.seats_to_act() == [2]
    assert match.refused(1, "start") == (
        "NOT_YOUR_TURN",
        "your robot is destroyed: only the status can still be asked for",
    )


@rule("R8", "R16", "O2")
def test_the_limit_counts_the_ended_turns_of_all_and_ends_in_a_draw(gear_name: GearName) -> None:
    match = fight(gear_name, THREE.replace("ended 9 of 200", "ended 198 of 200"))
    match.say("start", "end", "start")
    assert not match.state.over()
    match.play("end")
    assert match.state.over()
    assert match.told == ["robot 1 ends the turn (200 of 200)", "the turn limit is reached: a draw"]
    assert match.places() == [1, 1, 1]
    assert [match.state.score(seat) for seat in range(3)] == [1, 1, 1]
    assert GAME.reason(match.record) == "the limit of 200 turns was reached"


@rule("R8")
def test_the_limit_is_two_hundred_turns_by_default(gear_name: GearName) -> None:
    assert new_fight(gear_name).view(0).turn_limit == 200


@rule("R16", "O2")
def test_a_win_in_the_last_turn_is_a_win(gear_name: GearName) -> None:
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
        ..........
        play, turn of 0, ended 4 of 5
        robot 0: gun
        robot 1: gun, hp 3
        """,
    )
    match.say("start", "shoot 4 5")
    assert match.places() == [1, 2]
    assert [match.state.score(seat) for seat in range(2)] == [2, 0]


@rule("R20")
def test_nothing_in_the_fight_is_random(gear_name: GearName) -> None:
    """Whatever is requested, the dice lie as they did before."""
    match = new_fight(gear_name, seed=5)
    match.play("add gun", "add engine1")
    match.play("add radar3", "deploy")
    match.play("deploy")
    dice = match.record.dice.copy()
    match.say("start", "scan", "shoot 1 1", "end", "start", "move up", "end")
    assert match.record.dice == dice


@rule("R20")
def test_a_seat_that_is_removed_is_destroyed_and_its_turn_ends(gear_name: GearName) -> None:
    match = fight(gear_name, THREE)
    match.play("start")
    record = match.record
    remove(record, 0)
    after = gear(GAME, gear_name).load(record)
    assert not record.robots[0].alive
    assert (record.ended, after.to_act()) == (10, 0b010)

    remove(record, 2)

    assert record.ended == 10
    assert gear(GAME, gear_name).load(record).place(1) == 1


@rule("R20")
def test_a_seat_removed_in_deployment_is_not_waited_for(gear_name: GearName) -> None:
    match = new_fight(gear_name, players=3)
    match.play("deploy", "add gun", "deploy")
    record = match.record
    remove(record, 1)
    after = gear(GAME, gear_name).load(record)
    assert GAME.view(record, 0).phase == "play"
    assert after.to_act() == 0b001
