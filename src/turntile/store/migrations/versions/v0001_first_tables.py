"""The first tables.

What a step does is written out and never changed afterwards: the tables of today are in tables.py.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, LargeBinary, Text, UniqueConstraint

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "players",
        Column("id", Integer, primary_key=True),
        Column("name", Text, nullable=False),
        Column("name_key", Text, nullable=False, unique=True),
        Column("kind", Text, nullable=False),
        Column("password_hash", Text),
        Column("created", Double, nullable=False),
        Column("owner_id", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),
        Column("about", Text, nullable=False),
        Column("disabled", Boolean, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sessions",
        Column("hash", Text, primary_key=True),
        Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
        Column("created", Double, nullable=False),
        Column("expires", Double, nullable=False, index=True),
    )
    op.create_table(
        "tokens",
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
    op.create_table(
        "bots",
        Column(
            "player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        Column("owner_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
        Column("game", Text, nullable=False, index=True),
        Column("kind", Text, nullable=False),
        Column("address", Text, nullable=False),
        Column("file_name", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("created", Double, nullable=False),
        Column("enabled", Boolean, nullable=False),
        Column("code", LargeBinary),
    )
    op.create_table(
        "matches",
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
        Index("ix_matches_status_created_id", "status", "created", "id"),
        Index("ix_matches_game_status_created_id", "game", "status", "created", "id"),
    )
    op.create_table(
        "match_seats",
        Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("player_id", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),
        Column("name", Text, nullable=False),
        Column("kind", Text, nullable=False),
        Column("bot", Text, nullable=False),
        Column("score", Integer),
        Column("place", Integer),
    )
    op.create_table(
        "journal",
        Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("entry", LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "replays",
        Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("data", LargeBinary, nullable=False),
        Column("created", Double, nullable=False),
    )
    op.create_table(
        "ratings",
        Column(
            "player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        Column("game", Text, primary_key=True),
        Column("mu", Double, nullable=False),
        Column("sigma", Double, nullable=False),
        Column("rating", Double, nullable=False),
        Column("deviation", Double, nullable=False),
        Column("matches", Integer, nullable=False),
        Column("updated", Double, nullable=False),
        Index("ix_ratings_game_rating_player_id", "game", "rating", "player_id"),
    )
    op.create_table(
        "rating_history",
        Column("id", Integer, primary_key=True),
        Column("player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
        Column("game", Text, nullable=False),
        Column("match_id", Text, nullable=False),
        Column("at", Double, nullable=False),
        Column("rating", Double, nullable=False),
        Column("deviation", Double, nullable=False),
        UniqueConstraint("match_id", "player_id"),
        Index("ix_rating_history_player_id_game_at", "player_id", "game", "at"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "contests",
        Column("id", Text, primary_key=True),
        Column("name", Text, nullable=False),
        Column("game", Text, nullable=False),
        Column("format", Text, nullable=False),
        Column("created", Double, nullable=False),
        Column("published_by", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),
        Column("data", Text, nullable=False),
        Index("ix_contests_created_id", "created", "id"),
    )
    op.create_table(
        "contest_matches",
        Column("contest_id", Text, ForeignKey("contests.id", ondelete="CASCADE"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("data", Text, nullable=False),
        Column("replay", LargeBinary),
    )
    op.create_table(
        "processes",
        Column("id", Text, primary_key=True),
        Column("address", Text, nullable=False),
        Column("beat", Double, nullable=False),
    )
    op.create_table(
        "idempotency",
        Column("key", Text, primary_key=True),
        Column(
            "player_id", Integer, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        Column("created", Double, nullable=False, index=True),
        Column("status", Integer, nullable=False),
        Column("body", LargeBinary, nullable=False),
    )
    op.create_table(
        "secrets",
        Column("name", Text, primary_key=True),
        Column("value", Text, nullable=False),
    )
