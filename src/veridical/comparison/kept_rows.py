"""A model measured again from the labels and scores that a run kept of its rows."""

from __future__ import annotations

import numpy as np

from veridical.comparison.matching import At, has_scores, model_slice
from veridical.comparison.recorded import Recorded
from veridical.evaluation.result_set import ResultSet

__all__ = ["model_of", "same_scores"]


def model_of(
    run: Recorded, subject: str, group: str | None = None, at: At | None = None
) -> ResultSet | None:
    """Return one score column of a run as an evaluation that ``compare`` takes.

    Parameters
    ----------
    run, subject, group
        The run, its score column, and a group of rows, or None for all.
    at
        Positions of the rows that another run has too, in their common order; None where a run
        did not keep its rows.

    Returns
    -------
    ResultSet or None
        None where neither the evaluation nor its rows were kept.
    """
    from veridical.evaluation import Evaluation

    if run.evaluation is not None:
        whole = run.evaluation.subject(subject)
        return whole if group is None else whole.group(group)
    part = None
    if at is not None and has_scores(run, subject):
        part = model_slice(run, subject, group, at)
    if part is None:
        return None
    return Evaluation(
        results=tuple(result for result in run.results if str(result.subject) == subject),
        source={},
        subjects=(subject,),
        settings=run.settings,
        slices=(part,),
        only_group=group,
    )


def same_scores(one: ResultSet, two: ResultSet) -> bool:
    """Whether two models gave every row the same score."""
    rows = [
        part.rows
        for side in (one, two)
        for part in getattr(side, "slices", ())
        if part.group == side.only_group
    ]
    return len(rows) == 2 and all(rows) and np.array_equal(rows[0].scores, rows[1].scores)
