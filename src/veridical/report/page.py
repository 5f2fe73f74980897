"""From the payload to what the template shows: rows, bars and sentences, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from veridical.reasons import SkipReason
from veridical.report.display import round_number_above
from veridical.report.payload import Comparison, MetricEntry, Payload, Policy, ResultDict, Shown
from veridical.report.result_rows import (
    axis_of,
    ends_of,
    entry_of,
    interval_ends,
    interval_text,
    note_text,
    result_row,
    text_of,
)
from veridical.report.svg import SERIES_COLOURS, interval_bar
from veridical.report.threshold_section import chart_figures, subject_context

__all__ = [
    "comparison_row",
    "metric_blocks",
    "p_text",
    "page_context",
    "policy_section",
    "skipped_rows",
]

_MEETS_IT_TOO = "a forecast without skill meets it too"
_CANNOT_FAIL = "the most unequal decisions at such rates meet it too"
_GROUPS_SHOWN = 40
_PLACES_SHOWN = 6
_DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "closer to its target is better",
}


def page_context(payload: Payload) -> dict[str, Any]:
    """Return the variables of the template.

    Parameters
    ----------
    payload
        The report's content.
    """
    subjects = payload["subjects"]
    # A stored run may have results of score columns whose curves were not kept.
    names = dict.fromkeys(r["subject"] for r in payload["results"] if r["subject"] is not None)
    names = dict.fromkeys(s["name"] for s in subjects) | names
    series = {name: i % SERIES_COLOURS for i, name in enumerate(names)}
    return {
        "title": payload["title"],
        "passport": {"created": None, "command": None, "counts": {}, "weight": None}
        | payload["passport"],
        "level": f"{100 * payload['passport']['level']:g}%",
        "series": series,
        "subject_word": "Score",
        "metrics": metric_blocks(payload, series),
        "has_context": True,
        "comparisons": [comparison_row(payload, c) for c in payload.get("comparisons", ())],
        "policy": policy_section(payload, payload.get("policy"), series),
        "tables": payload.get("tables", ()),
        "subjects": [subject_context(s, i) for i, s in enumerate(subjects)],
        "figures": chart_figures(subjects),
        "prices": {"currency": None} | payload["costs"] if "costs" in payload else None,
        "has_costs": any(p["cost"] is not None for s in subjects for p in s["points"]),
        "groups": _group_cards(payload, series),
        "skipped": skipped_rows(payload["results"]),
        "notes": payload.get("notes", ()),
    }


def _overall(payload: Shown) -> list[ResultDict]:
    return [r for r in payload["results"] if r["group"] is None]


def _by_metric(results: Iterable[ResultDict]) -> dict[str, list[ResultDict]]:
    found: dict[str, list[ResultDict]] = {}
    for result in results:
        found.setdefault(result["metric"], []).append(result)
    return found


def metric_blocks(payload: Shown, series: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the rows of the table of metrics, those of one metric together.

    Parameters
    ----------
    payload
        Results and how metrics are presented.
    series
        Subject to its colour.
    """
    # On rare events accuracy flatters every model, so it never comes first.
    ordered = sorted(_overall(payload), key=lambda r: r["metric"].startswith("binary.accuracy"))
    blocks = []
    for metric, results in _by_metric(ordered).items():
        entry = entry_of(payload, metric)
        axis = axis_of(entry, results)
        rows = [result_row(payload, r, axis, series) for r in results]
        blocks.append(
            {
                "metric": metric,
                "title": entry["title"],
                "better": _DIRECTIONS.get(entry.get("better", "")),
                "baseline": _baseline(entry),
                "ends": ends_of(entry, axis),
                "rows": rows,
                "notes": _said_once(rows),
            }
        )
    return blocks


def _said_once(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Take the notes that all rows share out of the rows, and return them."""
    shared = [note for note in rows[0]["notes"] if all(note in row["notes"] for row in rows)]
    for row in rows:
        row["notes"] = [note for note in row["notes"] if note not in shared]
    return shared


def _baseline(entry: MetricEntry) -> str | None:
    if "baseline" not in entry:
        return None
    return f"{entry.get('baseline_name', 'no skill')} {text_of(entry, entry['baseline'])}"


def _group_cards(payload: Payload, series: Mapping[str, int]) -> dict[str, Any]:
    of_groups = [r for r in payload["results"] if r["group"] is not None]
    sizes: dict[str, int] = {}
    for result in of_groups:
        sizes[result["group"]] = max(sizes.get(result["group"], 0), result["n_rows"] or 0)
    # The largest groups are the ones about which a table can say something.
    shown = set(sorted(sizes, key=lambda group: -sizes[group])[:_GROUPS_SHOWN])
    overall = _by_metric(_overall(payload))
    cards = []
    for metric, members in _by_metric(r for r in of_groups if r["group"] in shown).items():
        entry = entry_of(payload, metric)
        results = [*overall.get(metric, ()), *members]
        axis = axis_of(entry, results)
        lines: dict[str, list[dict[str, Any]]] = {}
        for result in results:
            row = result_row(payload, result, axis, series)
            lines.setdefault(result["group"] or "all rows", []).append(row)
        cards.append(
            {
                "metric": metric,
                "title": entry["title"],
                "ends": ends_of(entry, axis),
                "lines": lines,
            }
        )
    return {"cards": cards, "left_out": len(sizes) - len(shown)}


def comparison_row(payload: Shown, comparison: Comparison) -> dict[str, Any]:
    """Return a comparison's cells; ``skip`` says why where there is no difference.

    Parameters
    ----------
    payload
        How metrics are presented.
    comparison
        What ``to_dict`` of a comparison returned.
    """
    entry = entry_of(payload, comparison["metric"])
    result = comparison["difference"]
    shown: dict[str, Any] = {
        "title": entry["title"],
        "metric": comparison["metric"],
        "method": comparison["method"],
        "sides": [
            (name, None if value is None else text_of(entry, value))
            for name, value in (
                (comparison["a"], comparison["value_a"]),
                (comparison["b"], comparison["value_b"]),
            )
        ],
        "p_value": p_text(comparison["p_value"]),
        "p_adjusted": p_text(comparison["p_adjusted"]),
        "skip": result.get("skip"),
        "notes": [note_text(payload, note) for note in result["notes"]],
    }
    if result["value"] is None:
        return shown
    interval = result.get("interval")
    ends = interval_ends(interval)
    edge = round_number_above(max(abs(x) for x in (result["value"], *ends))) or 1.0
    low, high = ends or (None, None)
    return shown | {
        "difference": ("+" if result["value"] > 0 else "") + text_of(entry, result["value"]),
        "interval": interval_text(entry, interval),
        "zero": _side_of_zero(ends),
        "bar": interval_bar(result["value"], low, high, (-edge, edge), baseline=0.0),
        "ends": ends_of(entry, (-edge, edge)),
    }


def _side_of_zero(ends: tuple[float, ...]) -> str:
    if not ends:
        return ""
    return "zero lies inside" if ends[0] <= 0 <= ends[1] else "zero lies outside"


def p_text(p: float | None) -> str:
    """Return a p-value; nothing where there is none."""
    if p is None:
        return ""
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def policy_section(
    payload: Shown, policy: Policy | None, series: Mapping[str, int]
) -> dict[str, Any] | None:
    """Return the section about a policy; None where there is none.

    Parameters
    ----------
    payload
        How metrics are presented.
    policy
        What ``to_dict`` of a verdict returned.
    series
        Subject to its colour.
    """
    if policy is None:
        return None
    metrics = [rule["result"]["metric"] for rule in policy["rows"]]
    of_groups = {metric.startswith("fairness.") for metric in metrics}
    rows = []
    for rule in policy["rows"]:
        result = rule["result"]
        axis = axis_of(entry_of(payload, result["metric"]), [result])
        why = rule.get("why", "")  # documents of older versions have one text
        of_group = result["metric"].startswith("fairness.")
        rows.append(
            {
                **rule,
                "why": why,
                "vacuous_why": _CANNOT_FAIL if of_group else _MEETS_IT_TOO,
                "row": result_row(payload, result, axis, series),
            }
        )
    return {
        "name": policy["name"],
        "verdict": policy["verdict"],
        "rows": rows,
        "noun": "Of" if len(of_groups) > 1 else "Group" if True in of_groups else "Score",
    }


def skipped_rows(results: Iterable[ResultDict]) -> list[dict[str, Any]]:
    """Return what has no value, once for each metric, reason and detail."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for result in results:
        if result["value"] is None:
            skip = result["skip"]
            place = " ".join(part for part in (result["subject"], result["group"]) if part)
            key = (result["metric"], skip["reason"], skip["detail"])
            found.setdefault(key, []).append(place or "all rows")
    return [
        {
            "metric": metric,
            "reason": reason,
            "detail": detail,
            "fix": _fix(reason),
            "places": places[:_PLACES_SHOWN],
            "more": max(0, len(places) - _PLACES_SHOWN),
        }
        for (metric, reason, detail), places in found.items()
    ]


def _fix(reason: str) -> str:
    return next(member.fix for member in SkipReason if member == reason)
