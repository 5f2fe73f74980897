"""Runs, their tags, their results for lists and trends, and their parts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0001"
down_revision = None


def _run_id() -> sa.Column[str]:
    of_run = sa.ForeignKey("veridical_run.id", ondelete="CASCADE")
    return sa.Column("run_id", sa.String(40), of_run, primary_key=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "veridical_run",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(200)),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("created", sa.String(27), nullable=False),
        sa.Column("data_sha256", sa.String(64)),
        sa.Column("n_results", sa.Integer, nullable=False),
        sa.Column("sha256", sa.String(64)),
    )
    op.create_index("ix_veridical_run_created", "veridical_run", ["created"])
    op.create_index("ix_veridical_run_name", "veridical_run", ["name"])
    op.create_table(
        "veridical_tag",
        _run_id(),
        sa.Column("tag", sa.String(200), primary_key=True),
    )
    op.create_index("ix_veridical_tag_tag", "veridical_tag", ["tag"])
    op.create_table(
        "veridical_result",
        _run_id(),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("metric", sa.String(500), nullable=False),
        sa.Column("subject", sa.Text),
        sa.Column("slice", sa.Text),
        sa.Column("value", sa.Float(53)),
        sa.Column("low", sa.Float(53)),
        sa.Column("high", sa.Float(53)),
        sa.Column("n", sa.BigInteger, nullable=False),
        sa.Column("skip", sa.String(60)),
    )
    op.create_index("ix_veridical_result_metric", "veridical_result", ["metric"])
    op.create_table(
        "veridical_part",
        _run_id(),
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("encoding", sa.String(10), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
