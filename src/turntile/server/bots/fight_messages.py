"""The texts of Robot fight's messages (X6): the rules keep sender, address and turn, the journal keeps the words.

A copy of the match is played along with the journal, as far as it is committed, and its messages
are collected with those who may read them. Of a match that is over the replay tells the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turntile.games.robots.records import SAID, TO_ALL, TO_TEAM
from turntile.match.log import apply, read_entry
from turntile.match.match import Match, Step
from turntile.server.bots.fight_plans import before_the_match

if TYPE_CHECKING:
    from turntile.server.table import Table
    from turntile.store import Store

MOST_COPIES = 100


@dataclass(frozen=True, slots=True)
class Said:
    """One message."""

    sender: int
    address: str  # all, team or a seat
    turn: int  # turns ended then
    text: str
    audience: int  # bits of the seats that heard it

    def received_by(self, seat: int) -> bool:
        return seat != self.sender and bool(self.audience >> seat & 1)


@dataclass(slots=True)
class Copy:
    match: Match
    number: int = 0  # entries of the journal played
    said: list[Said] = field(default_factory=list)


class Messages:
    """Of the matches that were lately asked about."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.copies: OrderedDict[str, Copy] = OrderedDict()

    async def of(self, table: Table) -> list[Said]:
        """All that has been said in a live match."""
        copy = self.copies.get(table.id)
        if copy is None:
            copy = self.copies[table.id] = Copy(before_the_match(table))
        self.copies.move_to_end(table.id)
        while len(self.copies) > MOST_COPIES:
            self.copies.popitem(last=False)
        before = copy.number
        entries = await self.store.read_journal(table.id, before)
        if copy.number == before:  # else another request has played them meanwhile
            for entry in entries:
                copy.said += said_in(apply(copy.match, read_entry(entry)))
                copy.number += 1
        return copy.said

    def forget(self, table: Table) -> None:
        self.copies.pop(table.id, None)


def said_in(steps: Iterable[Step]) -> list[Said]:
    said = []
    for step in steps:
        for event in step.events:
            if event.kind == SAID:
                address = "all" if event.b == TO_ALL else "team" if event.b == TO_TEAM else str(event.b)
                ended = step.after.record().ended
                said.append(Said(event.a, address, ended, event.note, event.audience))
    return said
