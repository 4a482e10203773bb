"""`turntile serve` as people and service managers use it: real processes, real ports."""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import Ended, Here, OnTerminal, command, environment, turntile_run
from tests.house.test_run import obey_permissions
from tests.server.running import PATIENCE_S, ServerProcess
from tests.server.sockets import Talker
from turntile.cli.serve import open_already


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One for all tests that only ask it something."""
    with ServerProcess(tmp_path_factory.mktemp("server"), "--page", tmp_path_factory.mktemp("no page")) as running:
        yield running


@pytest.fixture
def at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Here]:
    """The command in this process, which is quicker and does for what is refused. Logging is as before afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield Here(tmp_path, monkeypatch, capfd)
    root.handlers[:] = handlers
    root.setLevel(level)


def refused(ended: Ended) -> str:
    """The one line."""
    assert ended.code == 2, ended
    assert ended.out == ""
    assert re.fullmatch(r"turntile: [^\n]+\n", ended.err), ended.err
    return ended.err


# ------------------------------------------------------------------- starting


def test_programs_are_told_address_process_and_database(server: ServerProcess) -> None:
    assert server.told == {
        "url": f"http://127.0.0.1:{server.port}",
        "pid": server.process.pid,
        "db": str(server.home / "arena.db"),
    }
    assert server.client().get("/healthz").json()["status"] == "alive"


def test_people_are_told_one_line(tmp_path: Path) -> None:
    screen = OnTerminal(tmp_path, "serve", "--port", 0, "--db", tmp_path / "arena.db", CI="1")
    screen.wait_for("the arena is open at http://127.0.0.1:")
    screen.wait_for("(Ctrl-C ends it)\n")
    os.killpg(screen.process.pid, signal.SIGINT)
    assert screen.end() == 0


def test_without_a_word_the_arena_opens_on_a_free_port_and_says_so(tmp_path: Path) -> None:
    """Port 8000 is in use: by us, or by somebody else on this machine."""
    with socket.socket() as in_the_way:
        in_the_way.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            in_the_way.bind(("127.0.0.1", 8000))
            in_the_way.listen()
        except OSError:
            pass
        process = subprocess.Popen(
            command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(tmp_path), text=True
        )
        assert process.stdout is not None
        told = process.stdout.readline()
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert re.fullmatch(
        r"the arena is open at http://127\.0\.0\.1:\d+ \(Ctrl-C ends it; port 8000 is in use\)\n", told
    ), told
    assert process.returncode == 0
    assert (tmp_path / "data/turntile/arena.db").exists(), "kept in the user's data folder"


def test_without_a_word_a_second_time_the_open_arena_is_shown(tmp_path: Path) -> None:
    first = subprocess.Popen(command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(tmp_path))
    assert first.stdout is not None
    told = first.stdout.readline().decode()
    url = re.search(r"http://[\d.:]+", told)
    assert url is not None, told
    again = turntile_run(tmp_path)
    assert (again.code, again.out, again.err) == (0, f"the arena is open already at {url[0]}\n", "")
    first.terminate()
    first.communicate(timeout=PATIENCE_S)
    assert first.returncode == 0


@pytest.mark.parametrize("note", ["http://127.0.0.1:9", "not an address", "\x00"])
def test_a_note_of_an_arena_that_is_gone_is_not_believed(tmp_path: Path, note: str) -> None:
    (tmp_path / "address").write_text(note)
    assert open_already(tmp_path) == ""
    assert open_already(tmp_path / "nowhere") == ""


def test_a_port_in_use_is_told_and_no_other_is_taken(tmp_path: Path, server: ServerProcess) -> None:
    ended = turntile_run(tmp_path, "serve", "--port", server.port, "--db", tmp_path / "arena.db")
    assert f"port {server.port} of 127.0.0.1 is in use: say --port {server.port + 1}" in refused(ended)
    assert not (tmp_path / "arena.db").exists(), "nothing is made for a server that does not start"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--host", "no.such.host.invalid"), "'no.such.host.invalid' is no address: say 127.0.0.1"),
        (("--host", "192.0.2.1"), "192.0.2.1 is no address of this machine"),
        (("--port", "70000"), "Invalid value for '--port'"),
        (("--db", "mysql://here/arena"), "mysql:// is no database Turntile can use: say sqlite:///"),
        (("--db", "arena"), "'arena' names no database"),
        (("--db", "sqlite:///no/such/folder/arena.db"), "no/such/folder"),
        (("--db", "postgresql://nobody@127.0.0.1:9/arena"), "cannot be reached"),
        (("--origin", "arena.example"), "'arena.example' is no origin: write it like https://"),
        (("--public-url", "https://arena.example/sub/folder"), "is no origin"),
        (("--trusted-proxy", "proxy.local"), "trusted proxies are addresses such as 127.0.0.1"),
        (("--log-level", "loud"), "there is no log level 'loud'"),
        (("--watch-delay", "-1"), "Invalid value for '--watch-delay'"),
        (("--watch-delay", "nan"), "nan is no delay: say how many seconds"),
        (("--watch-delay-steps", "-1"), "Invalid value for '--watch-delay-steps'"),
        (("--limits", "0"), "Invalid value for '--limits'"),
        (("--limits", "nan"), "nan is no factor for limits: say 3 for three times as many"),
        (("--limits", "many"), "Invalid value for '--limits'"),
        (("--tables-per-player", "0"), "Invalid value for '--tables-per-player'"),
        (("--most-tables", "-5"), "Invalid value for '--most-tables'"),
        (("--upload-processes", "0"), "Invalid value for '--upload-processes'"),
        (("--contest-mb", "0"), "Invalid value for '--contest-mb'"),
        (("--data", "/dev/null/x"), "the folder /dev/null/x cannot be made: Not a directory"),
        (("--frob",), "No such option: --frob"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    tmp_path: Path, at_once: Here, words: tuple[str, ...], sentence: str
) -> None:
    usual = () if "--db" in words else ("--db", tmp_path / "arena.db")
    assert sentence in refused(at_once("serve", "--port", 0, *usual, *words))


def test_an_organiser_chooses_limits(tmp_path: Path) -> None:
    """All that is counted a minute three times as often, one table each, two in all."""
    words = ("--limits", "3", "--tables-per-player", "1", "--most-tables", "2", "--watch-delay", "5")
    with ServerProcess(tmp_path / "server", *words, "--watch-delay-steps", "3") as running:
        client = running.client()
        told = client.get("/api/v1/games")
        assert "q=1800" in told.headers["RateLimit-Policy"], "600 reads a minute by default"
        wish = {"game": "roborace", "seats": [{"kind": "me"}, {"kind": "open"}]}
        match = client.post("/api/v1/matches", json=wish).json()["id"]
        assert "has 1 tables already" in client.post("/api/v1/matches", json=wish).json()["detail"]
        assert running.client().post("/api/v1/matches", json=wish).status_code == 201
        assert "too many tables" in running.client().post("/api/v1/matches", json=wish).json()["detail"]
        with Talker(running.url, match) as watcher:
            welcome = watcher.hear_a("welcome")
        assert (welcome["delay_s"], welcome["delay_steps"]) == (5.0, 3)


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path, at_once: Here) -> None:
    file = tmp_path / "letters.db"
    file.write_text("Dear Ada, " * 500)
    assert str(file) in refused(at_once("serve", "--port", 0, "--db", file))
    assert file.read_text() == "Dear Ada, " * 500


def test_a_database_of_another_program_is_refused(tmp_path: Path, at_once: Here) -> None:
    file = tmp_path / "recipes.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    assert "holds tables of another program (recipes)" in refused(at_once("serve", "--port", 0, "--db", file))


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    done = subprocess.run(
        command("serve", "--port", 0, "--db", closed / "arena.db", "--data", tmp_path / "data"),
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        preexec_fn=obey_permissions,
        timeout=PATIENCE_S,
    )
    assert str(closed) in refused(Ended(done.returncode, done.stdout, done.stderr))


def test_a_second_server_on_the_same_file_is_refused(at_once: Here, server: ServerProcess) -> None:
    """Two owners of one match would each play it on."""
    ended = at_once("serve", "--port", 0, "--db", server.home / "arena.db")
    assert "arena.db" in refused(ended)


WITHOUT = """
import sys
for name in {missing!r}:
    sys.modules[name] = None
sys.argv = ["turntile", *{words!r}]
from turntile.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("missing", "words", "sentence"),
    [
        (("uvicorn", "fastapi"), ("serve",), "(fastapi, uvicorn): pip install 'turntile[server]'"),
        (("uvicorn",), (), "turntile menu plays in the terminal without them"),
        (("sqlalchemy",), ("server", "check"), "pip install 'turntile[server]'"),
        (("asyncpg",), ("serve", "--db", "postgresql://arena@127.0.0.1/arena"), "pip install 'turntile[postgres]'"),
    ],
)
def test_packages_that_are_missing_are_named(
    tmp_path: Path, missing: tuple[str, ...], words: tuple[str, ...], sentence: str
) -> None:
    program = WITHOUT.format(missing=missing, words=words)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment(tmp_path), timeout=PATIENCE_S
    )
    assert sentence in refused(Ended(done.returncode, done.stdout, done.stderr))


# ------------------------------------------------------------------- the page and the browser


def test_a_page_that_is_not_built_is_told_in_the_log_and_in_the_browser(server: ServerProcess) -> None:
    assert "the page for browsers is not built: python3 run.py builds it" in server.logged()
    shown = server.client().get("/")
    assert (shown.status_code, "python3 run.py" in shown.text) == (503, True)
    assert server.client().get("/api/v1/games").status_code == 200, "programs can play"


def test_the_browser_is_opened_where_one_is_asked_for(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\necho $1 > {seen}.part && mv {seen}.part {seen}\n")
    browser.chmod(0o755)
    with ServerProcess(tmp_path / "home", "--open", BROWSER=str(browser)) as running:
        assert wait_for(seen.exists)
        assert seen.read_text().strip() == running.url


def test_nothing_is_opened_in_a_pipe_over_ssh_or_without_a_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from turntile.cli.serve import somebody_watches

    for name in ("CI", "SSH_CONNECTION", "SSH_TTY", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert not somebody_watches()
    monkeypatch.setenv("DISPLAY", ":0")
    assert somebody_watches()
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 22")
    assert not somebody_watches()
    monkeypatch.delenv("SSH_CONNECTION")
    monkeypatch.setattr("sys.stdout.isatty", lambda: False, raising=False)
    assert not somebody_watches()


# ------------------------------------------------------------------- ending


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_code_0(tmp_path: Path, number: signal.Signals) -> None:
    with ServerProcess(tmp_path) as running:
        assert running.end(number) == 0
        assert "Traceback" not in running.logged()
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", running.port), timeout=5)


def test_half_a_request_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as running:
        half = socket.create_connection(("127.0.0.1", running.port))
        half.sendall(b"POST /api/v1/sessions HTTP/1.1\r\nHost: arena\r\nContent-Length: 100\r\n\r\n{")
        assert running.client().get("/healthz").status_code == 200
        assert running.end() == 0
        assert "Traceback" not in running.logged()
        half.close()


def test_a_service_manager_is_told_when_it_is_ready_and_when_it_stops(tmp_path: Path) -> None:
    """As systemd's Type=notify expects."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE_S)
        with ServerProcess(tmp_path / "home", NOTIFY_SOCKET=str(tmp_path / "notify")) as running:
            assert manager.recv(100) == b"READY=1"
            assert running.end() == 0
            assert manager.recv(100) == b"STOPPING=1"


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """While the first still waits for a client that has asked for much and reads nothing."""
    ask = b"GET /openapi.json HTTP/1.1\r\nHost: arena\r\n\r\n"
    with ServerProcess(tmp_path) as running, socket.create_connection(("127.0.0.1", running.port)) as greedy:
        greedy.sendall(ask * 300)
        assert greedy.recv(12) == b"HTTP/1.1 200"
        assert running.client().get("/healthz").status_code == 200
        running.process.send_signal(signal.SIGINT)
        assert wait_for(lambda: not listens(running.port))
        assert running.end(signal.SIGINT) == 128 + signal.SIGINT


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(happened: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if happened():
            return True
        time.sleep(0.02)
    return False
