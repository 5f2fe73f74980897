"""Small payloads of the report's documented shape."""

import numpy as np

from veridical.costs import Costs
from veridical.report.operating_points import operating_points, reliability_bins
from veridical.results import Conditions, Interval, Measured, Skipped
from veridical.summaries import ReliabilityTable, ScoreTable

HOSTILE = "<img src=x onerror=window.pwned=1>"
PRICES = Costs(fn=850, fp=25, review=5, currency="USD")


def rows(seed=5, n=600, prevalence=0.15, levels=200):
    """Labels, and forecasts that know something about them, with ties."""
    generator = np.random.default_rng(seed)
    positive = generator.random(n) < prevalence
    logit = generator.normal(-2.0, 1.2, n) + 2.0 * positive
    return positive, np.round(levels / (1 + np.exp(-logit))) / levels


def score_table(**kwargs):
    return ScoreTable.from_rows(*rows(**kwargs))


def subject(name, table, *, costs=PRICES, named=(("in use", 0.5), ("flag nothing", None))):
    positives, negatives = int(table.total_positives), int(table.total_negatives)
    total = positives + negatives
    bins = reliability_bins(ReliabilityTable.from_scores(table))
    return {
        "name": name,
        "is_probability": True,
        "positives": positives,
        "negatives": negatives,
        "prevalence": positives / total if total else None,
        "points": operating_points(table, costs=costs, keep=[t for _, t in named]),
        "named_thresholds": [{"name": n, "threshold": t} for n, t in named],
        "reliability": bins,
    }


def measured(metric, value, column, group=None, **fields):
    interval = Interval(value * 0.9, min(1.0, value * 1.1), 0.95, "wilson")
    fields = {"n_rows": 600, "interval": interval, "conditions": Conditions({"bins": 10})} | fields
    return Measured(value, 90, metric=metric, subject=column, group=group, **fields).to_dict()


def results(names):
    found = [measured("binary.accuracy", 0.91, name) for name in names]
    found += [measured("binary.roc_auc", 0.8765, name) for name in names]
    found += [measured("binary.roc_auc", 0.7654, name, group=f"g={HOSTILE}") for name in names]
    skipped = Skipped(
        "no_threshold", metric="binary.precision", subject=names[0], notes=(f"a note {HOSTILE}",)
    )
    return [*found, skipped.to_dict()]


def payload(names=("p_logistic", HOSTILE), **changes):
    tables = [score_table(seed=5 + i) for i, _ in enumerate(names)]
    difference = measured("binary.roc_auc", 0.0222, None)
    content = {
        "title": f"A report on {HOSTILE}",
        "passport": {
            "source": f"{HOSTILE}.csv",
            "sha256": "ab" * 32,
            "rows": 600,
            "label": HOSTILE,
            "positive": HOSTILE,
            "level": 0.95,
            "seed": 0,
            "versions": {"veridical": "0.1.0"},
            "command": f"veridical evaluate '{HOSTILE}'",
            "counts": {"n_skipped": 3},
        },
        "subjects": [subject(n, table) for n, table in zip(names, tables, strict=True)],
        "results": results(names),
        "costs": PRICES.to_dict() | {"false_alarm": "30"},
        "comparisons": [
            {
                "metric": "binary.roc_auc",
                "a": names[0],
                "b": names[-1],
                "value_a": 0.8765,
                "value_b": 0.8543,
                "difference": difference,
                "p_value": 0.0123,
                "p_adjusted": 0.0246,
                "method": "paired DeLong",
            }
        ],
        "policy": {
            "name": HOSTILE,
            "verdict": "not met",
            "rows": [
                {
                    "rule": f"roc_auc >= 0.95 {HOSTILE}",
                    "result": measured("binary.roc_auc", 0.8765, names[0]),
                    "verdict": "not met",
                    "vacuous": True,
                    "note": HOSTILE,
                }
            ],
        },
        "metrics": {
            "binary.roc_auc": {"title": "ROC-AUC", "better": "higher", "baseline": 0.5},
        },
        "note_sentences": {},
        "notes": [HOSTILE],
    }
    return content | changes
