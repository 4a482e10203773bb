"""Options from outside: texts become values, and what does not fit is refused by name."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from turntile.core.errors import InvalidOptions
from turntile.core.registry import find, games
from turntile.match.options import choose_options, list_options


def test_texts_become_values() -> None:
    options = choose_options(find("tron"), {"players": "3", "playon": "true", "board": "ring"})
    assert (options.players, options.playon, options.board, options.size) == (3, True, "ring", 21)


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"sise": 9}, "tron has no option 'sise': did you mean size?"),
        ({"zzz": 9}, "tron has no option 'zzz': there are players, board, "),
        ({"size": "big"}, "tron cannot be played with size=big: it must be a whole number from 5 to 50"),
        ({"size": "4"}, "size=4: it must be a whole number from 5 to 50"),
        ({"size": "9" * 80}, "size=9999999999999999999999999999999999999...: it must be"),
        ({"board": "moon"}, "board=moon: it must be arena, gates, minefield, pillars, random or ring"),
        ({"playon": "perhaps"}, "playon=perhaps: it must be true or false"),
        ({"size": None}, "size=None: it must be"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(chosen: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        choose_options(find("tron"), chosen)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", sorted(games()))
def test_every_games_options_are_listed_and_survive_a_replays_header(name: str) -> None:
    game = find(name)
    listed = list_options(game)
    assert [option.name for option in listed] == list(game.options.__struct_fields__)
    assert all(option.meaning for option in listed), "every option says what it means"
    defaults = game.options()
    assert choose_options(game, msgspec.json.decode(msgspec.json.encode(defaults))) == defaults
