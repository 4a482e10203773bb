"""Every rule of a RULES.md is carried by a test, and no test carries a rule that there is not.

The tests are read, not run: `@rule("F1", "T2")` on a function or class, or `rule("F1")` in the
marks of a parameter, in any test file of the game.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
GAMES = TESTS.parent / "src" / "turntile" / "games"
WITH_RULES = sorted(folder.name for folder in GAMES.iterdir() if (folder / "RULES.md").is_file())

NUMBERED = re.compile(r"^\s*- \*\*([^*]+)\*\*")


def numbered_rules(game: str) -> list[str]:
    lines = (GAMES / game / "RULES.md").read_text(encoding="utf-8").splitlines()
    return [found[1] for found in map(NUMBERED.match, lines) if found]


def carried_rules(game: str) -> Iterator[tuple[str, str]]:
    """Each id that a test of the game carries, and where."""
    for file in sorted((TESTS / "games" / game).rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
                where = f"{file.relative_to(TESTS)}:{node.lineno}"
                assert node.args, f"{where}: rule() names no rule"
                for argument in node.args:
                    assert isinstance(argument, ast.Constant), f"{where}: write the rule's id as it stands"
                    yield str(argument.value), where


def test_there_are_games_with_rules() -> None:
    assert "tron" in WITH_RULES


@pytest.mark.parametrize("game", WITH_RULES)
def test_every_rule_has_an_id_of_its_own(game: str) -> None:
    """`- **ID** text`, one line each, no id twice."""
    rules = numbered_rules(game)
    assert rules, f"{game}/RULES.md numbers no rule: begin each with - **ID**"
    assert sorted(rules) == sorted(set(rules))


@pytest.mark.parametrize("game", WITH_RULES)
def test_every_rule_is_carried_by_a_test(game: str) -> None:
    carried = {name for name, _ in carried_rules(game)}
    missing = [name for name in numbered_rules(game) if name not in carried]
    assert not missing, f"rules of {game} that no test carries: {', '.join(missing)}"


@pytest.mark.parametrize("game", WITH_RULES)
def test_every_rule_that_a_test_carries_exists(game: str) -> None:
    known = set(numbered_rules(game))
    unknown = [f"{name} ({where})" for name, where in carried_rules(game) if name not in known]
    assert not unknown, f"tests of {game} carry rules that its RULES.md has not: {', '.join(unknown)}"
