"""The data of the page's script: one array a quantity, one entry an operating point.

Rates are text, made here, so that the page shows exactly what Python would print: the script only
looks up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from veridical import strict_json
from veridical.report.chart_data import charts_of
from veridical.report.display import name_text, rate_text, threshold_text
from veridical.report.payload import OperatingPoint, Payload, Subject
from veridical.report.visible import inert

__all__ = ["embedded_json", "page_data", "point_index"]

_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def embedded_json(data: object) -> str:
    r"""Return JSON that is safe inside a ``<script>`` element, whatever the names in it are.

    Examples
    --------
    >>> embedded_json({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    text = strict_json.canonical(_inert(data)).decode("utf-8")
    return text.translate(_ESCAPES)


def _inert(data: Any) -> Any:
    """Return data whose texts can be drawn: JSON's own escapes are undone when it is read."""
    if isinstance(data, str):
        return inert(data)
    if isinstance(data, dict):
        return {inert(key): _inert(value) for key, value in data.items()}
    return [_inert(one) for one in data] if isinstance(data, (list, tuple)) else data


def page_data(payload: Payload) -> dict[str, Any]:
    """Return what the script reads."""
    return {"subjects": [_subject_data(subject) for subject in payload["subjects"]]}


def point_index(subject: Subject, threshold: float | None) -> int:
    """Return which of the subject's points has this threshold; None stands for flag nothing."""
    return next(i for i, p in enumerate(subject["points"]) if p["threshold"] == threshold)


def _subject_data(subject: Subject) -> dict[str, Any]:
    points = subject["points"]
    return {
        "name": name_text(subject["name"]),
        "start": _start(subject),
        "charts": charts_of(subject),
        "threshold": _column(points, lambda p: threshold_text(p["threshold"])),
        "x": _column(points, lambda p: _finite(p["threshold"])),
        "tp": _column(points, lambda p: _count(p["tp"])),
        "fp": _column(points, lambda p: _count(p["fp"])),
        "fn": _column(points, lambda p: _count(p["fn"])),
        "tn": _column(points, lambda p: _count(p["tn"])),
        "flagged": _column(points, lambda p: _count(p["tp"] + p["fp"])),
        "unflagged": _column(points, lambda p: _count(p["fn"] + p["tn"])),
        "cost": _column(points, lambda p: None if p["cost"] is None else _count(p["cost"])),
        **{k: v for name in ("recall", "fpr", "precision") for k, v in _rate(points, name)},
    }


def _column(points: Sequence[OperatingPoint], of: Callable[[Any], Any]) -> list[Any]:
    return [of(point) for point in points]


def _rate(points: Sequence[OperatingPoint], name: str) -> list[tuple[str, list[str | None]]]:
    rates = [point[name] for point in points]  # type: ignore[literal-required]

    def texts(part: str) -> list[str | None]:
        values = [None if rate is None else rate[part] for rate in rates]
        return [None if value is None else rate_text(value) for value in values]

    return [(name, texts("value")), (f"{name}_low", texts("low")), (f"{name}_high", texts("high"))]


def _finite(threshold: float | None) -> float | None:
    return threshold if threshold is not None and math.isfinite(threshold) else None


def _count(number: float) -> float:
    """Round to what is shown: whole numbers as ints, others to two decimals."""
    rounded = round(number, 2)
    return int(rounded) if rounded == int(rounded) else rounded


def _start(subject: Subject) -> int:
    named = subject["named_thresholds"]
    if not named:
        return len(subject["points"]) // 2
    return point_index(subject, named[0]["threshold"])
