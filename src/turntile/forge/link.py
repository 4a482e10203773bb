"""Linking in the interpreted gear: the generic chapters, bound to one game's rules.

A generic chapter (playouts, search, batch) is written against the stand-ins of a contract
module. Here its functions are given the game's own functions and constants instead; forge's
reader and translator do the same for the compiled gear.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any


def link(
    rules: ModuleType, contract: ModuleType, defaults: ModuleType, chapters: Sequence[ModuleType]
) -> SimpleNamespace:
    """One namespace: the rules, the defaults for what they leave out, and the chapters.

    A chapter's own names win over the game's, which may use the same words for something
    else; the rules' functions keep looking into their own files.
    """
    names: dict[str, Any] = public(rules)
    own = {
        name: value
        for name, value in public(defaults).items()
        if name not in vars(rules) and not hasattr(contract, name)
    }
    for chapter in chapters:
        own.update(
            (name, value) for name, value in public(chapter).items() if is_own(chapter, contract, defaults, name)
        )
    for name, value in own.items():
        bound = (
            FunctionType(value.__code__, names, name, value.__defaults__)
            if is_generic(value, defaults, chapters)
            else value
        )
        names[name] = bound
    return SimpleNamespace(**names)


def public(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def is_own(chapter: ModuleType, contract: ModuleType, defaults: ModuleType, name: str) -> bool:
    """Not a stand-in, and not a default that the game may have replaced."""
    return not hasattr(contract, name) and not hasattr(defaults, name)


def is_generic(value: Any, defaults: ModuleType, chapters: Sequence[ModuleType]) -> bool:
    homes = {module.__name__ for module in (defaults, *chapters)}
    return isinstance(value, FunctionType) and value.__module__ in homes
