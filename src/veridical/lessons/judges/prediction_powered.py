"""Section 4: a few labels, made more precise by the judge's word on all the others."""

from __future__ import annotations

import math
from statistics import NormalDist, fmean, pvariance, variance
from typing import NamedTuple

from veridical.errors import InputError
from veridical.lessons.metrics.confusion_matrix import Confusion

__all__ = ["Powered", "drawn_sample", "labels_alone", "prediction_powered"]

_Z_95 = NormalDist().inv_cdf(0.975)


class Powered(NamedTuple):
    """A rate, and what it is worth.

    Attributes
    ----------
    rate
        Of good answers.
    error
        Its standard error.
    trust
        How much of the judge's word is used, in [0, 1]: lambda.
    """

    rate: float
    error: float
    trust: float

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of a 95% interval, within [0, 1]."""
        half = _Z_95 * self.error
        return max(0.0, self.rate - half), min(1.0, self.rate + half)


def drawn_sample() -> tuple[Confusion, int, int]:
    """Return 100 labelled answers, drawn at random, and that 1,300 of all 2,000 were passed.

    Examples
    --------
    >>> drawn_sample()
    (Confusion(tp=63, fp=6, fn=7, tn=24), 1300, 2000)
    """
    return Confusion(tp=63, fp=6, fn=7, tn=24), 1_300, 2_000


def labels_alone(labelled: Confusion) -> Powered:
    """Return the rate of the labelled answers; the judge is not asked.

    Examples
    --------
    >>> alone = labels_alone(drawn_sample()[0])
    >>> alone.rate, round(alone.error, 4)
    (0.7, 0.0458)
    """
    return prediction_powered(labelled, labelled.tp + labelled.fp, labelled.n)


def prediction_powered(labelled: Confusion, passed: int, judged: int) -> Powered:
    """Return the rate of the labels, moved by how the judge's rate differs on the other answers.

    Parameters
    ----------
    labelled
        The judge against people, on answers that were drawn from all at random.
    passed, judged
        How many the judge passed, of how many; the labelled ones too.

    Examples
    --------
    >>> powered = prediction_powered(*drawn_sample())
    >>> round(powered.rate, 4), round(powered.trust, 2)
    (0.6742, 0.61)
    """
    y, f = _as_rows(labelled)
    others, n = judged - len(y), len(y)
    if not n or others < 0:
        raise InputError("some answers are labelled, and all of them are judged")
    if not others:
        return Powered(fmean(y), math.sqrt(pvariance(y) / n), 0.0)
    on_others = (passed - sum(f)) / others
    trust = _least_variance(y, f, [1] * passed + [0] * (judged - passed), others)
    rate = fmean(y) + trust * (on_others - fmean(f))
    # What labels say beyond the judge, and the judge's own luck on the others.
    rest = [label - trust * said for label, said in zip(y, f, strict=True)]
    spread = pvariance(rest) / n + trust**2 * on_others * (1 - on_others) / others
    return Powered(min(1.0, max(0.0, rate)), math.sqrt(spread), trust)


def _as_rows(labelled: Confusion) -> tuple[list[int], list[int]]:
    """Return the labels, and the judge's word, answer by answer."""
    rows = [(1, 1)] * labelled.tp + [(0, 1)] * labelled.fp
    rows += [(1, 0)] * labelled.fn + [(0, 0)] * labelled.tn
    return [label for label, _ in rows], [said for _, said in rows]


def _least_variance(y: list[int], f: list[int], said: list[int], others: int) -> float:
    """Return how much of the judge's word makes the rate most precise."""
    if len(set(said)) < 2:
        return 0.0
    together = fmean(a * b for a, b in zip(y, f, strict=True)) - fmean(y) * fmean(f)
    return min(1.0, max(0.0, together / (variance(said) * (1 + len(y) / others))))
