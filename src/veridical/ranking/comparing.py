"""Runs compared with each other, query by query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from veridical.comparison.comparison import Comparison, adjusted
from veridical.errors import MismatchError
from veridical.metrics import find
from veridical.ranking.evaluation import RankingEvaluation
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.query_bootstrap import paired_means

__all__ = ["compare_runs"]

MOST_RUNS_ALL_PAIRS = 4


def compare_runs(
    ev: RankingEvaluation, level: float = 0.95, replicates: int = 1000, seed: int = 0
) -> tuple[Comparison, ...]:
    """Compare the runs of an evaluation in every metric that is a mean over queries.

    Up to four runs are compared pair by pair, more of them with the first.  Holm's adjustment is
    over all metrics and pairs together.

    Parameters
    ----------
    ev
        The evaluation.
    level, replicates, seed
        As for ``evaluate_ranking``.
    """
    metrics = [
        result.metric
        for result in ev.results
        if result.subject == ev.subjects[0] and find(result.metric).definition.interval is not None
    ]
    return adjusted(
        [
            _compared(ev.subject(a), ev.subject(b), metric, level, replicates, seed)
            for a, b in _pairs(ev.subjects)
            for metric in metrics
        ]
    )


def _pairs(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    if len(names) <= MOST_RUNS_ALL_PAIRS:
        return combinations(names, 2)
    return ((names[0], other) for other in names[1:])


def _compared(
    a: RankingEvaluation,
    b: RankingEvaluation,
    metric: str,
    level: float,
    replicates: int,
    seed: int,
) -> Comparison:
    of_a, of_b = a[metric], b[metric]
    names = (a.subjects[0], b.subjects[0])
    differing = of_a.conditions.differences(of_b.conditions)
    if differing:
        name = differing[0]
        raise MismatchError(
            f"{metric} was measured under different conditions: {name}",
            where=f"{of_a.conditions.get(name)} and {of_b.conditions.get(name)}",
            why="the difference would mix both causes",
            fix="evaluate both runs in the same way",
        )
    one, two = a.query_values(metric), b.query_values(metric)
    both = one.defined & two.defined
    conditions = Conditions({**of_a.conditions.settings, "paired": True})
    difference: Result
    p_value, method = None, "none"
    if both.any():
        found = paired_means(one.values[both], two.values[both], level, replicates, seed)
        p_value, method = found.p_value, found.method
        observed = {"t_p_value": found.t_p_value, "effect_size": found.effect}
        difference = Measured(
            found.difference,
            int(both.sum()),
            interval=found.interval,
            conditions=conditions.found(**observed),
            counts={"n_wins": found.wins, "n_ties": found.ties, "n_losses": found.losses},
            notes=() if found.interval else ("no_interval_degenerate",),
        )
    else:
        difference = Skipped(
            "no_relevant", detail="no query has a value in both runs", conditions=conditions
        )
    return Comparison(
        metric=metric,
        a=names[0],
        b=names[1],
        value_a=of_a.value,
        value_b=of_b.value,
        difference=_named(difference, metric, names, int(both.size)),
        p_value=p_value,
        method=method,
        better=find(metric).definition.better,
    )


def _named(result: Result, metric: str, names: tuple[str, str], n_rows: int) -> Result:
    return replace(result, metric=metric, subject=" - ".join(names), n_rows=n_rows)
