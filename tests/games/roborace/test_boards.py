"""Halls as XML and as text, what is refused, the five of our own and the made ones."""

from __future__ import annotations

import msgspec
import pytest

from tests.support import picture, rule
from turntile.core.errors import InvalidOptions
from turntile.games.roborace.board_text import MAX_TEXT, read_board, read_text, write_text
from turntile.games.roborace.board_xml import MAX_XML, read_xml, write_xml
from turntile.games.roborace.boards import (
    Decoration,
    Hall,
    InvalidBoard,
    Start,
    Wall,
    hall_of,
    lay_hall,
    starts_without_way,
)
from turntile.games.roborace.generator import make_hall
from turntile.games.roborace.halls import BOARDS
from turntile.games.roborace.options import Options, prepare
from turntile.games.roborace.records import BELT, FLOOR, GEAR_LEFT, GEAR_RIGHT, GOAL, PIT, RoboRace

DRAWN = picture(
    """
    +----+----+----+
    |a.1   >    *  |
    +    +----+    +
    |b(  | o    )2
    +----+----+----+
    a: crusher 2 4
    b: pusher south 1 3 5
    start 1: east
    start 2: north
    """
)
HALL = Hall(
    width=3,
    height=2,
    tiles=(FLOOR, BELT + 1, GOAL, GEAR_LEFT, PIT, GEAR_RIGHT),
    decorations=(Decoration(0, 0, "crusher", (2, 4)), Decoration(0, 1, "pusher", (1, 3, 5), "south")),
    starts=(Start(0, 0, "east"), Start(2, 1, "north")),
    walls=(
        Wall(0, 0, "north"),
        Wall(0, 0, "west"),
        Wall(0, 1, "west"),
        Wall(0, 2, "north"),
        Wall(1, 0, "north"),
        Wall(1, 1, "north"),
        Wall(1, 1, "west"),
        Wall(1, 2, "north"),
        Wall(2, 0, "north"),
        Wall(2, 2, "north"),
        Wall(3, 0, "west"),
    ),
)
XML = """<Factory xSize="3" ySize="2" maxPlayers="2" numDecorations="2" numWalls="11">
<TileFloor/>
<TileBelt direction="East"/>
<TileGoal/>
<TileGear clockwise="false"/>
<TilePit/>
<TileGear clockwise="true"/>
<DecorationCrusher x="0" y="0" phase1="2" phase2="4"/>
<DecorationPusher x="0" y="1" direction="South" phase1="1" phase2="3" phase3="5"/>
<StartConfig x="0" y="0" direction="East"/>
<StartConfig x="2" y="1" direction="North"/>
<Wall x="0" y="0" isHorizontal="true"/>
<Wall x="0" y="0" isHorizontal="false"/>
<Wall x="0" y="1" isHorizontal="false"/>
<Wall x="0" y="2" isHorizontal="true"/>
<Wall x="1" y="0" isHorizontal="true"/>
<Wall x="1" y="1" isHorizontal="true"/>
<Wall x="1" y="1" isHorizontal="false"/>
<Wall x="1" y="2" isHorizontal="true"/>
<Wall x="2" y="0" isHorizontal="true"/>
<Wall x="2" y="2" isHorizontal="true"/>
<Wall x="3" y="0" isHorizontal="false"/>
</Factory>
"""


@rule("F9", "F2")
def test_a_board_file_is_read_and_written() -> None:
    """Tiles row by row, decorations, starts and walls, the far borders included."""
    assert read_xml(XML) == HALL
    assert write_xml(HALL) == XML


@rule("RR-elements")
def test_our_own_form_shows_the_same_hall() -> None:
    """A tile and perhaps a decoration on each space."""
    assert read_text(DRAWN) == HALL
    assert read_text(write_text(HALL)) == HALL
    assert read_board("\n" + XML) == read_board("# a note\n" + DRAWN) == HALL


def test_a_record_holds_the_whole_hall() -> None:
    s = RoboRace()
    lay_hall(s, HALL)

    assert hall_of(s) == HALL


def changed(old: str, new: str) -> str:
    assert old in XML
    return XML.replace(old, new, 1)


@rule("R6", "RR-refused", "F9")
@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (changed("<TileFloor/>", "<TileLava/>"), "line 2, TileLava: unknown element"),
        (changed("<TileGoal/>", "<TileFloor/>"), "line 1, Factory: the hall has no goal"),
        (changed("<TileFloor/>", "<TilePit/>"), r"line 10, StartConfig: start 1 at \(0, 0\) is on a pit"),
        (changed("<TileFloor/>", "<TileGoal/>"), r"line 10, StartConfig: start 1 at \(0, 0\) is on a goal"),
        (changed('phase2="4"', 'phase2="2"'), r"line 8, DecorationCrusher: the crusher at \(0, 0\) must act in 2"),
        (changed('phase2="4"', 'phase2="6"'), "line 8, DecorationCrusher: .* cannot act in phase 6"),
        (changed(' phase3="5"', ""), "line 9, DecorationPusher: the attribute phase3 is missing"),
        (changed('phase2="4"', 'phase2="4" phase3="5"'), "line 8, DecorationCrusher: unknown attribute phase3"),
        (changed('x="3" y="0" isH', 'x="4" y="0" isH'), r"line 22, Wall: the west wall at \(4, 0\) is outside"),
        (changed('x="2" y="2" isH', 'x="2" y="3" isH'), r"line 21, Wall: the north wall at \(2, 3\) is outside"),
        (changed('x="2" y="1" direction', 'x="2" y="2" direction'), "line 11, StartConfig: .* outside the hall"),
        (changed('x="2" y="1" direction', 'x="0" y="0" direction'), "line 11, StartConfig: .* of another start"),
        (changed('x="0" y="1" direction="South"', 'x="0" y="0" direction="South"'), "line .*: .* second decoration"),
        (changed('x="0" y="1" direction="South"', 'x="0" y="9" direction="South"'), "line 9, .* outside the hall"),
        (changed('<StartConfig x="2" y="1" direction="North"/>\n', ""), "maxPlayers=2, but .* StartConfig .* is 1"),
        (changed('numWalls="11"', 'numWalls="12"'), "line 1, Factory: numWalls=12, but .* is 11"),
        (changed('numDecorations="2"', 'numDecorations="3"'), "numDecorations=3"),
        (changed("<TileFloor/>", "<TileFloor/><TileFloor/>"), "line 7, TileGear: one tile too many"),
        (changed("<TileFloor/>\n", ""), "line 1, Factory: 5 tiles: 3x2 cells need 6"),
        (changed('xSize="3"', 'xSize="25"'), "each side must be 1 to 24"),
        (changed('xSize="3"', 'xSize="three"'), "line 1, Factory: xSize='three' is no whole number"),
        (changed('"East"', '"Up"'), "line 3, TileBelt: direction='up' must be North, East, South or West"),
        (changed('clockwise="false"', 'clockwise="no"'), "line 5, TileGear: clockwise='no' must be true or false"),
        (changed("<TileFloor/>", "<TileFloor><TilePit/></TileFloor>"), "line 2, TilePit: .* not inside each other"),
        (changed("<TileFloor/>", "lava"), "line .: text 'lava' between the elements"),
        (changed("<TileFloor/>", "<?php evil ?>"), "line 2: a processing instruction"),
        (changed("Factory", "Hall").replace("</Factory>", "</Hall>"), "line 1, Hall: the root element must be Factory"),
        (XML[:-20], "not well-formed XML"),
        ("", "no picture of the hall"),
        ("<", "not well-formed XML"),
        (XML + " " * MAX_XML, "at most"),
        ("<!DOCTYPE Factory SYSTEM 'file:///etc/passwd'>" + XML, "line 1: a document type"),
        ('<!DOCTYPE Factory [<!ENTITY a "b">]>' + XML, "line 1: a document type"),
        (
            '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><Factory>&c;</Factory>',
            "line 1: a document type",
        ),
        ("<Factory>&unknown;</Factory>", "line 1, Factory: the attribute xSize is missing"),
    ],
)
def test_a_bad_board_file_is_refused_with_the_place_and_the_reason(xml: str, reason: str) -> None:
    with pytest.raises(InvalidBoard, match=reason):
        read_board(xml)


def redrawn(old: str, new: str) -> str:
    assert old in DRAWN
    return DRAWN.replace(old, new, 1)


@rule("R6", "RR-refused")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (redrawn(" >  ", " ?  "), "line 2, column 6: '\\?': a cell needs one tile"),
        (redrawn(" >  ", " >? "), "line 2, column 6: unknown sign '\\?'"),
        (redrawn(" >  ", "    "), "line 2, column 6: '': a cell needs one tile"),
        (redrawn(" >  ", "g>  "), "line 2: unknown sign 'g' at \\(1, 0\\): explain it"),
        (redrawn(" >  ", "ab> "), "line 2, column 6: 'ab>': a cell has at most one decoration"),
        (redrawn(" >  ", " >1 "), "line 2, column 6: start 1 is drawn twice"),
        (redrawn(" >  ", " >A "), "line 2: robot A at \\(1, 0\\): .* robots belong to positions"),
        (redrawn(" >  ", " >4 "), "start 3 is missing"),
        (redrawn(" *  ", " .  "), "the hall has no goal"),
        (redrawn(".1", "*1"), "line 2: start 1 at \\(0, 0\\) is on a goal"),
        (redrawn("crusher 2 4", "crusher 2"), "line 2: the crusher at \\(0, 0\\) must act in 2 different phases"),
        (redrawn("crusher 2 4", "crusher 2 2"), "must act in 2 different phases, not in 2 2"),
        (redrawn("crusher 2 4", "crusher north 2 4"), "line 6: .* a crusher has none"),
        (redrawn("pusher south 1 3 5", "pusher 1 3 5"), "line 7: .* a pusher has a direction"),
        (redrawn("a: crusher", "b: crusher"), "line 7: 'b' is explained twice"),
        (redrawn("start 1: east\n", ""), "start 1 has no direction"),
        (redrawn("start 1: east", "start 3: east"), "line 8: start 3 is not drawn"),
        (redrawn("start 1: east", "start 2: east"), "line 9: start 2 has two lines"),
        (redrawn("start 1: east", "nonsense"), "line 8: 'nonsense' is not understood"),
        (redrawn("+    +----+    +", "+    +-- -+    +"), "line 3, column 6: '\\+-- -'"),
        (redrawn("|a.1 ", "!a.1 "), "line 2, column 1: '!': between two cells is a wall"),
        (redrawn(".1", ". ").replace(")2", ") ").split("start")[0], "the hall has no start"),
        (DRAWN.split("\n", 2)[2], "cannot be read|no direction|missing|not drawn"),
        ("x" * (MAX_TEXT + 1), "at most"),
    ],
)
def test_a_bad_drawing_is_refused_with_the_place_and_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidBoard, match=reason):
        read_text(text)


@pytest.mark.parametrize("name", BOARDS)
def test_our_five_halls_are_ways_to_a_goal(name: str) -> None:
    """Each can be read, written in both forms, and raced by four."""
    hall = read_text(BOARDS[name])

    assert read_text(write_text(hall)) == read_xml(write_xml(hall)) == hall
    assert len(hall.starts) == 4
    assert starts_without_way(hall) == ()


def test_our_halls_rise_in_difficulty() -> None:
    """Longer ways home from one to the next, by the mean effort of their starts."""
    efforts = []
    for text in BOARDS.values():
        s = RoboRace()
        lay_hall(s, read_text(text))
        efforts.append(sum(s.efforts[s.start_cells[n] * 4 + s.start_facings[n]] for n in range(4)))

    assert efforts == sorted(efforts)


@rule("RR-way")
@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_made_hall_always_has_a_way(level: int) -> None:
    """From every start; and the same seed makes the same hall."""
    for seed in range(12):
        hall = make_hall(seed, width=4 + seed % 9, height=4 + seed % 7, starts=1 + seed % 4, level=level)
        assert starts_without_way(hall) == ()
        assert hall == make_hall(seed, width=4 + seed % 9, height=4 + seed % 7, starts=1 + seed % 4, level=level)


@rule("RR-way")
def test_a_hall_without_a_way_needs_a_round_limit() -> None:
    """The goal is behind walls: refused for an endless race, allowed for a limited one."""
    walled = picture(
        """
        +----+----+
        | .1 | *  |
        +----+----+
        start 1: north
        """
    )
    with pytest.raises(InvalidOptions, match="no cards lead from start 1 to a goal"):
        prepare(Options(players=1, map=walled))
    assert prepare(Options(players=1, map=walled, round_limit=5)).round_limit == 5


@rule("RR-refused")
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"map": DRAWN, "players": 3, "round_limit": 9}, "3 players, but the hall has 2 starts"),
        ({"map": "rubbish"}, "the map cannot be read: line 1"),
        ({"map": XML.replace("TilePit", "TileLava")}, "the map cannot be read: line 6, TileLava"),
    ],
)
def test_options_that_make_no_race_are_refused(options: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidOptions, match=reason):
        prepare(msgspec.convert(options, Options))


@pytest.mark.parametrize("numbers", [{"width": 3}, {"height": 25}, {"starts": 0}, {"starts": 5}, {"level": 6}])
def test_the_maker_refuses_what_it_cannot_make(numbers: dict[str, int]) -> None:
    with pytest.raises(InvalidBoard):
        make_hall(1, **numbers)
