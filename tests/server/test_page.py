"""The page's files: what browsers keep, what they ask for anew, and what there is without them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.arena import arena, sentence_of


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "secret.txt").write_text("outside")
    page = folder / "built"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>the page</title>")
    (page / "icon.svg").write_text("<svg/>")
    script = b"let answer = 42;"
    (page / "assets" / "index-abc.js").write_bytes(script)
    (page / "assets" / "index-abc.js.gz").write_bytes(gzip.compress(script))
    return page


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[httpx.Client]:
    with (
        arena(tmp_path_factory.mktemp("server"), page_dir=built) as running,
        httpx.Client(base_url=running.url, trust_env=False) as browser,
    ):
        yield browser


@pytest.mark.parametrize(
    "path", ["/", "/lobby", "/play/tron", "/m/abcdefgh23", "/players/Ada%20L", "/contests/x/3", "/docs"]
)
def test_every_route_of_the_page_is_the_page(client: httpx.Client, path: str) -> None:
    told = client.get(path)
    assert told.status_code == 200 and "the page" in told.text
    assert told.headers["content-type"].startswith("text/html")
    assert told.headers["cache-control"] == "no-cache"
    again = client.get(path, headers={"If-None-Match": told.headers["etag"]})
    assert again.status_code == 304


def test_files_with_a_hash_in_their_name_are_kept_for_ever(client: httpx.Client) -> None:
    told = client.get("/assets/index-abc.js", headers={"Accept-Encoding": "identity"})
    assert told.text == "let answer = 42;" and "immutable" in told.headers["cache-control"]
    assert told.headers["content-type"].startswith("text/javascript")
    packed = client.get("/assets/index-abc.js", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["content-encoding"] == "gzip" and packed.text == told.text
    assert client.get("/icon.svg").headers["cache-control"] == "no-cache"


def test_a_head_has_no_body(client: httpx.Client) -> None:
    told = client.head("/assets/index-abc.js")
    assert told.status_code == 200 and told.content == b""


@pytest.mark.parametrize(
    "path",
    ["/assets/gone-abc.js", "/favicon.ico", "/api/v2/games", "/robot-fight/x", "/assets/index-abc.js.gz", "/api"],
)
def test_what_is_not_there_is_not_the_page(client: httpx.Client, path: str) -> None:
    assert sentence_of(client.get(path), 404)


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/..%2fsecret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "//etc/passwd"]
)
def test_nothing_outside_the_folder_is_given(client: httpx.Client, path: str) -> None:
    told = client.get(path)
    assert "outside" not in told.text and "root:" not in told.text


def test_without_a_built_page_one_page_says_how_to_build_it(tmp_path: Path) -> None:
    with arena(tmp_path, page_dir=tmp_path / "nothing") as running:
        told = httpx.get(running.url, trust_env=False)
        assert told.status_code == 503 and "python3 run.py" in told.text and "npm run build" in told.text
        assert running.browser().get("/games").status_code == 200
