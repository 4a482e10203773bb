"""The versioned bytes of a state: a hash of its records' layout, then the position.

The log, always the root record's last field, is no part of the position.
"""

from __future__ import annotations

import hashlib
import struct

from turntile.forge.records import Layout

MAGIC = b"TT1\0"
HEADER = struct.Struct("<4s8s")


def layout_code(layout: Layout) -> bytes:
    """Eight bytes that differ whenever a field, its type or its place differs."""
    return hashlib.sha256(layout.describe().encode()).digest()[:8]


def position_size(layout: Layout) -> int:
    """How many bytes come before the log."""
    return layout.field("log").offset


def header(layout: Layout) -> bytes:
    return HEADER.pack(MAGIC, layout_code(layout))


def read_header(layout: Layout, data: bytes, error: type[Exception]) -> bytes:
    """The position's bytes, or the error with what is wrong."""
    if len(data) < HEADER.size or data[:4] != MAGIC:
        raise error(f"these {len(data)} bytes are no state of {layout.name}: a state begins with {MAGIC!r}")
    if data[4:12] != layout_code(layout):
        raise error(
            f"this state was written by another version of {layout.name}'s records and cannot be read by this one"
        )
    position = data[HEADER.size :]
    if len(position) != position_size(layout):
        raise error(
            f"a state of {layout.name} has {position_size(layout)} bytes behind its header, not {len(position)}"
        )
    return position
