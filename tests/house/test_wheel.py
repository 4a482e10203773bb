"""What `pip install .` installs: all of the package, its data and its commands, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.house.small_project import REPOSITORY
from tests.house.test_tree import FILES

PAGE = ("turntile/server/page/index.html", "turntile/server/page/assets/index-1a2b.js")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Built from the tracked files, without compiling: that is the fallback everybody can install."""
    copy = tmp_path_factory.mktemp("copy")
    for path in FILES:
        target = copy / path.relative_to(REPOSITORY)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for name in PAGE:  # built by npm, so it is not tracked
        (copy / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / "src" / name).write_text("built")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    built = subprocess.run(
        [*pip, "--wheel-dir", "wheels", "."],
        cwd=copy,
        env={**os.environ, "TURNTILE_COMPILE": "0"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    [path] = (copy / "wheels").glob("turntile-*.whl")
    return zipfile.ZipFile(path)


def test_every_file_of_the_package_is_installed(wheel: zipfile.ZipFile) -> None:
    """Boards, data and rulebooks too: a file that is forgotten here is only missed by those who install."""
    ours = {str(path.relative_to(REPOSITORY / "src")) for path in FILES if path.is_relative_to(REPOSITORY / "src")}
    assert sorted(ours - set(wheel.namelist())) == []


def test_a_page_that_was_built_is_installed_too(wheel: zipfile.ZipFile) -> None:
    assert sorted(set(PAGE) - set(wheel.namelist())) == []


def test_nothing_but_the_package_is_installed(wheel: zipfile.ZipFile) -> None:
    tops = {Path(name).parts[0] for name in wheel.namelist()}
    assert {top for top in tops if top != "turntile" and not top.endswith(".dist-info")} == set()


def test_the_commands_lead_to_functions_that_exist(wheel: zipfile.ZipFile) -> None:
    [name] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    commands = [line.split(" = ") for line in wheel.read(name).decode().splitlines() if " = " in line]

    assert [command for command, _ in commands] == ["swworms", "turntile"]
    for _, target in commands:
        module, function = target.split(":")
        check = f"import {module}; assert callable({module}.{function})"
        assert (
            subprocess.run(
                [sys.executable, "-c", check], env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
            ).returncode
            == 0
        )
