"""The kernels beside scikit-learn: six metrics of one set of rows, and a bootstrap of three.

Both sides get the same arrays and must give the same numbers before a ratio is printed.  Only the
ratios of one run mean something: times depend on the machine.  They are processor times, so that
whatever else the machine does counts for neither side.

    python benchmarks/kernels_bench.py [--rows 10000000] [--runs 3]
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score, roc_curve

from veridical import kernels
from veridical.errors import MissingExtraError
from veridical.kernels.choice import VARIABLE

COST_FN, COST_FP, COST_REVIEW = 850.0, 25.0, 5.0
FPR, BINS = 0.001, 10

# Above this share of positives one sort of all rows is faster than slots.
SLOTS_UP_TO = 0.1

Array = np.ndarray[Any, Any]
Six = tuple[float, ...]


def scikit_learn(y: Array, s: Array) -> Six:
    """ROC-AUC, average precision, recall at FPR 0.001, Brier, ECE, best cost: a call each."""
    auc = roc_auc_score(y, s)
    ap = average_precision_score(y, s)
    fpr, tpr, _ = roc_curve(y, s)
    recall = tpr[np.flatnonzero(fpr <= FPR)[-1]]
    brier = brier_score_loss(y, s)
    rate, mean = calibration_curve(y, s, n_bins=BINS)
    rows = np.bincount(np.searchsorted(np.arange(1, BINS) / BINS, s), minlength=BINS)
    ece = np.dot(rows[rows > 0], np.abs(rate - mean)) / len(s)
    fpr, tpr, _ = roc_curve(y, s, drop_intermediate=False)
    P = np.count_nonzero(y)
    cost = best_cost(np.rint(tpr * P), np.rint(fpr * (len(y) - P)), P)
    return auc, ap, recall, brier, ece, cost


def veridical(y: Array, s: Array) -> Six:
    """Compute the same six from two passes over the rows, or from one sort and one pass."""
    if np.count_nonzero(y) <= SLOTS_UP_TO * len(y):
        edges, at = kernels.slot_edges(s[y])
        counts = kernels.slot_counts(edges, s, y)
        if counts.nan_rows or counts.outside_rows:
            raise ValueError("scores are not probabilities")
        tied, above = counts.tied[::-1], counts.between[:0:-1]
        at = at[::-1]
    else:
        _, positives, negatives = kernels.sorted_groups(y, s)
        at, tied = positives[::-1], negatives[::-1]
        above = np.zeros_like(at)
    tp, fp = np.cumsum(at), np.cumsum(above + tied)
    P = int(tp[-1])
    N = len(y) - P
    auc = np.dot(at, (N - fp) + 0.5 * tied) / (P * N)
    ap = np.dot(at, tp / (tp + fp)) / P
    recall = tp[fp / N <= FPR].max(initial=0) / P
    cost = best_cost(tp, fp, P)
    sums = kernels.reliability_sums(y, s, BINS)
    unit = 2.0**-52
    brier = (sum(sums.sum_p2) - 2 * sum(sums.sum_py)) * unit + sum(sums.sum_y)
    ece = sum(abs(p * unit - k) for p, k in zip(sums.sum_p, sums.sum_y, strict=True))
    return auc, ap, recall, brier / len(y), ece / len(y), cost


def best_cost(tp: Array, fp: Array, P: int) -> float:
    """Return the lowest cost over thresholds, flag nothing included."""
    costs = COST_FN * (P - tp) + COST_FP * fp + COST_REVIEW * (tp + fp)
    return min(float(costs.min()), COST_FN * P)


def seconds(function: Callable[[], object], runs: int) -> float:
    """Return the median processor time of some runs, all of one thread."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)


def rows(n: int, prevalence: float, dtype: type) -> tuple[Array, Array]:
    """Return seeded labels and scores of a detector of rare events."""
    rng = np.random.default_rng(0)
    y = rng.random(n) < prevalence
    return y, np.where(y, rng.beta(4, 6, n), rng.beta(1, 30, n)).astype(dtype)


def backends() -> list[str]:
    """Return the implementations that are there."""
    found = []
    for name in ("compiled", "numpy"):
        os.environ[VARIABLE] = name
        with suppress(MissingExtraError):
            found.append(kernels.backend())
    return found


def six_metrics(n: int, runs: int) -> None:
    """Print a table of ratios for the six metrics."""
    print(f"\nsix metrics of {n:,} rows, one thread: scikit-learn's six calls take N times as long")
    for prevalence in (0.0015, 0.05, 0.5):
        for dtype in (np.float64, np.float32):
            y, s = rows(n, prevalence, dtype)
            expected = scikit_learn(y, s)
            theirs = seconds(lambda y=y, s=s: scikit_learn(y, s), 1)
            for backend in backends():
                os.environ[VARIABLE] = backend
                # float32: scikit-learn adds the Brier score up in float32.
                np.testing.assert_allclose(
                    veridical(y, s), expected, rtol=1e-9 if dtype is np.float64 else 1e-4
                )
                ours = seconds(lambda y=y, s=s: veridical(y, s), runs)
                print(
                    f"  {prevalence:7.2%} positive  {dtype.__name__}  {backend:8}"
                    f"  {theirs:7.2f} s / {ours:6.3f} s = {theirs / ours:6.1f}"
                )


def bootstrap(runs: int, n: int = 100_000, replicates: int = 1_000) -> None:
    """Print the ratio for the bootstrap, scikit-learn's loop being measured on 5 replicates."""
    y, s = rows(n, 0.0015, np.float64)
    rng = np.random.default_rng(1)

    def loop() -> None:
        index = rng.integers(0, n, n)
        resampled = y[index], s[index]
        roc_auc_score(*resampled)
        average_precision_score(*resampled)
        roc_curve(*resampled)

    def ours() -> kernels.SlotReplicates:
        edges, at = kernels.slot_edges(s[y])
        counts = kernels.slot_counts(edges, s, y)
        return kernels.slot_bootstrap(
            at, counts.tied, counts.between, replicates=replicates, fprs=[FPR]
        )

    print(f"\n{replicates:,} bootstrap replicates of AUC, AP and recall@FPR on {n:,} rows")
    theirs = seconds(loop, 5) * replicates
    for backend in backends():
        os.environ[VARIABLE] = backend
        taken = seconds(ours, runs)
        print(f"  {backend:8}  {theirs:7.2f} s / {taken:6.4f} s = {theirs / taken:8.0f}")


def main() -> None:
    """Run both tables."""
    parser = argparse.ArgumentParser(description="kernels beside scikit-learn")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=3, help="of ours, of which the median counts")
    arguments = parser.parse_args()
    bootstrap(arguments.runs)
    six_metrics(arguments.rows, arguments.runs)


if __name__ == "__main__":
    main()
