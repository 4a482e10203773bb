"""The rounds of a contest as people read them: who met whom, and who went on.

Only of formats whose rounds mean something to a reader: a Swiss, a knockout. What went on in
the others is told by the standings and the crosstable.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turntile.contest.matches import Finished, shares
from turntile.contest.plan import Contest

WITH_ROUNDS = ("swiss", "knockout")


class RoundTable(msgspec.Struct, frozen=True, kw_only=True):
    """Bots that met in a round; numbers are places in the contest's list of bots."""

    bots: tuple[int, ...]
    points: tuple[float, ...]  # by bot: the parts of the others it came before, summed over the matches
    won: tuple[int, ...]  # by bot: matches it won alone
    matches: tuple[int, ...]  # their numbers, from 1
    winner: int | None = None  # knockout: who went on


class Round(msgspec.Struct, frozen=True, kw_only=True):
    round: int  # from 1
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...] = ()  # who had nobody to play against, and went on


def rounds_of(contest: Contest, matches: Iterable[Finished], best: int | None = None) -> tuple[Round, ...]:
    """`best`: who won a knockout that is over."""
    if contest.format not in WITH_ROUNDS:
        return ()
    met: dict[int, dict[tuple[int, ...], list[Finished]]] = {}
    for match in matches:
        met.setdefault(match.round, {}).setdefault(tuple(sorted(set(match.bots))), []).append(match)
    rounds: list[Round] = []
    later: set[int] = set() if best is None else {best}
    for number in sorted(met, reverse=True):
        played = {bot for table in met[number] for bot in table}
        tables = tuple(
            sum_up(table, met[number][table], later if contest.format == "knockout" else set())
            for table in sorted(met[number], key=lambda table: met[number][table][0].number)
        )
        rounds.append(Round(round=number, tables=tables, byes=tuple(sorted(later - played))))
        later |= played
    return tuple(reversed(rounds))


def sum_up(table: tuple[int, ...], matches: list[Finished], later: set[int]) -> RoundTable:
    points = dict.fromkeys(table, 0.0)
    won = dict.fromkeys(table, 0)
    for match in matches:
        for bot, share, place in zip(match.bots, shares(match.places), match.places, strict=True):
            points[bot] += share
            won[bot] += place == 1 and match.places.count(1) == 1
    went_on = [bot for bot in table if bot in later]
    return RoundTable(
        bots=table,
        points=tuple(round(points[bot], 3) for bot in table),
        won=tuple(won[bot] for bot in table),
        matches=tuple(match.number + 1 for match in matches),
        winner=went_on[0] if len(went_on) == 1 else None,
    )
