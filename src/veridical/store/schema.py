"""The tables of a store, the same in SQLite and in PostgreSQL.

``MIGRATIONS`` lists every version that ever was; ``migrations/versions`` holds how each is reached
from the one before.  A new store is made from the tables below at once, and a test compares the
two ways.
"""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

__all__ = [
    "HEAD",
    "MIGRATIONS",
    "PREFIX",
    "artefacts",
    "attempts",
    "budgets",
    "events",
    "from_column",
    "is_storable",
    "metadata",
    "parts",
    "results",
    "runs",
    "tags",
    "to_column",
    "units",
    "verdicts",
    "versions",
]

MIGRATIONS: Final = ("0001", "0002", "0003", "0004")
HEAD: Final = MIGRATIONS[-1]
PREFIX: Final = "veridical_"
"""A database server may hold other people's tables beside ours."""

_ESCAPED = re.compile(r"\\(?:u([0-9a-f]{4})|\\)")

metadata = MetaData()

versions = Table(f"{PREFIX}version", metadata, Column("version_num", String(32), primary_key=True))
runs = Table(
    f"{PREFIX}run",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(200)),
    Column("kind", String(20), nullable=False),
    Column("state", String(20), nullable=False),
    Column("created", String(27), nullable=False),
    Column("data_sha256", String(64)),
    Column("n_results", Integer, nullable=False),
    Column("sha256", String(64)),
    Index(f"ix_{PREFIX}run_created", "created"),
    Index(f"ix_{PREFIX}run_name", "name"),
)
tags = Table(
    f"{PREFIX}tag",
    metadata,
    Column("run_id", String(40), ForeignKey(runs.c.id, ondelete="CASCADE"), primary_key=True),
    Column("tag", String(200), primary_key=True),
    Index(f"ix_{PREFIX}tag_tag", "tag"),
)
# What lists and trends look for; the document of the run is where it comes from.
results = Table(
    f"{PREFIX}result",
    metadata,
    Column("run_id", String(40), ForeignKey(runs.c.id, ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("metric", String(500), nullable=False),
    Column("subject", Text),
    Column("slice", Text),
    Column("value", Float(53)),
    Column("low", Float(53)),
    Column("high", Float(53)),
    Column("n", BigInteger, nullable=False),
    Column("skip", String(60)),
    Index(f"ix_{PREFIX}result_metric", "metric"),
)
parts = Table(
    f"{PREFIX}part",
    metadata,
    Column("run_id", String(40), ForeignKey(runs.c.id, ondelete="CASCADE"), primary_key=True),
    Column("name", String(40), primary_key=True),
    Column("encoding", String(10), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

# The ledger of runs that work through units one by one; since version 0002.
units = Table(
    f"{PREFIX}unit",
    metadata,
    Column("run_id", String(40), ForeignKey(runs.c.id, ondelete="CASCADE"), primary_key=True),
    Column("key", String(500), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("payload_sha256", String(64), nullable=False),
    Column("claims", Integer, nullable=False),
    Column("owner", String(40)),
    Column("claimed", String(27)),
    Index(f"ix_{PREFIX}unit_state", "run_id", "state", "position"),
)
artefacts = Table(
    f"{PREFIX}artefact",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("encoding", String(10), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
attempts = Table(
    f"{PREFIX}attempt",
    metadata,
    Column("run_id", String(40), primary_key=True),
    Column("key", String(500), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("outcome", String(40), nullable=False),
    Column("error", Text),
    Column("cost", String(60)),
    Column("started", String(27), nullable=False),
    Column("ended", String(27), nullable=False),
    Column("artefact_sha256", String(64), ForeignKey(artefacts.c.sha256)),
    ForeignKeyConstraint(["run_id", "key"], [units.c.run_id, units.c.key], ondelete="CASCADE"),
    Index(f"ix_{PREFIX}attempt_artefact", "artefact_sha256"),
)

# What a run may spend, and did, in picounits of its currency; since version 0003.
budgets = Table(
    f"{PREFIX}budget",
    metadata,
    Column("run_id", String(40), ForeignKey(runs.c.id, ondelete="CASCADE"), primary_key=True),
    Column("committed", BigInteger, nullable=False),
    Column("settled", BigInteger, nullable=False),
    Column("unsettled_calls", BigInteger, nullable=False),
    Column("calls", BigInteger, nullable=False),
    Column("estimated_calls", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
)
# Valid replies of judges by the hash of everything that could change them; of no run in particular.
verdicts = Table(
    f"{PREFIX}verdict",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("contract", String(40), nullable=False),
    Column("model", Text, nullable=False),
    Column("created", String(27), nullable=False),
    Column("encoding", String(10), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index(f"ix_{PREFIX}verdict_created", "created"),
)
# What happened, by journal: rows are added and never changed, and each is sealed with the last.
events = Table(
    f"{PREFIX}event",
    metadata,
    Column("journal", String(200), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("created", String(27), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("sha256", String(64), nullable=False),
)


def is_storable(text: str) -> bool:
    r"""Return whether every database can hold a text as it is.

    Examples
    --------
    >>> is_storable("naïve"), is_storable("a\0b"), is_storable("\udcff")
    (True, False, False)
    """
    return "\0" not in text and not any("\ud800" <= character < "\ue000" for character in text)


def to_column(text: str | None) -> str | None:
    r"""Return any text as one that every database keeps: no zero byte, no lone surrogate.

    Examples
    --------
    >>> to_column("a\0b"), from_column(to_column("a\0b\\")) == "a\0b\\"
    ('a\\u0000b', True)
    """
    if text is None:
        return None
    plain = text.replace("\\", "\\\\").replace("\0", "\\u0000")
    return plain.encode("utf-8", "backslashreplace").decode("utf-8")


def from_column(text: str | None) -> str | None:
    """Read back what ``to_column`` wrote."""
    if text is None:
        return None
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", text)
