"""How each metric is presented: title, direction, bounds, and what no skill gets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from veridical.errors import VeridicalError
from veridical.metrics import find
from veridical.report.payload import MetricEntry
from veridical.report.titles import title
from veridical.results import Result

__all__ = ["is_money", "metric_entry", "no_skill"]

NoSkill = tuple[float, str]


def is_money(metric: str) -> bool:
    """Return whether a metric's value is an amount of money."""
    return metric.startswith("cost.")


def metric_entry(metric: str, results: Iterable[Result], prevalence: float | None) -> MetricEntry:
    """Return the presentation of one metric.

    Parameters
    ----------
    metric
        Canonical name.
    results
        Its results on all rows, one a score column.
    prevalence
        Share of positives in all rows; None without rows.
    """
    entry = MetricEntry(title=title(metric), money=is_money(metric))
    try:
        definition = find(metric).definition
    except VeridicalError:
        return entry  # read from a file: a metric of a package that is not installed here
    entry["better"], entry["bounds"] = definition.better, definition.bounds
    baseline = no_skill(metric, results, prevalence)
    if baseline is not None:
        entry["baseline"], entry["baseline_name"] = baseline
    return entry


def no_skill(metric: str, results: Iterable[Result], prevalence: float | None) -> NoSkill | None:
    """Return what a forecast without skill gets on this data, and which forecast that is.

    Parameters
    ----------
    metric, results, prevalence
        As for ``metric_entry``.

    Examples
    --------
    >>> no_skill("binary.average_precision", [], 0.12)
    (0.12, 'prevalence')
    >>> no_skill("binary.ks", [], 0.12) is None
    True
    """
    if metric.startswith("cost.") and not metric.startswith("cost.saving"):
        return _without_model(results)
    if metric.startswith("fairness."):
        return (1.0 if metric.startswith("fairness.disparate") else 0.0), "equal treatment"
    if prevalence is None or not 0 < prevalence < 1:
        return None
    known = _of_random_scores(prevalence) | _of_base_rate(prevalence)
    return known.get(metric.partition("@")[0].partition(",")[0]) if "@" not in metric else None


def _of_random_scores(p: float) -> dict[str, NoSkill]:
    return {
        "binary.roc_auc": (0.5, "random scores"),
        "binary.partial_auc": (0.5, "random scores"),
        "binary.average_precision": (p, "prevalence"),
        "binary.gini": (0.0, "random scores"),
        "binary.mcc": (0.0, "random flags"),
        "binary.balanced_accuracy": (0.5, "random flags"),
        "binary.precision": (p, "prevalence"),
        "binary.npv": (1 - p, "share of negatives"),
        "binary.accuracy": (max(p, 1 - p), "majority class"),
    }


def _of_base_rate(p: float) -> dict[str, NoSkill]:
    constant = "the base rate for everyone"
    return {
        "calibration.brier": (p * (1 - p), constant),
        "calibration.brier_skill": (0.0, constant),
        "calibration.log_loss": (-p * math.log(p) - (1 - p) * math.log1p(-p), constant),
    }


def _without_model(results: Iterable[Result]) -> NoSkill | None:
    """Return the cost of the better of flagging nothing and flagging everything."""
    for result in results:
        found: Mapping[str, Any] = result.conditions
        if "cost_flag_nothing" in found and "cost_flag_all" in found:
            choices = {
                "flag nothing": float(found["cost_flag_nothing"]),
                "flag everything": float(found["cost_flag_all"]),
            }
            name = min(choices, key=lambda choice: choices[choice])
            return choices[name], name
    return None
