"""What all processes of one arena know and nobody else."""

from __future__ import annotations

from secrets import token_urlsafe

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from turntile.store.database import Database
from turntile.store.tables import secrets


class Secrets:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, name: str) -> str:
        """The same for all who ask; made by the first."""
        query = select(secrets.c.value).where(secrets.c.name == name)

        def find(connection: Connection) -> str | None:
            return connection.execute(query).scalar()

        def make(connection: Connection) -> str:
            value = find(connection)
            if value is None:
                value = token_urlsafe(32)
                try:
                    connection.execute(insert(secrets).values(name=name, value=value))
                except IntegrityError:
                    raise AnotherWasQuicker from None
            return value

        try:
            known = await self._database.read(find)
            return known if known is not None else await self._database.write(make)
        except AnotherWasQuicker:
            return await self._database.write(make)


class AnotherWasQuicker(Exception):
    """Undoes the transaction."""
