"""The report of a ranking evaluation: runs side by side, and query by query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.report.chart_data import Axis
from veridical.report.display import rate_text, round_number_above, value_text
from veridical.report.html import render_page
from veridical.report.query_sample import Moved, QuerySample
from veridical.report.ranking_words import AVERAGES, DUPLICATES, TIES, fusion_text
from veridical.report.scatter import scatter
from veridical.report.titles import title
from veridical.report.unit_page import Fact, level_text, series_of, unit_context

if TYPE_CHECKING:
    from veridical.ranking import RankingEvaluation

__all__ = ["ranking_html"]

_IDS_SHOWN = 40


def ranking_html(ev: RankingEvaluation, heading: str | None = None) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    ev
        What to report.
    heading
        The page's heading; runs and golden set by default.
    """
    sample = QuerySample(ev)
    context = unit_context(ev, heading or _heading(ev), _facts(ev), ev.level) | {
        "sample": sample,
        "chart": _static_chart(sample) if sample.metrics and sample.shown else None,
        "choices": [{"metric": m, "title": title(m)} for m in sample.metrics],
        "changes": [_changes(sample, pair) for pair in sample.pairs] if sample.metrics else [],
        "lowest": _lowest(sample) if sample.metrics and not sample.pairs else [],
        "matching": list(_matching(ev)),
    }
    data = {"queries": _query_data(sample)} if sample.metrics and sample.shown else None
    return render_page("ranking.html", context, data)


def _heading(ev: RankingEvaluation) -> str:
    return f"{', '.join(ev.subjects)} against {_golden_name(ev)}"


def _golden_name(ev: RankingEvaluation) -> str:
    path = ev.source["qrels"].get("path")
    # The folder is left out: a report is passed on, and who keeps what where is nobody's business.
    return PurePath(str(path)).name if path else "a golden set in memory"


def _facts(ev: RankingEvaluation) -> list[Fact]:
    source, golden = ev.source, ev.source["qrels"]
    drawn = [f"seed {source['seed']}", f"{source['replicates']:,} replicates"]
    versions = [f"{name} {version}" for name, version in source["versions"].items()]
    return [
        Fact("Golden set", _golden_name(ev), width="double"),
        Fact("Queries", f"{golden['n_queries']:,}", [f"{golden['n_judged']:,} judgements"]),
        Fact("Averaged", AVERAGES[source["average"]], width="double"),
        Fact("Order", TIES[source["ties"]], [DUPLICATES[source["duplicates"]]], "double"),
        Fact("Intervals", level_text(ev.level) if ev.level else "none", drawn if ev.level else []),
        Fact("Made with", ", ".join(versions), width="double"),
        Fact("Golden set sha256", golden["sha256"], width="wide"),
    ]


def _matching(ev: RankingEvaluation) -> Iterator[dict[str, Any]]:
    """Yield which queries were left out or filled, and what else is to be known of each run."""
    filled = {
        "golden": "counted as 0: the run has nothing for them",
        "intersection": "left out: the run has nothing for them",
    }[ev.source["average"]]
    ids = {
        "queries_without_results": filled,
        "queries_not_in_golden_set": "left out: the golden set does not have them",
        "queries_without_relevant": "left out: no relevant document is known",
    }
    for run in ev.subjects:
        of_run = ev.source["runs"].get(run, {})
        if "fusion" in of_run:
            yield {"run": run, "words": fusion_text(of_run["fusion"]), "ids": [], "more": 0}
        for key, words in ids.items():
            if queries := of_run.get(key):
                yield _listed(run, words, queries)
        for key, words in (
            ("ties_with_relevant", "groups of equal scores that hold a relevant document"),
            ("duplicates_left_out", "rows whose document stands higher already, left out"),
        ):
            if count := of_run.get(key):
                yield {"run": run, "words": words, "count": count, "ids": [], "more": 0}


def _listed(run: str, words: str, queries: Sequence[str]) -> dict[str, Any]:
    shown = [str(query) for query in queries[:_IDS_SHOWN]]
    return {
        "run": run,
        "words": words,
        "count": len(queries),
        "ids": shown,
        "more": len(queries) - len(shown),
    }


def _changes(sample: QuerySample, pair: tuple[str, str]) -> dict[str, Any]:
    """Return the queries that moved most between two runs, in both directions."""
    metric = sample.metrics[0]
    series = series_of(sample.ev.subjects)
    sides = [
        {"run": run, "series": series[run], "rows": [_moved(one, metric) for one in moved]}
        for run, moved in zip(pair, sample.moved(pair, metric), strict=True)
    ]
    return {
        "pair": pair,
        "places": " ".join(str(sample.ev.subjects.index(run)) for run in pair),
        "title": title(metric),
        "sides": sides,
        "series": [series[run] for run in pair],
    }


def _lowest(sample: QuerySample) -> list[dict[str, str]]:
    found = sample.lowest(sample.ev.subjects[0], sample.metrics[0])
    return [
        {"query": query, "value": _text(value), "ranks": ranks} for query, value, ranks in found
    ]


def _moved(one: Moved, metric: str) -> dict[str, Any]:
    difference = one.value_a - one.value_b
    return {
        "query": one.query,
        "value_a": _text(one.value_a),
        "value_b": _text(one.value_b),
        "difference": f"{difference:+.4f}",
        "ranks_a": one.ranks_a,
        "ranks_b": one.ranks_b,
        "metric": metric,
    }


def _text(value: float) -> str:
    return rate_text(value) if abs(value) <= 1 else value_text(value, rate=False)


def _domain(sample: QuerySample, metric: str) -> tuple[float, float]:
    """Return ends that hold the values of all runs; of rates always the whole scale."""
    every = [
        sample.values(run, metric)
        for run in sample.ev.subjects
        if (run, metric) in sample.ev.values_by_query
    ]
    values = np.concatenate(every)
    values = values[~np.isnan(values)]
    if not len(values) or (values.min() >= 0 and values.max() <= 1):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    return (0.0 if low >= 0 else -round_number_above(-low)), round_number_above(high) or 1.0


def _static_chart(sample: QuerySample) -> Mapping[str, Any]:
    """Return the chart of the first metric, for whoever runs no script."""
    metric = sample.metrics[0]
    domain = _domain(sample, metric)
    if not sample.pairs:
        run = sample.ev.subjects[0]
        values = sorted(v for v in sample.of_shown(run, metric) if v is not None)
        x = Axis(
            label="Queries, by value", domain=(0.0, float(len(values))), log=False, money=False
        )
        y = Axis(label=title(metric), domain=domain, log=False, money=False)
        words = f"{title(metric)} of every query of {run}, ascending"
        return {
            "svg": scatter(x, y, list(enumerate(values, 1)), words, diagonal=False),
            "words": words,
        }
    a, b = sample.pairs[0]
    pairs = zip(sample.of_shown(a, metric), sample.of_shown(b, metric), strict=True)
    points = [(one, two) for one, two in pairs if one is not None and two is not None]
    x, y = (
        Axis(label=f"{title(metric)} of {run}", domain=domain, log=False, money=False)
        for run in (a, b)
    )
    words = f"{title(metric)} of every query: {a} across, {b} up"
    return {"svg": scatter(x, y, points, words, diagonal=True), "words": words}


def _query_data(sample: QuerySample) -> dict[str, Any]:
    """Return what the script looks up: text of each value, and where relevant documents stand."""
    runs = sample.ev.subjects
    return {
        "runs": list(runs),
        "metrics": [
            {"name": m, "title": title(m), "domain": _domain(sample, m)} for m in sample.metrics
        ],
        "ids": [sample.ids[at] for at in sample.shown],
        "values": [
            [
                [None if v is None else _text(v) for v in sample.of_shown(run, metric)]
                for metric in sample.metrics
            ]
            for run in runs
        ],
        "ranks": [[sample.ranks(run, at) for at in sample.shown] for run in runs],
        "pair": [runs.index(run) for run in sample.pairs[0]] if sample.pairs else [0, 0],
    }
