"""A function in a Python file as a bot: from an observation to an action's text.

    def bot(observation):
        return observation.legal[0]

Kaggle's spelling `agent(observation, configuration)` does as well, and a function whose parameter
is called `turn` gets what our own bots get (core.bots.Turn). The function runs in this process.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from turntile.core.bots import Bot, Turn
from turntile.core.errors import TurntileError
from turntile.core.game import Game
from turntile.match.match import SeatTurn

USUAL_NAMES = ("bot", "agent", "act")


class InvalidBot(TurntileError):
    """A Python file that cannot be a bot."""


class Observation(dict[str, Any]):
    """Plain data, by key or by attribute: `observation["legal"]`, `observation.legal`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"an observation has no {name!r}: it has {', '.join(self)}") from None


def function_bot(game: Game, text: str) -> Bot:
    """The bot `file.py` or `file.py:function` names. Raises InvalidBot."""
    path_text, _, name = text.partition(".py:")
    path = Path(path_text if path_text.endswith(".py") else path_text + ".py")
    function = choose_function(load(path), name, path)
    return adapt(game, function, text)


def load(path: Path) -> ModuleType:
    if not path.is_file():
        raise InvalidBot(f"there is no file {path}: a seat may be a Python file, cmd:COMMAND or a bot's name")
    name = "turntile_bot_" + "".join(char if char.isalnum() else "_" for char in str(path.resolve()))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look a module up by its name
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # for what lies beside the bot
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise InvalidBot(f"{path}, line {error.lineno}: {error.msg}") from None
    except Exception as error:  # the file is somebody else's: whatever goes wrong in it is told in a line
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        raise InvalidBot(f"{path}, line {line}: {type(error).__name__}: {error}") from None
    return module


def choose_function(module: ModuleType, name: str, path: Path) -> Callable[..., Any]:
    """The function that was named, one of a usual name, or the file's last, as Kaggle does."""
    own = {
        key: value
        for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }
    if name:
        found = getattr(module, name, None)
        if not callable(found):
            raise InvalidBot(f"{path} has no function {name!r}: it has {', '.join(own) or 'none'}")
        return found  # type: ignore[no-any-return]
    usual = [own[key] for key in USUAL_NAMES if key in own]
    public = [value for key, value in own.items() if not key.startswith("_")]
    if not usual and not public:
        raise InvalidBot(f"{path} has no function: write def bot(observation) that returns an action's text")
    return usual[0] if usual else public[-1]


def adapt(game: Game, function: Callable[..., Any], text: str) -> Bot:
    """The function as a bot, whichever of the spellings it has."""
    try:
        parameters = [
            parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        ]
    except (TypeError, ValueError):
        parameters = []
    names = [parameter.name for parameter in parameters]
    if names == ["turn"]:
        return function
    if len(parameters) > 2:
        raise InvalidBot(f"{text}: a bot takes an observation, or an observation and a configuration, not {names}")

    def act(turn: Turn) -> str:
        observation = observe(turn)
        if len(parameters) == 2:
            answer = function(observation, configuration_of(game, turn))
        else:
            answer = function(observation)
        return answer  # type: ignore[no-any-return]

    return act


def observe(turn: Turn) -> Observation:
    step = turn.step if isinstance(turn, SeatTurn) else 0
    return Observation(
        seat=turn.seat,
        step=step,
        view=msgspec.to_builtins(turn.view),
        legal=turn.legal,
        memory=turn.memory,
        random=turn.random,
    )


def configuration_of(game: Game, turn: Turn) -> Observation:
    options = turn.options if isinstance(turn, SeatTurn) else None
    return Observation(msgspec.to_builtins(options) if options is not None else {}, game=game.name)
