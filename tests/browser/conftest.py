"""A server and a browser for each worker, and visitors that fail a test when the page misbehaves."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.visitor import DESKTOP, Visitor, Window
from tests.server.running import ServerProcess

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
PAGE = Path(__file__).parents[2] / "src" / "turntile" / "server" / "page" / "index.html"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",  # as root it has none
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Visit = Callable[..., Visitor]


# Not for the whole session: as long as Playwright runs, no other test of the process can have an event loop.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found, "there is no chromium: apt-get install chromium, or python3 run.py test --system"
    browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    assert PAGE.exists(), "the page is not built: npm run build in web/, or python3 run.py test"
    with ServerProcess(tmp_path_factory.mktemp("arena"), "--thinkers", 1) as server:
        yield server


@pytest.fixture
def visit(browser: Browser, arena: ServerProcess, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Opens windows, each a person of its own. What went wrong in any of them fails the test."""
    visitors: list[Visitor] = []
    name = re.sub(r"[^\w-]+", "-", request.node.name).strip("-")

    def open_window(window: Window = DESKTOP, url: str = "") -> Visitor:
        picture = f"{name}-{len(visitors) + 1}" if visitors else name
        visitor = Visitor(browser, url or arena.url, window, SCREENSHOTS / picture)
        visitors.append(visitor)
        return visitor

    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    yield open_window
    for visitor in visitors:
        visitor.leave()
    faults = [fault for visitor in visitors for fault in visitor.faults]
    assert not faults, "\n".join(faults)


def pytest_report_header() -> str:
    return f"screenshots go to {os.path.relpath(SCREENSHOTS)}"
