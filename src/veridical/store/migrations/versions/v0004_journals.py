"""Journals: events that are only ever added, each sealed with the one before it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "veridical_event",
        sa.Column("journal", sa.String(200), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("created", sa.String(27), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
    )
