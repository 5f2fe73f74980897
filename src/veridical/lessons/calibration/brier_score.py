"""Section 3: the Brier score, and what it is made of."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy.typing as npt

from veridical.lessons.calibration.reliability import binned, labels_and_forecasts
from veridical.lessons.metrics.confusion_matrix import share

__all__ = ["BrierParts", "brier", "brier_parts", "brier_skill"]


def brier(y_true: npt.ArrayLike, p: npt.ArrayLike) -> float:
    """Return the mean of (forecast - what happened) squared: 0 is best.

    Examples
    --------
    >>> round(brier([1, 0, 0, 0, 0, 1, 1, 1, 0, 0], [0.2] * 5 + [0.8] * 5), 2)
    0.22
    """
    y, forecasts = labels_and_forecasts(y_true, p)
    total = 0.0
    for happened, forecast in zip(y, forecasts, strict=True):
        total += (forecast - happened) ** 2
    return float(total / len(y))


def brier_skill(y_true: npt.ArrayLike, p: npt.ArrayLike) -> float:
    """Return how much of the Brier score of "always the base rate" the forecasts take away.

    Returns
    -------
    float
        1 is perfect, 0 is no better than the base rate, below 0 is worse.  0 as well where only
        one kind of label is there; the library says that nothing can be computed then.

    Examples
    --------
    >>> round(brier_skill([1, 0, 0, 0, 0, 1, 1, 1, 0, 0], [0.2] * 5 + [0.8] * 5), 3)
    0.083
    """
    y, _ = labels_and_forecasts(y_true, p)
    base_rate = float(y.mean())
    constant = base_rate * (1 - base_rate)
    return share(constant - brier(y_true, p), constant)


@dataclass(frozen=True)
class BrierParts:
    """What a Brier score is made of.

    Attributes
    ----------
    reliability
        Mean squared gap of the bins: what bad calibration costs.
    resolution
        How far the rates of the bins lie from the base rate: what telling days apart earns.
    uncertainty
        What the base rate leaves open; it belongs to the world, not to the model.
    within_variance, within_covariance
        What a bin hides: forecasts in it differ from each other, and some of that is knowledge.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_variance: float
    within_covariance: float

    @property
    def total(self) -> float:
        """The Brier score."""
        reliability, resolution, uncertainty, variance, covariance = astuple(self)
        return float(reliability - resolution + uncertainty + variance - covariance)


def brier_parts(y_true: npt.ArrayLike, p: npt.ArrayLike, bins: int = 10) -> BrierParts:
    """Take a Brier score apart.

    Parameters
    ----------
    y_true, p, bins
        As for ``ece``.

    Examples
    --------
    >>> parts = brier_parts([1, 0, 0, 0, 0, 1, 1, 1, 0, 0], [0.2] * 5 + [0.8] * 5)
    >>> round(parts.reliability, 3), round(parts.resolution, 3), round(parts.uncertainty, 3)
    (0.02, 0.04, 0.24)
    """
    y, forecasts = labels_and_forecasts(y_true, p)
    n, base_rate = len(y), float(y.mean())
    reliability = resolution = variance = covariance = 0.0
    for rows in binned(forecasts, bins):
        if not rows:
            continue
        forecast, rate = forecasts[rows].mean(), y[rows].mean()
        reliability += len(rows) * (forecast - rate) ** 2
        resolution += len(rows) * (rate - base_rate) ** 2
        for row in rows:
            variance += (forecasts[row] - forecast) ** 2
            covariance += 2 * (forecasts[row] - forecast) * (y[row] - rate)
    uncertainty = base_rate * (1 - base_rate)
    within = float(variance / n), float(covariance / n)
    return BrierParts(float(reliability / n), float(resolution / n), uncertainty, *within)
