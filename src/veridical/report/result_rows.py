"""One result as the report shows it: its texts, its bar, its conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from veridical.report.conditions import condition_texts
from veridical.report.display import (
    bounds_text,
    count_text,
    money_text,
    round_number_above,
    value_text,
)
from veridical.report.payload import MetricEntry, ResultDict, Shown
from veridical.report.svg import interval_bar
from veridical.results import result_from_dict

__all__ = [
    "axis_of",
    "ends_of",
    "entry_of",
    "interval_ends",
    "interval_text",
    "note_text",
    "result_row",
    "text_of",
]


def entry_of(payload: Shown, metric: str) -> MetricEntry:
    """Return how a metric is presented, with what its family says where the payload is silent."""
    family, _, name = metric.partition(".")
    entry: MetricEntry = {
        "title": name.replace("_", " "),
        "bounds": (0.0, 1.0) if family in {"binary", "calibration"} else (0.0, None),
        "money": family == "cost",
    }
    entry.update(payload.get("metrics", {}).get(metric, {}))
    return entry


def text_of(entry: MetricEntry, value: float) -> str:
    """Return a value of this metric."""
    high = entry["bounds"][1]
    return value_text(value, money=entry["money"], rate=high is not None and high <= 1)


def interval_text(entry: MetricEntry, interval: Mapping[str, Any] | None) -> str:
    """Return ``"low to high"``, or nothing without an interval."""
    if interval is None:
        return ""
    return f"{text_of(entry, interval['low'])} to {text_of(entry, interval['high'])}"


def axis_of(entry: MetricEntry, results: Iterable[ResultDict]) -> tuple[float, float]:
    """Return ends shared by all bars of a metric; zero is inside, so lengths do not mislead."""
    ends = [0.0, entry.get("baseline", 0.0)]
    for result in results:
        if result["value"] is not None:
            interval = result.get("interval") or {}
            ends += [result["value"], *interval_ends(interval)]
    low, high = min(ends), max(ends)
    bound = entry["bounds"][1]
    if bound is not None and high > bound / 4:
        high = bound
    # One end is 0 where all values are on one side of it; the other is never 0 too.
    return 0.0 - round_number_above(-low), round_number_above(high) or (0.0 if low < 0 else 1.0)


def interval_ends(interval: Mapping[str, Any] | None) -> tuple[float, ...]:
    """Return low and high, or nothing."""
    return (interval["low"], interval["high"]) if interval else ()


def _end_text(entry: MetricEntry, end: float) -> str:
    text = money_text(abs(end)) if entry["money"] else f"{abs(end):g}"
    return f"\N{MINUS SIGN}{text}" if end < 0 else text


def ends_of(entry: MetricEntry, axis: tuple[float, float]) -> tuple[str, str]:
    """Return the labels of both ends."""
    return _end_text(entry, axis[0]), _end_text(entry, axis[1])


def note_text(payload: Shown, note: str) -> str:
    """Return what a short note means."""
    return payload.get("note_sentences", {}).get(note, note.replace("_", " "))


def _certified(entry: MetricEntry, result: ResultDict) -> list[str]:
    """Return the bounds of an approximate value, or nothing."""
    bounds = result.get("bounds")
    if not bounds:
        return []
    return [f"certified {bounds_text(bounds['low'], bounds['high'], money=entry['money'])}"]


def result_row(
    payload: Shown, result: ResultDict, axis: tuple[float, float], series: Mapping[str, int]
) -> dict[str, Any]:
    """Return a result's cells; ``value`` is None, and ``skip`` says why, where there is none.

    Parameters
    ----------
    payload
        The report's content, for titles and sentences.
    result
        What ``to_dict`` of a result returned.
    axis
        The ends of the bar.
    series
        Score column to its colour.
    """
    entry = entry_of(payload, result["metric"])
    row = {
        "subject": result["subject"],
        "series": series.get(result["subject"] or "", 0),
        "group": result["group"],
        "n": count_text(result["n"]),
        "conditions": [*_certified(entry, result), *condition_texts(result_from_dict(result))],
        "notes": [note_text(payload, note) for note in result["notes"]],
        "skip": result.get("skip"),
        "value": None,
    }
    if result["value"] is None:
        return row
    interval = result.get("interval")
    low, high = interval_ends(interval) or (None, None)
    bar = interval_bar(
        result["value"], low, high, axis, series=row["series"], baseline=entry.get("baseline")
    )
    return row | {
        "value": text_of(entry, result["value"]),
        "interval": interval_text(entry, interval),
        "method": interval["method"] if interval else "",
        "bar": bar,
    }
