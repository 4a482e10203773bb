"""Ratings: how strong a player is at a game, and how that came to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import Connection, delete, insert, select

from turntile.store.cursors import largest_first, split
from turntile.store.database import Database
from turntile.store.rows import NewRating, PlayerRow, RatedRow, RatingPoint, RatingRow
from turntile.store.tables import players, rating_history, ratings

Judge = Callable[[list[RatingRow | None]], Sequence[NewRating]]


class Ratings:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def rate(
        self, match_id: str, game: str, player_ids: Sequence[int], at: float, judge: Judge
    ) -> list[RatingRow] | None:
        """Let `judge` make new ratings from those before the match (None: never rated), both in the players' order.

        In one transaction, so that matches that end at once are rated one after the other. A match is rated
        once: None if it was before. None also if two of them are one person, or his bots: whatever a match was set
        up as, nobody wins rating from himself. `judge` may run in another thread and must touch nothing else.
        """

        def work(connection: Connection) -> list[RatingRow] | None:
            known = select(rating_history.c.id).where(rating_history.c.match_id == match_id).limit(1)
            # All processes rate in the order of the players' rows.
            people = [
                row.id if row.owner_id is None else row.owner_id
                for row in connection.execute(
                    select(players.c.id, players.c.owner_id)
                    .where(players.c.id.in_(player_ids))
                    .order_by(players.c.id)
                    .with_for_update()
                )
            ]
            if len(set(people)) != len(people):
                return None
            if connection.execute(known).one_or_none() is not None:
                return None
            before = read_ratings(connection, player_ids, game)
            new = judge([before.get(player_id) for player_id in player_ids])
            rows = [
                RatingRow(
                    player_id,
                    game,
                    rating.mu,
                    rating.sigma,
                    rating.rating,
                    rating.deviation,
                    before[player_id].matches + 1 if player_id in before else 1,
                    at,
                )
                for player_id, rating in zip(player_ids, new, strict=True)
            ]
            put_ratings(connection, match_id, rows)
            return rows

        return await self._database.write(work)

    async def many(self, player_ids: Iterable[int], game: str) -> dict[int, RatingRow]:
        """By player; who was never rated is not in it."""
        wanted = list(player_ids)
        if not wanted:
            return {}
        return await self._database.read(lambda connection: read_ratings(connection, wanted, game))

    async def of_player(self, player_id: int) -> list[RatingRow]:
        query = select(ratings).where(ratings.c.player_id == player_id).order_by(ratings.c.game)
        return await self._database.read(lambda connection: [RatingRow(*row) for row in connection.execute(query)])

    async def leaders(
        self, game: str, *, cursor: str | None = None, limit: int = 50
    ) -> tuple[list[RatedRow], str | None]:
        """The strongest first; without those who are disabled."""
        query = (
            select(players, ratings)
            .join(ratings, ratings.c.player_id == players.c.id)
            .where(ratings.c.game == game, players.c.disabled.is_(False))
        )
        query = largest_first(query, ratings.c.rating, ratings.c.player_id, cursor, limit)
        width = len(players.c)

        def work(connection: Connection) -> tuple[list[RatedRow], str | None]:
            found, following = split(connection.execute(query).all(), limit, lambda row: (row.rating, row.player_id))
            return [RatedRow(PlayerRow(*row[:width]), RatingRow(*row[width:])) for row in found], following

        return await self._database.read(work)

    async def curve(self, player_id: int, game: str, *, limit: int = 1000) -> list[RatingPoint]:
        """The last `limit` points, oldest first."""
        query = (
            select(rating_history)
            .where(rating_history.c.player_id == player_id, rating_history.c.game == game)
            .order_by(rating_history.c.at.desc(), rating_history.c.id.desc())
            .limit(limit)
        )

        def work(connection: Connection) -> list[RatingPoint]:
            return [RatingPoint(*row) for row in connection.execute(query)][::-1]

        return await self._database.read(work)


def read_ratings(connection: Connection, player_ids: Sequence[int], game: str) -> dict[int, RatingRow]:
    query = select(ratings).where(ratings.c.game == game, ratings.c.player_id.in_(player_ids))
    return {row.player_id: RatingRow(*row) for row in connection.execute(query)}


def put_ratings(connection: Connection, match_id: str, rows: Sequence[RatingRow]) -> None:
    for row in rows:
        values = {name: getattr(row, name) for name in RatingRow.__struct_fields__}
        connection.execute(delete(ratings).where(ratings.c.player_id == row.player_id, ratings.c.game == row.game))
        connection.execute(insert(ratings).values(values))
        point = {"match_id": match_id, "at": row.updated}
        point |= {name: values[name] for name in ("player_id", "game", "rating", "deviation")}
        connection.execute(insert(rating_history).values(point))
