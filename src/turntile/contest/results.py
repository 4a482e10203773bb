"""The results of a contest: one SQLite file that holds the plan, every finished match and its replay.

A match counts only after it was committed with synchronous=FULL: what has been told is still
there after kill -9 or a power cut. The file appears under its name with the plan inside, or not
at all. Reading is possible while the contest runs; a second runner is refused.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

import turntile
from turntile.contest.matches import Finished
from turntile.contest.plan import Contest
from turntile.core.errors import TurntileError
from turntile.core.registry import find

FORMAT = 1
MAGIC = b"SQLite format 3\x00"
SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE matches (number INTEGER PRIMARY KEY, result BLOB NOT NULL, replay BLOB NOT NULL);
CREATE TABLE withdrawals (bot INTEGER PRIMARY KEY, round INTEGER NOT NULL);
"""


class InvalidResults(TurntileError):
    """A file that holds no results of a contest, or not those it should."""


class Results:
    """An open results file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, contest: Contest) -> None:
        self.path = path
        self.connection = connection
        self.contest = contest
        self.lock: sqlite3.Connection | None = None

    # ------------------------------------------------------------------- opening

    @classmethod
    def create(cls, path: Path, contest: Contest) -> Results:
        """A new file; one that is there is never touched."""
        if path.exists():
            raise InvalidResults(f"{path} is there already: {say_what_it_is(path, contest)}")
        if not path.absolute().parent.is_dir():
            raise InvalidResults(f"{path} cannot be written: there is no folder {path.parent}")
        growing = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            connection = sqlite3.connect(growing)
            connection.executescript(SCHEMA)
            about = {
                "format": str(FORMAT),
                "turntile": turntile.__version__,
                "rules_version": str(find(contest.game).rules_version),
                "contest": msgspec.json.encode(contest).decode(),
            }
            connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            connection.commit()
            connection.close()
            os.link(growing, path)  # refuses to replace what another made meanwhile
        except FileExistsError:
            raise InvalidResults(f"{path} is there already: {say_what_it_is(path, contest)}") from None
        except (OSError, sqlite3.Error) as error:
            raise InvalidResults(f"{path} cannot be written: {error}") from None
        finally:
            growing.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Results:
        """A file that is there, checked from end to end before anything is believed."""
        try:
            with path.open("rb") as file:
                start = file.read(len(MAGIC))
        except OSError as error:
            raise InvalidResults(f"{path} cannot be read: {error.strerror or error}") from None
        if start != MAGIC:
            raise InvalidResults(
                f"{path} holds no results of a contest"
                + (": it is empty" if not start else "")
                + ": `turntile contest run` makes such a file"
            )
        damaged = f"{path} is damaged: it was cut or altered; nothing was changed, a copy of it may still be whole"
        try:
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
        except sqlite3.Error as error:
            raise InvalidResults(f"{path} cannot be opened: {error}") from None
        try:
            [[verdict]] = connection.execute("PRAGMA quick_check(1)").fetchall()
            if verdict != "ok" or cut_short(path, connection):
                raise InvalidResults(damaged)
            about = dict(connection.execute("SELECT key, value FROM about").fetchall())
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
        except sqlite3.OperationalError as error:
            connection.close()
            if "no such table" in str(error):
                raise InvalidResults(
                    f"{path} is a database, but holds no results of a contest: `turntile contest run` makes such a file"
                ) from None
            raise InvalidResults(f"{path} cannot be used: {error}") from None
        except sqlite3.DatabaseError:
            connection.close()
            raise InvalidResults(damaged) from None
        except InvalidResults:
            connection.close()
            raise
        return cls(path, connection, read_about(path, about))

    def __enter__(self) -> Results:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()
        if self.lock is not None:
            lock_of(self.path).unlink(missing_ok=True)  # while it is held: nobody else can have it meanwhile
            self.lock.close()
            self.lock = None

    def take(self) -> None:
        """Be the only one that plays this contest, until `close` or the end of this process.

        A lock of SQLite's on a file beside: it ends with the process however that ends, and no
        player that was started inherits it.
        """
        lock = sqlite3.connect(lock_of(self.path), isolation_level=None, timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            lock.close()
            raise InvalidResults(f"{self.path} is being played by another process: wait for it, or stop it") from None
        self.lock = lock

    # ------------------------------------------------------------------- matches

    def add(self, finished: Iterable[Finished]) -> None:
        """Durable when this returns. A match that is there already stays as it is."""
        rows = [
            (one.number, msgspec.msgpack.encode(msgspec.structs.replace(one, replay=b"")), one.replay)
            for one in finished
        ]
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.executemany("INSERT OR IGNORE INTO matches VALUES (?, ?, ?)", rows)
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise InvalidResults(f"{self.path} cannot take more matches: {error}") from None

    def matches(self) -> Iterator[Finished]:
        """All, in order, without their replays."""
        for number, data in self.connection.execute("SELECT number, result FROM matches ORDER BY number"):
            try:
                yield msgspec.msgpack.decode(data, type=Finished)
            except (msgspec.DecodeError, TypeError):
                raise InvalidResults(f"{self.path} is damaged: match {number + 1} cannot be read") from None

    def stored(self) -> int:
        [count] = self.connection.execute("SELECT count(*) FROM matches").fetchone()
        return int(count)

    def replay(self, number: int) -> bytes:
        """The packed replay of a match; empty where none was kept."""
        row = self.connection.execute("SELECT replay FROM matches WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise InvalidResults(f"{self.path} has no match {number + 1}: {self.stored()} are stored")
        return bytes(row[0])

    # ------------------------------------------------------------------- withdrawals

    def withdraw(self, bot: int, round: int) -> None:
        """This bot plays no round from here on."""
        self.connection.execute("INSERT OR IGNORE INTO withdrawals VALUES (?, ?)", (bot, round))

    def withdrawals(self) -> dict[int, int]:
        return dict(self.connection.execute("SELECT bot, round FROM withdrawals").fetchall())


def cut_short(path: Path, connection: sqlite3.Connection) -> bool:
    """Whether the last page is not whole: SQLite does not mind. While there is a log, pages may still be in it."""
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return False
    [pages] = connection.execute("PRAGMA page_count").fetchone()
    [size] = connection.execute("PRAGMA page_size").fetchone()
    return path.stat().st_size < int(pages) * int(size)


def lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def read_about(path: Path, about: dict[str, Any]) -> Contest:
    if about.get("format") != str(FORMAT):
        raise InvalidResults(
            f"{path} is of results format {about.get('format')}, this Turntile reads format {FORMAT}: "
            f"use Turntile {about.get('turntile')}, which wrote it"
        )
    try:
        contest = msgspec.json.decode(about["contest"], type=Contest)
    except (KeyError, msgspec.DecodeError) as error:
        raise InvalidResults(f"{path} is damaged: its plan cannot be read ({error})") from None
    rules = find(contest.game).rules_version
    if about.get("rules_version") != str(rules):
        raise InvalidResults(
            f"{path} was played by version {about.get('rules_version')} of {contest.game}'s rules, these are version "
            f"{rules}: Turntile {about.get('turntile')} goes on with it"
        )
    return contest


def say_what_it_is(path: Path, contest: Contest) -> str:
    """What somebody who wants to begin this contest should do about a file in the way."""
    try:
        with Results.open(path) as there:
            if there.contest == msgspec.structs.replace(contest, seed=contest.seed or there.contest.seed):
                return f"`turntile contest resume {path}` goes on with it"
            return "it holds another contest; choose another file with --results"
    except TurntileError:
        return "it holds something else; choose another file with --results"
