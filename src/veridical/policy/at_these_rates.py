"""Rules about fairness that cannot fail: what the most unequal decisions at these rates would get.

Where no group's rate exceeds 0.05, no difference of rates does; where every rate is at least 0.80,
no ratio of them falls below that.  Meeting such a rule says nothing about the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from veridical.policy.deciding import meets
from veridical.policy.schema import Rule
from veridical.results import Measured

__all__ = ["UNEQUAL", "most_unequal"]

UNEQUAL = "the most unequal decisions at such rates"

_RATIO = "fairness.disparate_impact_ratio"
_PARTS = ("of_favourable_labels", "of_unfavourable_labels")


def most_unequal(rule: Rule, result: Measured) -> dict[str, float]:
    """Return what the most unequal decisions score that meet a rule at such rates.

    Rates that nowhere exceed the highest one seen, or nowhere fall below the lowest, can be as far
    apart as that allows.

    Parameters
    ----------
    rule
        About a metric of fairness.
    result
        What was measured of it.

    Returns
    -------
    dict
        ``UNEQUAL`` and the value farthest from equality; empty where it breaks the rule.

    Examples
    --------
    >>> from veridical.results import Conditions
    >>> rule = Rule(metric="fairness.demographic_parity_difference", at_least=-0.05, at_most=0.05)
    >>> rates = {"group_hits": 1, "group_n": 50, "reference_hits": 2, "reference_n": 50}
    >>> most_unequal(rule, Measured(-0.02, 100, conditions=Conditions(observed=rates)))
    {'the most unequal decisions at such rates': 0.04}
    """
    observed = result.conditions
    pairs = [observed[part] for part in _PARTS] if _PARTS[0] in observed else [observed]
    if not all(
        list(_counts(pair)) for pair in pairs
    ):  # written by something else than these metrics
        return {}
    if rule.metric == _RATIO:
        ends = _ratios(pairs[0])
    else:
        widest = max(min(_highest(pair), _lowest_missing(pair)) for pair in pairs)
        ends = (widest, -widest)
        if rule.measure.definition.bounds[0] == 0:
            ends = (widest,)
    return {UNEQUAL: ends[0]} if ends and all(_meets(rule, end) for end in ends) else {}


def _meets(rule: Rule, value: float) -> bool:
    return rule.no_worse_than is None and meets(rule, value)


def _highest(pair: Mapping[str, Any]) -> float:
    return max(hits / n for hits, n in _counts(pair))


def _lowest_missing(pair: Mapping[str, Any]) -> float:
    """Return how far the lower rate is from 1."""
    return max((n - hits) / n for hits, n in _counts(pair))


def _ratios(pair: Mapping[str, Any]) -> tuple[float, ...]:
    """Return the ratios of the lower rate to 1, and of 1 to it."""
    hits, n = min(_counts(pair), key=lambda share: share[0] / share[1])
    return (hits / n, n / hits) if hits else ()


def _counts(pair: Mapping[str, Any]) -> Iterable[tuple[float, float]]:
    """Yield the rates, as hits and n; of one that merged cells leave open, both ends."""
    for side in ("group", "reference"):
        if f"{side}_hits" in pair:
            yield pair[f"{side}_hits"], pair[f"{side}_n"]
        elif f"{side}_rate_low" in pair:
            yield pair[f"{side}_rate_low"], 1.0
            yield pair[f"{side}_rate_high"], 1.0
