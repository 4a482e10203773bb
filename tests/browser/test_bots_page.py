"""A bot's way into the arena through the page: uploaded, tried, shown to be wrong, given a token, taken away."""

from __future__ import annotations

import re
from pathlib import Path
from secrets import token_hex

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

GOOD = 'def bot(observation):\n    print("step", observation.step)\n    return observation.legal[0]\n'
BROKEN = 'def bot(observation):\n    raise ValueError("no idea")\n'


@pytest.fixture
def owner(visit: Visit) -> Visitor:
    """Somebody with an account, on the page of his bots."""
    visitor = visit()
    visitor.go("/account")
    visitor.page.get_by_label("Name").fill(f"Maker {token_hex(3)}")
    visitor.page.get_by_label(re.compile("^Password")).fill("correct horse battery")
    visitor.button("Make the account").click()
    visitor.page.get_by_role("link", name="My bots").click()
    return visitor


def card_of(visitor: Visitor, name: str) -> Locator:
    return visitor.page.locator("section").filter(has=visitor.page.get_by_role("heading", name=name))


def upload(visitor: Visitor, name: str, file: Path, code: str) -> Locator:
    file.write_text(code, encoding="utf-8")
    visitor.button("Add a bot").click()
    visitor.page.get_by_label("Name").fill(name)
    visitor.page.get_by_label(re.compile("^Game")).select_option("tron")
    visitor.page.get_by_label("File").set_input_files(file)
    visitor.button("Upload", exact=True).click()
    card = card_of(visitor, name)
    card.wait_for()
    return card


def try_out(card: Locator) -> None:
    card.get_by_role("button", name="Play a match nobody sees").click()
    expect(card.get_by_role("link", name="Replay")).to_be_visible(timeout=90_000)


def test_an_uploaded_bot_is_tried_and_its_log_is_shown(owner: Visitor, tmp_path: Path) -> None:
    card = upload(owner, f"Good {token_hex(3)}", tmp_path / "good.py", GOOD)
    try_out(card)
    expect(card.locator("pre").first).to_contain_text("step")
    owner.picture("tried", whole=True)
    card.get_by_role("link", name="Replay").click()
    owner.see("scrub").wait_for()


def test_a_broken_one_shows_what_went_wrong(owner: Visitor, tmp_path: Path) -> None:
    card = upload(owner, f"Broken {token_hex(3)}", tmp_path / "broken.py", BROKEN)
    try_out(card)
    expect(card.get_by_role("heading", name="What went wrong")).to_be_visible()
    expect(card).to_contain_text("no idea")
    owner.picture("broken", whole=True)


def test_a_file_that_is_no_bot_is_refused_next_to_the_form(owner: Visitor, tmp_path: Path) -> None:
    owner.expected = ["422"]
    empty = tmp_path / "empty.py"
    empty.write_text("")
    owner.button("Add a bot").click()
    owner.page.get_by_label("Name").fill(f"Empty {token_hex(3)}")
    owner.page.get_by_label("File").set_input_files(empty)
    owner.button("Upload", exact=True).click()
    expect(owner.page.get_by_role("alert")).to_contain_text("empty")


def test_a_remote_bot_gets_a_token_once_is_switched_off_and_deleted(owner: Visitor) -> None:
    name = f"Far {token_hex(3)}"
    owner.page.on("dialog", lambda dialog: dialog.accept())
    owner.button("Add a bot").click()
    owner.button("My own machine").click()
    owner.page.get_by_label("Name").fill(name)
    owner.button("Register").click()
    card = card_of(owner, name)
    expect(card.get_by_label("Game")).not_to_have_value("")
    card.get_by_role("button", name="Make a token").click()
    assert card.get_by_test_id("secret").input_value().startswith("tt_")
    card.get_by_label("May be invited").uncheck()
    expect(card.get_by_text("OFF")).to_be_visible()
    card.get_by_role("button", name="Delete").click()
    expect(card).to_have_count(0)
