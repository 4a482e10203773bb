"""What runs inside the sandbox around an uploaded file: `python -I runner.py bot.py`. Needs nothing but Python.

A file that reads its standard input speaks the line protocol itself and is simply run. Any other
file is a function bot, in the spellings of players/functions.py: `bot(observation)`,
`agent(observation, configuration)` or `act(turn)`; the protocol is spoken for it here. What it
prints goes to its log. The file is never even parsed outside the sandbox.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import random
import runpy
import sys
import types
from collections.abc import Callable
from typing import Any, TextIO

USUAL_NAMES = ("bot", "agent", "act")
CONFUSED = 3  # the exit code for a file that is no bot


class Observation(dict[str, Any]):
    """Plain data, by key or by attribute: `observation["legal"]`, `observation.legal`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"an observation has no {name!r}: it has {', '.join(self)}") from None


def main() -> None:
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        source = file.read()
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(path))
    if reads_input(ast.parse(source, path)):
        runpy.run_path(path, run_name="__main__")
    else:
        messages = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # from here on what the bot prints is its log
        serve(choose_function(load(path, source)), messages)


def reads_input(tree: ast.Module) -> bool:
    """Whether the text mentions its standard input anywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "stdin":
            return True
        if isinstance(node, ast.Name) and node.id in ("stdin", "input"):
            return True
        if isinstance(node, ast.alias) and node.name in ("stdin", "fileinput"):
            return True
    return False


def load(path: str, source: str) -> types.ModuleType:
    module = types.ModuleType("uploaded_bot")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses and pickle look a module up by its name
    exec(compile(source, path, "exec"), module.__dict__)
    return module


def choose_function(module: types.ModuleType) -> Callable[..., Any]:
    """One of a usual name, or the file's last."""
    own = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }
    usual = [own[name] for name in USUAL_NAMES if name in own]
    public = [value for name, value in own.items() if not name.startswith("_")]
    if not usual and not public:
        print("there is no function: write def bot(observation) that returns an action's text", file=sys.stderr)
        sys.exit(CONFUSED)
    return usual[0] if usual else public[-1]


def serve(function: Callable[..., Any], messages: TextIO) -> None:
    """The line protocol, spoken for a function."""

    def say(**message: Any) -> None:
        messages.write(json.dumps(message) + "\n")
        messages.flush()

    match: dict[str, Any] = {}
    chance = random.Random()
    memory: dict[str, Any] = {}
    for line in sys.stdin.buffer:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say(type="ready")
        elif kind == "newgame":
            match, chance, memory = message, random.Random(message["seed"]), {}
            say(type="ready")
        elif kind == "turn":
            observation = Observation(
                seat=match["seat"],
                step=message["step"],
                view=message["view"],
                legal=message["legal"],
                legal_count=message["legal_count"],
                heard=message.get("heard", []),
                refused=message.get("refused", ""),
                options=match.get("options"),
                memory=memory,
                random=chance,
            )
            answer = ask(function, observation, match)
            if not isinstance(answer, str):
                raise TypeError(f"a bot answers with an action's text, not with {type(answer).__name__}")
            say(type="move", seq=message["seq"], action=answer)
        elif kind == "quit":
            return


def ask(function: Callable[..., Any], observation: Observation, match: dict[str, Any]) -> Any:
    parameters = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    if len(parameters) == 2:
        return function(observation, Observation(match.get("options") or {}, game=match["game"]))
    return function(observation)


if __name__ == "__main__":
    main()
