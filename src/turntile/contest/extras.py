"""Packages that only some contests need: loaded when they are, and missed in one line."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from turntile.core.errors import TurntileError


class MissingExtra(TurntileError):
    """A package that comes with an extra, and is not installed."""


def need(module: str, extra: str, what: str) -> Any:
    """The module, or what to install. Without types: the verdict of mypy must not depend on what is installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] != module.split(".")[0]:
            raise
        raise MissingExtra(f"{what} needs {module.split('.')[0]}: pip install 'turntile[{extra}]'") from None
