"""``measure``: one metric of arrays, whatever family it is of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from veridical.costs import Costs
from veridical.engines.memory import slices
from veridical.errors import ParameterError
from veridical.evaluation.defaults import FAMILIES
from veridical.evaluation.reading import thresholds_of
from veridical.finalise import finalise, with_bins
from veridical.measures import Measure
from veridical.metrics import find
from veridical.results import Result
from veridical.slices import Settings
from veridical.tables import Roles, read_rows

__all__ = ["measure"]


def measure(
    metric: str | Measure,
    labels: Any,
    scores: Any,
    *,
    positive: Any = None,
    threshold: float | None = None,
    costs: Costs | None = None,
    weight: Any = None,
    cluster: Any = None,
    bins: int | None = None,
    weights: Literal["none", "linear", "quadratic"] | None = None,
    scale: Sequence[Any] | None = None,
    ties: Literal["docid_desc", "input", "average", "error"] = "docid_desc",
    duplicates: Literal["error", "keep-first"] = "error",
    average: Literal["golden", "intersection"] = "golden",
    model: str | Path | None = None,
    baseline: str | Path | None = None,
    groups: Any = None,
    favourable: Any = None,
    favourable_label: Any = None,
    reference: Any = None,
    missing: Literal["error", "drop"] = "error",
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
    threads: int = 1,
) -> Result:
    """Measure one metric on arrays or lists.

    Parameters
    ----------
    metric
        Name or measure object.
    labels, scores
        Outcomes and scores, shape (n,); for a metric of agreement the labels of two raters,
        for a metric of texts candidates and references, for a metric of retrieval a run and its
        golden set, for a metric of drift a reference and current values; for a metric of fairness
        decisions and groups, or labels and decisions where ``groups`` are given beside them.
    weight, cluster
        Weight and repeated unit of each row, shape (n,), or None.
    weights, scale
        As for ``evaluate_agreement``.
    ties, duplicates, average
        As for ``evaluate_ranking``.
    model, baseline
        As for ``evaluate_text``.
    groups, favourable, favourable_label, reference
        As for ``evaluate_fairness``; ``groups`` of shape (n,).
    positive, threshold, costs, bins, missing, level, intervals, seed, replicates, threads
        As for ``evaluate``.

    Returns
    -------
    Result
        ``Measured``, or ``Skipped`` with the reason why there is no value.

    Raises
    ------
    MetricNameError, ParameterError
        A metric or a parameter that does not exist, or a parameter that the metric does not take.
    InputError, UnsupportedTypeError
        The data cannot be used as they are; the message says where.

    Examples
    --------
    >>> measure("binary.roc_auc", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    0.75
    """
    found = find(metric, FAMILIES)
    function, takes = _ELSEWHERE.get(found.family, _OF_ROWS)
    options = {
        "positive": positive,
        "threshold": threshold,
        "costs": costs,
        "weight": weight,
        "cluster": cluster,
        "bins": bins,
        "weights": weights,
        "scale": scale,
        "ties": ties,
        "duplicates": duplicates,
        "average": average,
        "model": model,
        "baseline": baseline,
        "groups": groups,
        "favourable": favourable,
        "favourable_label": favourable_label,
        "reference": reference,
        "missing": missing,
        "level": level,
        "intervals": intervals,
        "seed": seed,
        "replicates": replicates,
        "threads": threads,
    }
    known = {*takes, *_HOW}
    for name, value in options.items():
        if name not in known and not _is_default(name, value):
            others = ", ".join(one for one in takes if one not in _HOW)
            raise ParameterError(
                f"{name}= means nothing to {found}",
                why=f"metrics of {found.family} take {others}",
                fix=f"leave {name}= out",
            )
    return function(found, labels, scores, **{name: options[name] for name in takes})


def _is_default(name: str, value: Any) -> bool:
    default = (measure.__kwdefaults__ or {})[name]
    return value is default or (isinstance(value, str) and value == default)


def _measure_rows(
    found: Measure,
    labels: Any,
    scores: Any,
    *,
    positive: Any,
    threshold: float | None,
    costs: Costs | None,
    weight: Any,
    cluster: Any,
    bins: int | None,
    missing: Literal["error", "drop"],
    level: float,
    intervals: bool,
    seed: int,
    replicates: int,
    threads: int,
) -> Result:
    """Measure a metric of outcomes and scores."""
    columns = {"label": labels, "score": scores}
    optional = {"weight": weight, "cluster": cluster}
    given = {name: values for name, values in optional.items() if values is not None}
    wanted = with_bins(found, bins)
    settings = Settings(threshold, costs, level, intervals, seed, replicates)
    if costs is not None and costs.columns:
        raise ParameterError(
            f"there is no column {costs.columns[0]!r} of prices",
            why="arrays have no names",
            fix="give evaluate a table, or prices that are amounts",
        )
    roles = Roles(
        label="label",
        scores=("score",),
        weight="weight" if "weight" in given else None,
        cluster="cluster" if "cluster" in given else None,
        positive=positive,
        missing=missing,
    )
    rows = read_rows({**columns, **given}, roles)
    forecasts = {"score": rows.n > 0 and rows.in_unit_interval("score")}
    if wanted.definition.probabilities and rows.n and not forecasts["score"]:
        rows.probabilities("score")  # raises, and says where
    (part,) = slices(
        rows,
        costs,
        thresholds=thresholds_of(settings),
        threads=threads,
        probabilities=forecasts,
    )
    return finalise(wanted, part, settings)


def _ranking(*data: Any, **options: Any) -> Result:
    from veridical.ranking import measure_ranking

    return measure_ranking(*data, **options)


def _agreement(*data: Any, **options: Any) -> Result:
    from veridical.evaluation.agreement import measure_agreement

    return measure_agreement(*data, **options)


def _drift(*data: Any, **options: Any) -> Result:
    from veridical.stability import measure_drift

    return measure_drift(*data, **options)


def _fairness(*data: Any, **options: Any) -> Result:
    from veridical.parity import measure_fairness

    return measure_fairness(*data, **options)


def _text(*data: Any, **options: Any) -> Result:
    from veridical.evaluation.text import measure_text

    return measure_text(*data, **options)


_HOW = ("level", "intervals", "seed", "replicates", "threads")
"""How a number is computed: may be said of every metric, though not all need it."""
_DRAWN = _HOW[:-1]

Way: TypeAlias = tuple[Callable[..., Result], tuple[str, ...]]
"""Who measures, and the options that are passed on."""

_OF_ROWS: Way = (
    _measure_rows,
    ("positive", "threshold", "costs", "weight", "cluster", "bins", "missing", *_HOW),
)
_OF_RANKINGS: Way = (_ranking, ("ties", "duplicates", "average", *_DRAWN))
_OF_GROUPS = ("groups", "favourable", "favourable_label", "reference")

_ELSEWHERE: Mapping[str, Way] = {
    "retrieval": _OF_RANKINGS,
    "trec": _OF_RANKINGS,
    "agreement": (_agreement, ("weights", "scale", "missing", *_DRAWN)),
    "drift": (_drift, ("bins", *_DRAWN)),
    "fairness": (
        _fairness,
        (*_OF_GROUPS, "threshold", "weight", "cluster", "missing", "level", "intervals"),
    ),
    "text": (_text, ("model", "baseline", *_DRAWN)),
}
"""The families other than those of outcomes and scores."""
