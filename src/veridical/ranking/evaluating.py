"""``evaluate_ranking``: runs against a golden set."""

from __future__ import annotations

import os
import sys
import warnings as python_warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from veridical.errors import MetricNameError, MismatchError, ParameterError
from veridical.kernels.query_sums import both
from veridical.late import numpy_version
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several, truth, whole
from veridical.ranking.evaluation import RankingEvaluation
from veridical.ranking.fusion import FusedRun
from veridical.ranking.golden import Golden
from veridical.ranking.matching import Matching, matching
from veridical.ranking.ordering import Duplicates, Ordered, Ties
from veridical.results import Conditions, Measured, Result
from veridical.stats.normal import check_level
from veridical.stats.query_bootstrap import mean_intervals
from veridical.stats.resolution import FEWEST_REPLICATES, interval_notes
from veridical.summaries import QueryValues, RankedQueries
from veridical.summaries.columns import marks
from veridical.tables._words import listed

__all__ = [
    "DEFAULT_METRICS",
    "Average",
    "RankingSettings",
    "evaluate_ranking",
    "evaluated",
    "measure_ranking",
    "named_runs",
    "names_of",
]

Average: TypeAlias = Literal["golden", "intersection"]

DEFAULT_METRICS = (
    "retrieval.ndcg@10",
    "retrieval.recall@10",
    "retrieval.recall@100",
    "retrieval.mrr",
    "retrieval.map",
    "retrieval.precision@10",
    "retrieval.judged@10",
)
FAMILIES = ("retrieval",)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSettings:
    """How runs are evaluated; see ``evaluate_ranking``."""

    ties: Ties = "docid_desc"
    duplicates: Duplicates = "error"
    average: Average = "golden"
    level: float = 0.95
    intervals: bool = True
    seed: int = 0
    replicates: int = 1000

    def __post_init__(self) -> None:
        check_level(self.level)
        for name, known in (
            ("ties", ("docid_desc", "input", "average", "error")),
            ("duplicates", ("error", "keep-first")),
            ("average", ("golden", "intersection")),
        ):
            if getattr(self, name) not in known:
                raise ParameterError(
                    f"{name}= is one of {', '.join(known)}, not {getattr(self, name)!r}",
                    fix="choose one of them",
                )
        truth("intervals", self.intervals)
        whole("seed", self.seed)
        whole("replicates", self.replicates, FEWEST_REPLICATES, 1_000_000)


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
        A path (TREC text, JSON, JSONL, CSV, Parquet, Arrow), a data frame, or a dict
        ``{query: {document: score}}`` or ``{query: [documents]}``; or several, as a dict of them
        by name or a list of paths.
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
    ev = _of_any(run, qrels, metrics, settings, strict=strict)
    for sentence in ev.warnings:
        python_warnings.warn(sentence, stacklevel=2)
    return ev


def _of_any(
    run: Any,
    qrels: Any,
    metrics: Iterable[str | Measure] | str | Measure | None,
    settings: RankingSettings,
    *,
    strict: bool = False,
) -> RankingEvaluation:
    named = named_runs(run)
    several = not (len(named) == 1 and None in named)
    runs = {name or "run": source for name, source in named.items()}
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

    Examples
    --------
    >>> measure_ranking("mrr", {"q1": {"d1": 0.5, "d2": 0.9}}, {"q1": {"d1": 1}}).value
    0.5
    """
    ev = _of_any(run, qrels, [metric], RankingSettings(**options))
    for sentence in ev.warnings:
        python_warnings.warn(sentence, stacklevel=3)  # the caller of ``measure``
    return ev.results[0]


def named_runs(run: Any) -> dict[str | None, Any]:
    """Return runs by name; a single one without a name is under None."""
    if isinstance(run, Mapping) and _is_several(run):
        return {str(name): one for name, one in run.items()}
    if isinstance(run, (list, tuple)) and run and isinstance(run[0], (str, os.PathLike)):
        return dict(zip(names_of(run), run, strict=True))
    return {None: run}


def _is_several(run: Mapping[Any, Any]) -> bool:
    """Whether a dict holds runs by name, and not the queries of one, or columns."""
    first = next(iter(run.values()), None)
    if type(first) is dict and isinstance(next(iter(first.values()), None), (int, float)):
        return False  # the numbers of one query
    values = list(run.values())
    if not values:
        return False
    if set(map(type, values)) == {dict}:
        inner = next((v for value in values for v in value.values()), None)
        return isinstance(inner, (Mapping, list, tuple))
    from veridical.tables.listings import Listing, is_nested

    if not all(isinstance(value, Mapping) for value in values):
        return not is_nested(run) and all(
            isinstance(value, (str, os.PathLike, Listing, Mapping)) or hasattr(value, "columns")
            for value in values
        )
    inner = next((v for value in values for v in value.values()), None)
    return isinstance(inner, (Mapping, list, tuple))


def names_of(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return a name for each file: its stem, with the folder or a number where two agree."""
    names: list[str] = []
    for path in [os.fspath(one) for one in paths]:
        stem = os.path.basename(path).split(".")[0]  # noqa: PTH119 - pathlib is slow to load
        names.append(stem if stem and stem not in names else _longer_name(path, names))
    return names


def _longer_name(given: str, names: list[str]) -> str:
    from pathlib import PurePath

    path = PurePath(given)
    stem = path.name.split(".")[0] or path.name
    choices = (stem, path.name, f"{path.parent.name}/{path.name}", str(path))
    free = next((name for name in choices if name not in names), None)
    return free or f"{path} ({len(names) + 1})"


def evaluated(
    runs: Mapping[str, Any],
    qrels: Any,
    metrics: Iterable[str | Measure] | str | Measure | None,
    settings: RankingSettings,
    *,
    strict: bool = False,
    several: bool = False,
) -> RankingEvaluation:
    """Evaluate runs by name; ``evaluate_ranking`` without its warnings."""
    asked = _asked(metrics)
    if settings.ties == "average":
        _refuse_without_expectation(asked)
    golden = Golden(qrels)
    values: dict[tuple[str, str], QueryValues] = {}
    results: list[Result] = []
    matched: dict[str, Matching] = {}
    ranked: dict[str, RankedQueries] = {}
    sources: dict[str, Any] = {}
    for name, given in runs.items():
        run = golden.order(given, settings.ties, settings.duplicates)
        found = run.ordered
        matched[name] = matching(name, run.n_queries, run.ids, found)
        if run.n_queries and len(matched[name].unknown) == run.n_queries:
            raise MismatchError(
                f"{name} and the golden set have no query in common",
                why=f"the run has {listed(matched[name].unknown, most=3)}, the golden set "
                f"{listed(matched[name].missing, most=3)}: what is missing would count as 0",
                fix="give both the same query ids",
            )
        if strict and matched[name].mismatches:
            raise MismatchError(
                matched[name].mismatches[0],
                why="--strict allows no query that one side lacks",
                fix="complete the run or the golden set",
            )
        ranked[name] = _averaged(found, settings)
        of_run, of_queries = _measured(name, found, ranked[name], asked, settings, golden.sha256)
        results += of_run
        values.update(of_queries)
        sources[name] = {**run.source, **matched[name].to_dict()}
        if isinstance(given, FusedRun):
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


def _asked(
    metrics: Iterable[str | Measure] | str | Measure | None,
) -> dict[Measure, str | None]:
    if metrics is None:
        return {find(name): None for name in DEFAULT_METRICS}
    asked: dict[Measure, str | None] = {}
    for name in several(metrics):
        one = find(name, FAMILIES)
        if one.family not in {"retrieval", "trec"}:
            raise MetricNameError(
                f"{one} is no metric of a ranking", fix="see `veridical metrics` for retrieval.*"
            )
        one.arguments()
        asked.setdefault(one, str(name))
    return asked


def _refuse_without_expectation(asked: Iterable[Measure]) -> None:
    from veridical.metrics.retrieval_ties import EXPECTED

    for one in asked:
        if one.family != "retrieval" or one.name not in EXPECTED:
            raise ParameterError(
                f"{one} has no mean over the orders of equal scores",
                why="trec_eval orders them by document id" if one.family == "trec" else "",
                fix="choose ties=docid_desc, or a metric of the family retrieval",
            )


def _averaged(found: Ordered, settings: RankingSettings) -> RankedQueries:
    """Return the ranking, with the queries that are averaged over."""
    if settings.average == "intersection":
        return found.ranked.averaged_over(found.listed)
    return found.ranked


def _measured(
    name: str,
    found: Ordered,
    ranked: RankedQueries,
    asked: Mapping[Measure, str | None],
    settings: RankingSettings,
    sha256: str,
) -> tuple[list[Result], dict[tuple[str, str], QueryValues]]:
    included = ranked.n_included
    filled = included - both(marks(ranked, "included"), bytearray(found.listed)).count(1)
    conditions = Conditions(
        {"average": settings.average, "ties": settings.ties, "golden_sha256": sha256},
        {"ties_with_relevant": found.ties_with_relevant},
    )
    results: list[Result] = []
    values: dict[tuple[str, str], QueryValues] = {}
    for one in asked:
        metric, arguments = str(one), one.arguments()
        of_each = _of_each(one, found, ranked, arguments)
        if of_each is not None:
            values[name, metric] = of_each
        result = one.function(ranked if of_each is None else of_each, **arguments)
        counts = {"n_skipped": included - result.n, "n_filled": filled}
        if found.duplicates:
            counts["n_duplicates"] = found.duplicates
        results.append(
            replace(
                result,
                metric=metric,
                requested=asked[one],
                subject=name,
                n_rows=included,
                counts=counts,
                conditions=conditions.also(**arguments).found(**result.conditions.observed),
            )
        )
    return _with_intervals(results, asked, values, settings), values


def _of_each(
    one: Measure, found: Ordered, ranked: RankedQueries, arguments: Mapping[str, Any]
) -> QueryValues | None:
    """Return the value of each query, where the metric has one."""
    if found.tied is not None:
        from veridical.metrics.retrieval_ties import EXPECTED

        return EXPECTED[one.name](replace(found.tied, ranked=ranked), **arguments)
    statistic = one.definition.statistic
    return None if statistic is None else statistic(ranked, **arguments)


def _with_intervals(
    results: list[Result],
    asked: Iterable[Measure],
    values: Mapping[tuple[str, str], QueryValues],
    settings: RankingSettings,
) -> list[Result]:
    """Give the means over queries their intervals, all from the same draws."""
    drawn = [
        at
        for at, (one, result) in enumerate(zip(asked, results, strict=True))
        if settings.intervals and result.ok and one.definition.interval is not None
    ]
    columns = [values[str(results[at].subject), results[at].metric] for at in drawn]
    intervals = mean_intervals(
        [column.values for column in columns],
        [column.defined for column in columns],
        settings.level,
        settings.replicates,
        settings.seed,
    )
    changed = list(results)
    for at, interval in zip(drawn, intervals, strict=True):
        result = results[at]
        if isinstance(result, Measured):
            notes = interval_notes(interval, settings.replicates, result.n)
            changed[at] = replace(result, interval=interval, notes=(*result.notes, *notes))
    return changed


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
