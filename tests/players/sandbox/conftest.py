"""What the driver found, once for all tests, also where several workers share them."""

from __future__ import annotations

import fcntl
import json
import os
from functools import cache
from typing import Any

import pytest

from tests.players.sandbox.stage import Combination, Result, drive


@pytest.fixture(scope="session")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "sandbox-results"
    folder.mkdir(exist_ok=True)

    @cache
    def find(combination: Combination) -> dict[str, Any]:
        file = folder / f"{combination.name}.json"
        with open(file.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                file.write_text(json.dumps(drive(combination)))
        found: dict[str, Any] = json.loads(file.read_text())
        return found

    return find
