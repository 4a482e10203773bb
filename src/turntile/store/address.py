"""Where the database is: `sqlite:///arena.db`, `arena.db` or `postgresql://user@host:port/name`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit, urlunsplit

import msgspec

from turntile.store.errors import StoreError

WHAT_WOULD_DO = "say sqlite:///arena.db (a file here), sqlite:////var/lib/arena.db or postgresql://user@host:5432/arena"


class Address(msgspec.Struct, frozen=True):
    kind: Literal["sqlite", "postgresql"]
    path: Path = Path()  # of SQLite's file
    url: str = ""  # of PostgreSQL's database, as asyncpg's dialect reads it


def read_address(text: str) -> Address:
    scheme, separator, rest = text.partition("://")
    if not separator:
        if text.endswith(".db"):
            return Address("sqlite", Path(text))
        raise StoreError(f"{text!r} names no database: {WHAT_WOULD_DO}")
    if scheme == "sqlite":
        return Address("sqlite", sqlite_path(text, rest))
    if scheme in ("postgresql", "postgres"):
        return Address("postgresql", url=postgres_url(text))
    raise StoreError(f"{scheme}:// is no database Turntile can use: {WHAT_WOULD_DO}")


def sqlite_path(text: str, rest: str) -> Path:
    """Three slashes: relative to here; four: absolute."""
    if not rest.startswith("/") or rest == "/" or "?" in rest or "#" in rest:
        raise StoreError(f"{text!r} names no file: {WHAT_WOULD_DO}")
    return Path(unquote(rest[1:]))


def postgres_url(text: str) -> str:
    parts = urlsplit(text)
    try:
        port_is_number = parts.port is None or parts.port > 0
    except ValueError:
        port_is_number = False
    if not parts.path.strip("/") or not port_is_number:
        raise StoreError(f"{shown(text)!r} names no database of PostgreSQL: {WHAT_WOULD_DO}")
    return urlunsplit(("postgresql+asyncpg", *parts[1:]))


def shown(url: str) -> str:
    """For messages and logs: without the password."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":...@", 1)))
