"""Six metrics of rows in memory, and ROC-AUC alone, beside the libraries people use for it.

    python benchmarks/memory_bench.py [--rows 1e7] [--growth 1e5,1e6,1e7] [--peers 1e6]

``--rows`` is the size of the race with scikit-learn, ``--peers`` that of the race with the others,
``--growth`` the sizes at which veridical alone is timed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import Side, Time, arguments, race, rare_events, ratio, record, written

FN, FP, REVIEW = 850.0, 25.0, 5.0
FPR, BINS = 0.001, 10
SIX = (
    "binary.roc_auc", "binary.average_precision", "binary.recall@fpr=0.001",
    "calibration.brier", "calibration.ece", "cost.best_threshold",
)  # fmt: skip
SHORT = ("auc", "ap", "recall", "brier", "ece", "cost")

Data = dict[str, np.ndarray[Any, Any]]
Six = dict[str, float]


def veridical(data: Data) -> Six:
    """Measure all six through the public call, input validation and data hash included."""
    import veridical as vd

    costs = vd.Costs(fn=FN, fp=FP, review=REVIEW)
    ev = vd.evaluate(data, SIX, label="y", score="s", costs=costs, intervals=False)
    return {short: ev[name].value for short, name in zip(SHORT, SIX, strict=True)}


def scikit_learn(data: Data) -> Six:
    """Make a call for each metric, as a notebook does."""
    from sklearn import metrics

    y, s = data["y"], data["s"]
    fpr, tpr, _ = metrics.roc_curve(y, s)
    recall = tpr[np.flatnonzero(fpr <= FPR)[-1]]
    fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=False)
    return {
        "auc": metrics.roc_auc_score(y, s),
        "ap": metrics.average_precision_score(y, s),
        "recall": recall,
        "brier": metrics.brier_score_loss(y, s),
        "ece": calibration_error(y, s),
        "cost": best_cost(y, tpr, fpr),
    }


def scikit_learn_once(data: Data) -> Six:
    """Take everything from one ``roc_curve``: one sort, as an expert does."""
    from sklearn import metrics

    y, s = data["y"], data["s"]
    fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=False)
    P = np.count_nonzero(y)
    tp, fp = tpr * P, fpr * (len(y) - P)
    precision = np.divide(tp, tp + fp, out=np.ones_like(tp), where=tp + fp > 0)
    return {
        "auc": metrics.auc(fpr, tpr),
        "ap": np.sum(np.diff(tpr) * precision[1:]),
        "recall": tpr[np.flatnonzero(fpr <= FPR)[-1]],
        "brier": np.mean((s - y) ** 2),
        "ece": calibration_error(y, s),
        "cost": best_cost(y, tpr, fpr),
    }


def calibration_error(y: Any, s: Any) -> float:
    """ECE from ``calibration_curve``, which leaves the rows per bin to its caller."""
    from sklearn.calibration import calibration_curve

    rate, mean = calibration_curve(y, s, n_bins=BINS)
    rows = np.bincount(np.searchsorted(np.arange(1, BINS) / BINS, s), minlength=BINS)
    return float(np.dot(rows[rows > 0], np.abs(rate - mean)) / len(s))


def best_cost(y: Any, tpr: Any, fpr: Any) -> float:
    """Lowest cost over the thresholds of a ROC curve."""
    P = np.count_nonzero(y)
    tp, fp = np.rint(tpr * P), np.rint(fpr * (len(y) - P))
    return float((FN * (P - tp) + FP * fp + REVIEW * (tp + fp)).min())


def torchmetrics(data: Data) -> Six:
    """Use its exact functions (``thresholds=None``) on float64 tensors, on the processor."""
    import torch
    from torchmetrics.functional import classification as tm

    torch.set_num_threads(1)
    y, s = torch.from_numpy(data["y"]).long(), torch.from_numpy(data["s"])
    fpr, tpr, _ = tm.binary_roc(s, y)
    allowed = fpr <= FPR
    return {
        "auc": tm.binary_auroc(s, y),
        "ap": tm.binary_average_precision(s, y),
        "recall": tpr[allowed].max(),
        "brier": torch.mean((s - y) ** 2),
        "ece": tm.binary_calibration_error(s, y, n_bins=BINS, norm="l1"),
        "cost": best_cost(data["y"], tpr.numpy(), fpr.numpy()),
    }


def veridical_auc(data: Data) -> Six:
    """Measure ROC-AUC with its DeLong interval left out."""
    import veridical as vd

    return {"auc": vd.measure("binary.roc_auc", data["y"], data["s"], intervals=False).value}


def scikit_learn_auc(data: Data) -> Six:
    """Call ``roc_auc_score``."""
    from sklearn.metrics import roc_auc_score

    return {"auc": roc_auc_score(data["y"], data["s"])}


def torchmetrics_auc(data: Data) -> Six:
    """Call ``binary_auroc``."""
    import torch
    from torchmetrics.functional.classification import binary_auroc

    torch.set_num_threads(1)
    return {"auc": binary_auroc(torch.from_numpy(data["s"]), torch.from_numpy(data["y"]).long())}


def polars_ds_auc(data: Data) -> Six:
    """Call ``query_roc_auc`` in a lazy plan."""
    import polars as pl
    import polars_ds as pds

    frame = pl.DataFrame({"y": data["y"].astype(np.int8), "s": data["s"]})
    return {"auc": frame.select(pds.query_roc_auc("y", "s")).item()}


def duckdb_auc(data: Data) -> Six:
    """Rank by ``GROUP BY score ORDER BY score`` with a running sum, in SQL."""
    import duckdb
    import pyarrow as pa

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.register("rows", pa.table({"y": data["y"].astype(np.int8), "s": data["s"]}))
    auc = connection.execute("""
        WITH scores AS (SELECT s, sum(y) AS p, count(*) - sum(y) AS n FROM rows GROUP BY s),
        ranked AS (SELECT p, n, sum(n) OVER (ORDER BY s) AS up_to FROM scores)
        SELECT sum(p * (up_to - n / 2.0)) / (sum(p) * sum(n)) FROM ranked
    """).fetchone()
    return {"auc": auc[0]}


OURS = (
    Side("veridical", "veridical", runs=5),
    Side("veridical, numpy", "veridical", environment={"VERIDICAL_KERNELS": "numpy"}),
)
PREVALENCES = (0.0015, 0.05, 0.5)


def six_metrics(n: int) -> None:
    """Race with scikit-learn at three prevalences."""
    theirs = (
        Side("scikit-learn, six calls", "scikit_learn", runs=1),
        Side("scikit-learn, one sort", "scikit_learn_once", runs=1),
    )
    rows = []
    for prevalence in PREVALENCES:
        data = written(f"rows-{n}-{prevalence}", lambda p=prevalence: rare_events(n, p))
        times = race("memory_bench", data, (*theirs, *OURS))
        rows += [
            (
                f"{prevalence:.2%}", name, f"{time.seconds:.3f}",
                ratio(times[theirs[0].name], time), ratio(times[theirs[1].name], time),
                f"{time.added:.0f}",
            )
            for name, time in times.items()
        ]  # fmt: skip
    record(
        "1-six-metrics",
        f"Six metrics of {n:,} rows in memory",
        "ROC-AUC, average precision, recall at FPR 0.001, Brier score, ECE and the lowest cost; "
        "one thread. veridical is the public `evaluate`, with input validation and the sha256 of "
        "the data. Ratios say how many times as long scikit-learn takes: with a call a metric, and "
        "with everything from one sort. Memory is what a run adds to the data.",
        ("positive", "", "seconds", "times six calls", "times one sort", "MB added"),
        rows,
    )


def peers(n: int) -> None:
    """Race with the others, at the prevalence of fraud."""
    data = written(f"rows-{n}-0.0015", lambda: rare_events(n, 0.0015))
    sides = (
        Side("scikit-learn, six calls", "scikit_learn"),
        Side("torchmetrics", "torchmetrics", runs=2),
        Side("veridical", "veridical", runs=5),
    )
    # torchmetrics keeps some of its sums in float32.
    times = race("memory_bench", data, sides, rtol=1e-5)
    _told("2-peers", f"The same six metrics of {n:,} rows, 0.15% positive", times)
    sides = (
        Side("scikit-learn", "scikit_learn_auc"),
        Side("torchmetrics", "torchmetrics_auc"),
        Side("polars-ds", "polars_ds_auc"),
        Side("DuckDB SQL", "duckdb_auc"),
        Side("veridical", "veridical_auc", runs=5),
    )
    times = race("memory_bench", data, sides, rtol=1e-5)
    _told("3-auc", f"ROC-AUC alone of {n:,} rows, 0.15% positive", times)


def _told(section: str, title: str, times: dict[str, Time]) -> None:
    ours = times["veridical"]
    record(
        section,
        title,
        "One thread, processor time. The ratio says how many times as long the other takes.",
        ("", "seconds", "ratio", "MB added"),
        [
            (name, f"{time.seconds:.3f}", ratio(time, ours), f"{time.added:.0f}")
            for name, time in times.items()
        ],
    )


def growth(every: list[int]) -> None:
    """Time veridical alone at several sizes."""
    rows = []
    for n in every:
        data = written(f"rows-{n}-0.0015", lambda n=n: rare_events(n, 0.0015))
        times = race("memory_bench", data, OURS)
        rows += [
            (f"{n:,}", name, f"{time.seconds:.4f}", f"{time.seconds / n * 1e9:.1f}")
            for name, time in times.items()
        ]
    record(
        "4-growth",
        "Growth with the rows, in memory",
        "The six metrics at 0.15% positive.",
        ("rows", "", "seconds", "ns a row"),
        rows,
    )


def main() -> None:
    """Run the races."""
    asked = arguments("rows in memory", rows="1e7", peers="1e6", growth="1e5,1e6,1e7")
    for n in asked.rows:
        six_metrics(n)
    for n in asked.peers:
        peers(n)
    if asked.growth:
        growth(asked.growth)


if __name__ == "__main__":
    main()
