"""Retrieval: what a ranked list of documents is worth, judged by a golden set."""

from veridical.metrics.retrieval_counts import (
    f1,
    judged,
    precision,
    r_precision,
    recall,
    success,
)
from veridical.metrics.retrieval_ranks import bpref, err, map, mrr, ndcg, rbp  # noqa: A004

__all__ = [
    "bpref",
    "err",
    "f1",
    "judged",
    "map",
    "mrr",
    "ndcg",
    "precision",
    "r_precision",
    "rbp",
    "recall",
    "success",
]
