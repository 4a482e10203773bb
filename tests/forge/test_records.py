"""Records: fixed size, zero at first, checked in the tests, the same bytes as a C struct."""

from __future__ import annotations

from typing import Any

import pytest

from tests.forge.laboratory import records
from turntile.forge import assign, i32s, table, u8s
from turntile.forge.records import InvalidRecord, many, record

Jar: Any = records.Jar  # what @record adds is not known to the type checker
Laboratory: Any = records.Laboratory


def test_all_fields_start_at_zero() -> None:
    assert Jar().to_bytes() == bytes(Jar.LAYOUT.size)


def test_bytes_come_back_as_the_same_record() -> None:
    jar = Jar()
    jar.small, jar.half, jar.whole, jar.wide, jar.open = 255, -32768, -(2**31), 2**32 - 1, True
    assert Jar.from_bytes(jar.to_bytes()) == jar


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
