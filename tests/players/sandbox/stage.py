"""Where the tests attack from: as root, and as an ordinary user of this machine.

The Python that runs the tests may live where an ordinary user cannot look (root's home, say). Then root shows it to
him at another place, in a mount namespace that ends with the run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import turntile

ROOT, USER = "root", "user"
NOBODY = 65534  # the user every Linux has that owns nothing
NEWEST = 99
PATIENCE_S = 300

SHOW = """
set -e
mount --bind "$1" "$3/python"
mount --bind "$2" "$3/source"
shift 3
exec "$@"
"""


@dataclass(frozen=True, slots=True)
class Combination:
    """Who locks bots in, and how; `attacks` empty for all."""

    identity: str
    way: str
    landlock: int = NEWEST
    attacks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.identity}-{self.way}" + (f"-{self.landlock}" if self.landlock != NEWEST else "")


Result = Callable[[Combination], dict[str, Any]]  # what the driver says of a combination


@contextmanager
def stage(identity: str) -> Iterator[list[str]]:
    """The beginning of a command line that runs our Python, with turntile, as root or as an ordinary user."""
    source, version = Path(turntile.__file__).parent.parent, f"python{sys.version_info.major}.{sys.version_info.minor}"
    place = Path(tempfile.mkdtemp(prefix="turntile-stage-"))
    place.chmod(0o755)
    for name in ("python", "source", "home"):
        (place / name).mkdir()
    (place / "home" / "diary").write_text("dear diary")
    settings = ["env", "-u", "TMPDIR", f"HOME={place / 'home'}", "PYTHONDONTWRITEBYTECODE=1"]
    if os.geteuid() != 0:
        assert identity == USER
        words = [*settings, f"PYTHONPATH={source}", f"{sys.base_prefix}/bin/{version}"]
    else:
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if identity == USER else []
        shown = ["unshare", "--mount", "sh", "-c", SHOW, "show", sys.base_prefix, str(source), str(place)]
        python = f"{place}/python/bin/{version}"
        words = [*settings, *shown, *user, "env", f"PYTHONPATH={place}/source", python]
    try:
        yield words
    finally:
        shutil.rmtree(place)


def drive(combination: Combination) -> dict[str, Any]:
    """What the driver says of a combination."""
    driver = Path(__file__).with_name("driver.py").read_text()
    with stage(combination.identity) as words:
        done = subprocess.run(
            [*words, "-c", driver, combination.way, str(combination.landlock), *combination.attacks],
            capture_output=True,
            cwd="/",
            timeout=PATIENCE_S,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def run_there(identity: str, program: str) -> str:
    """The output of a Python program, run as root or as an ordinary user."""
    with stage(identity) as words:
        done = subprocess.run([*words, "-c", program], capture_output=True, cwd="/", timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
