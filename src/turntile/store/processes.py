"""The server processes that share one database: where they are, and that they live."""

from __future__ import annotations

import time

from sqlalchemy import Connection, delete, insert, select, text, update

from turntile.store.database import Database, run
from turntile.store.rows import ProcessRow
from turntile.store.tables import processes


class Processes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def now(self) -> float:
        """By the database's clock: the one all processes share."""

        def work(connection: Connection) -> float:
            if connection.dialect.name == "sqlite":
                return time.time()
            return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())

        return await self._database.read(work)

    async def beat(self, process_id: str, address: str, at: float) -> None:
        """This process lives, and is reached there."""
        values = {"address": address, "beat": at}

        def work(connection: Connection) -> None:
            known = update(processes).where(processes.c.id == process_id).values(values)
            if connection.execute(known).rowcount == 0:
                connection.execute(insert(processes).values(id=process_id, **values))

        await self._database.write(work)

    async def succeed(self, process_id: str, address: str) -> int:
        """Whoever was at this address before is dead: there cannot be two. How many were."""
        query = delete(processes).where(processes.c.address == address, processes.c.id != process_id)
        return await self._database.write(run(query))

    async def all(self) -> list[ProcessRow]:
        query = select(processes).order_by(processes.c.id)
        return await self._database.read(lambda connection: [ProcessRow(*row) for row in connection.execute(query)])

    async def get(self, process_id: str) -> ProcessRow | None:
        query = select(processes).where(processes.c.id == process_id)

        def work(connection: Connection) -> ProcessRow | None:
            row = connection.execute(query).one_or_none()
            return None if row is None else ProcessRow(*row)

        return await self._database.read(work)

    async def remove(self, process_id: str) -> None:
        await self._database.write(run(delete(processes).where(processes.c.id == process_id)))

    async def forget(self, beat_before: float) -> int:
        """Those long dead."""
        return await self._database.write(run(delete(processes).where(processes.c.beat < beat_before)))
