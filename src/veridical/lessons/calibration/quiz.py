"""Eight questions; what holds is computed when they are asked."""

from __future__ import annotations

from functools import cache

from veridical.lessons.calibration.brier_score import brier, brier_skill
from veridical.lessons.calibration.luck import ece_of_right_forecasts
from veridical.lessons.calibration.prevalence import at_prevalence
from veridical.lessons.calibration.reliability import (
    Bin,
    ece,
    overconfident_forecasts,
    rain_example,
    reliability_table,
)
from veridical.lessons.lesson import Choice, Question, number
from veridical.lessons.metrics.thresholds import roc_auc_rank

__all__ = ["QUIZ"]

_RARE = [1] * 15 + [0] * 9_985


def _constant(forecast: float) -> list[float]:
    return [forecast] * len(_RARE)


def _surest() -> Bin:
    return reliability_table(*overconfident_forecasts())[-1]


@cache
def _change_with_stretch() -> tuple[bool, bool]:
    """Whether ROC-AUC, and ECE, of right forecasts change where they are made more extreme."""
    right, extreme = overconfident_forecasts(stretch=1), overconfident_forecasts(stretch=2)
    return roc_auc_rank(*right) != roc_auc_rank(*extreme), ece(*right) != ece(*extreme)


def _meets_target(forecast: float) -> bool:
    return brier(_RARE, _constant(forecast)) <= 0.02 and ece(_RARE, _constant(forecast)) <= 0.03


def _skill(forecast: float) -> float:
    return round(brier_skill(_RARE, _constant(forecast)), 9)


def _recalibrated() -> float:
    y, _ = rain_example()
    return brier(y, [0.2] * 5 + [0.6] * 5)


def _at_five_percent(p: float) -> float:
    return at_prevalence(p, then=0.5, now=0.05)


QUIZ = (
    Question(
        "Five forecasts of 20% rain, one of them came true; five of 80%, three came true. What is "
        "the ECE?",
        (
            number("0.10", lambda: ece(*rain_example())),
            number(
                "0.20",
                lambda: ece(*rain_example()),
                "that is the largest gap, MCE. Half of the days have no gap.",
            ),
            number(
                "0.22",
                lambda: ece(*rain_example()),
                "that is the Brier score, which also asks how well days are told apart.",
            ),
        ),
        "half of the days have a gap of 0, half one of 0.2.",
    ),
    Question(
        "Among the forecasts near 95% of an overconfident model, how often does it happen?",
        (
            Choice(
                "More often: it is confident.",
                lambda: _surest().rate > _surest().forecast,
                "overconfident means that it says more than it knows.",
            ),
            Choice(
                "About 81 times in 100.",
                lambda: round(_surest().rate, 2) == 0.81,
            ),
            Choice(
                "95 times in 100.",
                lambda: round(_surest().rate, 2) == 0.95,
                "that would be calibrated.",
            ),
        ),
        "low forecasts are too low and high ones too high.",
    ),
    Question(
        "On 200 rows a model has an ECE of 0.06 with ten bins. Is it badly calibrated?",
        (
            Choice(
                "Yes: a calibrated model has 0.",
                lambda: ece_of_right_forecasts(200) == 0,
                "a gap has no sign, so that luck never cancels: it adds up.",
            ),
            Choice(
                "Yes: luck alone gives 0.01 at most.",
                lambda: ece_of_right_forecasts(200) <= 0.01,
                "that takes 10,000 rows.",
            ),
            Choice(
                "That cannot be told: right forecasts show as much.",
                lambda: ece_of_right_forecasts(200) >= 0.06,
            ),
        ),
        "on 200 rows right forecasts have an ECE of 0.07 on average: compare with that.",
    ),
    Question(
        "More bins look closer. What do they do to the ECE of right forecasts?",
        (
            Choice(
                "It rises.",
                lambda: ece_of_right_forecasts(200, 20) > 1.2 * ece_of_right_forecasts(200),
            ),
            Choice(
                "It falls.",
                lambda: ece_of_right_forecasts(200, 20) < ece_of_right_forecasts(200) / 1.2,
                "finer bins hold fewer rows, and few rows scatter more.",
            ),
            Choice(
                "Nothing: there is no error to be found.",
                lambda: (
                    abs(ece_of_right_forecasts(200, 20) / ece_of_right_forecasts(200) - 1) < 0.1
                ),
                "there is none, and yet luck is measured as one.",
            ),
        ),
        "each bin has fewer rows, and more luck. The debiased form takes most of it away.",
    ),
    Question(
        "15 of 10,000 payments are frauds. Which forecast for all of them meets a target of Brier "
        "at most 0.02 and ECE at most 0.03?",
        (
            Choice(
                "None: it takes a model.",
                lambda: not _meets_target(0.0015),
                "a small number is taken for a good one. Nothing was predicted here.",
            ),
            Choice(
                "Always 0.0015, and it has no skill.",
                lambda: _meets_target(0.0015) and _skill(0.0015) == 0,
            ),
            Choice(
                "Always 0.0015, and its skill is high.",
                lambda: _meets_target(0.0015) and _skill(0.0015) > 0.5,
                "skill is what is better than the base rate, and this is the base rate.",
            ),
        ),
        "such a target is vacuous. Ask for the Brier skill score, which is 0 here.",
    ),
    Question(
        "The Brier score of the rain forecasts is 0.22. What would it be, had each 80% been the "
        "60% that came true?",
        (
            number(
                "0.00",
                _recalibrated,
                "calibrated is taken for clairvoyant. It rained on three of five days, and "
                "nobody said on which.",
            ),
            number(
                "0.24",
                _recalibrated,
                "that is uncertainty: always saying the base rate, 40%.",
            ),
            number("0.20", _recalibrated),
        ),
        "reliability, 0.02, goes. Uncertainty 0.24 less resolution 0.04 is left.",
    ),
    Question(
        "A model learnt with half of the rows positive says 90%. Where 5% are positive, what is "
        "right?",
        (
            number(
                "0.90",
                lambda: _at_five_percent(0.9),
                "a probability is taken for a property of the row. It depends on how frequent "
                "positives are.",
            ),
            number("0.32", lambda: _at_five_percent(0.9)),
            number(
                "0.05",
                lambda: _at_five_percent(0.9),
                "that is the base rate: what is right where the model says 50%.",
            ),
        ),
        "odds of 9 to 1, divided by 19, are 9 to 19.",
    ),
    Question(
        "Forecasts are right. Each is made more extreme, in the same order. What changes?",
        (
            Choice(
                "ROC-AUC and ECE.",
                lambda: _change_with_stretch() == (True, True),
                "no pair changed its order, and pairs are all that AUC counts.",
            ),
            Choice(
                "ECE alone.",
                lambda: _change_with_stretch() == (False, True),
            ),
            Choice(
                "Neither.",
                lambda: _change_with_stretch() == (False, False),
                "the numbers mean something else now, and that is what ECE asks.",
            ),
        ),
        "ranking and calibration are different questions: ask both.",
    ),
)
