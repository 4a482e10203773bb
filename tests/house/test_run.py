"""run.py sets up what is missing, nothing twice, and says in one line what went wrong."""

from __future__ import annotations

import ast
import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.house.small_project import REPOSITORY, SmallProject, make


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    """A project set up once; the tests that only start it again share it."""
    project = make(tmp_path_factory.mktemp("installed"))
    first = project.run("games")
    assert first.returncode == 0, first.stderr
    return project


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return make(tmp_path)


def test_a_first_start_sets_up_and_runs_the_words(installed: SmallProject) -> None:
    """After it `.venv/bin/turntile` exists and has been given the words."""
    again = installed.run("play", "tron", "--seed", "3")

    assert (installed.environment / "bin/turntile").exists()
    assert again.stdout == "turntile was given ['play', 'tron', '--seed', '3']\n"


def test_a_second_start_sets_nothing_up(installed: SmallProject) -> None:
    """Nothing is said, installed or built again, and its cost is far below what a person notices."""
    installed.run("games")
    builds = installed.builds
    before = processor_seconds()
    again = installed.run("games")
    spent = processor_seconds() - before

    assert again.stderr == ""
    assert installed.builds == builds
    assert spent < 0.5  # 0.1 s on an idle machine, turntile's own start included


def processor_seconds() -> float:
    """Of the programs we started: unlike the clock, it does not count what others do here meanwhile."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_turntiles_exit_code_is_ours(installed: SmallProject) -> None:
    assert installed.run("fail").returncode == 7


def test_a_changed_rule_is_built_again_and_only_then(installed: SmallProject) -> None:
    builds = installed.builds
    rules = installed.root / "src/turntile/games/rules.py"
    rules.write_text("WIDTH = 4\n")
    installed.run("games")
    assert installed.builds == builds + 1

    rules.touch()
    installed.run("games")
    assert installed.builds == builds + 1


def test_a_built_file_that_was_removed_is_built_again(installed: SmallProject) -> None:
    installed.run("games")
    builds = installed.builds
    (installed.root / "src/turntile/games/_rules.so").unlink()
    installed.run("games")

    assert installed.builds == builds + 1


def test_without_a_compiler_every_start_says_so_in_one_line(installed: SmallProject) -> None:
    """And does not try again before the rules or the compilers here change."""
    (installed.root / "src/turntile/no_compiler").touch()
    (installed.root / "src/turntile/games/rules.py").write_text("WIDTH = 5\n")
    installed.run("games")
    builds = installed.builds
    again = installed.run("games")

    assert again.returncode == 0
    assert again.stderr == "turntile: no C compiler here: the games run interpreted\n"
    assert installed.builds == builds

    (installed.root / "src/turntile/no_compiler").unlink()
    compiler = installed.root / "clang"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    assert installed.run("games", CC=str(compiler)).stderr == "turntile: building the compiled rules\n"


def test_what_was_removed_from_the_environment_comes_back(installed: SmallProject) -> None:
    (installed.environment / "bin/turntile").unlink()
    again = installed.run("games")

    assert again.returncode == 0, again.stderr
    assert (installed.environment / "bin/turntile").exists()


def test_a_folder_that_was_moved_is_set_up_anew(installed: SmallProject, tmp_path: Path) -> None:
    """The commands in an environment name its place, so a copy's would start the original."""
    copy = SmallProject(tmp_path / "elsewhere")
    shutil.copytree(installed.root, copy.root, symlinks=True)
    again = copy.run("games")

    assert again.returncode == 0, again.stderr
    assert str(copy.root) in (copy.environment / "bin/turntile").read_text()


def test_an_environment_that_does_not_work_is_made_anew(project: SmallProject) -> None:
    """As after a first start that was cut off, or a Python that was removed from the system."""
    (project.environment / "bin").mkdir(parents=True)
    (project.environment / "bin/python").symlink_to(project.root / "no-such-python")
    first = project.run("games")

    assert first.returncode == 0, first.stderr
    assert first.stdout == "turntile was given ['games']\n"
    assert "making .venv anew" in first.stderr


def test_without_network_one_line_says_what_would_do(project: SmallProject) -> None:
    (project.root / "requirements.lock").write_text(f"rich==15.0.0 --hash=sha256:{'0' * 64}\n")
    # Port 9 of this machine answers nobody: what a machine without network sees, at once.
    first = project.run("games", PIP_INDEX_URL="http://127.0.0.1:9/", PIP_CONFIG_FILE=os.devnull, PIP_NO_CACHE_DIR="1")

    assert first.returncode == 1
    assert "cannot be reached" in first.stderr.splitlines()[-1]
    assert "PIP_FIND_LINKS" in first.stderr.splitlines()[-1]
    assert "Traceback" not in first.stderr


def test_a_package_with_another_hash_is_not_installed(project: SmallProject) -> None:
    wheels = project.root / "wheels"
    wheels.mkdir()
    write_wheel = f"import backend; backend.build_editable({str(wheels)!r})"
    subprocess.run([sys.executable, "-c", write_wheel], cwd=project.root, check=True)
    (project.root / "requirements.lock").write_text(f"turntile==0.0.0 --hash=sha256:{'0' * 64}\n")
    first = project.run("games", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheels), PIP_CONFIG_FILE=os.devnull)

    assert first.returncode == 1
    assert "its hash differs" in first.stderr.splitlines()[-1]


def test_a_folder_that_cannot_be_written_to_is_said_in_one_line(project: SmallProject) -> None:
    project.root.chmod(0o555)
    first = subprocess.run(
        [sys.executable, "run.py"],
        cwd=project.root,
        capture_output=True,
        text=True,
        preexec_fn=obey_permissions,
    )
    project.root.chmod(0o755)

    assert first.returncode == 1
    assert first.stderr.count("\n") == 1
    assert f"cannot write to {project.root}" in first.stderr


def obey_permissions() -> None:
    """Root may write everywhere, unless it gives that right (CAP_DAC_OVERRIDE) away."""
    if os.geteuid() == 0:
        drop_capability, may_write_everywhere = 24, 1
        ctypes.CDLL(None).prctl(drop_capability, may_write_everywhere, 0, 0, 0)


def test_ctrl_c_while_setting_up_ends_with_130_and_the_next_start_recovers(project: SmallProject) -> None:
    setting_up = subprocess.Popen(
        [sys.executable, "run.py", "games"], cwd=project.root, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert setting_up.stderr is not None
    assert "making .venv" in setting_up.stderr.readline()
    time.sleep(0.3)  # into the middle of it
    os.killpg(setting_up.pid, signal.SIGINT)

    assert setting_up.wait(timeout=300) == 130
    assert "Traceback" not in setting_up.stderr.read()
    setting_up.stderr.close()
    assert project.run("games").stdout == "turntile was given ['games']\n"


def test_an_old_python_gets_a_sentence(project: SmallProject) -> None:
    pretend = "import runpy, sys; sys.version_info = (3, 6, 15); runpy.run_path('run.py', run_name='__main__')"
    told = subprocess.run([sys.executable, "-c", pretend], cwd=project.root, capture_output=True, text=True)

    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert "3.11 or newer is needed" in told.stderr


def test_old_pythons_can_read_run_py() -> None:
    """Else they would answer with a syntax error instead of that sentence."""
    ast.parse((REPOSITORY / "run.py").read_text(), feature_version=(3, 6))


TOOLS = ("ruff", "mypy", "lint-imports", "pytest")


def put_tools(project: SmallProject, failing: str = "") -> None:
    """Programs in place of the checkers: they say what they were given and answer with an exit code."""
    (project.root / "dev.lock").write_text("# nothing\n")
    for name in TOOLS:
        tool = project.environment / "bin" / name
        tool.write_text(f'#!/bin/sh\necho "{name} was given $*"\nexit {int(name == failing)}\n')
        tool.chmod(0o755)


def test_run_py_test_runs_every_check(installed: SmallProject) -> None:
    put_tools(installed)
    tested = installed.run("test")

    assert tested.returncode == 0, tested.stdout
    assert all(f"{name} was given" in tested.stdout for name in TOOLS)
    assert tested.stdout.splitlines()[-1].startswith("all 5 checks passed in ")


def test_run_py_test_goes_on_after_a_failure_and_names_it_at_the_end(installed: SmallProject) -> None:
    put_tools(installed, failing="mypy")
    tested = installed.run("test")

    assert tested.returncode == 1
    assert "pytest was given" in tested.stdout
    assert tested.stdout.splitlines()[-1].startswith("1 of 5 checks failed in ")
    assert tested.stdout.splitlines()[-1].endswith(": types")


def test_run_py_test_with_words_hands_them_to_pytest_alone(installed: SmallProject) -> None:
    put_tools(installed)
    tested = installed.run("test", "tests/games", "-k", "landmine")

    assert tested.returncode == 0
    assert "pytest was given tests/games -k landmine\n" in tested.stdout
    assert "ruff" not in tested.stdout


def test_programs_the_system_lacks_are_named_and_not_installed_unasked(installed: SmallProject, tmp_path: Path) -> None:
    """Where nobody asked for it, run.py changes nothing outside its folder."""
    put_tools(installed)
    asked = tmp_path / "asked"
    apt = tmp_path / "apt-get"
    apt.write_text(f"#!/bin/sh\n/bin/echo $* >> {asked}\nexit 1\n")
    apt.chmod(0o755)
    tested = installed.run("test", PATH=str(tmp_path))

    assert tested.returncode == 0
    assert "missing here" in tested.stderr
    assert "gcc, git" in tested.stderr and "openssl" in tested.stderr
    assert not asked.exists()

    installed.run("test", "--system", PATH=str(tmp_path))
    assert asked.exists() == (os.geteuid() == 0)
