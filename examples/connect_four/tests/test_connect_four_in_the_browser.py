"""Connect Four in the arena: played in a real browser by mouse, keys and finger, and no line of it is screen code."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.playing import Playing
from tests.browser.setting_up import sit_down
from tests.browser.visitor import DESKTOP, PHONE, Window
from tests.server.running import ServerProcess

TITLE = "Connect Four"
SMALL = {"Width": "5"}


@pytest.mark.parametrize(
    ("window", "by_keyboard"),
    [(DESKTOP, False), (Window(scheme="dark"), True), (PHONE, False)],
    ids=["mouse", "keys", "finger"],
)
def test_a_match_and_its_replay(visit: Visit, window: Window, by_keyboard: bool) -> None:
    visitor = visit(window)
    sit_down(visitor, TITLE, SMALL, by_keyboard)
    Playing(visitor, "connect four", by_keyboard).play_on()
    expect(visitor.see("outcome").first).to_contain_text(re.compile("You won|You lost|A draw"))

    visitor.point(visitor.see("replay").first)
    visitor.see("scrub").wait_for()
    visitor.page.locator("body").press("End")
    expect(visitor.page.get_by_text(re.compile("(has four in a line|the grid is full)$")).last).to_be_visible()
    visitor.picture("replay")


def test_a_stone_falls_into_the_column_that_was_clicked(visit: Visit) -> None:
    visitor = visit()
    sit_down(visitor, TITLE, SMALL)
    visitor.page.locator("[data-cell].pointable").nth(3).click()
    expect(visitor.see("log")).to_contain_text("x drops into column 4")


def test_its_rules_stand_in_the_page(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/rules/connect_four")
    expect(visitor.page.get_by_text("A full column takes no more stones.")).to_be_visible()


def test_programs_find_it_beside_the_others(arena: ServerProcess) -> None:
    with arena.client() as client:
        told = client.get("/api/v1/games/connect_four").json()
        assert (told["title"], told["players"], told["draws"], told["hidden"]) == (TITLE, [2, 2], True, False)
        assert [option["name"] for option in told["options"]] == ["width", "height"]
        refused = client.post(
            "/api/v1/matches",
            json={"game": "connect_four", "options": {"width": 3}, "seats": [{"kind": "me"}, {"kind": "open"}]},
        )
        assert (refused.status_code, refused.json()["detail"]) == (422, "a 3x6 grid cannot be: both sides need 4 to 10")
