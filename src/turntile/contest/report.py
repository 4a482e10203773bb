"""The report of a contest: one HTML file that needs nothing else, CSV and JSON beside it, and films of matches.

The page has no script and loads nothing; a film is a page of its own (the viewer of
`turntile render`) in the folder `matches`, linked from the report.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import msgspec

from turntile.contest.course import Course
from turntile.contest.matches import Finished
from turntile.contest.results import Results
from turntile.contest.run import follow
from turntile.contest.standings import Standings, say_failures, standings_of, table_of
from turntile.core.errors import TurntileError
from turntile.core.registry import find
from turntile.match.film import make_film
from turntile.match.replay import read_replay
from turntile.screens.html import content_hash, draw_html

MOST_FAILURES = 200  # listed in the page; all are in matches.csv


class CannotWrite(TurntileError):
    """A place where no report can be written."""


def write_report(
    results: Results, folder: Path, films: int, advance: Callable[[], None] = lambda: None
) -> tuple[Standings, int]:
    """All files of the report; the number of films. `films`: how many at most, of those most worth a look."""
    course = follow(results)
    standings = standings_of(course)
    matches = [match for match in results.matches() if match.number < course.counted]
    chosen = sorted(choose_films(matches, films), key=lambda match: match.number)
    try:
        (folder / "matches").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be written: {error.strerror or error}") from None
    filmed: dict[int, str] = {}
    for match in chosen:
        replay = results.replay(match.number)
        if replay:
            name = f"matches/{match.number + 1}.html"
            write_whole(folder / name, film_of(results, match, replay).encode())
            write_whole(folder / f"matches/{match.number + 1}.jsonl.zst", replay)
            filmed[match.number] = name
        advance()
    write_whole(folder / "standings.json", msgspec.json.format(msgspec.json.encode(standings)))
    write_whole(folder / "standings.csv", standings_csv(standings).encode())
    write_whole(folder / "matches.csv", matches_csv(results.contest.names, matches).encode())
    write_whole(folder / "report.html", page_of(course, standings, matches, filmed).encode())
    return standings, len(filmed)


def write_whole(path: Path, data: bytes) -> None:
    growing = path.with_name(path.name + ".part")
    try:
        growing.write_bytes(data)
        os.replace(growing, path)
    except OSError as error:
        growing.unlink(missing_ok=True)
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}") from None


def choose_films(matches: Sequence[Finished], most: int) -> list[Finished]:
    """Those with failures first, then of every group of players the longest, then the next longest, and so on."""
    failing = [match for match in matches if match.failures]
    groups: dict[tuple[int, ...], list[Finished]] = {}
    for match in sorted(matches, key=lambda match: (-match.steps, match.number)):
        groups.setdefault(tuple(sorted(match.bots)), []).append(match)
    depth = max((len(group) for group in groups.values()), default=0)
    spread = [group[at] for at in range(min(depth, most)) for group in groups.values() if at < len(group)]
    chosen = {match.number: match for match in [*failing, *spread]}
    return list(chosen.values())[:most]


def film_of(results: Results, match: Finished, replay: bytes) -> str:
    game = find(results.contest.game)
    return draw_html(make_film(read_replay(replay, f"match {match.number + 1}"), game))


# ------------------------------------------------------------------- for programs


def csv_text(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([[guarded(cell) for cell in row] for row in rows])
    return text.getvalue()


def guarded(cell: object) -> object:
    """A spreadsheet must not take a bot's name for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell


def standings_csv(standings: Standings) -> str:
    more = list(standings.standings[0].more)
    headings = ["place", "name", "seat", "played", "won", "drawn", "lost", "share", "elo", "margin", "points"]
    rows = [
        [*(getattr(line, heading) for heading in headings), line.mean_ms, line.slowest_ms, say_failures(line.failures)]
        + [line.more[key] for key in more]
        for line in standings.standings
    ]
    return csv_text([*headings, "mean_ms", "slowest_ms", "failures", *more], rows)


def matches_csv(names: Sequence[str], matches: Sequence[Finished]) -> str:
    seats = max((len(match.bots) for match in matches), default=2)

    def by_seat(values: Sequence[object]) -> list[object]:
        return [*values, *[""] * (seats - len(values))]

    rows = [
        [
            match.number + 1,
            match.round,
            f"{match.seed:016x}",
            *by_seat([names[bot] for bot in match.bots]),
            *by_seat(match.places),
            *by_seat(match.scores),
            match.steps,
            round(match.seconds, 4),
            match.reason,
            "; ".join(f"{names[match.bots[f.seat]]}, step {f.step}: {f.kind}: {f.what}" for f in match.failures),
        ]
        for match in matches
    ]
    columns = [f"{what}_{seat}" for what in ("bot", "place", "score") for seat in range(seats)]
    return csv_text(["match", "round", "seed", *columns, "steps", "seconds", "reason", "failures"], rows)


# ------------------------------------------------------------------- for people

STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d0d5db;--soft:#f3f5f7;--mark:#2468b4}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#15181c;--line:#3a4048;--soft:#1f242a;--mark:#7fb2ee}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);
 max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th{background:var(--soft)}td.name,th.name,td.words{text-align:left}td.words{white-space:normal}
a{color:var(--mark)}svg text{fill:var(--ink);font:13px system-ui,sans-serif}
svg .axis{stroke:var(--line)}svg .bar{stroke:var(--mark);stroke-width:3}svg .dot{fill:var(--mark)}
.films{columns:16rem;list-style:none;padding:0}
"""


def page_of(course: Course, standings: Standings, matches: Sequence[Finished], filmed: dict[int, str]) -> str:
    title = f"{find(standings.game).title}: {standings.format} of {len(standings.standings)} bots"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(lead(course, standings))}</p>",
        "<h2>Standings</h2>",
        standings_table(standings),
        intervals_picture(standings),
        "<h2>Against each other</h2>",
        "<p>Points of the row's bot in its meetings with the column's, a tie counting half.</p>",
        crosstable(standings),
        "<h2>What a seat is worth</h2>",
        seat_table(standings),
        "<h2>Failures</h2>",
        failures_table(course, matches, filmed),
        "<h2>Time</h2>",
        time_table(course, standings),
        "<h2>Matches to watch</h2>",
        film_list(course, matches, filmed),
        "<p>All matches are in <a href='matches.csv'>matches.csv</a>, the standings in "
        "<a href='standings.csv'>standings.csv</a> and <a href='standings.json'>standings.json</a>.</p>",
    ]
    policy = f"default-src 'none'; style-src '{content_hash(STYLE)}'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def lead(course: Course, standings: Standings) -> str:
    sentences = [f"{standings.matches} matches, {standings.steps} steps, seed {standings.seed}."]
    sentences.append(f"Over: {standings.ended}." if standings.ended else "Not over yet.")
    sentences += [f"{key}: {value}." for key, value in standings.summary.items()]
    return " ".join(sentences)


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]], names: Sequence[int] = (1,)) -> str:
    """Cells are text already escaped."""

    def cell(kind: str, at: int, text: str) -> str:
        return f"<{kind}{' class=name' if at in names else ''}>{text}</{kind}>"

    lines = ["<tr>" + "".join(cell("th", at, text) for at, text in enumerate(headings)) + "</tr>"]
    lines += ["<tr>" + "".join(cell("td", at, text) for at, text in enumerate(row)) + "</tr>" for row in rows]
    return "<table>" + "\n".join(lines) + "</table>"


def standings_table(standings: Standings) -> str:
    headings, rows = table_of(standings)
    return html_table([escape(text) for text in headings], [[escape(text) for text in row] for row in rows])


def intervals_picture(standings: Standings) -> str:
    """Each rating as a dot on its 95 % interval."""
    lines = standings.standings
    low = min(line.elo - line.margin for line in lines)
    high = max(line.elo + line.margin for line in lines)
    left, width, row = 170, 560, 24

    def x(elo: float) -> float:
        return round(left + width * (elo - low) / ((high - low) or 1), 1)

    height = row * (len(lines) + 1)
    parts = [f'<line class="axis" x1="{x(0)}" x2="{x(0)}" y1="0" y2="{height - row}"/>']
    for at, line in enumerate(lines):
        y = row * at + 14
        told = f"{line.name}: {line.elo:+.0f} Elo, {line.elo - line.margin:+.0f} to {line.elo + line.margin:+.0f}"
        parts.append(
            f"<g><title>{escape(told)}</title>"
            f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(shorten(line.name))}</text>'
            f'<line class="bar" x1="{x(line.elo - line.margin)}" x2="{x(line.elo + line.margin)}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{x(line.elo)}" cy="{y}" r="6"/></g>'
        )
    parts.append(f'<text x="{x(0)}" y="{height - 6}" text-anchor="middle">0 Elo: the mean of all</text>')
    return (
        f'<svg role="img" aria-label="Ratings with 95 % intervals" viewBox="0 0 {left + width + 20} {height}" '
        f'width="{left + width + 20}">' + "".join(parts) + "</svg>"
    )


def shorten(name: str) -> str:
    return name if len(name) <= 22 else name[:21] + "…"


def crosstable(standings: Standings) -> str:
    numbers = [str(at) for at in range(1, len(standings.standings) + 1)]
    rows = []
    for at, (line, row) in enumerate(zip(standings.standings, standings.crosstable, strict=True)):
        cells = [f"{cell[0]:g}/{cell[1]}" if cell else ("" if at != column else "·") for column, cell in enumerate(row)]
        rows.append([numbers[at], escape(line.name), *cells])
    return html_table(["", "bot", *numbers], rows)


def seat_table(standings: Standings) -> str:
    if not standings.seat_share:
        return "<p>No match has been played.</p>"
    parts = []
    for seats, row in standings.seat_share.items():
        headings = [f"seat {seat}" for seat in range(seats)]
        told = html_table(headings, [[f"{100 * share:.1f}%" for share in row]], ())
        first = 100 * (row[0] - 0.5)
        parts.append(
            f"<p>Matches of {seats}: the mean part of the others each seat came before. The first seat is "
            f"worth {first:+.1f} points of a hundred; as every table plays all orders of seats, that cancels.</p>"
            + told
        )
    return "".join(parts)


def failures_table(course: Course, matches: Sequence[Finished], filmed: dict[int, str]) -> str:
    names = course.contest.names
    rows = [
        [
            link(match.number, filmed),
            escape(names[match.bots[failure.seat]]),
            str(failure.step),
            escape(failure.kind),
            escape(failure.what),
        ]
        for match in matches
        for failure in match.failures
    ]
    if not rows:
        return "<p>None.</p>"
    more = f"<p>And {len(rows) - MOST_FAILURES} more in matches.csv.</p>" if len(rows) > MOST_FAILURES else ""
    return html_table(["match", "bot", "step", "kind", "what"], rows[:MOST_FAILURES], (1, 3, 4)) + more


def time_table(course: Course, standings: Standings) -> str:
    rows = [["", escape(line.name), f"{line.mean_ms:.3f}", f"{line.slowest_ms:.3f}"] for line in standings.standings]
    told = html_table(["", "bot", "ms a move", "slowest, ms"], rows)
    latency = course.tally.latency()
    if not latency:
        return told
    return told + (
        f"<p>How late the machine itself woke a sleeper just before a match: {latency['median']:.2f} ms in the middle, "
        f"{latency['p99']:.2f} ms in the worst of a hundred, {latency['worst']:.2f} ms at worst. "
        "A clock should leave room for that.</p>"
    )


def film_list(course: Course, matches: Sequence[Finished], filmed: dict[int, str]) -> str:
    names = course.contest.names
    items = [
        f"<li>{link(match.number, filmed)}: "
        + escape(", ".join(f"{names[bot]} ({place}.)" for bot, place in zip(match.bots, match.places, strict=True)))
        + "</li>"
        for match in matches
        if match.number in filmed
    ]
    return f"<ul class=films>{''.join(items)}</ul>" if items else "<p>No replays were kept.</p>"


def link(number: int, filmed: dict[int, str]) -> str:
    if number in filmed:
        return f'<a href="{filmed[number]}">match {number + 1}</a>'
    return f"match {number + 1}"
