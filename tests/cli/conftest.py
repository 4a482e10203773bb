"""The command inside the test's process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import Here


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(tmp_path, monkeypatch, capfd)
