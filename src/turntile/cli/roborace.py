"""`turntile roborace`: boards of RoboRace on disk, checked, made and rewritten."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from turntile.core.errors import TurntileError
from turntile.games.roborace.board_text import read_board, write_text
from turntile.games.roborace.board_xml import MAX_XML, write_xml
from turntile.games.roborace.boards import Hall, InvalidBoard, starts_without_way
from turntile.games.roborace.generator import MAX_LEVEL, make_hall
from turntile.games.roborace.records import GOAL

FAILED = 1
MAX_BYTES = 4 * MAX_XML  # a character has at most four bytes

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Boards of RoboRace.")
board_app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(board_app, name="board", help="Check, make and rewrite factory halls.")


class Form(StrEnum):
    """The two written forms of a board."""

    TEXT = "text"
    XML = "xml"


@board_app.command("check")
def check(files: Annotated[list[Path], typer.Argument(help="boards, as text or XML")]) -> None:
    """Say whether boards can be raced on, and if not, where and why."""
    faults = 0
    for file in files:
        try:
            print(f"{file}: {describe(read_file(file))}")
        except InvalidBoard as fault:
            faults += 1
            print(f"{file}: {fault}", file=sys.stderr)
    if faults:
        raise typer.Exit(FAILED)


@board_app.command("make")
def make(
    seed: Annotated[int, typer.Option(min=0, help="the same number makes the same board")] = 1,
    width: Annotated[int, typer.Option(help="columns")] = 12,
    height: Annotated[int, typer.Option(help="rows")] = 12,
    starts: Annotated[int, typer.Option(help="how many can race, 1 to 4")] = 4,
    level: Annotated[int, typer.Option(help=f"1 (easy) to {MAX_LEVEL} (hard)")] = 3,
    form: Annotated[Form, typer.Option(help="how it is written")] = Form.TEXT,
) -> None:
    """Print a board drawn from a seed; every start has a way to the goal."""
    print(write(make_hall(seed, width, height, starts, level), form), end="")


@board_app.command("write")
def rewrite(
    file: Annotated[Path, typer.Argument(help="a board, as text or XML")],
    form: Annotated[Form, typer.Option(help="how to write it")] = Form.TEXT,
) -> None:
    """Print a board in the other form."""
    print(write(read_file(file), form), end="")


def write(hall: Hall, form: Form) -> str:
    return write_xml(hall) if form == Form.XML else write_text(hall)


def read_file(file: Path) -> Hall:
    """The board of a file; a file that is too long is not read to its end."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise TurntileError(f"{file} cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise InvalidBoard(f"longer than {MAX_BYTES} bytes: no board needs that much")
    try:
        return read_board(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidBoard(f"byte {error.start} is not UTF-8: save the board as UTF-8") from error


def describe(hall: Hall) -> str:
    parts = [
        f"{hall.width}x{hall.height} cells",
        counted(hall.tiles.count(GOAL), "goal"),
        counted(len(hall.starts), "start"),
        counted(len(hall.decorations), "decoration"),
        counted(len(hall.walls), "wall"),
    ]
    lost = starts_without_way(hall)
    if lost:
        numbers = ", ".join(map(str, lost))
        return f"{', '.join(parts)}; no cards lead home from start {numbers}: race here with a round limit"
    return f"{', '.join(parts)}; every start has a way home"


def counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
