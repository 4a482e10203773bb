"""The command turntile as people and programs use it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from importlib import import_module
from pathlib import Path

import pytest
import typer

from tests.cli.terminal import Here, OnTerminal, command, environment, turntile_run
from turntile.cli.main import FURTHER_WORDS
from turntile.core.registry import find, our_names
from turntile.match.replay import read_replay, verify

TRON = find("tron")
SMALL = ("-s", "greedy", "-s", "random", "--set", "size=11")


def replays(home: Path) -> list[Path]:
    return sorted((home / "data" / "turntile" / "replays").rglob("*.jsonl"))


# ------------------------------------------------------------------- help and lists


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("menu",),
        ("serve",),
        ("server", "backup"),
        ("server", "restore"),
        ("server", "check"),
        ("server", "token"),
        ("server", "password"),
        ("server", "disable"),
        ("games",),
        ("play",),
        ("run",),
        ("replay", "show"),
        ("replay", "verify"),
        ("render",),
        ("bench",),
        ("game", "check"),
        ("bot", "check"),
    ],
)
def test_help_has_examples(here: Here, tmp_path: Path, words: tuple[str, ...]) -> None:
    ended = here(*words, "--help")
    assert ended.code == 0
    assert "Examples\n" in ended.out
    assert re.search(r"^ *turntile " + " ".join(words), ended.out, re.MULTILINE)


@pytest.mark.parametrize("word", ["worms", "roborace"])
def test_games_bring_words_of_their_own(here: Here, word: str) -> None:
    assert re.search(rf"^  {word} ", here("--help").out, re.MULTILINE)
    assert here(word, "--help").code == 0
    assert here(word, "frob").code == 2


@pytest.mark.parametrize("word", FURTHER_WORDS)
def test_the_line_of_help_of_a_word_is_its_own(word: str) -> None:
    """`turntile --help` does not load them for it."""
    command = typer.main.get_command(import_module(f"turntile.cli.{word}").app)
    assert command.get_short_help_str(200) == FURTHER_WORDS[word]


def test_help_loads_no_contest_and_no_server(tmp_path: Path) -> None:
    ended = subprocess.run(
        [command()[0], "-X", "importtime", *command("--help")[1:]],
        capture_output=True,
        env=environment(tmp_path),
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in ended.stderr.decode().splitlines()}
    assert "turntile.cli.main" in loaded
    assert not {name for name in loaded if name.startswith(("turntile.contest", "turntile.server", "fastapi", "numpy"))}


def test_the_version_is_told(here: Here, tmp_path: Path) -> None:
    assert re.fullmatch(r"turntile \d+\.\d+\.\d+\n", here("--version").out)


def test_games_are_listed_with_their_bots_from_easy_to_strong(here: Here, tmp_path: Path) -> None:
    listed = here("games").out
    for name in our_names():
        assert re.search(rf"^{name} ", listed, re.MULTILINE)
    data = {entry["name"]: entry for entry in json.loads(here("games", "--json").out)}
    assert [bot["name"] for bot in data["tron"]["bots"]] == [kind.name for kind in TRON.bots]
    assert data["tron"]["players"] == [2, 4]
    one = json.loads(here("games", "tron", "--json").out)
    assert one == data["tron"]
    assert "size: the side of a random board" in here("games", "tron").out


def test_the_shell_completes_games_seats_and_options(tmp_path: Path) -> None:
    def complete(line: str) -> list[str]:
        ended = turntile_run(
            tmp_path, _TURNTILE_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(line.split(" ")) - 1)
        )
        return ended.out.split()

    assert complete("turntile play tr") == ["tron"]
    assert complete("turntile run tron --seat gr") == ["greedy"]
    assert complete("turntile run tron --set si") == ["size="]
    assert "replay" in complete("turntile re")


# ------------------------------------------------------------------- run


def test_a_run_keeps_its_replay_by_default(tmp_path: Path) -> None:
    ended = turntile_run(tmp_path, "run", "tron", "-s", "greedy", "-s", "random", "--seed", "5")
    assert ended.code == 0, ended
    (path,) = replays(tmp_path)
    assert f"replay: {path}" in ended.out
    assert "seed 5" in ended.out
    replay = read_replay(path.read_bytes())
    assert [seat.name for seat in replay.header.seats] == ["greedy", "random"]
    assert verify(replay, TRON).outcome is not None
    assert turntile_run(tmp_path, "replay", "verify", path).out.startswith(f"{path} is what was played: every byte")


def test_the_same_seed_is_the_same_match(here: Here, tmp_path: Path) -> None:
    told = [
        json.loads(
            here("run", "tron", "-s", "greedy", "--set", "size=11", "--seed", seed, "--json", "--no-save").out.split(
                "\n"
            )[0]
        )
        for seed in (5, 5, 6)
    ]
    for match in told:
        del match["seconds"]
    assert told[0] == told[1] != told[2]
    assert not replays(tmp_path)


def test_many_matches_are_summed_up(here: Here, tmp_path: Path) -> None:
    ended = turntile_run(
        tmp_path,
        "run",
        "tron",
        *SMALL,
        "-n",
        6,
        "--swap",
        "--json",
        "--seed",
        1,
        "--save",
        tmp_path / "all",
    )
    *matches, summary = [json.loads(line) for line in ended.out.splitlines()]
    assert len(matches) == summary["matches"] == 6
    assert [match["players"] for match in matches[:2]] == [["greedy", "random"], ["random", "greedy"]]
    assert matches[0]["seed"] == matches[1]["seed"] != matches[2]["seed"], "each order of seats plays each seed"
    assert summary["standings"][0]["won"] == sum(
        match["places"][match["players"].index("greedy")] < match["places"][match["players"].index("random")]
        for match in matches
    )
    assert [path.name for path in sorted((tmp_path / "all").iterdir())] == [f"{n}.jsonl" for n in range(1, 7)]
    again = here("run", "tron", *SMALL, "--seed", matches[2]["seed"], "--json", "--no-save")
    assert json.loads(again.out.splitlines()[0])["scores"] == matches[2]["scores"], "a match's own seed repeats it"
    table = here("run", "tron", *SMALL, "-n", 4, "--no-save")
    assert re.search(r"^greedy +\d+ +\d+ +\d+", table.out, re.MULTILINE)
    assert table.err == "", "no progress bar in a pipe"


def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    screen = OnTerminal(tmp_path, "run", "tron", *SMALL, "-n", 30, "--no-save", TERM="xterm-256color")
    screen.wait_for("/30")
    assert screen.end() == 0
    assert "30 matches, " in screen.seen


def test_seats_options_and_a_packed_replay(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl.zst"
    ended = here("run", "tron", *["-s", "random"] * 3, "--set", "board=ring", "--clock", "1s*5+100ms", "--save", path)
    assert ended.code == 0, ended
    header = read_replay(path.read_bytes()).header
    assert (len(header.seats), header.clock) == (3, "1s*5+100ms")
    assert header.options is not None
    assert (header.options["players"], header.options["board"]) == (3, "ring")
    assert here("run", "tron", "--save", path, "--overwrite").code == 0


def test_a_board_can_come_from_a_file(here: Here, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("\n".join(["#" * 13, *["#" + "." * 11 + "#"] * 11, "#" * 13]) + "\n")
    ended = here("run", "tron", "--set", f"map=@{board}", "--json", "--no-save")
    assert ended.code == 0, ended


def test_a_position_goes_around(here: Here, tmp_path: Path) -> None:
    """A step of a replay as text, and a match that goes on from it."""
    path = tmp_path / "match.jsonl"
    here("run", "tron", "-s", "greedy", "--seed", 5, "--save", path)
    shown = here("replay", "show", path, "--step", 4, "--position")
    place = tmp_path / "position.txt"
    place.write_text(shown.out)
    TRON.read_position(shown.out)
    ended = here("run", "tron", "-s", "greedy", "--from", place, "--save", tmp_path / "on.jsonl")
    assert ended.code == 0, ended
    assert here("replay", "verify", tmp_path / "on.jsonl").code == 0
    assert "started from a position" in here("replay", "show", tmp_path / "on.jsonl").out


def test_the_same_match_again_is_kept_beside_the_first(here: Here, tmp_path: Path) -> None:
    for _ in range(3):
        assert here("run", "tron", "-s", "random", "-s", "random", "--seed", 5).err == ""
    assert len(replays(tmp_path)) == 3
    ended = here("run", "tron", "-s", "random", "-s", "random", "--seed", 5, "-n", 2)
    assert sum(f"replays: {path.parent}\n" in ended.out for path in replays(tmp_path)) == 2, (
        "the folder that is told is the real one"
    )


def test_a_home_that_cannot_be_written_costs_only_the_replay(here: Here, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    ended = here("run", "tron", "-s", "random", "-s", "random")
    assert ended.code == 0
    assert ended.err.startswith("turntile: no replay is kept: ")
    assert ended.err.endswith("--save FILE chooses another place\n")


# ------------------------------------------------------------------- stopping


def start_endless(home: Path, *more: str) -> subprocess.Popen[bytes]:
    """A run that goes on for hours: bots that think long on the largest board."""
    words = ("run", "tron", "-s", "tree:150", "-s", "tree:150", "--set", "size=50", "--seed", "5", *more)
    return subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home))


def wait_for_steps(path: Path, steps: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if path.exists() and path.read_bytes().count(b'"step":') >= steps:
            return
        time.sleep(0.05)
    raise AssertionError(f"no {steps} steps in {path}")


def test_ctrl_c_keeps_the_replay_so_far(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    process = start_endless(tmp_path, "--save", str(path))
    wait_for_steps(tmp_path / "match.jsonl.part", 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert re.fullmatch(rf"turntile: stopped in match 1 after \d+ steps; the replay so far: {path}\n", said.decode())
    replay = read_replay(path.read_bytes())
    assert replay.end is not None
    assert replay.end.stopped == "stopped with Ctrl-C"
    assert verify(replay, TRON).step_number >= 2
    assert [file.name for file in tmp_path.glob("match*")] == ["match.jsonl"]


def test_a_killed_match_leaves_lines_that_can_be_trusted(tmp_path: Path) -> None:
    process = start_endless(tmp_path, "--save", str(tmp_path / "match.jsonl"))
    part = tmp_path / "match.jsonl.part"
    wait_for_steps(part, 2)
    process.kill()
    process.communicate(timeout=60)

    ended = turntile_run(tmp_path, "replay", "show", part)
    assert ended.code == 2
    assert "--so-far makes do with them" in ended.err
    assert "breaks off after step" in turntile_run(tmp_path, "replay", "show", part, "--so-far").out
    proof = turntile_run(tmp_path, "replay", "verify", part, "--so-far", "--seed", 5)
    assert proof.code == 0, proof


def test_a_pipe_that_closes_early_is_no_fault(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command("run", "tron", "-s", "random", "-n", 300, "--json", "--no-save"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0


# ------------------------------------------------------------------- play in lines


def test_a_person_plays_in_lines(here: Here, tmp_path: Path) -> None:
    typed = "help\nboard\nwords\nactions\nfly\nup;up\n\nresign\n"
    ended = here("play", "tron", "--set", "board=arena", "--seed", 5, typed=typed)
    assert ended.code == 0, ended
    assert "type an action, or several" in ended.out
    assert "seat 0: 'fly' is no action" in ended.out
    assert "seat 0 resigned" in ended.out
    (path,) = replays(tmp_path)
    replay = read_replay(path.read_bytes())
    assert [seat.kind for seat in replay.header.seats] == ["human", "bot"]
    assert verify(replay, TRON).step_number == 3


@pytest.mark.parametrize(("typed", "why"), [("up\nquit\n", "seat 0 left"), ("up\n", "the input ended")])
def test_leaving_keeps_the_replay_so_far(here: Here, tmp_path: Path, typed: str, why: str) -> None:
    ended = here("play", "tron", "--plain", typed=typed)
    assert ended.code == 0
    assert f"no outcome: {why} after 1 steps" in ended.err
    (path,) = replays(tmp_path)
    end = read_replay(path.read_bytes()).end
    assert end is not None
    assert end.stopped == why


def test_a_match_nobody_moved_in_leaves_nothing(here: Here, tmp_path: Path) -> None:
    assert here("play", "tron", typed="quit\n").code == 0
    assert not list((tmp_path / "data").rglob("*.*"))


def test_a_shared_screen_is_covered_where_people_know_different_things(tmp_path: Path) -> None:
    """RoboRace's hands are secret: the keyboard changes hands behind a cleared screen. Tron's cycles see the same."""
    for game, covered in (("roborace", True), ("tron", False)):
        table = OnTerminal(tmp_path, "play", game, "-s", "human", "-s", "human", "--no-save")
        table.wait_for("seat 0> ")
        table.type("1 2 3 4 5" if covered else "up")
        if covered:
            table.wait_for("\x1b[2J")
            table.wait_for("seat 1, press Enter when nobody else looks")
            table.type("")
        table.wait_for("seat 1> ")
        table.type("quit")
        assert table.end() == 0


def test_two_people_share_a_keyboard(here: Here, tmp_path: Path) -> None:
    ended = here("play", "tron", "-s", "human", "-s", "human", "--set", "board=arena", typed="up\ndown\nquit\n")
    assert ended.code == 0
    assert "seat 1> " in ended.out
    assert "after 1 steps" in ended.err


def test_bots_can_be_watched_in_lines(here: Here, tmp_path: Path) -> None:
    ended = here("play", "tron", "-s", "random", "-s", "random", "--no-save", "--seed", 5)
    assert ended.code == 0
    assert "step 1: 0: " in ended.out
    assert "crashed into" in ended.out


@pytest.mark.parametrize("name", our_names())
def test_every_game_can_be_played_in_lines(here: Here, tmp_path: Path, name: str) -> None:
    ended = here("play", name, "--seed", 5, typed="actions\nnonsense\nresign\n")
    assert ended.code == 0, ended
    assert "resigned" in ended.out


def test_impossible_options_are_explained_and_asked_again_on_a_terminal(tmp_path: Path) -> None:
    table = OnTerminal(tmp_path, "play", "racers", "--set", "width=9", "--seed", 5)
    table.wait_for("turntile: ")
    table.wait_for("another KEY=VALUE, or Enter to leave: ")
    table.type("width=text")
    table.wait_for("width=text")
    table.wait_for("another KEY=VALUE, or Enter to leave: ")
    table.type("width=12")
    table.wait_for("seat 0> ")
    table.type("quit")
    assert table.end() == 0


def test_impossible_options_in_a_pipe_are_refused(here: Here, tmp_path: Path) -> None:
    ended = here("play", "racers", "--set", "width=9", typed="width=12\n")
    assert ended.code == 2
    assert ended.err.count("\n") == 1


def test_ctrl_c_at_the_question_ends_with_130(tmp_path: Path) -> None:
    table = OnTerminal(tmp_path, "play", "tron", "--set", "board=arena")
    table.wait_for("seat 0> ")
    table.type("up")
    table.wait_for("seat 0> ")
    os.killpg(table.process.pid, signal.SIGINT)
    assert table.end() == 130
    (path,) = replays(tmp_path)
    assert read_replay(path.read_bytes()).steps == 1


def test_ctrl_c_on_the_screen_ends_with_130_and_keeps_the_replay(tmp_path: Path) -> None:
    screen = OnTerminal(tmp_path, "play", "tron", "--turn-ms", 100, TERM="xterm-256color", COLORTERM="truecolor")
    screen.wait_for("starts")
    screen.press(" ")
    part = tmp_path / "data" / "turntile" / "replays"
    until = time.monotonic() + 30
    while not any(b'"step":2' in path.read_bytes() for path in part.glob("*.part")):
        assert time.monotonic() < until, "the match does not go on"
        screen.read()
    screen.press("\x03")
    assert screen.end() == 130
    (path,) = replays(tmp_path)
    end = read_replay(path.read_bytes()).end
    assert end is not None
    assert end.stopped == "stopped with Ctrl-C"


# ------------------------------------------------------------------- the menu


def test_the_menu_leads_to_a_match_and_quits_cleanly(tmp_path: Path) -> None:
    ended = turntile_run(tmp_path, "menu", typed="99\n1\nnobody\nrandom\n?\nboard=arena\n\nup\nquit\nq\n")
    assert ended.code == 0, ended
    assert "'99' is none of them" in ended.out
    assert "'nobody' is none of them" in ended.out
    assert "size: the side of a random board" in ended.out
    (path,) = replays(tmp_path)
    header = read_replay(path.read_bytes()).header
    assert [seat.name for seat in header.seats] == ["human", "random"]
    assert header.options is not None
    assert header.options["board"] == "arena"


def test_number_keys_are_enough_on_a_terminal(tmp_path: Path) -> None:
    menu = OnTerminal(tmp_path, "menu")
    menu.wait_for("which game?")
    menu.press("1")
    menu.wait_for("against whom?")
    menu.press("1")
    menu.wait_for("Enter starts")
    menu.type("board=arena")
    menu.wait_for("Enter starts")
    menu.type("")
    menu.wait_for("seat 0> ")
    menu.type("quit")
    menu.wait_for("which game?")
    menu.press("t")
    menu.type("ron")
    menu.wait_for("against whom?")
    menu.press("q")
    assert menu.end() == 0


@pytest.mark.parametrize("typed", ["", "q\n", "1\nq\n", "tron\n1\n"])
def test_the_menu_can_be_left_anywhere(here: Here, tmp_path: Path, typed: str) -> None:
    ended = here("menu", typed=typed)
    assert (ended.code, ended.err) == (0, "")


# ------------------------------------------------------------------- replays as lines and pictures


def test_a_replay_is_told_in_lines(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("run", "tron", "-s", "greedy", "-s", "random", "--seed", 5, "--set", "size=15", "--save", path)
    told = here("replay", "show", path).out
    assert "tron, rules version 1; seats: 0 greedy, 1 random" in told
    assert "options: size=15" in told
    assert re.search(r"^ +1  0: \w+  1: ", told, re.MULTILINE)
    assert "crashed into" in told
    assert "1st" in told
    *steps, last = [json.loads(line) for line in here("replay", "show", path, "--json", "--seat", 1).out.splitlines()]
    assert steps[0]["header"]["game"] == "tron"
    assert set(steps[1]["actions"]) == {"1"}, "a seat sees its own actions"
    assert last["outcome"]["places"]
    assert here("replay", "show", path, "--boards").out.count("Turn ") >= len(steps)


def test_a_replay_is_drawn(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("run", "tron", "-s", "random", "-s", "random", "--seed", 5, "--set", "size=9", "--save", path)
    begins = {"svg": b"<svg", "png": b"\x89PNG", "gif": b"GIF89a", "html": b"<!doctype html"}
    for kind, magic in begins.items():
        out = tmp_path / f"match.{kind}"
        ended = here("render", path, "-o", out)
        assert ended.code == 0, ended
        assert out.read_bytes().lower().startswith(magic.lower())
    first, last = tmp_path / "first.svg", tmp_path / "match.svg"
    here("render", path, "-o", first, "--step", 0)
    assert first.read_bytes() != last.read_bytes()
    assert not list(tmp_path.glob("*.part"))


# ------------------------------------------------------------------- for authors


def test_a_game_is_checked(here: Here, tmp_path: Path) -> None:
    ended = here("game", "check", "tron", "-n", 2)
    assert ended.code == 0, ended
    assert "tron: all 12 checks passed" in ended.out
    data = json.loads(here("game", "check", "tron", "-n", 1, "--json").out)
    assert data["failed"] == 0
    assert set(data["checks"]) >= {"legality", "words", "positions", "gears", "secrets"}


def test_the_bench_measures_both_gears(tmp_path: Path) -> None:
    ended = turntile_run(tmp_path, "bench", "tron", "--json", "--seconds", 0.05)
    figures = json.loads(ended.out)["tron"]
    assert figures["interpreted_steps_per_s"] > 1000
    assert figures["compiled_steps_per_s"] > 20 * figures["interpreted_steps_per_s"]
    assert 0 < figures["clone_us"] < 10
    assert 0 < figures["first_move_s"] < 10
    table = turntile_run(tmp_path, "bench", "tron", "--seconds", 0.02).out.splitlines()
    assert len(table) == 2
    assert table[1].startswith("tron ")


FIRST_MOVE = """
import sys, time
from turntile.cli.main import main
from turntile.players.host import Host
tell = Host.tell
def tell_and_stop(host, steps):
    tell(host, steps)
    if steps:
        print(time.process_time())
        sys.exit(7)
Host.tell = tell_and_stop
sys.argv = ["turntile", "run", "tron", "--no-save"]
main()
"""


def test_the_first_move_of_a_run_comes_within_half_a_second(tmp_path: Path) -> None:
    """Counted in the process's own time, so that a busy machine does not make it fail."""
    ended = subprocess.run(
        [command()[0], "-c", FIRST_MOVE], capture_output=True, env=environment(tmp_path), timeout=60, check=False
    )
    assert ended.returncode == 7, ended
    assert float(ended.stdout) < 0.5


def test_a_run_loads_no_screen_and_no_picture(tmp_path: Path) -> None:
    """Start-up time is the sum of what is loaded."""
    ended = subprocess.run(
        [command()[0], "-X", "importtime", *command("run", "tron", "--no-save")[1:]],
        capture_output=True,
        env=environment(tmp_path),
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in ended.stderr.decode().splitlines()}
    assert "turntile.match.match" in loaded
    assert not {"textual", "numpy", "PIL", "rich", "zstandard", "turntile.screens", "turntile.forge.translate"} & loaded
