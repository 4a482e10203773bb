"""The protocol's page is what the code says."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import msgspec

from turntile.players.protocol import BEGIN, CLOSE, FROM_BOTS, TO_BOTS, Move, decoder, schema_of, type_of, write_page

PAGE = Path(__file__).parents[2] / "docs" / "bot-protocol.md"


def test_the_page_holds_the_schemas_of_the_code(tmp_path: Path) -> None:
    """If this fails: python -m turntile.players.protocol"""
    fresh = tmp_path / "page.md"
    shutil.copy(PAGE, fresh)
    write_page(fresh)
    assert fresh.read_text("utf-8") == PAGE.read_text("utf-8")


def test_every_message_has_a_schema_on_the_page() -> None:
    generated = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(CLOSE)[0]
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", generated, re.DOTALL)]
    told = [block["properties"]["type"]["enum"][0] for block in blocks]
    assert told == [type_of(message) for message in (*TO_BOTS, *FROM_BOTS)]


def test_the_example_of_the_page_is_of_the_protocol() -> None:
    """What the page shows a bot saying can be read, and Turntile's lines have the types it has."""
    example = PAGE.read_text("utf-8").partition("```\n> ")[2].partition("```")[0]
    lines = ("> " + example).strip().splitlines()
    assert [decoder.decode(line[2:]) for line in lines if line.startswith("< ")]
    types = {re.findall(r'"type":"(\w+)"', line)[0] for line in lines if line.startswith("> ")}
    assert types == {type_of(message) for message in TO_BOTS}


def test_a_schema_names_what_is_required() -> None:
    schema = schema_of(Move)
    assert set(schema["required"]) == {"type", "seq", "action"}
    assert msgspec.json.encode(schema)
