"""Who sits where, and which matches may count for ratings."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from sqlalchemy import update

from tests.server.halls import ME, OPEN, bot, open_hall, person, run, wish
from turntile.server.hall import Hall
from turntile.server.seating import CannotSit
from turntile.store.database import run as run_statements
from turntile.store.rows import PlayerRow
from turntile.store.tables import matches

NUMBERS = count(1)
HIS_OWN = "nobody is rated against a bot of his own"
ONE_OWNER = "two bots of one owner"


async def bot_of(owner: PlayerRow, hall: Hall, kind: Any = "webhook") -> PlayerRow:
    address = "http://127.0.0.1:9" if kind == "webhook" else ""
    player, _ = await hall.store.bots.create(f"Bot {next(NUMBERS)}", owner.id, "", kind, 1.0, address=address)
    return player


def at(player: PlayerRow) -> Any:
    return bot(f"@{player.name}")


@pytest.mark.parametrize("kind", ["webhook", "remote"])
def test_nobody_is_rated_against_his_own_bots_nor_they_against_each_other(tmp_path: Path, kind: str) -> None:
    """Also not where the bot is asked first, and would sit down later."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob, cy = [await person(hall, name) for name in ("Ann", "Bob", "Cy")]
            first, second = [await bot_of(ann, hall, kind) for _ in range(2)]
            other = await bot_of(bob, hall, kind)
            with pytest.raises(CannotSit, match=HIS_OWN):
                await hall.open_table(wish("racers", ME, at(first), rated=True), ann)
            for asker in (ann, bob, cy):
                with pytest.raises(CannotSit, match=ONE_OWNER):
                    await hall.open_table(wish("racers", at(first), at(second), rated=True), asker)
            with pytest.raises(CannotSit, match=ONE_OWNER):
                await hall.open_table(wish("tron", ME, at(first), at(second), players=3, rated=True), bob)
            assert hall.tables == {}
            for seats in ([ME, at(other)], [at(first), at(other)]):
                table = await hall.open_table(wish("racers", *seats, rated=True), ann)
                assert table.row.rated
            assert await hall.open_table(wish("racers", at(first), at(second)), ann), "unrated they may"

    run(story())


def test_an_open_seat_of_a_rated_table_is_not_for_the_bots_of_who_sits_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann, bob = [await person(hall, name) for name in ("Ann", "Bob")]
            first, second = [await bot_of(ann, hall, "remote") for _ in range(2)]
            table = await hall.open_table(wish("tron", ME, OPEN, OPEN, players=3, rated=True), bob)
            await hall.join(table, first)
            with pytest.raises(CannotSit, match=ONE_OWNER):
                await hall.join(table, second)
            with pytest.raises(CannotSit, match=HIS_OWN):
                await hall.join(table, ann)
            assert table.seats[2].kind == "open"
            kept = await hall.open_table(wish("racers", OPEN, at(first), rated=True), bob)
            with pytest.raises(CannotSit, match=HIS_OWN):
                await hall.join(kept, ann, 0)  # before the bot has answered

    run(story())


def test_a_match_of_one_owners_bots_moves_no_rating_whatever_it_was_set_up_as(tmp_path: Path) -> None:
    """One that was set up as rated before this was refused may still be going on, or be played again."""

    async def story() -> None:
        async with open_hall(tmp_path) as hall:
            ann = await person(hall, "Ann")
            first, second = [await bot_of(ann, hall, "remote") for _ in range(2)]
            table = await hall.open_table(wish("racers", OPEN, OPEN), ann)
            table.row = msgspec.structs.replace(table.row, rated=True)
            with patch.object(Hall, "refuse_unrated", nothing):
                await hall.join(table, first)
                await hall.join(table, second)
            await table.resign(0)
            await table.settled()
            assert await hall.store.ratings.many([first.id, second.id], "racers") == {}
            as_rated = update(matches).where(matches.c.id == table.id).values(rated=True)
            await hall.store.database.write(run_statements(as_rated))
            again = await hall.rematch(table.id, first)
            assert not again.row.rated

    run(story())


async def nothing(*arguments: Any) -> None:
    return None
