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

# Forge compiles the rules, and forge is part of what is being installed.
sys.path.insert(0, str(Path(__file__).resolve().parent / "src"))

from turntile.forge.build import NO_COMPILER, compiler, extensions, our_packages
from turntile.forge.refusal import ForgeError


class BuildRules(build_ext):
    """Building the compiled rules may fail; installing the games may not."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        self.extensions = [extension for extension in self.extensions if translated(extension)]
        try:
            super().run()
        except Exception as error:  # setuptools has no one error for a compiler that does not work
            say(f"the rules could not be compiled and run interpreted: {error}")


def rules_to_compile() -> list[Extension]:
    """One extension for each of our games, without sources yet: pip reads this file several times."""
    if os.environ.get("TURNTILE_COMPILE") == "0":
        return []
    if compiler() is None:
        say(NO_COMPILER)
        return []
    return [Extension(f"{package}._rules", [], optional=True) for package in our_packages()]


def translated(extension: Extension) -> bool:
    """Let forge write the C of one game, now that it is needed."""
    package = extension.name.rpartition(".")[0]
    try:
        [made] = extensions([package])
    except (ForgeError, RuntimeError) as error:
        say(f"{package} could not be translated and runs interpreted: {error}")
        return False
    extension.sources = made.sources
    extension.include_dirs = made.include_dirs
    extension.extra_compile_args = made.extra_compile_args
    return True


def say(line: str) -> None:
    print(f"turntile: {line}", file=sys.stderr)


setup(ext_modules=rules_to_compile(), cmdclass={"build_ext": BuildRules})
