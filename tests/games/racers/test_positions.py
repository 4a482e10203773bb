"""Positions as text: what a drawing may show, and why others are refused."""

from __future__ import annotations

import pytest

from tests.games.racers.drawn import bytes_of, position
from tests.support import picture, rule
from turntile.core.errors import InvalidPosition
from turntile.games.racers.game import GAME
from turntile.games.racers.positions import read_position, write_position

FULL = picture(
    """
    g........x
    ..##......
    ....ba....
    ..d.2.a1.o
    ......#...
    ......#...
    ......#...
    ..+.......
    .........o
    .c........
    """
)
LINES = picture(
    """
    turn: 12
    to act: 2
    actions: 2
    began: 4,2
    trail 1: 6,3 5,2
    penalty 1: 2
    skips 1: 1
    trail 2: 4,2
    teleporters: 9,3>9,8 9,8>9,3
    items: 2,7=disc+debris
    failures: 5,5:31 0,9:2
    options: failure_percent=5 turn_limit=100
    dice: 00000001 00000002 00000003 000000ff
    """
)


def test_a_position_reads_as_it_is_written() -> None:
    """The text of a whole position comes back word for word."""
    text = FULL.replace("x", ".") + "\n" + LINES + "\n"
    assert write_position(read_position(text)) == text


def test_case_and_blanks_do_not_matter() -> None:
    text = FULL.replace("x", ".") + "\n" + LINES
    shouted = "\n\n".join("   " + line.upper() + "  " for line in text.splitlines())
    assert write_position(read_position(shouted)) == text + "\n"


@rule("H2")
def test_hidden_things_are_written_for_the_judge() -> None:
    """Active grenades with their owner, and where the other suspects them."""
    record = position("..........\n..1.......", "armed 1: 5,5", "suspect 1: 5,6 4,4", "armed this turn: yes")
    text = write_position(record)
    assert "armed 1: 5,5" in text
    assert "suspect 1: 4,4 5,6" in text
    assert "armed this turn: yes" in text
    assert GAME.write_position(GAME.read_position(text)) == text


OPEN = "..........\n.1........"


@pytest.mark.parametrize(
    ("drawn", "notes", "sentence"),
    [
        # R2: the grid
        ("..........\n.3........", [], "line 2: '3' at 1,1 is no mark: use # 1 2 a b o g d c x + or ."),
        ("..........\n.1.1......", [], "line 2: player 1 is drawn twice"),
        ("..........\n#.........", [], "the wall at 0,1 has one square: a wall has at least 2"),
        ("..........\n.######...", [], "the wall at 1,1 has 6 squares: at most 5 in this direction"),
        (
            "..........\n.##.......\n...##.....",
            [],
            "the walls at 1,1 touch: a wall is straight and keeps a square away from others",
        ),
        (
            "..........\n.##.......\n.##.......",
            [],
            "the walls at 1,1 touch: a wall is straight and keeps a square away from others",
        ),
        (
            "........##\n..........\n.........2",
            [],
            "there is a wall on the start at 9,0",
        ),
        (
            "#####.....\n..........\n#####.####\n..........\n#####.####\n..........",
            [],
            "23 wall squares are too many: at most 20 on this grid",
        ),
        # R3: items
        (OPEN, ["items: 7,9=disc"], "line 11: there is a wall at 7,9"),
        (OPEN, ["items: 3,3=sword"], "line 11: 'sword' is no item: say grenade, disc, disc2, charged or debris"),
        (OPEN, ["items: 3,3=disc3"], "there are 3 identity discs: this grid has at most 2"),
        (OPEN, ["items: 3,3=grenade+debris", "armed 1: 2,2"], "there are 3 light grenades: this grid has at most 2"),
        (OPEN + "\ncc", [], "there are 2 charged identity discs: this grid has at most 1"),
        (OPEN, ["items: 3,3=grenade+grenade"], "line 11: there is a grenade at 3,3 already"),
        (OPEN + "\n+", [], "line 3: the + at 0,2 is in no line: say items: 0,2=grenade+disc"),
        (OPEN, ["holds 1: grenade=7"], "line 11: number of grenades '7' cannot be: say 0 to 6"),
        (
            OPEN,
            ["holds 1: grenade=4 disc=3"],
            "line 11: player 1 holds 7 items: at most 6 can be carried",
        ),
        (OPEN, ["holds 1: sword=1"], "line 11: 'sword=1' cannot be held: say grenade=2, disc=1 or charged=1"),
        # R3.4: teleporters
        (OPEN + "\no", [], "line 3: the teleporter at 0,2 leads nowhere: say teleporters: 0,2>x,y"),
        (OPEN, ["teleporters: 3,3>3,3"], "line 11: the teleporter at 3,3 leads to itself: choose another teleporter"),
        (OPEN, ["teleporters: 3,3>4,4"], "line 11: the teleporter at 3,3 leads to 4,4, where there is none"),
        (OPEN, ["teleporters: 0,9>4,4 4,4>0,9"], "line 11: there is a teleporter on the start at 0,9"),
        (OPEN, ["teleporters: 7,9>4,4 4,4>7,9"], "line 11: there is a wall at 7,9"),
        (OPEN, ["teleporters: 1,3>4,4 4,4>1,3 1,3>4,4"], "line 11: there are two teleporters at 1,3"),
        (
            OPEN,
            ["teleporters: 3,3>4,4 4,4>3,3 5,5>3,3 6,6>3,3"],
            "line 11: 4 teleporters are too many: this grid has at most 3",
        ),
        # trails
        (OPEN + "\na", [], "line 3: the trail at 0,2 is in no line: say trail 1: and its squares"),
        (OPEN, ["trail 1: 5,5"], "the trail of player 1 is torn between 1,1 and 5,5"),
        (OPEN, ["trail 1: 0,1 0,2 0,3"], "player 1 is to act, so the square left three actions ago has vanished"),
        (OPEN, ["trail 1: 0,1 0,2 0,3 0,4"], "line 11: a light trail has at most 3 squares, not 4"),
        (OPEN, ["trail 1: 1,1"], "the trail of player 1 at 1,1 is on a square that is taken"),
        (OPEN, ["trail 1: 5,5~"], "player 1 cannot have been teleported to 1,1: no teleporter"),
        # turns
        (OPEN, ["turn: 3", "to act: 2"], "line 12: turn 3 is player 1's: odd turns are player 1's"),
        (OPEN, ["to act: 2", "turn: 3"], "line 12: turn 3 is player 1's: odd turns are player 1's"),
        (OPEN, ["turn: 0"], "line 11: turn '0' cannot be: say 1 to 2147483646"),
        (OPEN, ["actions: 4"], "line 11: actions '4' cannot be: say 0 to 3"),
        (OPEN, ["actions: 0"], "player 1 is to act and has no actions: say actions: 1 to 3"),
        (OPEN, ["penalty 1: 2"], "player 1 is to act, so no penalty and no turn to skip is left"),
        (OPEN, ["penalty 2: 9"], "line 11: penalty '9' cannot be: say 0 to 8"),
        (OPEN, ["turn: 3", "options: turn_limit=2"], "turn 3 is beyond the limit of 2 turns"),
        (
            "1b........\n.b........\n##2.......",
            ["trail 2: 1,1 1,0", "trail 1: 0,1"],
            "player 1 is to act and cannot move: that is the end of the match, say ended: trapped",
        ),
        (".........1\n2.........", [], "player 1 stands on the other's start: that ends the match, say ended: goal"),
        (OPEN, ["ended: goal 1"], "player 1 has won by the goal but does not stand on the other's start"),
        (OPEN, ["ended: somehow"], "line 11: ended how? Say goal 1, trapped 2 or turns"),
        # grenades
        (OPEN, ["armed 2: 1,1"], "player 1 stands on an active grenade: it would have exploded"),
        (OPEN, ["placed: 1"], "player 1 has placed no grenade: there is none on that square"),
        (
            OPEN,
            ["armed 1: 3,3", "armed 2: 3,3"],
            "line 12: there is another grenade at 3,3: a square holds one unexploded grenade",
        ),
        # the language of positions
        (OPEN, ["turn: 1", "turn: 1"], "line 12: turn is said twice"),
        (OPEN, ["began: 3;4"], "line 11: '3;4' is no square: say x,y as in 3,4"),
        (OPEN, ["began: 3,44"], "line 11: 3,44 is outside the 10x10 grid, which begins with 0,0 at the top left"),
        (OPEN, ["began: 1,1 2,2"], "line 11: began takes one value, not 2"),
        (
            OPEN,
            ["failures: 3,3:4"],
            "line 11: '3,3:4' is no failure: say x,y:3 for one with three turns to go, this one included",
        ),
        (
            OPEN,
            ["options: speed=9"],
            "line 11: 'speed' is no option of a position: there are failure_percent, turn_limit",
        ),
        (OPEN, ["options: failure_percent=101"], "line 11: failure_percent 101 is no chance in per cent: say 0 to 100"),
        (OPEN, ["dice: 1 2 3"], "line 11: dice are four numbers of up to 8 hexadecimal digits"),
        (OPEN, ["planned: " + "1 " * 17], "line 11: 17 planned draws are too many: at most 16 fit"),
    ],
)
def test_a_position_that_breaks_a_rule_is_refused(drawn: str, notes: list[str], sentence: str) -> None:
    """One line: where, what is wrong, what would do."""
    with pytest.raises(InvalidPosition) as refused:
        position(drawn, *notes)
    assert str(refused.value) == sentence
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is no picture: draw the grid, a line a row, with # for walls and . for nothing"),
        ("turn: 1", "there is no picture: draw the grid, a line a row, with # for walls and . for nothing"),
        ("....\n...", "line 2: this row has 3 squares and the first one 4: make them equal"),
        ("....\n....", "a 4x2 grid is too small: both sides need at least 10 squares"),
        ("." * 65, "a 65x1 grid is too small: both sides need at least 10 squares"),
        ("\n".join(["." * 65] * 10), "a 65x10 grid is too large: both sides may have at most 64 squares"),
        (
            "\n".join([".........."] * 10),
            "player 1 is not in the picture: draw a 1 where the racer stands",
        ),
        (
            "\n".join(["1.2.......", *[".........."] * 9]),
            "there is no wall: a grid has at least one, two squares long",
        ),
    ],
)
def test_a_text_that_is_no_grid_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_position(text)
    assert str(refused.value) == sentence


def test_an_unknown_line_is_refused_with_the_lines_there_are() -> None:
    with pytest.raises(InvalidPosition, match="line 11: 'colour' is no line of a position: there are turn, to act"):
        position(OPEN, "colour: red")


def test_finished_matches_are_positions_too() -> None:
    won = position(".........1\n2.........", "turn: 5", "actions: 1", "began: 7,0", "trail 1: 8,0", "ended: goal 1")
    assert GAME.reason(won) == "player 1 reached player 2's start"
    trapped = position("..........\n.1........", "ended: trapped 1")
    assert GAME.reason(trapped) == "player 1 was trapped"
    drawn = position("..........\n.1........", "actions: 0", "turn: 8", "ended: turns")
    assert GAME.reason(drawn) == "nobody won in 8 turns"
    for record in (won, trapped, drawn):
        assert bytes_of(read_position(write_position(record))) == bytes_of(record)
