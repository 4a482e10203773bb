"""Backups: all that a store holds in one file, which either kind of database can be restored from.

The file is made in one transaction that sees one moment, while a server goes on. It begins with a
line that says what it is; the rest is one zstd frame, with a checksum, of length-prefixed
msgpack messages: a `Head`, then for each table a `Columns` and its `Rows`, and an `End` with the
number of rows of each table. Restoring reads all of it once before it writes anything.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import IO, Any

import msgspec
import zstandard
from sqlalchemy import Connection, Integer, MetaData, Table, func, insert, select, text

from turntile import __version__
from turntile.store.arrivals import noted_entries
from turntile.store.errors import StoreError
from turntile.store.journal import Entry
from turntile.store.schema import read_version, refuse_newer, refuse_strangers, upgrade
from turntile.store.store import open_database
from turntile.store.tables import VERSION, VERSION_TABLE, metadata

FIRST_LINE = b"Turntile backup 1\n"

# They belong to the servers that run, not to the arena: a restored one has its own.
LEFT_OUT = {VERSION_TABLE, "processes", "secrets", "arrivals"}  # what has arrived is told among the journals

ROWS_AT_ONCE = 500
BYTES_AT_ONCE = 1 << 20
LONGEST_MESSAGE = 1 << 28

Progress = Callable[[int, int], None]  # rows done, rows in all


class Head(msgspec.Struct, frozen=True, tag="head"):
    version: str  # of the tables
    turntile: str
    made: float
    rows: int


class Columns(msgspec.Struct, frozen=True, tag="columns"):
    table: str
    names: list[str]


class Rows(msgspec.Struct, frozen=True, tag="rows"):
    rows: list[list[Any]]


class End(msgspec.Struct, frozen=True, tag="end"):
    rows: dict[str, int]


Message = Head | Columns | Rows | End


class Summary(msgspec.Struct, frozen=True):
    """What a backup holds."""

    version: str
    turntile: str  # that made it
    made: float
    rows: dict[str, int]  # by table


async def backup(url: str, path: Path, progress: Progress | None = None) -> Summary:
    """Write all that a store holds into a new file. Raises StoreError."""
    if path.exists():
        raise StoreError(f"{path} exists already: name a new file")
    database = await open_database(url, refuse_to_copy, must_exist=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with beside.open("xb") as file:
            summary = await database.read(lambda connection: write_backup(connection, file, progress))
            file.flush()
            os.fsync(file.fileno())
        beside.rename(path)
        return summary
    except OSError as error:
        raise StoreError(f"{path} could not be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            beside.unlink()
        await database.close()


async def restore(path: Path, url: str, progress: Progress | None = None) -> Summary:
    """Fill a new database from a backup, and bring it up to date. All or nothing. Raises StoreError."""
    summary = read_summary(path)
    if summary.version > VERSION:
        raise StoreError(
            f"{path} was made by a newer Turntile ({summary.turntile}; its tables are version {summary.version}, this "
            f"one knows {VERSION}): update Turntile"
        )

    def fill(connection: Connection, name: str) -> None:
        refuse_unless_empty(connection, name)
        upgrade(connection, summary.version)
        fill_tables(connection, path, progress)
        upgrade(connection)

    database = await open_database(url, fill)
    await database.close()
    return summary


def read_summary(path: Path) -> Summary:
    """Read all of a backup, and refuse it if it is not whole. Raises StoreError."""
    head: Head | None = None
    counts: dict[str, int] = {}
    table, columns = "", 0
    for message in read_messages(path):
        if isinstance(message, Head) and head is None:
            head = message
        elif isinstance(message, Columns) and head is not None and message.table not in counts:
            table, columns = message.table, len(message.names)
            counts[table] = 0
        elif isinstance(message, Rows) and table and all(len(row) == columns for row in message.rows):
            counts[table] += len(message.rows)
        elif isinstance(message, End) and head is not None and message.rows == counts:
            return Summary(head.version, head.turntile, head.made, counts)
        else:
            break
    raise damaged(path)


# Writing.


def refuse_to_copy(connection: Connection, name: str) -> None:
    version = read_version(connection)
    if version is None:
        raise StoreError(f"{name} holds no arena: there is nothing to back up")
    refuse_newer(version, name)


def write_backup(connection: Connection, file: IO[bytes], progress: Progress | None) -> Summary:
    if connection.dialect.name == "postgresql":  # SQLite's transactions see one moment anyway
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
    found = there(connection)
    tables = [table for table in found.sorted_tables if table.name not in LEFT_OUT]
    noted = noted_entries(connection) if "arrivals" in found.tables else []
    counts = {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}
    counts["journal"] += len(noted)
    version = read_version(connection)
    assert version is not None
    head = Head(version, __version__, time.time(), sum(counts.values()))
    file.write(FIRST_LINE)
    done = 0
    with zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False) as packed:
        write_message(packed, head)
        for table in tables:
            write_message(packed, Columns(str(table.name), [str(column.name) for column in table.c]))
            for rows in chain(row_groups(connection, table), entry_groups(noted) if table.name == "journal" else ()):
                write_message(packed, Rows(rows))
                done += len(rows)
                if progress is not None:
                    progress(done, head.rows)
        write_message(packed, End(counts))
    return Summary(version, head.turntile, head.made, counts)


def there(connection: Connection) -> MetaData:
    """The tables as they are in the database, which may be of an earlier version."""
    found = MetaData()
    ours = set(metadata.tables)
    found.reflect(connection, only=lambda name, _: name in ours)
    return found


def row_groups(connection: Connection, table: Table) -> Iterator[list[list[Any]]]:
    """In the order of their keys: owners come before their bots."""
    group: list[list[Any]] = []
    size = 0
    query = select(table).order_by(*table.primary_key)
    for row in connection.execute(query, execution_options={"yield_per": ROWS_AT_ONCE}):
        group.append(list(row))
        size += sum(len(value) for value in row if isinstance(value, bytes | str))
        if len(group) == ROWS_AT_ONCE or size >= BYTES_AT_ONCE:
            yield group
            group, size = [], 0
    if group:
        yield group


def entry_groups(entries: Sequence[Entry]) -> Iterator[list[list[Any]]]:
    for at in range(0, len(entries), ROWS_AT_ONCE):
        yield [list(entry) for entry in entries[at : at + ROWS_AT_ONCE]]


def write_message(packed: Any, message: Message) -> None:
    encoded = msgspec.msgpack.encode(message)
    packed.write(len(encoded).to_bytes(4, "big") + encoded)


# Reading.


def read_messages(path: Path) -> Iterator[Message]:
    decoder = msgspec.msgpack.Decoder(Message)
    with open_backup(path) as packed:
        while size := packed.read(4):
            length = int.from_bytes(size, "big")
            content = packed.read(length) if length <= LONGEST_MESSAGE else b""
            if len(content) != length:
                return  # cut off
            message: Message = decoder.decode(content)
            yield message


@contextmanager
def open_backup(path: Path) -> Iterator[Any]:
    try:
        with path.open("rb") as file:
            if file.read(len(FIRST_LINE)) != FIRST_LINE:
                raise StoreError(f"{path} is no backup of Turntile: turntile server backup makes one")
            with zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=False) as packed:
                yield packed
    except (zstandard.ZstdError, msgspec.MsgspecError):
        raise damaged(path) from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error


def damaged(path: Path) -> StoreError:
    return StoreError(f"{path} is a damaged backup, and nothing was restored: take another")


def refuse_unless_empty(connection: Connection, name: str) -> None:
    if read_version(connection) is not None:
        raise StoreError(f"{name} holds an arena already, and it is not touched: name a new database")
    refuse_strangers(connection, name)


def fill_tables(connection: Connection, path: Path, progress: Progress | None) -> None:
    tables = there(connection).tables
    table, names, total, done = next(iter(tables.values())), list[str](), 0, 0
    for message in read_messages(path):
        if isinstance(message, Head):
            total = message.rows
        elif isinstance(message, Columns):
            table, names = tables[message.table], message.names
        elif isinstance(message, Rows):
            connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in message.rows])
            done += len(message.rows)
            if progress is not None:
                progress(done, total)
    if connection.dialect.name == "postgresql":
        for table in tables.values():
            count_on(connection, table)


def count_on(connection: Connection, table: Table) -> None:
    """New rows get numbers after those restored; SQLite sees to it by itself."""
    if "id" in table.c and isinstance(table.c.id.type, Integer):
        connection.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), coalesce(max(id), 0) + 1, false) "
                f"FROM {table.name}"
            )
        )
