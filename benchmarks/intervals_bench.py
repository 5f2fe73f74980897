"""Intervals: the bootstrap over slots, and the closed forms, beside resampling rows.

    python benchmarks/intervals_bench.py [--rows 1e5] [--large 1e6]

The loops of the others are measured on a few replicates and multiplied: a thousand take minutes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import Side, arguments, race, rare_events, record, written

REPLICATES = 1000
FPR = 0.001

Data = dict[str, np.ndarray[Any, Any]]
Answers = dict[str, float]


def veridical(data: Data) -> Answers:
    """Draw a thousand replicates of three metrics over the slots of the rows."""
    from veridical import kernels

    y, s = data["y"], data["s"]
    edges, at = kernels.slot_edges(s[y])
    counts = kernels.slot_counts(edges, s, y)
    drawn = kernels.slot_bootstrap(
        at, counts.tied, counts.between, replicates=REPLICATES, fprs=[FPR]
    )
    return {
        "auc": np.mean(drawn.roc_auc),
        "ap": np.mean(drawn.average_precision),
        "recall": np.mean(drawn.recall),
    }


def scikit_learn(data: Data, replicates: int) -> Answers:
    """Resample rows and call the metrics, as everybody's loop does."""
    from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

    y, s, rng = data["y"], data["s"], np.random.default_rng(1)
    values = []
    for _ in range(replicates):
        index = rng.integers(0, len(y), len(y))
        fpr, tpr, _ = roc_curve(y[index], s[index])
        values.append((
            roc_auc_score(y[index], s[index]),
            average_precision_score(y[index], s[index]),
            tpr[np.flatnonzero(fpr <= FPR)[-1]],
        ))  # fmt: skip
    return dict(zip(("auc", "ap", "recall"), np.mean(values, axis=0), strict=True))


def scipy_bootstrap(data: Data, replicates: int) -> Answers:
    """Use ``scipy.stats.bootstrap`` with scikit-learn's ROC-AUC."""
    from scipy.stats import bootstrap
    from sklearn.metrics import roc_auc_score

    found = bootstrap(
        (data["y"], data["s"]), roc_auc_score, paired=True, vectorized=False,
        n_resamples=replicates, method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    return {"auc": np.mean(found.bootstrap_distribution)}


def delong(data: Data) -> Answers:
    """Measure ROC-AUC with its DeLong interval."""
    import veridical as vd

    found = vd.measure("binary.roc_auc", data["y"], data["s"])
    return {"auc": found.value}


def confidenceinterval_delong(data: Data) -> Answers:
    """Use the ``confidenceinterval`` package's DeLong interval."""
    from confidenceinterval import roc_auc_score

    auc, _ = roc_auc_score(data["y"].astype(int), data["s"])
    return {"auc": auc}


def evaluate(data: Data) -> Answers:
    """Make the whole default evaluation with every interval, prices included."""
    import veridical as vd

    ev = vd.evaluate(data, label="y", score="s", costs=vd.Costs(fn=850, fp=25, review=5))
    return {"auc": ev["binary.roc_auc"].value}


def replicates(n: int) -> None:
    """Race with loops over resampled rows."""
    data = written(f"rows-{n}-0.0015", lambda: rare_events(n, 0.0015))
    few = 5
    sides = (
        Side("veridical", "veridical", runs=7),
        Side("veridical, numpy", "veridical", environment={"VERIDICAL_KERNELS": "numpy"}),
        Side("scikit-learn loop", "scikit_learn", {"replicates": few}),
        Side("scipy.stats.bootstrap, ROC-AUC alone", "scipy_bootstrap", {"replicates": few}),
    )
    # Means of five replicates and of a thousand agree as well as five replicates can.
    times = race("intervals_bench", data, sides, rtol=0.1)
    drawn = {side.name: side.settings.get("replicates", REPLICATES) for side in sides}
    each = {name: time.seconds / drawn[name] for name, time in times.items()}
    record(
        "5-bootstrap",
        f"{REPLICATES:,} bootstrap replicates of {n:,} rows, 0.15% positive",
        "ROC-AUC, average precision and recall at FPR 0.001 of each replicate. The seconds of the "
        f"loops over rows are those of {few} replicates, multiplied.",
        ("", "seconds", "ratio"),
        [
            (name, f"{each[name] * REPLICATES:.3f}", f"{each[name] / each['veridical']:,.0f}")
            for name in times
        ],
    )


def delong_intervals(n: int) -> None:
    """Race with the other DeLong interval."""
    data = written(f"rows-{n}-0.0015", lambda: rare_events(n, 0.0015))
    sides = (
        Side("veridical", "delong", runs=5),
        Side("confidenceinterval", "confidenceinterval_delong"),
    )
    # The other one computes the area in float32.
    times = race("intervals_bench", data, sides, rtol=1e-6)
    ours = times["veridical"].seconds
    record(
        "6-delong",
        f"ROC-AUC of {n:,} rows with DeLong's interval",
        "Input validation included.",
        ("", "seconds", "ratio"),
        [(name, f"{t.seconds:.4f}", f"{t.seconds / ours:.1f}") for name, t in times.items()],
    )


def whole(every: list[int]) -> None:
    """Time the default evaluation with every interval."""
    rows = []
    for n in every:
        for prevalence in (0.0015, 0.12, 0.5):
            data = written(f"rows-{n}-{prevalence}", lambda n=n, p=prevalence: rare_events(n, p))
            (time,) = race("intervals_bench", data, [Side("veridical", "evaluate")]).values()
            rows.append((f"{n:,}", f"{prevalence:.2%}", f"{time.seconds:.3f}", f"{time.added:.0f}"))
    record(
        "7-evaluate",
        "The default evaluation with every interval, in memory",
        "Ranking, operating points, calibration and costs; one thread.",
        ("rows", "positive", "seconds", "MB added"),
        rows,
    )


def main() -> None:
    """Run the races."""
    asked = arguments("intervals", rows="1e5", large="1e6")
    for n in asked.rows:
        replicates(n)
        delong_intervals(n)
    if asked.large:
        whole(asked.large)


if __name__ == "__main__":
    main()
