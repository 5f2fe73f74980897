"""Several runs fused into one."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from veridical.errors import ParameterError
from veridical.late import np
from veridical.ranking.names import named_runs

if TYPE_CHECKING:
    from veridical.tables.listings import Listing

__all__ = ["FusedRun", "Fusion", "fuse", "fused"]

Fusion: TypeAlias = Literal["rrf", "combsum", "combmnz"]
_METHODS: Final = get_args(Fusion)


class FusedRun(dict[str, dict[str, float]]):
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
        A dict ``{query: {document: score}}`` over the queries of all runs, the best document
        first.  Equal scores in one query are all scaled to 1.

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
    {'b': 1.0, 'a': 1.0, 'c': 0.0}
    >>> list(fuse([bm25, dense])["q"])
    ['b', 'a', 'c']
    """
    from veridical.tables.arrow_numpy import numpy_of

    listing = fused(runs, method, k)
    made = FusedRun()
    made.fusion = dict(listing.source["fusion"])
    name = listing.document.dictionary.to_pylist()
    documents = [name[code] for code in numpy_of(listing.document.indices).tolist()]
    scores = listing.value.tolist()
    bounds = np.searchsorted(listing.query, np.arange(len(listing.queries) + 1)).tolist()
    for query, (start, stop) in zip(listing.queries, pairwise(bounds), strict=True):
        made[query] = dict(zip(documents[start:stop], scores[start:stop], strict=True))
    return made


def fused(
    runs: Mapping[str, Any] | Iterable[Any], method: Fusion = "rrf", k: float = 60.0
) -> Listing:
    """Return what ``fuse`` does as columns; ``source["fusion"]`` says how they were made."""
    named = _named(runs)
    if len(named) < 2:
        raise ParameterError(
            f"fusion needs two runs, not {len(named)}", fix='give [run, other], or {"name": run, …}'
        )
    if not 0 < k < math.inf:
        raise ParameterError(f"k is a number above 0, not {k}", fix="60 is usual")
    if method not in _METHODS:
        raise ParameterError(
            f"method= is one of {', '.join(_METHODS)}, not {method!r}", fix="choose one of them"
        )
    passport: dict[str, Any] = {"method": method, "n_runs": len(named)}
    if all(name is not None for name, _ in named):
        passport["runs"] = [name for name, _ in named]
    if method == "rrf":
        passport["k"] = k
    from veridical.ranking.fused_rows import fused_rows
    from veridical.tables.listings import listing_of

    listing = fused_rows([listing_of(run, "run") for _, run in named], method, k)
    return replace(listing, source={"kind": "fusion", "fusion": passport})


def _named(runs: Mapping[str, Any] | Iterable[Any]) -> list[tuple[str | None, Any]]:
    """Return runs with their names, None where they have none."""
    if isinstance(runs, (str, os.PathLike)):
        return [(None, runs)]
    given = runs if isinstance(runs, Mapping) else list(runs)
    if isinstance(given, Mapping) or all(isinstance(run, (str, os.PathLike)) for run in given):
        return [*named_runs(given).items()] if given else []
    return [(None, run) for run in given]
