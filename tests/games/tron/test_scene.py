"""Tron as a picture: trails in one piece, keys for everybody at one keyboard, only useful choices."""

from __future__ import annotations

import pytest

from tests.support import picture
from turntile.core.scene import Scene
from turntile.games.tron.game import GAME
from turntile.games.tron.words import ACTION_TEXTS

WINDING = """
    ########
    #.000..#
    #.0.0..#
    #...A..#
    #1B....#
    ########
    turn 6
    seat 0: down, holding bomb
    seat 1: right
    trail 0: 2,1=1 3,1=2 4,1=3 4,2=4 4,3=5
    trail 1: 2,4=6
    """


def scene_of(drawing: str, seat: int | None = 0) -> Scene:
    record = GAME.read_position(picture(drawing))
    return GAME.scene(GAME.view(record, seat), ACTION_TEXTS if seat is not None else ())


def test_a_trail_is_drawn_in_one_piece() -> None:
    """Straight pieces and corners by where the trail came from and goes on; turns count in eighths."""
    pieces = {(s.x, s.y): (s.look, s.turn) for s in scene_of(WINDING).sprites if s.id.startswith("trail-")}

    assert pieces == {
        (2, 2): ("trail0-end", 0),  # it begins there and goes up
        (2, 1): ("trail0-corner", 2),  # right and down
        (3, 1): ("trail0-straight", 2),
        (4, 1): ("trail0-corner", 4),  # down and left
        (4, 2): ("trail0-straight", 0),
        (4, 3): ("trail0-end", 0),  # under the cycle
        (1, 4): ("trail1-dot", 0),  # what lay between has been bombed away
        (2, 4): ("trail1-dot", 0),
    }


def test_the_same_cell_is_drawn_as_each_board_has_it() -> None:
    """Pieces are remembered; another seat's trail, or one that goes another way, is another piece."""
    other_way = WINDING.replace("3,1=2 4,1=3", "3,1=3 4,1=2")
    first, second, again = (
        {(s.x, s.y): (s.look, s.seat) for s in scene_of(drawing).sprites if s.id.startswith("trail-")}
        for drawing in (WINDING, other_way, WINDING)
    )

    assert first == again
    assert (first[3, 1], second[3, 1]) == (("trail0-straight", 0), ("trail0-end", 0))
    assert (first[2, 1], second[2, 1]) == (("trail0-corner", 0), ("trail0-end", 0))


def test_of_a_trail_that_is_gone_nothing_is_drawn() -> None:
    scene = scene_of(
        """
        #####
        #A..#
        #..~#
        #...#
        #####
        turn 9
        seat 0: down
        seat 1: dead in turn 8 at 3,2, right
        """
    )

    assert [sprite.look for sprite in scene.sprites] == ["grey", "trail0-dot", "cycle0", "wreck"]


def test_cycles_face_their_heading_and_wrecks_lie_where_they_died() -> None:
    scene = scene_of(
        """
        #######
        #A....#
        #...1.#
        #....C#
        #######
        turn 9
        seat 0: down
        seat 1: dead in turn 8 at 4,2, right
        seat 2: left, invincible 3
        """
    )
    by_id = {sprite.id: sprite for sprite in scene.sprites}

    assert (by_id["cycle-0"].look, by_id["cycle-0"].turn) == ("cycle0", 4)
    assert (by_id["cycle-2"].look, by_id["cycle-2"].turn) == ("cycle2", 6)
    assert (by_id["cycle-1"].look, by_id["cycle-1"].x, by_id["cycle-1"].y) == ("wreck", 4, 2)
    assert by_id["shield-2"].look == "shield"
    assert [(mark.x, mark.y, mark.why) for mark in scene.marks if mark.kind == "last"] == [
        (5, 2, "seat 1 crashed in turn 8")
    ]


def test_a_powerup_is_a_box_with_a_question_mark_except_to_the_judge() -> None:
    drawing = WINDING.replace("#.000..#", "#.000.l#")

    assert "powerup" in {sprite.look for sprite in scene_of(drawing, 0).sprites}
    assert "landmine" not in {sprite.look for sprite in scene_of(drawing, 0).sprites}
    assert "landmine" in {sprite.look for sprite in scene_of(drawing, None).sprites}


def test_choices_leave_out_the_reversal_and_point_at_cells() -> None:
    scene = scene_of(WINDING)
    ways = {choice.action: (choice.key, choice.cell) for choice in scene.choices if choice.cell}

    assert ways == {"right": ("right", (5, 3)), "down": ("down", (4, 4)), "left": ("left", (3, 3))}
    assert "straight" in {choice.action for choice in scene.choices}


def test_activation_is_offered_only_with_something_in_hand() -> None:
    holding = {choice.action for choice in scene_of(WINDING, 0).choices}
    empty_handed = {choice.action for choice in scene_of(WINDING, 1).choices}

    assert {"activate", "activate left", "activate down", "activate right"} <= holding
    assert not any(action.startswith("activate") for action in empty_handed)


def test_four_people_can_share_one_keyboard() -> None:
    """No key means something to two seats."""
    drawing = """
        #########
        #A......#
        #......B#
        #C......#
        #......D#
        #########
        seat 0: right, holding bomb
        seat 1: left, holding bomb
        seat 2: right, holding bomb
        seat 3: left, holding bomb
        """
    keys = [choice.key for seat in range(4) for choice in scene_of(drawing, seat).choices if choice.key]

    assert len(keys) == 4 * 4  # three ways and the powerup
    assert len(set(keys)) == len(keys)


def test_dangers_and_the_bombs_range_are_marked() -> None:
    scene = scene_of(WINDING.replace("#...A..#", "#..#A1.#"))
    danger = {(mark.x, mark.y): mark.why for mark in scene.marks if mark.kind == "danger"}

    assert danger == {(3, 3): "wall", (5, 3): "trail"}
    assert {(mark.x, mark.y) for mark in scene.marks if mark.kind == "reachable"} == {(4, 4)}


@pytest.mark.parametrize("heading", ["up", "right", "down", "left"])
def test_the_marked_range_is_what_the_bomb_clears(heading: str) -> None:
    full = "#" + "0" * 11 + "#"
    rows = ["#" * 13, *[full] * 5, "#00000A00000#", *[full] * 4, "#B0000000000#", "#" * 13]
    drawing = "\n".join([*rows, f"seat 0: {heading}, holding bomb", "seat 1: up"])
    record = GAME.read_position(drawing)
    scene = GAME.scene(GAME.view(record, 0), ACTION_TEXTS)
    marked = {(mark.x, mark.y) for mark in scene.marks if mark.kind == "range"}
    GAME.rules.explode(record, 0, GAME.rules.BOMB)
    view = GAME.view(record, 0)
    cleared = {(x, y) for y, row in enumerate(view.board) for x, drawn in enumerate(row) if drawn == "."}

    assert marked == cleared | {(6, 6)}  # under the cycle itself nothing is cleared


def test_looks_of_seats_differ_in_shape_as_well_as_colour() -> None:
    """Without colours the glyphs still tell the seats apart."""
    looks = GAME.looks.looks
    for piece in ("cycle{}", "trail{}-straight", "trail{}-corner"):
        shapes = {(looks[piece.format(seat)].turned, looks[piece.format(seat)].ascii) for seat in range(4)}
        assert len(shapes) == 4
        assert len({looks[piece.format(seat)].turned for seat in range(4)}) == 4
