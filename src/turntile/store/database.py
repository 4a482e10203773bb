"""What both databases can do for the store: read, write, and append to journals.

Work is a function of a plain SQLAlchemy connection, so that everything above is written once:
on SQLite it runs in a thread, on PostgreSQL on the event loop over asyncpg.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection, Executable

from turntile.store.rows import Ending

Result = TypeVar("Result")
Work = Callable[[Connection], Result]
WhenStored = Callable[[Exception | None, Any], None]  # what came of it: the error or None, and the result
SetUp = Callable[[Connection, str], None]  # with the database's name, for refusals


class Addition(msgspec.Struct, frozen=True):
    """Entries to be added to one match's journal, all or none; with its ending, if they end it."""

    match_id: str
    first_number: int
    entries: Sequence[bytes]
    ending: Ending | None = None
    owner: str = ""  # the process that must own the match; "": whoever


class Database(Protocol):
    shared: bool  # several server processes may work on it at once

    async def read(self, work: Work[Result]) -> Result:
        """Sees one consistent state, and waits for no writer."""
        ...

    async def write(self, work: Work[Result]) -> Result:
        """All or nothing, and durable when it returns. What `work` raises undoes it and is raised here."""
        ...

    def append(self, addition: Addition, told: WhenStored) -> None:
        """`told` is called on the event loop when it is durable; LostOwnership is one of its errors. Many additions
        share one commit.

        No coroutine and no future: a table adds thousands of these a second.
        """
        ...

    def hear_commits(self, heard: Callable[[int, float], None]) -> None:
        """From now on `heard` is told of every commit: entries of journals in it, and the seconds it took."""
        ...

    async def close(self) -> None:
        """After what is under way is committed."""
        ...


def run(*statements: Executable) -> Work[int]:
    """Work that executes statements in order; how many rows the last one touched."""

    def work(connection: Connection) -> int:
        touched = 0
        for statement in statements:
            touched = connection.execute(statement).rowcount
        return touched

    return work
