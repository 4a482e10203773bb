"""The line protocol: what a referee and a program say to each other, one JSON message a line.

These types are the protocol: docs/bot-protocol.md holds the JSON Schemas made of them
(`python -m turntile.players.protocol` writes that part of the page). A reader ignores fields
and message types that it does not know, so that a later version may add some.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from turntile.match.remarks import NotedCell, NotedLine

PROTOCOL = 1
MOST_LISTED = 64  # of a turn's legal actions, where a game has too many to list them all


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    """The first message to a program. It answers with `id`, if it likes, and `ready`."""

    protocol: int = PROTOCOL
    turntile: str


class NewGame(msgspec.Struct, frozen=True, kw_only=True, tag="newgame"):
    """A match begins. The program forgets the one before and answers `ready`; no clock runs meanwhile."""

    game: str
    rules_version: int
    options: dict[str, Any] | None  # null where the match starts from a position
    seat: int  # the program's own, counted from 0
    players: tuple[str, ...]  # their names, by seat
    clock: str  # none, 100ms, 1s*5+100ms, bank 60s +1s
    seed: int  # for the program's own chance: the same match gives the same number


class ClockReading(msgspec.Struct, frozen=True, kw_only=True):
    """How long the program may think now. The clock starts when this message has been written."""

    limit_ms: float | None  # for this turn in all, bank included; null without a limit
    bank_ms: float = 0.0  # what of it would come from the bank


class YourTurn(msgspec.Struct, frozen=True, kw_only=True, tag="turn"):
    """The program is to act: it answers with `move` and the same `seq`."""

    seq: int  # rises with each turn and match
    step: int  # of the match, counted from 1
    view: Any  # what this seat may know: the game's own view
    legal: tuple[str, ...]  # legal actions; a random choice of them where `legal_count` is larger
    legal_count: int
    clock: ClockReading
    heard: tuple[str, ...] = ()  # what this seat was told since its last turn
    refused: str = ""  # why its last answer did not count, "" if it did


class End(msgspec.Struct, frozen=True, kw_only=True, tag="end"):
    """The match is over. The program stays for the next one; no answer is expected."""

    scores: tuple[int, ...]
    places: tuple[int, ...]  # 1 is the best; equal places are a tie
    reason: str


class Quit(msgspec.Struct, frozen=True, tag="quit"):
    """The program is to end now. Who does not is stopped."""


class Id(msgspec.Struct, frozen=True, kw_only=True, tag="id"):
    """Who the program is."""

    name: str
    author: str = ""
    version: str = ""


class Ready(msgspec.Struct, frozen=True, kw_only=True, tag="ready"):
    """The answer to `hello` and to `newgame`."""

    protocol: int = PROTOCOL  # the one the program speaks


class Move(msgspec.Struct, frozen=True, kw_only=True, tag="move"):
    """The answer to `turn`. An answer with an earlier `seq` came late and is ignored."""

    seq: int
    action: str  # one action's text, or several with ; between them


class Info(msgspec.Struct, frozen=True, kw_only=True, tag="info"):
    """What the program thinks, for the replay; before its `move`. Nobody else sees it until the match is over."""

    text: str = ""
    cells: tuple[NotedCell, ...] = ()
    lines: tuple[NotedLine, ...] = ()
    values: dict[str, float] = {}


TO_BOTS = (Hello, NewGame, YourTurn, End, Quit)
FROM_BOTS = (Id, Ready, Move, Info)

FromBot = Id | Ready | Move | Info

encoder = msgspec.json.Encoder()
decoder = msgspec.json.Decoder(FromBot)
looser = msgspec.json.Decoder(dict[str, Any])


def some_of(texts: Sequence[str], step: int) -> tuple[str, ...]:
    """Those legal actions that are listed where there are too many. Whoever knows the step can draw the same ones:
    drawn with the match's own chance they would tell of its seed."""
    if len(texts) <= MOST_LISTED:
        return tuple(texts)
    return tuple([texts[index] for index in sorted(Random(step).sample(range(len(texts)), MOST_LISTED))])


def encode(message: msgspec.Struct) -> bytes:
    return encoder.encode(message) + b"\n"


def type_of(message: type[msgspec.Struct]) -> str:
    return str(message.__struct_config__.tag)


KNOWN_TYPES = frozenset(type_of(message) for message in FROM_BOTS)


# ------------------------------------------------------------------- the page

BEGIN = "<!-- schemas: written by `python -m turntile.players.protocol`, checked by a test -->"
CLOSE = "<!-- end of schemas -->"


def schema_of(message: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of one message, with what it needs inside it."""
    [schema], needed = msgspec.json.schema_components([message], ref_template="#/$defs/{name}")
    own: dict[str, Any] = needed.pop(message.__name__)
    assert schema == {"$ref": f"#/$defs/{message.__name__}"}, schema
    own["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    if needed:
        own["$defs"] = needed
    return own


def write_schemas() -> str:
    """The generated part of docs/bot-protocol.md."""
    parts = [BEGIN]
    for title, messages in (("To the program", TO_BOTS), ("From the program", FROM_BOTS)):
        parts.append(f"\n### {title}\n")
        for message in messages:
            told = msgspec.json.format(msgspec.json.encode(schema_of(message)), indent=1).decode()
            parts.append(f"#### `{type_of(message)}`\n\n```json\n{told}\n```\n")
    return "\n".join([*parts, CLOSE])


def write_page(page: Path) -> None:
    """Put the schemas of today into the page."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    page.write_text(before + write_schemas() + rest.partition(CLOSE)[2], "utf-8")


if __name__ == "__main__":
    write_page(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/bot-protocol.md"))
