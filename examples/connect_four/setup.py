"""Compiles the rules while the package is installed; without a compiler they run interpreted."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).parent / "src"))

from turntile.forge.build import extensions

setup(ext_modules=extensions(["connect_four"]))
