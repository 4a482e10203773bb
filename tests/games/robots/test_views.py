"""What a seat receives: the status, its sightings, and nothing that it cannot know."""

from __future__ import annotations

import msgspec
import pytest

from tests.games.robots.drawn import Fight, duel, fight, new_fight
from tests.games.robots.wandering import OPTIONS, wander
from tests.support import rule
from turntile.core.game import Told
from turntile.core.gears import GearName, State, gear
from turntile.games.robots.game import GAME
from turntile.games.robots.options import Options
from turntile.games.robots.records import (
    CAPACITY,
    OBSTACLE,
    Robots,
    area,
    distance,
    full_hp,
    map_at,
    slots_used,
    start_cell,
)
from turntile.games.robots.rules import remove


@rule("R6", "R17", "B23")
def test_the_status_shows_the_match_every_seat_and_the_own_robot(gear_name: GearName) -> None:
    match = duel(gear_name, "engine1 radar1 gun, hp 7", "radar1 gun, hp 4")
    match.say("start", "move up")
    view = match.view(0)
    assert (view.phase, view.turn_of, view.started, view.turns_ended, view.turn_limit) == ("play", 0, True, 4, 200)
    assert [(status.deployed, status.alive) for status in view.seats] == [(True, True), (True, True)]
    (mine,) = view.robots
    assert (mine.seat, mine.cell, mine.hp, mine.full_hp, mine.moves_left) == (0, (5, 4), 7, 10, 1)
    assert mine.parts == ("engine1", "radar1", "gun")


@rule("R6", "R17")
def test_the_status_never_shows_what_a_radar_would_have_to_find(gear_name: GearName) -> None:
    """Not others' HP, features or positions, nor obstacles; the same before, in and after the fight."""
    match = new_fight(gear_name)
    for texts in (("add gun", "add cannon"), ("deploy", "deploy"), ("start",)):
        view = match.view(0)
        assert [robot.seat for robot in view.robots] == [0]
        assert set("".join(view.seen)) == {"?"}
        match.play(*texts)
    sent = msgspec.json.encode(match.view(0)).decode()
    assert "cannon" not in sent


@rule("R6", "R17")
def test_the_status_shows_no_more_when_the_match_is_over(gear_name: GearName) -> None:
    """Winner and loser see the result, and still nothing of the other."""
    match = fight(gear_name, SEEN_ONE.format("empty", "").replace("radar1 gun, turns 4", "cannon, turns 4, hp 3"))
    match.play("shoot 3 5")
    for seat, parts in ((0, ("engine1", "radar2", "gun")), (1, ("engine1", "cannon"))):
        view = match.view(seat)
        assert (view.phase, view.result, view.turn_of, view.started) == ("over", "robot 0", -1, False)
        assert [(robot.seat, robot.parts) for robot in view.robots] == [(seat, parts)]
        assert set("".join(view.seen)) == {"?"}


@rule("R17")
def test_a_seat_sees_nothing_of_what_is_left_of_the_turn_of_another(gear_name: GearName) -> None:
    """Moves left, a used shot and a sent message are those of who is at turn."""
    match = duel(gear_name, "engine1 gun", "engine1 gun", "messages on")
    match.play("start")
    waiting = match.view(1), match.state.observe(1)
    match.say("move up", "shoot 4 4")
    assert (match.view(1), match.state.observe(1)) == waiting
    robot = waiting[0].robots[0]
    assert (robot.moves_left, robot.shot_used, robot.message_sent) == (0, False, False)
    match.play("say 1 hello")
    assert not match.view(1).robots[0].message_sent


@rule("R17")
def test_a_destroyed_robot_sees_the_same_as_before(gear_name: GearName) -> None:
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
        play, turn of 0, started
        robot 0: gun
        robot 1: radar1 gun, hp 3
        robot 2: gun
        """,
    )
    before = match.view(1)
    match.play("shoot 4 5")
    after = match.view(1)
    assert (before.seen, len(before.robots)) == (after.seen, len(after.robots))
    assert after.robots[0].cell is None
    assert not after.seats[1].alive


@rule("R17")
def test_the_judge_sees_all(gear_name: GearName) -> None:
    match = duel(gear_name, "gun", "cannon", "mines on\nmine 2 2 of 1")
    view = match.view(None)
    assert [robot.parts for robot in view.robots] == [("gun",), ("cannon",)]
    assert [sighting.cell for sighting in view.seen_mines] == [(2, 2)]
    assert new_fight(gear_name).view(None).seen[1][3] == "#"


# ------------------------------------------------------------------------- pairs that look alike


def received(state: State, seat: int) -> tuple[object, ...]:
    """All that a seat gets of a state."""
    record = state.record()
    legal = state.legal(seat)
    texts = [GAME.spell(record, seat, action) for action in legal]
    view = GAME.view(record, seat)
    return view, GAME.scene(view, texts), state.observe(seat), legal, texts


def heard(state: State, seat: int) -> list[tuple[Told, str]]:
    events = [Told(*event) for event in state.events()]
    return [(event, GAME.narrate(state.record(), event, seat)) for event in events if event.heard_by(seat)]


@rule("R17", "R18", "O3")
@pytest.mark.parametrize("options", OPTIONS)
def test_states_that_differ_in_what_a_seat_cannot_know_are_alike_to_it(gear_name: GearName, options: Options) -> None:
    """View, scene, planes and requests are the same in every redealt state."""
    for state in wander(gear_name, options, seed=3, steps=160, every=8):
        for seat in range(state.seats()):
            here = received(state, seat)
            for seed in (1, 2):
                assert received(state.redeal(seat, seed), seat) == here


@rule("O3")
@pytest.mark.parametrize("options", OPTIONS)
def test_states_that_look_alike_are_redealt_alike(gear_name: GearName, options: Options) -> None:
    """The truth is no help: from a redealt state the same seed leads to the same redealt state."""
    for state in wander(gear_name, options, seed=4, steps=160, every=11):
        for seat in range(state.seats()):
            imagined = state.redeal(seat, 1)
            assert imagined.redeal(seat, 2).to_bytes() == state.redeal(seat, 2).to_bytes()


@rule("R13", "R17")
@pytest.mark.parametrize("options", OPTIONS)
def test_others_hear_the_same_of_a_request_in_states_that_look_alike(gear_name: GearName, options: Options) -> None:
    """While another acts, a seat hears only what is public or concerns itself."""
    for state in wander(gear_name, options, seed=5, steps=160, every=9):
        bits = state.to_act()
        for seat in range(state.seats()):
            if bits >> seat & 1 or not bits:
                continue
            for action in (0, 1, 2):
                one, other = state.clone(), state.redeal(seat, 9)
                acting = bits.bit_length() - 1
                if one.why_illegal(acting, action) == 0 == other.why_illegal(acting, action) and bits == 1 << acting:
                    actions = [action] * state.seats()
                    one.step(actions)
                    other.step(actions)
                    assert heard(one, seat) == heard(other, seat)


# ------------------------------------------------------------------------- what is imagined can be


def check_imagined(truth: Robots, imagined: Robots, seat: int) -> None:
    """O3: robots somebody could have built, where they can be, and the seat's own things untouched."""
    assert imagined.robots[seat] == truth.robots[seat]
    own = slice(map_at(truth, seat), map_at(truth, seat) + area(truth))
    assert imagined.cells[own] == truth.cells[own]
    cells = [robot.cell for robot in imagined.robots[: truth.players] if robot.alive]
    assert len(set(cells)) == len(cells)
    for other in range(truth.players):
        robot = imagined.robots[other]
        assert robot.alive == truth.robots[other].alive
        assert slots_used(robot) <= CAPACITY
        assert robot.hp == 0 if not robot.alive else 1 <= robot.hp <= full_hp(robot)
        if robot.alive and other != seat:
            assert imagined.cells[robot.cell] != OBSTACLE
            if truth.phase > 0:
                steps = 2 * robot.parts[0] * robot.turns
                assert distance(truth, start_cell(truth, other), robot.cell) <= steps
    GAME.read_position(GAME.write_position(imagined))  # no position that breaks a rule


@rule("O3")
@pytest.mark.parametrize("options", OPTIONS)
def test_an_imagined_state_could_be_the_true_one(gear_name: GearName, options: Options) -> None:
    for state in wander(gear_name, options, seed=6, steps=160, every=9):
        truth = state.record()
        for seat in range(state.seats()):
            check_imagined(truth, state.redeal(seat, 11).record(), seat)


SEEN_ONE = """
    ..........
    ..........
    ..........
    ..........
    ..........
    ...1.0....
    ..........
    ..........
    ..........
    ..........
    play, turn of 0, started, moves 2, ended 8 of 200
    map {}
    robot 0: engine1 radar2 gun, turns 5{}
    robot 1: engine1 radar1 gun, turns 4
    """


def imagined_cells(match: Fight, seat: int = 0, other: int = 1, times: int = 60) -> set[tuple[int, int]]:
    found = set()
    for seed in range(times):
        record = match.state.redeal(seat, seed).record()
        cell = record.robots[other].cell
        found.add((cell % record.width, cell // record.width))
    return found


@rule("O3")
def test_a_robot_seen_in_this_turn_stays_where_it_is(gear_name: GearName) -> None:
    match = fight(gear_name, SEEN_ONE.format("empty", ""))
    assert len(imagined_cells(match)) > 20
    match.play("scan")
    assert imagined_cells(match) == {(3, 5)}
    match.play("move up")
    assert imagined_cells(match) == {(3, 5)}


@rule("O3")
def test_a_robot_is_not_where_a_scan_or_a_shot_of_this_turn_found_none(gear_name: GearName) -> None:
    match = fight(gear_name, SEEN_ONE.format("empty", "").replace("...1.0....", ".....0...1"))
    match.say("scan", "shoot 4 4")
    cells = imagined_cells(match)
    assert cells and not any(2 <= x <= 7 and 2 <= y <= 7 for x, y in cells)
    blind = fight(gear_name, SEEN_ONE.format("empty", "").replace("...1.0....", ".....0...1"))
    blind.play("shoot 4 4")
    assert (4, 4) not in imagined_cells(blind, times=300)


@rule("O3")
def test_a_robot_that_was_hit_in_this_turn_is_there(gear_name: GearName) -> None:
    match = fight(gear_name, SEEN_ONE.format("empty", ""))
    match.play("shoot 3 5")
    assert imagined_cells(match) == {(3, 5)}


@rule("O3", "R12")
def test_what_blocks_a_step_is_there_in_every_imagined_state(gear_name: GearName) -> None:
    """On a fixed map it can only be a robot; on a random one never looked at, an obstacle as well."""
    fixed = fight(gear_name, SEEN_ONE.format("empty", "").replace("...1.0....", "....10...."))
    assert imagined_cells(fixed) == {(4, 5)}
    drawn = fight(gear_name, SEEN_ONE.format("random", "").replace("...1.0....", "....10...."))
    cells = imagined_cells(drawn)
    assert (4, 5) in cells and len(cells) > 5
    for seed in range(20):
        assert drawn.state.redeal(0, seed).legal(0) == drawn.state.legal(0)


@rule("O3")
def test_a_robot_seen_earlier_is_within_reach_of_where_it_was(gear_name: GearName) -> None:
    match = fight(gear_name, SEEN_ONE.format("empty", ""))
    match.say("scan", "end", "start", "end", "start")
    cells = imagined_cells(match, times=200)
    assert len(cells) > 10
    assert all(abs(x - 3) + abs(y - 5) <= 6 for x, y in cells)


@rule("O3")
def test_hp_fit_the_damage_dealt_and_weapons_the_damage_felt(gear_name: GearName) -> None:
    match = fight(gear_name, SEEN_ONE.format("empty", ", dealt 11, felt cannon"))
    for seed in range(40):
        robot = match.state.redeal(0, seed).record().robots[1]
        assert robot.hp == full_hp(robot) - 11 > 0
        assert robot.parts[3] == 2


@rule("O3", "X6")
def test_messages_to_others_are_not_imagined(gear_name: GearName) -> None:
    match = new_fight(gear_name, players=3, messages=True)
    match.play("deploy", "deploy", "deploy")
    match.say("start", "say 1 secret", "end", "start", "say all hello")
    assert match.state.redeal(2, 5).record().messages == 1
    assert match.state.redeal(1, 5).record().messages == 2


@rule("O3", "X7")
def test_others_mines_are_imagined_only_where_the_seat_does_not_look(gear_name: GearName) -> None:
    lines = ", mines 1\n    mines on\n    mine 4 5 of 1\n    mine 0 0 of 0\n"
    drawing = SEEN_ONE.format("empty", "").replace("engine1 radar1 gun, turns 4", "engine1 gun mines, turns 4" + lines)
    match = fight(gear_name, drawing.replace("engine1 radar2 gun, turns 5", "engine1 radar1 gun mines, turns 5"))
    match.play("scan")
    places = set()
    for seed in range(80):
        record = match.state.redeal(0, seed).record()
        mines = {cell: record.cells[cell] for cell in range(100) if record.cells[cell] > OBSTACLE}
        assert mines[54] == 3
        assert mines[0] == 2
        places |= set(mines)
        assert not {44, 45, 46, 55, 56, 64, 65, 66} & set(mines)
    assert len(places) > 10


def test_a_removed_robot_is_redealt_too(gear_name: GearName) -> None:
    record = new_fight(gear_name, players=3).record
    remove(record, 2)
    state = gear(GAME, gear_name).load(record)
    assert state.redeal(0, 1).record().robots[2].hp == 0
