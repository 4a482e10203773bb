"""Ways of choosing that a game's scene offers besides plain buttons: aims, items beside the board, rows, cards."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.setting_up import set_up
from tests.browser.visitor import PHONE


def test_a_preset_of_robot_fight_is_built_to_its_end_by_one_key(visit: Visit) -> None:
    visitor = visit()
    set_up(visitor, "robots", start_at="/play/robots")
    expect(visitor.see("status")).to_contain_text("10 of 10 slots are free")
    visitor.press("1")
    expect(visitor.see("status")).to_contain_text("0 of 10 slots are free")
    expect(visitor.page.locator("[data-testid=part][aria-pressed=true]")).to_have_count(3)
    visitor.picture("built")


def test_weapons_of_seworms_are_taken_from_the_panel_and_aimed_by_a_compass(visit: Visit) -> None:
    visitor = visit(PHONE)
    set_up(visitor, "worms", start_at="/play/worms")
    aims = visitor.page.locator("[data-testid=choice]:has(.outcome)")
    expect(aims).to_have_count(8)
    assert not visitor.page.locator("[data-testid=choice]").filter(has_text="take the").count()
    visitor.point(visitor.see("item").filter(has_text="bazooka"))
    expect(visitor.see("status")).to_contain_text("bazooka")
    expect(aims).to_have_count(8)
    visitor.picture("aims", whole=True)


def test_a_hand_says_where_its_cards_lead(visit: Visit) -> None:
    visitor = visit()
    set_up(visitor, "roborace", start_at="/play/roborace")
    expect(visitor.see("leads")).to_contain_text("cards into the slots")
    visitor.press("1")
    expect(visitor.see("leads")).to_contain_text("):")
    visitor.press("Backspace")
    expect(visitor.see("leads")).to_contain_text("cards into the slots")
