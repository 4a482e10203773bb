"""Contests that were published, and their matches.

How much a contest's matches weigh is kept in its own row, so that what a publisher may keep is
looked up, not counted again with every piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from turntile.store.cursors import largest_first, split
from turntile.store.database import Database, run
from turntile.store.errors import StoreError
from turntile.store.rows import ContestMatchRow, ContestRow
from turntile.store.tables import contest_matches, contests, players

MATCH_COLUMNS = (
    contest_matches.c.contest_id,
    contest_matches.c.number,
    contest_matches.c.data,
    contest_matches.c.replay.is_not(None),
)

WEIGHT = "bytes"  # in a contest's data: what its matches and their replays take
WEIGHED = func.coalesce(func.sum(func.length(contest_matches.c.data)), 0) + func.coalesce(
    func.sum(func.length(contest_matches.c.replay)), 0
)

write_json = msgspec.json.Encoder().encode
read_json = msgspec.json.Decoder().decode


class TooMuchPublished(StoreError):
    """One publisher would keep more than he may: so many contests, or so many bytes."""

    def __init__(self, kept: int) -> None:
        super().__init__(f"the publisher has {kept} already")
        self.kept = kept


class Contests:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, contest: ContestRow, *, most: int | None = None) -> None:
        """A new contest, or what is known by now of one that is being published; its matches stay.

        Raises TooMuchPublished if it is new and its publisher has `most` already.
        """
        values = {name: getattr(contest, name) for name in ContestRow.__struct_fields__}

        def work(connection: Connection) -> None:
            hold_publisher(connection, contest.published_by)
            before = connection.execute(select(contests.c.data).where(contests.c.id == contest.id)).scalar()
            if before is None:
                kept = connection.execute(
                    select(func.count()).where(contests.c.published_by == contest.published_by)
                ).scalar_one()
                if most is not None and kept >= most:
                    raise TooMuchPublished(kept)
                weight = 0
            else:
                weight = weight_of(connection, contest.id, read_json(before))
            values["data"] = write_json(contest.data | {WEIGHT: weight}).decode()
            if before is None:
                connection.execute(insert(contests).values(values))
            else:
                connection.execute(update(contests).where(contests.c.id == contest.id).values(values))

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

    async def put_matches(
        self, contest_id: str, matches: Sequence[tuple[int, Any, bytes | None]], *, most_bytes: int | None = None
    ) -> bool:
        """Matches by number, each with its data and perhaps its replay; those sent again replace what was there.

        False if there is no such contest. Raises TooMuchPublished, and nothing has changed, if with them all
        contests of its publisher would weigh more than `most_bytes`.
        """
        rows: list[dict[str, Any]] = [
            {"contest_id": contest_id, "number": number, "data": write_json(data).decode(), "replay": replay}
            for number, data, replay in matches
        ]
        there = (contest_matches.c.contest_id == contest_id, contest_matches.c.number.in_([row[0] for row in matches]))
        brought = sum(len(row["data"]) + len(row["replay"] or b"") for row in rows)

        def work(connection: Connection) -> bool:
            publisher = select(contests.c.published_by).where(contests.c.id == contest_id)
            hold_publisher(connection, connection.execute(publisher).scalar())
            found = connection.execute(select(contests).where(contests.c.id == contest_id)).one_or_none()
            if found is None:
                return False
            if not rows:
                return True
            more = brought - connection.execute(select(WEIGHED).where(*there)).scalar_one()
            if most_bytes is not None and more > 0:
                kept = weight_of_all(connection, found.published_by)
                if kept + more > most_bytes:
                    raise TooMuchPublished(kept)
            data = read_json(found.data)
            data[WEIGHT] = weight_of(connection, contest_id, data) + more
            connection.execute(delete(contest_matches).where(*there))
            connection.execute(insert(contest_matches), rows)
            connection.execute(
                update(contests).where(contests.c.id == contest_id).values(data=write_json(data).decode())
            )
            return True

        return await self._database.write(work)

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


def hold_publisher(connection: Connection, player_id: int | None) -> None:
    """One of his pieces after the other, in all processes: what he keeps is counted before it is added to."""
    if player_id is not None:
        connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update())


def weight_of(connection: Connection, contest_id: str, data: dict[str, Any]) -> int:
    """What a contest's matches take. One that was published before this was kept is weighed."""
    if WEIGHT in data:
        return int(data[WEIGHT])
    return int(connection.execute(select(WEIGHED).where(contest_matches.c.contest_id == contest_id)).scalar_one())


def weight_of_all(connection: Connection, player_id: int | None) -> int:
    """Of all contests of a publisher."""
    mine = connection.execute(select(contests.c.id, contests.c.data).where(contests.c.published_by == player_id))
    return sum(weight_of(connection, contest_id, read_json(data)) for contest_id, data in mine.all())


def read_contest(row: Row[Any]) -> ContestRow:
    values = row._asdict()
    data = read_json(values["data"])
    data.pop(WEIGHT, None)
    return ContestRow(**values | {"data": data})
