"""Uploaded files in the real sandbox, asked by the referee: functions, programs, broken and hostile ones."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path
from typing import Any

import pytest

from turntile.core.registry import find
from turntile.match.clock import read_control
from turntile.match.match import Match
from turntile.match.options import choose_options
from turntile.match.remarks import Failure
from turntile.players.host import Host
from turntile.players.seats import Player, seat_player
from turntile.server.bots.uploads import FILE, UploadedBot

TRON = find("tron")


def folder_with(path: Path, text: str) -> Path:
    path.chmod(0o755)
    (path / FILE).write_text(textwrap.dedent(text))
    (path / FILE).chmod(0o644)
    return path


def play(path: Path, text: str, clock: str = "30s") -> tuple[Match, UploadedBot, list[Failure]]:
    """A match of Tron of an uploaded file against a bot that wins unless it is beaten."""
    bot = UploadedBot(folder_with(path, text), "uploaded")
    match = Match.start(TRON, choose_options(TRON, {"size": 11, "players": 2}), 5)
    failures: list[Failure] = []

    class Diary:
        def stepped(self, match: Match, step: Any) -> None:
            did = step.played.get(0)
            if did is not None and did.failure is not None:
                failures.append(did.failure)

        def resigned(self, match: Match, seat: int, why: str) -> None:
            failure = match.seats[seat].failure
            if failure is not None:
                failures.append(failure)

    try:
        Host(match, [Player("b", bot), seat_player(TRON, "greedy")], read_control(clock), (Diary(),)).play()
    finally:
        bot.close()
    return match, bot, failures


@pytest.mark.parametrize(
    "text",
    [
        "def bot(observation):\n    return observation.random.choice(observation.legal)\n",
        "def agent(observation, configuration):\n    assert configuration.size == 11\n"
        "    return observation['legal'][0]\n",
        "def act(turn):\n    turn.memory['n'] = turn.memory.get('n', 0) + 1\n"
        "    assert turn.memory['n'] == turn.step, turn\n    return turn.legal[0]\n",
        "def helper(x):\n    return x\ndef whatever(o):\n    print('thinking')\n    return helper(o.legal[0])\n",
    ],
)
def test_a_function_needs_no_protocol(tmp_path: Path, text: str) -> None:
    match, _, failures = play(tmp_path, text)
    assert match.over and not failures


def test_a_program_speaks_the_protocol_itself(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "examples" / "bots" / "random_bot.py").read_text()
    match, bot, failures = play(tmp_path, text)
    assert match.over and not failures
    assert bot.identity is not None and bot.identity.name == "random in Python"


def test_what_a_function_prints_is_its_log(tmp_path: Path) -> None:
    text = """
    def bot(o):
        print("step", o.step)
        if o.step == 3:
            raise ValueError("enough")
        return o.legal[0]
    """
    _, _, failures = play(tmp_path, text)
    [failure] = failures
    assert failure.kind == "crash" and failure.stage == "turn 3"
    assert "step 3" in failure.stderr
    assert "ValueError: enough" in failure.stderr[-1]


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("def bot(o:\n    return 1\n", "crash", "SyntaxError"),
        ("import nothing_of_that_name\ndef bot(o):\n    return ''\n", "crash", "ModuleNotFoundError"),
        ("x = 1\n", "crash", "there is no function"),
        ("def bot(o):\n    return 7\n", "crash", "not with int"),
        ("import sys\nfor line in sys.stdin:\n    pass\n", "silence", ""),
        ("import sys\nprint('hello!')\nsys.stdin.read()\n", "protocol", ""),
    ],
)
def test_broken_files_fail_with_their_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, kind: str, says: str
) -> None:
    monkeypatch.setattr("turntile.server.bots.uploads.HELLO_S", 2.0)
    match, _, failures = play(tmp_path, text)
    assert match.over
    assert failures[0].kind == kind
    assert says in "\n".join(failures[0].stderr)


ATTACKS = {
    "network": """
        import socket
        socket.create_connection(("127.0.0.1", {port}), timeout=2)
        """,
    "files": """
        import pathlib
        print(pathlib.Path({secret!r}).read_text())
        """,
    "passwords": """
        print(open("/etc/shadow").read())
        """,
    "writing": """
        open({folder!r} + "/bot.py", "w").write("owned")
        """,
    "environment": """
        import os
        assert "TURNTILE_SECRET" in os.environ, sorted(os.environ)
        """,
    "processes": """
        import os
        os.kill({pid}, 0)
        """,
    "memory": """
        keep = [bytearray(64 << 20) for _ in range(64)]
        """,
    "forks": """
        import os, sys
        for number in range(200):
            if os.fork() == 0:
                import time
                time.sleep(30)
        """,
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_files_reach_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: str) -> None:
    """Each attack ends the file that makes it, and only that."""
    import socket

    monkeypatch.setenv("TURNTILE_SECRET", "secret")
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    place = tmp_path / "bot"
    place.mkdir()
    tmp_path.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = textwrap.dedent(ATTACKS[attack]).format(
            port=server.getsockname()[1], secret=str(secret), folder=str(place), pid=os.getpid()
        )
        text = "def bot(o):\n" + textwrap.indent(code.strip(), "    ") + "\n    return 'got through'\n"
        match, _, failures = play(place, text)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert match.over and failures[0].kind == "crash", failures
    told = json.dumps(failures[0].stderr)
    assert "got through" not in told and "the secret" not in told
    assert (place / FILE).read_text() == text


def test_an_endless_loop_costs_its_own_turns_only(tmp_path: Path) -> None:
    match, _, failures = play(tmp_path, "def bot(o):\n    while True:\n        pass\n", clock="300ms*1+50ms")
    assert match.over
    assert {failure.kind for failure in failures} == {"silence"}
