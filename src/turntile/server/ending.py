"""The end of a match: its replay is made from the journal, and stored with the outcome; then ratings move.

If the server is killed in between, the journal is still there: the match is run again, found to
be over, and ended once more. Ratings count a match once, however often that happens.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from turntile.match.log import read_entry, write_replay
from turntile.match.replay import SeatHeader
from turntile.server.infos import rfc3339
from turntile.server.standing import begin
from turntile.store import LostOwnership
from turntile.store.rows import Ending, MatchRow, NewRating, OutcomeRow, RatingRow, SeatRow

if TYPE_CHECKING:
    from turntile.server.table import Table

log = logging.getLogger(__name__)
TRY_AGAIN_S = 1.0


async def store_ending(table: Table) -> None:
    """Store how the match ended; tries until it is stored. Raises LostOwnership."""
    while True:
        try:
            ending = await make_ending(table)
            await table.hall.store.append(table.id, table.number + 1, (), ending)
            break
        except LostOwnership:
            raise
        except Exception:  # the disk is full, the database away: the match must not be lost for that
            log.exception("table %s: its ending could not be stored; trying again", table.id)
            await asyncio.sleep(TRY_AGAIN_S)
    table.row = ended_row(table.row, ending)
    if table.row.rated and ending.outcome is not None:
        try:
            await rate(table, ending.outcome.places, ending.ended)
        except Exception:  # a rating that did not move is no reason to keep people waiting
            log.exception("table %s: its ratings could not be stored", table.id)


async def make_ending(table: Table) -> Ending:
    match = table.match
    outcome = match.outcome if match is not None and not table.stopped else None
    entries = await table.hall.store.read_journal(table.id)
    replay = await asyncio.to_thread(make_replay, table.row, tuple(table.seats), entries, table.stopped)
    return Ending(
        status="over" if outcome is not None else "stopped",
        ended=time.time(),
        steps=match.step_number if match is not None else 0,
        outcome=None if outcome is None else OutcomeRow(outcome.scores, outcome.places, outcome.reason),
        stopped="" if outcome is not None else table.stopped,
        replay=replay,
    )


def make_replay(row: MatchRow, seats: Sequence[SeatRow], entries: Sequence[bytes], stopped: str) -> bytes | None:
    """None where the journal cannot be run: then there is nothing to show. For threads."""
    headers = [SeatHeader(seat.name, "human" if seat.kind == "human" else "bot") for seat in seats]
    started = rfc3339(row.started) if row.started is not None else ""
    try:
        return write_replay(begin(row).match, map(read_entry, entries), headers, row.clock or "none", started, stopped)
    except Exception:
        if not stopped:
            raise
        log.exception("match %s: no replay can be made of its journal", row.id)
        return None


def ended_row(row: MatchRow, ending: Ending) -> MatchRow:
    return msgspec.structs.replace(
        row,
        status=ending.status,
        ended=ending.ended,
        outcome=ending.outcome,
        stopped=ending.stopped,
        steps=ending.steps,
    )


async def rate(table: Table, places: Sequence[int], at: float) -> None:
    """Let the ratings of all players move by what the match says."""
    players = [seat.player_id for seat in table.seats]
    known = [player for player in players if player is not None]
    if len(known) != len(players) or len(set(known)) != len(known):
        return  # somebody without an account, or one against himself

    def judge(before: list[RatingRow | None]) -> list[NewRating]:
        return new_ratings(before, places)

    rows = await table.hall.store.ratings.rate(table.id, table.row.game, known, at, judge)
    for row in rows or ():
        table.ratings[row.player_id] = row.rating


def new_ratings(before: Sequence[RatingRow | None], places: Sequence[int]) -> list[NewRating]:
    """openskill's Bradley-Terry, told on a scale people know: around 1500."""
    from turntile.contest.ratings import Ladder

    ladder = Ladder(len(before))
    for at, row in enumerate(before):
        if row is not None:
            ladder.ratings[at] = ladder.model.rating(mu=row.mu, sigma=row.sigma)
    ladder.count(range(len(before)), places)
    return [told_rating(ladder.mean(at), ladder.deviation(at)) for at in range(len(before))]


# openskill starts everybody at 25 with a deviation of 25 / 3, and its beta is 25 / 6.
START_MU = 25.0
POINTS = 30.0  # of one unit of its scale: 400 are ten to one between two who are well known
START_RATING = 1500.0


def told_rating(mu: float, sigma: float) -> NewRating:
    return NewRating(mu, sigma, round(START_RATING + (mu - START_MU) * POINTS, 1), round(sigma * POINTS, 1))
