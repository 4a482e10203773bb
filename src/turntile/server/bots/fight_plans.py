"""Deploying a robot request by request, while the match wants one request of every seat at a time (O7, R10).

What a seat has asked for and the match has not played yet stands in the match itself, as the
seat's choice and queue: another request is judged as if those had been played, and all of them are
sent as one message. Before everybody has joined there is no match; requests are then kept in the
store, and played when it begins. So nothing that was accepted is lost.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from turntile.core.errors import IllegalAction
from turntile.core.registry import find
from turntile.games.robots import rules
from turntile.games.robots.records import DEPLOYMENT
from turntile.games.robots.requests import why_illegal
from turntile.games.robots.words import error_key, parse, refusal
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.store.rows import KeptAnswer

if TYPE_CHECKING:
    from turntile.server.hall import Hall
    from turntile.server.table import Table

GAME = "robots"
MOST_KEPT = 100  # requests of one seat before the match begins
KEPT_STATUS = 202


def deploying(match: Match) -> bool:
    return bool(match.record.phase == DEPLOYMENT)


def pending(match: Match, seat: int) -> list[str]:
    """What a seat has chosen and queued, in order."""
    place = match.seats[seat]
    return [*([place.chosen.text] if place.chosen is not None else []), *place.queue]


def imagine(match: Match, seat: int, requests: list[str]) -> Any:
    """The record as it would be if this seat's requests had been played. Leads to nothing others could see."""
    record = match.record.copy()
    for text in requests:
        play(record, seat, text)
    return record


def play(record: Any, seat: int, text: str) -> None:
    rules.deploy(record, seat, parse(record, seat, text))


def judge(record: Any, seat: int, text: str) -> None:
    """Raises InvalidAction or IllegalAction, in the order of R19."""
    action = parse(record, seat, text)
    code = why_illegal(record, seat, action)
    if code:
        raise IllegalAction(refusal(record, seat, action, code), error_key(code))


class Plans:
    """The requests of seats whose match has not begun. A bystander of the hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.kept: dict[tuple[str, int], list[str]] = {}  # as they stand in the store

    async def of(self, table: Table, seat: int) -> list[str]:
        key = (table.id, seat)
        if key not in self.kept:
            player = table.seats[seat].player_id
            found: list[str] = []
            while player is not None and len(found) < MOST_KEPT:
                answer = await self.hall.store.answers.find(name_of(table, seat, len(found)), player)
                if answer is None:
                    break
                found.append(answer.body.decode())
            self.kept[key] = found
        return self.kept[key]

    async def add(self, table: Table, seat: int, text: str) -> None:
        """Keep an accepted request; durable when it returns."""
        player = table.seats[seat].player_id
        plan = await self.of(table, seat)
        if player is None or len(plan) >= MOST_KEPT:
            raise IllegalAction(f"at most {MOST_KEPT} requests can wait for the others to join: wait for them")
        number = len(plan)
        kept = KeptAnswer(name_of(table, seat, number), player, time.time(), KEPT_STATUS, text.encode())
        await self.hall.store.answers.keep(kept)
        plan.append(text)

    async def play(self, table: Table, seat: int) -> None:
        """The match has begun: send what was kept, unless that has been done."""
        match = table.match
        if match is None or match.step_number or pending(match, seat) or seat not in match.waiting():
            return
        plan = await self.of(table, seat)
        if plan and not match.step_number and not pending(match, seat):
            await table.act(seat, 0, "; ".join(plan))

    def forget(self, table: Table) -> None:
        for key in [key for key in self.kept if key[0] == table.id]:
            del self.kept[key]


def name_of(table: Table, seat: int, number: int) -> str:
    return f"robot-fight {table.id} {seat} {number}"


def before_the_match(table: Table) -> Match:
    """The match as it will begin, for what a seat may know of it."""
    game = find(GAME)
    return Match.start(game, choose_options(game, table.row.options), int(table.row.seed, 16))
