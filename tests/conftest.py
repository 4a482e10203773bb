"""Every rules test runs in both gears; records check ranges and indices in the interpreted one."""

from __future__ import annotations

import os

os.environ["TURNTILE_CHECKED"] = "1"  # before any record is made

import signal
from typing import cast

import pytest

from turntile.core.gears import GearName

pytest_plugins = ["tests.databases"]


@pytest.fixture(params=["interpreted", "compiled"])
def gear_name(request: pytest.FixtureRequest) -> GearName:
    return cast(GearName, request.param)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of RULES.md this test shows")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # A shell has what it starts in the background ignore Ctrl-C, and all that is started from there would, too.
        signal.signal(signal.SIGINT, signal.default_int_handler)
