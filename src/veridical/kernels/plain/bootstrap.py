"""Ranking metrics of many resamples of the same slots."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["sweep"]

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


def sweep(positives: Counts, negatives: Counts, fprs: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (ROC-AUC, average precision, recall at each FPR) of each row.

    ``negatives`` holds the slots in ascending order: between, tied, between, ..., between.  Every
    row holds both classes.
    """
    at, tied, above = positives[:, ::-1], negatives[:, -2::-2], negatives[:, :0:-2]
    tp = np.cumsum(at, axis=1)
    fp = np.cumsum(above + tied, axis=1)
    P, N = tp[:, -1], negatives.sum(axis=1)
    # A positive outranks the negatives below it, and half of those that tie with it.
    pairs = at.astype(np.float64) * ((N[:, None] - fp) + 0.5 * tied)
    precisions = at.astype(np.float64) * np.divide(
        tp, tp + fp, out=np.zeros(tp.shape), where=at > 0
    )
    fpr = fp / N[:, None]
    recall = [np.where(fpr <= limit, tp, 0).max(axis=1) / P for limit in fprs]
    return (
        _in_order(pairs) / (P.astype(np.float64) * N),
        _in_order(precisions) / P,
        np.array(recall).reshape(len(fprs), len(P)).T.copy(),
    )


def _in_order(terms: Floats) -> Floats:
    # ``sum`` adds pairwise, ``cumsum`` from first to last, as a plain loop does.
    last: Floats = np.cumsum(terms, axis=1)[:, -1]
    return last
