"""An arena for the tests of a folder's file, and bots of its people."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.arena import Arena, arena

NUMBERS = count(1)
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder: Path = tmp_path_factory.mktemp("arena")
    changes = {
        "allow_local_webhooks": True,
        "keep_alive_s": 0.2,
        "challenge_s": 1.0,
        "bot_clock": "30s*1+10s",
        "upload_processes": 4,
    }
    with arena(folder, **changes) as started:
        yield started


@pytest.fixture(scope="module")
def owner(running: Arena) -> httpx.Client:
    return running.person()


def bot_name() -> str:
    return f"Bot {next(NUMBERS)}"


def upload(owner: httpx.Client, code: str | bytes, name: str = "", game: str = "racers", file: str = "bot.py") -> str:
    """An uploaded bot's name."""
    name = name or bot_name()
    told = owner.post("/bots", data={"name": name, "game": game}, files={"file": (file, code)})
    assert told.status_code == 201, told.text
    return name


def wait_until(ask: Callable[[], Any], patience_s: float = PATIENCE_S) -> Any:
    """What `ask` answers once it is true."""
    deadline = time.monotonic() + patience_s
    while not (found := ask()):
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)
    return found


def finished(client: httpx.Client, match: str) -> dict[str, Any]:
    """A match once it is over."""

    def look() -> dict[str, Any] | None:
        info: dict[str, Any] = client.get(f"/matches/{match}").json()
        return info if info["status"] in ("over", "stopped") else None

    found: dict[str, Any] = wait_until(look)
    return found


def tried(owner: httpx.Client, name: str, **wish: str) -> dict[str, Any]:
    """How a bot's trial went."""
    begin_trial(owner, name, **wish)
    return end_trial(owner, name)


def begin_trial(owner: httpx.Client, name: str, **wish: str) -> None:
    told = owner.post(f"/bots/{name}/test", json=wish)
    assert told.status_code == 202, told.text


def end_trial(owner: httpx.Client, name: str) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        trial: dict[str, Any] = owner.get(f"/bots/{name}/test").json()
        return trial if trial["state"] in ("over", "failed") else None

    found: dict[str, Any] = wait_until(look)
    return found
