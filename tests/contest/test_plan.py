"""Bad input for contests: one line with file, line and remedy; exit code 2; nothing is written or overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import Here, turntile_run
from turntile.contest.plan import EXAMPLE, line_of, read_plan

GOOD = """\
game = "tron"
rounds = 1
seed = 1

[options]
size = 9

[[bot]]
seat = "greedy"

[[bot]]
name = "other"
seat = "random"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    monkeypatch.chdir(tmp_path)
    return Here(tmp_path, monkeypatch, capfd)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("rounds = 1", "runds = 1", "my.toml, line 2: there is no key 'runds' here: did you mean rounds?"),
        ("size = 9", "sise = 9", "my.toml, line 6: tron has no option 'sise': did you mean size?"),
        ("size = 9", "size = 900", "my.toml, line 6: tron cannot be played with size=900: it must be a whole number"),
        ("size = 9", "players = 3", "my.toml, line 6: players is not an option of a contest: say seats = 3"),
        ('name = "other"', 'nane = "other"', "my.toml, line 12: there is no key 'nane' here: did you mean name?"),
        ('seat = "greedy"', 'seat = "gredy"', "my.toml, line 9: tron has no bot called 'gredy': did you mean greedy?"),
        ('seat = "greedy"', 'seat = "human"', "my.toml, line 9: a contest has no screen for people: name a bot"),
        ('seat = "greedy"', "", "my.toml, line 8: 'seat' is missing here: say seat = \"greedy\""),
        ('"other"', '"greedy"', "my.toml, line 12: two bots are called 'greedy' (line 8): give this one another name"),
        ("rounds = 1", "rounds = 0", "my.toml, line 2: rounds = 0 will not do: it must be a whole number from 1 to"),
        ("rounds = 1", 'rounds = "x"', "my.toml, line 2: rounds = 'x' will not do: it must be a whole number from 1"),
        ("rounds = 1", "rounds = ", "my.toml, line 2: invalid value: this is no TOML"),
        ("rounds = 1", 'format = "chess"', "my.toml, line 2: format = 'chess' will not do: it must be gauntlet, "),
        ("rounds = 1", "seats = 5", "my.toml, line 2: seats = 5 will not do: it must be a whole number from 2 to 4"),
        ("rounds = 1", "seats = 3", "my.toml, line 8: 2 bots cannot fill the 3 seats of a match: name more"),
        ("rounds = 1", 'clock = "soon"', "my.toml, line 2: 'soon' is no time control: say 100ms"),
        ("rounds = 1", 'champion = "x"', "my.toml, line 2: no bot is called 'x': there are greedy, other"),
        ('game = "tron"', 'game = "trom"', "my.toml, line 1: there is no game called 'trom': did you mean tron?"),
        ('game = "tron"', "", "'game' is missing here: say game = \"tron\""),
        ("[options]", "[stop]\nmatches = -1\n[options]", "line 6: matches = -1 will not do: it must be a whole number"),
        (
            "rounds = 1",
            'format = "sprt"\nsprt = {elo0 = 5, elo1 = 1}',
            "my.toml, line 3: elo1 = 1 must be more than elo0 = 5",
        ),
        ("rounds = 1", "sprt = {alpha = 0.7}", "alpha = 0.7 will not do: it must be a number between 0 and 0.5"),
    ],
)
def test_a_bad_plan_is_refused_with_its_line(here: Here, tmp_path: Path, old: str, new: str, sentence: str) -> None:
    plan = tmp_path / "my.toml"
    plan.write_text(GOOD.replace(old, new, 1))
    ended = here("contest", "run", "my.toml")

    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert sentence in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["my.toml"], "nothing is written"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run",), "a contest needs a plan: name a FILE.toml, or say --game GAME --bot ONE --bot OTHER"),
        (("run", "nowhere.toml"), "nowhere.toml cannot be read: No such file or directory"),
        (("run", "my.toml", "--rounds", "3"), "my.toml says what is played: leave --rounds out, or change it there"),
        (("run", "--game", "tron", "--bot", "gredy", "--bot", "random"), "--bot: tron has no bot called 'gredy'"),
        (("run", "--game", "tron", "--bot", "random", "--bot", "random"), "such as --bot second=random"),
        (("run", "--game", "tron", "--bot", "random"), "1 bots cannot fill the 2 seats of a match"),
        (("run", "--game", "tron", "--bot", "random", "--bot", "greedy", "--rounds", "0"), "--rounds: rounds = 0 will"),
        (("run", "my.toml", "--on", "ray://x"), "--on ray://x is no place to play: say local or dask://HOST:PORT"),
        (("resume", "nowhere.contest"), "nowhere.contest cannot be read: No such file or directory"),
        (("resume", "my.toml"), "my.contest cannot be read"),
        (("show", "my.toml"), "my.contest cannot be read"),
        (("report", "note.txt", "-o", "out"), "note.txt holds no results of a contest: `turntile contest run` makes"),
    ],
)
def test_bad_words_are_refused_in_one_line(here: Here, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    (tmp_path / "my.toml").write_text(GOOD)
    (tmp_path / "note.txt").write_text("mine, and longer than a header")
    ended = here("contest", *words)

    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert sentence in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my.toml", "note.txt"]


def test_results_of_another_contest_are_not_gone_on_with(here: Here, tmp_path: Path) -> None:
    plan = tmp_path / "my.toml"
    plan.write_text(GOOD)
    assert here("contest", "run", "my.toml").code == 0
    before = (tmp_path / "my.contest").read_bytes()
    plan.write_text(GOOD.replace("seed = 1", "seed = 2"))

    for words in (("run", "my.toml"), ("resume", "my.toml"), ("show", "my.toml")):
        ended = here("contest", *words)
        assert ended.code == 2
        assert "another contest" in ended.err and "--results" in ended.err and ended.err.count("\n") == 1
    assert (tmp_path / "my.contest").read_bytes() == before


def test_truncated_results_are_refused(here: Here, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(GOOD)
    assert here("contest", "run", "my.toml").code == 0
    path = tmp_path / "my.contest"
    cut = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(cut)
    for word in ("resume", "show"):
        ended = here("contest", word, "my.contest")
        assert ended.code == 2
        assert "my.contest is damaged: it was cut or altered; nothing was changed" in ended.err
    assert path.read_bytes() == cut


def test_the_example_can_be_played_as_it_stands(tmp_path: Path) -> None:
    written = turntile_run(tmp_path, "contest", "example")
    assert written.out == EXAMPLE
    plan = tmp_path / "my.toml"
    plan.write_text(written.out)
    contest, _ = read_plan(plan)
    assert contest.names == ("greedy", "anything")


def test_every_key_of_the_example_is_known(tmp_path: Path) -> None:
    """Also those that are commented out."""
    plan = tmp_path / "my.toml"
    uncommented = [
        line.removeprefix("# ") if "=" in line or line.startswith("# [") else line for line in EXAMPLE.splitlines()
    ]
    plan.write_text("\n".join(uncommented))
    contest, _ = read_plan(plan)
    assert contest.stop.interval == 25
    assert contest.sprt.elo1 == 10
    assert contest.drop_failing


def test_a_line_is_found_also_where_there_are_several_of_a_kind() -> None:
    assert line_of(GOOD, ("bot", 1, "seat")) == 13
    assert line_of(GOOD, ("bot", 0, "name")) == 8
    assert line_of(GOOD, ("options", "size")) == 6
    assert line_of(GOOD, ("nothing",)) == 1
