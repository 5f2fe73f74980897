"""What a forecast without skill is made of, when only the counts of a run are left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from veridical.metrics.evidence import TableEvidence
from veridical.policy.deciding import SCORES
from veridical.results import Measured, Result
from veridical.slices import Slice
from veridical.summaries import ScoreTable

__all__ = ["counted_slices"]


def counted_slices(results: Iterable[Result], source: Mapping[str, Any]) -> Iterator[Slice]:
    """Yield a slice without scores for each subject and group whose classes were counted.

    Every row has the base rate as its score: that says as much about a forecast without skill as
    the counts of the two classes do.

    Parameters
    ----------
    results
        Of one run; those of other families than scores say nothing.
    source
        Where its data came from: ``n_positive`` and ``n_rows``.

    Examples
    --------
    >>> auc = Measured(0.9, 100, metric="binary.roc_auc", n_rows=100)
    >>> [part.evidence.rows for part in counted_slices([auc], {"n_positive": 3, "n_rows": 100})]
    [2]
    """
    by_place: dict[tuple[str | None, str | None], list[Result]] = {}
    for result in results:
        if result.metric.partition(".")[0] in SCORES:
            by_place.setdefault((result.subject, result.group), []).append(result)
    for (subject, group), of_place in by_place.items():
        counts = _classes(of_place, source if group is None else {})
        if counts is not None and min(counts) >= 0 and sum(counts) > 0:
            yield Slice(subject, group, TableEvidence(_flat(*counts)))


def _flat(positives: float, negatives: float) -> ScoreTable:
    rate = positives / (positives + negatives)
    return ScoreTable.from_rows(
        np.array([True, False]), np.full(2, rate), weight=np.array([positives, negatives], float)
    )


def _classes(results: Iterable[Result], source: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the numbers of positives and negatives, weighted ones where rows have weights."""
    for result in results:
        found = result.conditions.observed
        positives, rate = found.get("positives"), found.get("prevalence")
        if isinstance(positives, (int, float)) and isinstance(rate, float) and rate > 0:
            return float(positives), positives / rate - positives
    for result in results:
        plain = isinstance(result, Measured) and not result.conditions.get("weighted")
        if plain and result.metric.startswith("binary.recall") and result.n_rows:
            return float(result.n), float(result.n_rows - result.n)
    positives, rows = source.get("n_positive"), source.get("n_rows")
    if isinstance(positives, int) and isinstance(rows, int):
        return float(positives), float(rows - positives)
    return None
