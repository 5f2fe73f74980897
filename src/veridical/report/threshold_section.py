"""The section about thresholds: standard operating points, calibration bins, static charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veridical.report.chart_data import charts_of
from veridical.report.display import count_text, money_text, rate_text, threshold_text
from veridical.report.page_data import point_index
from veridical.report.payload import NamedThreshold, Rate, ReliabilityBin, Subject
from veridical.report.svg import SERIES_COLOURS, static_chart

__all__ = ["chart_figures", "subject_context"]

_CHARTS = {
    "roc": (
        "ROC",
        "How many positives are found, at what rate of false alarms.",
        "Undefined: it needs rows of both classes.",
    ),
    "precision_recall": (
        "Precision and recall",
        "How many flags are right, as more positives are found.",
        "Undefined: there is no positive row.",
    ),
    "cost": (
        "Cost",
        "What every threshold costs in all.",
        "No prices were given (costs=, on the command line --cost-fn and --cost-fp).",
    ),
    "reliability": (
        "Reliability",
        "How often the event happens, where it is forecast so often; dotted: calibrated.",
        "Not drawn: these scores are not probabilities.",
    ),
}


def subject_context(subject: Subject, index: int) -> dict[str, Any]:
    """Return what the template shows of one score column.

    Parameters
    ----------
    subject
        The score column.
    index
        Its place among the report's score columns.
    """
    prevalence = subject["prevalence"]
    return {
        "name": subject["name"],
        "index": index,
        "series": index % SERIES_COLOURS,
        "standard": [_standard_point(subject, named) for named in subject["named_thresholds"]],
        "bins": [_bin(b) for b in subject["reliability"]],
        "positives": count_text(subject["positives"]),
        "negatives": count_text(subject["negatives"]),
        "prevalence": "undefined" if prevalence is None else rate_text(prevalence),
    }


def chart_figures(subjects: Sequence[Subject]) -> list[dict[str, Any]]:
    """Return the four figures with their static charts, for a page without JavaScript.

    Parameters
    ----------
    subjects
        All score columns; the reliability chart shows the first that has one.
    """
    described = [charts_of(subject) for subject in subjects]
    figures = []
    for kind, (title, caption, absent) in _CHARTS.items():
        drawn = [(i, c) for i, c in enumerate(charts[kind] for charts in described) if c]
        svg = None
        if drawn:
            points = [(i, subjects[i]["points"]) for i, _ in drawn if kind != "reliability"]
            svg = static_chart(kind, drawn[0][1], points)
        figures.append(
            {"kind": kind, "title": title, "caption": caption, "absent": absent, "svg": svg}
        )
    return figures


def _standard_point(subject: Subject, named: NamedThreshold) -> dict[str, Any]:
    index = point_index(subject, named["threshold"])
    point = subject["points"][index]
    return {
        "name": named["name"],
        "index": index,
        "threshold": _short(named["threshold"]),
        "full_threshold": threshold_text(named["threshold"]),
        "flagged": count_text(point["tp"] + point["fp"]),
        "tp": count_text(point["tp"]),
        "fp": count_text(point["fp"]),
        "fn": count_text(point["fn"]),
        "tn": count_text(point["tn"]),
        "recall": _rate(point["recall"]),
        "precision": _rate(point["precision"]),
        "fpr": _rate(point["fpr"]),
        "cost": None if point["cost"] is None else money_text(point["cost"]),
    }


def _bin(b: ReliabilityBin) -> dict[str, Any]:
    return {
        "range": f"{b['start']:g} to {b['stop']:g}",
        "n": count_text(b["n"]),
        "forecast": rate_text(b["mean_forecast"]),
        "rate": _rate(b["event_rate"]),
    }


def _short(threshold: float | None) -> str:
    text = threshold_text(threshold)
    return text if threshold is None or len(text) <= 9 else f"{threshold:.6g}"


def _rate(rate: Rate | None) -> dict[str, str] | None:
    if rate is None:
        return None
    low, high = rate["low"], rate["high"]
    interval = "" if low is None or high is None else f"{rate_text(low)} to {rate_text(high)}"
    return {"value": rate_text(rate["value"]), "interval": interval}
