"""docs/server-api.md is what the server does: its curl lines are run, its schemas are those of the code."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.arena import Arena, arena
from turntile.server.api.schemas import BEGIN, CLOSE, FROM_CLIENTS, TO_CLIENTS, socket_schemas, type_of, write_page
from turntile.server.messages import read_said

PAGE = Path(__file__).parents[2] / "docs" / "server-api.md"
TEXT = PAGE.read_text("utf-8")


class Curl:
    """As much of curl as the page uses, with the shell's variables."""

    def __init__(self, running: Arena) -> None:
        self.words = {"ARENA": running.url}
        self.jar = httpx.Cookies()

    def __call__(self, line: str) -> httpx.Response:
        filled = re.sub(r"\$([A-Z]+)", lambda name: self.words[name[1]], line)
        headers: dict[str, str] = {}
        method, body, url, cookies = "", "", "", False
        words = iter(shlex.split(filled)[1:])
        for word in words:
            if word == "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            elif word == "-X":
                method = next(words)
            elif word == "-d":
                body = next(words)
            elif word in ("-b", "-c", "-o"):
                next(words)
                cookies = cookies or word == "-b"
            else:
                assert not word.startswith("-"), f"curl {word} is not known here"
                url = word
        method = method or ("POST" if body else "GET")
        with httpx.Client(trust_env=False, verify=False, timeout=60, cookies=self.jar if cookies else None) as client:
            told = client.request(method, url, headers=headers, content=body)
        self.jar.update(told.cookies)
        self.learn(told)
        return told

    def learn(self, told: httpx.Response) -> None:
        """What a person would copy from an answer into the next line."""
        if told.headers.get("content-type") == "application/json":
            data: Any = told.json()
            if "secret" in data:
                self.words["TOKEN"] = data["secret"]
            if told.status_code == 201 and "seats" in data:
                self.words["MATCH"] = data["id"]


def curl_lines() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("curl ")]


def test_every_curl_line_does_what_the_page_says(tmp_path: Path) -> None:
    lines = curl_lines()
    assert len(lines) > 20
    with arena(tmp_path) as running:
        curl = Curl(running)
        for line in lines:
            told = curl(line)
            assert told.status_code in (200, 201, 204), (line, told.text)


def test_the_page_holds_the_schemas_of_the_code(tmp_path: Path) -> None:
    """If this fails: python -m turntile.server.api.schemas"""
    fresh = tmp_path / "page.md"
    shutil.copy(PAGE, fresh)
    write_page(fresh)
    assert fresh.read_text("utf-8") == TEXT


def test_every_message_has_a_schema_on_the_page() -> None:
    generated = TEXT.partition(BEGIN)[2].partition(CLOSE)[0]
    *blocks, shared = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", generated, re.DOTALL)]
    told = [block["properties"]["type"]["enum"][0] for block in blocks]
    assert told == [type_of(message) for message in (*FROM_CLIENTS, *TO_CLIENTS)]
    wanted = set(re.findall(r'"#/\$defs/(\w+)"', generated))
    assert wanted <= set(shared["$defs"])


def test_what_the_page_shows_a_client_saying_can_be_read() -> None:
    said = re.findall(r"^< (.*)$", TEXT, re.MULTILINE)
    assert said and [read_said(line) for line in said]


def test_the_document_of_the_socket_holds_both_directions() -> None:
    document = json.loads(socket_schemas())
    names = set(document["$defs"])
    assert {"said", "told", "Act", "Frame", "MatchInfo"} <= names
    assert set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(document))) <= names


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 422, 429, 503])
def test_the_page_tells_of_every_status(status: int) -> None:
    assert re.search(rf"^\|.*\b{status}\b.*\|", TEXT, re.MULTILINE)
