"""The rulebook's further ideas: more robots, teams, messages, mines."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.games.robots.drawn import Fight, duel, fight, new_fight
from tests.support import rule
from turntile.core.errors import InvalidAction
from turntile.core.gears import GearName
from turntile.games.robots.game import GAME
from turntile.games.robots.ground import is_start
from turntile.games.robots.options import Options
from turntile.games.robots.records import MESSAGE_SENT, OBSTACLE, SAY, Robots, area, next_cell
from turntile.games.robots.words import message_of
from turntile.match.match import Match

# ------------------------------------------------------------------------- more robots


@rule("B26", "X1", "X4", "F5")
@pytest.mark.parametrize(("width", "height"), [(10, 10), (50, 31)])
def test_eight_robots_start_at_the_corners_and_the_middles_of_the_sides(
    gear_name: GearName, width: int, height: int
) -> None:
    match = new_fight(gear_name, players=8, width=width, height=height)
    assert [match.where(seat) for seat in range(8)] == [
        (0, 0),
        (width - 1, height - 1),
        (width - 1, 0),
        (0, height - 1),
        (width // 2, 0),
        (width - 1 - width // 2, height - 1),
        (0, height // 2),
        (width - 1, height - 1 - height // 2),
    ]


@rule("R7")
def test_the_standard_map_has_six_obstacles(gear_name: GearName) -> None:
    match = new_fight(gear_name)
    assert [cell for cell in range(100) if match.record.cells[cell] == OBSTACLE] == [13, 23, 33, 66, 76, 86]
    assert not any(new_fight(gear_name, map="empty").record.cells[:100])


def connected(s: Robots, start: int) -> set[int]:
    reached = {start}
    queue = [start]
    for cell in queue:
        for direction in range(4):
            there = next_cell(s, cell, direction)
            if there >= 0 and there not in reached and s.cells[there] != OBSTACLE:
                reached.add(there)
                queue.append(there)
    return reached


@rule("R7", "X4")
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("width", "height"), [(10, 10), (23, 14)])
def test_random_obstacles_leave_all_starts_free_and_connected(
    gear_name: GearName, seed: int, width: int, height: int
) -> None:
    """At most one cell in six is an obstacle, and the same seed draws the same map."""
    match = new_fight(gear_name, seed=seed, players=8, width=width, height=height, map="random")
    record = match.record
    obstacles = {cell for cell in range(area(record)) if record.cells[cell] == OBSTACLE}
    assert 0 < len(obstacles) <= area(record) // 6
    assert not any(is_start(record, cell) for cell in obstacles)
    reached = connected(record, 0)
    assert all(record.robots[seat].cell in reached for seat in range(8))
    again = new_fight(gear_name, seed=seed, players=8, width=width, height=height, map="random")
    assert again.record == record


FOUR = """
    0........2
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    31........
    play, turn of 3, started, moves 2
    robot 0: gun
    robot 1: gun, hp 3
    robot 2: gun
    robot 3: engine1 gun
    """


@rule("X1", "O2")
def test_the_last_robot_alive_wins(gear_name: GearName) -> None:
    """All others lose alike, whenever they fell."""
    match = fight(
        gear_name,
        FOUR.replace("0........2", "..........")
        .replace("robot 0: gun", "robot 0: destroyed")
        .replace("robot 2: gun", "robot 2: destroyed"),
    )
    match.play("shoot 1 9")
    assert match.places() == [2, 2, 2, 1]
    assert GAME.reason(match.record) == "only robot 3 is left"


TEAMS = """
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    31.......2
    play, turn of 3, started
    teams 2
    robot 0: destroyed, team {}
    robot 1: gun, hp 3, team {}
    robot 2: gun, team {}
    robot 3: gun, team 1
    """


@rule("X5")
def test_the_last_team_alive_wins_with_its_destroyed_members(gear_name: GearName) -> None:
    match = fight(gear_name, TEAMS.format(1, 0, 1))
    match.play("shoot 1 9")
    assert match.told[-1] == "team 1 has won"
    assert match.places() == [1, 2, 1, 1]
    assert GAME.reason(match.record) == "only team 1 has robots left (2)"


@rule("X5", "O5")
def test_robots_are_dealt_to_teams_in_turn(gear_name: GearName) -> None:
    match = new_fight(gear_name, players=5, teams=2)
    assert [status.team for status in match.view(3).seats] == [0, 1, 0, 1, 0]


@rule("X5")
def test_a_shot_hurts_the_own_team_too(gear_name: GearName) -> None:
    match = fight(gear_name, TEAMS.format(0, 1, 0))
    match.play("shoot 1 9")
    assert not match.robot(1).alive
    assert not match.state.over()


@rule("X5", "X3", "R18")
def test_a_team_shares_neither_sightings_nor_mines(gear_name: GearName) -> None:
    """What a robot scans and lays, its mate neither hears nor sees."""
    match = fight(gear_name, TEAMS.format(0, 1, 0).replace("3: gun", "3: radar1 mines") + "    mines on\n    ")
    mate = match.view(1)
    for text in ("scan", "mine"):
        match.play(text)
        assert match.heard(1) == []
        assert match.view(1) == mate
    assert match.view(3).seen[9][1] == "o"
    assert match.view(3).robots[0].mines == ((0, 9),)


# ------------------------------------------------------------------------- nothing of what is off


@rule("X8")
def test_nothing_of_an_option_that_is_off_can_be_seen(gear_name: GearName) -> None:
    """Not in the requests, the views or the scenes."""
    match = new_fight(gear_name)
    everything = ""
    for texts in ("add gun, add radar2", "deploy, deploy", "start", "shoot 1 1", "end", "start", "scan"):
        match.play(*texts.split(", "))
        for seat in (None, 0, 1):
            legal = [GAME.spell(match.record, seat, a) for a in match.state.legal(seat)] if seat is not None else []
            view = match.view(seat)
            everything += msgspec.json.encode((view, GAME.scene(view, legal), legal)).decode()
    for word in ("mine", "message", "team", "say"):
        assert word not in everything


@rule("X8", "R19")
@pytest.mark.parametrize("text", ["mine", "say all hello", "say 1 hello", "say team hello", "add mines"])
def test_a_request_of_an_option_that_is_off_is_no_request(gear_name: GearName, text: str) -> None:
    match = duel(gear_name, "gun")
    match.play("start")
    key, sentence = match.refused(0, text)
    assert key == "ERROR"
    assert "mine" not in sentence.replace(repr(text), "").replace("'mines'", "")
    assert "say all" not in sentence.replace(repr(text), "")


@rule("X8")
@pytest.mark.parametrize(
    ("options", "requests"),
    [({"mines": True}, ["add mines"]), ({"messages": True}, []), ({"players": 3}, [])],
)
def test_each_option_is_switched_on_by_itself(
    gear_name: GearName, options: dict[str, Any], requests: list[str]
) -> None:
    match = new_fight(gear_name, **options)
    record = match.record
    assert (record.mining, record.messaging, record.players) == (
        "mines" in options,
        "messages" in options,
        options.get("players", 2),
    )
    texts = [GAME.spell(record, 0, action) for action in match.state.legal(0)]
    assert [text for text in texts if text == "add mines"] == requests


@rule("X8", "O5", "B1")
def test_without_more_robots_there_are_two_on_ten_by_ten_cells(gear_name: GearName) -> None:
    view = new_fight(gear_name).view(0)
    assert (len(view.seats), view.width, view.height, view.teams) == (2, 10, 10, 0)
    wide = new_fight(gear_name, players=3, width=30).view(0)
    assert (len(wide.seats), wide.width, wide.height) == (3, 30, 10)


# ------------------------------------------------------------------------- messages

TALKERS = FOUR + "    teams 2\n    messages on\n    "


def talk(gear_name: GearName, turn_of: int = 3) -> Fight:
    """Robots 0 and 2 are team 0, 1 and 3 team 1; it is the turn of robot 3."""
    drawing = TALKERS.replace("robot 1: gun, hp 3", "robot 1: gun, hp 3, team 1").replace(
        "robot 3: engine1 gun", "robot 3: engine1 gun, team 1"
    )
    return fight(gear_name, drawing)


@rule("X2", "X6", "O6")
@pytest.mark.parametrize(
    ("text", "hearers", "address"),
    [
        ("say all we meet at (3, 3)", [0, 1, 2], "all"),
        ("say 2 truce?", [2], "2"),
        ("say team go left", [1], "team"),
    ],
)
def test_a_message_reaches_those_addressed_and_nobody_else(
    gear_name: GearName, text: str, hearers: list[int], address: str
) -> None:
    """Sender, address and turn stand in the status of the addressed; the rules never see the text."""
    match = talk(gear_name)
    match.play(text)
    for seat in range(4):
        known = [(m.number, m.sender, m.address, m.turn) for m in match.view(seat).messages]
        assert known == ([(1, 3, address, 0)] if seat in (*hearers, 3) else [])
        assert bool(match.heard(seat)) == (seat in (*hearers, 3))
    assert match.told[0].startswith("robot 3 sends a message to ")


@rule("X2", "X6", "R19")
def test_there_is_one_message_a_turn_and_it_costs_nothing(gear_name: GearName) -> None:
    match = talk(gear_name)
    match.play("say all hello")
    assert match.refused(3, "say 1 hello") == (
        "ERROR",
        "this turn's message is sent: the next start gives a new one",
    )
    robot = match.view(3).robots[0]
    assert (robot.moves_left, robot.shot_used) == (2, False)
    for _ in range(4):
        match.say("end", "start")
    match.play("say all again")
    assert [m.turn for m in match.view(0).messages] == [0, 4]


@rule("X6")
def test_destroyed_robots_hear_nothing_new_but_keep_what_they_heard(gear_name: GearName) -> None:
    match = talk(gear_name)
    match.say("say 1 sorry", "shoot 1 9")
    assert not match.robot(1).alive
    for _ in range(3):
        match.say("end", "start")
    assert match.seats_to_act() == [3]
    assert match.refused(3, "say 1 hello") == (
        "ERROR",
        "nobody living is addressed: choose another living robot",
    )
    assert match.key(3, "say team hello") == "ERROR"
    match.play("say all hello")
    assert len(match.view(1).messages) == 1
    assert len(match.view(0).messages) == 1


@rule("X6", "R19")
def test_one_cannot_write_to_oneself_nor_to_a_robot_that_there_is_not(gear_name: GearName) -> None:
    match = talk(gear_name)
    assert match.key(3, "say 3 hello") == "ERROR"
    assert match.refused(3, "say 4 hello") == ("PLAYER_NOT_EXISTS", "there is no robot 4: they are 0 to 3")
    assert match.key(3, "say 99999 hello") == "PLAYER_NOT_EXISTS"
    assert match.key(3, "say -1 hello") == "PLAYER_NOT_EXISTS"
    assert match.key(3, f"say {'9' * 5000} hello") == "PLAYER_NOT_EXISTS"
    assert match.key(3, "say nobody hello") == "ERROR"


@rule("X6", "R19")
def test_messages_are_sent_in_the_own_started_turn(gear_name: GearName) -> None:
    match = talk(gear_name)
    assert match.key(0, "say all hello") == "NOT_YOUR_TURN"
    match.play("end")
    assert match.refused(0, "say all hello") == ("ERROR", "your turn has not been started: say start first")


@rule("X6", "R19", "O8")
@pytest.mark.parametrize(
    "text",
    ["say all " + "x" * 101, "say all a\x07b", "say all a\u0000", "say all a\tb", "say 2 a\u2028b", "say 1 \x1b[31m"],
)
def test_a_message_that_is_too_long_or_has_control_characters_is_refused(gear_name: GearName, text: str) -> None:
    match = talk(gear_name)
    key, sentence = match.refused(3, text)
    assert key == "ERROR"
    assert "too long" in sentence or "control character" in sentence
    with pytest.raises(InvalidAction):
        message_of(text)
    assert match.why_not(3, "say all " + "é" * 100) == ""


@rule("X6", "R19")
@pytest.mark.parametrize(
    "text", ["say all", "say all   ", "say\tall", "say all\thello", "say\tall\thello", "say all \x1c"]
)
def test_a_message_without_a_text_or_begun_by_a_control_character_is_refused(gear_name: GearName, text: str) -> None:
    """Whatever stands between the words of the request: no empty message gets through."""
    assert talk(gear_name).key(3, text) == "ERROR"


@rule("X6", "R19")
def test_a_bad_text_is_the_last_reason(gear_name: GearName) -> None:
    match = talk(gear_name)
    assert match.key(3, "say 7 a\x07b") == "PLAYER_NOT_EXISTS"
    assert match.key(0, "say all a\x07b") == "NOT_YOUR_TURN"


@rule("X2", "X6", "R19")
def test_a_sent_message_is_found_out_before_the_address_is_looked_at(gear_name: GearName) -> None:
    match = talk(gear_name)
    match.play("say all hello")
    assert match.key(3, "say 7 hello") == "ERROR"
    assert match.state.why_illegal(3, SAY + 7) == MESSAGE_SENT


@rule("X2", "O8")
def test_only_teams_can_be_addressed_as_such(gear_name: GearName) -> None:
    match = fight(gear_name, FOUR + "    messages on\n    ")
    key, sentence = match.refused(3, "say team hello")
    assert key == "ERROR"
    assert "team" not in sentence.replace("'team'", "")


@rule("X6", "O6")
def test_the_text_of_a_message_reaches_those_addressed_and_nobody_else(gear_name: GearName) -> None:
    """It travels beside the request: a match hands it on with the event, semicolons and all."""
    match = Match.start(GAME, Options(players=3, messages=True), seed=1, gear=gear_name)
    for seat in range(3):
        match.submit(seat, "deploy")
    match.submit(0, "start")
    (step,) = match.submit(0, "say 2 Meet me; at (3, 3)")
    assert match.heard(step, 2) == ["robot 0 sends a message to you: Meet me; at (3, 3)"]
    assert match.heard(step, 1) == []
    assert "Meet" not in GAME.write_position(match.record)


@rule("O6")
def test_as_many_messages_as_turns_are_kept(gear_name: GearName) -> None:
    """A message in every turn of the longest match there can be."""
    match = new_fight(gear_name, messages=True, turn_limit=2000)
    match.play("deploy", "deploy")
    state = match.state
    start, say_all, end = 0, 9, 2
    while not state.over():
        seat = state.to_act().bit_length() - 1
        for action in (start, say_all, end):
            actions = [0, 0]
            actions[seat] = action
            state.step(actions)
    assert len(match.view(0).messages) == 2000
    assert match.view(1).messages[-1].turn == 1999


# ------------------------------------------------------------------------- mines


def minefield(
    gear_name: GearName, zero: str = "engine1 gun mines", one: str = "engine2 radar1", lines: str = ""
) -> Fight:
    return fight(
        gear_name,
        f"""
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
        robot 0: {zero}
        robot 1: {one}
        robot 2: gun
        mines on
        {lines}
        """,
    )


@rule("X3", "X7")
def test_mines_are_an_extra_of_two_slots_with_three_mines(gear_name: GearName) -> None:
    match = new_fight(gear_name, mines=True)
    match.play("add mines", "deploy")
    robot = match.view(0).robots[0]
    assert (robot.parts, robot.slots_used, robot.mines_left) == (("mines",), 2, 3)


@rule("X3", "X7", "R19")
def test_laying_a_mine_costs_the_shot(gear_name: GearName) -> None:
    """Only its owner hears of it and sees it in its status."""
    match = minefield(gear_name)
    match.play("mine")
    assert match.heard(0) == ["you lay a mine at (5, 5)"]
    assert match.heard(1) == []
    assert match.view(0).robots[0].mines == ((5, 5),)
    assert match.view(0).robots[0].mines_left == 2
    assert match.view(1).robots[0].mines == ()
    assert match.key(0, "shoot 4 5") == "ERROR"
    assert match.refused(0, "mine") == ("ERROR", "this turn's shot is used: the next start gives a new one")


@rule("X7")
def test_a_mine_needs_no_loaded_cannon_and_leaves_the_loading_alone(gear_name: GearName) -> None:
    match = minefield(gear_name, "engine1 cannon mines, loading 1")
    match.play("mine")
    assert match.robot(0).loading == 1
    match = minefield(gear_name, "engine1 mines")
    match.play("mine")


@rule("X7", "R19")
def test_who_has_shot_cannot_lay_a_mine(gear_name: GearName) -> None:
    match = minefield(gear_name)
    match.play("shoot 4 5")
    assert match.key(0, "mine") == "ERROR"


@rule("X7", "R19")
def test_there_is_one_mine_a_cell_and_staying_is_not_entering(gear_name: GearName) -> None:
    match = minefield(gear_name)
    match.play("mine")
    for _ in range(3):
        match.say("end", "start")
    assert match.refused(0, "mine") == ("ERROR", "there is a mine on this cell already: move on first")
    assert match.hp(0) == 10


@rule("X3", "R19")
def test_mines_run_out_and_need_the_extra(gear_name: GearName) -> None:
    assert minefield(gear_name, "engine1 gun mines, mines 0").refused(0, "mine") == ("ERROR", "all mines are laid")
    assert minefield(gear_name, "engine1 gun").refused(0, "mine") == ("ERROR", "the robot carries no mines")


@rule("X3", "X7")
def test_a_mine_goes_off_once_under_the_next_robot_to_enter(gear_name: GearName) -> None:
    """The step is spent, the mover is told, and a survivor goes on; the owner sees that the mine is gone."""
    match = minefield(gear_name)
    match.say("mine", "move up", "end", "start", "move right")
    assert match.heard(1) == ["you move right to (5, 5)", "a mine goes off under you at (5, 5): 6 HP left"]
    assert match.heard(0) == []
    assert match.hp(1) == 6
    assert match.view(1).robots[0].moves_left == 3
    assert match.view(0).robots[0].mines == ()
    match.say("move down", "move up")
    assert match.hp(1) == 6


@rule("X7", "X5")
def test_a_mine_spares_neither_its_owner_nor_the_team(gear_name: GearName) -> None:
    match = minefield(gear_name)
    match.say("mine", "move up", "move down")
    assert match.hp(0) == 6
    team = minefield(gear_name, "engine1 gun mines, team 1", "engine2 radar1, team 1", "teams 2")
    team.say("mine", "move up", "end", "start", "move right")
    assert team.hp(1) == 6


@rule("X7", "R11")
def test_the_turn_of_a_robot_destroyed_by_a_mine_ends_and_counts(gear_name: GearName) -> None:
    match = minefield(gear_name, one="engine2, hp 4")
    match.say("mine", "move up", "end", "start", "move right")
    assert match.told[-2:] == ["robot 1 is destroyed", "robot 1 ends the turn (2 of 200)"]
    assert match.seats_to_act() == [2]
    assert match.view(0).turns_ended == 2


@rule("X7", "R15", "R16")
def test_a_mine_that_leaves_one_robot_ends_the_match_with_a_win(gear_name: GearName) -> None:
    """Also in the last turn, which counts as ended."""
    match = minefield(gear_name, one="engine2, hp 4")
    drawing = GAME.write_position(match.record).replace(".........2", "..........")
    drawing = drawing.replace("robot 2: gun, hp 10, deployed", "robot 2: destroyed")
    match = fight(gear_name, drawing.replace("ended 0 of 200", "ended 0 of 2"))
    match.say("mine", "move up", "end", "start", "move right")
    assert match.places() == [1, 2, 2]
    assert match.view(0).turns_ended == 2


@rule("X7", "F6")
def test_shots_leave_mines_alone_and_mines_outlive_their_owner(gear_name: GearName) -> None:
    match = minefield(gear_name, "engine1 gun mines, hp 3", "engine2 gun", "mine 5 4 of 0")
    match.say("end", "start", "shoot 5 4")
    assert match.told == ["robot 1 shoots at (5, 4): no hit"]
    assert match.view(0).robots[0].mines == ((5, 4),)
    match.say("move up", "move right")
    assert match.hp(1) == 6
    match = minefield(gear_name, "engine1 gun mines, hp 3", "engine2 gun", "mine 5 4 of 0")
    match.say("end", "start", "shoot 5 5", "move up", "move right")
    assert not match.robot(0).alive
    assert match.hp(1) == 6


@rule("X3", "X7", "B17")
def test_a_scan_shows_a_mine_beside_whatever_stands_there_but_not_whose_it_is(gear_name: GearName) -> None:
    match = minefield(gear_name, lines="mine 3 5 of 2")
    match.say("mine", "end", "start", "scan")
    view = match.view(1)
    assert view.seen[5][5] == "o"
    assert [sighting.cell for sighting in view.seen_mines] == [(3, 5), (5, 5)]
    assert match.heard(1) == ["you scan 3 x 3 cells: a robot at (5, 5), a mine at (3, 5), a mine at (5, 5)"]


def test_options_switch_what_they_say() -> None:
    made = GAME.prepare(Options(players=4, teams=2, messages=True, mines=True, width=12))
    assert (made.players, made.teams, made.messaging, made.mining, made.width) == (4, 2, True, True, 12)
