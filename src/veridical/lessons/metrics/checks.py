"""What the functions of this lesson ask of their arguments, so that their loops stay plain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, LabelError, ParameterError, ScoreError

__all__ = ["labels", "labels_and_scores", "top"]

Labels = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]


def labels(values: npt.ArrayLike) -> Labels:
    """Return labels as an array of 0 and 1.

    Raises
    ------
    LabelError
        Something else stands among them.
    """
    array = np.asarray(values)
    if array.ndim != 1 or not np.isin(array, (0, 1)).all():
        raise LabelError("labels are a list of 0 and 1", fix="write 1 for what is looked for")
    return array.astype(np.int64)


def labels_and_scores(y_true: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[Labels, Scores]:
    """Return labels and scores as arrays of the same length.

    Raises
    ------
    LabelError, ScoreError, InputError
        They are not 0 and 1, a score is not finite, or their lengths differ.
    """
    y, s = labels(y_true), np.asarray(scores, dtype=np.float64)
    if s.ndim != 1 or not np.isfinite(s).all():
        raise ScoreError("scores are a list of finite numbers")
    if len(y) != len(s):
        raise InputError(f"{len(y)} labels and {len(s)} scores: each row has one of both")
    return y, s


def top(ranked: Sequence[str], k: int) -> Sequence[str]:
    """Return the first ``k`` of a list.

    Raises
    ------
    ParameterError
        ``k`` is less than 1.
    InputError
        A document stands in the list twice, and would be counted twice.
    """
    if k < 1:
        raise ParameterError(f"k is at least 1, not {k}")
    if len(set(ranked)) < len(ranked):
        raise InputError("a document stands in the list twice", fix="keep its first place")
    return ranked[:k]
