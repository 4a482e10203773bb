"""What may be chosen in Tron, and what is refused."""

from __future__ import annotations

import msgspec
import pytest

from turntile.core.errors import InvalidOptions
from turntile.games.tron.boards import BOARDS, MAX_POWERUPS, read_board
from turntile.games.tron.game import GAME
from turntile.games.tron.options import Options
from turntile.match.options import choose_options

OPEN_9 = ["#########", *["#.......#"] * 7, "#########"]


def with_cell(x: int, y: int, drawn: str) -> str:
    rows = list(OPEN_9)
    rows[y] = rows[y][:x] + drawn + rows[y][x + 1 :]
    return "\n".join(rows)


def test_every_option_has_a_default_and_a_meaning() -> None:
    GAME.prepare(Options())
    schema = msgspec.json.schema(Options)["$defs"]["Options"]["properties"]

    assert list(schema) == list(Options.__struct_fields__)
    for name, described in schema.items():
        assert "default" in described, name
        assert described["description"], name


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (Options(map="\n"), "the board is empty: draw at least 5x5 cells"),
        (Options(map="####\n#..#\n####"), "a board of 4x3 cells is refused: both sides need 5 to 50"),
        (Options(map="\n".join(["#" * 51] * 9)), "a board of 51x9 cells is refused: both sides need 5 to 50"),
        (Options(map="\n".join([*OPEN_9, "####"])), "the board is not rectangular: row 9 has 4 cells, row 0 has 9"),
        (Options(map=with_cell(0, 3, ".")), "the board has a hole in its border: '.' in row 3, column 0; put # there"),
        (Options(map=with_cell(4, 8, "b")), "the board has a hole in its border: 'b' in row 8, column 4; put # there"),
        (Options(map=with_cell(2, 2, "x")), "'x' in row 2, column 2 of the board is no cell: use # wall, . empty"),
        (Options(map=with_cell(3, 4, "#")), "seat 0 starts in row 4, column 3 of the board, but '#' is there"),
        (Options(map=with_cell(5, 4, "i")), "seat 1 starts in row 4, column 5 of the board, but 'i' is there"),
        (Options(size=7), "2 players do not fit on 7x7 cells"),
        (Options(size=6, players=3), "3 players do not fit on 6x6 cells"),
        (Options(size=8, players=4), "4 players do not fit on 8x8 cells"),
    ],
)
def test_boards_no_match_can_be_played_on_are_refused(options: Options, sentence: str) -> None:
    with pytest.raises(InvalidOptions) as refusal:
        GAME.prepare(options)

    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_board_has_at_most_a_thousand_powerups() -> None:
    rows = ["#" * 50, *["#" + "b" * 48 + "#"] * 48, "#" * 50]
    with pytest.raises(InvalidOptions, match=f"the board has 2304 powerups: at most {MAX_POWERUPS} are allowed"):
        read_board("\n".join(rows))


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"wheels": "4"}, "tron has no option 'wheels'"),
        ({"players": "5"}, "tron cannot be played with players=5: it must be a whole number from 2 to 4"),
        ({"size": "4"}, "tron cannot be played with size=4: it must be a whole number from 5 to 50"),
        ({"size": "51"}, "a whole number from 5 to 50"),
        ({"size": "large"}, "a whole number from 5 to 50"),
        ({"board": "moon"}, "arena, gates, minefield, pillars, random or ring"),
        ({"playon": "perhaps"}, "true or false"),
        ({"win_points": "-1"}, "a whole number from 0 to 100000"),
    ],
)
def test_values_outside_their_range_are_refused_by_name(chosen: dict[str, str], sentence: str) -> None:
    with pytest.raises(InvalidOptions) as refusal:
        choose_options(GAME, chosen)

    assert sentence in str(refusal.value)


@pytest.mark.parametrize("size", [size for size in range(5, 51) if size not in (6, 7, 8)])
def test_every_other_size_has_room_for_four(size: int) -> None:
    assert GAME.prepare(Options(size=size, players=4)).players == 4


def test_named_boards_can_be_chosen_and_read() -> None:
    for name, text in BOARDS.items():
        record = GAME.prepare(choose_options(GAME, {"board": name, "players": 4}))
        rows = read_board(text)
        assert (record.width, record.height) == (len(rows[0]), len(rows))


def test_a_text_wins_over_a_name() -> None:
    record = GAME.prepare(Options(map="\n".join(OPEN_9), board="ring"))

    assert (record.width, record.height) == (9, 9)
