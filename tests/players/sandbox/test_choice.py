"""The choice of a sandbox, what is refused, and what bots find inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.cli.terminal import turntile_run
from turntile.core.errors import TurntileError
from turntile.players.sandbox import Limits, Sandbox, SandboxRefused, choose, verdict
from turntile.players.sandbox.choice import probed
from turntile.players.sandbox.launch import landlock_version
from turntile.players.sandbox.limits import MEGABYTE
from turntile.players.sandbox.ways import BWRAP_ROOT, BWRAP_USER, LANDLOCK, OFF, free_uid


@pytest.fixture
def folder() -> Iterator[Path]:
    """A bot's folder. Not pytest's: those are closed to other users."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


def run(sandbox: Sandbox, *words: str, folder: Path, limits: Limits | None = None) -> subprocess.CompletedProcess[str]:
    command = sandbox.wrap(words, folder=folder, limits=limits)
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, start_new_session=True)


def test_off_changes_nothing(folder: Path) -> None:
    sandbox = choose("off")
    assert sandbox == Sandbox(OFF)
    assert sandbox.wrap(["./bot", "--fast"], folder=folder) == ["./bot", "--fast"]
    assert sandbox.environment() == dict(os.environ)


def test_auto_is_the_first_way_that_holds() -> None:
    assert choose("auto").way == (BWRAP_ROOT if os.geteuid() == 0 else BWRAP_USER)
    assert choose("auto") is choose("bwrap")  # probed once


def test_a_policy_that_is_none_is_refused() -> None:
    with pytest.raises(SandboxRefused, match="'jail' is no sandbox: say auto, bwrap, landlock or off"):
        choose("jail")


def test_where_no_way_holds_untrusted_bots_are_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    probed.cache_clear()
    try:
        with pytest.raises(SandboxRefused) as refused:
            choose("bwrap")
    finally:
        probed.cache_clear()
    sentence = str(refused.value)
    assert sentence.startswith("untrusted bots are refused")
    assert "bubblewrap is not installed: apt-get install bubblewrap" in sentence
    assert "--sandbox off" in sentence
    assert "\n" not in sentence


def test_a_bot_must_not_live_where_it_would_see_everything(folder: Path) -> None:
    sandbox = choose("auto")
    for place in (Path.home(), Path("/")):
        with pytest.raises(TurntileError, match="could read your home folder: put it into a folder of its own"):
            sandbox.wrap(["./bot"], folder=place)
    with pytest.raises(TurntileError, match="is no folder"):
        sandbox.wrap(["./bot"], folder=folder / "nothing")


def test_a_folder_closed_to_the_bots_user_is_refused_before_the_match(folder: Path) -> None:
    folder.chmod(0o700)
    for way in (BWRAP_ROOT, LANDLOCK):
        sandbox = Sandbox(way, bwrap="bwrap")
        if sandbox.as_root:
            with pytest.raises(TurntileError, match=r"chmod -R o\+rX"):
                sandbox.wrap(["./bot"], folder=folder)
        else:
            assert way == LANDLOCK  # an ordinary user's bot is that user
            assert sandbox.wrap(["./bot"], folder=folder)


@pytest.mark.parametrize("way", ["bwrap", "landlock"])
def test_a_bot_may_live_below_a_folder_that_is_closed_to_its_user(folder: Path, way: str) -> None:
    """Such as root's home. Landlock is tried whatever the probe says: sh lies where everybody can reach it."""
    home = folder / "closed" / "bot"
    home.mkdir(parents=True)
    (home / "beside.txt").write_text("weights\n")
    home.parent.chmod(0o700)
    sandbox = choose("bwrap") if way == "bwrap" else Sandbox(LANDLOCK, landlock_version())
    done = run(sandbox, "sh", "-c", "cat beside.txt", folder=home)
    assert (done.returncode, done.stdout) == (0, "weights\n"), done.stderr


def test_no_two_bots_share_a_user() -> None:
    """Limits on processes count per user."""
    users = {free_uid() for _ in range(100)}
    assert len(users) == 100
    assert not users & {0, 65534}


def test_a_bot_runs_in_its_folder_with_nothing_of_our_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "token")
    (folder / "bot.sh").write_text("#!/bin/sh\nenv; pwd; cat beside.txt\n")
    (folder / "bot.sh").chmod(0o755)
    (folder / "beside.txt").write_text("weights\n")
    done = run(choose("auto"), "./bot.sh", folder=folder)
    assert done.returncode == 0, done.stderr
    assert "SECRET" not in done.stdout
    assert done.stdout.splitlines()[-2:] == [str(folder.resolve()), "weights"]
    assert dict(line.split("=", 1) for line in done.stdout.splitlines()[:-2] if "PWD=" not in line) == (
        choose("auto").environment()
    )


def test_a_bot_writes_only_where_it_is_given_room_and_nobody_sees_it(folder: Path) -> None:
    words = ("sh", "-c", "cd /tmp && echo mine > scratch-of-a-bot && cat scratch*")
    done = run(choose("bwrap"), *words, folder=folder, limits=Limits(scratch=MEGABYTE))
    assert (done.returncode, done.stdout) == (0, "mine\n")
    refused = run(choose("bwrap"), *words, folder=folder)
    assert verdict(refused.returncode, refused.stderr) == "forbidden"
    assert not Path("/tmp/scratch-of-a-bot").exists()


def test_a_program_that_is_not_there_is_named(folder: Path) -> None:
    done = run(choose("auto"), "no-such-bot", folder=folder)
    assert verdict(done.returncode, done.stderr) == "not started"
    assert "no-such-bot cannot be started: it is not among the files a bot may see" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_our_python_and_its_packages_work_inside_under_small_limits(folder: Path) -> None:
    """One thread for mathematics and two arenas: else NumPy alone would meet the limit."""
    program = "import numpy; a = numpy.ones((200, 200)); print(int((a @ a).sum()))"
    small = Limits(memory=256 * MEGABYTE, processes=4)
    done = run(choose("auto"), sys.executable, "-c", program, folder=folder, limits=small)
    assert (done.returncode, done.stdout) == (0, "8000000\n"), done.stderr


REFEREE = """
import json, subprocess, sys, time
subprocess.Popen(json.loads(sys.argv[1]), start_new_session=True)
time.sleep(600)
"""


@pytest.mark.parametrize("way", ["bwrap", "landlock"])
def test_bots_end_with_a_referee_that_is_killed(folder: Path, way: str) -> None:
    mark = f"bot-of-{os.getpid()}-{way}"
    words = ["sh", "-c", "while :; do sleep 0.1; done", mark]
    sandbox = choose("bwrap") if way == "bwrap" else Sandbox(LANDLOCK, landlock_version())
    command = json.dumps(sandbox.wrap(words, folder=folder))
    referee = subprocess.Popen([sys.executable, "-c", REFEREE, command])
    try:
        await_number_of(mark, at_least=1)
    finally:
        referee.kill()
        referee.wait()
    await_number_of(mark, at_most=0)


def await_number_of(mark: str, at_least: int = 0, at_most: int = 1000) -> None:
    """Waits until so many processes carry the mark, other than hidden in orders to the launcher."""
    deadline = time.monotonic() + 20
    while True:
        lines = [read_words(process) for process in Path("/proc").iterdir() if process.name.isdigit()]
        count = sum(words[-2:-1] == [mark] for words in lines)
        if at_least <= count <= at_most:
            return
        assert time.monotonic() < deadline, f"{count} processes of {mark}"
        time.sleep(0.02)


def read_words(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return []  # it ended meanwhile


def test_the_command_says_which_way_holds_here(tmp_path: Path) -> None:
    ended = turntile_run(tmp_path, "sandbox", "check", "--json")
    found = json.loads(ended.out)
    assert ended.code == 0, ended.err
    assert found["chosen"] == choose("auto").way
    assert [way["way"] for way in found["ways"]] == [BWRAP_ROOT, BWRAP_USER, LANDLOCK]
    for way in found["ways"]:
        assert bool(way["reason"]) != way["holds"]
        assert (way["launch_ms"] is not None) == way["holds"]
    said = turntile_run(tmp_path, "sandbox", "check").out.splitlines()
    assert said[-1] == f"--sandbox auto takes {found['chosen']}"
    assert len(said) == 4


def test_the_command_goes_on_to_landlock_without_bubblewrap_or_fails(tmp_path: Path) -> None:
    """Which of the two depends on the kernel, and for root on whether Python lies where bots' users can reach it."""
    ended = turntile_run(tmp_path, "sandbox", "check", "--json", PATH="/nonexistent")
    found = json.loads(ended.out)
    assert ended.code == (0 if found["chosen"] else 1)
    assert found["chosen"] in (LANDLOCK, None)
    own = BWRAP_ROOT if os.geteuid() == 0 else BWRAP_USER
    assert "not installed" in next(way["reason"] for way in found["ways"] if way["way"] == own)
