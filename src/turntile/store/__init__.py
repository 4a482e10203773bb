"""The store: matches, players, ratings, replays. SQLite by default, PostgreSQL by URL."""

from turntile.store.errors import LostOwnership, NameTaken, StoreError
from turntile.store.matches import new_match_id
from turntile.store.players import name_key
from turntile.store.store import Store, open_store

__all__ = ["LostOwnership", "NameTaken", "Store", "StoreError", "name_key", "new_match_id", "open_store"]
