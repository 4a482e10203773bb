"""Clocks: arithmetic on given durations."""

from __future__ import annotations

import pytest

from turntile.core.errors import InvalidOptions
from turntile.match.clock import Clock, TimeControl, read_control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("100ms", TimeControl(turn_s=0.1)),
        ("1s*5+100ms", TimeControl(turn_s=0.1, first_s=1, first_turns=5)),
        ("bank 60s +1s", TimeControl(bank_s=60, increment_s=1)),
        ("100ms bank 2s", TimeControl(turn_s=0.1, bank_s=2)),
        ("1s*5+100ms bank 2s +10ms", TimeControl(turn_s=0.1, first_s=1, first_turns=5, bank_s=2, increment_s=0.01)),
        ("bank 0s +1s", TimeControl(increment_s=1)),
        ("none", TimeControl()),
    ],
)
def test_a_time_control_has_one_text(text: str, control: TimeControl) -> None:
    assert read_control(text) == control
    assert str(control) == text


@pytest.mark.parametrize(
    ("text", "same"), [("1.5min", "90s"), (" bank  2m+1s ", "bank 120s +1s"), ("1000ms", "1s"), ("", "none")]
)
def test_other_spellings_are_understood(text: str, same: str) -> None:
    assert str(read_control(text)) == same


@pytest.mark.parametrize(
    "text",
    [
        "100",
        "fast",
        "-1s",
        "0s",
        "1s*5",
        "1s*0+1s",
        "0s*5+1s",
        "bank",
        "1s+2s",
        "1e9s",
        "99999999s",
        "1s" * 999,
        "١s",
        "100ms\x00",
    ],
)
def test_nonsense_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        read_control(text)
    assert "\n" not in str(refused.value)


def test_first_turns_have_their_own_limit() -> None:
    """Tron: a second for each of the first five turns, a tenth after them."""
    clock = Clock(read_control("1s*5+100ms"))
    for _ in range(5):
        assert clock.limit_s() == 1
        assert clock.charge(0.9)
    assert clock.limit_s() == 0.1
    assert clock.charge(0.1)
    assert not clock.charge(0.100001)


def test_a_bank_is_used_up_and_refilled_by_the_increment() -> None:
    clock = Clock(read_control("bank 2s +1s"))
    assert clock.limit_s() == 2
    assert clock.charge(1.5)
    assert clock.limit_s() == 1.5
    assert not clock.charge(1.75)
    assert clock.limit_s() == 1, "a late turn empties the bank; the increment comes all the same"


def test_the_bank_pays_only_for_what_the_turns_allowance_does_not_cover() -> None:
    clock = Clock(read_control("100ms bank 1s"))
    assert clock.charge(0.1)
    assert clock.limit_s() == pytest.approx(1.1)
    assert clock.charge(0.6)
    assert clock.limit_s() == pytest.approx(0.6)
    assert not clock.charge(0.7)
    assert clock.limit_s() == pytest.approx(0.1)


def test_without_limits_nothing_is_late() -> None:
    clock = Clock(TimeControl())
    assert clock.limit_s() is None
    assert clock.charge(1e9)
