"""Options: what may be chosen, and the sentences that refuse the rest."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.support import rule
from turntile.core.errors import InvalidOptions
from turntile.core.gears import gear
from turntile.games.racers.game import GAME
from turntile.games.racers.options import Options, prepare


@rule("C6", "U1", "R2.1", "H5")
@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"width": 9, "height": 10}, "a 9x10 grid is too small: both sides need at least 10 squares"),
        ({"width": 10, "height": 9}, "a 10x9 grid is too small: both sides need at least 10 squares"),
        ({"width": -10, "height": 10}, "a -10x10 grid is too small: both sides need at least 10 squares"),
        ({"width": 0, "height": 0}, "a 0x0 grid is too small: both sides need at least 10 squares"),
        ({"width": 10, "height": 100000}, "a 10x100000 grid is too large: both sides may have at most 64 squares"),
        ({"width": 65}, "a 65x10 grid is too large: both sides may have at most 64 squares"),
        ({"width": "ten"}, "width 'ten' is not a whole number: say something like width=10"),
        ({"height": 10.5}, "height 10.5 is not a whole number: say something like height=10"),
        ({"height": True}, "height True is not a whole number: say something like height=10"),
        ({"failure_percent": 101}, "failure_percent 101 is no chance in per cent: say 0 to 100"),
        ({"failure_percent": -1}, "failure_percent -1 is no chance in per cent: say 0 to 100"),
        ({"turn_limit": -5}, "turn_limit -5 cannot be: say 1 to 1000000, or 0 for no limit"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(chosen: dict[str, Any], sentence: str) -> None:
    """One line that says what is wrong and what would do."""
    with pytest.raises(InvalidOptions) as refused:
        prepare(Options(**chosen))
    assert str(refused.value) == sentence


@rule("C6", "U1")
def test_after_a_refusal_other_dimensions_can_be_given() -> None:
    """Nothing remains of the refused ones."""
    with pytest.raises(InvalidOptions):
        prepare(Options(width=9))
    assert gear(GAME).new(prepare(Options(width=12)), 1).record().width == 12


def test_unknown_options_and_texts_are_refused_where_messages_come_in() -> None:
    for message in ({"witdh": 10}, {"width": "10"}, {"width": None}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(message, Options)


@rule("H7", "H3")
def test_the_plain_choice_is_the_rulebooks_game() -> None:
    """10x10, failures at 5 %, no limit of turns."""
    record = prepare(Options())
    assert (record.width, record.height, record.failure_percent, record.turn_limit) == (10, 10, 5, 0)
