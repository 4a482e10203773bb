"""What the README tells a newcomer to type works as it stands there, in that order."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.house.small_project import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
WAITS_FOR_A_PERSON = {"play", "menu", "serve"}


def commands() -> list[list[str]]:
    """The words behind `python3 run.py` in the README's blocks."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", README, re.MULTILINE | re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [words[2:] for words in lines if words[:2] == ["python3", "run.py"]]


def turntile(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "turntile.cli", *words], cwd=folder, capture_output=True, text=True)


def test_the_two_commands_come_first() -> None:
    assert commands()[:2] == [[], ["test"]]


def test_every_other_command_works(tmp_path: Path) -> None:
    told = commands()[2:]
    assert told
    for words in told:
        done = turntile([*words, "--help"] if words[0] in WAITS_FOR_A_PERSON else words, tmp_path)
        assert done.returncode == 0, f"{words}: {done.stderr}"
    written = [Path(words[words.index("-o") + 1]) for words in told if "-o" in words]
    assert written
    assert [str(path) for path in written if not (tmp_path / path).stat().st_size] == []


def test_the_games_it_names_are_there(tmp_path: Path) -> None:
    listed = turntile(["games"], tmp_path).stdout
    first_lines = README.split("## ")[0]
    named = re.search(r"on a grid: (.+?)\.\n", first_lines)
    assert named is not None
    assert [name for name in re.split(r", | and ", named.group(1)) if name not in listed] == []


def test_it_begins_with_a_picture_of_our_own() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\((docs/pictures/[^)]+)\)", README.split("## Two commands")[0])
    assert len(pictures) == 1
    assert (REPOSITORY / pictures[0]).stat().st_size > 0
