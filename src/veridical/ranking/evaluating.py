"""``evaluate_ranking``: runs against a golden set."""

from __future__ import annotations

import sys
import warnings as python_warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from veridical.errors import MismatchError, ParameterError
from veridical.late import numpy_version
from veridical.measures import Measure
from veridical.ranking.evaluation import RankingEvaluation
from veridical.ranking.fusion import FusedRun
from veridical.ranking.golden import Golden
from veridical.ranking.matching import Matching, matching
from veridical.ranking.measuring import (
    asked_metrics,
    averaged,
    measured,
    refuse_without_expectation,
)
from veridical.ranking.names import named_runs
from veridical.ranking.ordering import Duplicates, Ties
from veridical.ranking.settings import Average, RankingSettings
from veridical.results import Result
from veridical.summaries import QueryValues, RankedQueries
from veridical.tables._words import listed

__all__ = ["evaluate_ranking", "evaluated", "measure_ranking"]


def evaluate_ranking(
    run: Any,
    qrels: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    ties: Ties = "docid_desc",
    duplicates: Duplicates = "error",
    average: Average = "golden",
    strict: bool = False,
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
) -> RankingEvaluation:
    """Measure one run or several against a golden set.

    Parameters
    ----------
    run
        A path (TREC text, JSON, JSONL, CSV, Parquet, Arrow, or a folder with one such file), a
        data frame, or a dict ``{query: {document: score}}`` or ``{query: [documents]}``; or
        several, as a dict of them by name or a list of paths.
    qrels
        The golden set: a path, a data frame, or a dict ``{query: {document: grade}}`` or
        ``{query: [relevant documents]}``.
    metrics
        Names or measure objects; None for nDCG@10, recall@10, recall@100, MRR, MAP, precision@10
        and judged@10.
    ties
        How equal scores are ordered: ``"docid_desc"`` (trec_eval's rule), ``"input"`` (as given),
        ``"average"`` (every order is as likely: a value is the expectation over all of them) or
        ``"error"`` (refused).
    duplicates
        ``"error"``, or ``"keep-first"`` to keep the best rank of a document that stands twice.
    average
        ``"golden"``: over all queries of the golden set, where one without results counts as 0;
        ``"intersection"``: over those that the run has.
    strict
        Whether queries that one side lacks are an error instead of a warning.
    level, intervals, seed, replicates
        Coverage; whether to compute intervals and comparisons; what determines random draws;
        bootstrap replicates.

    Returns
    -------
    RankingEvaluation
        A mapping from metric to result, or from (run, metric) for several runs.

    Raises
    ------
    InputError, FileFormatError, FileMissingError
        The data cannot be used as they are; the message says where.
    MismatchError
        A run has no query of the golden set.  With ``strict``: any ids do not match.
    MetricNameError, ParameterError
        A metric or a parameter that does not exist.

    Examples
    --------
    >>> ev = evaluate_ranking({"q1": {"d1": 0.5, "d2": 0.9}}, {"q1": {"d1": 1}}, ["mrr", "map"])
    >>> ev["retrieval.mrr"].value
    0.5
    """
    settings = RankingSettings(
        ties=ties,
        duplicates=duplicates,
        average=average,
        level=level,
        intervals=intervals,
        seed=seed,
        replicates=replicates,
    )
    ev = _of_named(named_runs(run), qrels, metrics, settings, strict=strict)
    for sentence in ev.warnings:
        python_warnings.warn(sentence, stacklevel=2)
    return ev


def _of_named(
    named: Mapping[str | None, Any],
    qrels: Any,
    metrics: Iterable[str | Measure] | str | Measure | None,
    settings: RankingSettings,
    *,
    strict: bool = False,
) -> RankingEvaluation:
    """Evaluate one run, which may have no name, or several."""
    several = not (len(named) == 1 and None in named)
    runs = {"run" if name is None else name: source for name, source in named.items()}
    return evaluated(runs, qrels, metrics, settings, strict=strict, several=several)


def measure_ranking(metric: str | Measure, run: Any, qrels: Any, **options: Any) -> Result:
    """Measure one metric of one run.

    Parameters
    ----------
    metric
        Name or measure object.
    run, qrels
        As for ``evaluate_ranking``.
    **options
        The fields of ``RankingSettings``.

    Raises
    ------
    ParameterError
        There are several runs, or a parameter does not exist.

    Examples
    --------
    >>> measure_ranking("mrr", {"q1": {"d1": 0.5, "d2": 0.9}}, {"q1": {"d1": 1}}).value
    0.5
    """
    named = named_runs(run)
    if len(named) > 1:
        raise ParameterError(
            f"measure takes one run, not {len(named)}",
            why="its answer is one result",
            fix="measure each by itself, or all with evaluate_ranking, which compares them",
        )
    ev = _of_named(named, qrels, [metric], RankingSettings(**options))
    for sentence in ev.warnings:
        python_warnings.warn(sentence, stacklevel=3)  # the caller of ``measure``
    return ev.results[0]


def evaluated(
    runs: Mapping[str, Any],
    qrels: Any,
    metrics: Iterable[str | Measure] | str | Measure | None,
    settings: RankingSettings,
    *,
    strict: bool = False,
    several: bool = False,
) -> RankingEvaluation:
    """Evaluate runs by name; ``evaluate_ranking`` without its warnings.

    Parameters
    ----------
    runs
        Runs by name.
    qrels, metrics, strict
        As for ``evaluate_ranking``.
    settings
        How they are evaluated.
    several
        Whether a result is found by run and metric, and not by metric alone.
    """
    asked = asked_metrics(metrics)
    if settings.ties == "average":
        refuse_without_expectation(asked)
    golden = Golden(qrels)
    values: dict[tuple[str, str], QueryValues] = {}
    results: list[Result] = []
    matched: dict[str, Matching] = {}
    ranked: dict[str, RankedQueries] = {}
    sources: dict[str, Any] = {}
    for name, given in runs.items():
        told = name if len(runs) > 1 else None
        run = golden.order(given, settings.ties, settings.duplicates, told)
        found = run.ordered
        matched[name] = matching(name, run.n_queries, run.ids, found)
        if run.n_queries and len(matched[name].unknown) == run.n_queries:
            raise MismatchError(
                f"{name} and the golden set have no query in common",
                why=f"the run has {listed(matched[name].unknown, most=3)}, the golden set "
                f"{listed(matched[name].missing, most=3) or 'none'}: what is missing would "
                "count as 0",
                fix="give both the same query ids",
            )
        if strict and matched[name].mismatches:
            raise MismatchError(
                matched[name].mismatches[0],
                why="strict allows no query that one side lacks",
                fix="complete the run or the golden set",
            )
        ranked[name] = averaged(found, settings)
        of_run, of_queries = measured(name, found, ranked[name], asked, settings, golden.sha256)
        results += of_run
        values.update(of_queries)
        sources[name] = {**run.source, **matched[name].to_dict()}
        if isinstance(given, FusedRun) and given.fusion:
            sources[name]["fusion"] = dict(given.fusion)
    ev = RankingEvaluation(
        results=tuple(results),
        source=_source(golden, sources, settings),
        subjects=tuple(runs),
        values_by_query=values,
        ranked=ranked,
        warnings=tuple(dict.fromkeys(s for one in matched.values() for s in one.sentences)),
        level=settings.level if settings.intervals else None,
        keyed_by_subject=several,
    )
    if settings.intervals and len(runs) > 1:
        from veridical.comparison.units import compare_subjects

        ev = replace(ev, comparisons=compare_subjects(ev))
    return ev


def _source(golden: Golden, runs: Mapping[str, Any], settings: RankingSettings) -> dict[str, Any]:
    from veridical import __version__

    return {
        "qrels": golden.described(),
        "runs": dict(runs),
        "average": settings.average,
        "ties": settings.ties,
        "duplicates": settings.duplicates,
        "level": settings.level,
        "seed": settings.seed,
        "replicates": settings.replicates,
        "versions": {
            "veridical": __version__,
            "numpy": numpy_version(),
            "python": sys.version.split()[0],
        },
    }
