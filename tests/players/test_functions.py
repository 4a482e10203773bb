"""Functions in Python files as bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from turntile.core.registry import find
from turntile.match import Match
from turntile.players.functions import InvalidBot
from turntile.players.seats import seat_player

TRON = find("tron")


def answer(path: Path | str) -> str:
    match = Match.start(TRON, None, 3)
    bot = seat_player(TRON, str(path)).bot
    assert bot is not None
    return bot(match.turn(1))


def write(folder: Path, text: str) -> Path:
    path = folder / "mybot.py"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "def bot(observation):\n    return observation.legal[1]",
        "def bot(observation):\n    assert (observation['seat'], observation.step) == (1, 1)\n    return 'up'",
        "def agent(observation, configuration):\n    return 'up' if configuration.game == 'tron' else 'down'",
        "def agent(obs, config):\n    return 'up' if config['size'] == 21 else 'down'",
        "def first(observation):\n    return 'down'\n\ndef last(observation):\n    return 'up'",
        "def bot(turn):\n    return turn.spell(1) and 'up'",
        "import dataclasses as d\n@d.dataclass\nclass P:\n    way: str\n\ndef bot(o):\n    return P('up').way",
        "def bot(o):\n    return 'up' if o.view['board'] else 'down'\n\ndef other(x):\n    return 'down'",
    ],
)
def test_every_spelling_of_a_function_answers(tmp_path: Path, text: str) -> None:
    assert answer(write(tmp_path, text)) == "up"


def test_a_function_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "def bot(o):\n    return 'down'\n\ndef clever(o):\n    return 'up'")
    assert answer(f"{path}:clever") == "up"


def test_what_lies_beside_a_bot_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "beside_the_bot.py").write_text("WAY = 'up'")
    assert answer(write(tmp_path, "from beside_the_bot import WAY\ndef bot(o):\n    return WAY")) == "up"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def bot(:", "mybot.py, line 1: invalid syntax"),
        ("x = 1\ny = x / 0", "mybot.py, line 2: ZeroDivisionError: division by zero"),
        ("x = 1", "has no function: write def bot(observation)"),
        ("def bot(a, b, c):\n    return ''", "a bot takes an observation, or an observation and a configuration"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InvalidBot) as refused:
        answer(write(tmp_path, text))
    assert sentence in str(refused.value)


def test_a_function_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "def bot(o):\n    return 'up'")
    with pytest.raises(InvalidBot, match="has no function 'clever': it has bot"):
        answer(f"{path}:clever")
