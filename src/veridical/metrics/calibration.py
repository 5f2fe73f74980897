"""Calibration: whether forecast probabilities mean what they say."""

from veridical.metrics.calibration_bins import ece, mce
from veridical.metrics.calibration_brier import (
    brier,
    brier_reliability,
    brier_resolution,
    brier_skill,
    brier_uncertainty,
    brier_within_covariance,
    brier_within_variance,
)
from veridical.metrics.calibration_scores import ece_equal_mass, intercept, log_loss, slope

__all__ = [
    "brier",
    "brier_reliability",
    "brier_resolution",
    "brier_skill",
    "brier_uncertainty",
    "brier_within_covariance",
    "brier_within_variance",
    "ece",
    "ece_equal_mass",
    "intercept",
    "log_loss",
    "mce",
    "slope",
]
