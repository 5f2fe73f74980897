"""Lesson: whether probabilities mean what they say, from scratch.

Plain loops, to be read; the library's own functions are faster and say what they cannot compute.
One file a section: ``reliability``, ``luck``, ``brier_score``, ``prevalence``.  Told in a terminal
by ``veridical learn calibration``.
"""

from __future__ import annotations

from veridical.lessons.calibration.brier_score import BrierParts, brier, brier_parts, brier_skill
from veridical.lessons.calibration.luck import (
    ece_debiased,
    ece_of_right_forecasts,
    right_forecasts,
)
from veridical.lessons.calibration.prevalence import at_prevalence, two_populations
from veridical.lessons.calibration.reliability import (
    Bin,
    ece,
    mce,
    overconfident_forecasts,
    rain_example,
    reliability_table,
)

__all__ = [
    "Bin",
    "BrierParts",
    "at_prevalence",
    "brier",
    "brier_parts",
    "brier_skill",
    "ece",
    "ece_debiased",
    "ece_of_right_forecasts",
    "mce",
    "overconfident_forecasts",
    "rain_example",
    "reliability_table",
    "right_forecasts",
    "two_populations",
]
