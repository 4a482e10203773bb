"""Programs as players of a contest: kept from match to match, their failures told, none left behind."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import turntile_run
from tests.contest.tables import contest, play_to_end
from tests.contest.test_killed import alive, begin, standings, stored, wait_until, workers_of
from tests.house.small_project import REPOSITORY
from turntile.contest.results import Results
from turntile.contest.standings import standings_of

STARTER = REPOSITORY / "examples/bots/random_bot.py"

# The starter bot, but it writes its number into a file when it starts.
COUNTED = "import os; open({starts!r}, 'a').write(f'{{os.getpid()}}\\n'); exec(open({starter!r}).read())"


def program(code: str, mode: str = "cmd") -> str:
    return f"{mode}:{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def bots(starts: Path) -> list[dict[str, str]]:
    return [
        {"name": "program", "seat": program(COUNTED.format(starts=str(starts), starter=str(STARTER)))},
        {"name": "greedy", "seat": "greedy"},
    ]


def started(starts: Path) -> list[int]:
    return [int(line) for line in starts.read_text().split()]


def test_a_program_lives_across_matches_and_is_gone_afterwards(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    course = play_to_end(tmp_path / "a.contest", contest(bot=bots(starts), rounds=5), workers=1)
    assert course.counted == 10
    assert len(started(starts)) == 1
    assert not any(alive(pid) for pid in started(starts))


def test_programs_of_a_killed_contest_are_gone_and_it_goes_on(tmp_path: Path) -> None:
    """The starter bot takes its chance from the match, so a resumed contest ends as an uninterrupted one."""
    starts = tmp_path / "starts"
    words = ["contest", "run", "--game", "tron", "--set", "size=9", "--seed", "3", "--rounds", "12", "--workers", "2"]
    words += [word for bot in bots(starts) for word in ("--bot", f"{bot['name']}={bot['seat']}")]
    whole, killed = tmp_path / "whole.contest", tmp_path / "killed.contest"
    assert turntile_run(tmp_path, *words, "--results", whole).code == 0

    process = begin(tmp_path, *words, "--results", str(killed))
    wait_until(lambda: killed.exists() and stored(killed) >= 3)
    workers = workers_of(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    wait_until(lambda: not any(alive(pid) for pid in [*workers, *started(starts)]))
    assert turntile_run(tmp_path, "contest", "resume", killed).code == 0
    assert standings(killed) == standings(whole)


FAULTY: dict[str, tuple[str, str, str]] = {
    "a program that ends at once": ("cmd", "import sys; sys.exit(3)", "crash"),
    "a program that says what is no action": ("plain", "while input(): print('frob', flush=True)", "illegal"),
}


@pytest.mark.parametrize("what", FAULTY)
def test_a_program_that_fails_loses_and_the_contest_goes_on(tmp_path: Path, what: str) -> None:
    mode, code, kind = FAULTY[what]
    plan: Any = [{"name": "faulty", "seat": program(code, mode)}, {"seat": "random"}, {"seat": "greedy"}]
    path = tmp_path / "a.contest"
    course = play_to_end(path, contest(bot=plan, rounds=2, drop_failing=True, policy="forfeit"))
    lines = {line.name: line for line in standings_of(course).standings}

    assert lines["faulty"].played == 4, "out after the first round"
    assert lines["faulty"].lost == 4
    assert set(lines["faulty"].failures) == {kind}
    assert lines["greedy"].played == 6
    with Results.open(path) as results:
        mishap = next(match.failures[0] for match in results.matches() if match.failures)
    assert mishap.out and mishap.what
    assert turntile_run(tmp_path, "contest", "report", path, "-o", tmp_path / "out").code == 0
    assert f"<td class=name>{kind}</td>" in (tmp_path / "out/report.html").read_text()


def test_a_program_that_is_not_there_is_refused_with_its_line(tmp_path: Path) -> None:
    plan = tmp_path / "my.toml"
    plan.write_text('game = "tron"\n[[bot]]\nseat = "greedy"\n[[bot]]\nseat = "cmd:./nowhere"\n')
    refused = turntile_run(tmp_path, "contest", "run", plan)
    assert refused.code == 2
    assert "my.toml, line 5: seat 'cmd:./nowhere': there is no program './nowhere'" in refused.err
    assert not plan.with_suffix(".contest").exists()
