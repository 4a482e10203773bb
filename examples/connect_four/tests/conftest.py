"""The server, browser and visitors of Turntile's own tests: this game is played with them too."""

from tests.browser.conftest import arena, browser, playwright, visit

__all__ = ["arena", "browser", "playwright", "visit"]
