"""Fusion as it is defined, document by document: what the one in columns must equal."""

import math


def fused(runs, method, k=60.0):
    """Fuse runs ``{query: {document: score}}``."""
    made = {query: {} for run in runs for query in run}
    for query, documents in made.items():
        parts = [scaled(run[query], method, k) for run in runs if query in run]
        for document in dict.fromkeys(one for part in parts for one in part):
            found = [part[document] for part in parts if document in part]
            times = len(found) if method == "combmnz" else 1
            documents[document] = math.fsum(found) * times
    return made


def scaled(scores, method, k):
    """Return what each document of one query gets from one run."""
    if method == "rrf":
        order = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
        return {document: 1 / (k + rank) for rank, document in enumerate(order, 1)}
    low, high = min(scores.values(), default=0), max(scores.values(), default=0)
    if low == high:
        return dict.fromkeys(scores, 1.0)
    half = 0.5 if math.isinf(high - low) else 1.0
    return {
        document: (score * half - low * half) / (high * half - low * half)
        for document, score in scores.items()
    }
