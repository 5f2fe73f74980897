"""Section 1: the four kinds of outcome, and what is read from them.

Textbook convention here: a share of nothing is 0.  The library says why there is no such share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, ParameterError
from veridical.lessons.metrics.checks import Labels, labels

__all__ = ["Confusion", "confusion", "flag_nothing_trap", "fraud_example", "share"]


def share(part: float, whole: float) -> float:
    """Return part / whole, and 0 where the whole is 0.

    Examples
    --------
    >>> share(6, 8), share(0, 0)
    (0.75, 0.0)
    """
    return part / whole if whole else 0.0


@dataclass(frozen=True)
class Confusion:
    """How many decisions ended in each of four ways.

    Attributes
    ----------
    tp
        Flagged, and rightly: true positives.
    fp
        Flagged, and wrongly: false positives, false alarms.
    fn
        Not flagged, but should have been: false negatives, misses.
    tn
        Not flagged, and rightly: true negatives.

    Examples
    --------
    >>> fraud = Confusion(tp=6, fp=2, fn=4, tn=88)
    >>> fraud.precision, fraud.recall, fraud.accuracy
    (0.75, 0.6, 0.94)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n(self) -> int:
        """All decisions."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float:
        """Of what was flagged, the share that was right."""
        return share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Of what should have been flagged, the share that was."""
        return share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, which the smaller of both pulls down."""
        return share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float:
        """Of all decisions, the share that was right."""
        return share(self.tp + self.tn, self.n)

    @property
    def fpr(self) -> float:
        """Of what should have been left alone, the share that was flagged."""
        return share(self.fp, self.fp + self.tn)


def confusion(y_true: npt.ArrayLike, y_pred: npt.ArrayLike) -> Confusion:
    """Count the four kinds of outcome.

    Parameters
    ----------
    y_true
        1 for what is looked for, 0 for the rest; shape (n,).
    y_pred
        1 for what was flagged, 0 for the rest; shape (n,).

    Examples
    --------
    >>> confusion([1, 1, 0, 0], [1, 0, 0, 1])
    Confusion(tp=1, fp=1, fn=1, tn=1)
    """
    truth, flagged = labels(y_true), labels(y_pred)
    if len(truth) != len(flagged):
        raise InputError(f"{len(truth)} labels and {len(flagged)} decisions: each row has both")
    tp = fp = fn = tn = 0
    for is_positive, is_flagged in zip(truth, flagged, strict=True):
        if is_positive and is_flagged:
            tp += 1
        elif is_flagged:
            fp += 1
        elif is_positive:
            fn += 1
        else:
            tn += 1
    return Confusion(tp, fp, fn, tn)


def fraud_example() -> tuple[Labels, Labels]:
    """Return 100 transactions, 10 of them fraud; 8 are flagged, 6 of these rightly.

    Examples
    --------
    >>> confusion(*fraud_example())
    Confusion(tp=6, fp=2, fn=4, tn=88)
    """
    y_true = np.array([1] * 10 + [0] * 90)
    y_pred = np.array([1] * 6 + [0] * 4 + [1] * 2 + [0] * 88)
    return y_true, y_pred


def flag_nothing_trap(n: int = 10_000, fraud_rate: float = 0.01) -> Confusion:
    """Return what a model counts that never flags anything.

    Parameters
    ----------
    n
        How many transactions.
    fraud_rate
        Which share of them is fraud; their number is rounded.

    Examples
    --------
    >>> trap = flag_nothing_trap()
    >>> trap.accuracy, trap.recall
    (0.99, 0.0)
    """
    if n < 0 or not 0 <= fraud_rate <= 1:
        raise ParameterError("n is at least 0, and a rate is between 0 and 1")
    frauds = round(n * fraud_rate)
    return Confusion(tp=0, fp=0, fn=frauds, tn=n - frauds)
