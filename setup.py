"""Compiles the rules of every game into the package, where a C compiler is there.

Everything else about the package stands in pyproject.toml. Without a compiler, or with
TURNTILE_COMPILE=0, the same games are installed and run interpreted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "src"

sys.path.insert(0, str(SOURCE))  # forge compiles the rules, and forge is part of what is being installed

INTERPRETED = (
    "turntile: the games run interpreted, since {reason}. For the compiled gear get a C compiler "
    "(Debian and Ubuntu: apt install gcc python3-dev) and install again."
)


class BuildRules(build_ext):
    """Building the compiled rules may fail; installing the games may not."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # setuptools has no common error for "no compiler", and this must not stop us
            print(INTERPRETED.format(reason=f"the rules could not be compiled ({error})"), file=sys.stderr)


def compiled_rules() -> list[Extension]:
    """One extension for each of our games."""
    if os.environ.get("TURNTILE_COMPILE") == "0":
        return []
    from turntile.forge.build import extensions

    games = sorted(rules.parent.name for rules in SOURCE.glob("turntile/games/*/rules.py"))
    found = extensions([f"turntile.games.{game}" for game in games])
    for extension in found:
        extension.optional = True
    return found


setup(ext_modules=compiled_rules(), cmdclass={"build_ext": BuildRules})
