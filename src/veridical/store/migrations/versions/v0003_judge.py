"""What a run spends on a judge, and the valid replies of judges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    of_run = sa.ForeignKey("veridical_run.id", ondelete="CASCADE")
    op.create_table(
        "veridical_budget",
        sa.Column("run_id", sa.String(40), of_run, primary_key=True),
        sa.Column("committed", sa.BigInteger, nullable=False),
        sa.Column("settled", sa.BigInteger, nullable=False),
        sa.Column("unsettled_calls", sa.BigInteger, nullable=False),
        sa.Column("calls", sa.BigInteger, nullable=False),
        sa.Column("estimated_calls", sa.BigInteger, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "veridical_verdict",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("contract", sa.String(40), nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("created", sa.String(27), nullable=False),
        sa.Column("encoding", sa.String(10), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_veridical_verdict_created", "veridical_verdict", ["created"])
