"""Names people and bots may bear: readable, not longer than a table's line, and nobody else's.

Any alphabet will do, but not signs that are invisible or only look like a name of somebody else
by case or width: two names with the same key (see store.players.name_key) are the same name.
"""

from __future__ import annotations

import re
import unicodedata

from turntile.core.errors import TurntileError
from turntile.core.registry import games
from turntile.server.levels import WORDS

SHORTEST, LONGEST = 2, 24
# Words that would make others believe something.
RESERVED = """
    admin administrator root system server turntile arena moderator mod staff support help judge referee
    nobody anonymous everybody somebody me you guest open bot human player seat watcher null none undefined api
"""


class InvalidName(TurntileError):
    """A name nobody may bear."""


def clean_name(text: str) -> str:
    """The name as it is kept, or InvalidName."""
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not SHORTEST <= len(name) <= LONGEST:
        raise InvalidName(f"a name has {SHORTEST} to {LONGEST} characters, this one has {len(name)}")
    for char in name:
        if not (char in " -_" or unicodedata.category(char)[0] in "LMN"):
            raise InvalidName(f"{char!r} cannot be in a name: take letters, digits, blanks, - and _")
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        raise InvalidName("a name needs a letter or a digit")
    if sum(unicodedata.category(char)[0] == "M" for char in name) > len(name) // 2:
        raise InvalidName("a name cannot be made of marks: take letters")
    if is_reserved(name):
        raise InvalidName(f"the name {name!r} is kept for the arena itself: choose another")
    return name


def is_reserved(name: str) -> bool:
    key = re.sub(r"[\s_-]+", " ", name.casefold()).strip()
    words = key.split()
    if key in RESERVED.split() or (words and words[0] == "guest"):
        return True
    if words and words[-1] in WORDS:  # "Tron hard" is a built-in bot
        return " ".join(words[:-1]) in {
            "",
            *(word.casefold() for game in games().values() for word in (game.name, game.title)),
        }
    return False
