"""Pages of long lists: a cursor names the last row given, so that rows that come or go meanwhile shift nothing."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Row, Select, tuple_

from turntile.store.errors import StoreError

Key = TypeVar("Key", str, int)  # what tells two rows apart that are otherwise ranked alike


class InvalidCursor(StoreError):
    """A text that no page ended with."""


def largest_first(
    query: Select[Any], value: ColumnElement[float], key: ColumnElement[Any], cursor: str | None, limit: int
) -> Select[Any]:
    """The rows after the cursor, and one more than asked for: it tells whether there is a next page."""
    if cursor is not None:
        last = read_cursor(cursor, int if key.type.python_type is int else str)
        query = query.where(tuple_(value, key) < tuple_(*last))
    return query.order_by(value.desc(), key.desc()).limit(limit + 1)


def split(
    rows: Sequence[Row[Any]], limit: int, key_of: Callable[[Row[Any]], tuple[float, str | int]]
) -> tuple[Sequence[Row[Any]], str | None]:
    """The page itself, and the cursor of the next one, if there is one."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], write_cursor(key_of(rows[limit - 1]))


def write_cursor(last: tuple[float, str | int]) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(last)).decode().rstrip("=")


def read_cursor(cursor: str, key: type[Key]) -> tuple[float, Key]:
    try:
        packed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        return msgspec.msgpack.decode(packed, type=tuple[float, key])
    except (ValueError, binascii.Error, msgspec.DecodeError):
        raise InvalidCursor("this cursor names no place in the list: take it from `next` of the page before") from None
