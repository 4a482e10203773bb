"""Tokens: how programs come in. The secret itself is never stored, only its hash."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from turntile.store.database import Database, run
from turntile.store.rows import PlayerRow, TokenRow
from turntile.store.tables import players, tokens


class Tokens:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, player_id: int, label: str, hash: str, scopes: str, created: float) -> TokenRow:
        values = {"player_id": player_id, "label": label, "hash": hash, "scopes": scopes, "created": created}
        query = insert(tokens).values(values).returning(tokens)
        return await self._database.write(lambda connection: TokenRow(*connection.execute(query).one()))

    async def find(self, hash: str) -> tuple[TokenRow, PlayerRow] | None:
        """The token and whose it is, unless it was revoked or the player is disabled."""
        query = (
            select(tokens, players)
            .join(players, players.c.id == tokens.c.player_id)
            .where(tokens.c.hash == hash, tokens.c.revoked.is_(None), players.c.disabled.is_(False))
        )

        def work(connection: Connection) -> tuple[TokenRow, PlayerRow] | None:
            row = connection.execute(query).one_or_none()
            return None if row is None else (TokenRow(*row[:8]), PlayerRow(*row[8:]))

        return await self._database.read(work)

    async def of_player(self, player_id: int) -> list[TokenRow]:
        """Those not revoked, newest first."""
        query = (
            select(tokens)
            .where(tokens.c.player_id == player_id, tokens.c.revoked.is_(None))
            .order_by(tokens.c.id.desc())
        )
        return await self._database.read(lambda connection: [TokenRow(*row) for row in connection.execute(query)])

    async def revoke(self, token_id: int, player_id: int, at: float) -> bool:
        """False if this player has no such token."""
        query = (
            update(tokens)
            .where(tokens.c.id == token_id, tokens.c.player_id == player_id, tokens.c.revoked.is_(None))
            .values(revoked=at)
        )
        return await self._database.write(run(query)) == 1

    async def used(self, token_id: int, at: float) -> None:
        await self._database.write(run(update(tokens).where(tokens.c.id == token_id).values(last_used=at)))
