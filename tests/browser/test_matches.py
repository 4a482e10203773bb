"""A whole match of every game in the browser: by mouse, by keys alone, and by finger on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.playing import Playing
from tests.browser.setting_up import SHORT, set_up
from tests.browser.visitor import DESKTOP, PHONE, Visitor, Window


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
    set_up(visitor, game, by_keyboard=True, start_at="/" if game == "tron" else f"/play/{game}")
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
