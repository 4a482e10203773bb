"""The import contracts hold, and would notice what they are there to notice."""

from __future__ import annotations

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
        ("games/tron/reader.py", "from pathlib import Path", "no I/O"),
        ("games/tron/luck.py", "import random", "own no chance"),
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

    broken = [shown for shown in found.stdout.splitlines() if shown.endswith("BROKEN")]
    assert found.returncode != 0
    assert any(contract in shown for shown in broken), found.stdout + found.stderr
