"""`turntile server ...` on databases that servers use: backups that bring an arena back, and what organisers do."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from tests.cli.terminal import Ended, Here, OnTerminal, turntile_run
from tests.databases import Postgres
from tests.server.running import PATIENCE_S, ServerProcess
from tests.server.test_shutdown import new_match

API = "/api/v1"
PASSWORD = "a long walk by the sea"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(tmp_path, monkeypatch, capfd)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an arena in which Ada has an account."""
    home = tmp_path_factory.mktemp("arena")
    with ServerProcess(home) as server:
        assert server.client().post(f"{API}/accounts", json={"name": "Ada", "password": PASSWORD}).status_code == 201
    return home / "arena.db"


def refused(ended: Ended) -> str:
    assert (ended.code, ended.out) == (2, ""), ended
    assert ended.err.count("\n") == 1, ended.err
    return ended.err


def test_a_backup_of_a_running_server_brings_the_arena_back(tmp_path: Path, here: Here, postgres: Postgres) -> None:
    """The drill: back up while somebody plays, restore into the other kind of database, log in and play on."""
    backup = tmp_path / "arena.backup"
    with ServerProcess(tmp_path / "old") as server:
        client = server.client()
        assert client.post(f"{API}/accounts", json={"name": "Ada", "password": PASSWORD}).status_code == 201
        player = new_match(client)
        with player.sit_down(server) as table:
            frame = player.play(table, 4)
            made = here("server", "backup", backup, "--db", tmp_path / "old/arena.db", "--json")
            assert made.code == 0, made
            player.play_on(table, 1, frame)  # the server did not stop for it
    summary = json.loads(made.out)
    assert (summary["rows"]["players"], summary["rows"]["matches"], summary["rows"]["journal"]) == (1, 1, 4)

    new = postgres.new_database()
    restored = here("server", "restore", backup, "--db", new, "--json")
    assert json.loads(restored.out)["rows"] == summary["rows"], restored
    checked = json.loads(here("server", "check", "--db", new, "--json").out)
    assert checked["going_on"] == {"open": 0, "playing": 1}
    assert checked["rows"]["journal"] == 4

    with ServerProcess(tmp_path / "new", db=new) as server:
        logged_in = server.client().post(f"{API}/sessions", json={"name": "Ada", "password": PASSWORD})
        assert logged_in.status_code < 300, logged_in.text
        with player.sit_down(server) as table:
            frame = player.hear_frame(table)
            assert sum(picture["next_seq"] - 1 for picture in frame["pictures"]) == 4, "as of the backup's moment"
        with player.sit_down(server) as table:
            player.play(table, 2)


def test_a_backup_replaces_nothing_and_is_restored_to_nothing_that_is_there(
    tmp_path: Path, here: Here, arena: Path
) -> None:
    backup = tmp_path / "arena.backup"
    assert "1 players" in here("server", "backup", backup, "--db", arena).out
    assert "exists already" in refused(here("server", "backup", backup, "--db", arena))
    assert "holds an arena already" in refused(here("server", "restore", backup, "--db", arena))
    damaged = tmp_path / "damaged.backup"
    damaged.write_bytes(backup.read_bytes()[:-20])
    assert "damaged backup" in refused(here("server", "restore", damaged, "--db", tmp_path / "new.db"))
    assert not (tmp_path / "new.db").exists()
    damaged.write_text("something else")
    assert "no backup of Turntile" in refused(here("server", "restore", damaged, "--db", tmp_path / "new.db"))
    assert "nowhere" in refused(here("server", "restore", tmp_path / "nowhere", "--db", tmp_path / "new.db"))


@pytest.mark.parametrize("words", [("backup", "x.backup"), ("check",), ("token", "--player", "Ada")])
def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, here: Here, words: tuple[str, ...]) -> None:
    assert "there is no database" in refused(here("server", *words, "--db", tmp_path / "typo.db"))
    assert not list(tmp_path.glob("typo*"))


def test_a_restore_must_be_told_where_to(here: Here) -> None:
    assert "Missing option '--db'" in refused(here("server", "restore", "x.backup"))


def test_progress_is_shown_on_a_terminal(tmp_path: Path, arena: Path) -> None:
    screen = OnTerminal(tmp_path, "server", "backup", tmp_path / "b", "--db", arena, TERM="xterm-256color")
    screen.wait_for("backing up")
    screen.wait_for("holds what was there at")
    assert screen.end() == 0


def test_a_look_inside(here: Here, arena: Path) -> None:
    told = here("server", "check", "--db", arena)
    assert told.code == 0, told
    assert "players                     1" in told.out
    assert "going on: 0 open tables, 0 matches" in told.out


def test_a_token_from_the_command_line_acts_for_its_player(tmp_path: Path, here: Here) -> None:
    with ServerProcess(tmp_path / "server") as server:
        db = tmp_path / "server/arena.db"
        made = json.loads(
            here("server", "token", "--player", "Club", "--scopes", "publish,play", "--new", "--db", db, "--json").out
        )
        assert (made["player"], made["scopes"]) == ("Club", ["play", "publish"])
        with httpx.Client(base_url=server.url, timeout=PATIENCE_S, trust_env=False) as program:
            program.headers["Authorization"] = f"Bearer {made['token']}"
            assert program.get(f"{API}/me").json()["player"]["name"] == "Club"
            assert here("server", "disable", "--player", "club", "--db", db).out == "the account of Club is closed\n"
            assert program.get(f"{API}/me").status_code == 401, "at once, while the server runs"
            assert here("server", "enable", "--player", "Club", "--db", db).out == "the account of Club is open\n"
            assert program.get(f"{API}/me").status_code == 200


def test_who_forgot_his_password_is_given_another(tmp_path: Path, here: Here) -> None:
    """While the server runs; whoever was logged in under that name is not any more."""
    with ServerProcess(tmp_path / "server") as server, server.client() as ann:
        db = tmp_path / "server/arena.db"
        before = {"name": "Ann", "password": "a long walk by the sea"}
        assert ann.post(f"{API}/accounts", json=before).status_code == 201
        drawn = here("server", "password", "--player", "ann", "--db", db).out.strip()
        assert ann.get(f"{API}/me").json()["player"] is None
        assert ann.post(f"{API}/sessions", json=before).status_code == 401
        assert ann.post(f"{API}/sessions", json={"name": "Ann", "password": drawn}).status_code == 201
        assert ann.post(f"{API}/bots", json={"name": "Far", "kind": "remote"}).status_code == 201
        told = here("server", "password", "--player", "Far", "--db", db)
        assert "Far is a bot and logs in with no password" in refused(told)
        again = json.loads(here("server", "password", "--player", "Ann", "--db", db, "--json").out)
        assert again["player"] == "Ann" and again["password"] != drawn


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("token", "--player", "Nobody"), "nobody is called 'Nobody' here: --new makes an account of that name"),
        (("token", "--player", "Ada", "--scopes", "fly"), "'fly' is no right of a token: say play, challenge"),
        (("token", "--player", "Ada", "--scopes", ""), "is no right of a token"),
        (("token", "--player", "admin", "--new"), "'admin' is kept for the arena itself"),
        (("disable", "--player", "Nobody"), "nobody is called 'Nobody' here"),
        (("password", "--player", "Nobody"), "nobody is called 'Nobody' here"),
        (("token",), "Missing option '--player'"),
        (("frob",), "No such command 'frob': see turntile server --help"),
    ],
)
def test_bad_words_are_refused_in_one_line(here: Here, arena: Path, words: tuple[str, ...], sentence: str) -> None:
    more = () if words[0] == "frob" else ("--db", arena)
    assert sentence in refused(here("server", *words, *more))


def test_the_usual_database_is_the_one_serve_uses(tmp_path: Path) -> None:
    told = turntile_run(tmp_path, "server", "check")
    assert f"there is no database {tmp_path / 'data/turntile/arena.db'}" in refused(told)
