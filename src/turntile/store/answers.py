"""Answers kept for requests with an Idempotency-Key: sent again, they are answered the same and done once."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from turntile.store.database import Database, run
from turntile.store.rows import KeptAnswer
from turntile.store.tables import idempotency


class Answers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, key: str, player_id: int) -> KeptAnswer | None:
        query = select(idempotency).where(idempotency.c.key == key, idempotency.c.player_id == player_id)

        def work(connection: Connection) -> KeptAnswer | None:
            row = connection.execute(query).one_or_none()
            return None if row is None else KeptAnswer(*row)

        return await self._database.read(work)

    async def keep(self, answer: KeptAnswer) -> bool:
        """False if another answer is kept for this key already: that one counts."""
        values = {name: getattr(answer, name) for name in KeptAnswer.__struct_fields__}
        try:
            await self._database.write(lambda connection: insert_answer(connection, values))
        except AlreadyKept:
            return False
        return True

    async def forget(self, created_before: float) -> int:
        return await self._database.write(run(delete(idempotency).where(idempotency.c.created < created_before)))


class AlreadyKept(Exception):
    """Undoes the transaction."""


def insert_answer(connection: Connection, values: dict[str, object]) -> None:
    try:
        connection.execute(insert(idempotency).values(values))
    except IntegrityError:
        raise AlreadyKept from None
