"""SQLite: one thread writes, some others read.

Everything that waits to be written when the writer comes free goes into one transaction. Readers
have connections of their own and, thanks to the write-ahead log, never wait for the writer. A server
that is alone on its file notes entries of journals as they arrive and files them later.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from turntile.store.arrivals import NOTE, Note, Noted, file_arrivals
from turntile.store.database import Addition, Result, SetUp, WhenStored, Work
from turntile.store.errors import StoreError
from turntile.store.group_commit import CLOSED, Batches, Job, OnCommit, settle
from turntile.store.journal import UNFIT, Verdicts, add_at_once, add_one_by_one, lost

log = logging.getLogger(__name__)

SETTING_UP = Lock()  # one at a time in a process: Alembic keeps what it is at in globals

READERS = 4
FILE_AFTER = 32_768  # entries that were noted: then the oldest are filed, ...
FILED_AT_ONCE = 2048  # ... so many of them between two commits
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
        self._alone = lock is not None
        self._next: dict[str, int] = {}  # the number after the last of each match that was added to
        self._ours: set[str] = set()  # matches that were seen to be ours since anything but entries was written
        self._noted = 0  # entries that are not filed yet
        self._loop = asyncio.get_running_loop()
        self._reading = ThreadPoolExecutor(READERS, "turntile-store-reader")
        self._to_write: SimpleQueue[tuple[list[Job], Note | None] | None] = SimpleQueue()
        self._batches = Batches(self._give)
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
        done: asyncio.Future[Result] = self._loop.create_future()
        self._batches.add(work, partial(settle, done))
        return await done

    def append(self, addition: Addition, told: WhenStored) -> None:
        if self._closed:
            self._loop.call_soon(told, StoreError(CLOSED), None)
        else:
            self._batches.add(addition, told)

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

    def _give(self, batch: list[Job]) -> None:
        """What can be done here is: the writer's thread would have to wait for the interpreter for it."""
        self._to_write.put((batch, self._note_of(batch) if self._alone else None))

    def _note_of(self, batch: list[Job]) -> Note | None:
        """What most batches are: entries of matches that go on as we know them. None if there is more to it."""
        noted: Noted = []
        owner = ""
        for job in batch:
            what = job.what
            if not isinstance(what, Addition) or what.ending is not None or (what.owner != owner and noted):
                return None
            if self._next.get(what.match_id) != what.first_number:
                return None
            owner = what.owner
            noted.append((what.match_id, what.first_number, what.entries))
        return Note(noted, owner, self._ours)

    # In the writer's thread; the loop gives it the next batch when it has heard of the one before.

    def _write_batches(self) -> None:
        while (given := self._to_write.get()) is not None:
            batch, note = given
            try:
                if note is None or not self._write_note(note):
                    self._commit(batch)
            except FAULTS as error:
                for job in batch:
                    job.error = refusal(self._path, error)
            except Exception as error:  # our fault: all who wait are told, and the next batch has its chance
                for job in batch:
                    job.error = error
            with contextlib.suppress(RuntimeError):  # the event loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._batches.settle, batch)
            del given, batch, note  # the loop is to be the last to let go of them, while they are in its core's cache
            if self._noted >= FILE_AFTER:
                self._file(FILED_AT_ONCE)
        if self._noted:
            self._file()

    def _write_note(self, note: Note) -> bool:
        try:
            written = self._driver.execute(NOTE, note.parameters).rowcount == 1
        except sqlite3.Error:  # nothing was written; the long way finds out what is wrong
            return False
        if written:
            self._ours.update(note.unseen)
            self._next.update(note.numbers_after)
            self._noted += note.entries
        return written

    def _file(self, most: int | None = None) -> None:
        """If it fails, it is tried again after the next commit, and when the file is opened."""
        try:
            with self._writer.begin() as connection:
                filed = file_arrivals(connection, most)
            self._noted = max(0, self._noted - filed) if filed else 0
        except Exception as error:
            log.warning("%s: what has arrived could not be filed yet: %s", self._path.name, error)

    def _commit(self, batch: list[Job]) -> None:
        try:
            self._commit_with(add_at_once, batch)
        except UNFIT:
            self._commit_with(add_one_by_one, batch)

    def _commit_with(self, add: Callable[[Connection, Sequence[Addition]], Verdicts], batch: list[Job]) -> None:
        additions: list[tuple[Job, Addition]] = []
        self._ours.clear()
        for job in batch:
            if isinstance(job.what, Addition):
                if job.what.first_number < self._next.get(job.what.match_id, 0):  # it may be noted, not filed
                    job.error = lost(job.what, "somebody else has gone on with it")
                else:
                    additions.append((job, job.what))
        with self._writer.begin() as connection:
            if any(addition.ending is not None and addition.ending.keep_journal for _, addition in additions):
                file_arrivals(connection)
            if additions:
                verdicts = add(connection, [addition for _, addition in additions])
                for (job, _), verdict in zip(additions, verdicts, strict=True):
                    job.error = verdict
            for job in batch:
                if not isinstance(job.what, Addition):
                    self._do(connection, job, job.what)
        for job, addition in additions:
            if job.error is None:
                self._next[addition.match_id] = addition.first_number + len(addition.entries)
            if addition.ending is not None:
                self._next.pop(addition.match_id, None)

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
    """`set_up` is done in one transaction; where it refuses a new file, there is none."""
    writer, readers, lock = await asyncio.to_thread(open_engines, path, set_up, must_exist, alone)
    return SqliteDatabase(path, writer, readers, lock)


def open_engines(path: Path, set_up: SetUp, must_exist: bool, alone: bool) -> tuple[Engine, Engine, IO[bytes] | None]:
    refuse_place(path, must_exist)
    lock = be_alone(path) if alone else None
    try:
        with SETTING_UP:
            made = not path.exists() and make_new(path, set_up)
            writer = open_writer(path, None if made else set_up, path)
    except BaseException as error:
        if lock is not None:
            lock.close()
        if isinstance(error, FAULTS):
            raise refusal(path, error) from error
        raise
    return writer, make_engine(path, READER_PRAGMAS, "BEGIN", connections=READERS), lock


def make_new(path: Path, set_up: SetUp) -> bool:
    """Make a database beside, and put it in its place when it is whole; False if another process was quicker.

    Made in its place, it might be used by others when we find that it cannot be finished, and could not be removed;
    and two who make it a write-ahead log at once do not wait for each other.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        open_writer(beside, set_up, path).dispose()
        return put_in_place(beside, path)
    finally:
        for part in ("", "-wal", "-shm", "-journal"):
            beside.with_name(beside.name + part).unlink(missing_ok=True)


def put_in_place(made: Path, path: Path) -> bool:
    try:
        os.link(made, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links, on a stick or another machine
        if path.exists():
            return False
        made.replace(path)
    return True


def open_writer(path: Path, set_up: SetUp | None, name: Path) -> Engine:
    """`name`: what refusals call it."""
    writer = make_engine(path, WRITER_PRAGMAS, "BEGIN IMMEDIATE", connections=1)
    try:
        with writer.begin() as connection:
            if set_up is not None:
                set_up(connection, str(name))
    except BaseException:
        writer.dispose()
        raise
    return writer


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
