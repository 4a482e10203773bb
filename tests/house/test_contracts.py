"""The import contracts hold, and would notice what they are there to notice."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.small_project import REPOSITORY


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=root,
        env={"PYTHONPATH": str(root / "src"), "PATH": "", "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copy")
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    skipped = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info")
    shutil.copytree(REPOSITORY / "src", root / "src", ignore=skipped)
    return root


def test_the_contracts_hold(copy: Path) -> None:
    found = lint_imports(copy)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("core/upwards.py", "import turntile.games.tron.rules", "Imports point downwards"),
        ("games/tron/neighbour.py", "import turntile.games.worms.rules", "Games do not know each other"),
        ("games/tron/reader.py", "from pathlib import Path", "Below players nothing does I/O"),
        ("match/hurry.py", "import time", "or reads a clock"),
        ("forge/heavy.py", "import numpy", "forge needs nothing but Python"),
        ("other/__init__.py", "", "Imports point downwards"),  # a folder that has no place in the layers
    ],
)
def test_a_wrong_import_is_found(copy: Path, module: str, line: str, contract: str) -> None:
    wrong = copy / "src/turntile" / module
    made_folder = not wrong.parent.exists()
    wrong.parent.mkdir(exist_ok=True)
    wrong.write_text(line + "\n")
    try:
        found = lint_imports(copy)
    finally:
        shutil.rmtree(wrong.parent) if made_folder else wrong.unlink()

    broken = [shown for shown in found.stdout.splitlines() if " BROKEN" in shown]
    assert found.returncode != 0
    assert any(contract in shown for shown in broken), found.stdout + found.stderr


def test_below_players_nobody_owns_chance() -> None:
    """A generator that was given its seed may be used; the one Python keeps for everybody may not."""
    assert [found for path in below_players() for found in chance_of_its_own(path.read_text(encoding="utf-8"))] == []


def test_chance_of_its_own_would_be_found() -> None:
    assert chance_of_its_own("import random") == ["import random"]
    assert chance_of_its_own("from random import Random, shuffle") == ["from random import shuffle"]
    assert chance_of_its_own("dice = Random()") == ["Random()"]
    assert chance_of_its_own("from random import Random\ndice = Random(7)") == []


def below_players() -> list[Path]:
    source = REPOSITORY / "src/turntile"
    return [path for layer in ("match", "games", "core", "forge") for path in sorted((source / layer).rglob("*.py"))]


def chance_of_its_own(text: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [f"import {name.name}" for name in node.names if name.name in ("random", "secrets", "uuid")]
        elif isinstance(node, ast.ImportFrom) and node.module in ("random", "secrets", "uuid"):
            found += [f"from {node.module} import {name.name}" for name in node.names if name.name != "Random"]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Random":
            found += [] if node.args else ["Random()"]
    return found
