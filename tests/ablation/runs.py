"""Experiments whose every number is known, and files of scores to read."""

import csv

import numpy as np

from veridical.evaluation.result_set import ResultSet
from veridical.results import Measured

METRIC = "binary.roc_auc"


def run_of(value, *, metric=METRIC, **passport):
    """Return a run that was measured elsewhere: one value, and no rows."""
    result = Measured(value, n=100, metric=metric, subject="p", **passport)
    return ResultSet(results=(result,), source={}, subjects=("p",))


def table_of(cells, names):
    """Return one row a run, from levels to the values of the seeds."""
    return [
        {**dict(zip(names, levels, strict=True)), "seed": seed, "run": run_of(value)}
        for levels, values in cells.items()
        for seed, value in enumerate(values, 1)
    ]


def write_scores(path, y, scores, ids=None):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "y", "p"])
        for at, (label, score) in enumerate(zip(y, scores, strict=True)):
            writer.writerow([ids[at] if ids is not None else at, int(label), repr(float(score))])


def write_experiment(folder, *, seeds=(1, 2, 3), n=200, own_rows=False):
    """Write files of scores of a 2 x 2 experiment, and their table."""
    generator = np.random.default_rng(4)
    y = generator.random(n) < 0.4
    rows = []
    for loss in ("ce", "focal"):
        for features in ("few", "all"):
            for seed in seeds:
                if own_rows:
                    y = generator.random(n) < 0.4
                z = 1.2 * y + 0.5 * y * (features == "all") + generator.normal(size=n)
                name = f"{loss}-{features}-{seed}.csv"
                start = len(rows) * n if own_rows else 0
                write_scores(folder / name, y, 1 / (1 + np.exp(1 - z)), range(start, start + n))
                rows.append({"loss": loss, "features": features, "seed": seed, "file": name})
    path = folder / "experiment.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
