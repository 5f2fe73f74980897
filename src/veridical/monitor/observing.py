"""One period held against the reference: what a monitor writes down of it."""

from __future__ import annotations

from typing import Any, Final

from veridical.monitor.rules import MonitorRules
from veridical.monitor.states import Observation, worst
from veridical.results import Result
from veridical.stability import DriftEvaluation, evaluate_drift
from veridical.stability.reference import Reference
from veridical.stability.traffic_light import Light

__all__ = ["WATCHED", "observed"]

WATCHED: Final = ("drift.psi", "drift.jsd")
"""What is measured of each column; the first decides, the others are shown beside it."""

_KEPT: Final = ("metric", "value", "interval", "skip", "n", "n_rows", "notes")


def observed(reference: Reference, data: Any, period: str, rules: MonitorRules) -> Observation:
    """Return what one period shows: the worst column decides.

    Parameters
    ----------
    reference
        What it is held against.
    data
        A table with the watched columns.
    period
        Its name.
    rules
        Those of the monitor: a period with fewer rows than they ask for says nothing.

    Raises
    ------
    InputError, MissingColumnError, FileFormatError
        The data cannot be used as they are; the message says where and what to do.

    Examples
    --------
    >>> then, now = {"p": [k / 500 for k in range(500)]}, {"p": [k / 900 for k in range(500)]}
    >>> seen = observed(Reference.freeze(then), now, "2026-02", MonitorRules())
    >>> seen.column, str(seen.light), [one["metric"] for one in seen.columns["p"]["results"]]
    ('p', 'significant', ['drift.psi', 'drift.jsd'])
    """
    ev = evaluate_drift(reference, data, WATCHED, columns=list(reference.columns))
    columns = {name: _column(ev, name) for name in ev.subjects}
    rows = int(ev.source["n_current"])
    measured = {name: one["psi"] for name, one in columns.items() if one["psi"] is not None}
    column = max(measured, key=lambda name: measured[name], default=None)
    enough = rows >= rules.min_rows
    return Observation(
        period,
        worst(Light(one["light"]) for one in columns.values()) if enough else worst(()),
        column,
        None if column is None else measured[column],
        rows,
        ev.source["current"]["sha256"],
        columns,
    )


def _column(ev: DriftEvaluation, name: str) -> dict[str, Any]:
    results = [result for result in ev.results if result.subject == name]
    index = next(result for result in results if result.metric.startswith(WATCHED[0]))
    found = index.conditions if index.ok else {}
    light = ev.light(name if ev.keyed_by_subject else None)
    return {
        "psi": index.value,
        "light": str(light),
        "expected_without_drift": found.get("expected_without_drift"),
        "quantile_without_drift": found.get("quantile_without_drift"),
        "results": [_written(result) for result in results],
    }


def _written(result: Result) -> dict[str, Any]:
    whole = result.to_dict()
    return {key: whole[key] for key in _KEPT if key in whole}
