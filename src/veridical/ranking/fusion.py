"""Several runs fused into one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, get_args

from veridical.errors import ParameterError
from veridical.late import np
from veridical.ranking.names import is_table, named_runs, naming
from veridical.ranking.ordering import Duplicates
from veridical.tables._words import shown

if TYPE_CHECKING:
    from veridical.tables.listings import Listing

__all__ = ["FusedRun", "Fusion", "fuse", "fused"]

Fusion: TypeAlias = Literal["rrf", "combsum", "combmnz"]
_METHODS: Final = get_args(Fusion)
_LARGEST: Final = sys.float_info.max


class FusedRun(dict[str, dict[str, float]]):
    """A run made of others, as ``{query: {document: score}}``, that knows how.

    Attributes
    ----------
    fusion
        ``method``, ``n_runs``, the names of the ``runs`` where they have names, and the ``k`` of
        reciprocal ranks: part of its passport.
    """

    fusion: Mapping[str, Any] = MappingProxyType({})


def fuse(
    runs: Mapping[str, Any] | Iterable[Any],
    method: Fusion = "rrf",
    *,
    k: float = 60.0,
    duplicates: Duplicates = "error",
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
        Of reciprocal rank fusion: how little the first ranks stand out; finite and > 0.
    duplicates
        ``"error"``, or ``"keep-first"`` to keep the best rank of a document that stands twice.

    Returns
    -------
    FusedRun
        A dict ``{query: {document: score}}`` over the queries of all runs, the best document
        first.  Equal scores in one query are all scaled to 1.

    Raises
    ------
    ParameterError
        There are fewer than two runs; the method does not exist; k is not positive.
    InputError
        A run cannot be read, a document stands twice in it, or a score that is to be scaled is
        infinite.

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

    listing = fused(runs, method, k, duplicates)
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
    runs: Mapping[str, Any] | Iterable[Any],
    method: Fusion = "rrf",
    k: float = 60.0,
    duplicates: Duplicates = "error",
) -> Listing:
    """Return what ``fuse`` does as columns; ``source["fusion"]`` says how they were made."""
    named = _named(runs)
    if len(named) < 2:
        raise ParameterError(
            f"fusion needs two runs, not {len(named)}", fix='give [run, other], or {"name": run, …}'
        )
    _check_k(k)
    if method not in _METHODS:
        raise ParameterError(
            f"method= is one of {', '.join(_METHODS)}, not {method!r}", fix="choose one of them"
        )
    passport: dict[str, Any] = {"method": method, "n_runs": len(named)}
    if all(name is not None for name, _ in named):
        passport["runs"] = [name for name, _ in named]
    if method == "rrf":
        passport["k"] = float(k)
    from veridical.ranking.fused_rows import fused_rows
    from veridical.tables.listings import listing_of

    listings: list[Listing] = []
    for name, run in named:
        with naming(name):
            listings.append(listing_of(run, "run"))
    names = [name for name, _ in named]
    listing = fused_rows(listings, method, float(k), duplicates, names)
    return replace(listing, source={"kind": "fusion", "fusion": passport})


def _check_k(k: Any) -> None:
    if isinstance(k, bool) or not isinstance(k, Real) or not 0 < cast("float", k) < _LARGEST:
        raise ParameterError(f"k is a number above 0, not {shown(k)}", fix="60 is usual")


def _named(runs: Any) -> list[tuple[str | None, Any]]:
    """Return runs with their names, None where they have none."""
    if isinstance(runs, (str, os.PathLike)) or not isinstance(runs, Iterable) or is_table(runs):
        return [(None, runs)]
    given = runs if isinstance(runs, Mapping) else list(runs)
    if isinstance(given, Mapping) or all(isinstance(run, (str, os.PathLike)) for run in given):
        return [*named_runs(given).items()] if given else []
    return [(None, run) for run in given]
