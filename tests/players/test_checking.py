"""`turntile bot check`: finds what is wrong, and nothing in a good bot."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.players.bots import write_bot, write_program
from turntile.players.checking import Report, check_bot
from turntile.players.process import Launch, ProcessGuest

STARTER = Path(__file__).parents[2] / "examples" / "bots" / "random_bot.py"
LEGAL = 'move(message, message["legal"][-1])'


def check(command: list[str], plain: bool = False, reuses: int = 12) -> Report:
    launch = Launch(hello_s=2.0, newgame_s=2.0)
    return check_bot(lambda: ProcessGuest(command, plain, launch), ("tron",), reuses)


def failed(report: Report) -> dict[str, tuple[str, str]]:
    return {finding.case: (finding.what, finding.fix) for finding in report.findings if finding.verdict == "failed"}


def test_a_good_bot_is_fit_for_every_game() -> None:
    report = check_bot(lambda: ProcessGuest([sys.executable, str(STARTER)]), reuses=5)
    assert report.passed and not failed(report)
    assert report.name == "random in Python"
    assert {f"a match of {name}" for name in ("tron", "racers", "worms", "roborace", "robots")} <= {
        finding.case for finding in report.findings
    }


@pytest.mark.parametrize(
    ("turn", "case", "what", "fix"),
    [
        ('move(message, "fly")', "a match of tron", "illegal in turn 1", "answer with one of the texts in `legal`"),
        ("sys.exit(3)", "a match of tron", "crash in turn 1: it ended with exit code 3", "log"),
        (f"assert not message['refused']; {LEGAL}", "a refused answer", "exit code 1", "log"),
        (f"json.dumps(message['heard'], ensure_ascii=False).encode('ascii'); {LEGAL}", "unicode", "crash", "log"),
        (f"assert len(str(message)) < 100_000; {LEGAL}", "a huge board of tron", "crash", "log"),
        (f"kept.append('x' * 1_000_000); {LEGAL}", "memory over 12 matches", "its memory grew", "forget the match"),
    ],
)
def test_a_bad_bot_is_told_what_to_fix(tmp_path: Path, turn: str, case: str, what: str, fix: str) -> None:
    command = write_bot(tmp_path, turn)
    path = tmp_path / "bot.py"
    path.write_text("kept = []\n" + path.read_text())
    report = check(command)
    assert not report.passed
    found = failed(report)
    assert what in found[case][0]
    assert fix in found[case][1]


def test_a_bot_that_stays_after_quit_or_leaves_too_early_is_found(tmp_path: Path) -> None:
    text = (tmp_path / "bot.py", write_bot(tmp_path, LEGAL))[0].read_text()
    stays = write_program(tmp_path, text + "\nimport time; time.sleep(60)", "stays.py")
    leaves = write_program(tmp_path, text.replace('== "quit"', 'in ("end", "quit")'), "leaves.py")
    assert set(failed(check(stays))) == {"end and quit", "the end of its input"}
    assert "it left after end" in failed(check(leaves))["end and quit"][0]


def test_without_a_handshake_nothing_else_is_tried(tmp_path: Path) -> None:
    report = check(write_program(tmp_path, "import time; time.sleep(60)"))
    assert [finding.case for finding in report.findings] == ["handshake"]
    assert "does it flush its output?" in report.findings[0].what
