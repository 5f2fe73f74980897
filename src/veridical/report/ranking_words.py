"""How a ranking was made, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["AVERAGES", "DUPLICATES", "TIES", "fusion_text"]

AVERAGES = {
    "golden": "over the queries of the golden set",
    "intersection": "over the queries that the run has too",
}
TIES = {
    "docid_desc": "equal scores by document id, descending",
    "input": "equal scores in the order given",
    "average": "equal scores in all orders, on average",
    "error": "equal scores are refused",
}
DUPLICATES = {
    "error": "a document that stands twice is refused",
    "keep-first": "of a document that stands twice the best rank",
}
_FUSIONS = {
    "rrf": "reciprocal ranks",
    "combsum": "sums of scores, each query's scaled to [0, 1]",
    "combmnz": "sums of scaled scores, times the runs that have the document",
}
_MOST_NAMES = 5


def fusion_text(fusion: Mapping[str, Any]) -> str:
    """Return how a run was fused.

    Examples
    --------
    >>> fusion_text({"method": "rrf", "n_runs": 2, "runs": ["bm25", "dense"], "k": 60.0})
    'fused of 2 runs (bm25, dense) by reciprocal ranks, k 60'
    """
    names = ", ".join(fusion.get("runs", ())[:_MOST_NAMES])
    more = ", ..." if len(fusion.get("runs", ())) > _MOST_NAMES else ""
    named = f" ({names}{more})" if names else ""
    k = f", k {fusion['k']:g}" if "k" in fusion else ""
    method = str(fusion["method"])
    return f"fused of {fusion['n_runs']:,} runs{named} by {_FUSIONS.get(method, method)}{k}"
