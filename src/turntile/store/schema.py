"""Which version of the tables a database holds, and how it is brought up to date.

Alembic is loaded only where there is something to do: most starts find everything as it should be.
"""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from turntile.store.errors import StoreError
from turntile.store.tables import VERSION, VERSION_TABLE, metadata

MIGRATIONS = "turntile.store:migrations"  # found in the package, wherever it is installed
ONE_AT_A_TIME = 0x7475726E  # the number of PostgreSQL's advisory lock: "turn"


def prepare(connection: Connection, name: str, migrate: bool) -> None:
    """Inside one transaction: refuse a database that is not ours or too new; make what is missing, if we may."""
    if connection.dialect.name == "postgresql":  # SQLite's writer is alone already
        connection.execute(text(f"SELECT pg_advisory_xact_lock({ONE_AT_A_TIME})"))
    found = read_version(connection)
    if found == VERSION:
        return
    if found is None:
        refuse_strangers(connection, name)
    else:
        refuse_newer(found, name)
    if not migrate:
        what_is = "holds no arena yet" if found is None else f"holds tables of version {found}, not {VERSION}"
        raise StoreError(f"{name} {what_is}: turntile serve --db brings it up to date")
    upgrade(connection)


def read_version(connection: Connection) -> str | None:
    """None: no Turntile has been here."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return version


def refuse_newer(found: str, name: str) -> None:
    if found > VERSION:
        raise StoreError(
            f"{name} was written by a newer Turntile (its tables are version {found}, this one knows {VERSION}): "
            "update Turntile"
        )


def refuse_strangers(connection: Connection, name: str) -> None:
    """A file is all ours or not at all; a database of PostgreSQL may hold other things under other names."""
    there = set(inspect(connection).get_table_names())
    strange = there if connection.dialect.name == "sqlite" else there & set(metadata.tables)
    if strange:
        raise StoreError(
            f"{name} holds tables of another program ({', '.join(sorted(strange)[:3])}), and they are not touched: "
            "name a new database"
        )


def upgrade(connection: Connection, version: str = "head") -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    command.upgrade(config, version)
