"""docs/bots-on-the-server.md tells of every address a bot may ask."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from turntile.games.robots.words import ERROR_KEYS
from turntile.server.app import make_app
from turntile.server.settings import Settings

PAGE = (Path(__file__).parents[3] / "docs" / "bots-on-the-server.md").read_text("utf-8")
OURS = re.compile(r"/api/(account|stream|bot|challenge)|/api/v1/bots|/robot-fight")
PATHS = [path for path in make_app(Settings()).openapi()["paths"] if OURS.match(path)]


@pytest.mark.parametrize("path", PATHS)
def test_every_address_is_on_the_page(path: str) -> None:
    words = [word for word in re.split(r"/|\{[^}]*\}", path) if word]
    assert all(word in PAGE for word in words), path
    assert re.search(rf"/{re.escape(words[-1])}\b", PAGE), path


@pytest.mark.parametrize("key", ERROR_KEYS)
def test_every_error_key_is_on_the_page(key: str) -> None:
    assert f"`{key}`" in PAGE
