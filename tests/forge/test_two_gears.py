"""The same text in both gears: the same numbers, the same order, the same faults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.forge.laboratory import rules
from tests.forge.laboratory.game import LABORATORY
from tests.forge.laboratory.records import Laboratory
from turntile.core.errors import InvalidState
from turntile.core.gears import GearName, gear
from turntile.forge.build import build, is_current

Outcome = tuple[str, int | str, bytes]


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    assert build(["tests.forge.laboratory"], quiet=True) == 0


def experiment(kind: int, a: int, b: int, gear_name: GearName) -> Outcome:
    """What comes of one experiment: a number or the kind of fault, and the position."""
    record = Laboratory()
    record.experiment = kind
    record.a_high, record.a_low = a >> 32, a & rules.MASK
    record.b_high, record.b_low = b >> 32, b & rules.MASK
    state = gear(LABORATORY, gear_name).new(record, 7)
    try:
        state.step([0])
    except (IndexError, OverflowError, ZeroDivisionError, AssertionError, ValueError) as fault:
        return "fault", type(fault).__name__, b""
    after: Any = state.record()
    return "number", after.result_high * 2**32 + after.result_low, state.position()


def both(kind: int, a: int, b: int) -> Outcome:
    interpreted = experiment(kind, a, b, "interpreted")
    assert experiment(kind, a, b, "compiled") == interpreted
    return interpreted


INTERESTING = [0, 1, -1, 3, 5, 63, 64, 255, 256, 32768, -32769, 2**31, -(2**31) - 1, 2**32, 2**63 - 1, -(2**63)]
numbers = st.one_of(st.sampled_from(INTERESTING), st.integers(-(2**63), 2**63 - 1), st.integers(-300, 300))


@settings(max_examples=1000, deadline=None)
@given(kind=st.integers(0, rules.EXPERIMENTS - 1), a=numbers, b=numbers)
def test_both_gears_give_the_same_number_or_the_same_fault(kind: int, a: int, b: int) -> None:
    """Python's own integers are the measure; a result beyond 64 bits is a fault, in Python's gear when it is stored."""
    both(kind, a, b)


@pytest.mark.parametrize("kind", range(rules.EXPERIMENTS))
def test_every_experiment_agrees_on_the_interesting_numbers(kind: int) -> None:
    for a in INTERESTING:
        for b in INTERESTING:
            both(kind, a, b)


PYTHON: dict[int, Callable[[int, int], int]] = {
    rules.ADD: lambda a, b: a + b,
    rules.SUBTRACT: lambda a, b: a - b,
    rules.MULTIPLY: lambda a, b: a * b,
    rules.DIVIDE: lambda a, b: a // b,
    rules.MODULO: lambda a, b: a % b,
    rules.AND: lambda a, b: a & b,
    rules.XOR: lambda a, b: a ^ b,
}


@pytest.mark.parametrize("kind", PYTHON)
@pytest.mark.parametrize(("a", "b"), [(7, -2), (-7, 2), (-7, -2), (10**12, 999), (-1, 3), (5, 5)])
def test_the_number_is_pythons_own(kind: int, a: int, b: int) -> None:
    assert both(kind, a, b)[1] == PYTHON[kind](a, b)


@pytest.mark.parametrize(
    ("kind", "a", "b", "fault"),
    [
        (rules.ADD, 2**63 - 1, 1, "OverflowError"),
        (rules.MULTIPLY, 2**40, 2**40, "OverflowError"),
        (rules.NEGATE, -(2**63), 0, "OverflowError"),
        (rules.SHIFT_LEFT, 1, 63, "OverflowError"),
        (rules.SHIFT_LEFT, 1, -1, "ValueError"),
        (rules.DIVIDE, 1, 0, "ZeroDivisionError"),
        (rules.MODULO, 1, 0, "ZeroDivisionError"),
        (rules.STORE_U8, 256, 0, "OverflowError"),
        (rules.STORE_U8, -1, 0, "OverflowError"),
        (rules.STORE_I16, 32768, 0, "OverflowError"),
        (rules.STORE_U32, -1, 0, "OverflowError"),
        (rules.STORE_BYTES, 1, 5, "IndexError"),
        (rules.STORE_HALVES, 1, -1, "IndexError"),
        (rules.READ_BYTES, -1, 0, "IndexError"),
        (rules.READ_JARS, 5, 0, "IndexError"),
        (rules.READ_TABLE, 4, 0, "IndexError"),
        (rules.READ_TABLE, -1, 0, "IndexError"),
        (rules.READ_LOCAL, 1, 5, "IndexError"),
        (rules.READ_PARAMETER, 2**40, 0, "IndexError"),
        (rules.ASSERTION, 3, 3, "AssertionError"),
        (rules.WALK, 6, 0, "IndexError"),
        (rules.WALK, 3, -1, "IndexError"),
        (rules.WALK_SOMETIMES, 6, 9, "IndexError"),
    ],
)
def test_what_cannot_be_stops_the_match(kind: int, a: int, b: int, fault: str) -> None:
    assert both(kind, a, b) == ("fault", fault, b"")


def test_a_fault_names_record_field_index_and_line_and_ends_the_match() -> None:
    record = Laboratory()
    record.experiment, record.a_low = rules.READ_JARS, 9
    state = gear(LABORATORY, "compiled").new(record, 1)
    with pytest.raises(
        IndexError, match=r"Laboratory\.jars\[9\]: the index must be 0 to 4 \(tests/forge/laboratory/rules.py:\d+\)"
    ):
        state.step([0])
    with pytest.raises(RuntimeError, match="stopped by a fault"):
        state.step([0])


def test_a_loop_that_would_leave_the_array_but_for_its_condition_does_not_fail() -> None:
    assert both(rules.WALK_SOMETIMES, 7, 3)[0] == "number"
    assert both(rules.WALK, 5, 0)[1] == 150


def test_calls_happen_from_left_to_right() -> None:
    assert both(rules.ORDER_OF_OPERANDS, 0, 0)[1] == 0 * 1000 + 1 * 100 + 1 * 10 + 2
    assert both(rules.CHAIN, 0, 0)[1] == 20, "a chain stops at the first comparison that fails"


@pytest.mark.parametrize("gear_name", ["interpreted", "compiled"])
def test_bytes_come_back_as_the_same_state(gear_name: GearName) -> None:
    lab = gear(LABORATORY, gear_name)
    state = lab.new(Laboratory(), 99)
    again = lab.from_bytes(state.to_bytes())
    assert again == state
    assert hash(again) == hash(state)
    again.step([0])
    assert again != state


@pytest.mark.parametrize("gear_name", ["interpreted", "compiled"])
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: b"", "0 bytes are no state"),
        (lambda data: b"XXXX" + data[4:], "no state"),
        (lambda data: data[:4] + b"\0" * 8 + data[12:], "another version"),
        (lambda data: data[:-1], "bytes behind its header"),
        (lambda data: data + b"\0", "bytes behind its header"),
    ],
)
def test_other_bytes_are_refused_with_the_reason(
    gear_name: GearName, spoil: Callable[[bytes], bytes], reason: str
) -> None:
    lab = gear(LABORATORY, gear_name)
    with pytest.raises(InvalidState, match=reason):
        lab.from_bytes(spoil(lab.new(Laboratory(), 1).to_bytes()))


def test_a_copy_lives_its_own_life() -> None:
    state = gear(LABORATORY, "compiled").new(Laboratory(), 1)
    copy = state.clone()
    copy.step([0])
    assert state.record().steps == 0
    assert copy.record().steps == 1
    assert copy.events() != state.events()


@pytest.mark.parametrize("gear_name", ["interpreted", "compiled"])
def test_a_snapshot_is_nobody_elses(gear_name: GearName) -> None:
    """Neither a later step nor another reader changes it, and what a reader does to it changes no state."""
    state = gear(LABORATORY, gear_name).new(Laboratory(), 5)
    before = state.position()
    kept, spoilt = state.record(), state.record()
    spoilt.dice.a ^= 1
    spoilt.jar.half, spoilt.jars[0].half, spoilt.bytes[0], spoilt.halves[0], spoilt.log.n = 1, 1, 1, 1, 1
    assert state.position() == before
    state.step([0])
    assert state.position() != before
    assert kept.position() == before
    assert kept.log.n == 0


def test_nothing_is_built_again_that_has_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_current("tests.forge.laboratory")
    monkeypatch.setattr("turntile.forge.build.compiler", lambda: pytest.fail("a current extension was built again"))
    assert build(["tests.forge.laboratory"], quiet=True) == 0


def test_without_a_compiler_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("turntile.forge.build.compiler", lambda: None)
    assert build(["tests.forge.laboratory"], force=True) == 3
    assert capsys.readouterr().err.count("\n") == 1
