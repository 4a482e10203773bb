"""`turntile worms`: maps of SEWorms checked and made, and a configuration for swworms to begin with."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from turntile.core.errors import TurntileError
from turntile.games.worms.maps import Map, find_faults, make_island, read_map, spawn_room, write_map
from turntile.games.worms.terrain import MIN_HEIGHT, MIN_WIDTH

FAILED = 1
MOST_SIDE = 1000  # of a map that is made
MOST_FAULTS = 100  # of one file that are listed

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Maps of SEWorms, and files for swworms.")
map_app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(map_app, name="map", help="Check and make maps.")


class InvalidFile(TurntileError):
    """A file that cannot be read or written."""


class InvalidSize(TurntileError):
    """A size no map is made in."""


@map_app.command("check")
def check(file: Annotated[Path, typer.Argument(help="a map file (#SWORMS)")]) -> None:
    """List every fault of a map file with its line and column, or say what the map is."""
    text = read_text(file)
    faults = 0
    for fault in find_faults(text):
        faults += 1
        if faults <= MOST_FAULTS:
            print(f"{file}: {fault}", file=sys.stderr)
    if faults > MOST_FAULTS:
        print(f"{file}: and {faults - MOST_FAULTS} more", file=sys.stderr)
    if faults:
        raise typer.Exit(FAILED)
    world = read_map(text)
    assert world is not None, file
    print(f"{file}: {describe(world)}")


@map_app.command("make")
def make(
    seed: Annotated[int, typer.Option(min=0, help="the same number makes the same map")] = 1,
    size: Annotated[str, typer.Option(help="width x height, such as 40x12")] = "40x12",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the file to write; else it is printed")] = None,
) -> None:
    """Make an island from a seed."""
    width, height = read_size(size)
    text = write_map(make_island(seed, width, height), f"turntile worms map make --seed {seed} --size {width}x{height}")
    if output is None:
        print(text, end="")
    else:
        write_new(output, text.encode("ascii"))
        print(f"{output}: {describe(make_island(seed, width, height))}")


@app.command("example")
def example(folder: Annotated[Path, typer.Argument(help="where the files shall stand")] = Path("worms")) -> None:
    """Write config.ini, three maps and a list of names to begin with: swworms FOLDER/config.ini."""
    for source in sorted(files("turntile.games.worms").joinpath("data").iterdir(), key=lambda file: file.name):
        write_new(folder / source.name, source.read_bytes())
    print(f"now play: swworms {folder / 'config.ini'}")


def describe(world: Map) -> str:
    room = spawn_room(*world)
    where = "worms may drown or fall out of it at the start" if room is None else f"room for {room} worms at the start"
    return f"a map of {world.width}x{world.height}, {where}"


def read_size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and all(side.isascii() and side.isdigit() and len(side) < 10 for side in (width, height))):
        raise InvalidSize(f"{text[:40]!r} is no size: say width x height, such as 40x12")
    if not (MIN_WIDTH <= int(width) <= MOST_SIDE and MIN_HEIGHT <= int(height) <= MOST_SIDE):
        raise InvalidSize(
            f"a map of {text[:40]} cannot be made: at least {MIN_WIDTH}x{MIN_HEIGHT}, at most {MOST_SIDE}x{MOST_SIDE}"
        )
    return int(width), int(height)


def read_text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise InvalidFile(f"{file} cannot be read: {error.strerror or error}") from None


def write_new(file: Path, data: bytes) -> None:
    """Nothing that is there already is written over."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "xb") as output:
            output.write(data)
    except FileExistsError:
        raise InvalidFile(f"{file} is there already: choose another name") from None
    except OSError as error:
        raise InvalidFile(f"{file} cannot be written: {error.strerror or error}") from None
