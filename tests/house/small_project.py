"""A project as small as run.py can set up: it needs no network, since its build backend stands beside it.

run.py itself is the real one, and so are venv, pip and everything it starts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""

BACKEND = """\
import os
import zipfile

NAME = "turntile-0.0.0.dist-info"


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    wheel = "turntile-0.0.0-py3-none-any.whl"
    files = {
        "turntile.pth": os.path.abspath("src") + "\\n",
        NAME + "/METADATA": "Metadata-Version: 2.1\\nName: turntile\\nVersion: 0.0.0\\n",
        NAME + "/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        NAME + "/entry_points.txt": "[console_scripts]\\nturntile = turntile.main:main\\n",
    }
    record = "".join(name + ",,\\n" for name in [*files, NAME + "/RECORD"])
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w") as archive:
        for name, text in {**files, NAME + "/RECORD": record}.items():
            archive.writestr(name, text)
    return wheel
"""

MAIN = """\
import sys


def main():
    print("turntile was given", sys.argv[1:])
    return 7 if "fail" in sys.argv else 0
"""

# Stands for forge's build: leaves a mark each time it runs, and says what a machine without compiler hears.
BUILD = """\
import pathlib
import sys

here = pathlib.Path(__file__).parent.parent
with open(here / "builds", "a") as builds:
    builds.write("built\\n")
if (here / "no_compiler").exists():
    print("no C compiler here: the games run interpreted")
    sys.exit(3)
(here / "games" / "_rules.so").touch()
"""


@dataclass
class SmallProject:
    """A folder with run.py in it, and what happened there."""

    root: Path

    @property
    def environment(self) -> Path:
        return self.root / ".venv"

    @property
    def builds(self) -> int:
        """How often the rules were built."""
        marks = self.root / "src/turntile/builds"
        return len(marks.read_text().splitlines()) if marks.exists() else 0

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        outer = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "CI"))}
        return subprocess.run(
            [sys.executable, "run.py", *words],
            cwd=self.root,
            env={**outer, **variables},
            capture_output=True,
            text=True,
            timeout=600,
        )


def make(root: Path) -> SmallProject:
    package = root / "src/turntile"
    for folder in ("core", "forge", "games"):
        (package / folder).mkdir(parents=True)
        (package / folder / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "main.py").write_text(MAIN)
    (package / "forge/build.py").write_text(BUILD)
    (package / "games/rules.py").write_text("WIDTH = 3\n")
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "backend.py").write_text(BACKEND)
    (root / "requirements.lock").write_text("# nothing\n")
    shutil.copy(REPOSITORY / "run.py", root)
    return SmallProject(root)
