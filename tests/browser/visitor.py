"""A person in front of a window: goes to pages, looks, points and types; notes what the page does wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)  # five seconds, as it comes, are little where many tests share two cores
MOST_TABS = 250
Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Window:
    width: int = 1280
    height: int = 800
    touch: bool = False
    scheme: Scheme = "light"
    reduced_motion: bool = False


DESKTOP = Window()
PHONE = Window(390, 844, touch=True, scheme="dark")


class Visitor:
    """One window with cookies of its own."""

    def __init__(self, browser: Browser, url: str, window: Window, pictures: Path) -> None:
        self.url = url
        self.window = window
        self.pictures = pictures
        self.faults: list[str] = []
        self.expected: list[str] = []  # words of faults that the test itself brings about
        self.context = browser.new_context(
            base_url=url,
            viewport={"width": window.width, "height": window.height},
            has_touch=window.touch,
            is_mobile=window.touch,
            color_scheme=window.scheme,
            reduced_motion="reduce" if window.reduced_motion else "no-preference",
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.page.on("request", self.note_request)
        self.page.on("console", self.note_console)
        self.page.on("pageerror", lambda error: self.note(f"error in the page: {error}"))

    # ------------------------------------------------------------------- what must not happen

    def note_request(self, request: Request) -> None:
        where = urlsplit(request.url)
        ours = urlsplit(self.url)
        if where.scheme in ("http", "https", "ws", "wss") and where.netloc != ours.netloc:
            self.note(f"the page asked {request.url}")

    def note_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.note(f"console {message.type} at {self.page.url}: {message.text}")

    def note(self, fault: str) -> None:
        if not any(words in fault for words in self.expected):
            self.faults.append(fault)

    # ------------------------------------------------------------------- going and looking

    def go(self, path: str) -> None:
        self.page.goto(path)

    def see(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def button(self, name: str, **more: Any) -> Locator:
        return self.page.get_by_role("button", name=name, **more)

    def picture(self, what: str, whole: bool = False) -> None:
        """Kept for people to look at."""
        self.page.screenshot(path=f"{self.pictures}-{what}.png", full_page=whole, animations="disabled")

    # ------------------------------------------------------------------- doing

    def point(self, thing: Locator) -> None:
        """Click or tap, as this window has it."""
        if self.window.touch:
            thing.tap()
        else:
            thing.click()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, thing: Locator) -> None:
        """Press Tab until that has the focus: everything must be reachable so."""
        thing.wait_for()
        for _ in range(MOST_TABS):
            if thing.evaluate("thing => thing === document.activeElement || thing.contains(document.activeElement)"):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {thing}")

    def fill(self, label: str, value: str, by_keyboard: bool = False) -> None:
        field = self.page.get_by_label(label, exact=True)
        if by_keyboard:
            self.tab_to(field)
            self.press("Control+a")
            self.page.keyboard.type(value)
            self.press("Tab")
        else:
            field.fill(value)
            field.blur()

    def leave(self) -> None:
        self.context.close()
