"""Lesson: whether decisions treat groups alike, and what the targets are worth, from scratch.

Plain loops, to be read; the library's own functions are faster and say what they cannot compute.
One file a section: ``rates``, ``errors_by_group``, ``targets``, ``small_groups``.  Told in a
terminal by ``veridical learn fairness``.
"""

from __future__ import annotations

from veridical.lessons.fairness.errors_by_group import (
    equal_opportunity_difference,
    equalized_odds_difference,
    fpr_difference,
    precision_at,
    predictive_parity_difference,
    selected,
    two_base_rates,
)
from veridical.lessons.fairness.rates import (
    Share,
    counted,
    difference,
    four_fifths,
    other_outcome,
    ratio,
)
from veridical.lessons.fairness.small_groups import chances, difference_interval, fails_by_luck
from veridical.lessons.fairness.targets import (
    difference_cannot_fail,
    farthest_apart,
    per_10_000,
    ratio_cannot_fail,
)

__all__ = [
    "Share",
    "chances",
    "counted",
    "difference",
    "difference_cannot_fail",
    "difference_interval",
    "equal_opportunity_difference",
    "equalized_odds_difference",
    "fails_by_luck",
    "farthest_apart",
    "four_fifths",
    "fpr_difference",
    "other_outcome",
    "per_10_000",
    "precision_at",
    "predictive_parity_difference",
    "ratio",
    "ratio_cannot_fail",
    "selected",
    "two_base_rates",
]
