"""Opening a store: what is a database of ours, and what is refused with a sentence."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import Postgres, free_port
from tests.house.small_project import REPOSITORY
from turntile.store import StoreError, open_store
from turntile.store.address import read_address, shown
from turntile.store.tables import VERSION

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("sqlite:///arena.db", "arena.db"),
        ("sqlite:///in/a%20folder/arena.sqlite", "in/a folder/arena.sqlite"),
        ("sqlite:////var/lib/arena.db", "/var/lib/arena.db"),
        ("arena.db", "arena.db"),
        ("/var/lib/arena.db", "/var/lib/arena.db"),
    ],
)
def test_a_file_is_named_by_an_address_or_a_path(text: str, path: str) -> None:
    assert read_address(text).path == Path(path)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "arena",
            "mysql://root@localhost/arena",
            "http://localhost",
            "sqlite://",
            "sqlite:///",
            "sqlite://arena.db",
        ),
        *("sqlite:///arena.db?mode=ro", "postgresql://", "postgresql://localhost", "postgresql://localhost:x/arena"),
        "postgresql://localhost:99999/arena",
    ],
)
async def test_what_names_no_database_is_refused_with_what_would_do(text: str) -> None:
    with pytest.raises(StoreError, match=r"say sqlite:///arena\.db .* or postgresql://"):
        await open_store(text)


def test_a_password_is_not_shown() -> None:
    assert shown("postgresql://me:secret@host:5432/arena") == "postgresql://me:...@host:5432/arena"
    assert shown("postgresql://me@host/arena") == "postgresql://me@host/arena"


async def test_a_password_is_not_in_the_refusal() -> None:
    with pytest.raises(StoreError) as refused:
        await open_store(f"postgresql://me:secret@127.0.0.1:{free_port()}/arena")
    assert "secret" not in str(refused.value)


async def test_a_new_database_is_made_and_found_again(database_url: str) -> None:
    async with await open_store(database_url) as store:
        ann = await store.players.create("Ann", "person", 5.0)
    async with await open_store(database_url, migrate=False) as store:
        assert await store.players.get(ann.id) == ann


async def test_it_can_be_opened_by_several_at_once_from_the_first_moment(database_url: str) -> None:
    stores = await asyncio.gather(*(open_store(database_url) for _ in range(4)))
    for number, store in enumerate(stores):
        await store.players.create(f"Ann {number}", "person", 1.0)
    for store in stores:
        assert await store.players.by_name("ann 3") is not None
        await store.close()


OPENER = """
import asyncio, sys
from turntile.store import open_store

async def main():
    print("ready", flush=True)
    sys.stdin.readline()
    async with await open_store(sys.argv[1]) as store:
        await store.players.create(sys.argv[2], "person", 1.0)

asyncio.run(main())
"""


async def test_several_processes_may_make_it_at_once(database_url: str, tmp_path: Path) -> None:
    """Whoever comes second finds what the first has made; nobody's file is replaced or removed under the others."""
    names = [f"Ann {number}" for number in range(4)]
    openers = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, database_url, name],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for opener in openers:
        assert opener.stdout is not None and opener.stdout.readline() == "ready\n"
    for opener in openers:
        assert opener.stdin is not None
        opener.stdin.write("\n")
        opener.stdin.flush()
    for opener in openers:
        opener.communicate(timeout=60)
        assert opener.returncode == 0
    async with await open_store(database_url, migrate=False) as store:
        for name in names:
            assert await store.players.by_name(name) is not None
    assert not list(tmp_path.glob(".*")), "what was made beside is gone"


async def test_nothing_is_made_where_it_is_not_wished_for(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"(there is no database|holds no arena yet).*: turntile serve --db"):
        await open_store(database_url, migrate=False)
    assert list(tmp_path.iterdir()) == []


async def test_a_database_of_a_newer_turntile_is_refused_untouched(database_url: str) -> None:
    async with await open_store(database_url) as store:
        await store.database.write(
            lambda connection: connection.exec_driver_sql("UPDATE turntile_version SET version_num = '9000'").rowcount
        )
    with pytest.raises(StoreError, match=f"written by a newer Turntile .*version 9000, this one knows {VERSION}"):
        await open_store(database_url)


async def test_an_older_database_is_not_changed_where_that_is_not_wished_for(database_url: str) -> None:
    async with await open_store(database_url) as store:
        await store.database.write(
            lambda connection: connection.exec_driver_sql("UPDATE turntile_version SET version_num = '0000'").rowcount
        )
    with pytest.raises(StoreError, match="holds tables of version 0000, not"):
        await open_store(database_url, migrate=False)


async def test_another_programs_file_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE photos (id INTEGER)")
    connection.close()
    with pytest.raises(StoreError, match=r"photos\.db holds tables of another program \(photos\)"):
        await open_store(str(path))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]
    connection.close()


async def test_another_programs_tables_of_our_names_are_refused(postgres: Postgres) -> None:
    url = await asyncio.to_thread(postgres.new_database)
    name = url.rpartition("/")[2]
    await asyncio.to_thread(postgres.execute, "CREATE TABLE elsewhere (id INT)", name)
    async with await open_store(url):
        pass  # tables of other names are no matter
    url = await asyncio.to_thread(postgres.new_database)
    name = url.rpartition("/")[2]
    await asyncio.to_thread(postgres.execute, "CREATE TABLE players (id INT)", name)
    with pytest.raises(StoreError, match=r"holds tables of another program \(players\)"):
        await open_store(url)


@pytest.mark.parametrize("content", [b"this is a letter, not a database, and long enough for that\n" * 20, b"PK\3\4"])
async def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.db"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"letter\.db is no database of SQLite, or a damaged one"):
        await open_store(str(path))
    assert path.read_bytes() == content


async def test_a_damaged_file_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    async with await open_store(sqlite_url):
        pass
    path = tmp_path / "arena.db"
    path.write_bytes(path.read_bytes()[:5000] + bytes(range(256)) * 100)
    with pytest.raises(StoreError, match=r"arena\.db is no database of SQLite, or a damaged one"):
        await open_store(sqlite_url)


async def test_a_folder_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder: name a file in it"):
        await open_store(f"sqlite:///{tmp_path}")
    with pytest.raises(StoreError, match=r"there is no folder .*nowhere to keep arena\.db in"):
        await open_store(f"sqlite:///{tmp_path}/nowhere/arena.db")


async def test_a_file_that_another_program_keeps_locked_is_refused(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turntile.store.sqlite.BUSY_S", 0.1)
    connection = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
    connection.execute("CREATE TABLE x (y INTEGER)")
    connection.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match=r"arena\.db has been locked by another program for 0\.1 s"):
        await open_store(sqlite_url)
    connection.close()


async def test_a_second_server_on_one_file_is_refused_until_the_first_has_gone(sqlite_url: str) -> None:
    first = await open_store(sqlite_url, alone=True)
    with pytest.raises(StoreError, match=r"another server runs on .*arena\.db: stop it first"):
        await open_store(sqlite_url, alone=True)
    async with await open_store(sqlite_url):
        pass  # other programs may look into it
    await first.close()
    async with await open_store(sqlite_url, alone=True):
        pass


async def test_several_servers_share_a_database_of_postgresql(postgres_url: str) -> None:
    async with await open_store(postgres_url, alone=True) as one, await open_store(postgres_url, alone=True) as other:
        assert one.shared and other.shared


async def test_a_database_postgresql_does_not_have_is_refused(postgres: Postgres) -> None:
    with pytest.raises(StoreError, match=r"PostgreSQL has no database .*/nosuch: createdb makes one"):
        await open_store(postgres.url("nosuch"))
    with pytest.raises(StoreError, match="PostgreSQL does not let this user into"):
        await open_store(postgres.url("postgres").replace("turntile@", "nobody@"))


async def test_a_postgresql_that_does_not_run_is_told() -> None:
    with pytest.raises(StoreError, match=r"PostgreSQL cannot be reached at postgresql://.*: see that it runs"):
        await open_store(f"postgresql://me@127.0.0.1:{free_port()}/arena")


def test_the_migrations_are_found_wherever_the_package_is_installed(tmp_path: Path) -> None:
    installed = tmp_path / "site"
    skipped = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "page")
    shutil.copytree(REPOSITORY / "src" / "turntile", installed / "turntile", ignore=skipped)
    program = (
        "import asyncio, turntile.store as store\n"
        f"assert store.__file__.startswith({str(installed)!r}), store.__file__\n"
        "asyncio.run(store.open_store('arena.db'))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "arena.db").stat().st_size > 0
