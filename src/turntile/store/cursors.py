"""Pages of long lists: a cursor names the last row given, so that rows that come or go meanwhile shift nothing."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Annotated, Any

import msgspec
from sqlalchemy import ColumnElement, Select, tuple_

from turntile.store.errors import StoreError

# What a list is ordered by, and what tells two rows apart that are ranked alike.
Id = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
Word = Annotated[str, msgspec.Meta(pattern=r"^[\x20-\x7e]*$")]
Place = tuple[float, Word | Id]

read_place = msgspec.msgpack.Decoder(Place).decode


class InvalidCursor(StoreError):
    """A text that no page ended with."""


def largest_first(
    query: Select[Any], value: ColumnElement[float], key: ColumnElement[Any], cursor: str | None, limit: int
) -> Select[Any]:
    """The rows after the cursor, and one more than asked for: it tells whether there is a next page."""
    if cursor is not None:
        last = read_cursor(cursor)
        if type(last[1]) is not key.type.python_type:
            raise no_such_place()
        query = query.where(tuple_(value, key) < tuple_(*last))
    return query.order_by(value.desc(), key.desc()).limit(limit + 1)


def split(rows: Sequence[Any], limit: int, key_of: Callable[[Any], Place]) -> tuple[Sequence[Any], str | None]:
    """The page itself, and the cursor of the next one, if there is one."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], write_cursor(key_of(rows[limit - 1]))


def write_cursor(last: Place) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(last)).decode().rstrip("=")


def read_cursor(cursor: str) -> Place:
    try:
        packed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        place: Place = read_place(packed)
    except (ValueError, binascii.Error, msgspec.DecodeError):
        raise no_such_place() from None
    if not isfinite(place[0]):
        raise no_such_place()
    return place


def no_such_place() -> InvalidCursor:
    return InvalidCursor("this cursor names no place in the list: take it from `next` of the page before")
