"""What the store refuses, and what it could not do: one sentence each."""

from __future__ import annotations

from turntile.core.errors import TurntileError


class StoreError(TurntileError):
    """The database cannot be opened, reached, read or written."""


class LostOwnership(StoreError):
    """Somebody else has gone on with this match, or it is over: what is in memory here is not what is stored."""


class NameTaken(StoreError):
    """Another player bears this name, or one that reads the same."""
