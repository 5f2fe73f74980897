"""Shares with their intervals: Wilson's, on as many trials as the clusters leave.

Cases of one template resemble each other, and twins and trials of one case even more.  The variance
that whole templates show says how many independent trials the share is worth; twins and trials of
one case never count more than once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from veridical.bench.scoring.scored import Scored
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.proportions import wilson

__all__ = ["LEVEL", "MANY_CLUSTERS", "Share", "rate"]

LEVEL: Final = 0.95
MANY_CLUSTERS: Final = 30
"""Fewer of them, and an interval that is made on them is rough."""


@dataclass(frozen=True, slots=True)
class Share:
    """What is counted of one trajectory: ``hits`` of ``n``."""

    scored: Scored
    hits: int
    n: int = 1


def rate(metric: str, shares: Iterable[Share], *, empty: str, level: float = LEVEL) -> Result:
    """Return hits over n of all shares.

    Parameters
    ----------
    metric
        Its name.
    shares
        One a trajectory that is counted.
    empty
        What is said where n is 0.
    level
        Of the interval.

    Returns
    -------
    Measured or Skipped
        ``zero_denominator`` where nothing is counted.  The condition ``k`` is the number of hits,
        ``effective_n`` what the interval is made on.
    """
    counted = [share for share in shares if share.n]
    hits, n = sum(one.hits for one in counted), sum(one.n for one in counted)
    if not n:
        return Skipped("zero_denominator", detail=empty, metric=metric)
    value, trials, templates = hits / n, _trials(counted, hits, n), _templates(counted)
    interval = wilson(min(value * trials, trials), trials, level)
    return Measured(
        value,
        n,
        interval=interval if trials == n else replace(interval, method="wilson-clusters"),
        metric=metric,
        conditions=Conditions(observed={"k": hits, "effective_n": round(trials, 1)}),
        notes=("few_clusters",) if trials != n and len(set(templates)) < MANY_CLUSTERS else (),
    )


def _trials(shares: list[Share], hits: int, n: int) -> float:
    """Return how many independent trials a share is worth, n at most."""
    templates = _templates(shares)
    if len(set(templates)) == len(shares):
        return float(n)
    distinct = _without_repeats(shares)
    excess: Counter[str] = Counter()
    for template, one in zip(templates, shares, strict=True):
        excess[template] += one.hits * n - hits * one.n  # n times too large, and whole
    groups, between = len(excess), sum(total**2 for total in excess.values())
    if groups < 2 or between == 0:  # nothing varies: how alike templates are cannot be told
        return distinct
    # Both variances are freed of their bias: with one case a template their ratio is 1.
    inflation = between * groups / (groups - 1) * (n - 1) / (n * n * hits * (n - hits))
    return min(distinct, n / inflation)


def _without_repeats(shares: list[Share]) -> float:
    """Return how many trials there would be if twins and trials of one case counted once."""
    counts: dict[str, int] = {}
    for one in shares:
        base = one.scored.base_id
        counts[base] = max(counts.get(base, 0), one.n)
    return float(sum(counts.values()))


def _templates(shares: list[Share]) -> list[str]:
    return [one.scored.case.template_id for one in shares]
