"""Agreement of two raters: functions of their contingency table.

Notation: o_ij items were called i by the first rater and j by the second; r_i and c_j are its
margins; n is their sum.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.measures import choice, metric
from veridical.metrics.interval_request import Outcome
from veridical.metrics.unit_intervals import DEGENERATE, Question, from_replicates, resampled
from veridical.results import Measured, Result, Skipped
from veridical.stats.normal import normal_interval
from veridical.stats.proportions import wilson as wilson_interval
from veridical.summaries.contingency import ContingencyTable

__all__ = [
    "cohens_kappa",
    "kappa_interval",
    "kappa_of_tables",
    "raw_agreement",
    "step_weights",
    "wilson",
]

Floats = npt.NDArray[np.float64]


def wilson(result: Measured, question: Question) -> Outcome:
    """Wilson score interval, or the percentile bootstrap over items where that is asked for."""
    table: ContingencyTable = question.summary
    if question.method == "analytic":
        return Outcome(wilson_interval(table.agreed, table.n, question.level))
    split = np.array([table.agreed, table.n - table.agreed])
    values = resampled(split, lambda drawn: drawn[:, 0] / table.n, question)
    return from_replicates(result, values, question.level)


def kappa_interval(result: Measured, question: Question) -> Outcome:
    """Normal interval by Fleiss, Cohen and Everitt, or the percentile bootstrap over items."""
    table: ContingencyTable = question.summary
    distance = step_weights(table, question.arguments["weights"])
    if question.method == "bootstrap":
        return from_replicates(result, _resampled(table, distance, question), question.level)
    error = math.sqrt(_kappa_variance(table.counts / table.n, distance) / table.n)
    if error < 1e-12:
        return DEGENERATE
    return Outcome(
        normal_interval(
            result.value, error, question.level, "fleiss-cohen-everitt", bounds=(-1.0, 1.0)
        )
    )


@metric(
    "agreement",
    summary=ContingencyTable,
    bounds=(0, 1),
    interval=wilson,
    aliases=["percent_agreement", "observed_agreement"],
)
def raw_agreement(table: ContingencyTable) -> Result:
    """Share of the items that both raters gave the same label.

    Formula
    -------
    sum_i o_ii / n

    When it is undefined
    --------------------
    No item was labelled by both: skipped ``no_rows``.  It counts agreement by chance, which is
    most of it where one label is common: read it beside kappa.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20, doi:10.1177/001316446002000104.

    Examples
    --------
    >>> raw_agreement.function(ContingencyTable(("fail", "pass"), False, np.array([[0, 2], [0, 18]]))).value
    0.9
    """  # noqa: E501 - one line a table
    if table.n == 0:
        return Skipped("no_rows", detail="no item was labelled by both raters")
    return Measured(table.agreed / table.n, table.n)


@metric(
    "agreement",
    summary=ContingencyTable,
    parameters=[choice("weights", ["none", "linear", "quadratic"], "none")],
    bounds=(-1, 1),
    interval=kappa_interval,
    companions=["agreement.raw_agreement"],
    aliases=["kappa", "cohen_kappa", "cohen_kappa_score"],
)
def cohens_kappa(table: ContingencyTable, weights: str = "none") -> Result:
    """Agreement of two raters beyond what their own rates would give by chance.

    Formula
    -------
    1 - n sum_ij w_ij o_ij / sum_ij w_ij r_i c_j, with w_ij = [i != j], which is
    (p_o - p_e)/(1 - p_e); ``linear`` |i - j| and ``quadratic`` (i - j)^2 count steps of the scale.

    When it is undefined
    --------------------
    No item was labelled by both: skipped ``no_rows``.  Both raters used one and the same label:
    skipped ``no_variation`` (0/0; textbooks write 1).  Weights on text labels without a declared
    scale are an error.  Above about 0.6 is usually called substantial.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104; weights: Cohen (1968), doi:10.1037/h0026256;
    interval: Fleiss, Cohen and Everitt (1969), doi:10.1037/h0028106.

    Examples
    --------
    >>> table = ContingencyTable(("no", "yes"), False, np.array([[2, 0], [1, 1]]))
    >>> cohens_kappa.function(table).value
    0.5
    """
    distance, n = step_weights(table, weights), table.n
    if n == 0:
        return Skipped("no_rows", detail="no item was labelled by both raters")
    counts = table.counts.astype(np.float64)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    found, expected = n * np.vdot(distance, counts), rows.dot(distance).dot(columns)
    if expected == 0:
        used = table.labels[int(np.argmax(columns))]
        return Skipped("no_variation", n, detail=f"both raters always said {str(used)[:40]!r}")
    return Measured(1 - found / expected, n)


def step_weights(table: ContingencyTable, weights: str) -> Floats:
    """Return the weight of each disagreement, shape (labels, labels); not to be written to."""
    if weights != "none" and not table.ordered:
        raise ParameterError(
            f"weights={weights} needs the order of the labels",
            why="alphabetical order is seldom the order that was meant",
            fix="give scale=['low', 'medium', 'high'] (on the command line --scale)",
        )
    return _distances(len(table.labels), weights)


@lru_cache(maxsize=2)  # 8 MB of a thousand labels
def _distances(size: int, weights: str) -> Floats:
    steps = np.arange(size, dtype=np.float64)
    apart = np.abs(steps[:, None] - steps)
    distance: Floats = {"none": np.minimum(apart, 1.0), "linear": apart, "quadratic": apart**2}[
        weights
    ]
    distance.flags.writeable = False
    return distance


def kappa_of_tables(counts: Floats, distance: Floats) -> Floats:
    """Return kappa of each table, shape (tables,), NaN where it is 0/0."""
    n = counts.sum(axis=(1, 2))
    rows, columns = counts.sum(axis=2), counts.sum(axis=1)
    found = n * np.einsum("tij,ij->t", counts, distance)
    expected = np.einsum("ti,ij,tj->t", rows, distance, columns)
    kappa: Floats = np.full(len(counts), np.nan)
    np.divide(found, expected, out=kappa, where=expected > 0)
    return np.subtract(1.0, kappa)


def _resampled(table: ContingencyTable, distance: Floats, question: Question) -> Floats:
    """Return kappa of items drawn again, from the cells that there are: most may be empty."""
    first, second = np.nonzero(table.counts)
    labels = np.eye(len(table.labels))
    by_row, by_column, apart = labels[first], labels[second], distance[first, second]

    def kappas(drawn: Floats) -> Floats:
        found = drawn.sum(axis=1) * (drawn @ apart)
        expected = ((drawn @ by_row @ distance) * (drawn @ by_column)).sum(axis=1)
        kappa: Floats = np.full(len(drawn), np.nan)
        np.divide(found, expected, out=kappa, where=expected > 0)
        return np.subtract(1.0, kappa)

    return resampled(table.counts[first, second], kappas, question, cells=len(labels))


def _kappa_variance(p: Floats, distance: Floats) -> float:
    """Return n times the large-sample variance of kappa, from proportions."""
    similarity = 1.0 - distance / max(distance.max(), 1.0)
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    po, pe = float((similarity * p).sum()), float(rows @ similarity @ columns)
    mean = (similarity @ columns)[:, None] + (rows @ similarity)[None, :]
    spread = float((p * (similarity * (1 - pe) - mean * (1 - po)) ** 2).sum())
    variance: Any = (spread - (po * pe - 2 * pe + po) ** 2) / (1 - pe) ** 4
    return max(0.0, float(variance))
