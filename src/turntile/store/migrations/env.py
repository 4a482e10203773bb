"""Run by Alembic, inside the transaction of `schema.prepare`: all steps happen, or none."""

from __future__ import annotations

from alembic import context

from turntile.store.tables import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,  # SQLite alters few things in place; Alembic makes the table anew there
)
context.run_migrations()
