"""From the payload to what the template shows: rows, bars and sentences, in reading order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from veridical.reasons import SkipReason
from veridical.report.chart_data import charts_of
from veridical.report.display import count_text, money_text, rate_text, threshold_text, value_text
from veridical.report.page_data import point_index
from veridical.report.payload import Comparison, MetricEntry, Payload, ResultDict, Subject
from veridical.report.svg import SERIES_COLOURS, interval_bar, static_chart

__all__ = ["page_context"]

_GROUPS_SHOWN = 40
_CHARTS = {
    "roc": ("ROC", "How many positives are found, at what rate of false alarms."),
    "precision_recall": ("Precision and recall", "How many flags are right, as more are found."),
    "cost": ("Cost", "What every threshold costs in all."),
    "reliability": ("Reliability", "Whether the event happens as often as forecast."),
}
_ABSENT = {
    "roc": "Undefined: it needs rows of both classes.",
    "precision_recall": "Undefined: there is no positive row.",
    "cost": "No prices were given (costs=, on the command line --cost-fn and --cost-fp).",
    "reliability": "Not drawn: these scores are not probabilities.",
}
_DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "closer to its target is better",
}
_IN_PASSPORT = {"label", "positive", "level", "seed", "missing", "currency"}


def page_context(payload: Payload) -> dict[str, Any]:
    """Return the variables of the template.

    Parameters
    ----------
    payload
        The report's content.
    """
    series = {s["name"]: i % SERIES_COLOURS for i, s in enumerate(payload["subjects"])}
    overall = [r for r in payload["results"] if r["group"] is None]
    return {
        "payload": payload,
        "passport": {"created": None, "command": None, "counts": {}} | payload["passport"],
        "notes": payload.get("notes", ()),
        "series": series,
        "metrics": _metric_blocks(payload, overall, series),
        "groups": _group_cards(payload, series),
        "comparisons": [_comparison(payload, c) for c in payload.get("comparisons", ())],
        "policy": _policy(payload, series),
        "skipped": _skipped(payload["results"]),
        "subjects": [_subject(payload, i) for i in range(len(payload["subjects"]))],
        "charts": _charts(payload["subjects"]),
        "prices": {"currency": None} | payload["costs"] if "costs" in payload else None,
        "has_costs": any(p["cost"] is not None for s in payload["subjects"] for p in s["points"]),
        "level": f"{100 * payload['passport']['level']:g}%",
    }


def _entry(payload: Payload, metric: str) -> MetricEntry:
    """Return how a metric is presented, with what its family says where the payload is silent."""
    family = metric.partition(".")[0]
    entry: MetricEntry = {
        "title": metric.partition(".")[2].replace("_", " "),
        "bounds": (0.0, 1.0) if family in {"binary", "calibration"} else (0.0, None),
        "money": family == "cost",
    }
    return entry | payload.get("metrics", {}).get(metric, {})


def _text(entry: MetricEntry, value: float) -> str:
    high = entry["bounds"][1]
    return value_text(value, money=entry["money"], rate=high is not None and high <= 1)


def _interval_text(entry: MetricEntry, interval: Mapping[str, Any] | None) -> str:
    if interval is None:
        return ""
    return f"{_text(entry, interval['low'])} to {_text(entry, interval['high'])}"


def _domain(entry: MetricEntry, results: Iterable[ResultDict]) -> tuple[float, float]:
    """Return ends shared by all bars of a metric; zero is inside, so lengths do not mislead."""
    ends = [0.0, entry.get("baseline", 0.0)]
    for result in results:
        if result["value"] is not None:
            interval = result.get("interval") or {}
            ends += [result["value"], *(interval[k] for k in ("low", "high") if interval)]
    low, high = min(ends), max(ends)
    bound = entry["bounds"][1]
    if bound is not None and high > bound / 4:
        high = bound
    return -_rounded_up(-low), _rounded_up(high) or 1.0


def _rounded_up(x: float) -> float:
    if x <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(x))
    return next(s * power for s in (1.0, 1.5, 2.0, 3.0, 5.0, 10.0) if s * power >= x * (1 - 1e-9))


def _row(
    payload: Payload, result: ResultDict, domain: tuple[float, float], series: Mapping[str, int]
) -> dict[str, Any]:
    entry = _entry(payload, result["metric"])
    row = {
        "subject": result["subject"],
        "series": series.get(result["subject"] or "", 0),
        "group": result["group"],
        "n": count_text(result["n"]),
        "conditions": _conditions(result),
        "notes": [_note(payload, note) for note in result["notes"]],
        "skip": result.get("skip"),
        "value": None,
    }
    if result["value"] is None:
        return row
    interval = result.get("interval")
    low, high = (interval["low"], interval["high"]) if interval else (None, None)
    bar = interval_bar(
        result["value"], low, high, domain, series=row["series"], baseline=entry.get("baseline")
    )
    return row | {
        "value": _text(entry, result["value"]),
        "interval": _interval_text(entry, interval),
        "method": interval["method"] if interval else "",
        "bar": bar,
    }


def _conditions(result: ResultDict) -> list[tuple[str, str]]:
    in_name = result["metric"].partition("@")[2]
    return [
        (key.replace("_", " "), _condition_text(value))
        for key, value in result["conditions"].items()
        if value is not None and key not in _IN_PASSPORT and f"{key}=" not in in_name
    ]


def _condition_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(_condition_text(v) for v in value[:3])
        return f"{shown}, \N{HORIZONTAL ELLIPSIS}" if len(value) > 3 else shown
    return str(value)


def _note(payload: Payload, note: str) -> str:
    return payload.get("note_sentences", {}).get(note, note.replace("_", " "))


def _by_metric(results: Iterable[ResultDict]) -> dict[str, list[ResultDict]]:
    found: dict[str, list[ResultDict]] = {}
    for result in results:
        found.setdefault(result["metric"], []).append(result)
    return found


def _metric_blocks(
    payload: Payload, results: Sequence[ResultDict], series: Mapping[str, int]
) -> list[dict[str, Any]]:
    # On rare events accuracy flatters every model, so it never comes first.
    ordered = sorted(results, key=lambda r: r["metric"].startswith("binary.accuracy"))
    blocks = []
    for metric, members in _by_metric(ordered).items():
        entry = _entry(payload, metric)
        domain = _domain(entry, members)
        blocks.append(
            {
                "metric": metric,
                "entry": entry,
                "ends": tuple(_end_text(entry, end) for end in domain),
                "better": _DIRECTIONS.get(entry.get("better")),
                "baseline": _baseline(entry),
                "rows": [_row(payload, r, domain, series) for r in members],
            }
        )
    return blocks


def _baseline(entry: MetricEntry) -> str | None:
    if "baseline" not in entry:
        return None
    return f"{entry.get('baseline_name', 'no skill')}: {_text(entry, entry['baseline'])}"


def _end_text(entry: MetricEntry, end: float) -> str:
    return money_text(end) if entry["money"] else f"{end:g}"


def _group_cards(payload: Payload, series: Mapping[str, int]) -> dict[str, Any]:
    results = [r for r in payload["results"] if r["group"] is not None]
    rows: dict[str, int] = {}
    for result in results:
        rows[result["group"]] = max(rows.get(result["group"], 0), result["n_rows"] or 0)
    # The largest groups are the ones a table can say something about.
    largest = sorted(rows, key=lambda group: -rows[group])[:_GROUPS_SHOWN]
    shown = {group for group in rows if group in set(largest)}
    overall = [r for r in payload["results"] if r["group"] is None]
    cards = []
    for metric, members in _by_metric(r for r in results if r["group"] in shown).items():
        entry = _entry(payload, metric)
        members = [*(r for r in overall if r["metric"] == metric), *members]
        domain = _domain(entry, members)
        lines: dict[str, list[dict[str, Any]]] = {}
        for result in members:
            row = _row(payload, result, domain, series)
            lines.setdefault(result["group"] or "all rows", []).append(row)
        ends = tuple(_end_text(entry, end) for end in domain)
        cards.append({"metric": metric, "entry": entry, "ends": ends, "lines": lines})
    return {"cards": cards, "left_out": len(rows) - len(shown)}


def _comparison(payload: Payload, comparison: Comparison) -> dict[str, Any]:
    entry = _entry(payload, comparison["metric"])
    difference = comparison["difference"]
    interval = difference.get("interval")
    half = max(
        abs(x)
        for x in (
            difference["value"] or 0.0,
            *((interval or {}).get(k, 0.0) for k in ("low", "high")),
        )
    )
    edge = _rounded_up(half) or 1.0
    shown: dict[str, Any] = {
        "comparison": comparison,
        "entry": entry,
        "values": [
            None if v is None else _text(entry, v)
            for v in (comparison["value_a"], comparison["value_b"])
        ],
        "p_value": _p_text(comparison["p_value"]),
        "p_adjusted": _p_text(comparison["p_adjusted"]),
        "skip": difference.get("skip"),
        "notes": [_note(payload, note) for note in difference["notes"]],
    }
    if difference["value"] is None:
        return shown
    low, high = (interval["low"], interval["high"]) if interval else (None, None)
    return shown | {
        "difference": ("+" if difference["value"] > 0 else "") + _text(entry, difference["value"]),
        "interval": _interval_text(entry, interval),
        "clear": interval is not None and not interval["low"] <= 0 <= interval["high"],
        "bar": interval_bar(difference["value"], low, high, (-edge, edge), baseline=0.0),
        "ends": (f"\N{MINUS SIGN}{_end_text(entry, edge)}", f"+{_end_text(entry, edge)}"),
    }


def _p_text(p: float | None) -> str:
    if p is None:
        return ""
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _policy(payload: Payload, series: Mapping[str, int]) -> dict[str, Any] | None:
    policy = payload.get("policy")
    if policy is None:
        return None
    rows = []
    for rule in policy["rows"]:
        result = rule["result"]
        entry = _entry(payload, result["metric"])
        rows.append(rule | {"row": _row(payload, result, _domain(entry, [result]), series)})
    return {"name": policy["name"], "verdict": policy["verdict"], "rows": rows}


def _skipped(results: Iterable[ResultDict]) -> list[dict[str, Any]]:
    """Return what has no value, once for each metric, reason and detail."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for result in results:
        if result["value"] is None:
            skip = result["skip"]
            where = " ".join(part for part in (result["subject"], result["group"]) if part)
            key = (result["metric"], skip["reason"], skip["detail"])
            found.setdefault(key, []).append(where)
    return [
        {
            "metric": metric,
            "reason": reason,
            "detail": detail,
            "fix": SkipReason(reason).fix,
            "where": where[:6],
            "more": max(0, len(where) - 6),
        }
        for (metric, reason, detail), where in found.items()
    ]


def _subject(payload: Payload, index: int) -> dict[str, Any]:
    subject = payload["subjects"][index]
    standard = []
    for named in subject["named_thresholds"]:
        at = point_index(subject, named["threshold"])
        point = subject["points"][at]
        rates = {name: _rate_text(point[name]) for name in ("recall", "precision", "fpr")}  # type: ignore[literal-required]
        counts = {name: count_text(point[name]) for name in ("tp", "fp", "fn", "tn")}  # type: ignore[literal-required]
        standard.append(
            {
                "name": named["name"],
                "index": at,
                "threshold": _short_threshold(named["threshold"]),
                "full_threshold": threshold_text(named["threshold"]),
                "flagged": count_text(point["tp"] + point["fp"]),
                "cost": None if point["cost"] is None else money_text(point["cost"]),
                **rates,
                **counts,
            }
        )
    bins = [
        {
            "range": f"{b['start']:g} to {b['stop']:g}",
            "n": count_text(b["n"]),
            "forecast": rate_text(b["mean_forecast"]),
            "rate": _rate_text(b["event_rate"]),
        }
        for b in subject["reliability"]
    ]
    prevalence = subject["prevalence"]
    return {
        "name": subject["name"],
        "index": index,
        "series": index % SERIES_COLOURS,
        "standard": standard,
        "bins": bins,
        "positives": count_text(subject["positives"]),
        "negatives": count_text(subject["negatives"]),
        "prevalence": "undefined" if prevalence is None else rate_text(prevalence),
        "points": len(subject["points"]),
    }


def _short_threshold(threshold: float | None) -> str:
    text = threshold_text(threshold)
    return text if threshold is None or len(text) <= 9 else f"{threshold:.6g}"


def _rate_text(rate: Mapping[str, float | None] | None) -> dict[str, str] | None:
    if rate is None:
        return None
    value, low, high = rate["value"], rate["low"], rate["high"]
    assert value is not None
    interval = "" if low is None or high is None else f"{rate_text(low)} to {rate_text(high)}"
    return {"value": rate_text(value), "interval": interval}


def _charts(subjects: Sequence[Subject]) -> list[dict[str, Any]]:
    charts = []
    described = [charts_of(subject) for subject in subjects]
    for kind, (title, caption) in _CHARTS.items():
        curves = [(i, subjects[i]["points"]) for i, c in enumerate(described) if c[kind]]
        first = next((c[kind] for c in described if c[kind]), None)
        svg = first and static_chart(kind, first, [] if kind == "reliability" else curves)
        charts.append(
            {"kind": kind, "title": title, "caption": caption, "svg": svg, "absent": _ABSENT[kind]}
        )
    return charts
