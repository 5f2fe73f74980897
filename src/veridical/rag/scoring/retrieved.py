"""The retrieval metrics of one case, by the formulas of the family ``retrieval``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from veridical.metrics.retrieval_values import discounts
from veridical.rag.answers import Answer, CaseError, Chunk, Reply
from veridical.rag.cases import Case
from veridical.rag.matching import matched_ids
from veridical.rag.outcomes import Outcome
from veridical.rag.scoring.registry import METRICS
from veridical.rag.scoring.settings import ScoreSettings
from veridical.rag.scoring.states import case_failed, skipped
from veridical.reasons import SkipReason

__all__ = ["GRADED", "retrieval_outcomes", "retrieval_values"]

GRADED = "graded"
"""Flag of an nDCG whose case gives grades."""

_NAMES = tuple(name for name in METRICS if name.startswith("retrieval."))


def retrieval_outcomes(case: Case, reply: Reply, settings: ScoreSettings) -> dict[str, Outcome]:
    """Return the outcome of each retrieval metric of a case that was answered, by its name."""
    retrieved = _retrieved(reply)
    if isinstance(retrieved, CaseError):
        return dict.fromkeys(_NAMES, case_failed(retrieved))
    if retrieved is None:
        why = skipped(SkipReason.NO_RETRIEVAL, "adapter does not expose retrieval")
        return dict.fromkeys(_NAMES, why)
    if not any(grade >= 1.0 for grade in case.expected_sources.values()):
        why = skipped(SkipReason.NO_EXPECTED_SOURCES, "case has no expected_source_ids")
        return dict.fromkeys(_NAMES, why)
    ranked = matched_ids(retrieved, settings.source_match)
    values = retrieval_values(ranked, case.expected_sources, settings.k)
    outcomes = {name: Outcome("scored", value) for name, value in values.items()}
    if case.graded:
        outcomes["retrieval.ndcg"] = Outcome("scored", values["retrieval.ndcg"], flags=(GRADED,))
    return outcomes


def retrieval_values(
    ranked: Sequence[str], grades: Mapping[str, float], k: int
) -> dict[str, float]:
    """Return the retrieval metrics of one list.

    Parameters
    ----------
    ranked
        Distinct ids, best first.
    grades
        Expected id to grade; relevant are those of at least 1, and there is one.
    k
        Cut-off of all but ``mrr``, at least 1.

    Examples
    --------
    >>> values = retrieval_values(["x", "a"], {"a": 1.0, "b": 1.0}, 5)
    >>> values["retrieval.precision"], values["retrieval.recall"], values["retrieval.mrr"]
    (0.2, 0.5, 0.5)
    """
    ranks = [rank for rank, id_ in enumerate(ranked, 1) if grades.get(id_, 0.0) >= 1.0]
    hits = sum(rank <= k for rank in ranks)
    relevant = sum(grade >= 1.0 for grade in grades.values())
    gained = [grades.get(id_, 0.0) for id_ in ranked[:k]]
    best = sorted(grades.values(), reverse=True)[:k]
    return {
        "retrieval.precision": hits / k,
        "retrieval.recall": hits / relevant,
        "retrieval.mrr": 1.0 / ranks[0] if ranks else 0.0,
        "retrieval.ndcg": _dcg(gained) / _dcg(best),
    }


def _dcg(gains: Sequence[float]) -> float:
    # One after the other, as the catalogue's metric adds: sum() of newer Pythons does not.
    total = 0.0
    for gain, discount in zip(gains, _discounts(len(gains)), strict=True):
        total += gain / discount
    return total


@cache
def _discounts(n: int) -> tuple[float, ...]:
    return tuple(discounts(np.arange(1, n + 1)).tolist())


def _retrieved(reply: Reply) -> tuple[Chunk, ...] | CaseError | None:
    """Return what ``retrieve()`` gave where there is one, else the answer's own chunks."""
    if reply.retrieved is not None:
        return reply.retrieved
    return reply.answer.retrieved_chunks if isinstance(reply.answer, Answer) else None
