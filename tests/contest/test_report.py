"""The report: one page that needs nothing, CSV and JSON beside it, films that open by themselves."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.terminal import turntile_run
from tests.contest.tables import by_strength, contest, play_to_end
from turntile.contest.course import Course
from turntile.contest.report import choose_films, matches_csv, write_report
from turntile.contest.results import Results
from turntile.contest.run import follow
from turntile.contest.standings import standings_of

BOTS = [{"seat": "greedy"}, {"seat": "random", "name": "<b>=cmd|'&"}, {"seat": "random", "name": "third"}]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "a.contest"
    play_to_end(path, contest(bot=BOTS, rounds=2))
    return path


@pytest.fixture(scope="module")
def folder(played: Path) -> Path:
    folder = played.parent / "out"
    with Results.open(played) as results:
        write_report(results, folder, films=5)
    return folder


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.found += [value for key, value in attrs if key in ("href", "src") and value]


def test_the_page_tells_everything_and_needs_nothing(folder: Path) -> None:
    page = (folder / "report.html").read_text("utf-8")
    links = Links()
    links.feed(page)

    for heading in ("Standings", "Against each other", "What a seat is worth", "Failures", "Time", "Matches to watch"):
        assert f"<h2>{heading}</h2>" in page
    assert "script" not in links.tags and "b" not in links.tags, "names are escaped"
    assert all((folder / link).is_file() for link in links.found)
    assert sum(link.startswith("matches/") for link in links.found) == 5


def test_a_linked_match_is_the_viewer_itself(folder: Path) -> None:
    film = next((folder / "matches").glob("*.html")).read_text("utf-8")
    assert "msPerFrame" in film
    assert re.search(r'(?:src|href)="?https?:', film) is None


def test_standings_beside_it_are_those_of_show(played: Path, folder: Path, tmp_path: Path) -> None:
    shown = turntile_run(tmp_path, "contest", "show", played, "--json")
    assert json.loads(shown.out) == json.loads((folder / "standings.json").read_text())
    rows = list(csv.DictReader((folder / "standings.csv").open()))
    assert rows[0]["name"] == "greedy"
    assert len(list(csv.DictReader((folder / "matches.csv").open()))) == 12


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    with_formula = contest(bot=[{"seat": "random", "name": "=1+1"}, {"seat": "random"}])
    course = Course(with_formula)
    planned = course.next()
    assert planned is not None
    assert "'=1+1" in matches_csv(with_formula.names, [by_strength(planned)])


def test_films_show_failures_first_and_every_pairing(played: Path) -> None:
    with Results.open(played) as results:
        matches = list(results.matches())
    chosen = choose_films(matches, 3)
    assert {tuple(sorted(match.bots)) for match in chosen} == {(0, 1), (0, 2), (1, 2)}


def test_a_contest_without_matches_can_be_reported(tmp_path: Path) -> None:
    with Results.create(tmp_path / "empty.contest", contest()) as results:
        standings, films = write_report(results, tmp_path / "out", films=5)
    assert (standings.matches, films) == (0, 0)
    assert "No match has been played" in (tmp_path / "out/report.html").read_text()


def test_each_seat_is_worth_what_it_won(played: Path) -> None:
    with Results.open(played) as results:
        course = follow(results)
        first = [match.places for match in results.matches()]
    seat0 = sum(1.0 if places[0] < places[1] else 0.5 if places[0] == places[1] else 0 for places in first) / len(first)
    told = standings_of(course).seat_share[2]
    assert told[0] == pytest.approx(seat0, abs=1e-3)
    assert sum(told) == pytest.approx(1)


def test_a_match_can_be_taken_out_and_proved(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "m.jsonl.zst"
    assert turntile_run(tmp_path, "contest", "replay", played, 3, "-o", out).code == 0
    assert turntile_run(tmp_path, "replay", "verify", out).code == 0
    refused = turntile_run(tmp_path, "contest", "replay", played, 3, "-o", out)
    assert refused.code == 2 and "is there already" in refused.err
    assert "has no match 99: 12 are stored" in turntile_run(tmp_path, "contest", "replay", played, 99, "-o", "x").err
