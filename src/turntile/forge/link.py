"""Linking in the interpreted gear: the generic chapters, bound to one game's rules.

A generic chapter (playouts, search, batch) is written against the stand-ins of a contract
module. Here its functions are given the game's own functions and constants instead; forge's
translator does the same for the compiled gear.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any


def link(rules: ModuleType, defaults: ModuleType, chapters: Iterable[ModuleType]) -> SimpleNamespace:
    """One namespace: the rules, the defaults for what they leave out, and the chapters."""
    names: dict[str, Any] = {}
    for chapter in chapters:
        names.update(public(chapter))
    names.update(public(defaults))
    names.update(public(rules))
    generic = [*(m for m in chapters), defaults]
    for module in generic:
        for name, function in own_functions(module):
            if getattr(rules, name, None) is None:
                names[name] = FunctionType(function.__code__, names, name, function.__defaults__)
    return SimpleNamespace(**names)


def public(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def own_functions(module: ModuleType) -> list[tuple[str, FunctionType]]:
    return [
        (name, value)
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
