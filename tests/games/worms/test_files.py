"""The prescribed program's files: the ini, the map, the names, the seed; each fault on its own, and exit codes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import rule
from turntile.cli.swworms import CONFIG_ERROR, USAGE_ERROR, run
from turntile.games.worms.maps import find_faults, make_island, read_map, spawn_room, write_map

CONFIG_LINE = "[ERROR] invalid config file!\n"

INI = """\
[general]
PROMT=>
MAP=map.txt
WORM_NAMES=names.txt

[player]
NUM_PLAYER=2
NUM_WORMS=1
PLAYER0=~
PLAYER1=*
"""

MAP = """\
#SWORMS
# a comment

SIZE: 6 3
MAP:
AAAAAA
AAAAAA
EEEEEE
"""

NAMES = "Anna\nBerta\nCara\n"


class Result(NamedTuple):
    code: int
    output: str
    warnings: str


class Folder:
    """A folder with the three files, and the program run on them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("config.ini", INI)
        self.write("map.txt", MAP)
        self.write("names.txt", NAMES)

    def write(self, name: str, text: str | bytes) -> None:
        (self.path / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def run(self, typed: str = "quit\n", seed: str | None = "1", *, ini: str = "config.ini") -> Result:
        output, warnings = BytesIO(), BytesIO()
        environment = {} if seed is None else {"RAND_SEED": seed}
        code = run([str(self.path / ini)], environment, BytesIO(typed.encode()), output, warnings)
        return Result(code, output.getvalue().decode("utf-8", "surrogateescape"), warnings.getvalue().decode())

    def is_refused(self) -> bool:
        """With the prescribed line, its exit code and nothing else."""
        return self.run() == Result(CONFIG_ERROR, CONFIG_LINE, "")

    def is_played(self) -> bool:
        result = self.run()
        return result.code == 0 and result.output.startswith("spawning ") and result.output.endswith("> ")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


# ------------------------------------------------------------------------- the program as a whole


def command(*arguments: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    surroundings = {**os.environ, **environment}
    surroundings.pop("TURNTILE_CHECKED", None)
    program = [sys.executable, "-m", "turntile.cli.swworms", *arguments]
    return subprocess.run(program, input=typed, capture_output=True, env=surroundings, check=False)


@rule("R-usage", "E3", "O11")
@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a", "b", "c"]])
def test_any_other_number_of_arguments_than_one_is_a_usage_error(arguments: list[str]) -> None:
    result = command(*arguments)

    assert (result.returncode, result.stdout) == (255, b"[ERROR] usage: ./swworms <config-file>\n")
    assert result.stderr == b""
    assert USAGE_ERROR == 255


@rule("R-bad-config", "E3", "I2", "O11")
def test_a_missing_ini_file_is_a_configuration_error(folder: Folder) -> None:
    result = command(str(folder.path / "nothing.ini"))

    assert (result.returncode, result.stdout, result.stderr) == (254, CONFIG_LINE.encode(), b"")


@rule("R-config", "R-quit", "R-exit", "E3")
def test_it_plays_in_a_pipe_and_ends_with_zero(folder: Folder) -> None:
    for typed in (b"quit\n", b"", b"action idle\nmap\n"):
        result = command(str(folder.path / "config.ini"), typed=typed, RAND_SEED="1")
        assert (result.returncode, result.stderr) == (0, b"")
        assert result.stdout.endswith(b"> ")


@rule("R-prompt")
def test_all_output_is_out_before_it_waits(folder: Folder) -> None:
    """Somebody at the other end of a pipe sees the prompt before typing anything."""
    program = [sys.executable, "-m", "turntile.cli.swworms", str(folder.path / "config.ini")]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        seen = b""
        while not seen.endswith(b"> "):
            seen += process.stdout.read(1)
        process.stdin.write(b"choose melee\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"Chose weapon melee Ammunition: 1\n"
        process.stdin.close()
        assert process.wait() == 0


@rule("R-config")
def test_it_starts_within_three_tenths_of_a_second(folder: Folder) -> None:
    """Of processor time, the best of five: others may be at work on this machine."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert command(str(folder.path / "config.ini")).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)

    assert min(times) < 0.3, times


@rule("R-config")
def test_it_loads_nothing_that_takes_long() -> None:
    heavy = ("typer", "textual", "rich", "numpy", "msgspec", "PIL")
    code = f"import sys, turntile.cli.swworms; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout == "[]\n"


@rule("O11")
def test_a_reader_that_goes_away_is_no_reason_to_complain(folder: Folder) -> None:
    program = [sys.executable, "-m", "turntile.cli.swworms", str(folder.path / "config.ini")]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stdin.write(b"map\n" * 2000)
        process.stdin.close()
        assert process.stderr.read() == b""


@rule("R-end", "R-exit", "O1")
def test_a_game_that_is_over_at_the_start_ends_at_once(folder: Folder) -> None:
    folder.write("map.txt", "#SWORMS\nSIZE: 1 2\nMAP:\nA\nW\n")
    result = folder.run("map\n")

    assert result.code == 0
    assert result.output.endswith("Current Map:\n  0\n 0  0\n 1W 1\n  0\nEND: Draw\n")


# ------------------------------------------------------------------------- the ini file


@rule("I3", "R-config")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("[general]\nPROMT=>", "[GENERAL]\n promt = > ", id="case and blanks"),
        pytest.param("[general]", "; a comment\n\n  # another\n[ General ]", id="comments and blanks in brackets"),
        pytest.param("PLAYER1=*", "PLAYER1=*\ncolour=red\n[sound]\nvolume=11", id="unknown keys and sections"),
        pytest.param("[player]\n", "[player]\n[general]\n[player]\n", id="a section opened again"),
        pytest.param("PLAYER0=~\nPLAYER1=*", "PLAYER1=*\nPLAYER0=~", id="another order"),
        pytest.param("PLAYER0=~", "PLAYER0=ä", id="one character of two bytes"),
        pytest.param("PLAYER0=~", "PLAYER0==", id="an equals sign as a value"),
        pytest.param("NUM_PLAYER=2", "NUM_PLAYER=002", id="leading zeros"),
        pytest.param("\n", "\r\n", id="CR LF"),
    ],
)
def test_what_an_ini_file_may_look_like(folder: Folder, old: str, new: str) -> None:
    assert old in INI
    folder.write("config.ini", INI.replace(old, new))

    assert folder.is_played()


@rule("I3", "R-prompt", "O1")
def test_inner_blanks_of_a_value_are_kept(folder: Folder) -> None:
    folder.write("config.ini", INI.replace("PROMT=>", "PROMT= your  move: "))

    assert folder.run().output.endswith(" ready\nyour  move: ")


@rule("I3", "I4", "I2", "R-bad-config")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(pytest.param(line + "\n", "", id=f"without {line}") for line in INI.split("\n") if "=" in line),
        *(
            pytest.param(line, line.partition("=")[0] + "= \t", id=f"empty {line}")
            for line in INI.split("\n")
            if "=" in line
        ),
        pytest.param("[general]\n", "", id="a key before any section"),
        pytest.param("[player]\n", "", id="keys in the wrong section"),
        pytest.param("PROMT=>", "PROMT", id="no equals sign"),
        pytest.param("PROMT=>", "PROMT:>", id="a colon"),
        pytest.param("PROMT=>", "=>", id="no key"),
        pytest.param("PROMT=>", "PROMT=>\npromt=>", id="a key twice"),
        pytest.param("[player]", "[player] ; comment", id="an inline comment"),
        pytest.param("[player]", "[player", id="an open bracket"),
        pytest.param("NUM_PLAYER=2", "NUM_PLAYER=3", id="three players"),
        pytest.param("NUM_PLAYER=2", "NUM_PLAYER=two", id="a word for a number"),
        pytest.param("NUM_WORMS=1", "NUM_WORMS=0", id="no worms"),
        pytest.param("NUM_WORMS=1", "NUM_WORMS=-1", id="a sign"),
        pytest.param("NUM_WORMS=1", "NUM_WORMS=1 ; each", id="a comment behind a number"),
        pytest.param("NUM_WORMS=1", "NUM_WORMS=1.0", id="a point"),
        pytest.param("PLAYER0=~", "PLAYER0=~~", id="two characters"),
        pytest.param("PLAYER1=*", 'PLAYER1="*"', id="quotes"),
        pytest.param("MAP=map.txt", "MAP=other.txt", id="a map that is not there"),
        pytest.param("MAP=map.txt", "MAP=.", id="a folder for a map"),
        pytest.param("MAP=map.txt", "MAP=map\0.txt", id="a zero byte in a path"),
    ],
)
def test_what_makes_an_ini_file_invalid(folder: Folder, old: str, new: str) -> None:
    assert old in INI
    folder.write("config.ini", INI.replace(old, new, 1))

    assert folder.is_refused()


@rule("I2", "R-bad-config")
def test_a_folder_an_empty_and_a_binary_file_are_no_ini_file(folder: Folder) -> None:
    (folder.path / "sub").mkdir()
    assert folder.run(ini="sub") == Result(CONFIG_ERROR, CONFIG_LINE, "")
    for text in (b"", b"\xff\xfe\x00[general]", b"\0" * 10_000_000):
        folder.write("config.ini", text)
        assert folder.is_refused()


@rule("I2", "R-bad-config")
@pytest.mark.parametrize("name", ["config.ini", "map.txt"])
def test_a_file_that_cannot_be_read_is_a_configuration_error(folder: Folder, name: str) -> None:
    """A link to itself: not even root can open it."""
    (folder.path / name).unlink()
    (folder.path / name).symlink_to(folder.path / name)

    assert folder.is_refused()


@rule("I2")
def test_paths_are_tried_from_the_working_directory_then_from_the_inis_folder(
    folder: Folder, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    assert folder.is_played()

    (elsewhere / "names.txt").write_text("Zoe\n")
    assert "spawning Zoe (1)" in folder.run().output
    (elsewhere / "map.txt").write_text("no map")
    assert folder.is_refused()


@rule("I4", "R-signs", "R-start")
def test_ids_and_signs_follow_the_ini(folder: Folder) -> None:
    folder.write("config.ini", INI.replace("NUM_WORMS=1", "NUM_WORMS=3").replace("PLAYER0=~", "PLAYER0=E"))
    folder.write("map.txt", MAP.replace("SIZE: 6 3", "SIZE: 6 4").replace("MAP:\n", "MAP:\nAAAAAA\n"))
    output = folder.run("state\n").output

    assert [line.split("(")[1][0] for line in output.split("\n") if line.startswith("spawning")] == list("123456")
    assert output.count(" HP (") == 6
    signs = [line[-1] for line in output.split("\n") if " HP (" in line]
    assert signs == ["E", "E", "E", "*", "*", "*"]


# ------------------------------------------------------------------------- the map file


@rule("I1", "I5", "R-map-file", "R-map-comments", "R-map-rows")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("\n", "\r\n", id="CR LF"),
        pytest.param("SIZE: 6 3", "SIZE:6\t3", id="no blank before, a tab between"),
        pytest.param("SIZE: 6 3", "SIZE: \t 06   0003 \t", id="blanks around, leading zeros"),
        pytest.param("MAP:", "MAP: \t", id="blanks behind MAP:"),
        pytest.param("AAAAAA\nEEEEEE", "AAAAAA\n\n# between rows\n   \nEEEEEE", id="lines between rows"),
        pytest.param("EEEEEE\n", "EEEEEE\n\n#behind\n \t\n", id="lines behind the rows"),
        pytest.param("EEEEEE\n", "EEEEEE", id="no final newline"),
        pytest.param("# a comment\n", "#SWORMS\n#SIZE: 1 1\n", id="comments that look like more"),
        pytest.param("EEEEEE\n", "EWEEEE\n", id="water"),
    ],
)
def test_what_a_map_file_may_look_like(folder: Folder, old: str, new: str) -> None:
    assert old in MAP
    folder.write("map.txt", MAP.replace(old, new))

    assert folder.is_played()
    assert list(find_faults(MAP.replace(old, new))) == []


@rule("I1", "I5", "R-bad-map", "R-map-file", "R-map-rows", "R-bad-config")
@pytest.mark.parametrize(
    ("old", "new", "place", "fault"),
    [
        pytest.param("#SWORMS", "#sworms", (1, 1), "first line", id="wrong magic"),
        pytest.param("#SWORMS", "#SWORMS ", (1, 1), "first line", id="a blank behind the magic"),
        pytest.param("#SWORMS", "\n#SWORMS", (1, 1), "first line", id="an empty line before the magic"),
        pytest.param("#SWORMS", "\ufeff#SWORMS", (1, 1), "first line", id="a byte order mark"),
        pytest.param("SIZE: 6 3", "SIZE: 6 3\nSIZE: 6 3", (5, 1), "second time", id="SIZE twice"),
        pytest.param("SIZE: 6 3\n", "", (4, 1), "SIZE must stand before MAP", id="SIZE missing"),
        pytest.param("SIZE: 6 3\nMAP:", "MAP:\nSIZE: 6 3", (4, 1), "SIZE must stand before MAP", id="SIZE after MAP"),
        pytest.param("SIZE: 6 3", "size: 6 3", (4, 1), "only SIZE:", id="small letters"),
        pytest.param("SIZE: 6 3", " SIZE: 6 3", (4, 1), "only SIZE:", id="SIZE indented"),
        pytest.param("SIZE: 6 3", "SIZE 6 3", (4, 1), "two whole numbers", id="no colon"),
        pytest.param("SIZE: 6 3", "SIZE: 6x3", (4, 1), "two whole numbers", id="a cross"),
        pytest.param("SIZE: 6 3", "SIZE: 6", (4, 1), "two whole numbers", id="one number"),
        pytest.param("SIZE: 6 3", "SIZE: 6 3 1", (4, 1), "two whole numbers", id="three numbers"),
        pytest.param("SIZE: 6 3", "SIZE: 6 -3", (4, 1), "two whole numbers", id="a sign"),
        pytest.param("SIZE: 6 3", "SIZE: 0 3", (4, 7), "at least 1", id="no width"),
        pytest.param("SIZE: 6 3", "SIZE: 6 " + "9" * 5000, (8, 1), "rows instead of", id="an absurd height"),
        pytest.param("MAP:\n", "", (5, 1), "only SIZE:", id="MAP missing"),
        pytest.param("MAP:", "MAP:\nMAP:", (6, 1), "second time", id="MAP twice"),
        pytest.param("MAP:", "MAP: AAAAAA", (5, 1), "alone", id="a row behind MAP:"),
        pytest.param("\nEEEEEE\n", "\nEEEEE\n", (8, 6), "5 fields instead of 6", id="a short row"),
        pytest.param("\nEEEEEE\n", "\nEEEEEEE\n", (8, 7), "7 fields instead of 6", id="a long row"),
        pytest.param("\nEEEEEE\n", "\nEEEEEE \n", (8, 7), "a blank", id="a blank behind a row"),
        pytest.param("\nEEEEEE\n", "\nEE EEE\n", (8, 3), "a blank", id="a blank in a row"),
        pytest.param("\nEEEEEE\n", "\nEEXEEE\n", (8, 3), "'X' is no field", id="a wrong letter"),
        pytest.param("\nEEEEEE\n", "\nEEeEEE\n", (8, 3), "'e' is no field", id="a small letter"),
        pytest.param("\nEEEEEE\n", "\n", (7, 1), "2 rows instead of 3", id="a row missing"),
        pytest.param("MAP:\nAAAAAA", "MAP:\nAAAEAA", (6, 4), "top row", id="earth in the top row"),
        pytest.param("MAP:\nAAAAAA", "MAP:\nAAAAAW", (6, 6), "top row", id="water in the top row"),
        pytest.param("EEEEEE\n", "EEEEEE\nEEEEEE\n", (9, 1), "text behind the map", id="a row too many"),
        pytest.param("EEEEEE\n", "EEEEEE\nthe end\n", (9, 1), "text behind the map", id="text behind the map"),
        pytest.param("EEEEEE\n", "EEEEEE\n #\n", (9, 1), "text behind the map", id="an indented comment"),
    ],
)  # fmt: skip
def test_what_makes_a_map_file_invalid(folder: Folder, old: str, new: str, place: tuple[int, int], fault: str) -> None:
    """Each refused by the program; the map tools say where and why."""
    assert old in MAP
    text = MAP.replace(old, new, 1)
    folder.write("map.txt", text)

    assert folder.is_refused()
    found = list(find_faults(text))
    assert (found[0].line, found[0].column) == place, found
    assert fault in found[0].text
    assert read_map(text) is None


@rule("R-bad-map", "I1")
@pytest.mark.parametrize(
    "text",
    [b"", b"\xff" * 1000, b"#SWORMS\n" + b"A" * 10_000_000, b"#SWORMS\n" + b"\n" * 10_000_000, b"\0" * 10_000_000],
    ids=["empty", "binary", "one line of 10 MB", "10 MB of empty lines", "10 MB of zeros"],
)
def test_files_that_are_no_maps_are_refused_whatever_their_size(folder: Folder, text: bytes) -> None:
    folder.write("map.txt", text)

    assert folder.is_refused()


@rule("I1")
def test_no_map_is_too_large_for_the_prescribed_program(folder: Folder) -> None:
    """10 MB of map: wider and higher than the arena takes, with rows beyond 99 and columns beyond 127."""
    width, height = 10_000, 1_000
    rows = ["A" * width] * (height - 1) + ["E" * width]
    folder.write("map.txt", f"#SWORMS\nSIZE: {width} {height}\nMAP:\n" + "\n".join(rows))
    result = folder.run("choose teleporter\naction 9999 998\nquit\n")

    assert result.code == 0
    assert "\n999" + "E" * width + "999\n" in result.output
    assert f"at ({height - 2}, " in result.output
    last = result.output.split("Current Map:\n")[2].split("\n")
    assert last[1 + 998].endswith("~998")


@rule("I4", "Z7", "I1")
def test_no_team_is_too_large_for_the_prescribed_program(folder: Folder) -> None:
    """300 worms each, all in one column of 700 rows."""
    folder.write("config.ini", INI.replace("NUM_WORMS=1", "NUM_WORMS=300"))
    folder.write("map.txt", "#SWORMS\nSIZE: 1 700\nMAP:\n" + "A\n" * 699 + "E\n")
    result = folder.run("state\n")

    assert result.code == 0
    assert " (600) at (0, 0)\n" in result.output
    assert "(600) 100 HP (99, 0) *\n" in result.output


@rule("Z7")
@pytest.mark.parametrize("team", [2, 3, 9_999_999_999])
def test_without_room_at_the_top_the_start_fails_after_the_worms_so_far(folder: Folder, team: int) -> None:
    """Two columns with room for one worm each."""
    folder.write("config.ini", INI.replace("NUM_WORMS=1", f"NUM_WORMS={team}"))
    folder.write("map.txt", "#SWORMS\nSIZE: 2 2\nMAP:\nAA\nEE\n")
    result = folder.run()

    assert result.code == CONFIG_ERROR
    lines = result.output.split("\n")
    assert [line.startswith("spawning ") for line in lines[:2]] == [True, True]
    assert lines[2:] == [CONFIG_LINE.rstrip("\n"), ""]


# ------------------------------------------------------------------------- names and the seed


def first_names(output: str) -> list[str]:
    return [line[len("spawning ") :].rpartition(" (")[0].rpartition(" (")[0] for line in output.split("\n")[:2]]


@rule("Z1", "Z5")
@pytest.mark.parametrize("text", [None, ""])
def test_without_names_every_worm_is_unknown(folder: Folder, text: str | None) -> None:
    if text is None:
        (folder.path / "names.txt").unlink()
    else:
        folder.write("names.txt", text)

    assert first_names(folder.run().output) == ["unknown", "unknown"]


@rule("Z5", "I3")
@pytest.mark.parametrize(
    ("names", "name"),
    [
        (b"  Sir Blank  \n", "  Sir Blank  "),
        (b"Windows\r\n", "Windows"),
        (b"\n", ""),
        ("Jürgen".encode(), "Jürgen"),
        (b"\xff\xfeodd", "\udcff\udcfeodd"),
    ],
)
def test_each_line_is_a_name_as_it_stands(folder: Folder, names: bytes, name: str) -> None:
    """Blanks kept, an empty line is an empty name, bytes pass through."""
    folder.write("names.txt", names)

    assert first_names(folder.run().output) == [name, name]


@rule("Z1", "Z4", "Z5")
def test_with_one_name_a_word_is_drawn_for_it_all_the_same(folder: Folder) -> None:
    """So the columns are the same whether there is one name or three."""
    three = folder.run().output
    folder.write("names.txt", "Solo\n")
    one = folder.run().output

    places = [[line[line.rindex("(") :] for line in text.split("\n")[:2]] for text in (three, one)]
    assert places[0] == places[1]


@rule("Z1", "Z6")
def test_the_seed_decides_everything(folder: Folder) -> None:
    for seed in ("0", "1", "4294967295", "00001"):
        assert folder.run(seed=seed) == folder.run(seed=seed)
        assert folder.run(seed=seed).warnings == ""
    assert folder.run(seed="1") == folder.run(seed="00001")
    assert len({folder.run(seed=str(seed)).output for seed in range(20)}) > 10


@rule("Z1", "Z6", "O11")
@pytest.mark.parametrize("seed", ["", " 1", "-1", "+1", "1.0", "0x10", "abc", "4294967296", "9" * 5000, "١"])
def test_an_unreadable_seed_is_random_with_a_warning_on_stderr(folder: Folder, seed: str) -> None:
    result = folder.run(seed=seed)

    assert result.code == 0
    assert result.warnings.startswith("[WARNING] ") and result.warnings.count("\n") == 1


@rule("Z1")
def test_without_a_seed_it_is_random_without_a_warning(folder: Folder) -> None:
    results = [folder.run(seed=None) for _ in range(8)]

    assert {result.warnings for result in results} == {""}
    assert len({result.output for result in results}) > 1


# ------------------------------------------------------------------------- maps that are made


@rule("N-island")
@pytest.mark.parametrize("size", [(12, 8), (40, 12), (128, 64), (13, 40)])
def test_made_islands_are_maps_on_which_one_can_play(size: tuple[int, int]) -> None:
    """The file reads back; there is land in most columns, sea at both shores, and the same seed makes the same map."""
    width, height = size
    made = [make_island(seed, width, height) for seed in range(40)]

    assert made == [make_island(seed, width, height) for seed in range(40)]
    assert len(set(made)) > 20
    for world in made:
        assert read_map(write_map(world)) == world
        land = sum(1 in world.cells[column::width] for column in range(width))
        assert land >= width // 2
        bottom = world.cells[-width:]
        assert bottom[0] == bottom[-1] == 2
        room = spawn_room(*world)
        assert room is None or room >= 16


@rule("Z7")
def test_the_room_at_the_start_is_known_beforehand() -> None:
    """Every column counts from its first earth to the top; one that leads into water or out of the map never fills."""
    assert spawn_room(2, 3, bytes([0, 0, 0, 0, 1, 1])) == 4
    assert spawn_room(2, 3, bytes([0, 0, 1, 0, 2, 1])) == 3
    assert spawn_room(2, 3, bytes([0, 0, 0, 0, 2, 1])) is None
    assert spawn_room(1, 1, bytes([0])) is None
