"""People with each other: challenge by link, lobby, draw, rematch, resign, watching, accounts, the same keyboard."""

from __future__ import annotations

import re
from secrets import token_hex

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.playing import Playing
from tests.browser.visitor import Visitor


def challenge(visitor: Visitor, title: str) -> str:
    """Open a table for a friend from the first page; its link."""
    visitor.go("/")
    card = visitor.page.get_by_role("article").filter(has=visitor.page.get_by_role("heading", name=title))
    card.get_by_role("button", name="Play a friend").click()
    visitor.page.wait_for_url(re.compile("/m/"))
    return visitor.page.get_by_label("link to this table").input_value()


def accept(visitor: Visitor, link: str) -> None:
    visitor.go(link)
    visitor.see("join").first.click()
    visitor.see("status").wait_for()


def test_a_friend_comes_by_link_and_both_agree_on_a_draw_and_play_again(visit: Visit) -> None:
    host, guest = visit(), visit()
    link = challenge(host, "SEWorms")
    host.picture("waiting")
    accept(guest, link)
    expect(host.see("status")).to_contain_text("Your turn")
    host.button("Offer a draw").click()
    guest.see("accept-draw").click()
    for player in (host, guest):
        expect(player.see("outcome").first).to_contain_text("A draw")
    host.see("rematch").first.click()
    host.page.wait_for_url(lambda url: url.startswith("http") and url != link)
    expect(host.page.get_by_role("heading", name="Waiting for the others")).to_be_visible()
    guest.see("rematch").first.click()  # who was asked sits down at once
    guest.page.wait_for_url(host.page.url)
    expect(host.see("status")).to_be_visible()
    expect(guest.see("status")).to_contain_text("Your turn")  # the seats have changed


def test_a_declined_draw_changes_nothing_and_resigning_ends_the_match(visit: Visit) -> None:
    host, guest = visit(), visit()
    accept(guest, challenge(host, "Rowdy Racers"))
    host.button("Offer a draw").click()
    guest.see("decline-draw").click()
    expect(guest.see("outcome")).to_have_count(0)
    guest.see("resign").click()
    guest.see("resign-confirm").click()
    expect(guest.see("outcome").first).to_contain_text("You lost")
    expect(host.see("outcome").first).to_contain_text("You won")


def test_a_challenge_by_link_stands_in_no_lobby_but_an_open_table_does(visit: Visit) -> None:
    host, stranger = visit(), visit()
    hidden = challenge(host, "Robot fight").rpartition("/")[2]
    host.go("/play/worms?with=lobby")
    host.button("Open the table").first.click()
    host.page.wait_for_url(re.compile("/m/"))
    shown = host.page.url.rpartition("/")[2]
    stranger.go("/lobby")
    expect(stranger.page.locator(f"a[href='/m/{shown}']").first).to_be_visible()
    expect(stranger.page.locator(f"a[href='/m/{hidden}']")).to_have_count(0)
    stranger.picture("lobby")


def test_a_watcher_is_told_how_far_behind_he_is_and_may_not_act(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(), visit()
    link = challenge(host, "Rowdy Racers")
    accept(guest, link)
    watcher.go(link)
    expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
    expect(watcher.page.get_by_text(re.compile("at least 30 seconds"))).to_be_visible()
    expect(watcher.see("choice")).to_have_count(0)
    expect(watcher.see("resign")).to_have_count(0)


def test_two_at_one_screen_hand_it_over_and_nobody_sees_the_others_hand(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/play/roborace?with=beside")
    visitor.page.get_by_label("Seats").select_option("2")
    visitor.button("Start").first.click()
    visitor.page.wait_for_url(re.compile("/m/"))
    expect(visitor.see("lift").or_(visitor.see("confirm")).first).to_be_visible()
    if visitor.see("lift").is_visible():
        visitor.see("lift").click()
    playing = Playing(visitor, "beside")
    while not visitor.see("lift").is_visible():
        playing.do_something()
    expect(visitor.see("card-1")).to_have_count(0)
    visitor.picture("curtain")
    visitor.see("lift").click()
    expect(visitor.see("card-1")).to_be_visible()


def test_two_steer_at_one_keyboard_in_real_time(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/play/tron?with=beside")
    visitor.button("Start").first.click()
    visitor.page.wait_for_url(re.compile("/m/"))
    expect(visitor.page.locator(".seat-keys dt")).to_have_count(2)
    visitor.picture("keys")
    while not visitor.see("outcome").first.is_visible():
        visitor.press("ArrowUp", "w")
        visitor.page.wait_for_timeout(300)
    expect(visitor.see("outcome").first).to_contain_text(re.compile("won|draw"))


def test_two_at_one_screen_agree_on_a_draw_and_nobody_asks_a_bot_for_one(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/play/worms?with=beside")
    visitor.button("Start").first.click()
    visitor.see("agree").click()
    visitor.see("agree-confirm").click()
    expect(visitor.see("outcome").first).to_contain_text("A draw")
    visitor.go("/play/worms?with=bot")
    visitor.button("Start").first.click()
    expect(visitor.see("resign")).to_be_visible()
    expect(visitor.page.get_by_role("button", name=re.compile("draw"))).to_have_count(0)


def test_a_guest_becomes_an_account_logs_out_and_in_and_makes_a_token(visit: Visit) -> None:
    visitor = visit()
    name = f"Ada {token_hex(3)}"
    link = challenge(visitor, "SEWorms")
    visitor.go("/account")
    visitor.button("New account").click()
    visitor.page.get_by_label("Name").fill(name)
    visitor.page.get_by_label(re.compile("^Password")).fill("correct horse battery")
    visitor.button("Make the account").click()
    expect(visitor.button("Log out")).to_be_visible()
    visitor.page.get_by_label("What is it for?").fill("my bot")
    visitor.page.get_by_role("checkbox", name=re.compile("^play")).check()
    visitor.button("Make a token").click()
    assert visitor.see("secret").input_value().startswith("tt_")
    visitor.picture("token", whole=True)
    visitor.page.reload()
    expect(visitor.button("Revoke my bot")).to_be_visible()
    expect(visitor.see("secret")).to_have_count(0)
    visitor.button("Log out").click()
    visitor.expected = ["401", "403"]
    visitor.button("Log in").first.click()
    visitor.page.get_by_label("Name").fill(name)
    visitor.page.get_by_label(re.compile("^Password")).fill("wrong horse battery")
    visitor.page.locator("form").get_by_role("button", name="Log in").click()
    expect(visitor.page.get_by_role("alert").first).to_be_visible()
    visitor.page.get_by_label(re.compile("^Password")).fill("correct horse battery")
    visitor.page.locator("form").get_by_role("button", name="Log in").click()
    expect(visitor.button("Log out")).to_be_visible()
    visitor.go(link)
    expect(visitor.page.get_by_text(name).first).to_be_visible()


def test_script_in_a_name_stays_text(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/play/worms?with=beside")
    visitor.page.get_by_text("Seat by seat").click()
    evil = "<img src=x onerror=1>"
    visitor.page.get_by_label("Name at seat 2").fill(evil)
    visitor.button("Start").first.click()
    expect(visitor.see("status").or_(visitor.see("lift")).or_(visitor.page.get_by_role("alert")).first).to_be_visible()
    assert visitor.page.locator("img[src=x]").count() == 0
    refused = visitor.page.get_by_role("alert")
    shown = visitor.page.get_by_text(evil)
    assert refused.count() or shown.count()
