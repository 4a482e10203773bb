"""The standings of a contest as plain data: what the terminal, the report and programs are told."""

from __future__ import annotations

from typing import Any

import msgspec

from turntile.contest.course import Course


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line."""

    place: int
    name: str
    seat: str
    played: int
    won: int
    drawn: int
    lost: int
    share: float  # the mean part of the others it came before: 0.5 is average
    elo: float
    margin: float  # 95 %
    points: float  # the game's own, a match
    failures: dict[str, int]
    mean_ms: float  # of a move
    slowest_ms: float
    more: dict[str, float | str]  # what its format tells besides


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """All of a contest so far."""

    game: str
    format: str
    seed: str  # as text: it may be more than other languages' numbers hold
    matches: int
    in_all: int | None  # None: not known yet, or endless
    steps: int
    ended: str  # why it is over; "" while it is not
    standings: tuple[Standing, ...]
    crosstable: tuple[
        tuple[tuple[float, int] | None, ...], ...
    ]  # points of the row's bot against the column's, of how many
    seat_share: dict[int, tuple[float, ...]]  # by number of seats: the mean share of each seat
    summary: dict[str, float | str]


def standings_of(course: Course) -> Standings:
    """Sorted best first; equal bots share a place."""
    contest, tally, form = course.contest, course.tally, course.format
    ratings = course.ratings()

    def worth(bot: int) -> tuple[float, ...]:
        line = tally.lines[bot]
        return (*form.order(bot), -(line.share / line.played if line.played else 0.0))

    ranked = sorted(range(len(contest.bot)), key=lambda bot: (worth(bot), bot))
    listed = []
    for bot in ranked:
        line, rating = tally.lines[bot], ratings[bot]
        place = 1 + sum(worth(other) < worth(bot) for other in ranked)
        listed.append(
            Standing(
                place=place,
                name=contest.names[bot],
                seat=contest.bot[bot].seat,
                played=line.played,
                won=line.won,
                drawn=line.drawn,
                lost=line.lost,
                share=round(line.share / line.played, 6) if line.played else 0.0,
                elo=round(rating.elo, 2),
                margin=round(rating.margin, 2),
                points=round(line.points / line.played, 3) if line.played else 0.0,
                failures=dict(sorted(line.failures.items())),
                mean_ms=round(line.time_ms / line.moves, 4) if line.moves else 0.0,
                slowest_ms=round(line.slowest_ms, 3),
                more=form.columns(bot),
            )
        )
    crosstable = tuple(
        tuple(
            (tally.against[row, column] / 2, tally.met[row, column]) if tally.met[row, column] else None
            for column in ranked
        )
        for row in ranked
    )
    return Standings(
        game=contest.game,
        format=contest.format,
        seed=str(contest.seed),
        matches=course.counted,
        in_all=course.in_all(),
        steps=tally.steps,
        ended=course.ended,
        standings=tuple(listed),
        crosstable=crosstable,
        seat_share={seats: tuple(round(share, 4) for share in row) for seats, row in tally.seat_advantage().items()},
        summary=form.summary(),
    )


def comparable(standings: Standings) -> dict[str, Any]:
    """Without what depends on the machine: two runs of the same plan agree in all the rest."""
    data: dict[str, Any] = msgspec.to_builtins(standings)
    for line in data["standings"]:
        del line["mean_ms"], line["slowest_ms"]
    return data


def lines_of(standings: Standings) -> list[str]:
    """A table in plain text."""
    headings, rows = table_of(standings)
    widths = [max(len(row[at]) for row in [headings, *rows]) for at in range(len(headings))]
    lines = []
    for row in [headings, *rows]:
        cells = [
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines += [f"{key}: {value}" for key, value in standings.summary.items()]
    return lines


def table_of(standings: Standings) -> tuple[list[str], list[list[str]]]:
    """Headings and cells, as every screen shows them."""
    more = list(standings.standings[0].more)
    headings = ["", "bot", *more, "elo", "+-", "share", "played", "won", "drawn", "lost", "points", "failures"]
    rows = [
        [
            str(line.place),
            line.name,
            *(f"{value:g}" if isinstance(value, float | int) else value for value in line.more.values()),
            f"{line.elo:+.0f}",
            f"{line.margin:.0f}",
            f"{100 * line.share:.1f}%",
            str(line.played),
            str(line.won),
            str(line.drawn),
            str(line.lost),
            f"{line.points:.1f}",
            say_failures(line.failures),
        ]
        for line in standings.standings
    ]
    return headings, rows


def say_failures(failures: dict[str, int]) -> str:
    return ", ".join(f"{times} {kind}" for kind, times in failures.items()) or "-"
