"""Arrivals: what has just been added to journals, many matches' entries in one row.

The entries of a match lie side by side in its journal, so a commit of sixty matches would change
sixty places of the file. On SQLite, where one server writes alone, they are noted here in the order
they come, which is one place, and filed into their journals later, many of each match at once; those
of matches that are over by then need not be filed at all. Who reads a journal reads what was noted
of it as well. Whenever a database is opened, all is filed.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, exists, func, select

from turntile.store.journal import Entry, add_entries, lock_playing, numbered, write_json
from turntile.store.tables import arrivals, journal, matches

# One statement is a transaction of its own, so that the writer's thread gets by with one turn of the interpreter.
# It notes nothing unless this process plays all of the matches it has to look at. Parameters: additions, the ids of
# those matches, owner, number of ids.
NOTE = (
    "INSERT INTO arrivals (additions) SELECT ?1 WHERE ?4 = (SELECT count(*) FROM matches "
    "WHERE id IN (SELECT value FROM json_each(?2)) AND status = 'playing' AND ?3 IN ('', owner))"
)

ROWS_AT_ONCE = 64  # that are read: there may be many more than are to be filed

Noted = list[tuple[str, int, Sequence[bytes]]]  # match, number of the first entry, entries

write_noted = msgspec.msgpack.Encoder().encode
read_noted = msgspec.msgpack.Decoder(list[tuple[str, int, list[bytes]]]).decode


class Note:
    """The entries of one commit, ready to be written."""

    __slots__ = ("entries", "numbers_after", "parameters", "unseen")

    def __init__(self, noted: Noted, owner: str, ours: set[str]) -> None:
        """`ours` are matches that need not be looked at again."""
        self.numbers_after = {match_id: number + len(entries) for match_id, number, entries in noted}
        self.unseen = [match_id for match_id in self.numbers_after if match_id not in ours]
        self.entries = sum([len(entries) for _, _, entries in noted])
        self.parameters = (write_noted(noted), write_json(self.unseen).decode(), owner, len(self.unseen))


def read_journal(connection: Connection, match_id: str, after: int) -> list[bytes]:
    """The entries of a match with numbers over `after`, filed or, while it is being played, noted."""
    filed = select(journal.c.number, journal.c.entry).where(journal.c.match_id == match_id, journal.c.number > after)
    found = [(number, entry) for number, entry in connection.execute(filed)]
    if connection.dialect.name == "sqlite":
        playing = exists().where(matches.c.id == match_id, matches.c.status == "playing")
        noted = select(arrivals.c.additions).where(func.instr(arrivals.c.additions, match_id.encode()) > 0, playing)
        for additions in connection.execute(noted).scalars():
            for whose, first_number, entries in read_noted(additions):
                if whose == match_id:
                    found += [(number, entry) for number, entry in enumerate(entries, first_number) if number > after]
    return [entry for _, entry in sorted(found)]


def file_arrivals(connection: Connection, most: int | None = None) -> int:
    """Bring the oldest arrivals into their journals, about `most` entries or all; how many were dealt with.

    Those of matches that are over or were removed are dropped.
    """
    entries, last = read_arrivals(connection, most)
    if entries:
        add_entries(connection, still_needed(connection, entries))
        connection.execute(delete(arrivals).where(arrivals.c.id <= last))
    return len(entries)


def noted_entries(connection: Connection) -> list[Entry]:
    """What would be filed now."""
    return still_needed(connection, read_arrivals(connection)[0])


def read_arrivals(connection: Connection, most: int | None = None) -> tuple[list[Entry], int]:
    """The oldest, and the number of the last row they were in."""
    entries: list[Entry] = []
    last = 0
    rows = select(arrivals).order_by(arrivals.c.id)
    for number, additions in connection.execute(rows, execution_options={"yield_per": ROWS_AT_ONCE}):
        last = number
        for match_id, first_number, some in read_noted(additions):
            entries += numbered(match_id, first_number, some)
        if most is not None and len(entries) >= most:
            break
    return entries, last


def still_needed(connection: Connection, entries: Sequence[Entry]) -> list[Entry]:
    """Those of matches that are being played, in the order of journals."""
    if not entries:
        return []
    playing = lock_playing(connection, sorted({match_id for match_id, _, _ in entries}))
    return sorted(entry for entry in entries if entry[0] in playing)
