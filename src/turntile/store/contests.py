"""Contests that were published, and their matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update

from turntile.store.cursors import largest_first, split
from turntile.store.database import Database, run
from turntile.store.rows import ContestMatchRow, ContestRow
from turntile.store.tables import contest_matches, contests

MATCH_COLUMNS = (
    contest_matches.c.contest_id,
    contest_matches.c.number,
    contest_matches.c.data,
    contest_matches.c.replay.is_not(None),
)

write_json = msgspec.json.Encoder().encode
read_json = msgspec.json.Decoder().decode


class Contests:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, contest: ContestRow) -> None:
        """A new contest, or what is known by now of one that is being published; its matches stay."""
        values = {name: getattr(contest, name) for name in ContestRow.__struct_fields__}
        values["data"] = write_json(contest.data).decode()

        def work(connection: Connection) -> None:
            if connection.execute(update(contests).where(contests.c.id == contest.id).values(values)).rowcount == 0:
                connection.execute(insert(contests).values(values))

        await self._database.write(work)

    async def get(self, contest_id: str) -> ContestRow | None:
        query = select(contests).where(contests.c.id == contest_id)

        def work(connection: Connection) -> ContestRow | None:
            row = connection.execute(query).one_or_none()
            return None if row is None else read_contest(row)

        return await self._database.read(work)

    async def page(
        self, *, game: str = "", cursor: str | None = None, limit: int = 50
    ) -> tuple[list[ContestRow], str | None]:
        """Newest first."""
        query = select(contests)
        if game:
            query = query.where(contests.c.game == game)
        query = largest_first(query, contests.c.created, contests.c.id, cursor, limit)

        def work(connection: Connection) -> tuple[list[ContestRow], str | None]:
            found, following = split(connection.execute(query).all(), limit, lambda row: (row.created, row.id))
            return [read_contest(row) for row in found], following

        return await self._database.read(work)

    async def delete(self, contest_id: str) -> bool:
        """With its matches. False if there is none."""
        return await self._database.write(run(delete(contests).where(contests.c.id == contest_id))) == 1

    async def put_matches(self, contest_id: str, matches: Sequence[tuple[int, Any, bytes | None]]) -> None:
        """Matches by number, each with its data and perhaps its replay; those sent again replace what was there."""
        rows = [
            {"contest_id": contest_id, "number": number, "data": write_json(data).decode(), "replay": replay}
            for number, data, replay in matches
        ]
        if not rows:
            return

        def work(connection: Connection) -> None:
            numbers = [row["number"] for row in rows]
            connection.execute(
                delete(contest_matches).where(
                    contest_matches.c.contest_id == contest_id, contest_matches.c.number.in_(numbers)
                )
            )
            connection.execute(insert(contest_matches), rows)

        await self._database.write(work)

    async def matches(self, contest_id: str, *, after: int = -1, limit: int = 1000) -> list[ContestMatchRow]:
        """By number."""
        query = (
            select(*MATCH_COLUMNS)
            .where(contest_matches.c.contest_id == contest_id, contest_matches.c.number > after)
            .order_by(contest_matches.c.number)
            .limit(limit)
        )
        return await self._database.read(
            lambda connection: [
                ContestMatchRow(row[0], row[1], read_json(row[2]), bool(row[3])) for row in connection.execute(query)
            ]
        )

    async def match(self, contest_id: str, number: int) -> ContestMatchRow | None:
        found = await self.matches(contest_id, after=number - 1, limit=1)
        return found[0] if found and found[0].number == number else None

    async def replay(self, contest_id: str, number: int) -> bytes | None:
        query = select(contest_matches.c.replay).where(
            contest_matches.c.contest_id == contest_id, contest_matches.c.number == number
        )
        return await self._database.read(lambda connection: connection.execute(query).scalar())


def read_contest(row: Row[Any]) -> ContestRow:
    values = row._asdict()
    return ContestRow(**values | {"data": read_json(values["data"])})
