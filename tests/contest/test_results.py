"""The results file: durable, checked, never overwritten, for one runner at a time."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.contest.tables import Here, contest, play_to_end
from turntile.contest.course import OtherResults
from turntile.contest.results import InvalidResults, Results
from turntile.contest.run import follow, play_on
from turntile.contest.standings import comparable, standings_of
from turntile.core.registry import find
from turntile.match.replay import read_replay, verify

PLAN = contest(bots=3, rounds=2)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("contest") / "a.contest"
    play_to_end(path, PLAN)
    return path


def test_results_read_back_give_the_same_standings(played: Path, tmp_path: Path) -> None:
    with Results.open(played) as results:
        stored = standings_of(follow(results))
        assert results.contest == PLAN
    with Results.create(tmp_path / "b.contest", PLAN) as results:
        course, _ = play_on(results, Here(PLAN))
    assert comparable(stored) == comparable(standings_of(course))
    assert stored.ended


def test_every_match_has_its_replay_that_proves_itself(played: Path) -> None:
    with Results.open(played) as results:
        for match in results.matches():
            replay = read_replay(results.replay(match.number))
            outcome = verify(replay, find("tron")).outcome
            assert outcome is not None
            assert (outcome.places, outcome.scores) == (match.places, match.scores)
            assert [seat.name for seat in replay.header.seats] == [PLAN.names[bot] for bot in match.bots]


def test_a_file_that_is_there_is_not_touched(played: Path, tmp_path: Path) -> None:
    before = played.read_bytes()
    with pytest.raises(InvalidResults, match=r"resume .*a\.contest` goes on with it"):
        Results.create(played, PLAN)
    with pytest.raises(InvalidResults, match="holds another contest; choose another file with --results"):
        Results.create(played, contest(bots=2))
    note = tmp_path / "note.txt"
    note.write_text("mine")
    with pytest.raises(InvalidResults, match="holds something else"):
        Results.create(note, PLAN)
    assert played.read_bytes() == before
    assert note.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


@pytest.mark.parametrize("part", [0, 0.1, 0.3, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_refused_and_left_as_it_is(played: Path, tmp_path: Path, part: float) -> None:
    whole = played.read_bytes()
    cut = tmp_path / "cut.contest"
    cut.write_bytes(whole[: int(len(whole) * part)])
    before = cut.read_bytes()
    with pytest.raises(InvalidResults, match=r"is damaged: it was cut|holds no results of a contest: it is"):
        Results.open(cut)
    assert cut.read_bytes() == before


def test_a_database_of_somebody_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE stamps (id)")
    theirs.close()
    before = path.read_bytes()
    with pytest.raises(InvalidResults, match="is a database, but holds no results"):
        Results.open(path)
    assert path.read_bytes() == before


def test_matches_of_another_plan_are_refused(played: Path, tmp_path: Path) -> None:
    """Say somebody mixed two files with a tool of SQLite's."""
    with Results.open(played) as results:
        [first, *_] = results.matches()
    with Results.create(tmp_path / "other.contest", contest(bots=3, rounds=2, seed=8)) as other:
        other.add([first])
        with pytest.raises(OtherResults, match="match 1 was stored with other players or another seed"):
            follow(other)


def test_only_one_process_plays_a_contest(played: Path) -> None:
    with Results.open(played) as first, Results.open(played) as second:
        first.take()
        with pytest.raises(InvalidResults, match="is being played by another process"):
            second.take()
    with Results.open(played) as third:
        third.take()


def test_a_match_counts_once(played: Path) -> None:
    with Results.open(played) as results:
        before = results.stored()
        results.add(list(results.matches()))
        assert results.stored() == before


def test_what_was_finished_out_of_order_is_not_played_again(tmp_path: Path) -> None:
    plan = contest(bots=3, rounds=2)
    with Results.create(tmp_path / "gaps.contest", plan) as results:
        course = follow(results)
        planned = [one for _ in range(8) if (one := course.next()) is not None]
        table = Here(plan).table
        results.add([table.play(planned[at]) for at in (1, 4, 7)])
        again = follow(results)
        crew = Here(plan)
        course, _ = play_on(results, crew)

    assert again.counted == 0
    assert sorted(crew.seen) == [0, 2, 3, 5, 6, 8, 9, 10, 11]
    assert course.counted == 12
