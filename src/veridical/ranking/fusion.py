"""Several runs fused into one."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from veridical.errors import ParameterError
from veridical.late import np
from veridical.ranking.names import named_runs

if TYPE_CHECKING:
    from veridical.tables.listings import Listing

__all__ = ["FusedRun", "Fusion", "fuse"]

Fusion: TypeAlias = Literal["rrf", "combsum", "combmnz"]
Scores: TypeAlias = dict[str, float]


class FusedRun(dict[str, Scores]):
    """A run made of others, as ``{query: {document: score}}``, that knows how.

    Attributes
    ----------
    fusion
        ``method``, ``n_runs``, the names of the ``runs`` where they have names, and the ``k`` of
        reciprocal ranks: part of its passport.
    """

    fusion: dict[str, Any]


def fuse(
    runs: Mapping[str, Any] | Iterable[Any], method: Fusion = "rrf", *, k: float = 60.0
) -> FusedRun:
    """Fuse runs into one, which can be evaluated beside them.

    Parameters
    ----------
    runs
        Two or more, by name or as a list, each in any form that ``evaluate_ranking`` takes.
    method
        ``"rrf"``: reciprocal rank fusion, the sum of 1 / (k + rank), where the greater document
        id of equal scores has the better rank; ``"combsum"``: the sum of scores, each query's
        scaled to [0, 1] by its least and greatest; ``"combmnz"``: that sum times the number of
        runs that retrieved the document.
    k
        Of reciprocal rank fusion: how little the first ranks stand out; > 0.

    Returns
    -------
    FusedRun
        A dict ``{query: {document: score}}`` over the queries of all runs.  Equal scores in one
        query are all scaled to 1.

    Raises
    ------
    ParameterError
        There are fewer than two runs; the method does not exist; k is not positive.

    References
    ----------
    G. V. Cormack, C. L. A. Clarke and S. Buettcher (2009), Reciprocal rank fusion outperforms
    Condorcet and individual rank learning methods.  doi:10.1145/1571941.1572114

    E. A. Fox and J. A. Shaw (1994), Combination of multiple searches, TREC-2.

    Examples
    --------
    >>> bm25, dense = {"q": {"a": 9.0, "b": 4.0}}, {"q": {"b": 0.9, "c": 0.1}}
    >>> fuse([bm25, dense], "combsum")["q"]
    {'a': 1.0, 'b': 1.0, 'c': 0.0}
    >>> max((score, document) for document, score in fuse([bm25, dense])["q"].items())[1]
    'b'
    """
    named = _named(runs)
    if len(named) < 2:
        raise ParameterError(
            f"fusion needs two runs, not {len(named)}", fix='give [run, other], or {"name": run, …}'
        )
    if not k > 0:
        raise ParameterError(f"k is a number above 0, not {k}", fix="60 is usual")
    scaled: dict[str, Callable[[Scores], Scores]] = {
        "rrf": lambda scores: _reciprocal_ranks(scores, k),
        "combsum": _min_max,
        "combmnz": _min_max,
    }
    if method not in scaled:
        raise ParameterError(
            f"method= is one of {', '.join(scaled)}, not {method!r}", fix="choose one of them"
        )
    from veridical.tables.listings import listing_of

    every = [_by_query(listing_of(run, "run")) for _, run in named]
    fused = FusedRun()
    fused.fusion = {"method": method, "n_runs": len(every)}
    if all(name is not None for name, _ in named):
        fused.fusion["runs"] = [name for name, _ in named]
    if method == "rrf":
        fused.fusion["k"] = k
    for query in dict.fromkeys(query for run in every for query in run):
        parts = [scaled[method](run[query]) for run in every if query in run]
        fused[query] = _summed(parts, times_found=method == "combmnz")
    return fused


def _named(runs: Mapping[str, Any] | Iterable[Any]) -> list[tuple[str | None, Any]]:
    """Return runs with their names, None where they have none."""
    if isinstance(runs, (str, os.PathLike)):
        return [(None, runs)]
    given = runs if isinstance(runs, Mapping) else list(runs)
    if isinstance(given, Mapping) or all(isinstance(run, (str, os.PathLike)) for run in given):
        return [*named_runs(given).items()] if given else []
    return [(None, run) for run in given]


def _by_query(run: Listing) -> dict[str, Scores]:
    """Return the scores of each query; of a document that stands twice, the highest."""
    queries: dict[str, Scores] = {query: {} for query in run.queries}
    rows = zip(run.query.tolist(), run.document.to_pylist(), run.value.tolist(), strict=True)
    for query, document, score in rows:
        scores = queries[run.queries[query]]
        scores[document] = max(score, scores.get(document, score))
    return queries


def _reciprocal_ranks(scores: Scores, k: float) -> Scores:
    order = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
    return {document: 1.0 / (k + rank) for rank, document in enumerate(order, 1)}


def _min_max(scores: Scores) -> Scores:
    if not scores:
        return {}
    values = np.array(list(scores.values()))
    if not np.isfinite(values).all():
        raise ParameterError(
            "an infinite score cannot be scaled to [0, 1]", fix="fuse the ranks, with rrf"
        )
    low, high = float(values.min()), float(values.max())
    if low == high:
        return dict.fromkeys(scores, 1.0)
    # Halves, because the distance of two huge numbers may be infinite.
    width = high / 2 - low / 2
    return {document: (score / 2 - low / 2) / width for document, score in scores.items()}


def _summed(parts: list[Scores], *, times_found: bool) -> Scores:
    """Add up the parts of each document; in whatever order they come, equal sums are equal."""
    found: dict[str, list[float]] = {}
    for part in parts:
        for document, score in part.items():
            found.setdefault(document, []).append(score)
    return {d: math.fsum(s) * (len(s) if times_found else 1) for d, s in found.items()}
