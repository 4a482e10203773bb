"""Radar: areas, what a scan tells, what a seat knows."""

from __future__ import annotations

import pytest

from tests.games.robots.drawn import duel, fight, new_fight
from tests.support import rule
from turntile.core.gears import GearName

FIELD = """
    ..........
    ..........
    ..........
    ....#.....
    .....0....
    ......1...
    ..........
    ..........
    ..........
    ..........
    play, turn of 0, started, moves 2, ended 7 of 200
    robot 0: engine1 radar1
    robot 1: gun
    """


@rule("F2", "B16")
@pytest.mark.parametrize(("radar", "low", "high"), [("radar1", -1, 1), ("radar2", -3, 2), ("radar3", -6, 5)])
def test_a_scan_covers_a_square_around_the_robot(gear_name: GearName, radar: str, low: int, high: int) -> None:
    """Three cells a side are -1 to +1, six -3 to +2, twelve -6 to +5."""
    match = duel(gear_name, radar)
    match.say("start", "scan")
    seen = {(x - 5, y - 5) for y, row in enumerate(match.view(0).seen) for x, sign in enumerate(row) if sign != "?"}
    span = [d for d in range(low, high + 1) if 0 <= d + 5 < 10]
    assert seen == {(dx, dy) for dx in span for dy in span}


@rule("B17", "F3", "B2")
def test_a_scan_tells_empty_cells_obstacles_and_robots_and_the_own_robot_as_such(gear_name: GearName) -> None:
    match = fight(gear_name, FIELD)
    match.play("scan")
    assert [row[4:7] for row in match.view(0).seen[3:6]] == ["#..", ".@.", "..o"]
    assert match.heard(0) == ["you scan 3 x 3 cells: a robot at (6, 5), 1 obstacle"]
    assert match.heard(1) == []


@rule("B17", "F3", "B3")
def test_a_scan_tells_how_much_of_its_area_lies_outside(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    match.play("add radar1", "deploy")
    match.play("deploy")
    match.say("start", "scan")
    assert match.heard(0) == ["you scan 3 x 3 cells: no other robot, 5 cells outside"]


@rule("B18", "R18")
def test_each_cell_is_kept_as_last_seen_with_the_turns_ended_then(gear_name: GearName) -> None:
    match = fight(gear_name, FIELD)
    match.say("scan", "move left", "scan", "end", "start", "end", "start", "move left", "scan")
    view = match.view(0)
    assert view.seen[5][6] == "o"
    assert view.seen_turns[5][6] == 7
    assert view.seen_turns[4][2] == 9
    assert (view.seen[3][4], view.seen_turns[3][4]) == ("#", 9)
    assert view.seen[4][4] == "."
    assert view.seen_turns[4][5] == 7
    assert view.seen_turns[0][0] == -1
    assert view.seen[0][0] == "?"


@rule("R18")
def test_bumps_and_hits_add_nothing_to_what_a_seat_knows(gear_name: GearName) -> None:
    match = fight(gear_name, FIELD.replace("engine1 radar1", "engine1 radar1 gun").replace("....#.....", ".....#...."))
    before = match.view(0).seen
    match.refused(0, "move up")
    match.play("shoot 6 5")
    assert match.heard(0) == ["you shoot at (6, 5): a robot is hit"]
    assert match.view(0).seen == before


@rule("R18")
def test_a_scan_does_not_tell_which_robot_it_found(gear_name: GearName) -> None:
    """Two different robots in the same place look the same."""
    views = []
    for other, absent in ((1, 2), (2, 1)):
        rows = [*FIELD.replace("......1...", f"......{other}...").splitlines(), "    robot 2: gun"]
        rows[10] = f"    .........{absent}"
        match = fight(gear_name, "\n".join(rows))
        match.play("scan")
        views.append((match.view(0), match.heard(0)))
    assert views[0] == views[1]


@rule("R1", "R19")
def test_without_a_radar_there_is_no_scan(gear_name: GearName) -> None:
    match = duel(gear_name, "gun")
    match.play("start")
    assert match.key(0, "scan") == "ERROR"
