"""Where entries of journals are noted before they are filed."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, LargeBinary

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "arrivals",
        Column("id", Integer, primary_key=True),
        Column("additions", LargeBinary, nullable=False),
    )
