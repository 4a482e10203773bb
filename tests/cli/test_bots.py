"""Bots of one's own on the command line: seats from anywhere, policies, clocks, the check."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import Here
from tests.players.bots import children, write_bot
from turntile.match.replay import StepLine, read_replay

BOTS = Path(__file__).parents[2] / "examples" / "bots"
STARTER = f"cmd:{sys.executable} {BOTS / 'random_bot.py'}"
FUNCTION = str(BOTS / "function_bot.py")


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """Servers that other tests of this process share may be there before."""
    before = children()
    yield
    assert set(children()) <= set(before), "a program outlived its test"


def test_run_seats_programs_functions_and_bots_at_one_table(here: Here, tmp_path: Path) -> None:
    seats = ("-s", STARTER, "-s", FUNCTION, "-s", f"plain:bash {BOTS / 'random_bot.sh'}", "-s", "greedy")
    ended = here("run", "tron", *seats, "--save", str(tmp_path / "match.jsonl"), "--seed", "3", "--clock", "2s")
    assert ended.code == 0, ended.err
    replay = read_replay((tmp_path / "match.jsonl").read_bytes())
    assert [seat.name for seat in replay.header.seats] == [STARTER, FUNCTION, seats[5], "greedy"]
    steps = [line for line in replay.lines if isinstance(line, StepLine)]
    assert steps[0].remarks[0][0].text.endswith("actions are legal")
    assert not any(line.failures for line in steps)
    thought = f"seat 0 thinks: {steps[0].remarks[0][0].text}"
    assert thought in here("replay", "show", tmp_path / "match.jsonl", "--plain").out
    assert thought in here("replay", "show", tmp_path / "match.jsonl", "--plain", "--seat", "0").out
    assert thought not in here("replay", "show", tmp_path / "match.jsonl", "--plain", "--seat", "1").out


def test_a_program_plays_many_matches_and_is_gone_afterwards(here: Here) -> None:
    ended = here("run", "tron", "-s", STARTER, "-s", "greedy", "-n", "5", "--swap", "--no-save", "--json")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert len(lines) == 6
    assert lines[-1]["standings"][0]["played"] == 5


def test_a_crash_is_told_in_the_outcome_and_the_replay_shows_why(here: Here, tmp_path: Path) -> None:
    command = shlex.join(write_bot(tmp_path, "raise ValueError('lost my way')"))
    replay = tmp_path / "match.jsonl"
    ended = here("run", "tron", "-s", f"cmd:{command}", "-s", "greedy", "--save", str(replay))
    assert ended.code == 0
    assert "seat 0 failed: crashed: it ended with exit code 1" in ended.out
    shown = here("replay", "show", replay, "--plain").out
    assert "seat 0 failed: crashed" in shown
    assert "         | ValueError: lost my way" in shown


@pytest.mark.parametrize(("policy", "out"), [("rulebook", False), ("forfeit", True), ("forgive 2", True)])
def test_a_policy_is_chosen_on_the_command_line(here: Here, tmp_path: Path, policy: str, out: bool) -> None:
    command = shlex.join(write_bot(tmp_path, 'move(message, "fly")'))
    ended = here("run", "tron", "-s", f"cmd:{command}", "-s", "random", "--policy", policy, "--no-save", "--seed", "3")
    assert ended.code == 0
    assert ("seat 0 failed: refused" in ended.out) == out


def test_play_in_lines_seats_a_program_beside_a_person(here: Here) -> None:
    ended = here("play", "tron", "-s", "human", "-s", STARTER, "--plain", "--no-save", typed="up\nquit\n")
    assert ended.code == 0, ended.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-s", "cmd:./no-such-bot"), "there is no program './no-such-bot' that can be run here"),
        (("-s", "nobot.py"), "there is no file nobot.py"),
        (("--policy", "mercy"), "'mercy' is no policy"),
        (("--sandbox", "tent"), "there is no sandbox 'tent': say off, auto, bwrap, landlock"),
        (("--no-clock", "--clock", "1s"), "--no-clock and --clock '1s' do not go together"),
    ],
)
def test_bad_words_are_refused_in_one_line(here: Here, words: tuple[str, ...], sentence: str) -> None:
    ended = here("run", "tron", *words, "--no-save")
    assert ended.code == 2
    assert sentence in ended.err
    assert len(ended.err.splitlines()) == 1


def test_the_check_of_a_good_bot(here: Here) -> None:
    ended = here("bot", "check", STARTER, "--game", "tron", "-n", "4")
    assert ended.code == 0, ended.out
    assert ended.out.splitlines()[-1] == "the bot is fit to play"


def test_the_check_of_a_bad_bot_says_what_to_fix(here: Here, tmp_path: Path) -> None:
    command = shlex.join(write_bot(tmp_path, 'move(message, "fly")'))
    ended = here("bot", "check", command, "--game", "tron", "-n", "2", "--json")
    assert ended.code == 1
    report = json.loads(ended.out)
    assert not report["passed"]
    assert any("answer with one of the texts in `legal`" in finding.get("fix", "") for finding in report["findings"])
    assert here("bot", "check", "./no-such-bot").code == 2
