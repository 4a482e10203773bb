"""Adding to journals: what a commit of many matches' entries does inside its transaction.

One statement for all entries, since a statement costs more than an entry. Only if something
does not fit are the matches taken one by one, so that one lost match disturbs no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import msgspec
from sqlalchemy import Connection, delete, insert, update
from sqlalchemy.exc import DataError, IntegrityError

from turntile.store.database import Addition
from turntile.store.errors import LostOwnership, StoreError
from turntile.store.rows import Ending
from turntile.store.tables import journal, match_seats, matches, replays

Entry = tuple[str, int, bytes]  # match, number, what happened
Verdicts = Sequence[StoreError | None]  # of each addition: None if it is in

MOST_ENTRIES = 1024  # in one statement of SQLite

write_json = msgspec.json.Encoder().encode


class DoesNotFit(Exception):
    """Undoes the transaction: an entry's number is there already."""


UNFIT = (DoesNotFit, IntegrityError, DataError)


def add_at_once(connection: Connection, additions: Sequence[Addition]) -> Verdicts:
    """All matches' entries together; no match may be named twice. One that is unfit (UNFIT) undoes all."""
    verdicts = judge(connection, additions)
    good = [addition for addition, verdict in zip(additions, verdicts, strict=True) if verdict is None]
    add_entries(connection, list(chain.from_iterable(entries_of(addition) for addition in good)))
    for addition in good:
        if addition.ending is not None:
            end(connection, addition.match_id, addition.ending)
    return verdicts


def add_one_by_one(connection: Connection, additions: Sequence[Addition]) -> Verdicts:
    """Each match's entries by themselves: those that do not fit are refused."""
    verdicts: list[StoreError | None] = []
    for addition in additions:
        try:
            with connection.begin_nested():
                verdicts += add_at_once(connection, [addition])
        except DoesNotFit:
            verdicts.append(lost(addition, "somebody else has gone on with it"))
        except (IntegrityError, DataError) as error:
            verdicts.append(StoreError(f"nothing was added to the match {addition.match_id}: {error.orig}"))
    return verdicts


def judge(connection: Connection, additions: Sequence[Addition]) -> Verdicts:
    owners = lock_playing(connection, [addition.match_id for addition in additions])
    return [why_not(addition, owners) for addition in additions]


def why_not(addition: Addition, owners: dict[str, str | None]) -> LostOwnership | None:
    if addition.match_id not in owners:
        return lost(addition, "it is not being played")
    if addition.owner and owners[addition.match_id] != addition.owner:
        return lost(addition, "another process goes on with it")
    return None


def lost(addition: Addition, why: str) -> LostOwnership:
    return LostOwnership(f"nothing was added to the match {addition.match_id}: {why}")


def lock_playing(connection: Connection, match_ids: Sequence[str]) -> dict[str, str | None]:
    """The matches being played and who owns each; nobody ends or claims one before our commit."""
    if connection.dialect.name == "sqlite":
        query = "SELECT id, owner FROM matches WHERE status = 'playing' AND id IN (SELECT value FROM json_each(?))"
        found = connection.exec_driver_sql(query, (write_json(match_ids).decode(),))
    else:
        # In the order of ids, so that two processes never wait for each other.
        query = "SELECT id, owner FROM matches WHERE status = 'playing' AND id = ANY($1) ORDER BY id FOR SHARE"
        found = connection.exec_driver_sql(query, (match_ids,))
    return {match_id: owner for match_id, owner in found}


def entries_of(addition: Addition) -> Iterable[Entry]:
    return numbered(addition.match_id, addition.first_number, addition.entries)


def numbered(match_id: str, first_number: int, entries: Sequence[bytes]) -> Iterable[Entry]:
    return ((match_id, number, entry) for number, entry in enumerate(entries, first_number))


def add_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    if connection.dialect.name == "sqlite":
        added = sum(connection.exec_driver_sql(*statement).rowcount for statement in sqlite_inserts(entries))
    elif entries:
        query = (
            "INSERT INTO journal (match_id, number, entry) "
            "SELECT * FROM unnest($1::text[], $2::int[], $3::bytea[]) ON CONFLICT DO NOTHING"
        )
        columns = tuple(list(column) for column in zip(*entries, strict=True))
        added = connection.exec_driver_sql(query, columns).rowcount
    else:
        added = 0
    if added != len(entries):
        raise DoesNotFit


def sqlite_inserts(entries: Sequence[Entry]) -> Iterable[tuple[str, tuple[object, ...]]]:
    """Few statements of many rows: between two rows of `executemany` the thread would wait for the event loop's turn.

    Their sizes are powers of two, so that the driver keeps all of them prepared.
    """
    at = 0
    while at < len(entries):
        size = min(MOST_ENTRIES, 1 << ((len(entries) - at).bit_length() - 1))
        yield SQLITE_INSERTS[size], tuple(chain.from_iterable(entries[at : at + size]))
        at += size


def sqlite_insert(rows: int) -> str:
    values = ",".join(["(?,?,?)"] * rows)
    return f"INSERT INTO journal (match_id, number, entry) VALUES {values} ON CONFLICT DO NOTHING"


SQLITE_INSERTS = {1 << power: sqlite_insert(1 << power) for power in range(MOST_ENTRIES.bit_length())}


def end(connection: Connection, match_id: str, ending: Ending) -> None:
    outcome = ending.outcome
    connection.execute(
        update(matches)
        .where(matches.c.id == match_id)
        .values(
            status=ending.status,
            ended=ending.ended,
            steps=ending.steps,
            stopped=ending.stopped,
            outcome=None if outcome is None else write_json(outcome).decode(),
        )
    )
    if outcome is not None:
        for seat, (score, place) in enumerate(zip(outcome.scores, outcome.places, strict=True)):
            connection.execute(
                update(match_seats)
                .where(match_seats.c.match_id == match_id, match_seats.c.seat == seat)
                .values(score=score, place=place)
            )
    if ending.replay is not None:
        connection.execute(insert(replays).values(match_id=match_id, data=ending.replay, created=ending.ended))
    if not ending.keep_journal:
        connection.execute(delete(journal).where(journal.c.match_id == match_id))
