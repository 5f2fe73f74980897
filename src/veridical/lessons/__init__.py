"""Lessons: how one knows whether a model is any good, from nothing, in code that runs.

A lesson is a package with the functions that its learner reads, what is told in the terminal
(``stops.py``) and questions (``quiz.py``).  How one is made: ``design/lessons.md``.
"""

from __future__ import annotations

import difflib

from veridical.errors import ParameterError
from veridical.lessons.lesson import Lesson

__all__ = ["LESSONS", "Lesson", "lesson_called"]

# In the order in which they are best read.
LESSONS = (
    Lesson(
        "metrics",
        title="How you know whether a model is any good",
        teaches="precision and recall, ROC-AUC, thresholds by price, retrieval, overlap, kappa",
    ),
    Lesson(
        "uncertainty",
        title="How sure a number is",
        teaches="intervals, the bootstrap, clusters, paired tests, Holm, how many labels",
    ),
    Lesson(
        "calibration",
        title="Whether probabilities mean what they say",
        teaches="reliability, ECE and its luck, the Brier score and its parts, prevalence",
    ),
    Lesson(
        "drift",
        title="Whether the data have moved",
        teaches="cells, PSI, what it shows where nothing moved, how many rows it needs",
    ),
    Lesson(
        "fairness",
        title="Whether decisions treat groups alike",
        teaches="ratios and gaps, the four fifths, targets that cannot fail, small groups",
    ),
    Lesson(
        "judges",
        title="Whether a judge can be trusted",
        teaches="bands and constant judges, leanings, Rogan and Gladen, prediction-powered rates",
    ),
    Lesson(
        "agents",
        title="Whether an agent can be let loose",
        teaches="silent failures, hidden instructions, the cost of a right answer, repeats",
    ),
)


def lesson_called(name: str) -> Lesson:
    """Return the lesson of that name.

    Raises
    ------
    ParameterError
        There is none.

    Examples
    --------
    >>> lesson_called("metrics").title
    'How you know whether a model is any good'
    """
    known = {lesson.name: lesson for lesson in LESSONS}
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        raise ParameterError(
            f"there is no lesson {name!r}",
            fix=f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}",
        )
    return known[name]
