"""Forge: one text of rules, two gears.

What rules are written with: the record type, the integer types and the few functions a
rules file may use besides Python's own. Importing this loads no compiler; the front-end
lives in `forge.translate` and `forge.build` and is only needed where rules are built.
"""

from turntile.forge.records import assign, i16, i32, i32s, many, record, table, u8, u8s, u32

__all__ = ["assign", "i16", "i32", "i32s", "many", "record", "table", "u8", "u8s", "u32"]
