"""Records: fixed-size data that plain Python and C lay out alike.

A record is a class of integers, truth values, fixed arrays and further records. Here it is
an ordinary Python object with slots; compiled, it is a C struct. Both have the same bytes
(little endian, natural alignment, padding zero), which is how the two gears exchange states
and how a test proves them equal.

With TURNTILE_CHECKED=1 in the environment (the tests set it) every store is checked against
its type's range and every index against its array, as the compiled gear always does. Without
it the interpreted gear trusts the rules and is three times as fast.
"""

from __future__ import annotations

import inspect
import os
import re
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, SupportsIndex, TypeAlias, TypeVar, cast

T = TypeVar("T")

u8: TypeAlias = int
i16: TypeAlias = int
i32: TypeAlias = int
u32: TypeAlias = int

CHECKED = os.environ.get("TURNTILE_CHECKED", "") not in ("", "0")


@dataclass(frozen=True)
class Scalar:
    """One of the types a number can be stored as."""

    name: str
    size: int
    low: int
    high: int
    code: str  # of the struct module
    c_type: str

    @property
    def zero(self) -> int:
        return False if self.name == "bool" else 0


SCALARS = {
    "u8": Scalar("u8", 1, 0, 255, "B", "uint8_t"),
    "bool": Scalar("bool", 1, 0, 1, "?", "uint8_t"),
    "i16": Scalar("i16", 2, -(2**15), 2**15 - 1, "h", "int16_t"),
    "i32": Scalar("i32", 4, -(2**31), 2**31 - 1, "i", "int32_t"),
    "u32": Scalar("u32", 4, 0, 2**32 - 1, "I", "uint32_t"),
}


class InvalidRecord(TypeError):
    """A class that cannot be a record."""


@dataclass(frozen=True)
class Many:
    count: int


def many(count: int) -> Any:
    """The declared size of an array field: `cells: bytearray = many(1024)`."""
    return Many(count)


def assign(target: T, source: T) -> None:
    """Make `target` equal to `source`, field by field (both are the same kind of record)."""
    cast(Any, target).assign(source)


# ------------------------------------------------------------------- checked containers


def out_of_range(where: str, value: object, scalar: Scalar) -> OverflowError:
    return OverflowError(f"{where} = {value}: {scalar.name} holds {scalar.low} to {scalar.high}")


def index_outside(where: str, index: object, count: int) -> IndexError:
    return IndexError(f"{where}[{index}]: the index must be 0 to {count - 1}")


class CheckedList(list[Any]):
    """A fixed array that refuses what its C counterpart would refuse."""

    __slots__ = ("scalar", "where")

    def __init__(self, items: Iterable[Any], where: str, scalar: Scalar | None) -> None:
        super().__init__(items)
        self.where = where
        self.scalar = scalar

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise index_outside(self.where, index, len(self))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            super().__setitem__(index, value)
            return
        if not 0 <= index < len(self):
            raise index_outside(self.where, index, len(self))
        if self.scalar is None:
            raise TypeError(f"{self.where}[{index}]: a record in an array is changed, not replaced")
        if not self.scalar.low <= value <= self.scalar.high:
            raise out_of_range(f"{self.where}[{index}]", value, self.scalar)
        super().__setitem__(index, value)


class CheckedBytes(bytearray):
    """A bytearray of fixed size that refuses negative indices and names its field."""

    where = "bytes"

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise index_outside(self.where, index, len(self))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, slice):
            if not 0 <= index < len(self):
                raise index_outside(self.where, index, len(self))
            if not 0 <= value <= 255:
                raise out_of_range(f"{self.where}[{index}]", value, SCALARS["u8"])
        super().__setitem__(index, value)


class CheckedTable(tuple[int, ...]):
    """A table of constants that refuses negative indices."""

    __slots__ = ()

    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        if not isinstance(index, slice) and not 0 <= index.__index__() < len(self):
            raise index_outside("table", index, len(self))
        return super().__getitem__(index)


def table(*numbers: int) -> tuple[int, ...]:
    """A table of constant integers: `DX = table(0, 1, 0, -1)`."""
    return CheckedTable(numbers) if CHECKED else numbers


def i32s(count: int) -> list[int]:
    """A local array of numbers, all zero: `queue = i32s(MAX_CELLS)`."""
    zeros = [0] * count
    return CheckedList(zeros, "i32s", SCALARS["i32"]) if CHECKED else zeros


def u8s(count: int) -> bytearray:
    """A local array of bytes, all zero: `seen = u8s(MAX_CELLS)`."""
    return new_bytes(bytes(count), "u8s")


def new_bytes(contents: bytes | bytearray, where: str) -> bytearray:
    if not CHECKED:
        return bytearray(contents)
    checked = CheckedBytes(contents)
    checked.where = where
    return checked


def new_list(items: list[Any], where: str, scalar: Scalar | None) -> list[Any]:
    return CheckedList(items, where, scalar) if CHECKED else items


FEW_NUMBERS = 64  # are read sooner than searched for zeros


def read_numbers(data: bytes, count: int, scalar: Scalar) -> list[Any]:
    """The numbers of a long array. A small board leaves most of it empty: halves of zeros are not read one by one."""
    used = count
    while used > FEW_NUMBERS and data.endswith(bytes((used - used // 2) * scalar.size), 0, used * scalar.size):
        used //= 2
    numbers = [scalar.zero] * count
    numbers[:used] = struct.unpack_from(f"<{used}{scalar.code}", data)
    return numbers


# ------------------------------------------------------------------- fields and layout


@dataclass(frozen=True)
class Field:
    """One field: its kind is a scalar's or a record's name; `count` is 0 unless it is an array."""

    name: str
    kind: str
    count: int
    offset: int
    size: int
    record: type[Any] | None


@dataclass(frozen=True)
class Layout:
    """Where each field of a record lies."""

    name: str
    fields: tuple[Field, ...]
    size: int
    alignment: int
    code: str  # for the struct module: a number as itself, an array or a record as the bytes it lies in
    position_code: str  # the same up to the log, where there is one

    @property
    def has_log(self) -> bool:
        return self.code != self.position_code

    def field(self, name: str) -> Field:
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def describe(self) -> str:
        """The layout as text: its hash is what tells two versions of a record apart."""
        inner = ", ".join(
            f"{f.name}:{f.record.LAYOUT.describe() if f.record else f.kind}*{f.count}" for f in self.fields
        )
        return f"{self.name}({inner})"


LOG = "log"  # a root record's last field, no part of the position

ARRAY = re.compile(r"list\[(\w+)\]")


def field_kind(owner: str, name: str, text: object, size: object) -> tuple[str, int]:
    """The kind and count of a field from its annotation and its `many(...)`."""
    if not isinstance(text, str):
        raise InvalidRecord(f"record {owner}: write 'from __future__ import annotations' at the top of its file")
    where = f"record {owner}, field {name}"
    array = ARRAY.fullmatch(text)
    if text == "bytearray" or array:
        if not isinstance(size, Many):
            raise InvalidRecord(f"{where}: an array needs its size: {name}: {text} = many(16)")
        if isinstance(size.count, bool) or not isinstance(size.count, int) or size.count < 1:
            raise InvalidRecord(f"{where}: many({size.count!r}) is no size: a whole number from 1")
        kind = array.group(1) if array else "u8"
        if array and kind == "u8":
            raise InvalidRecord(f"{where}: an array of u8 is written bytearray")
        return kind, size.count
    if size is not None:
        raise InvalidRecord(f"{where}: a record's fields start at zero; give it its value in setup")
    return text, 0


def lay_out(name: str, annotations: dict[str, object], sizes: dict[str, object], scope: dict[str, Any]) -> Layout:
    """Natural alignment, in the order written: what a C compiler does too."""
    fields: list[Field] = []
    code = ["<"]
    offset, alignment = 0, 1
    for field_name, text in annotations.items():
        kind, count = field_kind(name, field_name, text, sizes.get(field_name))
        inner: type[Any] | None = None
        if kind in SCALARS:
            step = align = SCALARS[kind].size
        else:
            inner = scope.get(kind)
            if inner is None or not hasattr(inner, "LAYOUT"):
                allowed = "u8, i16, i32, u32, bool, bytearray, list[...] or another record"
                raise InvalidRecord(f"record {name}, field {field_name}: {kind} is no type of a field; use {allowed}")
            step, align = inner.LAYOUT.size, inner.LAYOUT.alignment
        gap = -offset % align
        if gap:
            code.append(f"{gap}x")
        offset += gap
        alignment = max(alignment, align)
        before = "".join(code)
        size = step * max(1, count)
        code.append(f"{size}s" if inner or count else SCALARS[kind].code)
        fields.append(Field(field_name, kind, count, offset, size, inner))
        offset += size
    gap = -offset % alignment
    if gap:
        code.append(f"{gap}x")
    whole = "".join(code)
    ends_in_log = fields[-1].name == LOG and is_inner(fields[-1])
    return Layout(name, tuple(fields), offset + gap, alignment, whole, before if ends_in_log else whole)


def record(cls: type[T]) -> type[T]:
    """Make a fixed-size record of a class of annotated fields; all fields start at zero."""
    scope = sys._getframe(1).f_globals
    annotations = dict(inspect.get_annotations(cls))
    for name in cls.__dict__:
        if not name.startswith("__") and name not in annotations:
            raise InvalidRecord(
                f"record {cls.__name__}: {name} is no field; a record has only annotated fields, "
                "functions stand beside it"
            )
    if not annotations:
        raise InvalidRecord(f"record {cls.__name__} has no fields")
    sizes = {name: cls.__dict__[name] for name in annotations if name in cls.__dict__}
    layout = lay_out(cls.__name__, annotations, sizes, scope)
    namespace: dict[str, Any] = {
        "new_list": new_list,
        "new_bytes": new_bytes,
        "read_numbers": read_numbers,
        "pack": struct.pack,
        "unpack": struct.unpack,
        **{f"scalar_{name}": scalar for name, scalar in SCALARS.items()},
        **{f"record_{f.kind}": f.record for f in layout.fields if f.record},
        "empty_log": bytes(layout.fields[-1].size if layout.has_log else 0),
    }
    exec(methods_source(layout), namespace)  # the fields are known only now
    members: dict[str, Any] = {
        "__slots__": storage_slots(layout),
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": cls.__doc__,
        "__hash__": None,
        "__eq__": equal,
        "__repr__": represent,
        "LAYOUT": layout,
        "WHOLE": struct.Struct(layout.code),
        "POSITION": struct.Struct(layout.position_code),
        "to_bytes": to_bytes,
        "from_bytes": classmethod(from_bytes),
        "position": position,
        "from_position": classmethod(from_position),
    }
    members.update((name, namespace[name]) for name in METHODS)
    for f in filter(is_inner, layout.fields):
        members[f.name] = property(namespace[f"look_at_{f.name}"], namespace[f"replace_{f.name}"])
    if CHECKED:
        members.update((f.name, checked_property(layout.name, f)) for f in layout.fields if is_scalar(f))
    made = type(cls.__name__, (), members)
    return cast(type[T], made)


METHODS = (
    "__init__",
    "copy",
    "assign",
    "same_fields",
    "flatten",
    "from_rows",
    "flatten_position",
    "from_position_rows",
)


def is_scalar(field: Field) -> bool:
    return field.record is None and not field.count


def is_inner(field: Field) -> bool:
    """A record in a record, not an array of them."""
    return field.record is not None and not field.count


def storage_slots(layout: Layout) -> tuple[str, ...]:
    return tuple("_" + f.name if is_inner(f) or (CHECKED and is_scalar(f)) else f.name for f in layout.fields)


def checked_property(owner: str, field: Field) -> property:
    scalar = SCALARS[field.kind]
    slot = "_" + field.name

    def read(self: Any) -> int:
        return cast(int, getattr(self, slot))

    def write(self: Any, value: int) -> None:
        if not scalar.low <= value <= scalar.high:
            raise out_of_range(f"{owner}.{field.name}", value, scalar)
        setattr(self, slot, value)

    return property(read, write)


def methods_source(layout: Layout) -> str:
    """Python source of the methods whose text depends on the fields."""
    init, copy, put, same, flat, given, read = [], [], [], [], [], [], []
    for f in layout.fields:
        is_log = layout.has_log and f is layout.fields[-1]
        at, where, data = f"self.{f.name}", f"{layout.name}.{f.name}", f"{f.name}_bytes"
        same.append(f"{at} == other.{f.name}")
        given.append(at if is_scalar(f) else f"self._{f.name}" if is_inner(f) else data)
        if f.record and f.count:
            rows, pack = f"record_{f.kind}.WHOLE.iter_unpack({data})", f"record_{f.kind}.WHOLE.pack"
            init.append(f"{at} = new_list([record_{f.kind}() for _ in range({f.count})], {where!r}, None)")
            copy.append(f"c.{f.name} = new_list([x.copy() for x in {at}], {where!r}, None)")
            put.append(f"for mine, yours in zip({at}, other.{f.name}): mine.assign(yours)")
            flat.append(f"b''.join([{pack}(*x.flatten()) for x in {at}])")
            read.append(f"{at} = new_list(record_{f.kind}.from_rows({rows}), {where!r}, None)")
        elif f.record:
            init.append(f"{at} = record_{f.kind}()")
            copy.append(f"c.{f.name} = {at}.copy()")
            if not is_log:  # the log belongs to the step, not to the position
                put.append(f"{at}.assign(other.{f.name})")
            flat.append(f"{at}.to_bytes()")
        elif f.count and f.kind == "u8":
            init.append(f"{at} = new_bytes(bytes({f.count}), {where!r})")
            copy.append(f"c.{f.name} = new_bytes({at}, {where!r})")
            put.append(f"{at}[:] = other.{f.name}")
            flat.append(at)
            read.append(f"{at} = new_bytes({data}, {where!r})")
        elif f.count:
            scalar, code = f"scalar_{f.kind}", f"<{f.count}{SCALARS[f.kind].code}"
            few = f"list(unpack({code!r}, {data}))"
            numbers = few if f.count <= FEW_NUMBERS else f"read_numbers({data}, {f.count}, {scalar})"
            init.append(f"{at} = new_list([{SCALARS[f.kind].zero}] * {f.count}, {where!r}, {scalar})")
            copy.append(f"c.{f.name} = new_list({at}[:], {where!r}, {scalar})")
            put.append(f"{at}[:] = other.{f.name}")
            flat.append(f"pack({code!r}, *{at})")
            read.append(f"{at} = new_list({numbers}, {where!r}, {scalar})")
        else:
            init.append(f"{at} = {SCALARS[f.kind].zero}")
            copy.append(f"c.{f.name} = {at}")
            put.append(f"{at} = other.{f.name}")
            flat.append(at)

    def method(head: str, lines: list[str]) -> str:
        return "\n    ".join([head, *lines]) + "\n"

    def flattening(name: str, flat: list[str]) -> str:
        """A record as the row of values that `struct` writes."""
        return method(f"def {name}(self):", [f"return ({', '.join(flat)},)"])

    def reading(name: str, given: list[str], lines: list[str]) -> str:
        """A list of records from such rows, as `struct` reads them."""
        steps = ["self = new(cls)", f"{', '.join(given)}, = row", *lines, "made.append(self)"]
        loop = ["new, made = cls.__new__, []", "for row in rows:", *(f"    {step}" for step in steps), "return made"]
        return method(f"@classmethod\ndef {name}(cls, rows):", loop)

    def looking(f: Field) -> str:
        """A record in a record stays bytes until it is looked at: who draws a position asks for no dice and no log."""
        decode = f"inner = self._{f.name} = record_{f.kind}.from_bytes(inner)"
        lines = [f"inner = self._{f.name}", f"if type(inner) is bytes: {decode}", "return inner"]
        return method(f"def look_at_{f.name}(self):", lines) + method(
            f"def replace_{f.name}(self, inner):", [f"self._{f.name} = inner"]
        )

    position = (given[:-1], [*read, f"self._{LOG} = empty_log"]) if layout.has_log else (given, read)
    return (
        method("def __init__(self):", init)
        + method("def copy(self):", ["c = self.__class__.__new__(self.__class__)", *copy, "return c"])
        + method("def assign(self, other):", put)
        + method("def same_fields(self, other):", ["return " + " and ".join(same)])
        + flattening("flatten", flat)
        + flattening("flatten_position", flat[:-1] if layout.has_log else flat)
        + reading("from_rows", given, read)
        + reading("from_position_rows", *position)
        + "".join(looking(f) for f in layout.fields if is_inner(f))
    )


def to_bytes(self: Any) -> bytes:
    """The record as the C struct has it in memory."""
    return cast(bytes, self.WHOLE.pack(*self.flatten()))


def from_bytes(cls: Any, data: bytes) -> Any:
    """The record that has these bytes."""
    return cls.from_rows((cls.WHOLE.unpack(data),))[0]


def position(self: Any) -> bytes:
    """A root record's bytes without the log: what makes two states the same."""
    return cast(bytes, self.POSITION.pack(*self.flatten_position()))


def from_position(cls: Any, data: bytes) -> Any:
    """The root record with these bytes and an empty log."""
    return cls.from_position_rows((cls.POSITION.unpack(data),))[0]


def equal(self: Any, other: Any) -> Any:
    return self.same_fields(other) if type(self) is type(other) else NotImplemented


def represent(self: Any) -> str:
    shown = []
    for f in self.LAYOUT.fields:
        value = getattr(self, f.name)
        shown.append(f"{f.name}=<{f.count} of {f.kind}>" if f.count > 16 else f"{f.name}={value!r}")
    return f"{self.LAYOUT.name}({', '.join(shown)})"
