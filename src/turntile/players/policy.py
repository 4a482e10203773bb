"""What a referee does with an answer that does not count.

rulebook    the rules say what silence means: Tron's cycle goes on straight
forfeit     the seat is out
forgive N   N times like rulebook, then the seat is out

Whoever cannot go on at all (it crashed) is out under each of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turntile.core.errors import InvalidOptions


@dataclass(frozen=True, slots=True)
class Policy:
    """How many answers of a seat may fail in a match."""

    forgiven: int | None = None  # None: as many as it likes

    def __str__(self) -> str:
        return {None: "rulebook", 0: "forfeit"}.get(self.forgiven, f"forgive {self.forgiven}")

    def is_out(self, failures: int) -> bool:
        return self.forgiven is not None and failures > self.forgiven


RULEBOOK = Policy()
FORFEIT = Policy(0)


def read_policy(text: str) -> Policy:
    """A policy from its text. Raises InvalidOptions."""
    plain = " ".join(text.replace(":", " ").replace("=", " ").split())
    if plain in ("", "rulebook"):
        return RULEBOOK
    if plain == "forfeit":
        return FORFEIT
    found = re.fullmatch(r"forgive ([0-9]{1,6})", plain)
    if not found:
        raise InvalidOptions(f"{text!r} is no policy: say rulebook, forfeit or 'forgive 3'")
    return Policy(int(found[1]))
