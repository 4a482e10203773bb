"""The store: everything that must outlive the server, on SQLite or PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from types import TracebackType

from sqlalchemy import Connection

from turntile.store.address import read_address
from turntile.store.answers import Answers
from turntile.store.arrivals import file_arrivals
from turntile.store.bots import Bots
from turntile.store.contests import Contests
from turntile.store.database import Addition, Database, SetUp, WhenStored
from turntile.store.errors import StoreError
from turntile.store.group_commit import settle
from turntile.store.matches import Matches
from turntile.store.players import Players
from turntile.store.processes import Processes
from turntile.store.ratings import Ratings
from turntile.store.rows import Ending
from turntile.store.schema import prepare
from turntile.store.secrets import Secrets
from turntile.store.sessions import Sessions
from turntile.store.tokens import Tokens


class Store:
    """Made by `open_store`. Its parts are named after what they keep."""

    def __init__(self, url: str, database: Database) -> None:
        self.url = url
        self.database = database
        self.shared = database.shared  # several server processes may work on it at once
        self.process = ""  # set by a server: only the owner of a match may then append to it
        self.players = Players(database)
        self.sessions = Sessions(database)
        self.tokens = Tokens(database)
        self.bots = Bots(database)
        self.matches = Matches(database)
        self.ratings = Ratings(database)
        self.contests = Contests(database)
        self.processes = Processes(database)
        self.answers = Answers(database)
        self.secrets = Secrets(database)

    def append(
        self, match_id: str, first_number: int, entries: Sequence[bytes], ending: Ending | None = None
    ) -> asyncio.Future[None]:
        """Add entries to a match's journal, the first with this number (from 1); durable when the future is done.

        All of them, with the ending, or none: LostOwnership if one of these numbers is there already, if the match
        is not being played, or if another process owns it. Many calls at once share one commit.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.database.append(Addition(match_id, first_number, entries, ending, self.process), partial(settle, done))
        return done

    def add(self, match_id: str, first_number: int, entries: Sequence[bytes], told: WhenStored) -> None:
        """The same for who does it all day: `told` is called with the error, or None, when it is settled."""
        self.database.append(Addition(match_id, first_number, entries, None, self.process), told)

    async def read_journal(self, match_id: str, after: int = 0) -> list[bytes]:
        """The entries with numbers over `after`, in order."""
        return await self.matches.read_journal(match_id, after)

    async def close(self) -> None:
        """After what is under way is committed."""
        await self.database.close()

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def open_store(url: str, *, migrate: bool = True, alone: bool = False) -> Store:
    """Open a database, made or brought up to date first unless `migrate` is False. Raises StoreError.

    `alone`: be the only server on it, where it is not one that several can share (SQLite).
    """

    def set_up(connection: Connection, name: str) -> None:
        prepare(connection, name, migrate)
        file_arrivals(connection)

    return Store(url, await open_database(url, set_up, must_exist=not migrate, alone=alone))


async def open_database(url: str, set_up: SetUp, *, must_exist: bool = False, alone: bool = False) -> Database:
    """Only the driver that is needed is loaded."""
    address = read_address(url)
    if address.kind == "sqlite":
        from turntile.store.sqlite import open_sqlite

        return await open_sqlite(address.path, set_up, must_exist=must_exist, alone=alone)
    try:
        from turntile.store.postgres import open_postgres
    except ImportError as error:
        raise StoreError(
            f"for PostgreSQL {error.name or 'a package'} is missing: pip install 'turntile[postgres]'"
        ) from error
    return await open_postgres(address.url, set_up)
