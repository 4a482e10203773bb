"""Programs for tests, good and bad: each a few lines of Python, run as a process of its own."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

from turntile.players.process import OWN, Launch, ProcessGuest
from turntile.players.processes import stat_of
from turntile.players.seats import Player

# What every program begins with; `turn` is where they differ.
FRAME = """
import json, os, signal, subprocess, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def read():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "quit"}

def move(message, action="straight"):
    say(type="move", seq=message["seq"], action=action)

turns = 0
def serve(turn):
    global turns
    while True:
        message = read()
        if message["type"] in ("hello", "newgame"):
            say(type="ready")
        elif message["type"] == "turn":
            turns += 1
            turn(message)
        elif message["type"] == "quit":
            return
"""


def write_bot(folder: Path, turn: str, name: str = "bot.py") -> list[str]:
    """A program whose answer to a turn is this piece of code, as a command."""
    body = textwrap.indent(textwrap.dedent(turn).strip(), "    ")
    return write_program(folder, f"{FRAME}\ndef turn(message):\n{body}\n\nserve(turn)\n", name)


def write_program(folder: Path, text: str, name: str = "bot.py") -> list[str]:
    path = folder / name
    path.write_text(text)
    return [sys.executable, "-S", str(path)]


def seat_bot(folder: Path, turn: str, launch: Launch = OWN, name: str = "bot.py") -> Player:
    return Player("bot", ProcessGuest(write_bot(folder, turn, name), launch=launch))


def children() -> list[int]:
    """The living and dead children of this process: after every ending there must be none."""
    own = str(os.getpid())
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if (fields := stat_of(pid)) and fields[1] == own]
