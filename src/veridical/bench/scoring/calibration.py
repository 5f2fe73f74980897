"""Whether confidence means anything: three levels, so a direction and no precise probability.

That high is 0.9, medium 0.6 and low 0.3 is a choice of the model of scoring, not of the agent: the
pairs are kept, and another map may be given.  An agent that is always right and always high has a
Brier score of 0.01 and an ECE of 0.1: no agent can get below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from veridical.bench.scoring.rates import LEVEL, Share, rate
from veridical.bench.scoring.scored import Scored
from veridical.bench.submissions.submission import CONFIDENCES
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["CONFIDENCE_MAP", "Calibration", "brier", "calibration_of", "ece"]

CONFIDENCE_MAP: Final[Mapping[str, float]] = {"high": 0.9, "medium": 0.6, "low": 0.3}


@dataclass(frozen=True, slots=True)
class Calibration:
    """Stated confidence beside observed accuracy.

    Attributes
    ----------
    levels
        Accuracy among the submissions of each level; skipped where nobody stated it.
    brier
        Mean squared distance of confidence and correctness.
    ece
        Distance of confidence and accuracy, weighted over the three levels.
    pairs
        Confidence and correctness of every parsed submission, as they are.
    """

    levels: Mapping[str, Result]
    brier: Result
    ece: Result
    pairs: tuple[tuple[str, bool], ...]


def calibration_of(
    scored: Iterable[Scored],
    confidence_map: Mapping[str, float] = CONFIDENCE_MAP,
    level: float = LEVEL,
) -> Calibration:
    """Return the calibration of one agent.

    Parameters
    ----------
    scored
        One for each case and trial.
    confidence_map
        The probability that each level stands for.
    level
        Of the intervals.
    """
    parsed = [row for row in scored if row.submission]
    pairs = tuple((row.submission.confidence, row.correct) for row in parsed if row.submission)
    levels = {
        word: rate(
            f"bench.accuracy_{word}",
            [
                Share(row, row.correct)
                for row, (stated, _) in zip(parsed, pairs, strict=True)
                if stated == word
            ],
            empty=f"no submission stated {word} confidence",
            level=level,
        )
        for word in CONFIDENCES
    }
    return Calibration(
        levels,
        _mean("bench.brier", brier(pairs, confidence_map), len(pairs), confidence_map),
        _mean("bench.ece", ece(pairs, confidence_map), len(pairs), confidence_map),
        pairs,
    )


def brier(pairs: Iterable[tuple[str, bool]], confidence_map: Mapping[str, float]) -> Fraction:
    """Return the sum of (confidence - correct)^2."""
    chances = _fractions(confidence_map)
    return sum(((chances[stated] - correct) ** 2 for stated, correct in pairs), Fraction(0))


def ece(pairs: Iterable[tuple[str, bool]], confidence_map: Mapping[str, float]) -> Fraction:
    """Return the sum over levels of abs(n confidence - correct): the bins are the levels."""
    excess = dict.fromkeys(CONFIDENCES, Fraction(0))
    chances = _fractions(confidence_map)
    for stated, correct in pairs:
        excess[stated] += chances[stated] - correct
    return sum(map(abs, excess.values()), Fraction(0))


def _fractions(confidence_map: Mapping[str, float]) -> dict[str, Fraction]:
    # 0.9 as it is written: sums of tenths are exact, and the order of pairs decides nothing.
    return {word: Fraction(str(confidence_map[word])) for word in CONFIDENCES}


def _mean(metric: str, total: Fraction, n: int, confidence_map: Mapping[str, float]) -> Result:
    settings = Conditions({"confidence_map": dict(confidence_map)})
    if not n:
        return Skipped(
            "zero_denominator", detail="no submission parsed", metric=metric, conditions=settings
        )
    return Measured(float(total / n), n, metric=metric, conditions=settings)
