"""A whole match of every game in the browser: by mouse, by keys alone, and by finger on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.playing import Playing
from tests.browser.visitor import DESKTOP, PHONE, Visitor, Window

# What makes a match of each game short: the fields of the form, as a person fills them.
SHORT = {
    "tron": {"Size": "9"},
    "racers": {"Turn limit": "6"},
    "worms": {"Turn limit": "6"},
    "roborace": {"Round limit": "2"},
    "robots": {"Turn limit": "8"},
}
TITLES = {
    "tron": "Tron",
    "racers": "Rowdy Racers",
    "worms": "SEWorms",
    "roborace": "RoboRace",
    "robots": "Robot fight",
}


def set_up(visitor: Visitor, game: str, by_keyboard: bool = False) -> None:
    """From the first page to a match against the easy bot."""
    page = visitor.page
    visitor.go("/")
    link = page.get_by_role("link", name=f"Set up a table of {TITLES[game]}")
    easy = page.get_by_role("button", name=re.compile("^easy$", re.I))
    start = page.get_by_role("button", name="Start", exact=True)
    if by_keyboard:
        visitor.tab_to(link)
        visitor.press("Enter")
    else:
        visitor.point(link)
    page.get_by_role("heading", name=f"Play {TITLES[game]}").wait_for()
    for label in SHORT[game]:
        field = page.get_by_label(label, exact=True)
        if not field.is_visible():
            more = page.get_by_text("More options")
            if by_keyboard:
                visitor.tab_to(page.locator("summary").filter(has=more))
                visitor.press("Enter")
            else:
                visitor.point(more)
    if by_keyboard:
        page.get_by_role("heading", level=1).focus()
    else:
        visitor.point(easy.first)
    for label, value in SHORT[game].items():
        visitor.fill(label, value, by_keyboard)
    if by_keyboard:
        visitor.tab_to(start)
        visitor.press("Enter")
    else:
        visitor.point(start.first)
    page.wait_for_url(re.compile("/m/"))


def finish(visitor: Visitor) -> None:
    """The match has ended as matches end, and its replay can be watched."""
    outcome = visitor.see("outcome").first
    expect(outcome).to_contain_text(re.compile("You won|You lost|A draw"))
    visitor.picture("outcome")
    visitor.point(visitor.see("replay").first)
    visitor.page.wait_for_url(re.compile("/r/"))
    visitor.see("scrub").wait_for()


@pytest.mark.parametrize("game", SHORT)
def test_a_match_by_mouse(visit: Visit, game: str) -> None:
    visitor = visit(DESKTOP)
    set_up(visitor, game)
    playing = Playing(visitor, game)
    playing.play_on(3)
    visitor.picture("playing")
    playing.play_on()
    finish(visitor)


@pytest.mark.parametrize("game", SHORT)
def test_a_match_by_keys_alone(visit: Visit, game: str) -> None:
    visitor = visit(Window(scheme="dark"))
    set_up(visitor, game, by_keyboard=True)
    Playing(visitor, game, by_keyboard=True).play_on()
    finish(visitor)


@pytest.mark.parametrize("game", SHORT)
def test_a_match_by_finger_on_a_phone(visit: Visit, game: str) -> None:
    visitor = visit(PHONE)
    set_up(visitor, game)
    playing = Playing(visitor, game)
    playing.play_on(3)
    visitor.picture("playing", whole=True)
    width = visitor.page.evaluate("document.documentElement.scrollWidth")
    assert width <= visitor.window.width, "the page can be scrolled sideways"
    playing.play_on()
    finish(visitor)
