"""How the tests of this folder measure any registered metric on any rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import veridical as vd
from veridical.measures import Definition, Measure
from veridical.results import Result
from veridical.summaries import ConfusionCounts

THRESHOLD = 0.45
COSTS = vd.Costs(fn=10, fp=2, review=1)
REPLICATES = 200
Form = tuple[Measure, Definition]


@dataclass(frozen=True)
class Rows:
    labels: Any
    scores: np.ndarray
    weight: np.ndarray | None = None
    cluster: np.ndarray | None = None

    def part(self, rows: Any) -> Rows:
        """Return some of the rows, or all in another order."""
        columns = {name: getattr(self, name) for name in ("labels", "scores", "weight", "cluster")}
        return Rows(**{k: None if v is None else np.asarray(v)[rows] for k, v in columns.items()})

    def but(self, **columns: Any) -> Rows:
        """Return the rows with other columns."""
        return replace(self, **columns)


def measured(metric: Measure | str, rows: Rows, **settings: Any) -> Result:
    """Measure with a threshold and prices, so that every metric has what it needs."""
    settings = {"threshold": THRESHOLD, "costs": COSTS, "replicates": REPLICATES, **settings}
    return vd.measure(
        metric, rows.labels, rows.scores, weight=rows.weight, cluster=rows.cluster, **settings
    )


def sample(seed: int = 0, n: int = 160, levels: int = 40, *, signal: float = 1.2) -> Rows:
    """Return tied probabilities strictly inside (0, 1) that follow the labels."""
    generator = np.random.default_rng(seed)
    labels = (generator.random(n) < 0.3).astype(int)
    labels[:2] = [0, 1]
    p = 1 / (1 + np.exp(-(generator.normal(size=n) + signal * labels - 0.8)))
    return Rows(labels, (np.floor(p * levels) + 0.5) / levels)


def is_decision(form: Form) -> bool:
    """Whether the metric is a function of a decision at a threshold."""
    return form[1].summary is ConfusionCounts


def is_ranking(form: Form) -> bool:
    """Whether the metric depends on nothing but the order of the scores."""
    definition = form[1]
    return definition.family == "binary" and not is_decision(form) and not definition.probabilities
