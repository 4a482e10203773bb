"""`turntile roborace board`: check, make and write, as somebody types them."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from turntile.cli.roborace import app
from turntile.games.roborace.board_text import read_board
from turntile.games.roborace.halls import BOARDS

BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><Factory>&b;</Factory>'


def turntile(*words: object) -> tuple[int, str, str]:
    """Exit code, what was printed and what was complained of."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


def test_a_good_board_is_described(tmp_path: Path) -> None:
    board = tmp_path / "gears.txt"
    board.write_text(BOARDS["gears"])

    code, told, complaint = turntile("board", "check", board)

    assert (code, complaint) == (0, "")
    assert "10x10 cells, 1 goal, 4 starts, 0 decorations" in told
    assert "every start has a way home" in told


def test_bad_boards_are_named_with_place_and_reason(tmp_path: Path) -> None:
    """All files are checked; one fault is enough for exit code 1."""
    bomb, good, binary = tmp_path / "bomb.xml", tmp_path / "good.txt", tmp_path / "binary"
    bomb.write_text(BOMB)
    good.write_text(BOARDS["yard"])
    binary.write_bytes(b"\xff\xfe")

    code, told, complaint = turntile("board", "check", bomb, good, binary)

    assert code == 1
    assert told.startswith(f"{good}: 10x10 cells")
    assert complaint.splitlines() == [
        f"{bomb}: line 1: a document type (with entities or without) is not accepted: remove it",
        f"{binary}: byte 0 is not UTF-8: save the board as UTF-8",
    ]


def test_a_long_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    long = tmp_path / "long.xml"
    long.write_bytes(b" " * 2_000_000)

    assert turntile("board", "check", long)[0] == 1


def test_a_made_board_can_be_checked_and_written_in_both_forms(tmp_path: Path) -> None:
    code, text, _ = turntile("board", "make", "--seed", 7, "--width", 9, "--height", 8, "--starts", 3, "--level", 4)
    again = turntile("board", "make", "--seed", 7, "--width", 9, "--height", 8, "--starts", 3, "--level", 4)[1]
    board = tmp_path / "made.txt"
    board.write_text(text)
    xml = turntile("board", "write", board, "--form", "xml")[1]

    assert code == 0 and text == again
    assert xml.startswith("<Factory")
    assert read_board(xml) == read_board(text)
    assert (read_board(text).width, read_board(text).height, len(read_board(text).starts)) == (9, 8, 3)


def test_a_hall_without_a_way_is_remarked_upon(tmp_path: Path) -> None:
    board = tmp_path / "walled.txt"
    board.write_text("+----+----+\n| .1 | *  |\n+----+----+\nstart 1: north\n")

    code, told, _ = turntile("board", "check", board)

    assert code == 0
    assert "no cards lead home from start 1: race here with a round limit" in told
