"""docs/command-line.md and `--help` tell the same: no command is left out, and none is told that does not exist."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer

from tests.house.small_project import REPOSITORY
from turntile.cli.main import app

PAGE = (REPOSITORY / "docs/command-line.md").read_text(encoding="utf-8")
# Families with a page of their own, or for single games.
TOLD_ELSEWHERE = {"contest", "worms", "roborace"}


def commands() -> dict[str, Any]:
    """Every command by its words: "play", "replay show" ..."""
    found: dict[str, Any] = {}
    root = typer.main.get_command(app)
    context = typer.Context(root, info_name="turntile")

    def gather(group: Any, words: tuple[str, ...]) -> None:
        for word in group.list_commands(context):
            command = group.get_command(context, word)
            if hasattr(command, "list_commands"):
                gather(command, (*words, word))
            else:
                found[" ".join((*words, word))] = command

    gather(root, ())
    return found


COMMANDS = commands()
OPTIONS = {
    option for command in COMMANDS.values() for one in command.params for option in (*one.opts, *one.secondary_opts)
}


def told() -> set[str]:
    """The commands in the page's table: the words behind `turntile` that are written small."""
    rows = re.findall(r"^\| `turntile((?: [a-z]+)+)", PAGE, re.MULTILINE)
    return {row.strip() for row in rows}


def test_every_command_of_the_page_exists() -> None:
    assert sorted(told() - set(COMMANDS)) == []


@pytest.mark.parametrize("words", [words for words in COMMANDS if words.split()[0] not in TOLD_ELSEWHERE])
def test_every_command_is_told(words: str) -> None:
    family, _, last = words.rpartition(" ")
    beside = any(row.startswith(f"| `turntile {family}") and f"`{last}" in row for row in PAGE.splitlines())
    assert words in told() or beside


def test_every_option_of_the_page_exists() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE))
    known = OPTIONS | {"--help", "--install-completion", "--fast"}  # the last is somebody's bot's
    assert sorted(named - known) == []


@pytest.mark.parametrize("words", [words for words in COMMANDS if words.split()[0] not in TOLD_ELSEWHERE])
def test_every_command_has_help_with_an_example(words: str) -> None:
    assert f"turntile {words}" in (COMMANDS[words].help or "")


def test_every_other_command_has_help() -> None:
    assert [words for words, command in COMMANDS.items() if not command.help] == []
