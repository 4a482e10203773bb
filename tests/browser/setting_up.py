"""From the first page to a match against the easy bot, as a person does it: the form, filled for a short match."""

from __future__ import annotations

import re

from tests.browser.visitor import Visitor

# What makes a match of each game short: the fields of the form, as a person fills them.
SHORT = {
    "tron": {"Size": "9"},
    "racers": {"Turn limit": "4"},
    "worms": {"Turn limit": "4"},
    "roborace": {"Round limit": "1"},
    "robots": {"Turn limit": "4"},
}
TITLES = {
    "tron": "Tron",
    "racers": "Rowdy Racers",
    "worms": "SEWorms",
    "roborace": "RoboRace",
    "robots": "Robot fight",
}


def set_up(visitor: Visitor, game: str, by_keyboard: bool = False, start_at: str = "/") -> None:
    """From the first page, or the one of the game, to a short match against the easy bot."""
    sit_down(visitor, TITLES[game], SHORT[game], by_keyboard, start_at)


def sit_down(
    visitor: Visitor, title: str, fields: dict[str, str], by_keyboard: bool = False, start_at: str = "/"
) -> None:
    """The same for any game the server has."""
    page = visitor.page
    visitor.go(start_at)
    link = page.get_by_role("link", name=f"Set up a table of {title}")
    easy = page.get_by_role("button", name=re.compile("^easy$", re.I))
    start = page.get_by_role("button", name="Start", exact=True)
    if start_at == "/" and by_keyboard:
        visitor.tab_to(link)
        visitor.press("Enter")
    elif start_at == "/":
        visitor.point(link)
    page.get_by_role("heading", name=f"Play {title}").wait_for()
    for label in fields:
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
    for label, value in fields.items():
        visitor.fill(label, value, by_keyboard)
    if by_keyboard:
        visitor.tab_to(start)
        visitor.press("Enter")
    else:
        visitor.point(start.first)
    page.wait_for_url(re.compile("/m/"))
