"""Everybody can use it: axe finds nothing serious, moves are heard, the board can be read, motion can be less."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.finished import SHORT, finished_match
from tests.browser.visitor import DESKTOP, PHONE, Visitor, Window
from tests.server.running import ServerProcess

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = (
    "/",
    "/play/racers",
    "/lobby",
    "/players",
    "/contests",
    "/bots",
    "/account",
    "/rules/tron",
    "/docs",
    "/no/such/page",
)
DARK = Window(scheme="dark")
LOOKS = pytest.mark.parametrize("window", [DESKTOP, DARK, PHONE], ids=["light", "dark", "phone"])


def serious_faults(visitor: Visitor) -> list[str]:
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = visitor.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{visitor.page.url}: {fault['id']} ({fault['impact']}): {node['html'][:160]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@LOOKS
def test_axe_finds_nothing_serious_on_any_page(visit: Visit, arena: ServerProcess, window: Window) -> None:
    visitor = visit(window)
    visitor.expected = ["404"]  # /no/such/page
    match = finished_match(arena, "tron")
    faults = []
    pages = PAGES if window is DESKTOP else PAGES[:3] if window is DARK else PAGES[:7]  # colours and widths repeat
    for path in (*pages, f"/r/{match['id']}", f"/embed/{match['id']}", f"/m/{match['id']}"):
        visitor.go(path)
        visitor.page.locator("h1, h2, [data-testid=scrub]").first.wait_for(state="attached")
        visitor.page.wait_for_timeout(600)  # for what the page asks the server
        visitor.picture(
            re.sub(r"\W+", "-", path).replace(match["id"], "match").strip("-") or "home", whole=window.touch
        )
        faults += serious_faults(visitor)
    assert faults == []


@pytest.mark.parametrize("window", [DARK, PHONE], ids=["dark", "phone"])
@pytest.mark.parametrize("game", SHORT)
def test_axe_finds_nothing_serious_in_a_match(visit: Visit, game: str, window: Window) -> None:
    visitor = visit(window)
    visitor.go(f"/play/{game}")
    visitor.point(visitor.button("Start").first)
    visitor.see("status").wait_for()
    visitor.see("choice").or_(visitor.see("confirm")).or_(visitor.see("outcome")).first.wait_for()
    visitor.page.wait_for_timeout(300)
    assert serious_faults(visitor) == []


def test_moves_are_said_and_the_board_can_be_read_row_by_row(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/play/worms")
    visitor.button("Start").first.click()
    expect(visitor.see("status")).to_contain_text("Your turn")
    visitor.see("choice").filter(has_text="idle").first.click()
    expect(visitor.see("announcer")).not_to_be_empty()
    visitor.see("read").click()
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile("row 1", re.I))
    visitor.picture("words")


def test_cells_are_told_under_the_keyboard_cursor(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/play/racers")
    visitor.button("Start").first.click()
    expect(visitor.see("status")).to_contain_text("Your turn")
    cell = visitor.see("board").locator("[role=gridcell][tabindex='0']")
    visitor.tab_to(cell)
    first = visitor.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert first
    visitor.press("ArrowRight")
    where = visitor.page.evaluate("document.activeElement.dataset.cell")
    visitor.press("ArrowUp")
    assert visitor.page.evaluate("document.activeElement.dataset.cell") != where


def test_an_impossible_key_is_answered_with_the_reason(visit: Visit) -> None:
    """From the corner where Rowdy Racers begins one cannot go down."""
    visitor = visit()
    visitor.go("/play/racers")
    visitor.button("Start").first.click()
    expect(visitor.see("status")).to_contain_text("Your turn")
    visitor.press("ArrowDown")
    expect(visitor.see("refusal")).to_contain_text(re.compile("grid|edge|outside|wall", re.I))
    visitor.picture("refusal")


def test_an_impossible_text_is_answered_with_what_would_do(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/play/worms")
    visitor.button("Start").first.click()
    expect(visitor.see("status")).to_contain_text("Your turn")
    visitor.see("typed").fill("fly to the moon")
    visitor.see("send").click()
    expect(visitor.see("refusal")).to_be_visible()


def test_with_reduced_motion_nothing_moves_for_long(visit: Visit) -> None:
    visitor = visit(Window(reduced_motion=True))
    visitor.go("/play/racers")
    visitor.button("Start").first.click()
    expect(visitor.see("status")).to_contain_text("Your turn")
    longest = visitor.page.evaluate(
        """Math.max(0, ...[...document.querySelectorAll("*")].flatMap((thing) => {
            const style = getComputedStyle(thing);
            const times = [style.transitionDuration, style.animationDuration];
            return times.flatMap((text) => text.split(",").map(parseFloat));
        }))"""
    )
    assert longest <= 0.01
