"""Section 3: what a judge's rate becomes when its errors are known, by Rogan and Gladen."""

from __future__ import annotations

from veridical.errors import InputError, ParameterError
from veridical.lessons.metrics.confusion_matrix import Confusion

__all__ = ["apparent_rate", "chosen_sample", "rogan_gladen", "rogan_gladen_of"]


def apparent_rate(true_rate: float, sensitivity: float, specificity: float) -> float:
    """Return how many a judge passes, if so many deserve it.

    Parameters
    ----------
    true_rate
        The share of the answers that are good.
    sensitivity
        The share of the good answers that the judge passes.
    specificity
        The share of the bad ones that it fails.

    Examples
    --------
    >>> round(apparent_rate(0.5, 0.9, 0.8), 2), round(apparent_rate(0.6, 0.9, 0.8), 2)
    (0.55, 0.62)
    """
    for value in (true_rate, sensitivity, specificity):
        if not 0 <= value <= 1:
            raise ParameterError(f"a rate lies between 0 and 1, not at {value}")
    return true_rate * sensitivity + (1 - true_rate) * (1 - specificity)


def rogan_gladen(rate: float, sensitivity: float, specificity: float) -> float:
    """Return the true rate behind a judge's rate, cut to [0, 1].

    Raises
    ------
    ParameterError
        The judge passes good answers no more often than bad ones: its word says nothing.

    Examples
    --------
    >>> round(rogan_gladen(0.8, 0.9, 0.8), 4)
    0.8571
    """
    power = sensitivity + specificity - 1
    if power <= 0:
        raise ParameterError("the judge does no better than chance", fix="read the labels alone")
    return min(1.0, max(0.0, (rate + specificity - 1) / power))


def rogan_gladen_of(labelled: Confusion, passed: int, judged: int) -> float:
    """Return the true rate from a labelled sample and from what the judge passed of all.

    Parameters
    ----------
    labelled
        The judge against people, where both are known: passed is flagged, good is positive.
    passed, judged
        How many the judge passed, of how many.

    Examples
    --------
    >>> round(rogan_gladen_of(*chosen_sample()), 4)
    0.7143
    """
    good, bad = labelled.tp + labelled.fn, labelled.fp + labelled.tn
    if not good or not bad or not judged:
        raise InputError("the errors of a judge need good and bad answers, and somebody judged")
    return rogan_gladen(passed / judged, labelled.tp / good, labelled.tn / bad)


def chosen_sample() -> tuple[Confusion, int, int]:
    """Return 50 good and 50 bad answers that people chose, and that 280 of 400 were passed.

    Examples
    --------
    >>> chosen_sample()
    (Confusion(tp=45, fp=10, fn=5, tn=40), 280, 400)
    """
    return Confusion(tp=45, fp=10, fn=5, tn=40), 280, 400
