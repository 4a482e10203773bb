"""A stream of events tells each thing once, in the order in which it happened."""

from __future__ import annotations

import json
from typing import Any

from turntile.server.bots.doorbell import EventLines


def challenge(match: str, seat: int = 1) -> dict[str, Any]:
    return {"type": "challenge", "challenge": {"id": match, "seat": seat}}


def cancelled(match: str, seat: int = 1) -> dict[str, Any]:
    return {"type": "challengeCanceled", "challenge": {"id": match, "seat": seat}}


def game(kind: str, match: str, seat: int = 1) -> dict[str, Any]:
    return {"type": kind, "game": {"id": match, "seat": seat}}


def told(lines: EventLines) -> list[Any]:
    return [json.loads(line) for line in lines.waiting]


def test_word_from_another_process_after_the_store_has_told_the_same_is_no_news() -> None:
    lines = EventLines()
    lines.begin([challenge("early"), game("gameStart", "running")])
    for event in (challenge("early"), game("gameStart", "running"), challenge("late"), challenge("early", 2)):
        lines.ring(event)
    assert told(lines) == [
        challenge("early"),
        game("gameStart", "running"),
        challenge("late"),
        challenge("early", 2),
    ]


def test_what_happens_while_the_store_is_asked_stands_behind_its_answer() -> None:
    lines = EventLines()
    lines.ring(cancelled("gone"))
    lines.ring(game("gameFinish", "over"))
    assert not lines.waiting
    lines.begin([challenge("gone"), game("gameStart", "over")])
    assert told(lines) == [challenge("gone"), game("gameStart", "over"), cancelled("gone"), game("gameFinish", "over")]


def test_a_challenge_that_was_taken_back_may_come_again_and_one_accepted_may_not() -> None:
    lines = EventLines()
    lines.begin([])
    events = [challenge("a"), cancelled("a"), challenge("a"), game("gameStart", "a")]
    for event in [*events, challenge("a"), game("gameFinish", "a")]:
        lines.ring(event)
    assert told(lines) == [*events, game("gameFinish", "a")]
    assert not lines.going_on
