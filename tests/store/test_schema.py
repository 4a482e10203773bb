"""What the migrations make is what tables.py describes, and what rows.py reads."""

from __future__ import annotations

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Table

from turntile.store import Store, open_store, rows, tables
from turntile.store.schema import MIGRATIONS
from turntile.store.tables import VERSION, VERSION_TABLE, metadata


@pytest.mark.anyio
async def test_migrations_make_the_tables_that_are_described(store: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True, "version_table": VERSION_TABLE}
        )
        found: list[object] = compare_metadata(context, metadata)
        return found

    assert await store.database.read(differences) == []


def test_the_version_is_that_of_the_last_migration() -> None:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_current_head() == VERSION
    assert sorted(step.revision for step in scripts.walk_revisions())[-1] == VERSION  # they are compared as texts


@pytest.mark.parametrize(
    ("row", "table", "left_out"),
    [
        (rows.PlayerRow, tables.players, set()),
        (rows.SessionRow, tables.sessions, set()),
        (rows.TokenRow, tables.tokens, set()),
        (rows.BotRow, tables.bots, {"code"}),
        (rows.SeatRow, tables.match_seats, {"match_id"}),
        (rows.RatingRow, tables.ratings, set()),
        (rows.RatingPoint, tables.rating_history, set()),
        (rows.ContestRow, tables.contests, set()),
        (rows.ProcessRow, tables.processes, set()),
        (rows.KeptAnswer, tables.idempotency, set()),
    ],
)
def test_the_fields_of_a_row_are_the_columns_of_its_table(
    row: type[msgspec.Struct], table: Table, left_out: set[str]
) -> None:
    assert list(row.__struct_fields__) == [column.name for column in table.c if column.name not in left_out]


def test_the_fields_of_a_match_are_its_columns_and_its_seats() -> None:
    assert list(rows.MatchRow.__struct_fields__) == [*(column.name for column in tables.matches.c), "seats"]


@pytest.mark.anyio
async def test_sqlite_is_set_to_survive_a_power_cut(sqlite_url: str) -> None:
    async with await open_store(sqlite_url) as store:

        def pragmas(connection: Connection) -> list[object]:
            names = ("journal_mode", "synchronous", "foreign_keys")
            return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

        assert await store.database.write(pragmas) == ["wal", 2, 1]
