"""`turntile server`: what who runs a server does from the command line, while it runs or not."""

from __future__ import annotations

import asyncio
import json as json_text
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from turntile.cli.serve import Db, need_server, usual_db
from turntile.core.errors import TurntileError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from turntile.store import Store
    from turntile.store.backup import Summary
    from turntile.store.rows import PlayerRow

Result = TypeVar("Result")

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    help="For who runs a server: backups, a look inside, tokens, accounts.",
)

Json = Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")]
PlayerName = Annotated[str, typer.Option("--player", metavar="NAME", help="The player's name.")]


class UnknownPlayer(TurntileError):
    """Nobody bears this name."""


class NoPassword(TurntileError):
    """A player who logs in with none."""


class InvalidScope(TurntileError):
    """A word that is no right of a token."""


# ------------------------------------------------------------------- backups


@app.command("backup")
def make_backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup; must not exist yet.")],
    db: Db = "",
    json: Json = False,
) -> None:
    """Write all that a database holds into one file, as of one moment. A server may go on meanwhile.

    It holds hashes of passwords and uploaded bots: keep it as you keep the database.

    \b
    Examples
      turntile server backup arena.backup
      turntile server backup arena.backup --db postgresql://arena@127.0.0.1/arena
    """
    url = db or usual_db()
    need_server(url)
    from turntile.store.backup import backup

    with rows_counted("backing up") as progress:
        summary = asyncio.run(backup(url, file, progress))
    tell_summary(f"{file} holds", summary, json)


@app.command("restore")
def restore_backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    db: Annotated[str, typer.Option("--db", metavar="URL", help="A new, empty database: never one that is in use.")],
    json: Json = False,
) -> None:
    """Fill a new database from a backup, of either kind: so an arena also moves from SQLite to PostgreSQL.

    A backup that is damaged, and a database that is not empty, are refused before anything is written.

    \b
    Examples
      turntile server restore arena.backup --db new.db
      turntile server restore arena.backup --db postgresql://arena@127.0.0.1/arena
    """
    need_server(db)
    from turntile.store.address import shown
    from turntile.store.backup import restore

    with rows_counted("restoring") as progress:
        summary = asyncio.run(restore(file, db, progress))
    tell_summary(f"{shown(db)} now holds", summary, json)


@contextmanager
def rows_counted(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for somebody at a terminal; None for nobody."""
    if not sys.stderr.isatty():
        yield None
        return
    from turntile.cli.progress import amount_bar

    with amount_bar(what) as progress:
        yield progress


def tell_summary(begins: str, summary: Summary, json: bool) -> None:
    if json:
        print(
            json_text.dumps(
                {
                    "version": summary.version,
                    "turntile": summary.turntile,
                    "made": datetime.fromtimestamp(summary.made, UTC).isoformat(timespec="seconds"),
                    "rows": summary.rows,
                }
            )
        )
        return
    made = datetime.fromtimestamp(summary.made).astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")
    counts = ", ".join(f"{count:,} {name}" for name, count in summary.rows.items() if count) or "nothing yet"
    print(f"{begins} what was there at {made}: {counts}")


# ------------------------------------------------------------------- a look inside


@app.command()
def check(db: Db = "", json: Json = False) -> None:
    """Open a database and say what is in it. Exit code 2 if it cannot be opened, with why.

    \b
    Examples
      turntile server check
      turntile server check --db club.db --json
      turntile server check --db postgresql://arena@127.0.0.1/arena
    """
    found = with_store(db, look_inside)
    if json:
        print(json_text.dumps(found))
        return
    print(f"{found['db']}: tables of version {found['version']}, written by Turntile {found['turntile']} or older")
    for name, count in found["rows"].items():
        print(f"  {name:16} {count:>12,}")
    going_on = found["going_on"]
    print(f"going on: {going_on['open']} open tables, {going_on['playing']} matches")
    for process in found["processes"]:
        print(f"  process {process['id']} at {process['address']}: last heard of {process['seconds_ago']:.0f} s ago")


async def look_inside(store: Store) -> dict[str, Any]:
    from turntile import __version__
    from turntile.store.address import shown
    from turntile.store.tables import VERSION

    now = time.time()
    return {
        "db": shown(store.url),
        "turntile": __version__,
        "version": VERSION,
        "rows": await store.database.read(count_rows),
        "going_on": {
            "open": await store.matches.count(["open"]),
            "playing": await store.matches.count(["playing"]),
        },
        "processes": [
            {"id": process.id, "address": process.address, "seconds_ago": round(now - process.beat, 1)}
            for process in await store.processes.all()
        ],
    }


def count_rows(connection: Connection) -> dict[str, int]:
    from sqlalchemy import func, select

    from turntile.store.tables import metadata

    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in metadata.sorted_tables
    }


# ------------------------------------------------------------------- players


@app.command()
def token(
    player: PlayerName,
    scopes: Annotated[
        str, typer.Option("--scopes", metavar="WORDS", help="What it may do: play, challenge, bots, publish.")
    ] = "publish",
    label: Annotated[str, typer.Option("--label", metavar="TEXT", help="What it is for.")] = "made on the command line",
    new: Annotated[
        bool, typer.Option("--new", help="Make the account if there is none: it has no password, only this token.")
    ] = False,
    db: Db = "",
    json: Json = False,
) -> None:
    """Make an API token for a player, for scripts and organisers. It is shown once.

    \b
    Examples
      turntile server token --player Ada --scopes publish
      turntile server token --player 'Club bot' --scopes 'play challenge' --new --db club.db
    """
    wanted = sorted(set(scopes.replace(",", " ").split()))

    async def make(store: Store) -> dict[str, Any]:
        from turntile.server.api.tokens import make_token
        from turntile.server.identity import SCOPES
        from turntile.server.names import clean_name

        strange = [word for word in wanted if word not in SCOPES]
        if strange or not wanted:
            raise InvalidScope(f"{' '.join(strange) or 'nothing'!r} is no right of a token: say {', '.join(SCOPES)}")
        row = await store.players.by_name(player)
        if row is None and new:
            row = await store.players.create(clean_name(player), "person", time.time())
        if row is None:
            raise UnknownPlayer(f"nobody is called {player!r} here: --new makes an account of that name")
        made = await make_token(store, row.id, label, wanted)
        return {"player": row.name, "label": made.label, "scopes": wanted, "token": made.secret}

    made = with_store(db, make)
    if json:
        print(json_text.dumps(made))
    else:
        print(made["token"])


@app.command()
def password(player: PlayerName, db: Db = "", json: Json = False) -> None:
    """Draw a new password for who forgot his. It is shown once; where he was logged in he is not any more.

    \b
    Examples
      turntile server password --player Ada --db class.db
    """

    async def renew(store: Store) -> dict[str, str]:
        from turntile.server.passwords import Passwords
        from turntile.server.settings import Settings

        row = await store.players.by_name(player)
        if row is None:
            raise UnknownPlayer(f"nobody is called {player!r} here")
        if row.kind != "person":
            raise NoPassword(f"{row.name} is a {row.kind} and logs in with no password")
        drawn = draw_password()
        hashing = Passwords(Settings())
        try:
            await store.players.change(row.id, password_hash=await hashing.hash(drawn))
        finally:
            hashing.close()
        await store.sessions.delete_all(row.id)
        return {"player": row.name, "password": drawn}

    made = with_store(db, renew)
    print(json_text.dumps(made) if json else made["password"])


def draw_password() -> str:
    """Fifteen letters in groups, such as "k7qma-3xpae-9trwb": more than 70 bits, to be read out in a classroom."""
    from turntile.server.identity import GUEST_LETTERS

    letters = GUEST_LETTERS.lower().replace("l", "")
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(3))


@app.command()
def disable(player: PlayerName, db: Db = "", json: Json = False) -> None:
    """Close an account and its bots: sessions and tokens hold no longer. What was played stays.

    \b
    Examples
      turntile server disable --player Mallory
    """
    tell_account(set_disabled(db, player, True), json)


@app.command()
def enable(player: PlayerName, db: Db = "", json: Json = False) -> None:
    """Open a closed account again, and its bots.

    \b
    Examples
      turntile server enable --player Mallory
    """
    tell_account(set_disabled(db, player, False), json)


def set_disabled(db: str, player: str, disabled: bool) -> PlayerRow:
    async def change(store: Store) -> PlayerRow:
        row = await store.players.by_name(player)
        if row is None:
            raise UnknownPlayer(f"nobody is called {player!r} here")
        return await store.players.set_disabled(row.id, disabled)

    return with_store(db, change)


def tell_account(row: PlayerRow, json: bool) -> None:
    if json:
        print(json_text.dumps({"player": row.name, "disabled": row.disabled}))
    else:
        print(f"the account of {row.name} is {'closed' if row.disabled else 'open'}")


# ------------------------------------------------------------------- the database


def with_store(db: str, work: Callable[[Store], Awaitable[Result]]) -> Result:
    """Do something with a database that is there already; a server may run on it meanwhile."""
    url = db or usual_db()
    need_server(url)

    async def do() -> Result:
        from turntile.store import open_store

        async with await open_store(url, migrate=False) as store:
            return await work(store)

    return asyncio.run(do())
