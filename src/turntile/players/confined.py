"""A program started in the sandbox: its files are where they were, its folder is the one its own file lies in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from turntile.players.processes import Program
from turntile.players.sandbox import choose, verdict

SYSTEM = (Path("/usr"), Path("/bin"), Path("/opt"))


def run_confined(command: Sequence[str], way: str) -> Program:
    """Start it locked in. Raises SandboxRefused where no sandbox of this kind holds."""
    sandbox = choose(way)
    return Program(sandbox.wrap(with_paths(command), folder=home_of(command)), sandbox.environment())


def with_paths(command: Sequence[str]) -> list[str]:
    """Files by their whole path; a program's bare name stays, for the sandbox has a PATH of its own."""
    absolute = [str(Path(word).absolute()) if word and Path(word).exists() else word for word in command]
    return [command[0] if is_bare(command[0]) else absolute[0], *absolute[1:]]


def is_bare(word: str) -> bool:
    return os.sep not in word


def home_of(command: Sequence[str]) -> Path:
    """The folder a bot may read: that of the first file of its own in the command, else where we are."""
    for number, word in enumerate(command):
        path = Path(word).absolute()
        if (number == 0 and is_bare(word)) or not path.is_file():
            continue
        if number == 0 and (path.parent.parent / "pyvenv.cfg").exists():
            continue  # the Python of a virtual environment is no bot
        if not any(path.is_relative_to(place) for place in SYSTEM):
            return path.parent
    return Path.cwd()


def name_of_ending(code: int, log: Sequence[str]) -> str:
    """What stopped a confined program, in a word: memory, cpu, forbidden ..."""
    return verdict(code, "\n".join(log))
