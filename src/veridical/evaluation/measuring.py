"""``evaluate``: where data, metrics and intervals meet."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from veridical import parameters
from veridical.costs import Costs
from veridical.engines.again import Progress
from veridical.engines.read import Read
from veridical.errors import ParameterError
from veridical.evaluation.defaults import FAMILIES, default_metrics
from veridical.evaluation.evaluation import Evaluation
from veridical.evaluation.reading import Data, Engine, plan_for, read_data
from veridical.evaluation.summarised import roles_of, settings_of
from veridical.finalise import finalise, with_bins
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import whole
from veridical.portable import Summary, is_summary
from veridical.results import Result
from veridical.slices import Settings, Slice
from veridical.tables import Roles

if TYPE_CHECKING:
    from veridical.comparison import Comparison
    from veridical.policy import Policy, PolicyVerdict

__all__ = ["evaluate"]


def evaluate(
    data: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    positive: Any = None,
    threshold: float | None = None,
    costs: Costs | None = None,
    groups: Sequence[str] | str = (),
    cluster: str | None = None,
    weight: str | None = None,
    id: str | None = None,  # noqa: A002 - as data frames call it
    bins: int | None = None,
    missing: Literal["error", "drop"] = "error",
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
    threads: int = 1,
    engine: Engine = "auto",
    bounds_within: float | None = None,
    progress: Progress | None = None,
    policy: str | Path | Policy | None = None,
) -> Evaluation:
    """Measure how good the scores in a table are.

    Parameters
    ----------
    data
        A path (CSV, Parquet, JSONL, Arrow; a folder or a glob of them), a data frame (pandas,
        polars, pyarrow, DuckDB, Spark, anything narwhals reads), a dict of columns, or a list of
        dicts; or a ``Summary`` or the file of one, which knows its columns, so that ``label``,
        ``score``, ``positive``, ``weight`` and ``groups`` may be left out.
    metrics
        Names or measure objects; None for the default set: ROC-AUC, average precision, recall at
        fixed false positive rates; calibration where every score lies in [0, 1]; the metrics of
        a decision where a threshold is given; costs where prices are given.
    label
        Column of outcomes: bool, {0, 1}, {-1, 1}, or anything with ``positive``.
    score
        Column of scores, or several to be compared on the same rows.
    positive
        The label that counts as positive.
    threshold
        Scores ``>= threshold`` are flagged.
    costs
        Prices of errors; a price may be a column.
    groups
        Columns whose values are measured separately, beside the whole.
    cluster
        Column of repeated units (customers): intervals resample whole clusters.
    weight
        Column of row weights >= 0.
    id
        Column that names each row; no two rows may share a name.  A run that is saved then keeps
        the outcome of every row, so that another can be compared with it row by row.
    bins
        Number of bins of the calibration errors; 10 by default.
    missing
        ``"error"``, or ``"drop"`` to leave out rows with a missing label or score and count them.
    level
        Coverage of the intervals, in (0, 1).
    intervals
        Whether to compute intervals.
    seed
        Determines every random draw.
    replicates
        Bootstrap replicates.
    threads
        How many threads may count rows; results do not depend on it.
    engine
        ``"memory"`` reads all rows; ``"batches"`` reads files and queries twice, in memory that
        grows with the positives only; ``"histogram"`` counts scores in bins, in memory that does
        not grow, and puts certified bounds on what depends on their order; ``"group_by"`` lets
        DuckDB, polars, ... group a query by score; ``"spark"`` counts a Spark data frame where it
        is.  ``"auto"`` takes Spark for its data frames, and one of the others for large data where
        they can do all that is asked.
        The numbers are the same, but for the bounds of a histogram, which ``"auto"`` takes for
        files whose positives do not fit in memory.
    bounds_within
        How wide bounds may be, in the unit of each metric; 0 asks for exact values.  The rows of
        the bins that leave more open are read a second time, and kept at their own scores.
    progress
        Called by the batches engine with the name of the pass and the rows done so far.
    policy
        Targets to hold the results against: the name of a shipped policy, a YAML file, or a
        ``Policy``.  Its prices are used where ``costs`` gives none.  What it must know and
        ``metrics`` does not ask for is measured too, and stands among the results.

    Returns
    -------
    Evaluation
        A mapping from metric to result.

    Raises
    ------
    InputError, LabelError, ScoreError, MissingColumnError, FileFormatError
        The data cannot be used as they are; the message says where and what to do.
    MetricNameError, ParameterError
        A metric or a parameter that does not exist.
    ConfigurationError, FileMissingError
        The policy does not parse, or does not exist.

    Examples
    --------
    >>> ev = evaluate({"y": [1, 0, 1, 0], "s": [0.9, 0.6, 0.4, 0.1]}, label="y", score="s")
    >>> ev["roc_auc"].value, ev["binary.recall@fpr=0.001"].conditions["threshold"]
    (0.75, 0.9)
    """
    rules = None if policy is None else _loaded(policy)
    if costs is None and rules is not None and rules.costs is not None:
        costs = rules.costs.costs
    settings = Settings(
        threshold=threshold,
        costs=costs,
        level=level,
        intervals=intervals,
        seed=seed,
        replicates=replicates,
        bounds_within=bounds_within,
    )
    threads = whole("threads", threads, 1)
    columns: dict[str, Any] = {
        "groups": parameters.names("groups", groups),
        "cluster": cluster,
        "weight": weight,
        "costs": _cost_columns(costs),
        "positive": positive,
    }
    path = data if isinstance(data, (str, Path)) and is_summary(data) else None
    if path is not None:
        data = Summary.load(path)
    if isinstance(data, Summary):
        roles = roles_of(data, label=label, score=score, **columns)
        if id is not None:
            raise ParameterError(
                "a summary holds no ids", why="they belong to rows", fix="leave id= out"
            )
        # With a smallest cell the one bin is for sums over all forecasts, no calibration error.
        if bins is None and not data.header.min_cell:
            bins = data.header.bins
        settings = settings_of(data, settings)
    else:
        label, subjects = _named(label, score)
        roles = Roles(label=label, scores=subjects, missing=missing, id=id, **columns)
    asked = None if metrics is None else _asked(metrics, bins)
    ruled = [rule.measure for rule in (rules.rules if rules else ())]
    needed = [*(asked or ()), *ruled]

    def wanted(forecasts: bool) -> list[Measure]:  # noqa: FBT001 - what a column holds
        return [*_wanted(asked, settings, bins, forecasts=forecasts), *ruled]

    data_read = read_data(
        data,
        roles,
        settings,
        plan_for(needed, settings, bins),
        wanted=wanted,
        asked=asked,
        engine=engine,
        threads=threads,
        progress=progress,
    )
    results = [
        result
        for part in data_read.slices
        for result in _measured(part, asked, data_read, settings, bins)
    ]
    verdict = None if rules is None else _judged(rules, results, data_read.slices, settings)
    return Evaluation(
        results=(*results, *_beside(verdict, results)),
        source={
            **_source(data_read.read, settings, roles),
            **({} if path is None else {"path": str(path)}),
        },
        settings=settings,
        subjects=roles.scores,
        comparisons=_compared(results, data_read.slices, settings) if len(roles.scores) > 1 else (),
        slices=tuple(data_read.slices),
        rows=data_read.rows if id is not None else None,
        summary=data if isinstance(data, Summary) else None,
        policy=verdict,
        keyed_by_subject=not isinstance(score, str) and len(roles.scores) > 1,
    )


def _named(label: str | None, score: str | Sequence[str] | None) -> tuple[str, tuple[str, ...]]:
    """Return the label and the score columns, which only a summary may leave out."""
    if label is None or score is None:
        absent = "label" if label is None else "score"
        raise ParameterError(
            f"{absent}= is missing", why="columns are not guessed", fix=f"name the {absent} column"
        )
    subjects = parameters.names("score", score)
    if not subjects or len(set(subjects)) < len(subjects):
        raise ParameterError(
            "score= names each score column once", fix="give one column or a list of distinct ones"
        )
    return label, subjects


def _asked(
    metrics: Iterable[str | Measure] | str | Measure, bins: int | None
) -> dict[Measure, str]:
    """Return each measure with the name it was asked for by."""
    asked: dict[Measure, str] = {}
    for name in parameters.several(metrics):
        found = with_bins(find(name, FAMILIES), bins)
        found.arguments()  # a required parameter that is absent is an error before any work
        asked.setdefault(found, str(name))
    return asked


def _measured(
    part: Slice,
    asked: Mapping[Measure, str] | None,
    data: Data,
    settings: Settings,
    bins: int | None,
) -> Iterable[Result]:
    subject = str(part.subject)
    probabilities = data.read.probabilities[subject]
    for one in asked or ():
        if one.definition.probabilities and data.read.n_rows and not probabilities:
            data.refuse_forecasts(subject)
    for one, requested in _wanted(asked, settings, bins, forecasts=probabilities).items():
        yield replace(finalise(one, part, settings), requested=requested)


def _wanted(
    asked: Mapping[Measure, str] | None, settings: Settings, bins: int | None, *, forecasts: bool
) -> dict[Measure, str | None]:
    """Return what is measured, with the name it was asked for by; companions last."""
    if asked is None:
        names = default_metrics(settings, probabilities=forecasts)
        return {with_bins(find(name), bins): None for name in names}
    wanted: dict[Measure, str | None] = dict(asked)
    for one in asked:
        for companion in one.definition.companions:
            wanted.setdefault(find(companion), None)
    return wanted


def _cost_columns(costs: Costs | None) -> dict[str, str]:
    if costs is None:
        return {}
    prices = {name: getattr(costs, name) for name in ("fn", "fp", "review")}
    return {name: price for name, price in prices.items() if isinstance(price, str)}


def _source(read: Read, settings: Settings, roles: Roles) -> dict[str, Any]:
    import numpy as np

    from veridical import __version__, kernels

    return {
        **read.source,
        "label": roles.label,
        "positive": None if roles.positive is None else str(roles.positive),
        **({} if roles.weight is None else {"weight": roles.weight}),
        "n_rows": read.n_rows,
        "n_read": read.n_read,
        "n_skipped": read.n_read - read.n_rows,
        "n_positive": read.n_positive,
        "sha256": read.sha256,
        "seed": settings.seed,
        "level": settings.level,
        "threshold": settings.threshold,
        "costs": None if settings.costs is None else settings.costs.to_dict(),
        "versions": {
            "veridical": __version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
        "engine": read.engine,
        "kernels": kernels.backend(),
        "notes": list(read.notes),
    }


def _compared(
    results: Iterable[Result], slices: Iterable[Slice], settings: Settings
) -> tuple[Comparison, ...]:
    if not settings.intervals:
        return ()
    from veridical.comparison import compare_columns

    return compare_columns(results, slices, settings)


def _loaded(policy: str | Path | Policy) -> Policy:
    # Reading rule files takes pydantic and a YAML parser, which most evaluations do without.
    from veridical.policy import load_policy

    return load_policy(policy)


def _judged(
    policy: Policy, results: Iterable[Result], slices: Iterable[Slice], settings: Settings
) -> PolicyVerdict:
    from veridical.policy import judge

    return judge(policy, results, slices, settings)


def _beside(verdict: PolicyVerdict | None, results: Iterable[Result]) -> Iterable[Result]:
    """Return what the policy measured and nobody had asked for, so that a run keeps it too."""
    if verdict is None:
        return ()
    known = {(r.metric, r.subject, r.group) for r in results}
    places = {(subject, group) for _, subject, group in known}
    judged = [*(row.result for row in verdict.rows), *(band.result for band in verdict.bands)]
    found = {
        (r.metric, r.subject, r.group): r
        for r in judged
        if (r.subject, r.group) in places and find(r.metric).family in FAMILIES
    }
    return [result for key, result in found.items() if key not in known]
