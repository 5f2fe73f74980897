"""Fairness: how differently a decision treats a group and the one it is held against.

Notation: a is the group, b the reference; the decision d and the label y are 1 where they are
favourable.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any

from veridical.measures import metric
from veridical.metrics.fairness_rates import (
    difference,
    four_fifths,
    larger_difference,
    newcombe,
    of_rates,
    p_values,
    ratio,
    rows_behind,
    score_of_ratio,
    skipped,
    without_labels,
)
from veridical.results import Conditions, Measured, Result
from veridical.summaries.compared_groups import ComparedGroups, Share

__all__ = [
    "demographic_parity_difference",
    "disparate_impact_ratio",
    "equal_opportunity_difference",
    "equalized_odds_difference",
    "fpr_difference",
    "predictive_parity_difference",
]


_metric = partial(metric, "fairness", summary=ComparedGroups)
_difference = partial(_metric, better="target", bounds=(-1, 1), interval=newcombe)
_selected, _found = attrgetter("selected"), attrgetter("found")
_mistaken, _borne_out = attrgetter("mistaken"), attrgetter("borne_out")


@_metric(
    better="target",
    bounds=(0, None),
    interval=score_of_ratio,
    statistic=_selected,
    aliases=["dir", "disparate_impact", "demographic_parity_ratio"],
)
def disparate_impact_ratio(groups: ComparedGroups) -> Result:
    """Rate of favourable decisions of the group, over that of the reference.

    Formula
    -------
    P(d = 1 | a) / P(d = 1 | b).  The four-fifths screen, 4/5 <= ratio <= 5/4, is decided on exact
    numbers; ``min_over_max``, the smaller rate over the larger, and the ratio of the unfavourable
    outcomes stand beside it: where nearly everyone is favoured the first is near 1 whatever the
    second is.

    When it is undefined
    --------------------
    The reference has no favourable decision: x/0 and 0/0 are skipped ``zero_denominator``, with
    the counts.  A side without rows: skipped ``no_rows``.

    References
    ----------
    Uniform Guidelines on Employee Selection Procedures, 29 CFR 1607.4(D), for the four fifths.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> groups = ComparedGroups(ConfusionCounts(40, 0, 0, 60), ConfusionCounts(50, 0, 0, 50))
    >>> result = disparate_impact_ratio.function(groups)
    >>> result.value, result.conditions["four_fifths"]
    (0.8, 'passes')
    """
    a, b = groups.selected
    if not a.n or not b.n:
        return skipped("no_rows", a, b, "rows")
    smaller, larger = sorted((a.hits * b.n, b.hits * a.n))
    observed: dict[str, Any] = {
        **of_rates(a, b),
        "four_fifths": four_fifths(a, b),
        "min_over_max": float(Fraction(smaller) / larger) if larger else None,
        "ratio_of_unfavourable": ratio(Share(a.n - a.hits, a.n), Share(b.n - b.hits, b.n)),
        **p_values(a, b),
    }
    value = ratio(a, b)
    if value is None:
        return skipped("zero_denominator", a, b, "favourable decisions", observed)
    rows = rows_behind(a, b)
    return Measured(value, round(a.n + b.n), conditions=Conditions(observed=observed), counts=rows)


@_difference(
    statistic=_selected,
    aliases=["dpd", "statistical_parity_difference"],
)
def demographic_parity_difference(groups: ComparedGroups) -> Result:
    """Rate of favourable decisions of the group, less that of the reference.

    Formula
    -------
    P(d = 1 | a) - P(d = 1 | b)

    When it is undefined
    --------------------
    A side without rows: skipped ``no_rows``.

    References
    ----------
    Dwork et al. (2012), Fairness through awareness, doi:10.1145/2090236.2090255.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> groups = ComparedGroups(ConfusionCounts(40, 0, 0, 60), ConfusionCounts(50, 0, 0, 50))
    >>> round(demographic_parity_difference.function(groups).value, 12)
    -0.1
    """
    return difference(*groups.selected, "no_rows", "rows")


@_difference(
    statistic=_found,
    aliases=["eod", "true_positive_rate_difference", "tpr_difference"],
)
def equal_opportunity_difference(groups: ComparedGroups) -> Result:
    """Rate of favourable decisions among those whose label is favourable, group less reference.

    Formula
    -------
    P(d = 1 | y = 1, a) - P(d = 1 | y = 1, b)

    When it is undefined
    --------------------
    A side has no row whose label is favourable: skipped ``no_positives``.  No labels: skipped
    ``no_labels``.

    References
    ----------
    Hardt, Price and Srebro (2016), Equality of opportunity in supervised learning.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> groups = ComparedGroups(ConfusionCounts(3, 0, 1, 0), ConfusionCounts(1, 0, 1, 0))
    >>> equal_opportunity_difference.function(groups).value
    0.25
    """
    return without_labels(groups) or difference(
        *groups.found, "no_positives", "rows with the favourable label"
    )


@_difference(
    statistic=_mistaken,
    aliases=["predictive_equality_difference"],
)
def fpr_difference(groups: ComparedGroups) -> Result:
    """Rate of favourable decisions among those whose label is unfavourable, group less reference.

    Formula
    -------
    P(d = 1 | y = 0, a) - P(d = 1 | y = 0, b)

    When it is undefined
    --------------------
    A side has no row whose label is unfavourable: skipped ``no_negatives``.  No labels: skipped
    ``no_labels``.

    References
    ----------
    Hardt, Price and Srebro (2016), Equality of opportunity in supervised learning.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> groups = ComparedGroups(ConfusionCounts(0, 1, 0, 3), ConfusionCounts(0, 1, 0, 1))
    >>> fpr_difference.function(groups).value
    -0.25
    """
    return without_labels(groups) or difference(
        *groups.mistaken, "no_negatives", "rows with the unfavourable label"
    )


@_difference(
    statistic=_borne_out,
    aliases=["predictive_parity", "precision_difference"],
)
def predictive_parity_difference(groups: ComparedGroups) -> Result:
    """Rate of favourable labels among those decided favourably, group less reference.

    Formula
    -------
    P(y = 1 | d = 1, a) - P(y = 1 | d = 1, b)

    When it is undefined
    --------------------
    A side has no favourable decision: skipped ``nothing_flagged``.  No labels: skipped
    ``no_labels``.

    References
    ----------
    Chouldechova (2017), Fair prediction with disparate impact, doi:10.1089/big.2016.0047.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> groups = ComparedGroups(ConfusionCounts(3, 1, 0, 0), ConfusionCounts(1, 1, 0, 0))
    >>> predictive_parity_difference.function(groups).value
    0.25
    """
    return without_labels(groups) or difference(
        *groups.borne_out, "nothing_flagged", "favourable decisions"
    )


@_metric(
    better="lower",
    bounds=(0, 1),
    interval=larger_difference,
    statistic=attrgetter("found", "mistaken"),
    aliases=["equalised_odds_difference", "equalized_odds", "equalised_odds"],
)
def equalized_odds_difference(groups: ComparedGroups) -> Result:
    """The larger of two differences between the groups: of true and of false positive rates.

    Formula
    -------
    max over v in {0, 1} of |P(d = 1 | y = v, a) - P(d = 1 | y = v, b)|

    When it is undefined
    --------------------
    A side lacks rows with the favourable label (skipped ``no_positives``) or with the unfavourable
    one (``no_negatives``).  No labels: skipped ``no_labels``.

    References
    ----------
    Hardt, Price and Srebro (2016), Equality of opportunity in supervised learning.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> groups = ComparedGroups(ConfusionCounts(3, 1, 1, 3), ConfusionCounts(1, 1, 1, 1))
    >>> equalized_odds_difference.function(groups).value
    0.25
    """
    opportunity = equal_opportunity_difference.function(groups)
    alarms = fpr_difference.function(groups)
    for one in (opportunity, alarms):
        if not isinstance(one, Measured):
            return one
    observed = {
        "equal_opportunity_difference": opportunity.value,
        "fpr_difference": alarms.value,
        "of_favourable_labels": of_rates(*groups.found),
        "of_unfavourable_labels": of_rates(*groups.mistaken),
    }
    value = max(abs(float(opportunity)), abs(float(alarms)))
    return Measured(
        value,
        opportunity.n + alarms.n,
        conditions=Conditions(observed=observed),
        counts=rows_behind(*groups.found, *groups.mistaken),
    )
