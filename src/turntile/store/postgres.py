"""PostgreSQL, over asyncpg: several server processes may share it.

Appends to journals go through one task that commits all that waits at once, on a connection of its own: they
wait for no reader. Everything else has connections and transactions of its own.
"""

from __future__ import annotations

import asyncio

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from turntile.store.address import shown
from turntile.store.database import Addition, Result, SetUp, WhenStored, Work
from turntile.store.errors import StoreError
from turntile.store.group_commit import CLOSED, Batches, Job, OnCommit
from turntile.store.journal import UNFIT, add_at_once, add_one_by_one

CONNECTIONS = 8
CONNECT_S = 10
TRIES = 3  # of a transaction that PostgreSQL undid because it and another waited for each other

# Through no fault of ours: the network, the other server, a text that cannot be stored.
FAULTS = (DBAPIError, PoolTimeout, OSError, asyncio.TimeoutError, UnicodeEncodeError, OverflowError)

UNDONE = ("40001", "40P01")  # serialization failure, deadlock: the same again will do


class PostgresDatabase:
    shared = True

    def __init__(self, name: str, engine: AsyncEngine, writer: AsyncEngine) -> None:
        self._name = name
        self._engine = engine
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._batches = Batches(self._give)
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def read(self, work: Work[Result]) -> Result:
        self._refuse_if_closed()
        try:
            async with self._engine.connect() as connection:
                return await connection.run_sync(work)
        except FAULTS as error:
            raise refusal(self._name, error) from error

    async def write(self, work: Work[Result]) -> Result:
        self._refuse_if_closed()
        try:
            return await transaction(self._engine, work)
        except FAULTS as error:
            raise refusal(self._name, error) from error

    def append(self, addition: Addition, told: WhenStored) -> None:
        if self._closed:
            self._loop.call_soon(told, StoreError(CLOSED), None)
        else:
            self._batches.add(addition, told)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(CLOSED)

    def _give(self, batch: list[Job]) -> None:
        self._writing = self._loop.create_task(self._write(batch))

    async def _write(self, batch: list[Job]) -> None:
        try:
            await self._commit(batch)
        except FAULTS as error:
            for job in batch:
                job.error = refusal(self._name, error)
        except Exception as error:  # our fault: all who wait are told, and the next batch has its chance
            for job in batch:
                job.error = error
        self._batches.settle(batch)

    async def _commit(self, batch: list[Job]) -> None:
        additions = [job.what for job in batch if isinstance(job.what, Addition)]
        try:
            verdicts = await transaction(self._writer, lambda connection: add_at_once(connection, additions))
        except UNFIT:
            verdicts = await transaction(self._writer, lambda connection: add_one_by_one(connection, additions))
        for job, verdict in zip(batch, verdicts, strict=True):
            job.error = verdict

    def hear_commits(self, heard: OnCommit) -> None:
        self._batches.on_commit = heard

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._batches.idle()
        await self._writer.dispose()
        await self._engine.dispose()


async def transaction(engine: AsyncEngine, work: Work[Result]) -> Result:
    for attempt in range(1, TRIES + 1):
        try:
            async with engine.begin() as connection:
                return await connection.run_sync(work)
        except DBAPIError as error:
            if attempt == TRIES or getattr(error.orig, "sqlstate", "") not in UNDONE:
                raise
    raise AssertionError("the last try returns or raises")


async def open_postgres(url: str, set_up: SetUp) -> PostgresDatabase:
    """`set_up` is done in one transaction."""
    name = shown(url.replace("+asyncpg", "", 1))
    engine = make_engine(url, CONNECTIONS)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(set_up, name)
    except FAULTS as error:
        await engine.dispose()
        raise refusal(name, error) from error
    except BaseException:
        await engine.dispose()
        raise
    return PostgresDatabase(name, engine, make_engine(url, 1))


def make_engine(url: str, connections: int) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,  # the server may have been restarted since
        connect_args={"timeout": CONNECT_S},
    )


def refusal(name: str, error: Exception) -> StoreError:
    """asyncpg's own words are for programmers."""
    if isinstance(error, PoolTimeout):
        return StoreError(f"{name} has too much to do: all {CONNECTIONS} connections have been busy for long")
    cause: object = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlstate", None) or ""
    words = str(cause).split(">: ", 1)[-1].partition("\n")[0]
    if isinstance(error, UnicodeEncodeError | OverflowError) or code.startswith("22"):
        return StoreError(f"a text or number cannot be stored ({words})")
    if code == "3D000":
        return StoreError(f"PostgreSQL has no database {name}: createdb makes one")
    if code.startswith("28"):
        return StoreError(f"PostgreSQL does not let this user into {name} ({words}): see its pg_hba.conf")
    if code in ("42501",):
        return StoreError(f"this user may not do that in {name} ({words}): let them own the database")
    if code.startswith(("57", "53", "08")) or isinstance(cause, OSError | asyncio.TimeoutError) or not code:
        return StoreError(f"PostgreSQL cannot be reached at {name} ({words or 'no answer'}): see that it runs")
    return StoreError(f"{name} could not be read or written: {words}")
