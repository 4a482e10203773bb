"""Registered bots: players whose actions come from outside."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, or_, select, update

from turntile.store.database import Database, run
from turntile.store.players import add_player, name_key
from turntile.store.rows import BotPlace, BotRow, PlayerRow
from turntile.store.tables import bots, players, tokens

# All but the code, which is large.
COLUMNS = [column for column in bots.c if column.name != "code"]


class Bots:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        name: str,
        owner_id: int,
        game: str,
        kind: BotPlace,
        created: float,
        *,
        address: str = "",
        file_name: str = "",
        code: bytes | None = None,
        about: str = "",
    ) -> tuple[PlayerRow, BotRow]:
        """A player and where it is to be found. Raises NameTaken."""

        def work(connection: Connection) -> tuple[PlayerRow, BotRow]:
            player = add_player(connection, name, "bot", created, owner_id=owner_id, about=about)
            bot = BotRow(player.id, owner_id, game, kind, address, file_name, 1, created, True)
            values = {field: getattr(bot, field) for field in bot.__struct_fields__}
            connection.execute(insert(bots).values(values | {"code": code}))
            return player, bot

        return await self._database.write(work)

    async def get(self, player_id: int) -> BotRow | None:
        query = select(*COLUMNS).where(bots.c.player_id == player_id)

        def work(connection: Connection) -> BotRow | None:
            row = connection.execute(query).one_or_none()
            return None if row is None else BotRow(*row)

        return await self._database.read(work)

    async def by_name(self, name: str) -> tuple[PlayerRow, BotRow] | None:
        found = await self._pairs(players.c.name_key == name_key(name))
        return found[0] if found else None

    async def of_owner(self, owner_id: int) -> list[tuple[PlayerRow, BotRow]]:
        return await self._pairs(bots.c.owner_id == owner_id)

    async def for_game(self, game: str) -> list[tuple[PlayerRow, BotRow]]:
        """Those that can be invited: enabled, and for this game or any."""
        return await self._pairs(
            or_(bots.c.game == game, bots.c.game == ""), bots.c.enabled.is_(True), players.c.disabled.is_(False)
        )

    async def _pairs(self, *conditions: Any) -> list[tuple[PlayerRow, BotRow]]:
        query = (
            select(players, *COLUMNS)
            .join(bots, bots.c.player_id == players.c.id)
            .where(*conditions)
            .order_by(players.c.name_key)
        )
        width = len(players.c)
        return await self._database.read(
            lambda connection: [(PlayerRow(*row[:width]), BotRow(*row[width:])) for row in connection.execute(query)]
        )

    async def code(self, player_id: int) -> bytes | None:
        query = select(bots.c.code).where(bots.c.player_id == player_id)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def upload(self, player_id: int, file_name: str, code: bytes) -> int:
        """Another version of an uploaded bot; its number."""
        query = (
            update(bots)
            .where(bots.c.player_id == player_id)
            .values(file_name=file_name, code=code, version=bots.c.version + 1)
            .returning(bots.c.version)
        )
        return await self._database.write(lambda connection: connection.execute(query).scalar_one())

    async def change(
        self, player_id: int, *, enabled: bool | None = None, address: str | None = None, game: str | None = None
    ) -> None:
        """What is None stays as it is."""
        wishes = {"enabled": enabled, "address": address, "game": game}
        change = {name: wish for name, wish in wishes.items() if wish is not None}
        if change:
            await self._database.write(run(update(bots).where(bots.c.player_id == player_id).values(change)))

    async def delete(self, player_id: int, at: float) -> None:
        """Its code and tokens go; its name stays on the matches it played, disabled, so that nobody else takes it."""
        await self._database.write(
            run(
                delete(bots).where(bots.c.player_id == player_id),
                update(tokens).where(tokens.c.player_id == player_id, tokens.c.revoked.is_(None)).values(revoked=at),
                update(players).where(players.c.id == player_id).values(disabled=True),
            )
        )
