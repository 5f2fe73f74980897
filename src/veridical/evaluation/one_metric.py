"""``measure``: one metric of arrays, whatever family it is of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

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
        A metric or a parameter that does not exist.
    InputError, UnsupportedTypeError
        The data cannot be used as they are; the message says where.

    Examples
    --------
    >>> measure("binary.roc_auc", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    0.75
    """
    found = find(metric, FAMILIES)
    if found.family in {"retrieval", "trec"}:
        from veridical.ranking import measure_ranking

        return measure_ranking(
            found,
            labels,
            scores,
            ties=ties,
            duplicates=duplicates,
            average=average,
            level=level,
            intervals=intervals,
            seed=seed,
            replicates=replicates,
        )
    if found.family == "agreement":
        from veridical.evaluation.agreement import measure_agreement

        return measure_agreement(
            found,
            labels,
            scores,
            weights=weights,
            scale=scale,
            missing=missing,
            level=level,
            intervals=intervals,
            seed=seed,
            replicates=replicates,
        )
    if found.family == "drift":
        from veridical.stability import measure_drift

        return measure_drift(
            found,
            labels,
            scores,
            bins=bins,
            level=level,
            intervals=intervals,
            seed=seed,
            replicates=replicates,
        )
    if found.family == "fairness":
        from veridical.parity import measure_fairness

        return measure_fairness(
            found,
            labels,
            scores,
            groups,
            favourable=favourable,
            favourable_label=favourable_label,
            reference=reference,
            threshold=threshold,
            weight=weight,
            cluster=cluster,
            missing=missing,
            level=level,
            intervals=intervals,
        )
    if found.family == "text":
        from veridical.evaluation.text import measure_text

        return measure_text(
            found,
            labels,
            scores,
            model=model,
            baseline=baseline,
            level=level,
            intervals=intervals,
            seed=seed,
            replicates=replicates,
        )
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
