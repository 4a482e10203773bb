"""`turntile worms`: every fault of a map with line and column, islands from a seed, files to begin with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import rule
from turntile.games.worms.maps import make_island, read_map


def turntile(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "turntile.cli", "worms", *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=False)


@rule("R-map-file")
def test_check_lists_every_fault_with_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("#SWORM\nSIZE: 4 3\nMAP:\nAEAA\nAxyA\nEEE\nWWWW\n")
    result = turntile("map", "check", str(file))

    assert (result.returncode, result.stdout) == (1, "")
    assert [line.removeprefix(f"{file}: ") for line in result.stderr.splitlines()] == [
        "line 1, column 1: the first line must be exactly #SWORMS",
        "line 4, column 2: E in the top row: only A may stand there",
        "line 5, column 2: 'x' is no field: use A (air), E (earth) or W (water)",
        "line 5, column 3: 'y' is no field: use A (air), E (earth) or W (water)",
        "line 6, column 4: this row has 3 fields instead of 4",
        "line 7, column 1: text behind the map: it has its 3 rows already",
    ]


@rule("R-map-file", "Z7")
def test_check_says_what_a_good_map_is(tmp_path: Path) -> None:
    file = tmp_path / "good.txt"
    file.write_text("#SWORMS\nSIZE: 3 3\nMAP:\nAAA\nAEA\nEEE\n")

    assert turntile("map", "check", str(file)).stdout == f"{file}: a map of 3x3, room for 5 worms at the start\n"


def test_of_very_many_faults_the_first_hundred_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("#SWORMS\nSIZE: 5000 1\nMAP:\n" + "x" * 5000)
    result = turntile("map", "check", str(file))

    assert len(result.stderr.splitlines()) == 101
    assert result.stderr.endswith("and 4900 more\n")


@rule("N-island")
def test_make_prints_or_writes_the_island_of_a_seed(tmp_path: Path) -> None:
    printed = turntile("map", "make", "--seed", "3", "--size", "30x14")
    assert read_map(printed.stdout) == make_island(3, 30, 14)

    file = tmp_path / "maps" / "island.txt"
    written = turntile("map", "make", "--seed", "3", "--size", "30X14", "-o", str(file))
    assert written.returncode == 0
    assert file.read_text() == printed.stdout
    again = turntile("map", "make", "--seed", "4", "-o", str(file))
    assert (again.returncode, again.stderr) == (2, f"turntile: {file} is there already: choose another name\n")
    assert file.read_text() == printed.stdout


@pytest.mark.parametrize("size", ["", "40", "40x", "x12", "40 12", "-1x12", "4x4", "9999x12", "9" * 9 + "x12", "4x9x3"])
def test_sizes_that_cannot_be_are_refused_in_one_line(size: str) -> None:
    result = turntile("map", "make", "--size", size)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("turntile: ") and result.stderr.count("\n") == 1


@rule("R-config")
def test_the_example_is_a_configuration_that_swworms_plays(tmp_path: Path) -> None:
    folder = tmp_path / "first game"
    assert turntile("example", str(folder)).returncode == 0
    assert sorted(file.name for file in folder.iterdir()) == [
        "caves.txt",
        "config.ini",
        "island.txt",
        "towers.txt",
        "worm_names.txt",
    ]
    program = [sys.executable, "-m", "turntile.cli.swworms", str(folder / "config.ini")]
    played = subprocess.run(program, input="action idle\nquit\n", capture_output=True, text=True, check=False)
    assert played.returncode == 0
    assert played.stdout.startswith("spawning ") and played.stdout.endswith("> ")
    assert turntile("example", str(folder)).returncode == 2
