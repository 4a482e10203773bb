"""The words of `turntile contest` that other tests do not say."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import Here, OnTerminal, turntile_run

QUICK = ("--game", "tron", "--set", "size=9", "--bot", "greedy", "--bot", "random", "--seed", "1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    monkeypatch.chdir(tmp_path)
    return Here(tmp_path, monkeypatch, capfd)


def test_json_is_a_line_for_each_match_and_one_for_all(here: Here) -> None:
    ended = here("contest", "run", *QUICK, "--rounds", "3", "--json")
    *matches, last = [json.loads(line) for line in ended.out.splitlines()]

    assert ended.code == 0
    assert sorted(match["match"] for match in matches) == [1, 2, 3, 4, 5, 6]
    assert {tuple(match["players"]) for match in matches} == {("greedy", "random"), ("random", "greedy")}
    assert last["matches"] == 6 and last["standings"][0]["name"] == "greedy"
    assert last["results"] == "tron-round-robin.contest"


def test_standings_are_drawn_live_on_a_terminal(tmp_path: Path) -> None:
    words = ("contest", "run", *QUICK, "--rounds", "30", "--results", tmp_path / "live.contest")
    terminal = OnTerminal(tmp_path, *words, TERM="xterm-256color")
    terminal.wait_for("tron, round-robin: ")
    terminal.wait_for("60 of 60 matches")
    assert terminal.end() == 0


def test_in_a_pipe_nothing_is_drawn(tmp_path: Path) -> None:
    ended = turntile_run(tmp_path, "contest", "run", *QUICK, "--results", tmp_path / "a.contest")
    assert ended.code == 0
    assert "\x1b" not in ended.out + ended.err
    assert ended.out.splitlines()[1].split()[:2] == ["1", "greedy"]
    assert "woke a sleeper" in ended.out


def test_a_bot_can_be_dropped_between_two_runs(here: Here, tmp_path: Path) -> None:
    """A ladder ends its first run by its clock; the dropped bot plays no later round."""
    plan = tmp_path / "my.toml"
    bots = "".join(f'[[bot]]\nname = "{name}"\nseat = "random"\n' for name in ("a", "b", "c"))
    plan.write_text(
        f'game = "tron"\nformat = "ladder"\nseed = 1\noptions = {{size = 9}}\nstop = {{minutes = 0.02}}\n{bots}'
    )
    stopped = here("contest", "run", "my.toml")
    assert stopped.code == 0
    assert "minutes are over" in stopped.err and "go on with: turntile contest resume my.contest" in stopped.err
    assert "no bot is called 'x'" in here("contest", "drop", "my.contest", "x").err
    before = json.loads(here("contest", "show", "my.contest", "--json").out)
    dropped = here("contest", "drop", "my.contest", "c")
    assert dropped.code == 0 and dropped.out.startswith("c leaves from round ")
    assert here("contest", "resume", "my.contest").code == 0
    after = json.loads(here("contest", "show", "my.contest", "--json").out)

    def played(standings: Any, name: str) -> int:
        return next(int(line["played"]) for line in standings["standings"] if line["name"] == name)

    assert after["matches"] > before["matches"]
    assert played(after, "c") - played(before, "c") <= 2, "only the round that had begun"
    assert played(after, "a") > played(before, "a") + 2


def test_a_contest_of_four_seats_of_every_game_that_has_them(here: Here) -> None:
    for game, bot, setting in (
        ("tron", "greedy", "size=11"),
        ("roborace", "random", "round_limit=3"),
        ("robots", "random", "turn_limit=10"),
    ):
        bots = [word for number in range(4) for word in ("--bot", f"{bot}{number}={bot}")]
        ended = here("contest", "run", "--game", game, *bots, "--set", setting, "--seats", "4", "--seed", "1")
        assert ended.code == 0, ended.err
        assert "24 of 24 matches" in ended.out


@pytest.mark.parametrize(
    ("module", "format", "extra"), [("networkx", "swiss", "contest"), ("openskill", "ladder", "contest")]
)
def test_a_missing_extra_is_told_in_one_line(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, format: str, extra: str
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    ended = here("contest", "run", *QUICK, "--format", format, "--results", "x.contest")
    assert ended.code == 2
    assert ended.err.splitlines()[-1].endswith(f"needs {module}: pip install 'turntile[{extra}]'")
    assert not (tmp_path / "x.contest").exists()
