"""Section 4: probabilities move with how frequent the event is."""

from __future__ import annotations

import numpy as np

from veridical.errors import ParameterError
from veridical.lessons.metrics.checks import Labels, Scores

__all__ = ["at_prevalence", "two_populations"]


def at_prevalence(p: float, then: float, now: float) -> float:
    """Return what a forecast should be where the event is more, or less, frequent than before.

    Odds are multiplied by the ratio of the odds of both prevalences.  That holds if positives
    look as positives did, and negatives as negatives did: only their number changed.

    Parameters
    ----------
    p
        The forecast, in [0, 1].
    then, now
        Share of positives where the model learnt, and where it is used; in (0, 1).

    Examples
    --------
    >>> round(at_prevalence(0.5, then=0.5, now=0.01), 3)
    0.01
    >>> round(at_prevalence(0.9, then=0.5, now=0.01), 3)
    0.083
    """
    if not (0 < then < 1 and 0 < now < 1 and 0 <= p <= 1):
        raise ParameterError("a forecast lies in [0, 1], a prevalence between 0 and 1")
    positives, negatives = p * now / then, (1 - p) * (1 - now) / (1 - then)
    return positives / (positives + negatives)


def two_populations(
    n: int = 2_000, prevalence: float = 0.5, seed: int = 0
) -> tuple[Labels, Scores]:
    """Draw rows of a model that learnt where half of the rows were positive.

    A positive has a measurement around 1, a negative around -1, both by a bell curve of standard
    deviation 1.  At a measurement x the right forecast was 1 / (1 + exp(-2 x)) there.

    Parameters
    ----------
    n
        How many rows; the share of positives is rounded to whole rows.
    prevalence
        The share of positives in what is drawn.
    seed
        Of ``numpy.random.default_rng``.

    Returns
    -------
    y, p : numpy.ndarray
        Labels, and the forecasts of the model, which does not know the prevalence.

    Examples
    --------
    >>> y, p = two_populations(prevalence=0.05)
    >>> int(y.sum()), round(float(p.mean()), 2)
    (100, 0.25)
    """
    y = np.zeros(n, dtype=np.int64)
    y[: round(n * prevalence)] = 1
    x = np.random.default_rng(seed).normal(2 * y - 1, 1)
    return y, 1 / (1 + np.exp(-2 * x))
