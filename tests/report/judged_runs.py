"""Comparisons, trends and verdicts of runs in files, whose names would run something."""

import json

import numpy as np

import veridical as vd
from tests.report.payloads import HOSTILE
from veridical.comparison.runs import compare_recorded
from veridical.comparison.trends import trend
from veridical.gates import gate

FOLDER = "a folder that is nobody's business"
RULES = """version: 1
name: house
rules:
  - {metric: roc_auc, at_least: 0.5, note: "the board's <b>bound</b>"}
  - {metric: roc_auc, at_least: 0.99}
  - {metric: roc_auc, no_worse_than: baseline, margin: 0.01}
  - {metric: recall, at_least: 0.5}
"""


def files(folder, threshold=None, n=400):
    """Write what three models got on the same rows, and return the files; the first has another
    threshold."""
    rng = np.random.default_rng(7)
    y = rng.random(n) < 0.3
    where = folder / FOLDER
    where.mkdir(exist_ok=True)
    paths = []
    for at, name in enumerate((f"{HOSTILE}.json", "second & so on.json", "third.json")):
        scores = np.clip(0.3 + 0.25 * y + rng.normal(0, 0.2 + 0.05 * at, n), 0, 1).round(3)
        data = {"y": y.astype(int), HOSTILE: scores, "g": np.where(rng.random(n) < 0.5, "a", "b")}
        ev = vd.evaluate(
            data,
            ["roc_auc", "brier", "recall"],
            label="y",
            score=HOSTILE,
            groups=["g"],
            threshold=threshold if at == 0 else 0.5,
        )
        path = where / name
        path.write_text(json.dumps(ev.to_dict()), encoding="utf-8")
        paths.append(path)
    return paths


def comparison(folder):
    one, two, _ = files(folder, threshold=0.4)
    return compare_recorded(one, two, allow=["data", "threshold"])


def followed(folder):
    return trend(files(folder, threshold=0.4), "recall", allow=["data"])


def judged(folder):
    one, two, _ = files(folder)
    rules = folder / "rules.yaml"
    rules.write_text(RULES, encoding="utf-8")
    return gate(one, rules, baseline=two, allow=["data"])


MADE = {"comparison": comparison, "trend": followed, "gate": judged}
