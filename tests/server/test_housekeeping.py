"""Housekeeping: what nobody needs is thrown away, and nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path

from turntile.server.housekeeping import ANSWERS_S, throw_away
from turntile.server.settings import Settings
from turntile.store import new_match_id, open_store
from turntile.store.rows import KeptAnswer, MatchRow, SeatRow

NOW = 1_800_000_000.0
SETTINGS = Settings(guest_s=1000.0)


def test_only_what_is_over_is_thrown_away(tmp_path: Path) -> None:
    async def play() -> None:
        async with await open_store(f"sqlite:///{tmp_path / 'arena.db'}") as store:
            old, new = NOW - 2000, NOW - 500
            idle = await store.players.create("Guest OLD2", "guest", old)
            seated = await store.players.create("Guest SAT2", "guest", old)
            fresh = await store.players.create("Guest NEW2", "guest", new)
            person = await store.players.create("Ada", "person", old)
            await store.sessions.create("expired", person.id, old, NOW - 1)
            await store.sessions.create("good", person.id, old, NOW + 1)
            await store.matches.create(
                MatchRow(
                    id=new_match_id(),
                    game="tron",
                    rules_version=1,
                    options={},
                    seed="0" * 16,
                    created=old,
                    seats=(SeatRow(0, seated.id, seated.name, "human"), SeatRow(1)),
                )
            )
            await store.answers.keep(KeptAnswer("old", person.id, NOW - ANSWERS_S - 1, 201, b"{}"))
            await store.answers.keep(KeptAnswer("new", person.id, NOW - 1, 201, b"{}"))

            await throw_away(store, SETTINGS, NOW)

            left = await store.players.many([idle.id, seated.id, fresh.id, person.id])
            assert {player.name for player in left.values()} == {"Guest SAT2", "Guest NEW2", "Ada"}
            assert await store.sessions.find("good", NOW) is not None
            assert await store.sessions.find("expired", NOW - 10) is None
            assert await store.answers.find("old", person.id) is None
            assert await store.answers.find("new", person.id) is not None

    asyncio.run(play())
