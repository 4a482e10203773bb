"""SQLite: one thread writes, some others read.

Everything that waits to be written when the writer comes free goes into one transaction. Readers
have connections of their own and, thanks to the write-ahead log, never wait for the writer.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from turntile.store.database import Addition, Result, SetUp, Work
from turntile.store.errors import StoreError
from turntile.store.group_commit import CLOSED, Batches, Job, OnCommit
from turntile.store.journal import MOST_AT_ONE_GO, UNFIT, Verdicts, add_at_once, add_one_by_one, insert_at_one_go

READERS = 4
BUSY_S = 10  # how long another program may keep the file locked before we give up

# Through no fault of ours: the disk, another program, a text that cannot be stored.
FAULTS = (DBAPIError, OSError, UnicodeEncodeError, OverflowError)

WRITER_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",  # what is committed survives a power cut
    "foreign_keys = ON",
)
READER_PRAGMAS = ("query_only = ON",)


class SqliteDatabase:
    shared = False

    def __init__(self, path: Path, writer: Engine, readers: Engine, lock: IO[bytes] | None) -> None:
        self._path = path
        self._writer = writer
        self._driver = driver_of(writer)
        self._readers = readers
        self._lock = lock
        self._loop = asyncio.get_running_loop()
        self._reading = ThreadPoolExecutor(READERS, "turntile-store-reader")
        self._to_write: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._batches = Batches(self._to_write.put)
        self._thread = Thread(target=self._write_batches, name="turntile-store-writer", daemon=True)
        self._thread.start()
        self._closed = False

    async def read(self, work: Work[Result]) -> Result:
        self._refuse_if_closed()
        return await self._loop.run_in_executor(self._reading, self._read, work)

    def _read(self, work: Work[Result]) -> Result:
        try:
            with self._readers.connect() as connection:
                return work(connection)
        except FAULTS as error:
            raise refusal(self._path, error) from error

    async def write(self, work: Work[Result]) -> Result:
        self._refuse_if_closed()
        result: Result = await self._batches.add(work)
        return result

    def append(self, addition: Addition) -> asyncio.Future[None]:
        return self._batches.refuse(StoreError(CLOSED)) if self._closed else self._batches.add(addition)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(CLOSED)

    def hear_commits(self, heard: OnCommit) -> None:
        self._batches.on_commit = heard

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._batches.idle()
        self._to_write.put(None)
        await self._loop.run_in_executor(None, self._close)

    def _close(self) -> None:
        self._thread.join()
        self._reading.shutdown()
        self._readers.dispose()
        self._writer.dispose()
        if self._lock is not None:
            self._lock.close()

    # In the writer's thread.

    def _write_batches(self) -> None:
        while (batch := self._to_write.get()) is not None:
            try:
                self._commit(batch)
            except FAULTS as error:
                for job in batch:
                    job.error = refusal(self._path, error)
            except Exception as error:  # our fault: all who wait are told, and the next batch has its chance
                for job in batch:
                    job.error = error
            with contextlib.suppress(RuntimeError):  # the event loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._batches.settle, batch)

    def _commit(self, batch: list[Job]) -> None:
        try:
            if not self._commit_at_one_go(batch):
                self._commit_with(add_at_once, batch)
        except UNFIT:
            self._commit_with(add_one_by_one, batch)

    def _commit_at_one_go(self, batch: list[Job]) -> bool:
        """What most batches are: entries of matches that go on. One statement, so that the thread gets by with
        one turn of the interpreter; it is a transaction of its own. False if there is more to do than that."""
        entries: list[object] = []
        owner = None
        for job in batch:
            what = job.what
            if not isinstance(what, Addition) or what.ending is not None or (what.owner != owner and entries):
                return False
            owner = what.owner
            number = what.first_number
            for entry in what.entries:
                entries += (what.match_id, number, entry)
                number += 1
        if not 0 < len(entries) <= 3 * MOST_AT_ONE_GO:
            return False
        try:
            self._driver.execute(insert_at_one_go(len(entries) // 3), (owner, *entries))
        except sqlite3.Error:  # nothing was written; the long way finds out whose does not fit, or what is wrong
            return False
        return True

    def _commit_with(self, add: Callable[[Connection, Sequence[Addition]], Verdicts], batch: list[Job]) -> None:
        additions = [(job, job.what) for job in batch if isinstance(job.what, Addition)]
        with self._writer.begin() as connection:
            if additions:
                verdicts = add(connection, [addition for _, addition in additions])
                for (job, _), verdict in zip(additions, verdicts, strict=True):
                    job.error = verdict
            for job in batch:
                if not isinstance(job.what, Addition):
                    self._do(connection, job, job.what)

    def _do(self, connection: Connection, job: Job, work: Work[Any]) -> None:
        """What one job raises undoes that job only."""
        job.error = None
        try:
            with connection.begin_nested():
                job.result = work(connection)
        except FAULTS as error:
            job.error = refusal(self._path, error)
        except Exception as error:
            job.error = error


async def open_sqlite(path: Path, set_up: SetUp, *, must_exist: bool, alone: bool) -> SqliteDatabase:
    """`set_up` is done in one transaction; a new file is removed again if it refuses."""
    writer, readers, lock = await asyncio.to_thread(open_engines, path, set_up, must_exist, alone)
    return SqliteDatabase(path, writer, readers, lock)


def open_engines(path: Path, set_up: SetUp, must_exist: bool, alone: bool) -> tuple[Engine, Engine, IO[bytes] | None]:
    refuse_place(path, must_exist)
    new = not path.exists()
    lock = be_alone(path) if alone else None
    writer = make_engine(path, WRITER_PRAGMAS, "BEGIN IMMEDIATE", connections=1)
    try:
        with writer.begin() as connection:
            set_up(connection, str(path))
    except BaseException as error:
        writer.dispose()
        if new:
            path.unlink(missing_ok=True)
        if lock is not None:
            lock.close()
        if isinstance(error, FAULTS):
            raise refusal(path, error) from error
        raise
    return writer, make_engine(path, READER_PRAGMAS, "BEGIN", connections=READERS), lock


def driver_of(writer: Engine) -> sqlite3.Connection:
    """The engine's one connection as the driver has it. Lent back at once: one thread uses both, in turns."""
    lent = writer.raw_connection()
    driver = lent.driver_connection
    lent.close()
    assert isinstance(driver, sqlite3.Connection)
    return driver


def refuse_place(path: Path, must_exist: bool) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file in it, such as {path / 'arena.db'}")
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent} to keep {path.name} in: make it first")
    if must_exist and not path.exists():
        raise StoreError(f"there is no database {path}: turntile serve --db makes one")


def be_alone(path: Path) -> IO[bytes] | None:
    """Two servers on one file would each believe to hold its matches; the system drops the lock with the process."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock: there it is the user's to start one server only
        return None
    try:
        lock = open(path.with_name(path.name + "-server"), "wb")  # noqa: SIM115 (open as long as the store)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            f"another server runs on {path}: stop it first, or let several share a PostgreSQL database"
        ) from None
    except OSError as error:
        raise refusal(path, error) from error
    return lock


def make_engine(path: Path, pragmas: Sequence[str], begin: str, connections: int) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        # Transactions are begun by us, below; the driver would begin them late, and not around table changes.
        connect_args={
            "isolation_level": None,
            "check_same_thread": False,
            "timeout": BUSY_S,
            "cached_statements": 2 * MOST_AT_ONE_GO,
        },
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _: object) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def refusal(path: Path, error: Exception) -> StoreError:
    """SQLite's own words are for programmers."""
    words = str(error.orig if isinstance(error, DBAPIError) else error)
    if "locked" in words:
        return StoreError(f"{path} has been locked by another program for {BUSY_S} s: close that one first")
    if "not a database" in words or "malformed" in words:
        return StoreError(f"{path} is no database of SQLite, or a damaged one ({words}): restore a backup beside it")
    if "readonly" in words or "unable to open" in words or isinstance(error, PermissionError):
        return StoreError(f"{path} cannot be written to by this user: give it to them, or name another file")
    if "full" in words:
        return StoreError(f"there is no room left on the disk for {path}: make some")
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return StoreError(f"a text or number cannot be stored ({words})")
    return StoreError(f"{path} could not be read or written: {words}")
