"""Maximum-likelihood fits of logit P(y = 1) = a + b x, safe against every extreme forecast.

x is the logit of a forecast, with so many positives and negatives at each.  The caller has made
sure that the classes overlap, so the maximum exists and is the only one.  Where the likelihood is
flat to the precision of a double around it, there is no fit: its place cannot be told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit

__all__ = ["LogisticFit", "fit_intercept", "fit_line"]

Floats: TypeAlias = npt.NDArray[np.float64]

MOST_STEPS = 200
FLAT = 2.0**-52


@dataclass(frozen=True, slots=True)
class LogisticFit:
    """The fitted coefficients, and the standard error of the one that was asked for."""

    intercept: float
    slope: float
    standard_error: float


def fit_intercept(x: Floats, positives: Floats, negatives: Floats) -> LogisticFit | None:
    """Return the fit of a with b = 1.

    The score equation falls in a, and its root lies where the most and the least extreme x alone
    would put it; Newton steps that leave this bracket are replaced by bisection.
    """
    rows = positives + negatives
    log_odds = float(np.log(positives.sum()) - np.log(negatives.sum()))
    low, high = log_odds - float(x.max()), log_odds - float(x.min())
    a = min(max(0.0, low), high)
    for _ in range(MOST_STEPS):
        p = expit(a + x)
        excess, information = float((positives - rows * p).sum()), float(rows @ (p * (1 - p)))
        low, high = (a, high) if excess > 0 else (low, a)
        newton = a + excess / information if information > FLAT * rows.sum() else low
        a, before = (newton if low < newton < high else (low + high) / 2), a
        if abs(a - before) <= 1e-13 * (1 + abs(a)):
            break
    p = expit(a + x)
    information = float(rows @ (p * (1 - p)))
    if information <= FLAT * rows.sum():
        return None
    return LogisticFit(a, 1.0, information**-0.5)


def fit_line(x: Floats, positives: Floats, negatives: Floats) -> LogisticFit | None:
    """Return the fit of a and b, by Newton's method with halved steps; x is not constant."""
    # On [-1, 1] the two columns of the design are of one size, whatever the forecasts.
    centre, scale = (x.max() + x.min()) / 2, (x.max() - x.min()) / 2
    design = np.stack([np.ones_like(x), (x - centre) / scale], axis=1)
    rows = positives + negatives

    def log_likelihood(coefficients: Floats) -> float:
        linear = design @ coefficients
        return -float(positives @ np.logaddexp(0, -linear) + negatives @ np.logaddexp(0, linear))

    def information_at(coefficients: Floats) -> Floats:
        p = expit(design @ coefficients)
        information: Floats = (design * (rows * p * (1 - p))[:, np.newaxis]).T @ design
        return information

    fitted = np.array([np.log(positives.sum()) - np.log(negatives.sum()), 0.0])
    reached = log_likelihood(fitted)
    for _ in range(MOST_STEPS):
        information = information_at(fitted)
        if _is_flat(information, rows):
            return None
        step = np.linalg.solve(information, design.T @ (positives - rows * expit(design @ fitted)))
        while (after := log_likelihood(fitted + step)) < reached and np.abs(step).max() > FLAT:
            step /= 2
        fitted, reached = fitted + step, max(after, reached)
        if np.abs(step).max() <= 1e-13 * (1 + np.abs(fitted).max()):
            break
    information = information_at(fitted)
    if _is_flat(information, rows):
        return None
    slope, error = float(fitted[1] / scale), float(np.linalg.inv(information)[1, 1] ** 0.5 / scale)
    return LogisticFit(float(fitted[0]) - slope * float(centre), slope, error)


def _is_flat(information: Floats, rows: Floats) -> bool:
    return bool(np.linalg.eigvalsh(information)[0] <= FLAT * rows.sum())
