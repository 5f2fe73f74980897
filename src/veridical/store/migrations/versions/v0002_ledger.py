"""The ledger: units of a run, and the attempts at each."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables."""
    of_run = sa.ForeignKey("veridical_run.id", ondelete="CASCADE")
    op.create_table(
        "veridical_unit",
        sa.Column("run_id", sa.String(40), of_run, primary_key=True),
        sa.Column("key", sa.String(500), primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("payload_sha256", sa.String(64), nullable=False),
        sa.Column("claims", sa.Integer, nullable=False),
        sa.Column("owner", sa.String(40)),
        sa.Column("claimed", sa.String(27)),
    )
    op.create_index("ix_veridical_unit_state", "veridical_unit", ["run_id", "state", "position"])
    op.create_table(
        "veridical_artefact",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("encoding", sa.String(10), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "veridical_attempt",
        sa.Column("run_id", sa.String(40), primary_key=True),
        sa.Column("key", sa.String(500), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("cost", sa.String(60)),
        sa.Column("started", sa.String(27), nullable=False),
        sa.Column("ended", sa.String(27), nullable=False),
        sa.Column("artefact_sha256", sa.String(64), sa.ForeignKey("veridical_artefact.sha256")),
        sa.ForeignKeyConstraint(
            ["run_id", "key"],
            ["veridical_unit.run_id", "veridical_unit.key"],
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_veridical_attempt_artefact", "veridical_attempt", ["artefact_sha256"])
