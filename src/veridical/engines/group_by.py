"""The engine that groups by score where the data are: exact, for positives too many for slots.

Every distinct score comes back with its positives and negatives; the engine groups on disk where
its memory is too small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical import strict_json
from veridical.engines.read import Read, refuse_rows
from veridical.engines.survey import CLASS, group_column, score_column, survey
from veridical.metrics.evidence import TableEvidence
from veridical.slices import Slice
from veridical.summaries import ScoreTable
from veridical.summaries.fixed_point import FixedArray
from veridical.tables import ContentHash, Roles
from veridical.tables.lazy_frame import collected

__all__ = ["counts_by_score", "group_by_slices"]


def group_by_slices(source: Any, roles: Roles) -> tuple[list[Slice], Read]:
    """Summarise a query in score tables.

    Parameters
    ----------
    source
        A frame of any library that narwhals knows.
    roles
        Which column is what; neither weights, clusters nor price columns.

    Raises
    ------
    ParameterError
        Weights, clusters or price columns, which need the rows in memory.
    MissingColumnError, LabelError, ScoreError, InputError
        As ``survey``.

    Examples
    --------
    >>> data = pa.table({"y": [1, 0, 1], "p": [0.9, 0.2, 0.2]})
    >>> (whole,), read = group_by_slices(data, Roles("y", ("p",)))
    >>> whole.evidence.table.scores.tolist(), read.n_positive
    ([0.2, 0.9], 2)
    """
    refuse_rows(roles)
    rows = survey(source, roles)
    tables: dict[tuple[str, str | None], ScoreTable] = {}
    groups = [group_column(number) for number in range(len(roles.groups))]
    for number, subject in enumerate(roles.scores):
        ours = score_column(number)
        by_score = rows.frame.group_by(*groups, CLASS, ours).agg(nw.len().alias("n"))
        answer = collected(by_score)
        n = answer.column("n").cast(pa.int64()).to_numpy()
        positive = answer.column(CLASS).to_numpy() == 1
        scores = rows.scores(answer.column(ours), subject)
        for group, chosen in rows.members(answer):
            tables[subject, group] = counts_by_score(scores[chosen], positive[chosen], n[chosen])
    slices = [rows.slice(*key, TableEvidence(table)) for key, table in tables.items()]
    return slices, rows.read(_hash(tables))


def _hash(tables: Mapping[tuple[str, str | None], ScoreTable]) -> str:
    """Return a hash of the counts: the rows of a query have no order that a hash could follow."""
    content = ContentHash()
    for (subject, group), table in tables.items():
        columns = {"scores": table.scores, "positives": table.positives.whole}
        for name, values in {**columns, "negatives": table.negatives.whole}.items():
            content.update({strict_json.dumps([name, subject, group]): values})
    return content.hexdigest()


def counts_by_score(
    scores: npt.NDArray[Any], positive: npt.NDArray[np.bool_], n: npt.NDArray[np.int64]
) -> ScoreTable:
    """Return the score table of rows that occur ``n`` times each; all of shape (m,)."""
    if len(scores) == 0:
        return ScoreTable.empty(scores.dtype)
    order = np.argsort(scores, kind="stable")
    ranked, positive, n = scores[order], positive[order], n[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    positives, negatives = (
        FixedArray(np.add.reduceat(np.where(of_class, n, 0), starts))
        for of_class in (positive, ~positive)
    )
    return ScoreTable(ranked[starts], positives, negatives, rows=int(n.sum()))
