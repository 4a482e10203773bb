"""A published contest in the page: standings, bracket, crosstable, and every match as a film."""

from __future__ import annotations

from secrets import token_hex

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.test_access import serious_faults
from tests.browser.visitor import DESKTOP, PHONE, Window
from tests.contest.tables import contest, play_to_end
from tests.server.running import ServerProcess
from turntile.contest.publish import Server, publish, read_address
from turntile.contest.results import Results
from turntile.contest.run import follow

FORMATS = ("knockout", "swiss", "round-robin")


@pytest.fixture(scope="module")
def published(arena: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A contest of each format; their pages."""
    with arena.client() as client:
        account = {"name": f"Organiser {token_hex(3)}", "password": "correct horse battery"}
        assert client.post("/api/v1/accounts", json=account).status_code == 201
        token = client.post("/api/v1/tokens", json={"label": "cup", "scopes": ["publish"]}).json()["secret"]
    pages = {}
    for format in FORMATS:
        path = tmp_path_factory.mktemp("played") / f"{format}.contest"
        play_to_end(path, contest(bots=4, format=format))
        with Results.open(path) as results:
            page, left_out = publish(follow(results), results, f"The {format}", Server(read_address(arena.url), token))
        assert left_out == 0
        pages[format] = page.removeprefix(arena.url)
    return pages


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("format", FORMATS)
def test_everything_there_is_to_tell_stands_on_its_page(
    visit: Visit, published: dict[str, str], format: str, window: Window
) -> None:
    visitor = visit(window)
    visitor.go("/contests")
    visitor.page.get_by_role("link", name=f"The {format}").first.click()
    expect(visitor.page.get_by_role("region", name="Standings").get_by_role("row")).to_have_count(5)
    expect(visitor.page.get_by_role("region", name="Each against each")).to_be_visible()
    expect(visitor.page.get_by_role("region", name="Rounds")).to_have_count(0 if format == "round-robin" else 1)
    expect(visitor.page.get_by_role("heading", name="Bracket")).to_have_count(1 if format == "knockout" else 0)
    visitor.picture("contest", whole=True)
    assert serious_faults(visitor) == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= window.width


def test_a_match_of_a_contest_is_watched_as_a_film(visit: Visit, published: dict[str, str]) -> None:
    visitor = visit()
    visitor.go(published["round-robin"])
    films = visitor.page.get_by_role("link", name="Film of match 1", exact=True)
    films.click()
    visitor.see("scrub").wait_for()
    visitor.page.locator("body").press("End")
    last = visitor.see("step").inner_text()
    assert last.split(" / ")[0] == last.split(" / ")[1] != "0"
    visitor.page.get_by_role("link", name="To the contest").click()
    expect(visitor.page.get_by_role("heading", name="The round-robin")).to_be_visible()
