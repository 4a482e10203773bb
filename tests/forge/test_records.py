"""Records: fixed size, zero at first, checked in the tests, the same bytes as a C struct."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forge.laboratory import records
from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.forge import assign, i16, i32s, table, u8s
from turntile.forge.records import FEW_NUMBERS, InvalidRecord, many, record

Jar: Any = records.Jar  # what @record adds is not known to the type checker
Laboratory: Any = records.Laboratory
LONG = 5 * FEW_NUMBERS + 3


@record
class Attic:
    """Arrays too long to be read number by number, and one that is just short enough."""

    few: list[i16] = many(FEW_NUMBERS)
    numbers: list[i16] = many(LONG)
    flags: list[bool] = many(LONG)


def filled() -> Any:
    """A laboratory in which nothing is zero that could be left out unnoticed."""
    lab = Laboratory()
    lab.steps, lab.jar.half, lab.jars[4].wide, lab.bytes[4], lab.halves[4], lab.flags[4] = (
        3,
        -7,
        2**32 - 1,
        255,
        -1,
        True,
    )
    lab.dice.a, lab.dice.planned, lab.dice.plan[1] = 2**32 - 1, 2, -5
    lab.log.n = 4
    return lab


def read() -> Any:
    """The same, as a gear reads it: what lies in it as a record has not been looked at yet."""
    return Laboratory.from_position(filled().position())


def test_all_fields_start_at_zero() -> None:
    assert Jar().to_bytes() == bytes(Jar.LAYOUT.size)


def test_bytes_come_back_as_the_same_record() -> None:
    jar = Jar()
    jar.small, jar.half, jar.whole, jar.wide, jar.open = 255, -32768, -(2**31), 2**32 - 1, True
    assert Jar.from_bytes(jar.to_bytes()) == jar


@given(st.dictionaries(st.integers(0, LONG - 1), st.integers(-(2**15), 2**15 - 1)))
def test_long_arrays_come_back_wherever_their_zeros_lie(stored: dict[int, int]) -> None:
    attic: Any = Attic()
    for index, number in stored.items():
        attic.numbers[index], attic.flags[index] = number, number > 0
        attic.few[index % FEW_NUMBERS] = number
    again: Any = type(attic).from_bytes(attic.to_bytes())
    assert (again.few, again.numbers, again.flags) == (attic.few, attic.numbers, attic.flags)
    assert {type(flag) for flag in again.flags} == {bool}


def test_a_position_comes_back_with_an_empty_log() -> None:
    lab = read()
    assert (lab.log.n, lab.log) == (0, Log())
    lab.log = filled().log
    assert lab == filled()
    assert lab.to_bytes() == filled().to_bytes()


def test_records_in_a_record_are_read_when_they_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who draws a position asks for neither dice nor log, and does not pay for them."""
    position = filled().position()
    for unread in (Dice, Log):
        monkeypatch.setattr(unread, "from_bytes", lambda data: pytest.fail("it was read for nothing"))
    lab = Laboratory.from_position(position)
    assert (lab.steps, lab.jar.half, lab.jars[4].wide, lab.bytes[4], lab.halves[4]) == (3, -7, 2**32 - 1, 255, -1)


def test_a_record_in_a_record_stays_what_it_was_made_at_the_first_look() -> None:
    lab = read()
    assert lab.dice is lab.dice
    lab.dice.planned = 1
    lab.log.n = 9
    assert (lab.dice.planned, lab.log.n) == (1, 9)
    assert Laboratory.from_position(lab.position()).dice.planned == 1
    lab.jar = Jar()
    assert (lab.jar.half, Laboratory.from_position(lab.position()).jar.half) == (0, 0)


def change(lab: Any) -> None:
    lab.steps, lab.jar.half, lab.jars[4].wide, lab.bytes[4], lab.halves[4], lab.flags[4] = 0, 0, 0, 0, 0, False
    lab.dice.a, lab.dice.plan[1], lab.log.n, lab.log.numbers[0] = 0, 0, 7, 7


@pytest.mark.parametrize(
    "again",
    [
        lambda lab: lab.copy(),
        copy.deepcopy,
        lambda lab: pickle.loads(pickle.dumps(lab)),
        lambda lab: Laboratory.from_position(lab.position()),
    ],
)
@pytest.mark.parametrize("looked_at", [False, True])
def test_a_record_read_from_bytes_shares_nothing_with_another(again: Callable[[Any], Any], looked_at: bool) -> None:
    lab = read()
    if looked_at:
        assert lab.dice.planned == 2
    other = again(lab)
    assert other == lab
    change(other)
    assert other != lab
    assert lab == read()


def test_assigning_what_was_not_looked_at_shares_nothing() -> None:
    target, source = Laboratory(), read()
    assign(target, source)
    change(source)
    assert target == read()


def test_what_is_read_from_bytes_is_checked_like_any_other() -> None:
    lab = read()
    with pytest.raises(IndexError, match=r"Laboratory\.bytes\[-1\]"):
        lab.bytes[-1] = 1
    with pytest.raises(OverflowError, match=r"Laboratory\.halves\[0\] = 32768"):
        lab.halves[0] = 32768
    with pytest.raises(IndexError, match=r"Laboratory\.jars\[5\]"):
        lab.jars[5].whole = 1
    with pytest.raises(OverflowError, match=r"Jar\.small = 256"):
        lab.jar.small = 256
    with pytest.raises(OverflowError, match=r"Dice\.plan\[0\]"):
        lab.dice.plan[0] = 2**31


def test_fields_lie_where_a_c_compiler_puts_them() -> None:
    offsets = {field.name: field.offset for field in Jar.LAYOUT.fields}
    assert offsets == {"small": 0, "half": 2, "whole": 4, "wide": 8, "open": 12}
    assert Jar.LAYOUT.size == 16


def test_a_copy_shares_nothing() -> None:
    lab = Laboratory()
    copy = lab.copy()
    copy.jars[0].whole = 5
    copy.bytes[0] = 6
    assert (lab.jars[0].whole, lab.bytes[0]) == (0, 0)


def test_assign_copies_contents() -> None:
    source, target = Laboratory(), Laboratory()
    source.jars[3].half = -7
    assign(target, source)
    source.jars[3].half = 1
    assert target.jars[3].half == -7


@pytest.mark.parametrize(("field", "value"), [("small", 256), ("half", -32769), ("wide", -1), ("whole", 2**31)])
def test_a_number_that_does_not_fit_is_refused_with_its_field(field: str, value: int) -> None:
    with pytest.raises(OverflowError, match=rf"Jar\.{field} = {value}: \w+ holds"):
        setattr(Jar(), field, value)


def test_an_index_outside_is_refused_with_its_field() -> None:
    lab = Laboratory()
    for index in (-1, 5):
        with pytest.raises(IndexError, match=rf"Laboratory\.bytes\[{index}\]: the index must be 0 to 4"):
            lab.bytes[index] = 1
        with pytest.raises(IndexError, match=rf"Laboratory\.halves\[{index}\]"):
            lab.halves[index] = 1
        with pytest.raises(IndexError, match=rf"Laboratory\.jars\[{index}\]"):
            lab.jars[index].whole = 1


def test_a_record_in_an_array_is_changed_and_never_replaced() -> None:
    with pytest.raises(TypeError, match="changed, not replaced"):
        Laboratory().jars[0] = Jar()


def test_local_arrays_and_tables_are_checked_too() -> None:
    with pytest.raises(IndexError):
        i32s(3)[-1] = 1
    with pytest.raises(OverflowError):
        u8s(3)[0] = 256
    with pytest.raises(IndexError):
        table(1, 2)[-1]


def test_what_cannot_be_a_record_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="many\\(16\\)"):

        @record
        class Sizeless:
            cells: bytearray

    with pytest.raises(InvalidRecord, match="is no type of a field"):

        @record
        class Text:
            name: str

    with pytest.raises(InvalidRecord, match="no size"):

        @record
        class Empty:
            cells: bytearray = many(0)
