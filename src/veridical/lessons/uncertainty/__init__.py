"""Lesson: how sure a number is, from scratch.

Plain loops, to be read; the library's own functions are faster and say what they cannot compute.
One file a section: ``shares``, ``resampling``, ``comparisons``, ``planning``.  Told in a terminal
by ``veridical learn uncertainty``.
"""

from __future__ import annotations

from veridical.lessons.uncertainty.comparisons import (
    Paired,
    any_false_alarm,
    holm,
    mcnemar,
    paired_example,
    sign_flips,
)
from veridical.lessons.uncertainty.planning import (
    cases_for_paired_difference,
    labels_for_difference,
    labels_for_half_width,
    most_it_may_be,
)
from veridical.lessons.uncertainty.resampling import (
    asked_ten_times,
    bootstrap_means,
    middle,
    one_by_one,
)
from veridical.lessons.uncertainty.shares import Z_95, coverage, wald, wilson

__all__ = [
    "Z_95",
    "Paired",
    "any_false_alarm",
    "asked_ten_times",
    "bootstrap_means",
    "cases_for_paired_difference",
    "coverage",
    "holm",
    "labels_for_difference",
    "labels_for_half_width",
    "mcnemar",
    "middle",
    "most_it_may_be",
    "one_by_one",
    "paired_example",
    "sign_flips",
    "wald",
    "wilson",
]
