"""Real databases for tests: a file of SQLite, and a database of a PostgreSQL started for this run.

`database_url` gives a test an empty database of each kind in turn, `arena_url` one with the tables of an
arena in it, `postgres` the server itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest


def postgres_program(name: str) -> str:
    """Debian keeps PostgreSQL's programs off the path, one folder a version: the newest."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    for folder in reversed(folders):
        if (folder / name).exists():
            return str(folder / name)
    found = shutil.which(name)
    assert found, f"PostgreSQL's {name} is not installed: apt-get install postgresql"
    return found


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Postgres:
    """A PostgreSQL of our own, on a free port of this machine. It waits for no disk: no test cuts the power."""

    def __init__(self, *settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="turntile-postgres-"))
        self.port = free_port()
        # PostgreSQL refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self.folder, self._user, self._user)
        self._numbers = count(1)
        self._settings = settings
        cluster = str(self.folder / "data")
        made = self._run(postgres_program("initdb"), "-D", cluster, "-U", "turntile", "-A", "trust", "-E", "UTF8", "-N")
        assert made.returncode == 0, made.stdout
        self.start()

    def start(self) -> None:
        settings = [*self._settings] or ["fsync=off"]
        self.process = subprocess.Popen(
            [
                postgres_program("postgres"),
                *("-D", str(self.folder / "data"), "-k", str(self.folder), "-h", "127.0.0.1", "-p", str(self.port)),
                *(word for setting in settings for word in ("-c", setting)),
            ],
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=(self.folder / "log").open("ab"),
        )
        give_up = time.monotonic() + 60
        while not self._answers():
            assert self.process.poll() is None and time.monotonic() < give_up, (self.folder / "log").read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> str:
        return f"postgresql://turntile@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of an empty one."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def execute(self, statement: str, database: str = "postgres") -> None:
        async def run() -> None:
            connection = await asyncpg.connect(self.url(database))
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        asyncio.run(run())

    def _answers(self) -> bool:
        with contextlib.suppress(OSError, asyncpg.PostgresError):
            self.execute("SELECT 1")
            return True
        return False

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/arena.db"


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture(scope="session")
def sqlite_arena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("arena") / "arena.db"
    make_arena(str(path))
    return path


@pytest.fixture(scope="session")
def postgres_arena(postgres: Postgres) -> str:
    url = postgres.new_database()
    make_arena(url)
    return url


def make_arena(url: str) -> None:
    from turntile.store import open_store  # not at the top: every run of tests loads this file

    async def make() -> None:
        await (await open_store(url)).close()

    asyncio.run(make())


@pytest.fixture(params=["sqlite", "postgresql"])
def arena_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An arena of each kind that nobody has entered yet: quicker to come by than an empty database to make one in."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_arena"), tmp_path / "arena.db")
        return f"sqlite:///{tmp_path}/arena.db"
    from turntile.store.tables import metadata

    server: Postgres = request.getfixturevalue("postgres")
    url: str = request.getfixturevalue("postgres_arena")
    server.execute(f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY", url.rpartition("/")[2])
    return url
