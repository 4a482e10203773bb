"""The prescribed program's conversation: prompts, commands, answers and errors, exact to the byte."""

from __future__ import annotations

from io import BytesIO

import pytest

from tests.games.worms.drawn import answers_at, program_at, typed_at
from tests.support import picture, rule
from turntile.games.worms.positions import read_position

FLAT = """
    ......
    ~~..**
    EEEEEE
    worm 1 at 1 0 named Noodle
    worm 2 at 1 1 named Pickle
    worm 3 at 1 4 named Moss
    worm 4 at 1 5 named Fern
    plan 2 0 3 0
"""

UNKNOWN = "[ERROR] unknown command!"
PARAMETER = "[ERROR] invalid parameter!"
NOT_ALLOWED = "[ERROR] command currently not allowed!"
AMMUNITION = "[ERROR] no ammunition"
TARGET = "[ERROR] invalid target!"


def raw_at(typed: bytes, drawing: str = FLAT) -> bytes:
    output = BytesIO()
    program_at(read_position(picture(drawing)), typed, output).converse()
    return output.getvalue()


# ------------------------------------------------------------------------- the prompt


@rule("R-prompt", "R-enter", "E7", "O11")
def test_the_prompt_comes_again_after_an_empty_line() -> None:
    """Enter, blanks, tabs, a lone carriage return: no words, no answer. At the end of input nothing follows."""
    assert raw_at(b"\n   \n\t\n\r\n") == b"> > > > > "


@rule("R-quit", "O11", "E3")
def test_quit_and_the_end_of_input_print_nothing_more() -> None:
    assert raw_at(b"quit\nmap\n") == b"> "
    assert raw_at(b"") == b"> "
    assert raw_at(b"QUIT") == b"> "


@rule("E9")
def test_a_last_line_without_newline_is_a_command() -> None:
    assert raw_at(b"choose bazooka") == b"> Chose weapon bazooka Ammunition: 1\n> "


@rule("E7", "R-case", "R-prompt")
@pytest.mark.parametrize(
    "line", [b"CHOOSE Bazooka\n", b"  choose   bazooka  \n", b"\tchoose\tbazooka\r\n", b"cHoOsE bAzOoKa\r\n"]
)
def test_case_blanks_and_carriage_returns_do_not_matter(line: bytes) -> None:
    assert raw_at(line) == b"> Chose weapon bazooka Ammunition: 1\n> "


@rule("E7", "R-unknown", "R-parameter")
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"choose bazoo\xe2\x84\xaaa\n", PARAMETER),  # the Kelvin sign is no k
        (b"map\xc2\xa0\n", UNKNOWN),  # a no-break space is no blank
        (b"map\x0b\n", UNKNOWN),
        (b"\x00\xff\xfe\n", UNKNOWN),
        (b"action \xd9\xa1\n", PARAMETER),  # an Arabic digit is no number
        (b"action \xc2\xb2\n", PARAMETER),
        (b"x" * 1_000_000 + b"\n", UNKNOWN),
        (b"action " + b"7" * 100_000 + b"\n", NOT_ALLOWED),
        (b"move l " + b"9" * 100_000 + b"\n", PARAMETER),
        (b"map\r\r\n", UNKNOWN),
    ],
)
def test_any_bytes_get_their_error_line_and_the_game_goes_on(line: bytes, answer: str) -> None:
    assert raw_at(line + b"choose melee\n").decode() == f"> {answer}\n> Chose weapon melee Ammunition: 1\n> "


# ------------------------------------------------------------------------- what is refused


@rule("R-unknown", "E8")
@pytest.mark.parametrize("line", ["jump", "mov l 1", "moves", "jump l 1 2 3", "actions", "exit", "?", "move,l"])
def test_an_unknown_first_word_wins_over_all_else(line: str) -> None:
    assert answers_at(FLAT, line) == [UNKNOWN]


@rule("R-parameter", "E1", "E6", "E8")
@pytest.mark.parametrize(
    "line",
    [
        "move", "move l", "move l 4", "move l -1", "move l +1", "move l 1.0", "move l 0x1",
        "move left 1", "move u 1", "move 1 l", "move l 1 1", "move l l", "choose", "choose rocket",
        "choose gun gun", "choose 1", "choose teleporters", "map 1", "state x", "help me",
        "quit now", "action dl", "action ur", "action left", "action l l", "action idle 1",
        "action -1", "action 1 -1", "action 1 2 3", "action 1.5", "action x", "action r 1",
    ],
)  # fmt: skip
def test_parameters_that_do_not_fit(line: str) -> None:
    """Wrong words, too few, too many, no number, a number that is no count of steps."""
    assert answers_at(FLAT, line) == [PARAMETER]


@rule("E6")
def test_a_number_may_have_leading_zeros_and_any_length() -> None:
    assert "[ERROR]" not in typed_at(FLAT, "move r 0000000000000000000000000000000000000000000002")
    assert answers_at(FLAT, "choose airstrike", "action 00000000000000000000000000000000004")[1].startswith(
        "Shot hit Worm"
    )


@rule("R-not-allowed", "E1", "E5")
@pytest.mark.parametrize("line", ["action", "action 1", "action 99", "action 1 1", "action 99 99", "action 1 99"])
def test_a_form_of_another_weapon_is_not_allowed_even_outside_the_map(line: str) -> None:
    """With the gun: the words are looked at first, then the weapon, then the map."""
    assert answers_at(FLAT, line) == [NOT_ALLOWED]


@rule("E5", "R-parameter")
@pytest.mark.parametrize(
    ("weapon", "line"), [("airstrike", "action 6"), ("teleporter", "action 6 0"), ("teleporter", "action 0 3")]
)
def test_outside_the_map_is_an_invalid_parameter(weapon: str, line: str) -> None:
    assert answers_at(FLAT, f"choose {weapon}", line)[1:] == [PARAMETER]


@rule("R-invalid-target", "E2", "E5", "O12")
def test_a_taken_field_is_an_invalid_target_and_the_turn_goes_on() -> None:
    """Earth, a worm, oneself; nothing is spent."""
    answers = answers_at(FLAT, "choose teleporter", "action 0 2", "action 4 1", "action 0 1", "choose teleporter")

    assert answers[1:] == [TARGET, TARGET, TARGET, "Chose weapon teleporter Ammunition: 1"]


@rule("R-not-allowed", "E1", "O12")
def test_a_second_move_is_refused_before_its_parameters_are_looked_at() -> None:
    assert answers_at(FLAT, "move r 0", "move r 1", "move nonsense", "move") == [NOT_ALLOWED] * 3


@rule("R-no-ammunition", "E8")
def test_the_known_word_comes_before_the_ammunition() -> None:
    drawing = FLAT.replace("named Noodle", "ammunition 0 0 0 0 0 named Noodle")

    assert answers_at(drawing, "choose bazooka", "choose teleport", "choose melee x") == [
        AMMUNITION,
        AMMUNITION,
        PARAMETER,
    ]
    assert answers_at(drawing, "choose gun") == ["Chose weapon gun Ammunition: inf"]


@rule("N-choose-limit", "R-commands", "R-choose")
def test_the_prescribed_program_lets_one_choose_without_limit() -> None:
    assert answers_at(FLAT, *["choose gun", "choose melee"] * 50).count("Chose weapon melee Ammunition: 1") == 50


# ------------------------------------------------------------------------- what is answered


@rule("R-map", "O5", "R-signs", "R-air")
def test_map_prints_the_map_between_its_coordinates() -> None:
    assert typed_at(FLAT, "map") == ("> Current Map:\n  012345\n 0       0\n 1~~  ** 1\n 2EEEEEE 2\n  012345\n> ")


@rule("O10")
def test_row_numbers_from_100_take_the_room_they_need_and_columns_their_last_digit() -> None:
    """The arena's maps end at 64 rows; the program's do not."""
    from turntile.games.worms.records import Worms
    from turntile.games.worms.words import map_lines

    s = Worms()
    s.width, s.height = 12, 102
    s.cells = bytearray(12 * 102)
    lines = list(map_lines(s, ("~", "*")))

    assert lines[1] == lines[-1] == "  012345678901"
    assert lines[2] == " 0" + " " * 12 + " 0"
    assert lines[101] == "99" + " " * 12 + "99"
    assert lines[102] == "100" + " " * 12 + "100"


@rule("R-state", "O5", "O7", "O12")
def test_state_prints_whose_turn_it_is_his_weapons_and_all_living_worms() -> None:
    """A weapon without ammunition is not listed; the chosen one is marked; the first line ends with a blank."""
    drawing = (
        FLAT.replace("named Noodle", "hp 65 ammunition 2 1 0 1 1 named Noodle")
        .replace("~~", "~.")
        .replace("worm 2 at 1 1 named Pickle", "worm 2 gone")
    )

    assert typed_at(drawing, "choose teleporter", "state") == (
        "> Chose weapon teleporter Ammunition: 1\n"
        "> current player: 1\n"
        "current worm: Noodle (1) \n"
        "\n"
        "weapons of current worm:\n"
        "  gun (ammunition: inf)\n"
        "  bazooka (ammunition: 2)\n"
        "  teleport (ammunition: 1) *\n"
        "  melee (ammunition: 1)\n"
        "  airstrike (ammunition: 1)\n"
        "\n"
        "worms of player 1\n"
        "  Noodle (1) 65 HP (1, 0) ~\n"
        "worms of player 2\n"
        "  Moss (3) 100 HP (1, 4) *\n"
        "  Fern (4) 100 HP (1, 5) *\n"
        "> "
    )


@rule("R-help")
def test_help_prints_the_prescribed_text() -> None:
    """Nine commands, each with what it does below it; E4: it says [row] [col] though the column comes first."""
    lines = typed_at(FLAT, "help").split("\n")

    assert lines[0] == "> Available Commands:"
    assert lines[-1] == "> "
    commands = [line.strip() for line in lines if line.startswith("  ") and not line.startswith("    ")]
    assert commands == [
        "move [left/right] [0..3]",
        "choose [weapon]",
        "action [l/r/d/u/ld/rd/lu/ru]",
        "action",
        "action [row] [col]",
        "action [col]",
        "action idle",
        "quit",
        "help",
        "state",
    ]
    assert len(lines) == 23


@rule("O7", "R-choose")
@pytest.mark.parametrize("word", ["teleporter", "teleport", "TELEPORT"])
def test_the_teleporter_has_two_words_and_one_echo(word: str) -> None:
    assert answers_at(FLAT, f"choose {word}") == ["Chose weapon teleporter Ammunition: 1"]


@rule("M2", "O3", "R-move")
def test_after_a_move_the_map_is_printed_also_after_no_step() -> None:
    printed = typed_at(FLAT, "move l 0")

    assert printed == "> " + typed_at(FLAT, "map")[2:]


@rule("M2", "O3", "R-move")
def test_the_warning_comes_before_the_map() -> None:
    printed = typed_at(".....\n.E...\n~E..*\nEEEEE", "move r 2")

    assert printed.startswith("> [WARNING] can't move further\nCurrent Map:\n")
    assert printed.endswith("  01234\n> ")


@rule("O2", "O11", "R-end", "R-exit")
def test_after_the_end_nothing_is_read_or_printed() -> None:
    """The hit, the death, the map with the last chest, END; no prompt."""
    drawing = "......\n~...*.\nEEEEEE\nworm 1 at 1 0 named Noodle\nworm 2 at 1 4 hp 25 named Moss\nplan 2 0"

    assert typed_at(drawing, "action r", "map") == (
        "> Shot hit Worm at position (1, 4)\n"
        "Moss (2) died.\n"
        "Current Map:\n  012345\n 0       0\n 1~ #    1\n 2EEEEEE 2\n  012345\n"
        "END: Player 1 win!\n"
    )


@rule("M4", "O3", "O2")
def test_a_deadly_move_prints_the_map_twice() -> None:
    """After the move, and after the chest, at the turn's end."""
    drawing = (
        "......\n~...**\nEW.EEE\noption team 3\nworm 3 at 1 0 named Noodle\nworm 1 gone\nworm 2 gone\nacts 3\nplan 3 0"
    )
    printed = typed_at(drawing, "move r 2")

    assert printed.startswith("> Noodle (3) drowned.\nCurrent Map:\n")
    assert printed.count("Current Map:") == 2
    assert printed.endswith("END: Player 2 win!\n")


@rule("O4", "R-hit-lines")
def test_all_damage_lines_come_before_all_falls() -> None:
    drawing = "........\n.......*\n~......E\nE......E\nE.......\nEEEEEEEE\nplan 1 0"
    printed = typed_at(drawing, "choose bazooka", "action r").split("\n")

    assert printed[1:6] == [
        "> Shot hit Earth at position (2, 7)",
        "Shot hit Worm at position (1, 7)",
        "Soggy Biscuit (2) took 40hp damage",
        "Shot hit Earth at position (3, 7)",
        "Soggy Biscuit (2) took 20hp fall damage",
    ]
