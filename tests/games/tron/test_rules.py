"""Tron's rules, one test each, with the position drawn. `A` is seat 0's cycle, `0` its trail, and so on."""

from __future__ import annotations

import msgspec
import pytest

from tests.games.tron.drawn import TronTable, tron
from tests.support import picture, rule
from turntile.core.errors import InvalidOptions
from turntile.core.gears import GearName, gear
from turntile.games.tron.game import GAME
from turntile.games.tron.options import Options
from turntile.games.tron.words import ACTION_TEXTS

# ------------------------------------------------------------------------- the match


@rule("T-goal")
def test_who_crashes_first_loses(gear_name: GearName) -> None:
    """The cycle that runs into a wall first has lost; the other has won."""
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #....B#
        #######
        #######
        seat 0: up
        seat 1: left
        option survivor_travels_on 0
        """,
    )
    match.play("up", "left")

    assert match.told == ["seat 0 crashed into a wall at (1, 0)"]
    assert match.places() == [2, 1]
    assert GAME.reason(match.record) == "seat 1 outlived all others"


LONE_SURVIVOR = """
    ########
    #A.....#
    #....B.#
    ########
    ########
    seat 0: up
    seat 1: left
    option survivor_travels_on {}
    """


@rule("T-playon", "T1")
def test_the_survivor_travels_on_if_playon_is_false(gear_name: GearName) -> None:
    """Where playon is false the survivor goes on alone; every square still adds a point, and the winner stays."""
    assert GAME.prepare(Options(playon=False)).survivor_travels_on
    match = tron(gear_name, LONE_SURVIVOR.format(1))
    match.play("up", "left")
    assert not match.state.over()
    assert match.seats_to_act() == [1]
    assert match.scores() == [0, 1001]

    match.play("left")
    assert match.scores() == [0, 1002]
    match.play("down")

    assert match.state.over()
    assert match.scores() == [0, 1002]
    assert match.places() == [2, 1]


@rule("T-playon", "T1")
def test_the_match_ends_with_the_last_duel_if_playon_is_true(gear_name: GearName) -> None:
    """Where playon is true nobody travels on alone."""
    assert not GAME.prepare(Options(playon=True)).survivor_travels_on
    match = tron(gear_name, LONE_SURVIVOR.format(0))
    match.play("up", "left")

    assert match.state.over()
    assert match.scores() == [0, 1001]
    assert match.places() == [2, 1]


@rule("T-tie")
def test_dying_in_the_same_turn_is_a_tie(gear_name: GearName) -> None:
    """Both crash in one turn: a tie, wherever they crashed."""
    match = tron(
        gear_name,
        """
        ######
        #A...#
        #...B#
        #....#
        ######
        seat 0: up
        seat 1: right
        """,
    )
    match.play("up", "right")

    assert match.state.over()
    assert match.places() == [1, 1]
    assert match.scores() == [300, 300]
    assert GAME.reason(match.record) == "seat 0 and seat 1 died in the same turn"


@rule("T8")
def test_a_dead_cycle_is_not_asked_and_its_input_is_ignored(gear_name: GearName) -> None:
    """A dead cycle cannot act, and whatever stands in its place changes nothing."""
    drawing = """
        ########
        #......#
        #....B.#
        #......#
        ########
        turn 5
        seat 0: dead in turn 5 at 1,1, up, holding bomb
        seat 1: left
        """
    match, same = tron(gear_name, drawing), tron(gear_name, drawing)
    assert match.seats_to_act() == [1]
    assert match.why_not(0, "left") == "seat 0 crashed in turn 5 and cannot act any more"

    match.state.step([ACTION_TEXTS.index("activate down"), ACTION_TEXTS.index("left")])
    same.state.step([ACTION_TEXTS.index("straight"), ACTION_TEXTS.index("left")])

    assert match.record == same.record
    assert match.where(0) == (1, 1)


@rule("T8")
def test_every_match_ends(gear_name: GearName) -> None:
    """There is no turn limit, and none is needed: cells run out."""
    for seed in range(20):
        state = gear(GAME, gear_name).new(GAME.prepare(Options(board="minefield", players=4)), seed)
        steps = state.playout(seed)
        assert state.over()
        assert steps <= 15 * 15 + 25 * 16


@rule("T10")
def test_three_or_four_race_by_the_same_rules(gear_name: GearName) -> None:
    """The last one alive wins; the order of deaths is the order of places; two who die together share one."""
    match = tron(
        gear_name,
        """
        #########
        #A.....C#
        #.......#
        #...B.D.#
        #.......#
        #########
        seat 0: up
        seat 1: right
        seat 2: down
        seat 3: left
        """,
    )
    assert match.seats_to_act() == [0, 1, 2, 3]
    match.play("up", "right", "down", "left")

    assert match.told == [
        "seat 0 crashed into a wall at (1, 0)",
        "seat 1 crashed into another cycle at (5, 3)",
        "seat 3 crashed into another cycle at (5, 3)",
    ]
    match.play("right")
    match.step({})

    assert match.state.over()
    assert match.places() == [2, 2, 1, 2]
    assert match.scores() == [0, 0, 1001, 0]


@rule("T10")
def test_an_earlier_death_is_a_lower_place(gear_name: GearName) -> None:
    """With three cycles, who dies second is second."""
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #....B#
        #.C...#
        #######
        seat 0: up
        seat 1: up
        seat 2: right
        option survivor_travels_on 0
        """,
    )
    match.play("up", "up", "right")
    assert not match.state.over()
    match.play("up", "right")

    assert match.places() == [3, 2, 1]
    assert match.scores() == [0, 1, 1002]


# ------------------------------------------------------------------------- a turn


@rule("T-update")
def test_every_player_sees_the_board_and_who_holds_what(gear_name: GearName) -> None:
    """Before each turn: the layout of the board, the cycles, and what each of them holds."""
    match = tron(
        gear_name,
        """
        #######
        #0A...#
        #..~#.#
        #....B#
        #######
        seat 0: right, holding bomb
        seat 1: up, invincible 3
        """,
    )
    for seat in range(2):
        view = GAME.view(match.record, seat)
        assert view.board == ("#######", "#00...#", "#..~#.#", "#....1#", "#######")
        assert [(cycle.x, cycle.y, cycle.heading) for cycle in view.cycles] == [(2, 1, "right"), (5, 3, "up")]
        assert [(cycle.held, cycle.invincible) for cycle in view.cycles] == [("bomb", 0), ("", 3)]


@rule("T-turn")
def test_every_living_cycle_moves_one_cell_at_the_same_time(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #.....#
        #....B#
        #######
        seat 0: right
        seat 1: left
        """,
    )
    assert match.seats_to_act() == [0, 1]
    match.play("down", "up")

    assert match.board == picture(
        """
        #######
        #0....#
        #A...B#
        #....1#
        #######
        """
    )
    assert [match.cycle(seat).distance for seat in range(2)] == [1, 1]


@rule("T-silence", "F3")
def test_silence_goes_straight_on(gear_name: GearName) -> None:
    """Who does not answer, or answers too late, keeps its direction."""
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #.....#
        #....B#
        #######
        seat 0: down
        seat 1: left
        """,
    )
    assert GAME.turn_ms == 200
    match.play("right")  # seat 1 says nothing

    assert match.where(1) == (4, 3)
    assert match.heading(1) == "left"


@rule("F4")
@pytest.mark.parametrize(
    ("text", "heading"),
    [("straight", "right"), ("up", "up"), ("down", "down"), ("right", "right"), ("left", "right")],
)
@pytest.mark.parametrize("prefix", ["", "activate "])
def test_a_direction_turns_and_a_reversal_goes_straight_on(
    gear_name: GearName, text: str, heading: str, prefix: str
) -> None:
    """Facing right: up and down turn, left is a reversal. With empty hands `activate` is a plain move."""
    match = tron(
        gear_name,
        """
        #######
        #.....#
        #..A..#
        #....B#
        #######
        seat 0: right
        seat 1: up
        """,
    )
    match.play("activate" if prefix + text == "activate straight" else prefix + text, "up")

    assert match.heading(0) == heading
    assert match.where(0) == {"up": (3, 1), "right": (4, 2), "down": (3, 3)}[heading]
    assert match.told == []


# ------------------------------------------------------------------------- dying


@rule("T-dying", "T3")
@pytest.mark.parametrize(
    ("seat_0_goes", "told"),
    [
        ("up", "seat 0 crashed into a wall at (3, 0)"),
        ("right", "seat 0 crashed into seat 1's trail at (4, 1)"),
        ("left", "seat 0 crashed into its own trail at (2, 1)"),
    ],
)
def test_walls_and_trails_kill(gear_name: GearName, seat_0_goes: str, told: str) -> None:
    match = tron(
        gear_name,
        """
        #######
        #.0A1.#
        #.001.#
        #...B.#
        #######
        seat 0: up
        seat 1: down
        """,
    )
    match.play(seat_0_goes, "right")

    assert match.told == [told]
    assert match.alive() == [False, True]


@rule("T3")
def test_grey_trails_and_those_of_the_dead_kill_too(gear_name: GearName) -> None:
    """All trails are alike: grey, of a dead cycle, of one's own."""
    match = tron(
        gear_name,
        """
        #######
        #.A~..#
        #.....#
        #.B22.#
        #######
        turn 4
        seat 0: right
        seat 1: right
        seat 2: dead in turn 3 at 4,3, right
        """,
    )
    match.play("right", "right")

    assert match.told == [
        "seat 0 crashed into a grey trail at (3, 1)",
        "seat 1 crashed into seat 2's trail at (3, 3)",
    ]


@rule("T3")
def test_the_cell_an_opponent_leaves_in_this_turn_is_trail(gear_name: GearName) -> None:
    """Following right behind another cycle kills: the cell it leaves is trail at once."""
    match = tron(
        gear_name,
        """
        #######
        #.....#
        #.AB..#
        #.....#
        #######
        seat 0: right
        seat 1: right
        """,
    )
    match.play("right", "right")

    assert match.told == ["seat 0 crashed into seat 1's trail at (3, 2)"]
    assert match.alive() == [False, True]


@rule("T3", "T-invincible")
def test_the_invincible_may_follow_onto_the_cell_an_opponent_leaves(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #.....#
        #.AB..#
        #.....#
        #######
        seat 0: right, invincible 2
        seat 1: right
        """,
    )
    match.play("right", "right")

    assert match.told == ["seat 0 severed seat 1's trail at (3, 2)"]
    assert match.board == picture(
        """
        #######
        #.....#
        #.0AB.#
        #.....#
        #######
        """
    )


HEAD_ON = """
    ########
    #......#
    #.A.B..#
    #......#
    ########
    seat 0: right{}
    seat 1: left{}
    """

FACE_TO_FACE = """
    ########
    #......#
    #.AB...#
    #......#
    ########
    seat 0: right{}
    seat 1: left{}
    """


@rule("T2", "T-dying", "T-no-ramming")
@pytest.mark.parametrize("drawing", [HEAD_ON, FACE_TO_FACE])
@pytest.mark.parametrize(("first", "second"), [("", ""), (", invincible 5", ""), (", invincible 5", ", invincible 5")])
def test_the_same_cell_and_an_exchange_of_cells_kill_both(
    gear_name: GearName, drawing: str, first: str, second: str
) -> None:
    """Both die, invincible or not."""
    match = tron(gear_name, drawing.format(first, second))
    match.play("right", "left")

    assert [line.split(" at ")[0] for line in match.told] == [
        "seat 0 crashed into another cycle",
        "seat 1 crashed into another cycle",
    ]
    assert match.alive() == [False, False]
    assert match.scores() == [300, 300]


@rule("F9")
def test_the_fatal_step_is_not_travelled_and_the_last_cell_is_trail(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #00A..#
        #.....#
        #....B#
        #######
        turn 2
        seat 0: right, distance 2
        seat 1: up, distance 2
        """,
    )
    match.play("up", "left")
    assert match.board == picture(
        """
        #######
        #000..#
        #.....#
        #...B1#
        #######
        """
    )
    assert match.cycle(0).distance == 2
    assert match.scores() == [2, 1003]

    match.play("up")
    match.play("left")
    match.play("up")

    assert match.told == ["seat 1 crashed into seat 0's trail at (3, 1)"]


@rule("T7")
def test_nobody_picks_up_on_the_turn_of_his_death(gear_name: GearName) -> None:
    """Two meet on a powerup: it stays where it is."""
    match = tron(
        gear_name,
        """
        #######
        #.....#
        #.ApB.#
        #.....#
        #######
        seat 0: right
        seat 1: left
        """,
    )
    match.play("right", "left")

    assert match.board.splitlines()[2] == "#.0p1.#"
    assert match.scores() == [300, 300]


# ------------------------------------------------------------------------- the board


@rule("T-board", "T9")
def test_cells_are_counted_from_the_top_left(gear_name: GearName) -> None:
    """(0, 0) is the top left cell; x grows to the right, y downwards."""
    match = tron(
        gear_name,
        """
        ######
        #...##
        #A...#
        #...B#
        ######
        seat 0: right
        seat 1: up
        """,
    )
    assert match.where(0) == (1, 2)
    assert match.where(1) == (4, 3)
    match.play("down", "up")
    match.play("down", "up")

    assert match.told == ["seat 0 crashed into a wall at (1, 4)", "seat 1 crashed into a wall at (4, 1)"]


@rule("T-trail")
def test_a_trail_is_where_the_cycle_has_been(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #.....#
        #....B#
        #######
        seat 0: right
        seat 1: left
        """,
    )
    for first, second in [("right", "left"), ("down", "left"), ("down", "up")]:
        match.play(first, second)

    assert match.board == picture(
        """
        #######
        #00...#
        #.0B..#
        #.A111#
        #######
        """
    )


@rule("F2")
@pytest.mark.parametrize("size", [13, 14, 21, 31])
def test_the_two_cycles_start_in_the_middle_row_facing_each_other(gear_name: GearName, size: int) -> None:
    state = gear(GAME, gear_name).new(GAME.prepare(Options(size=size)), 1)
    view = GAME.view(state.record(), None)

    assert (view.width, view.height) == (size, size)
    assert [(c.x, c.y, c.heading) for c in view.cycles] == [
        (3, size // 2, "right"),
        (size - 4, size // 2, "left"),
    ]
    assert set(view.board[0] + view.board[-1]) == {"#"}
    assert {row[0] + row[-1] for row in view.board} == {"##"}


@rule("F2")
def test_a_board_comes_from_a_text(gear_name: GearName) -> None:
    text = picture(
        """
        #########
        #b..#..l#
        #.......#
        #.......#
        #.......#
        #...#...#
        #.......#
        #i..#..p#
        #########
        """
    )
    state = gear(GAME, gear_name).new(GAME.prepare(Options(map=text)), 1)
    shown = list(text.splitlines())
    shown[4] = "#..A.B..#"

    assert "\n".join(shown) == TronTable(GAME, state.record(), gear_name).board


@rule("F2")
@pytest.mark.parametrize("name", ["arena", "gates", "pillars", "minefield", "ring"])
def test_boards_come_by_name(gear_name: GearName, name: str) -> None:
    """Named boards are point-symmetric, so that no seat is better off."""
    options = msgspec.convert({"board": name, "players": 4}, Options)
    state = gear(GAME, gear_name).new(GAME.prepare(options), 1)
    view = GAME.view(state.record(), None)
    board = "".join(view.board).translate(str.maketrans("0123", "...."))

    assert board == board[::-1]


@rule("F2", "T-random")
def test_random_boards_are_point_symmetric_and_clear_around_the_starts(gear_name: GearName) -> None:
    """Drawn from the seed: the same for the same seed, walls and powerups in mirrored pairs."""
    boards = set()
    for seed in range(40):
        state = gear(GAME, gear_name).new(GAME.prepare(Options(size=21, players=4)), seed)
        again = gear(GAME, gear_name).new(GAME.prepare(Options(size=21, players=4)), seed)
        assert state.to_bytes() == again.to_bytes()
        view = GAME.view(state.record(), None)
        drawn = "".join(view.board).translate(str.maketrans("0123", "...."))
        assert drawn == drawn[::-1]
        assert all(drawn[10 * 21 + x] == "." for x in (1, 2, 3, 4, 5))
        boards.add(drawn)
    assert len(boards) == 40


@rule("T-starts")
def test_the_third_and_fourth_start_at_top_and_bottom(gear_name: GearName) -> None:
    state = gear(GAME, gear_name).new(GAME.prepare(Options(board="gates", players=4)), 1)
    view = GAME.view(state.record(), None)

    assert [(c.x, c.y, c.heading) for c in view.cycles[2:]] == [(11, 3, "down"), (11, 19, "up")]


@rule("T-starts")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (Options(size=7), "seats 0 and 1 would both start in row 3, column 3"),
        (Options(size=8, players=4), "seats 1 and 3 would both start in row 4, column 4"),
        (
            Options(map="#########\n" + "#.......#\n" * 3 + "#..b....#\n" + "#.......#\n" * 3 + "#########"),
            "'b' is there",
        ),
    ],
)
def test_starts_must_be_empty_cells_of_their_own(gear_name: GearName, options: Options, sentence: str) -> None:
    with pytest.raises(InvalidOptions, match=sentence):
        gear(GAME, gear_name).new(GAME.prepare(options), 1)


# ------------------------------------------------------------------------- powerups


@rule("T-box", "T6")
def test_what_a_powerup_holds_is_seen_only_when_it_is_picked_up(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #Ai...#
        #.....#
        #..b.B#
        #######
        seat 0: right
        seat 1: up
        """,
    )
    for seat in range(2):
        assert GAME.view(match.record, seat).board == ("#######", "#0?...#", "#.....#", "#..?.1#", "#######")
    assert GAME.view(match.record, None).board[1] == "#0i...#"
    match.play("right", "up")

    assert match.heard(1) == ["seat 0 picked up invincibility at (2, 1)"]
    assert GAME.view(match.record, 1).cycles[0].held == "invincibility"


@rule("T-once")
def test_powerups_do_not_come_back(gear_name: GearName) -> None:
    """Where one was picked up there is trail; when a bomb has removed that, nothing is left to be picked up."""
    match = tron(
        gear_name,
        """
        #########
        #.......#
        #Ab.....#
        #.......#
        #......B#
        #########
        seat 0: right
        seat 1: up
        """,
    )
    match.play("right", "up")
    match.play("up", "up")
    match.play("right", "up")
    match.play("down", "left")
    match.play("activate left", "left")

    assert match.where(0) == (2, 2)  # where the bomb had been
    assert match.told == ["seat 0 activated bomb", "seat 0's bomb exploded at (3, 2), facing down"]
    assert match.holds(0) == "nothing"


@rule("T-bomb", "F6")
@pytest.mark.parametrize(
    ("facing", "left", "top"),
    [("right", 6, 4), ("left", 2, 4), ("up", 4, 2), ("down", 4, 6)],
)
def test_a_bomb_clears_five_by_five_beginning_in_its_own_row(
    gear_name: GearName, facing: str, left: int, top: int
) -> None:
    """Everybody's trails, grey too; four rows ahead and the cycle's own, two cells to either side."""
    match = tron(
        gear_name,
        f"""
        ##############
        #00000~000001#
        #00000~000001#
        #00000~000001#
        #00000~000001#
        #00000~000001#
        #00000A000001#
        #00000~000001#
        #00000~000001#
        #00000~000001#
        #00000~000001#
        #00000~000001#
        #11111111111B#
        ##############
        seat 0: {facing}, holding bomb
        seat 1: left
        """,
    )
    match.play("activate", "straight")
    cleared = {(x, y) for y, row in enumerate(match.board.splitlines()) for x, drawn in enumerate(row) if drawn in ".A"}
    step = {"right": (7, 6), "left": (5, 6), "up": (6, 5), "down": (6, 7)}[facing]

    # The cell under the cycle is spared; it has become trail by moving on.
    assert cleared == {(x, y) for x in range(left, left + 5) for y in range(top, top + 5)} - {(6, 6)}
    assert match.where(0) == step
    assert match.told[:2] == ["seat 0 activated bomb", f"seat 0's bomb exploded at (6, 6), facing {facing}"]


@rule("F6")
def test_a_blast_spares_walls_powerups_and_what_cycles_stand_on(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #########
        #.......#
        #.1#1i1.#
        #.A1B0l.#
        #.~~~~~.#
        #########
        seat 0: right, holding bomb
        seat 1: right
        """,
    )
    match.play("activate up", "up")

    assert match.board == picture(
        """
        #########
        #.......#
        #.A#Bi..#
        #.0.1.l.#
        #.......#
        #########
        """
    )


@rule("F5")
def test_activation_acts_from_the_old_cell_with_the_old_heading_before_anyone_moves(gear_name: GearName) -> None:
    """Facing right and turning up: the blast goes right, and the way that it frees is free at once."""
    match = tron(
        gear_name,
        """
        ########
        #......#
        #..1111#
        #.A1...#
        #..1...#
        #B.1...#
        ########
        seat 0: right, holding bomb
        seat 1: up
        """,
    )
    match.play("activate right", "up")

    assert match.alive() == [True, True]
    assert match.board == picture(
        """
        ########
        #......#
        #......#
        #.0A...#
        #B.....#
        #1.....#
        ########
        """
    )
    assert match.holds(0) == "nothing"


@rule("F5")
def test_all_bombs_act_before_any_move(gear_name: GearName) -> None:
    """Seat 1's bomb frees the cell that seat 0 enters in the same turn."""
    match = tron(
        gear_name,
        """
        #########
        #.......#
        #A0...B.#
        #.......#
        #########
        seat 0: right
        seat 1: left, holding bomb
        """,
    )
    match.play("right", "activate up")

    assert match.alive() == [True, True]
    assert match.board.splitlines()[2] == "#0A...1.#"


@rule("F7")
def test_a_landmine_explodes_from_the_new_cell_in_the_new_heading(gear_name: GearName) -> None:
    """Seat 0 turns up onto the landmine: the square lies above, and its first row is the landmine's."""
    match = tron(
        gear_name,
        """
        #########
        #1111111#
        #1111111#
        #1111111#
        #1111111#
        #111l111#
        #111A111#
        #.......#
        #......B#
        #########
        seat 0: right
        seat 1: left
        """,
    )
    match.play("up", "left")

    assert match.told == [
        "seat 0 picked up landmine at (4, 5)",
        "seat 0's landmine exploded at (4, 5), facing up",
    ]
    assert match.board == picture(
        """
        #########
        #1.....1#
        #1.....1#
        #1.....1#
        #1.....1#
        #1..A..1#
        #1110111#
        #.......#
        #.....B1#
        #########
        """
    )


@rule("T4")
@pytest.mark.parametrize(
    ("mine", "row"),
    [
        ("#.Al..B..#", "#.0A.B1..#"),  # seat 0's landmine: seat 1 comes later, the cell it left is spared
        ("#.Bl..A..#", "#.1B.A...#"),  # seat 1's landmine: seat 0 came earlier, the cell it left is trail and goes
    ],
)
def test_landmines_go_off_when_all_have_moved_in_seat_order(gear_name: GearName, mine: str, row: str) -> None:
    """The cell a later seat leaves in this turn becomes trail after an earlier seat's landmine."""
    right, left = ("0", "1") if "Al" in mine else ("1", "0")
    match = tron(
        gear_name,
        f"""
        ##########
        #........#
        {mine}
        #........#
        ##########
        seat {right}: right
        seat {left}: left
        """,
    )
    match.step({int(right): "right", int(left): "left"})

    assert match.board.splitlines()[2] == row


@rule("T4")
def test_two_landmines_of_one_turn_go_off_in_seat_order(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        ##########
        #Al......#
        #........#
        #......lB#
        ##########
        seat 0: right
        seat 1: left
        """,
    )
    match.play("right", "left")

    assert match.told == [
        "seat 0 picked up landmine at (2, 1)",
        "seat 1 picked up landmine at (7, 3)",
        "seat 0's landmine exploded at (2, 1), facing right",
        "seat 1's landmine exploded at (7, 3), facing left",
    ]


CORRIDOR = """
    #################
    #A11111111111...#
    #...............#
    #B..............#
    #################
    seat 0: right, holding invincibility
    seat 1: right
    """


@rule("T-invincible", "F8")
def test_invincibility_covers_ten_moves_the_activating_one_included(gear_name: GearName) -> None:
    """Ten trail cells are crossed; the eleventh kills."""
    match = tron(gear_name, CORRIDOR)
    match.play("activate", "right")
    assert match.cycle(0).invincible == 9
    for _ in range(9):
        match.play("right", "right")
    assert match.alive() == [True, True]
    assert match.where(0) == (11, 1)
    assert match.cycle(0).invincible == 0

    match.play("right", "right")

    assert match.told == ["seat 0 crashed into a grey trail at (12, 1)"]


@rule("F8")
def test_activating_again_sets_the_count_to_ten_again(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #.....#
        #....B#
        #######
        seat 0: right, holding invincibility, invincible 4
        seat 1: left
        """,
    )
    match.play("activate", "left")

    assert match.cycle(0).invincible == 9
    assert match.holds(0) == "nothing"


@rule("T-invincible", "T3")
def test_the_invincible_die_at_walls(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #A....#
        #.....#
        #....B#
        #######
        seat 0: up, invincible 9
        seat 1: left
        """,
    )
    match.play("up", "left")

    assert match.told == ["seat 0 crashed into a wall at (1, 0)"]


CROSSING = """
    #########
    #...A...#
    #111111B#
    #.......#
    #.......#
    #########
    turn 7
    seat 0: down, invincible 3
    seat 1: right, distance 6
    trail 1: 2,2=1 3,2=2 4,2=3 5,2=4 6,2=5 7,2=6
    """


@rule("T-sever", "T5")
def test_crossing_a_trail_turns_it_grey_back_to_its_start(gear_name: GearName) -> None:
    """The part on the cycle's side keeps its colour; the crossed cell now carries the crosser's trail."""
    match = tron(gear_name, CROSSING)
    match.play("down", "down")

    assert match.told == ["seat 0 severed seat 1's trail at (4, 2)"]
    assert match.board == picture(
        """
        #########
        #...0...#
        #~~~A111#
        #......B#
        #.......#
        #########
        """
    )


@rule("T5")
def test_grey_stays_an_obstacle_and_can_be_bombed(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        ########
        #.A....#
        #.~~~..#
        #.....B#
        ########
        seat 0: down, holding bomb
        seat 1: left
        """,
    )
    blocked = tron(gear_name, GAME.write_position(match.record))
    blocked.play("down", "left")
    assert blocked.told == ["seat 0 crashed into a grey trail at (2, 2)"]

    match.play("activate", "left")

    assert match.board.splitlines()[2] == "#.A....#"


@rule("T-sever")
def test_one_can_sever_ones_own_trail(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        ########
        #00....#
        #.0....#
        #A0...B#
        ########
        turn 5
        seat 0: left, invincible 3, distance 4
        seat 1: up
        trail 0: 2,1=1 2,2=2 2,3=3 1,3=4
        """,
    )
    match.play("up", "up")
    match.play("right", "up")

    assert match.told == ["seat 0 severed its own trail at (2, 2)"]
    assert match.board == picture(
        """
        ########
        #~~...B#
        #0A...1#
        #00...1#
        ########
        """
    )


@rule("T-bonus", "F1")
def test_bonus_points_give_200_at_once(gear_name: GearName) -> None:
    """200 in all: the 50 for collecting are not added."""
    match = tron(
        gear_name,
        """
        #######
        #Ap...#
        #.....#
        #....B#
        #######
        seat 0: right, holding bomb
        seat 1: left
        """,
    )
    match.play("right", "left")

    assert match.scores() == [201, 1]


@rule("T-exchange")
@pytest.mark.parametrize(
    ("found", "holds"),
    [("b", "bomb"), ("i", "invincibility"), ("l", "invincibility"), ("p", "invincibility")],
)
def test_a_bomb_or_invincibility_replaces_what_is_held_others_do_not(
    gear_name: GearName, found: str, holds: str
) -> None:
    match = tron(
        gear_name,
        f"""
        #######
        #A{found}...#
        #.....#
        #....B#
        #######
        seat 0: right, holding invincibility
        seat 1: left
        """,
    )
    match.play("right", "left")

    assert match.holds(0) == holds


# ------------------------------------------------------------------------- points


@rule("F1")
@pytest.mark.parametrize(("found", "points"), [("b", 50), ("l", 50), ("i", 50), ("p", 200)])
def test_points_for_the_result_the_squares_and_the_powerups(gear_name: GearName, found: str, points: int) -> None:
    match = tron(
        gear_name,
        f"""
        #######
        #A{found}...#
        #.....#
        #....B#
        #######
        seat 0: right
        seat 1: right
        option survivor_travels_on 0
        """,
    )
    match.play("right", "right")

    assert match.scores() == [1000 + 1 + points, 0]


@rule("F1")
def test_all_points_are_options(gear_name: GearName) -> None:
    match = tron(
        gear_name,
        """
        #######
        #Ab...#
        #.....#
        #....B#
        #######
        seat 0: right
        seat 1: right
        option win_points 5
        option loss_points 3
        option square_points 7
        option powerup_points 11
        """,
    )
    match.play("right", "right")
    assert match.scores() == [5 + 7 + 11, 3]

    prepared = GAME.prepare(
        Options(win_points=1, tie_points=2, loss_points=3, square_points=4, powerup_points=5, bonus_points=6)
    )
    points = (prepared.win_points, prepared.tie_points, prepared.loss_points)
    assert (*points, prepared.square_points, prepared.powerup_points, prepared.bonus_points) == (1, 2, 3, 4, 5, 6)
