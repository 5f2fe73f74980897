"""From results to a run: what each family keeps beside its document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from veridical.metrics import find
from veridical.store.drafts import draft
from veridical.store.kept_slices import scores_kept
from veridical.store.run import SUMMARIES, UNITS, Run
from veridical.store.runs import Store
from veridical.store.units import MOST_UNITS, UnitColumn, Units
from veridical.summaries import JudgedSample, RatingPatterns, TokenStatistics

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.evaluation.agreement_evaluation import AgreementEvaluation
    from veridical.evaluation.result_set import ResultSet
    from veridical.evaluation.text_evaluation import TextEvaluation
    from veridical.ranking import RankingEvaluation

__all__ = ["KeepsItself", "drafted", "keep"]

Kept: TypeAlias = dict[str, Any]
"""Arguments of ``draft``."""


@runtime_checkable
class KeepsItself(Protocol):
    """Results of a harness, which knows what of its cases is kept."""

    def kept(self) -> Kept:
        """Return arguments of ``draft``."""
        ...


def keep(
    ev: ResultSet,
    *,
    name: str | None = None,
    tags: Iterable[str] | str = (),
    store: str | os.PathLike[str] | Store | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Run:
    """Save results as a run; see ``ResultSet.save``."""
    run = drafted(ev, name=name, tags=tags, settings=settings)  # a bad name touches no store
    if isinstance(store, Store):
        return store.save(run)
    with Store(store) as opened:
        return replace(opened.save(run), parts=run.parts)


def drafted(
    ev: ResultSet,
    *,
    name: str | None = None,
    tags: Iterable[str] | str = (),
    settings: Mapping[str, Any] | None = None,
) -> Run:
    """Return results as a run that is not stored yet."""
    from veridical.evaluation import Evaluation

    kept = _of_scores(ev) if isinstance(ev, Evaluation) else _of_other(ev)
    kept["settings"] = {**kept.get("settings", {}), **(settings or {})}
    return draft(document=ev.to_dict(), name=name, tags=tags, **kept)


def _of_other(ev: ResultSet) -> Kept:
    from veridical.evaluation.agreement_evaluation import AgreementEvaluation
    from veridical.evaluation.text_evaluation import TextEvaluation
    from veridical.ranking import RankingEvaluation

    if isinstance(ev, RankingEvaluation):
        return _of_ranking(ev)
    if isinstance(ev, TextEvaluation):
        return _of_texts(ev)
    if isinstance(ev, AgreementEvaluation):
        return _of_ratings(ev)
    if isinstance(ev, KeepsItself):
        return ev.kept()
    return {"kind": getattr(ev, "kind", "evaluation")}


def _of_scores(ev: Evaluation) -> Kept:
    costs = ev.settings.costs
    settings = {
        **asdict(ev.settings),
        "costs": None if costs is None else costs.to_dict(),
        "scores": list(ev.subjects),
        "label": ev.source["label"],
        "positive": ev.source["positive"],
    }
    units, left_out = _rows(ev)
    summaries, why = scores_kept(ev)
    return {
        "kind": "evaluation",
        "settings": settings,
        "seed": ev.settings.seed,
        "data_sha256": ev.source["sha256"],
        "units": units,
        "summaries": summaries,
        "left_out": left_out | ({SUMMARIES: why} if why else {}),
    }


def _rows(ev: Evaluation) -> tuple[Units | None, dict[str, str]]:
    """Return the rows by id: what is needed to pair them with those of another run."""
    rows = ev.rows
    if rows is None or rows.ids is None:
        return None, {UNITS: "the rows have no ids, or are not held in memory"}
    if rows.n > MOST_UNITS:
        return None, {UNITS: f"there are {rows.n:,} rows, more than {MOST_UNITS:,}"}
    columns: dict[UnitColumn, Any] = {
        UnitColumn("label", str(ev.source["label"])): rows.positive,
    }
    for subject, raw in rows.scores.items():
        forecasts = rows.in_unit_interval(subject)
        scores = rows.probabilities(subject)[0] if forecasts else raw
        columns[UnitColumn("score", subject, subject)] = scores
    if rows.weight is not None:
        columns[UnitColumn("weight", "weight")] = rows.weight
    if rows.cluster is not None:
        columns[UnitColumn("cluster", "cluster")] = rows.cluster
    for name, groups in rows.groups.items():
        columns[UnitColumn("group", name)] = np.array(groups.names, dtype=object)[groups.codes]
    ids = np.array(rows.ids.names, dtype=object)[rows.ids.codes]
    return Units("row", ids.tolist(), columns), {}


def _of_ranking(ev: RankingEvaluation) -> Kept:
    names = ("average", "ties", "duplicates", "level", "seed", "replicates")
    columns: dict[UnitColumn, Any] = {}
    ids: dict[str, None] = {}
    for values in ev.values_by_query.values():
        ids.update(dict.fromkeys(values.ids))
    position = {query: at for at, query in enumerate(ids)}
    for (subject, metric), values in ev.values_by_query.items():
        at = np.array([position[query] for query in values.ids], dtype=np.intp)
        numbers, absent = np.zeros(len(ids)), np.ones(len(ids), dtype=np.bool_)
        numbers[at], absent[at] = values.values, ~values.defined
        columns[UnitColumn("value", metric, subject)] = np.ma.masked_array(numbers, absent)
    return {
        "kind": "ranking",
        "settings": {name: ev.source[name] for name in names},
        "seed": ev.source["seed"],
        "data_sha256": ev.source["qrels"]["sha256"],
        "units": Units("query", list(ids), columns),
        "summaries": [
            {"subject": subject, "group": None, "summary": ranked.to_dict()}
            for subject, ranked in ev.ranked.items()
        ],
    }


def _of_texts(ev: TextEvaluation) -> Kept:
    columns: dict[UnitColumn, Any] = {}
    n = 0
    for (system, metric), sums in ev.sums.items():
        n = len(sums.rows)
        for at, column in enumerate(sums.rows.T):
            of_corpus = sums.score is not None
            name = f"{metric}[{at}]" if of_corpus else metric
            values = np.ma.masked_invalid(column)
            columns[UnitColumn("statistic" if of_corpus else "value", name, system)] = values
    return {
        "kind": "text",
        "settings": asdict(ev.settings),
        "seed": ev.settings.seed,
        "data_sha256": ev.source.get("references_sha256"),
        "units": Units("segment", [str(line) for line in range(1, n + 1)], columns),
        "summaries": [
            {"subject": system, "group": None, "metric": metric, "summary": _in_order(summary)}
            for (system, metric), summary in ev.summaries.items()
            if hasattr(summary, "to_dict")
        ],
    }


def _in_order(summary: Any) -> dict[str, Any]:
    """Return a portable form with its texts in their order, so that the same ones are drawn."""
    form: dict[str, Any] = summary.to_dict()
    if isinstance(summary, TokenStatistics):
        form["rows"] = summary.rows.tolist()
    return form


def _of_ratings(ev: AgreementEvaluation) -> Kept:
    ratings = ev.ratings
    columns = {
        UnitColumn("rating", rater): np.ma.masked_less(np.asarray(codes, np.int32), 0)
        for rater, codes in ratings.codes.items()
    }
    items = [str(line) for line in range(1, ratings.n_items + 1)]
    return {
        "kind": "agreement",
        "settings": {
            **asdict(ev.settings),
            "raters": list(ev.raters),
            "judge": ev.judge,
            "labels": list(ratings.labels),
            "declared": ratings.declared,
        },
        "seed": ev.settings.seed,
        "summaries": list(_tables(ev)),
        "units": Units("item", items, columns),
    }


def _tables(ev: AgreementEvaluation) -> Iterator[dict[str, Any]]:
    """Yield the table of each pair, and what other metrics are computed from."""
    from veridical.evaluation.agreement import judged_sample

    for pair, table in ev.tables.items():
        yield {"subject": pair, "group": None, "metric": None, "summary": table.to_dict()}
    ratings = ev.ratings
    summary: RatingPatterns | JudgedSample
    for result in ev.results:
        kind = find(result.metric).definition.summary
        if kind is JudgedSample:
            label = result.conditions["rate_of"]
            summary = judged_sample(ratings, ev.raters, ratings.labels.index(label))
        elif kind is RatingPatterns:
            codes: Any = np.stack(list(ratings.codes.values()), axis=1)
            labels, declared = ratings.labels, ratings.declared
            summary = RatingPatterns.from_codes(codes, labels, declared=declared)
        else:
            continue
        of = {"subject": result.subject, "group": None, "metric": result.metric}
        yield {**of, "summary": summary.to_dict()}
