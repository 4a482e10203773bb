"""A contest on a Dask cluster: scheduler and workers as processes on 127.0.0.1, one of them killed midway."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import environment, turntile_run
from tests.contest.test_killed import PATIENCE_S, begin, standings, stored, wait_until

ROUNDS = "60"
BOTS = ("--bot", "greedy", "--bot", "random", "--bot", "second=greedy")
PLAN = ("contest", "run", "--game", "tron", "--set", "size=9", "--seed", "9", "--rounds", ROUNDS, *BOTS)


class Cluster:
    """A scheduler and two workers."""

    def __init__(self, home: Path) -> None:
        self.home = home
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"dask://127.0.0.1:{self.port}"
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        wait_until(self.listens)
        self.workers = [
            self.start(
                "worker", f"tcp://127.0.0.1:{self.port}", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
                "--no-dashboard", "--local-directory", str(home / f"worker{number}"),
            )
            for number in range(2)
        ]  # fmt: skip

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        log = (self.home / "cluster.log").open("ab")
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            env=environment(self.home),
            stdout=log,
            stderr=log,
        )

    def listens(self) -> bool:
        assert self.scheduler.poll() is None, (self.home / "cluster.log").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    home = tmp_path_factory.mktemp("local")
    assert turntile_run(home, *PLAN, "--results", home / "a.contest").code == 0
    return standings(home / "a.contest")


def test_a_lost_worker_changes_nothing(cluster: Cluster, tmp_path: Path, local: dict[str, Any]) -> None:
    """One of two workers is killed midway: the standings are those of the local run."""
    path = tmp_path / "dask.contest"
    process = begin(tmp_path, *PLAN, "--results", str(path), "--on", cluster.address)
    wait_until(lambda: (path.exists() and stored(path) > 0) or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    os.kill(cluster.workers[0].pid, signal.SIGKILL)
    assert stored(path) < 360, "it is killed midway"
    _, err = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 0, err
    assert standings(path) == local


def test_a_lost_scheduler_costs_no_finished_match(cluster: Cluster, tmp_path: Path, local: dict[str, Any]) -> None:
    """The run ends and says how to go on; resumed on the cores here, it ends in the same standings."""
    path = tmp_path / "lost.contest"
    process = begin(tmp_path, *PLAN, "--results", str(path), "--on", cluster.address)
    wait_until(lambda: (path.exists() and stored(path) > 0) or process.poll() is not None)
    cluster.scheduler.kill()
    before = stored(path)
    _, err = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 1
    last = err.decode().splitlines()[-1]
    assert f"the cluster at {cluster.address} is lost" in last
    assert f"go on with: turntile contest resume {path}" in last
    assert stored(path) >= before > 0
    assert turntile_run(tmp_path, "contest", "resume", path).code == 0
    assert standings(path) == local


def test_nobody_answers_there(tmp_path: Path) -> None:
    started = time.monotonic()
    refused = turntile_run(tmp_path, *PLAN, "--results", tmp_path / "x.contest", "--on", "dask://127.0.0.1:9")
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "no Dask scheduler answers at dask://127.0.0.1:9" in refused.err
    assert not (tmp_path / "x.contest").exists()
    assert time.monotonic() - started < 40
