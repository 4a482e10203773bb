"""A table as everybody may know it: from a live one, or from what is stored of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from turntile.core.errors import UnknownGame
from turntile.core.game import Outcome
from turntile.core.registry import find
from turntile.match.match import hash_seed
from turntile.server.messages import MatchInfo, OutcomeInfo, SeatInfo
from turntile.store.rows import MatchRow, OutcomeRow, SeatRow

if TYPE_CHECKING:
    from turntile.server.table import Table


def rfc3339(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def maybe_time(at: float | None) -> str | None:
    return None if at is None else rfc3339(at)


def stored_info(row: MatchRow, names: Mapping[int, str], ratings: Mapping[int, float], viewer: int | None) -> MatchInfo:
    """A match that is not live in this process."""
    over = row.status in ("over", "stopped")
    outcome = row.outcome
    title, draws = title_of(row.game)
    return MatchInfo(
        id=row.id,
        game=row.game,
        title=title,
        status=row.status,
        listed=row.listed,
        rated=row.rated,
        created=rfc3339(row.created),
        started=maybe_time(row.started),
        ended=maybe_time(row.ended),
        clock=row.clock,
        options=row.options,
        seats=tuple(
            seat_info(seat, names, ratings, mine=viewer is not None and holds(seat, viewer)) for seat in row.seats
        ),
        step=row.steps,
        outcome=None if outcome is None else outcome_info(outcome),
        stopped=row.stopped,
        seed_hash=hash_seed(row.game, int(row.seed, 16)),
        seed=row.seed if over else None,
        rematch=row.rematch,
        draws=draws,
        created_by=names.get(row.created_by) if row.created_by is not None else None,
    )


def outcome_info(outcome: Outcome | OutcomeRow) -> OutcomeInfo:
    return OutcomeInfo(scores=outcome.scores, places=outcome.places, reason=outcome.reason)


def title_of(game: str) -> tuple[str, bool]:
    """Also of a game that is no longer installed."""
    try:
        found = find(game)
    except UnknownGame:
        return game, False
    return found.title, found.draws


def live_info(table: Table, mine: tuple[int, ...] = ()) -> MatchInfo:
    """A table of this process, for who holds these seats."""
    row = table.row
    outcome = table.shown.outcome
    over = row.status in ("over", "stopped")
    return MatchInfo(
        id=row.id,
        game=row.game,
        title=table.game.title,
        status=row.status,
        listed=row.listed,
        rated=row.rated,
        created=rfc3339(row.created),
        started=maybe_time(row.started),
        ended=maybe_time(row.ended),
        clock=row.clock,
        options=row.options,
        seats=tuple(
            seat_info(
                seat,
                table.names,
                table.ratings,
                mine=seat.seat in mine,
                present=table.present(seat.seat),
                score=outcome.scores[seat.seat] if outcome else None,
                place=outcome.places[seat.seat] if outcome else None,
            )
            for seat in table.seats
        ),
        step=table.shown.step,
        to_act=table.shown.to_act,
        outcome=None if outcome is None else outcome_info(outcome),
        stopped=row.stopped,
        seed_hash=hash_seed(row.game, int(row.seed, 16)),
        seed=row.seed if over else None,
        rematch=row.rematch,
        draw_offers=tuple(sorted(table.draw_offers)),
        draws=table.game.draws,
        watchers=table.watchers,
        created_by=table.names.get(row.created_by) if row.created_by is not None else None,
    )


def seat_info(
    seat: SeatRow,
    names: Mapping[int, str],
    ratings: Mapping[int, float],
    *,
    mine: bool = False,
    present: bool = False,
    score: int | None = None,
    place: int | None = None,
) -> SeatInfo:
    player = None if seat.player_id is None else names.get(seat.player_id)
    return SeatInfo(
        seat=seat.seat,
        kind=seat.kind,
        name=seat.name or player or "",
        player=player,
        bot=seat.bot,
        rating=None if seat.player_id is None else ratings.get(seat.player_id),
        mine=mine,
        present=present or seat.kind == "builtin",
        score=seat.score if score is None else score,
        place=seat.place if place is None else place,
    )


def holds(seat: SeatRow, player_id: int) -> bool:
    """Whether he sits there; a seat that is only kept for him is open."""
    return seat.kind != "open" and seat.player_id == player_id
