"""What a bot's owner may read when it goes wrong: its last failures and the last lines of its log.

The replay tells everybody that an answer did not count and why; what a bot writes to its log may
hold its secrets and is for its owner alone. Kept in memory, for the bots that played last.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field

import msgspec

from turntile.match.remarks import Failure

MOST_BOTS = 500
MOST_FAILURES = 20
MOST_LINES = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer that did not count."""

    at: float
    match: str
    failure: Failure


@dataclass(slots=True)
class Page:
    """One bot's."""

    failures: deque[Entry] = field(default_factory=lambda: deque(maxlen=MOST_FAILURES))
    log: tuple[str, ...] = ()

    def of_match(self, match: str) -> list[Entry]:
        return [entry for entry in self.failures if entry.match == match]


class Notebook:
    """A page for each bot."""

    def __init__(self) -> None:
        self.pages: OrderedDict[int, Page] = OrderedDict()

    def page(self, bot: int) -> Page:
        page = self.pages.setdefault(bot, Page())
        self.pages.move_to_end(bot)
        while len(self.pages) > MOST_BOTS:
            self.pages.popitem(last=False)
        return page

    def failed(self, bot: int, match: str, failure: Failure) -> Failure:
        """Write it down; what of it everybody may know."""
        page = self.page(bot)
        if failure.stderr:
            page.log = failure.stderr[-MOST_LINES:]
        bare = msgspec.structs.replace(failure, stderr=())
        page.failures.append(Entry(time.time(), match, bare))
        return bare

    def logged(self, bot: int, lines: tuple[str, ...]) -> None:
        if lines:
            self.page(bot).log = lines[-MOST_LINES:]

    def forget(self, bot: int) -> None:
        self.pages.pop(bot, None)
