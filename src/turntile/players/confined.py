"""A program started in the sandbox: its files are where they were, its folder is the one its own file lies in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turntile.players.processes import Program, find_program
from turntile.players.sandbox import choose, verdict

SYSTEM = (Path("/usr"), Path("/bin"), Path("/opt"))


def run_confined(command: Sequence[str], way: str) -> Program:
    """Start it locked in. Raises SandboxRefused where no sandbox of this kind holds."""
    sandbox = choose(way)
    absolute = [str(path.absolute()) if (path := Path(word)).exists() and word else word for word in command]
    found = find_program(absolute[0])
    absolute[0] = found if found is not None else absolute[0]
    return Program(sandbox.wrap(absolute, folder=home_of(absolute)), sandbox.environment())


def home_of(command: Sequence[str]) -> Path:
    """The folder a bot may read: that of the first file of its own in the command, else where we are."""
    for word in command:
        path = Path(word)
        if path.is_file() and not any(path.is_relative_to(place) for place in SYSTEM):
            if path == Path(command[0]) and (path.parent.parent / "pyvenv.cfg").exists():
                continue  # the Python of a virtual environment is no bot
            return path.parent
    return Path.cwd()


def name_of_ending(code: int, log: Sequence[str]) -> str:
    """What stopped a confined program, in a word: memory, cpu, forbidden ..."""
    return verdict(code, "\n".join(log))
