"""Tables as tests set them."""

from __future__ import annotations

from collections.abc import Sequence

from turntile.store import Store, new_match_id
from turntile.store.rows import Ending, MatchRow, OutcomeRow, SeatRow

TWO_OPEN_SEATS = (SeatRow(0), SeatRow(1))


def new_table(
    *,
    game: str = "tron",
    created: float = 100.0,
    listed: bool = True,
    owner: str | None = None,
    created_by: int | None = None,
    seats: Sequence[SeatRow] = TWO_OPEN_SEATS,
) -> MatchRow:
    return MatchRow(
        id=new_match_id(),
        game=game,
        rules_version=1,
        options={"width": 20, "walls": ["a", None]},
        seed="0123456789abcdef",
        clock="1s",
        created=created,
        listed=listed,
        owner=owner,
        created_by=created_by,
        seats=tuple(seats),
    )


async def open_table(store: Store, **wishes: object) -> str:
    table = new_table(**wishes)  # type: ignore[arg-type]
    await store.matches.create(table)
    return table.id


async def playing_table(store: Store, **wishes: object) -> str:
    match_id = await open_table(store, **wishes)
    assert await store.matches.begin(match_id, started=101.0)
    return match_id


A_WIN = OutcomeRow((1, 0), (1, 2), "seat 1 crashed")


def won(replay: bytes = b"the replay", *, keep_journal: bool = False) -> Ending:
    return Ending(status="over", ended=200.0, steps=7, outcome=A_WIN, replay=replay, keep_journal=keep_journal)
