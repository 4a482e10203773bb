"""The network drops, the server is killed: the page says so, comes back, and nothing is lost or done twice."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import SCREENSHOTS
from tests.browser.network import Wire
from tests.browser.playing import Playing
from tests.browser.setting_up import set_up
from tests.browser.visitor import DESKTOP, PHONE, Visitor, Window
from tests.server.running import ServerProcess

BROUGHT_ABOUT = ["ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET", "WebSocket"]


def away(visitor: Visitor) -> None:
    """The page says that it has lost the server."""
    expect(visitor.page.locator(".notice.link")).to_be_visible()
    visitor.picture("away")


def back(visitor: Visitor, log_before: str) -> None:
    """... and that it has it again, with all that was told before."""
    expect(visitor.page.locator(".notice.link")).to_have_count(0, timeout=20_000)
    assert log_before.splitlines()[0] in visitor.see("log").inner_text()


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_play_goes_on_after_the_network_was_away(browser: Browser, tmp_path: Path, window: Window) -> None:
    with Wire() as wire, ServerProcess(tmp_path / "arena", "--thinkers", 1, "--origin", wire.url) as server:
        wire.target = server.port
        visitor = Visitor(browser, wire.url, window, SCREENSHOTS / f"test_network_was_away-{window.width}")
        visitor.expected = BROUGHT_ABOUT
        set_up(visitor, "worms")
        playing = Playing(visitor, "network")
        playing.play_on(2)
        log_before = visitor.see("log").inner_text()
        wire.cut()
        away(visitor)
        wire.mend()
        back(visitor, log_before)
        playing.play_on()
        expect(visitor.see("outcome").first).to_be_visible()
        visitor.leave()
        assert visitor.faults == []


def test_play_goes_on_after_the_server_was_killed_and_started_again(browser: Browser, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "arena", "--thinkers", 1).wait_until_it_listens()
    url, port = server.url, server.port
    visitor = Visitor(browser, url, DESKTOP, SCREENSHOTS / "test_server_was_killed")
    visitor.expected = BROUGHT_ABOUT
    try:
        set_up(visitor, "worms")
        playing = Playing(visitor, "killed")
        playing.play_on(2)
        log_before = visitor.see("log").inner_text()
        server.end(signal.SIGKILL)
        away(visitor)
        with ServerProcess(tmp_path / "arena", "--thinkers", 1, "--port", port) as again:
            assert again.url == url
            back(visitor, log_before)
            playing.play_on()
            expect(visitor.see("outcome").first).to_be_visible()
            visitor.leave()
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)
        server.log.close()
    assert visitor.faults == []
