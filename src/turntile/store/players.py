"""Players: people, guests, bots, and the built-in bots at their levels."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, and_, delete, exists, insert, not_, or_, select, update
from sqlalchemy.exc import IntegrityError

from turntile.store.database import Database, run
from turntile.store.errors import NameTaken
from turntile.store.rows import PlayerKind, PlayerRow
from turntile.store.tables import bots, match_seats, matches, players


def name_key(name: str) -> str:
    """Names with the same key read the same: case, width and the number of blanks make no difference."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


class Players:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        name: str,
        kind: PlayerKind,
        created: float,
        *,
        password_hash: str | None = None,
        owner_id: int | None = None,
        about: str = "",
    ) -> PlayerRow:
        """Raises NameTaken."""
        return await self._database.write(
            lambda connection: add_player(connection, name, kind, created, password_hash, owner_id, about)
        )

    async def get(self, player_id: int) -> PlayerRow | None:
        rows = await self.many([player_id])
        return rows.get(player_id)

    async def many(self, player_ids: Iterable[int]) -> dict[int, PlayerRow]:
        """By id; who does not exist is not in it."""
        wanted = set(player_ids)
        if not wanted:
            return {}
        query = select(players).where(players.c.id.in_(wanted))
        return await self._database.read(
            lambda connection: {row.id: PlayerRow(*row) for row in connection.execute(query)}
        )

    async def by_name(self, name: str) -> PlayerRow | None:
        return await self._database.read(lambda connection: find_player(connection, name))

    async def builtin(self, name: str, created: float) -> PlayerRow:
        """The player that is a built-in bot at a level; made when it is first asked for. Raises NameTaken."""

        def work(connection: Connection) -> PlayerRow:
            found = find_player(connection, name)
            if found is None:
                return add_player(connection, name, "bot", created)
            if found.kind != "bot" or found.owner_id is not None:
                raise NameTaken(f"{name!r} is somebody's name already: a built-in bot cannot bear it")
            return found

        found = await self.by_name(name)
        if found is not None and found.kind == "bot" and found.owner_id is None:
            return found
        try:
            return await self._database.write(work)
        except NameTaken:  # perhaps another process was quicker
            return await self._database.write(work)

    async def become_person(self, player_id: int, name: str, password_hash: str) -> PlayerRow | None:
        """A guest takes a name and a password, and keeps all he has. None if he is no guest. Raises NameTaken."""
        change = {"name": name, "name_key": name_key(name), "kind": "person", "password_hash": password_hash}
        query = update(players).where(players.c.id == player_id, players.c.kind == "guest").values(change)

        def work(connection: Connection) -> PlayerRow | None:
            try:
                row = connection.execute(query.returning(players)).one_or_none()
            except IntegrityError:
                raise name_taken(name) from None
            return None if row is None else PlayerRow(*row)

        return await self._database.write(work)

    async def change(
        self,
        player_id: int,
        *,
        about: str | None = None,
        password_hash: str | None = None,
    ) -> PlayerRow:
        """What is None stays as it is."""
        wishes = {"about": about, "password_hash": password_hash}
        return await self._change(player_id, {name: wish for name, wish in wishes.items() if wish is not None})

    async def set_disabled(self, player_id: int, disabled: bool) -> PlayerRow:
        """Close an account and its bots, or open them again; bots that were deleted stay so."""
        registered = exists().where(bots.c.player_id == players.c.id)
        query = (
            update(players)
            .where(or_(players.c.id == player_id, and_(players.c.owner_id == player_id, registered)))
            .values(disabled=disabled)
        )

        def work(connection: Connection) -> PlayerRow:
            connection.execute(query)
            return PlayerRow(*connection.execute(select(players).where(players.c.id == player_id)).one())

        return await self._database.write(work)

    async def _change(self, player_id: int, change: dict[str, Any]) -> PlayerRow:
        def work(connection: Connection) -> PlayerRow:
            if change:
                try:
                    connection.execute(update(players).where(players.c.id == player_id).values(change))
                except IntegrityError:
                    raise name_taken(change["name"]) from None
            return PlayerRow(*connection.execute(select(players).where(players.c.id == player_id)).one())

        return await self._database.write(work)

    async def forget_guests(self, created_before: float) -> int:
        """Remove guests who never sat at a table; how many."""
        sat = exists().where(match_seats.c.player_id == players.c.id)
        opened = exists().where(matches.c.created_by == players.c.id)
        query = delete(players).where(
            players.c.kind == "guest", players.c.created < created_before, not_(sat), not_(opened)
        )
        return await self._database.write(run(query))


def find_player(connection: Connection, name: str) -> PlayerRow | None:
    row = connection.execute(select(players).where(players.c.name_key == name_key(name))).one_or_none()
    return None if row is None else PlayerRow(*row)


def add_player(
    connection: Connection,
    name: str,
    kind: PlayerKind,
    created: float,
    password_hash: str | None = None,
    owner_id: int | None = None,
    about: str = "",
) -> PlayerRow:
    values = {
        "name": name,
        "name_key": name_key(name),
        "kind": kind,
        "password_hash": password_hash,
        "created": created,
        "owner_id": owner_id,
        "about": about,
        "disabled": False,
    }
    try:
        row = connection.execute(insert(players).values(values).returning(players)).one()
    except IntegrityError:
        raise name_taken(name) from None
    return PlayerRow(*row)


def name_taken(name: str) -> NameTaken:
    return NameTaken(f"the name {name!r} is taken: choose another")
