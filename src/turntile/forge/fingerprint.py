"""Is an extension current? A hash of everything it depends on: the rules' texts and forge itself.

Apart from the translator, so that loading a game loads no compiler.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
FORGE_FILES = (
    "generate.py",
    "intervals.py",
    "reader.py",
    "records.py",
    "translate.py",
    "prelude.h",
    "guards.h",
    "wrapper.pyx",
)


def fingerprint(sources: Sequence[str]) -> str:
    """The hash over forge and the text of these modules, in this order."""
    total = hashlib.sha256(forge_text())
    for module in sources:
        spec = find_spec(module)
        if spec is not None and spec.origin is not None:
            total.update(module.encode() + b"\0" + Path(spec.origin).read_bytes() + b"\0")
    return total.hexdigest()


@cache
def forge_text() -> bytes:
    return b"\0".join((HERE / name).read_bytes() for name in FORGE_FILES)
