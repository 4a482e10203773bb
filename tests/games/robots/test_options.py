"""What may be chosen, and what is refused with a sentence."""

from __future__ import annotations

import msgspec
import pytest

from tests.support import rule
from turntile.core.errors import InvalidOptions
from turntile.games.robots.options import Options, prepare
from turntile.games.robots.records import EMPTY_MAP, RANDOM_MAP, STANDARD


@rule("X4", "X5", "X8", "R8")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": 1}, "1 robots cannot fight"),
        ({"players": 9}, "9 robots cannot fight"),
        ({"width": 9}, "9 x 10"),
        ({"height": 51}, "10 x 51"),
        ({"turn_limit": 0}, "0 turns"),
        ({"turn_limit": 2001}, "2001 turns"),
        ({"players": 4, "teams": 1}, "cannot make 1 teams"),
        ({"players": 4, "teams": 4}, "cannot make 4 teams"),
        ({"teams": 2}, "teams need at least 3 players"),
        ({"width": 12, "map": "standard"}, "standard map has 10 x 10"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(options: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOptions, match=said) as refusal:
        prepare(msgspec.convert(options, Options))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("options", [{"map": "maze"}, {"robots": 3}, {"mines": "many"}])
def test_what_is_no_option_is_not_read(options: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


@rule("R7", "X4")
@pytest.mark.parametrize(
    ("options", "number"),
    [
        (Options(), STANDARD),
        (Options(map="empty"), EMPTY_MAP),
        (Options(map="random"), RANDOM_MAP),
        (Options(width=11), RANDOM_MAP),
        (Options(width=11, map="empty"), EMPTY_MAP),
    ],
)
def test_the_map_is_standard_on_ten_by_ten_and_drawn_elsewhere(options: Options, number: int) -> None:
    assert prepare(options).map == number


def test_every_option_is_described_and_has_a_default() -> None:
    described = msgspec.json.schema(Options)["$defs"]["Options"]["properties"]
    assert all("default" in field and field["description"] for field in described.values())
