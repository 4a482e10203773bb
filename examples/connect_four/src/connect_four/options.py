"""What may be chosen in Connect Four."""

from __future__ import annotations

from typing import Annotated

import msgspec

from connect_four.rules import MAX_SIDE, ConnectFour
from turntile.core.errors import InvalidOptions


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    width: Annotated[int, msgspec.Meta(description="columns, 4 to 10")] = 7
    height: Annotated[int, msgspec.Meta(description="rows, 4 to 10")] = 6


def prepare(options: Options) -> ConnectFour:
    """The record that `setup` starts from."""
    for side in (options.width, options.height):
        if not 4 <= side <= MAX_SIDE:
            raise InvalidOptions(f"a {options.width}x{options.height} grid cannot be: both sides need 4 to {MAX_SIDE}")
    s = ConnectFour()
    s.width = options.width
    s.height = options.height
    return s
