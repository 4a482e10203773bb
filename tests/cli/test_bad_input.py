"""Bad input through the real command: one line that says what, where and what would do; exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.terminal import Ended, Here, OnTerminal, turntile_run
from tests.match.test_replay import chained, forged, lines_of, play
from turntile.core.registry import find

TRON = find("tron")


def refused(ended: Ended) -> str:
    """The one line."""
    assert ended.code == 2, ended
    assert ended.err.startswith("turntile: ")
    assert ended.err.count("\n") == 1, ended.err
    return ended.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("play", "trom"), "there is no game called 'trom': did you mean tron?"),
        (("run", "chess"), "there is no game called 'chess': there are tron, "),
        (("games", "chess"), "there is no game called 'chess'"),
        (("bench", "chess"), "there is no game called 'chess'"),
        (("game", "check", "chess"), "there is no game called 'chess'"),
        (("run", "tron", "-s", "gredy"), "tron has no bot called 'gredy': did you mean greedy?"),
        (("run", "tron", "-s", "tree:soon"), "tree:soon is no budget"),
        (("run", "tron", "-s", "human"), "run has no screen for people: turntile play has one"),
        (("run", "tron", "-s", "cmd:./bot"), "there is no program './bot' that can be run here"),
        (("run", "tron", *["-s", "random"] * 5), "5 players are named, but tron is for 2 to 4 players"),
        (
            ("run", "tron", "--set", "players=2", *["-s", "random"] * 3),
            "3 players are named, but this match of tron has 2",
        ),
        (("run", "tron", "--set", "sise=9"), "tron has no option 'sise': did you mean size?"),
        (("run", "tron", "--set", "size=0"), "size=0: it must be a whole number from 5 to 50"),
        (("run", "tron", "--set", "size"), "--set 'size' is no option: say --set KEY=VALUE"),
        (("run", "tron", "--set", "map=@nowhere.txt"), "nowhere.txt cannot be read: No such file or directory"),
        (("run", "tron", "--clock", "soon"), "'soon' is no time control: say 100ms"),
        (("run", "tron", "--gear", "fifth"), "there is no gear 'fifth': say compiled or interpreted"),
        (("run", "tron", "--seed", "-1"), "Invalid value for '--seed'"),
        (("run", "tron", "--seed", "x"), "Invalid value for '--seed'"),
        (("run", "tron", "--matches", "0"), "Invalid value for '--matches'"),
        (("run", "tron", "--from", "nowhere.txt"), "nowhere.txt cannot be read"),
        (("run", "tron", "--from", "x", "--set", "size=9"), "--from and --set do not go together"),
        (("run", "tron", "-n", "2", "--save", "x.jsonl"), "2 replays do not fit into one file: say --save FOLDER"),
        (("run", "tron", "--frob"), "No such option: --frob"),
        (("run",), "Missing argument 'GAME'"),
        (("frob",), "No such command 'frob': see turntile --help"),
        (("replay", "frob", "x"), "No such command 'frob': see turntile replay --help"),
        (("replay", "show", "nowhere.jsonl"), "nowhere.jsonl cannot be read: No such file or directory"),
        (("replay", "verify", "/"), "/ cannot be read: Is a directory"),
        (("render", "nowhere.jsonl", "-o", "x.gif"), "nowhere.jsonl cannot be read"),
    ],
)
def test_bad_words_are_refused_in_one_line(here: Here, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(here(*words))
    assert not list(tmp_path.rglob("*.jsonl*")), "nothing is written"


REPLAY = "match.jsonl"

# The list of what must be told well, each through a process of its own.
ISSUE_LIST: dict[str, tuple[tuple[str, ...], str, str]] = {
    "unknown game": (("play", "trom"), "", "did you mean tron?"),
    "unknown seat": (("run", "tron", "-s", "gredy"), "", "did you mean greedy?"),
    "unknown option": (("run", "tron", "--set", "sise=9"), "", "did you mean size?"),
    "truncated replay": (("replay", "show", REPLAY), "truncated", "it breaks off"),
    "altered replay": (("replay", "verify", REPLAY), "altered", "it was altered in line 2"),
    "other rules": (("replay", "verify", REPLAY), "of_other_rules", "would play it differently"),
    "no replay": (("render", REPLAY, "-o", "x.svg"), "no_replay", "is no replay"),
    "no format": (("render", REPLAY, "-o", "x.mp4"), "", "names no format that can be drawn"),
}


@pytest.mark.parametrize("kind", sorted(ISSUE_LIST))
def test_the_process_says_one_line_and_ends_with_2(tmp_path: Path, kind: str) -> None:
    words, damage, sentence = ISSUE_LIST[kind]
    file = tmp_path / REPLAY
    if damage:
        file.write_bytes(damaged_replays()[damage][0])
    ended = turntile_run(tmp_path, *(str(file) if word == REPLAY else word for word in words))
    assert sentence in refused(ended)
    assert ended.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ([REPLAY] if damage else [])


def test_a_terminal_that_is_too_small_is_refused(tmp_path: Path) -> None:
    table = OnTerminal(tmp_path, "play", "tron", "--no-save", size=(20, 5), TERM="xterm-256color")
    assert table.end() == 2
    assert table.seen.startswith("turntile: ")
    assert "20" in table.seen
    assert len(table.seen.strip().splitlines()) == 1, table.seen


def test_a_position_that_is_none_is_refused_with_file_and_line(here: Here, tmp_path: Path) -> None:
    place = tmp_path / "position.txt"
    place.write_text("#####\n#A.Z#\n#####\n")
    assert str(place) in refused(here("run", "tron", "--from", place))
    place.write_bytes(b"\xff\xfe\x00")
    assert "is no text: byte 0 is not UTF-8" in refused(here("play", "tron", "--from", place))


def damaged_replays() -> dict[str, tuple[bytes, str]]:
    data = play(TRON, steps=5, board="arena")
    lines = lines_of(data)
    header = json.loads(lines[0])
    other_rules = chained(
        [{**json.loads(line), **({"rules_version": 99} if n == 0 else {})} for n, line in enumerate(lines)]
    )
    return {
        "truncated": (data[: len(data) - 40], "it breaks off: its last line is missing; the 5 steps before"),
        "altered": (data.replace(b'"0":"', b'"0": "', 1), "it was altered in line 2: the hash there does not fit"),
        "lengthened": (data + b"more\n", "something stands behind its last line"),
        "of_other_rules": (other_rules, "was played by version 99 of tron's rules, these are version 1"),
        "of_no_game": (forged(data, 0, game="chess"), "there is no game called 'chess'"),
        "of_a_new_format": (b'{"format":"turntile replay","version":9,"turntile":"3.0"}\n', "use Turntile 3.0"),
        "no_replay": (b"\x89PNG\r\n\x1a\n", "is no replay: its first line is no JSON"),
        "empty": (b"", "is no replay: it is empty"),
        "with_wrong_options": (forged(data, 0, options={**header["options"], "size": 999}), "size=999"),
    }


@pytest.mark.parametrize("kind", sorted(damaged_replays()))
def test_a_damaged_replay_is_refused_by_every_command(here: Here, tmp_path: Path, kind: str) -> None:
    data, sentence = damaged_replays()[kind]
    file = tmp_path / "match.jsonl"
    file.write_bytes(data)
    verdict = here("replay", "verify", file)
    assert sentence in verdict.err
    assert verdict.code == (1 if kind == "with_wrong_options" else 2)
    assert sentence in refused(here("replay", "show", file))
    assert sentence in refused(here("render", file, "-o", tmp_path / "match.svg"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.jsonl"], "nothing is written half"


def test_what_the_rules_play_differently_is_a_finding(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_bytes(forged(play(TRON, steps=5, board="arena"), 2, digest="0" * 16))
    ended = here("replay", "verify", file)
    assert ended.code == 1
    assert "step 2: the rules come to position" in ended.err
    told = here("replay", "verify", file, "--json")
    assert told.code == 1
    assert json.loads(told.out)["verified"] is False


def test_a_picture_that_cannot_be_drawn_is_refused(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_bytes(play(TRON, steps=5, board="arena"))
    assert "names no format that can be drawn: end it with .svg, .png, .gif, .html" in refused(
        here("render", file, "-o", tmp_path / "match.mp4")
    )
    assert "there is no folder" in refused(here("render", file, "-o", tmp_path / "no" / "match.svg"))
    assert "has no step 6: its last is 5" in refused(here("render", file, "-o", tmp_path / "a.svg", "--step", 6))
    assert "there is no seat 2" in refused(here("render", file, "-o", tmp_path / "a.svg", "--seat", 2))
    assert "--step is for one picture" in refused(here("render", file, "-o", tmp_path / "a.gif", "--step", 1))
    assert "has no step 6" in refused(here("replay", "show", file, "--step", 6))
    assert "there is no seat 7" in refused(here("replay", "show", file, "--seat", 7))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.jsonl"]


def test_a_place_for_a_replay_that_does_not_do_is_refused_before_the_match(here: Here, tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    old.write_text("precious")
    assert "is there already" in refused(here("run", "tron", "--save", old))
    assert old.read_text() == "precious"
    assert "is a folder: say --save" in refused(here("run", "tron", "--save", tmp_path))
    assert "no replay can be written to" in refused(here("play", "tron", "--save", old / "x.jsonl", typed="quit\n"))
