"""The starter bots of examples/bots: each plays a match of every game, without one failure."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.players.test_host import Diary
from turntile.core.registry import find, our_names
from turntile.match import Match
from turntile.players.host import Host
from turntile.players.seats import Player, default_opponent, fill_seats

BOTS = Path(__file__).parents[2] / "examples" / "bots"
NEEDED = {"node": "Node.js (Debian: nodejs)", "java": "Java 17 (Debian: openjdk-17-jdk)", "g++": "g++ (Debian: g++)"}


def need(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.fail(f"this test needs {NEEDED[program]}: install it, the starter bots are part of what is promised")
    return found


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("starter") / "random_bot"
    source = BOTS / "random_bot.cpp"
    subprocess.run([need("g++"), "-O1", "-Wall", "-Werror", "-std=c++17", "-o", program, source], check=True)
    return program


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    subprocess.run([need("javac"), "-Werror", "-d", folder, BOTS / "RandomBot.java"], check=True)
    return folder


NEEDED["javac"] = NEEDED["java"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    command = [sys.executable, str(BOTS / "webhook_bot.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        yield running.stdout.readline().split()[-1]
        running.terminate()


def play_every_game(seat: str) -> None:
    for name in our_names():
        game = find(name)
        options = game.options(players=2) if "players" in game.options.__struct_fields__ else None
        match = Match.start(game, options, 5)
        bot, opponent = fill_seats(game, [seat, default_opponent(game)], len(match.seats))[:2]
        diary = Diary()
        try:
            Host(match, [bot, opponent], witnesses=(diary,)).play()
        finally:
            bot.close()
        assert match.over
        assert not diary.resignations
        answers = [step.played[0] for step in diary.steps if 0 in step.played]
        assert answers
        assert not [did.note for did in answers if did.silent]


def test_the_python_starter_plays_every_game() -> None:
    play_every_game(f"cmd:{sys.executable} {BOTS / 'random_bot.py'}")


def test_the_javascript_starter_plays_every_game() -> None:
    play_every_game(f"cmd:{need('node')} {BOTS / 'random_bot.mjs'}")


def test_the_java_starter_plays_every_game(classes: Path) -> None:
    play_every_game(f"cmd:{need('java')} -Xshare:auto -XX:TieredStopAtLevel=1 -cp {classes} RandomBot")


def test_the_cpp_starter_plays_every_game(compiled: Path) -> None:
    play_every_game(f"cmd:{compiled}")


def test_the_shell_starter_plays_every_game() -> None:
    play_every_game(f"plain:bash {BOTS / 'random_bot.sh'}")


def test_the_function_starter_plays_every_game() -> None:
    play_every_game(str(BOTS / "function_bot.py"))


def test_the_webhook_starter_plays_every_game(server: str) -> None:
    play_every_game(server)


def test_all_kinds_of_seats_sit_at_one_table(server: str, compiled: Path) -> None:
    game = find("tron")
    match = Match.start(game, game.options(players=4), 5)
    seats = [f"cmd:{compiled}", str(BOTS / "function_bot.py"), server, f"plain:bash {BOTS / 'random_bot.sh'}"]
    players: list[Player] = fill_seats(game, seats, 4)
    diary = Diary()
    try:
        Host(match, players, witnesses=(diary,)).play()
    finally:
        for player in players:
            player.close()
    assert not diary.resignations
    assert not [did.note for step in diary.steps for did in step.played.values() if did.silent]
