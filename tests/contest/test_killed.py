"""A contest that is killed at any moment and resumed ends as one that was never stopped."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import command, environment, turntile_run
from turntile.contest.results import Results
from turntile.contest.run import follow
from turntile.contest.standings import comparable, standings_of

PATIENCE_S = 60.0
BOTS = ["greedy", "random", "second=random", "third=greedy"]

FORMATS = {
    "round-robin": ["--rounds", "4"],
    "gauntlet": ["--rounds", "6"],
    "swiss": ["--rounds", "3"],
    "knockout": ["--best-of", "3"],
    "ladder": ["--rounds", "6"],
}


def words(format: str, results: Path) -> list[str]:
    bots = [word for bot in BOTS for word in ("--bot", bot)]
    options = ["--game", "tron", "--set", "size=9", "--seed", "5", "--format", format, *FORMATS[format]]
    return ["contest", "run", *options, *bots, "--results", str(results), "--workers", "2"]


def standings(path: Path) -> dict[str, Any]:
    with Results.open(path) as results:
        return comparable(standings_of(follow(results)))


def stored(path: Path) -> int:
    """How many matches are durable, seen from another process."""
    try:
        with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as reader:
            [count] = reader.execute("SELECT count(*) FROM matches").fetchone()
        reader.close()
        return int(count)
    except sqlite3.OperationalError:
        return 0


def begin(home: Path, *typed: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*typed), env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def wait_until(what: Any) -> None:
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.002)


def workers_of(pid: int) -> list[int]:
    """The worker processes a contest has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == pid:
                found.append(int(entry.name))
    return found


def alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    home = tmp_path_factory.mktemp("whole")
    found = {}
    for format in FORMATS:
        path = home / f"{format}.contest"
        assert turntile_run(home, *words(format, path)).code == 0
        found[format] = standings(path)
    return found


def kill_after(moment: int, path: Path, process: subprocess.Popen[bytes]) -> None:
    """Kill a contest when so many matches are stored; they stay, and no worker does."""
    wait_until(lambda: (path.exists() and stored(path) >= moment) or process.poll() is not None)
    children = workers_of(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = stored(path)
    wait_until(lambda: not any(alive(child) for child in children))
    assert stored(path) == kept >= moment


@pytest.mark.parametrize("format", FORMATS)
def test_killed_at_several_moments_it_ends_in_the_same_standings(
    format: str, tmp_path: Path, uninterrupted: dict[str, dict[str, Any]]
) -> None:
    """kill -9 before the first match, after a few, and again after a few more; then resumed to the end."""
    path = tmp_path / "killed.contest"
    typed = words(format, path)
    for moment in (0, 3, 9):
        kill_after(moment, path, begin(tmp_path, *typed))
        typed = ["contest", "resume", str(path), "--workers", "2"]
    assert turntile_run(tmp_path, *typed).code == 0
    assert standings(path) == uninterrupted[format]


def test_a_worker_that_is_killed_costs_no_match(tmp_path: Path, uninterrupted: dict[str, dict[str, Any]]) -> None:
    path = tmp_path / "worker.contest"
    process = begin(tmp_path, *words("round-robin", path))
    wait_until(lambda: path.exists() and stored(path) >= 2)
    victim = workers_of(process.pid)[0]
    os.kill(victim, signal.SIGKILL)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, err
    assert standings(path) == uninterrupted["round-robin"]


def test_ctrl_c_ends_with_130_and_tells_how_to_go_on(tmp_path: Path, uninterrupted: dict[str, dict[str, Any]]) -> None:
    path = tmp_path / "stopped.contest"
    process = begin(tmp_path, *words("round-robin", path))
    wait_until(lambda: path.exists() and stored(path) >= 2)
    children = workers_of(process.pid)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert f"go on with: turntile contest resume {path}" in err.decode().splitlines()[-1]
    assert not any(alive(child) for child in children), "no process is left"

    resumed = turntile_run(tmp_path, "contest", "resume", path, "--json")
    assert resumed.code == 0
    lines = [json.loads(line) for line in resumed.out.splitlines()]
    assert lines[-1]["ended"] == "all rounds are played"
    assert standings(path) == uninterrupted["round-robin"]
    assert not list(tmp_path.glob("*.lock")) + list(tmp_path.glob("*.part"))


def test_it_can_be_shown_while_it_runs(tmp_path: Path) -> None:
    path = tmp_path / "running.contest"
    process = begin(tmp_path, *words("ladder", path)[:-2], "--rounds", "100000", "--workers", "1")
    wait_until(lambda: path.exists() and stored(path) >= 4)
    shown = turntile_run(tmp_path, "contest", "show", path)
    refused = turntile_run(tmp_path, "contest", "resume", path)
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=PATIENCE_S)

    assert shown.code == 0 and "greedy" in shown.out
    assert refused.code == 2 and "is being played by another process" in refused.err
