"""``Read``: what an engine read, for the passport of every result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from veridical.errors import ParameterError
from veridical.tables import Roles, Rows

__all__ = ["Read", "refuse_rows"]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read.

    Attributes
    ----------
    source
        Kind, path and number of files.
    n_read, n_rows, n_positive
        Rows read, rows used, positives among these.
    sha256
        Hash of the rows used.
    notes
        Notes on the input.
    probabilities
        Score column to whether all its values lie in [0, 1].
    engine
        Who counted: ``"memory"``, ``"batches"``, ``"summary"``, ``"spark"``, ``"duckdb"``, ...
    """

    source: Mapping[str, Any]
    n_read: int
    n_rows: int
    n_positive: int
    sha256: str
    notes: tuple[str, ...]
    probabilities: Mapping[str, bool]
    engine: str

    @classmethod
    def of(cls, rows: Rows) -> Read:
        """Describe rows in memory."""
        return cls(
            rows.source,
            rows.n_read,
            rows.n,
            int(np.count_nonzero(rows.positive)),
            rows.sha256,
            rows.notes,
            {subject: rows.n > 0 and rows.in_unit_interval(subject) for subject in rows.scores},
            "memory",
        )


def refuse_rows(roles: Roles) -> None:
    """Refuse weights, clusters and price columns, whose intervals resample rows."""
    if roles.weight or roles.cluster or roles.costs:
        raise ParameterError(
            "weights, clusters and price columns need the rows in memory",
            why="their intervals resample rows, which stay where they are",
            fix='use engine="memory", for a sample of the rows if need be',
        )
