"""Watching what was played: scrub, step, speed, what happened, a link to a moment, files, a frame elsewhere."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.finished import SHORT, finished_match
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.server.running import ServerProcess
from turntile.core.registry import find
from turntile.match.replay import read_replay, verify


@pytest.fixture(scope="module")
def tron(arena: ServerProcess) -> str:
    return str(finished_match(arena, "tron")["id"])


def shown_step(visitor: Visitor) -> int:
    return int(visitor.see("step").inner_text().split("/")[0].split()[-1])


def last_step(visitor: Visitor) -> int:
    return int(visitor.see("step").inner_text().split("/")[1].split()[0])


@pytest.mark.parametrize("game", SHORT)
@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_film_of_every_game_runs_from_its_first_to_its_last_step(
    visit: Visit, arena: ServerProcess, game: str, window: object
) -> None:
    match = finished_match(arena, game)
    visitor = visit(window)
    visitor.go(f"/r/{match['id']}")
    visitor.see("scrub").wait_for()
    visitor.page.locator("body").press("End")
    assert shown_step(visitor) == last_step(visitor) == match["step"]
    visitor.page.wait_for_timeout(400)
    visitor.picture("last", whole=True)
    visitor.page.locator("body").press("Home")
    assert shown_step(visitor) == 0


def test_steps_are_gone_through_by_buttons_keys_and_the_slider(visit: Visit, tron: str) -> None:
    visitor = visit()
    visitor.go(f"/r/{tron}")
    scrub = visitor.see("scrub")
    scrub.wait_for()
    body = visitor.page.locator("body")
    body.press("Home")
    body.press("ArrowRight")
    assert shown_step(visitor) == 1
    body.press("ArrowLeft")
    assert shown_step(visitor) == 0
    scrub.fill("3")
    assert shown_step(visitor) == 3
    film = visitor.page.get_by_role("group", name="Film")
    before = shown_step(visitor)
    film.get_by_role("button").nth(-1).click()
    assert shown_step(visitor) > before


def test_what_happened_leads_to_its_moment(visit: Visit, tron: str) -> None:
    visitor = visit()
    visitor.go(f"/r/{tron}")
    visitor.see("scrub").wait_for()
    lines = visitor.page.get_by_role("region", name="What happened").get_by_role("button")
    lines.last.click()
    assert shown_step(visitor) == last_step(visitor)


def test_a_link_leads_to_a_moment_and_survives_a_reload(visit: Visit, tron: str) -> None:
    visitor = visit()
    visitor.go(f"/r/{tron}?turn=2")
    visitor.see("scrub").wait_for()
    assert shown_step(visitor) == 2
    visitor.page.locator("body").press("ArrowRight")
    visitor.page.wait_for_url("**turn=3*")
    visitor.page.reload()
    visitor.see("scrub").wait_for()
    assert shown_step(visitor) == 3


def test_it_plays_by_itself_and_faster_on_demand(visit: Visit, tron: str) -> None:
    visitor = visit()
    visitor.go(f"/r/{tron}")
    visitor.see("scrub").wait_for()
    visitor.page.locator("body").press("Home")
    visitor.page.get_by_label("Speed").select_option(
        index=visitor.page.get_by_label("Speed").locator("option").count() - 1
    )
    visitor.page.locator("body").press("k")
    expect(visitor.see("step")).to_contain_text(f"{last_step(visitor)} / {last_step(visitor)}", timeout=30_000)


def test_gif_page_and_replay_file_arrive_whole(visit: Visit, tron: str, tmp_path: Path) -> None:
    visitor = visit()
    visitor.go(f"/r/{tron}")
    visitor.button("Share").click()
    files: dict[str, bytes] = {}
    for name in ("GIF", "Page (HTML)", "Replay file"):
        with visitor.page.expect_download() as coming:
            visitor.page.get_by_role("link", name=name).click()
        files[name] = Path(coming.value.path()).read_bytes()
    with Image.open(io.BytesIO(files["GIF"])) as film:
        assert film.format == "GIF"
        assert getattr(film, "n_frames", 1) > 5
    assert b"<!doctype html>" in files["Page (HTML)"][:200].lower()
    proven = verify(read_replay(files["Replay file"]), find("tron"))
    assert proven.outcome is not None


@pytest.fixture
def another_site(arena: ServerProcess, tron: str) -> Iterator[str]:
    """A page of somebody else that shows our film in a frame and writes down what the frame tells it."""
    page = f"""<!doctype html><title>elsewhere</title><ul id=told></ul>
        <script>addEventListener("message", (said) => {{
            const line = document.createElement("li");
            line.textContent = JSON.stringify(said.data);
            document.getElementById("told").append(line);
        }});</script>
        <iframe src="{arena.url}/embed/{tron}?turn=2" width=800 height=560></iframe>"""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = page.encode() if self.path == "/" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_film_runs_in_a_frame_of_another_site_and_tells_it_the_turn(
    visit: Visit, arena: ServerProcess, another_site: str
) -> None:
    visitor = visit(url=another_site)
    visitor.expected = [arena.url, "favicon", "404"]
    visitor.go("/")
    frame = visitor.page.frame_locator("iframe")
    frame.get_by_test_id("scrub").wait_for()
    expect(visitor.page.locator("#told li").first).to_contain_text('"TURN"')
    expect(visitor.page.locator("#told li").first).to_contain_text('"turn":2')
