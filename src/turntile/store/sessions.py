"""Sessions: which browser is whose. The secret itself is never stored, only its hash."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, update

from turntile.store.database import Database, run
from turntile.store.rows import PlayerRow, SessionRow
from turntile.store.tables import players, sessions


class Sessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, hash: str, player_id: int, created: float, expires: float) -> SessionRow:
        row = SessionRow(hash, player_id, created, expires)
        values = {"hash": hash, "player_id": player_id, "created": created, "expires": expires}
        await self._database.write(run(insert(sessions).values(values)))
        return row

    async def find(self, hash: str, now: float) -> tuple[SessionRow, PlayerRow] | None:
        """The session and whose it is, unless it has expired or the player is disabled."""
        query = (
            select(sessions, players)
            .join(players, players.c.id == sessions.c.player_id)
            .where(sessions.c.hash == hash, sessions.c.expires > now, players.c.disabled.is_(False))
        )

        def work(connection: Connection) -> tuple[SessionRow, PlayerRow] | None:
            row = connection.execute(query).one_or_none()
            return None if row is None else (SessionRow(*row[:4]), PlayerRow(*row[4:]))

        return await self._database.read(work)

    async def extend(self, hash: str, expires: float) -> None:
        query = update(sessions).where(sessions.c.hash == hash).values(expires=expires)
        await self._database.write(run(query))

    async def delete(self, hash: str) -> None:
        await self._database.write(run(delete(sessions).where(sessions.c.hash == hash)))

    async def delete_all(self, player_id: int, *, but: str = "") -> None:
        """A player's sessions, all but one: when a password is changed."""
        query = delete(sessions).where(sessions.c.player_id == player_id, sessions.c.hash != but)
        await self._database.write(run(query))

    async def forget_expired(self, now: float) -> int:
        query = delete(sessions).where(sessions.c.expires <= now)
        return await self._database.write(run(query))
