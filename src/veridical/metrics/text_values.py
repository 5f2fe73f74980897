"""Scores from counts, for many rows at once: segments, or sums of segments."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["bleu_values", "chrf_values", "rouge_values", "ter_values"]

Floats = npt.NDArray[np.float64]
EPSILON = 1e-16


def bleu_values(
    rows: Any,
    order: int,
    *,
    smoothing: str,
    added: float,
    floor: float,
    effective_order: str,
) -> Floats:
    """Return BLEU in [0, 1] of each row of ``bleu_counts``, shape (rows,).

    Parameters
    ----------
    rows
        Shape (rows, 2 + 3 order).
    order
        Longest n-gram.
    smoothing, added, floor
        ``exp``, ``floor``, ``add-k`` or ``none``; what ``add-k`` adds above the first order, and
        what ``floor`` puts in for no match.
    effective_order
        Orders left out: those longer than ``both`` texts, than the candidate (``yes``), or none
        (``no``).
    """
    counts = np.asarray(rows, dtype=np.float64)
    length, closest = counts[:, 0], counts[:, 1]
    matches, totals, of_reference = (counts[:, 2 + k * order :][:, :order] for k in range(3))
    log_sum, used = np.zeros(len(counts)), np.zeros(len(counts))
    halving = np.ones(len(counts))
    for n in range(order):
        more = added if smoothing == "add-k" and n else 0.0
        match, total = matches[:, n] + more, totals[:, n] + more
        longer = (totals[:, n] == 0) & (of_reference[:, n] == 0)
        out = (total == 0) & (longer if effective_order == "both" else effective_order == "yes")
        smoothed = (match == 0) & (total > 0)
        if smoothing == "exp":
            halving = np.where(smoothed, 2 * halving, halving)
            match = np.where(smoothed, 1 / halving, match)
        elif smoothing == "floor":
            match = np.where(smoothed, floor, match)
        # An order without any n-gram has precision 0.
        precision = np.divide(match, total, out=np.zeros(len(counts)), where=total > 0)
        with np.errstate(divide="ignore"):
            log_sum += np.where(out, 0.0, np.log(precision))
        used += ~out
    mean = np.exp(np.divide(log_sum, used, out=np.full(len(counts), -np.inf), where=used > 0))
    shortage = 1 - np.divide(closest, length, out=np.ones(len(counts)), where=length > 0)
    brevity = np.where(length < closest, np.exp(np.minimum(shortage, 0.0)), 1.0)
    found = (length > 0) & (matches.sum(axis=1) > 0)
    score: Floats = np.where(found, brevity * mean, 0.0)
    return np.minimum(score, 1.0)


def chrf_values(rows: Any, beta: float, effective_order: str = "yes") -> Floats:
    """Return chrF in [0, 1] of each row of ``character_counts``, shape (rows,)."""
    counts = np.asarray(rows, dtype=np.float64)
    ours, theirs, common = counts[:, 0::3], counts[:, 1::3], counts[:, 2::3]
    empty = 0.0 if effective_order == "yes" else EPSILON
    precision = np.divide(common, ours, out=np.full(ours.shape, empty), where=ours > 0)
    recall = np.divide(common, theirs, out=np.full(ours.shape, empty), where=theirs > 0)
    if effective_order == "no":
        score = _f(precision, recall, beta)
        return np.asarray(np.where(score > 0, score, EPSILON).mean(axis=1), dtype=np.float64)
    both = (ours > 0) & (theirs > 0)
    used = np.maximum(both.sum(axis=1), 1)
    return _f((precision * both).sum(axis=1) / used, (recall * both).sum(axis=1) / used, beta)


def ter_values(rows: Any) -> Floats:
    """Return edits over words of the reference, shape (rows,); 1 where it has none and we do."""
    counts = np.asarray(rows, dtype=np.float64)
    without = (counts[:, 0] > 0).astype(np.float64)
    return np.divide(counts[:, 0], counts[:, 1], out=without, where=counts[:, 1] > 0)


def rouge_values(rows: Any, score: str = "f1") -> Floats:
    """Return precision, recall or F1 of rows of matches, candidate and reference, shape (rows,)."""
    counts = np.asarray(rows, dtype=np.float64)
    common, ours, theirs = counts[:, 0], counts[:, 1], counts[:, 2]
    below = {"precision": ours, "recall": theirs, "f1": (ours + theirs) / 2}[score]
    zero = np.zeros(len(counts))
    return np.divide(common, below, out=zero, where=(ours > 0) & (theirs > 0))


def _f(precision: Floats, recall: Floats, beta: float) -> Floats:
    below = beta**2 * precision + recall
    above = (1 + beta**2) * precision * recall
    zero: Floats = np.zeros(np.shape(below))
    return np.divide(above, below, out=zero, where=below > 0)
