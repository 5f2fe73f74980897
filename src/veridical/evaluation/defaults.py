"""Which metrics are measured when none is named, and in which order they stand."""

from __future__ import annotations

from veridical.slices import Settings

__all__ = ["FAMILIES", "default_metrics"]

FAMILIES = ("binary", "calibration", "cost")
RANKING = (
    "binary.roc_auc",
    "binary.average_precision",
    "binary.recall@fpr=0.0001",
    "binary.recall@fpr=0.001",
)
PROBABILITY = (
    "calibration.brier",
    "calibration.brier_skill",
    "calibration.ece",
    "calibration.log_loss",
)
# Accuracy last: on rare events it is the number that misleads most.
DECISION = (
    "binary.recall",
    "binary.precision",
    "binary.f1",
    "binary.specificity",
    "binary.npv",
    "binary.fpr",
    "binary.balanced_accuracy",
    "binary.mcc",
    "binary.accuracy",
)


def default_metrics(settings: Settings, *, probabilities: bool) -> tuple[str, ...]:
    """Return the default set: more of it where there are forecasts, prices, a threshold."""
    names: tuple[str, ...] = RANKING
    if probabilities:
        names += PROBABILITY
    if settings.costs is not None:
        at_threshold = () if settings.threshold is None else ("cost.total",)
        names += ("cost.best_threshold", *at_threshold, "cost.saving")
    if settings.threshold is not None:
        names += DECISION
    return names
