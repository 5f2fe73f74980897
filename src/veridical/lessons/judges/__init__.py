"""Lesson: whether a judge can be trusted, and what its rates become when its errors are known.

Plain loops, to be read; the library's own functions are faster and say what they cannot compute.
One file a section: ``against_people``, ``leanings``, ``corrected``, ``prediction_powered``.  Told
in a terminal by ``veridical learn judges``.
"""

from __future__ import annotations

from veridical.lessons.judges.against_people import (
    BANDS,
    band,
    best_constant,
    exact,
    leniency,
    three_judges,
    within_one,
)
from veridical.lessons.judges.corrected import (
    apparent_rate,
    chosen_sample,
    rogan_gladen,
    rogan_gladen_of,
)
from veridical.lessons.judges.leanings import (
    AnswerShown,
    Duel,
    Judge,
    agreed,
    consistency,
    duels,
    first_wins,
    longer_wins,
    own_wins,
    people,
    verdicts,
)
from veridical.lessons.judges.prediction_powered import (
    Powered,
    drawn_sample,
    labels_alone,
    prediction_powered,
)

__all__ = [
    "BANDS",
    "AnswerShown",
    "Duel",
    "Judge",
    "Powered",
    "agreed",
    "apparent_rate",
    "band",
    "best_constant",
    "chosen_sample",
    "consistency",
    "drawn_sample",
    "duels",
    "exact",
    "first_wins",
    "labels_alone",
    "leniency",
    "longer_wins",
    "own_wins",
    "people",
    "prediction_powered",
    "rogan_gladen",
    "rogan_gladen_of",
    "three_judges",
    "verdicts",
    "within_one",
]
