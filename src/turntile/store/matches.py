"""Matches and their seats, from the open table to the replay."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update

from turntile.store.arrivals import read_journal
from turntile.store.cursors import largest_first, split
from turntile.store.database import Database, run
from turntile.store.rows import MatchPlace, MatchRow, MatchStatus, OutcomeRow, SeatRow
from turntile.store.tables import match_seats, matches, processes, replays

GOING_ON: tuple[MatchStatus, ...] = ("open", "playing")
MOST_IDS = 1000  # in one query: databases bound how many values they take
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

read_outcome = msgspec.json.Decoder(OutcomeRow).decode
write_json = msgspec.json.Encoder().encode


def new_match_id() -> str:
    """50 random bits: who was not told it does not find an unlisted match."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


class Matches:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, match: MatchRow) -> None:
        """With its seats."""
        await self._database.write(run(*insertions(match)))

    async def create_rematch(self, match: MatchRow) -> str | None:
        """The same for the next table of `match.rematch_of`: the id of that table.

        If it has one already, that one's: then nothing is stored. None: there is no such match.
        """
        before = matches.c.id == match.rematch_of

        def work(connection: Connection) -> str | None:
            free = update(matches).where(before, matches.c.rematch.is_(None)).values(rematch=match.id)
            if connection.execute(free).rowcount == 0:
                return connection.execute(select(matches.c.rematch).where(before)).scalar()
            run(*insertions(match))(connection)
            return match.id

        return await self._database.write(work)

    async def get(self, match_id: str) -> MatchRow | None:
        found = await self._database.read(lambda connection: read_matches(connection, [match_id]))
        return found[0] if found else None

    async def many(self, match_ids: Iterable[str]) -> list[MatchRow]:
        """In the order of the ids; those that do not exist are left out."""
        wanted = list(match_ids)
        return await self._database.read(lambda connection: read_matches(connection, wanted))

    async def page(
        self,
        statuses: Sequence[MatchStatus],
        *,
        game: str = "",
        player: int | None = None,
        viewer: int | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> tuple[list[MatchRow], str | None]:
        """Newest first: listed matches, and the viewer's own. `player`: only where that player sits."""
        query = select(matches.c.id, matches.c.created).where(matches.c.status.in_(statuses))
        if game:
            query = query.where(matches.c.game == game)
        if player is not None:
            query = query.where(sits_there(player))
        if viewer is None:
            query = query.where(matches.c.listed.is_(True))
        else:
            query = query.where(or_(matches.c.listed.is_(True), matches.c.created_by == viewer, sits_there(viewer)))
        query = largest_first(query, matches.c.created, matches.c.id, cursor, limit)

        def work(connection: Connection) -> tuple[list[MatchRow], str | None]:
            found, following = split(connection.execute(query).all(), limit, lambda row: (row.created, row.id))
            return read_matches(connection, [row.id for row in found]), following

        return await self._database.read(work)

    async def count(self, statuses: Sequence[MatchStatus]) -> int:
        query = select(func.count()).select_from(matches).where(matches.c.status.in_(statuses))
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def ids(self, statuses: Sequence[MatchStatus], *, owner: str | None = None) -> list[str]:
        """Oldest first; `owner`: only those held by that process."""
        query = select(matches.c.id).where(matches.c.status.in_(statuses)).order_by(matches.c.created, matches.c.id)
        if owner is not None:
            query = query.where(matches.c.owner == owner)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def put_seat(self, match_id: str, seat: SeatRow) -> None:
        """Who sits there now, or that it is open again."""
        values = seat_values(match_id, seat)
        query = (
            update(match_seats)
            .where(match_seats.c.match_id == match_id, match_seats.c.seat == seat.seat)
            .values(values)
        )
        await self._database.write(run(query))

    async def begin(self, match_id: str, started: float) -> bool:
        """An open table starts to play: from here on its journal takes entries. False if it was not open."""
        query = (
            update(matches)
            .where(matches.c.id == match_id, matches.c.status == "open")
            .values(status="playing", started=started)
        )
        return await self._database.write(run(query)) == 1

    async def remove(self, match_id: str) -> bool:
        """An open table that nobody came to. False if it is not open any more."""
        query = delete(matches).where(matches.c.id == match_id, matches.c.status == "open")
        return await self._database.write(run(query)) == 1

    async def claim(self, process: str, *, stale_before: float) -> list[MatchRow]:
        """Make this process the owner of all matches going on whose owner is dead: what it now has to go on with.

        Of two processes that claim at once each match goes to one of them.
        """
        alive = select(processes.c.id).where(processes.c.beat >= stale_before)
        orphaned = or_(matches.c.owner.is_(None), matches.c.owner.not_in(alive))
        return await self._claim(process, orphaned)

    async def claim_all(self, process: str) -> list[MatchRow]:
        """Where there can be no other process."""
        return await self._claim(process, matches.c.owner.is_distinct_from(process))

    async def _claim(self, process: str, condition: Any) -> list[MatchRow]:
        query = (
            update(matches)
            .where(matches.c.status.in_(GOING_ON), condition)
            .values(owner=process)
            .returning(matches.c.id)
        )
        claimed = await self._database.write(lambda connection: list(connection.execute(query).scalars()))
        return await self.many(claimed)

    async def hand_over(self, match_id: str, process: str, to: str | None) -> bool:
        """Give a match up, to another process or to whoever claims it. False if it was not this process's."""
        query = update(matches).where(matches.c.id == match_id, matches.c.owner == process).values(owner=to)
        return await self._database.write(run(query)) == 1

    async def owner(self, match_id: str) -> str | None:
        query = select(matches.c.owner).where(matches.c.id == match_id)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def place(self, match_id: str) -> MatchPlace | None:
        """Which process holds the match, and where it is; None if there is no such match."""
        query = (
            select(matches.c.status, matches.c.owner, matches.c.rematch, processes.c.address, processes.c.beat)
            .outerjoin(processes, processes.c.id == matches.c.owner)
            .where(matches.c.id == match_id)
        )

        def work(connection: Connection) -> MatchPlace | None:
            row = connection.execute(query).one_or_none()
            return None if row is None else MatchPlace(*row)

        return await self._database.read(work)

    async def release(self, process: str) -> int:
        """A process goes away in peace: whoever is quickest goes on with its matches. How many there are."""
        query = update(matches).where(matches.c.owner == process, matches.c.status.in_(GOING_ON)).values(owner=None)
        return await self._database.write(run(query))

    async def going_on_of(self, player_id: int) -> list[MatchRow]:
        """The open and running matches where this player sits or is awaited."""
        query = select(matches.c.id).where(matches.c.status.in_(GOING_ON), sits_there(player_id))

        def work(connection: Connection) -> list[MatchRow]:
            return read_matches(connection, list(connection.execute(query).scalars()))

        return await self._database.read(work)

    async def last_trial(self, bot_id: int, owner_id: int) -> str | None:
        """The last match that was set up to try a bot: by its owner, not listed, with the bot at the first seat."""
        query = (
            select(matches.c.id)
            .join(match_seats, match_seats.c.match_id == matches.c.id)
            .where(match_seats.c.player_id == bot_id, match_seats.c.seat == 0)
            .where(matches.c.created_by == owner_id, matches.c.listed.is_(False))
            .order_by(matches.c.created.desc(), matches.c.id)
            .limit(1)
        )
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def replay(self, match_id: str) -> bytes | None:
        query = select(replays.c.data).where(replays.c.match_id == match_id)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def read_journal(self, match_id: str, after: int = 0) -> list[bytes]:
        return await self._database.read(lambda connection: read_journal(connection, match_id, after))


def sits_there(player_id: int) -> Any:
    return exists().where(match_seats.c.match_id == matches.c.id, match_seats.c.player_id == player_id)


def insertions(match: MatchRow) -> list[Any]:
    row = {name: getattr(match, name) for name in MatchRow.__struct_fields__ if name != "seats"}
    row["options"] = write_json(match.options).decode()
    row["outcome"] = None if match.outcome is None else write_json(match.outcome).decode()
    seats = [insert(match_seats).values(seat_values(match.id, seat)) for seat in match.seats]
    return [insert(matches).values(row), *seats]


def seat_values(match_id: str, seat: SeatRow) -> dict[str, Any]:
    return {"match_id": match_id} | {name: getattr(seat, name) for name in SeatRow.__struct_fields__}


def read_matches(connection: Connection, match_ids: Sequence[str]) -> list[MatchRow]:
    """With their seats, in the order of the ids."""
    if len(match_ids) > MOST_IDS:
        return read_matches(connection, match_ids[:MOST_IDS]) + read_matches(connection, match_ids[MOST_IDS:])
    if not match_ids:
        return []
    seats: dict[str, list[SeatRow]] = {}
    for row in connection.execute(
        select(match_seats).where(match_seats.c.match_id.in_(match_ids)).order_by(match_seats.c.seat)
    ):
        seats.setdefault(row.match_id, []).append(SeatRow(*row[1:]))
    found = {
        row.id: read_match(row._asdict(), seats.get(row.id, ()))
        for row in connection.execute(select(matches).where(matches.c.id.in_(match_ids)))
    }
    return [found[match_id] for match_id in match_ids if match_id in found]


def read_match(values: dict[str, Any], seats: Sequence[SeatRow]) -> MatchRow:
    values["options"] = msgspec.json.decode(values["options"])
    values["outcome"] = None if values["outcome"] is None else read_outcome(values["outcome"])
    return MatchRow(**values, seats=tuple(seats))
