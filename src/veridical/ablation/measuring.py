"""``ablate``: measure every run of a factorial experiment, and say what each factor moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from veridical.ablation.effects import MetricOfRuns, adjusted
from veridical.ablation.experiment import Experiment
from veridical.ablation.reading import read_experiment
from veridical.ablation.results import Ablation
from veridical.ablation.row_noise import RowNoise, rows_of
from veridical.comparison.differing import check_allowed
from veridical.comparison.forms import form_measured, measured_in_all
from veridical.comparison.recorded import Recorded, recorded
from veridical.errors import MismatchError, ParameterError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several, truth
from veridical.results import Result, Skipped
from veridical.stats.factorial import check_size
from veridical.stats.normal import check_level

__all__ = ["DEFAULTS", "ablate"]

DEFAULTS: Final = (
    "binary.roc_auc",
    "binary.average_precision",
    "calibration.ece",
    "calibration.brier",
)
"""What is measured when no metric is named."""


def ablate(
    experiment: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    label: str | None = None,
    score: str | None = None,
    positive: Any = None,
    id: str | None = None,  # noqa: A002 - as of ``evaluate``
    threshold: float | None = None,
    factors: Sequence[str] | None = None,
    replicate: str = "seed",
    reference: Mapping[str, Any] | None = None,
    paired_seeds: bool = False,
    subject: str | None = None,
    allow: Collection[str] = (),
    level: float = 0.95,
    seed: int = 0,
    store: str | None = None,
) -> Ablation:
    """Measure the runs of a factorial experiment: each combination, each factor, each pair.

    A combination's value is the mean over its runs, with an interval by Student's t.  Effects are
    least-squares estimates with effect coding in the model of main effects and pairs: every level
    of the other factors counts once, however many runs it has.  Their noise is what runs of one
    combination differ by; without replicates nothing is called an effect.

    Where the rows of the runs are at hand, and the metric's influence values are known, intervals
    cover other seeds and other rows: rows that runs share are paired by ``id``, or by position
    where their labels agree.  Elsewhere they cover other seeds on these rows.  Every result says
    which in its condition ``covers``.

    Parameters
    ----------
    experiment
        A CSV or YAML file or any table, one row a run; see ``read_experiment``.
    metrics
        What to measure; by default ROC-AUC, average precision, ECE and Brier score.
    label, score, positive, id, threshold
        Of the files of scores, as for ``evaluate``.
    factors, replicate, reference
        Which columns were varied, which tells replicates apart, and factor to reference level.
    paired_seeds
        Whether a seed stands for the same split or fold in every combination.  Every seed must
        then have a run of each; differences are taken within a seed, and their noise is what
        seeds differ by in them.
    subject
        What is compared of stored runs that measured several.
    allow
        Conditions in which the runs may differ, such as ``"threshold"``.
    level
        Coverage of the intervals.
    seed
        Determines every random draw.
    store
        Where stored runs are; None for the usual place.

    Returns
    -------
    Ablation
        Results by combination and metric, and ``terms``.

    Raises
    ------
    InputError, MissingColumnError, ConfigurationError, FileMissingError
        The table or the files of scores cannot be used.
    MismatchError
        The runs were measured under different conditions, or on other labels.
    ParameterError, MetricNameError
        A factor, a level or a metric that does not exist.

    Examples
    --------
    >>> import veridical as vd
    >>> def run(p):
    ...     data = {"y": [1, 0, 1, 0], "p": [p, 0.5, 0.9, 0.1]}
    ...     return vd.evaluate(data, "brier", label="y", score="p", intervals=False)
    >>> found = ablate([{"loss": loss, "seed": seed, "run": run(p)}
    ...                 for loss, seed, p in [("ce", 1, 0.2), ("ce", 2, 0.3),
    ...                                       ("focal", 1, 0.8), ("focal", 2, 0.7)]])
    >>> effect = found.term("brier", "loss").contrasts[0]
    >>> effect.subject, round(effect.value, 3), effect.conditions["covers"]
    ('loss: focal − ce', -0.125, 'seeds and rows')
    """
    check_level(level)
    planned = read_experiment(experiment, factors=factors, replicate=replicate, reference=reference)
    said = planned.settings
    asked = said.get("metrics") if metrics is None else several(metrics)
    columns = {
        "label": label or said.get("label"),
        "score": score or said.get("score"),
        "positive": said.get("positive") if positive is None else positive,
        "id": id or said.get("id"),
        "threshold": threshold,
    }
    if truth("paired_seeds", paired_seeds):
        _check_paired(planned)
    _check_given(planned, columns)
    check_size([len(one.levels) for one in planned.factors])
    runs = _measured(planned, asked, columns, subject, level=level, seed=seed, store=store)
    check_allowed(allow, *(run for run, _ in runs))
    by_metric = _by_metric(planned, runs, asked, allow)
    noise = RowNoise([rows_of(run, its_subject) for run, its_subject in runs])
    every = [
        MetricOfRuns(
            measure=find(metric),
            experiment=planned,
            results=results,
            noise=noise,
            paired_seeds=paired_seeds,
            level=level,
        )
        for metric, results in by_metric.items()
    ]
    return Ablation(
        experiment=planned,
        results=tuple(cell for one in every for cell in one.cells()),
        runs=tuple(
            {metric: results[at] for metric, results in by_metric.items()}
            for at in range(len(planned.runs))
        ),
        terms=adjusted([term for one in every for term in one.terms()]),
        source={
            **planned.source,
            **{key: value for key, value in columns.items() if value is not None},
            "n_runs": len(planned.runs),
            "n_combinations": len(planned.cells),
            "rows": noise.told,
            "paired_seeds": paired_seeds,
            "level": level,
            "seed": seed,
        },
    )


def _check_paired(planned: Experiment) -> None:
    """Raise unless every seed stands in every combination that has runs."""
    seeds = dict.fromkeys(run.seed for run in planned.runs)
    if "" in seeds:
        raise ParameterError("seeds cannot be paired without a column for them", fix="add one")
    for levels, runs in planned.cells.items():
        absent = [seed for seed in seeds if seed not in {planned.runs[at].seed for at in runs}]
        if absent:
            raise ParameterError(
                f"seed {absent[0][:80]!r} has no run of {planned.name_of(levels)}"[:300],
                why="a difference within a seed needs both sides",
                fix="run it, or leave this seed out everywhere",
            )


def _check_given(planned: Experiment, columns: Mapping[str, Any]) -> None:
    """Refuse columns that are missing, or of use to files only."""
    files = [run for run in planned.runs if run.kind == "file"]
    if files:
        for name in ("label", "score"):
            if columns[name] is None:
                raise ParameterError(
                    f"{name}= is missing",
                    why="columns are not guessed",
                    fix=f"name the {name} column of the files (on the command line --{name})",
                )
        return
    given = [name for name, value in columns.items() if value is not None]
    if given:
        raise ParameterError(
            f"{given[0]}= is for files of scores, and these are stored runs", fix="leave it out"
        )


def _measured(
    planned: Experiment,
    asked: Sequence[str | Measure] | None,
    columns: Mapping[str, Any],
    subject: str | None,
    *,
    level: float,
    seed: int,
    store: str | None,
) -> list[tuple[Recorded, str]]:
    """Return each run as it was recorded, or is now measured, and what is compared of it."""
    found = []
    for run in planned.runs:
        if run.kind == "run":
            found.append(recorded(run.source, store))
            continue
        from veridical.evaluation import evaluate

        # An interval over rows is of use where a run stands alone in its combination.
        alone = len(planned.cells[run.levels]) < 2
        ev = evaluate(run.source, asked, level=level, seed=seed, intervals=alone, **columns)
        found.append(recorded(ev))
    return [(run, run.subject(subject)) for run in found]


def _by_metric(
    planned: Experiment,
    runs: Sequence[tuple[Recorded, str]],
    asked: Sequence[str | Measure] | None,
    allow: Collection[str],
) -> dict[str, list[Result]]:
    """Return the results of each metric, run by run."""
    wanted = _wanted(measured_in_all(runs), asked, of_files=planned.runs[0].kind == "file")
    found = {metric: [_result(run, metric, of) for run, of in runs] for metric in wanted}
    for metric, results in found.items():
        _refuse(metric, results, planned, allow)
    return found


def _wanted(
    shared: Sequence[str], asked: Sequence[str | Measure] | None, *, of_files: bool
) -> list[str]:
    """Return the metrics by canonical name."""
    if asked is not None:
        fix = f"all have {', '.join(shared) or 'none in common'}"[:500]
        names = (str(form_measured(name, shared, "every run", fix)) for name in asked)
        return list(dict.fromkeys(names))
    if of_files:  # all were measured; calibration, where scores are no probabilities, is skipped
        return list(DEFAULTS)
    usual: list[str] = [metric for metric in DEFAULTS if metric in shared]
    if not (usual or shared):
        raise ParameterError(
            "the runs have no metric in common", fix="measure the same metrics in all"
        )
    return usual or list(shared)


def _result(run: Recorded, metric: str, subject: str) -> Result:
    found = run.find(metric, subject)
    if found is not None:
        return found
    return replace(
        Skipped("not_probabilities", detail=f"{subject!r} has scores outside [0, 1]"),
        metric=metric,
        subject=subject,
    )


def _refuse(
    metric: str, results: Sequence[Result], planned: Experiment, allow: Collection[str]
) -> None:
    """Raise where two runs were measured under different settings."""
    ok = [(at, one) for at, one in enumerate(results) if one.ok]
    for at, one in ok[1:]:
        first = ok[0][1]
        differing = [n for n in first.conditions.differences(one.conditions) if n not in allow]
        if differing:
            name = differing[0]
            values = [str(r.conditions.get(name))[:80] for r in (first, one)]
            raise MismatchError(
                f"the runs differ in {name}: {values[0]} and {values[1]}",
                where=f"{metric}, {planned.runs[ok[0][0]].where}, {planned.runs[at].where}"[:300],
                why="an effect would be one of conditions as much as of factors",
                fix=f"measure all the same way, or allow it: allow=[{name!r}] "
                f"(on the command line --allow {name})",
            )
