"""The tables, as SQLAlchemy describes them. What is really there is made by migrations/; a test holds both equal.

A change here needs a migration, and `VERSION` is then that migration's revision.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = "0002"
VERSION_TABLE = "turntile_version"  # not Alembic's usual name, so that a stranger's database is told from ours

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("password_hash", Text),
    Column("created", Double, nullable=False),
    Column("owner_id", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),
    Column("about", Text, nullable=False),
    Column("disabled", Boolean, nullable=False),
    sqlite_autoincrement=True,  # the id of a guest who was removed is never another's
)

sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False, index=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("label", Text, nullable=False),
    Column("hash", Text, nullable=False, unique=True),
    Column("scopes", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("last_used", Double),
    Column("revoked", Double),
    sqlite_autoincrement=True,
)

bots = Table(
    "bots",
    metadata,
    Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("owner_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("file_name", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("code", LargeBinary),  # of an upload; large, so it is read only when it is run
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("ended", Double),
    Column("outcome", Text),
    Column("stopped", Text, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("owner", Text),
    Column("rematch_of", Text),
    Column("rematch", Text),
    Column("created_by", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),
    # Lists are by status, newest first; the game's name narrows them.
    Index("ix_matches_status_created_id", "status", "created", "id"),
    Index("ix_matches_game_status_created_id", "game", "status", "created", "id"),
)

match_seats = Table(
    "match_seats",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("bot", Text, nullable=False),
    Column("score", Integer),
    Column("place", Integer),
)

# Two processes that both believe to own a match cannot both append: the key lets one of them win.
journal = Table(
    "journal",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("entry", LargeBinary, nullable=False),
    sqlite_with_rowid=False,  # the entries of a match lie side by side, and there is no second tree to write
)

# Entries on their way into the journal, as they came; only SQLite's writer uses it.
arrivals = Table(
    "arrivals",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("additions", LargeBinary, nullable=False),
)

replays = Table(
    "replays",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("updated", Double, nullable=False),
    Index("ix_ratings_game_rating_player_id", "game", "rating", "player_id"),
)

rating_history = Table(
    "rating_history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("game", Text, nullable=False),
    Column("match_id", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    UniqueConstraint("match_id", "player_id"),  # a match is rated once
    Index("ix_rating_history_player_id_game_at", "player_id", "game", "at"),
    sqlite_autoincrement=True,
)

contests = Table(
    "contests",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("published_by", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),
    Column("data", Text, nullable=False),
    Index("ix_contests_created_id", "created", "id"),
)

contest_matches = Table(
    "contest_matches",
    metadata,
    Column("contest_id", Text, ForeignKey("contests.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("data", Text, nullable=False),
    Column("replay", LargeBinary),
)

processes = Table(
    "processes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("beat", Double, nullable=False),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("key", Text, primary_key=True),
    Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("created", Double, nullable=False, index=True),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

# What all processes of one arena know and nobody else: made by the first that asks.
secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
