"""Endings are named by exit code, signal and last words."""

from __future__ import annotations

import pytest

from turntile.players.sandbox import verdict
from turntile.players.sandbox.verdict import COMPLAINT, NOT_STARTED, why_not_started


@pytest.mark.parametrize(
    ("returncode", "errors", "name"),
    [
        (0, "MemoryError (caught)", "ended"),
        (1, "MemoryError", "memory"),
        (134, "FATAL ERROR: Reached heap limit - JavaScript heap out of memory", "memory"),
        (1, 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', "memory"),
        (-6, "terminate called after throwing an instance of 'std::bad_alloc'", "memory"),
        (2, "sh: 1: Cannot fork", "processes"),
        (1, "RuntimeError: can't start new thread", "processes"),
        (-24, "", "cpu"),
        (152, "", "cpu"),
        (153, "", "file size"),
        (1, "OSError: [Errno 28] No space left on device", "file size"),
        (1, "PermissionError: [Errno 1] Operation not permitted", "forbidden"),
        (159, "", "forbidden"),
        (-9, "", "killed"),
        (137, "", "killed"),
        (-11, "", "crashed"),
        (139, "Segmentation fault", "crashed"),
        (3, "", "failed"),
        (NOT_STARTED, f"{COMPLAINT}bot cannot be started", "not started"),
        (NOT_STARTED, "my own 125", "failed"),
    ],
)
def test_the_verdict_names_the_ending(returncode: int, errors: str, name: str) -> None:
    assert verdict(returncode, errors) == name


def test_why_nothing_was_started_is_the_last_complaint() -> None:
    assert why_not_started(f"noise\n{COMPLAINT}no such bot\n") == "no such bot"
    assert why_not_started("bwrap: No permissions to create a new namespace\n").startswith("bwrap: No permissions")
    assert why_not_started("Traceback") == ""
