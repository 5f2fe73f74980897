"""The walk-through in five stops."""

from __future__ import annotations

from veridical.lessons.calibration.brier_score import brier, brier_parts, brier_skill
from veridical.lessons.calibration.luck import ece_debiased, ece_of_right_forecasts, right_forecasts
from veridical.lessons.calibration.prevalence import at_prevalence, two_populations
from veridical.lessons.calibration.reliability import (
    ece,
    mce,
    overconfident_forecasts,
    rain_example,
    reliability_table,
)
from veridical.lessons.lesson import Shown, Stop, Table
from veridical.lessons.metrics.thresholds import roc_auc_rank

__all__ = ["STOPS"]


def _rain() -> Shown:
    y, p = rain_example()
    rows = [
        (f"{one.n}", f"{one.forecast:.1f}", f"{one.rate:.1f}", f"{one.gap:.1f}")
        for one in reliability_table(y, p)
    ]
    metrics = [
        ("ECE", "mean gap over the days", f"{ece(y, p):.2f}"),
        ("MCE", "largest gap", f"{mce(y, p):.2f}"),
    ]
    return Shown(
        [
            Table(("days", "forecast", "it rained", "gap"), rows),
            Table(("metric", "what", "value"), metrics),
        ],
        "calibrated means: of what is called 80%, 80% happens.",
    )


def _overconfident() -> Shown:
    y, p = overconfident_forecasts()
    rows = [
        (f"{one.n}", f"{one.forecast:.2f}", f"{one.rate:.2f}", f"{one.rate - one.forecast:+.2f}")
        for one in reliability_table(y, p)
    ]
    return Shown(
        [
            Table(("rows", "forecast", "happened", "gap"), rows),
            (
                f"ECE {ece(y, p):.3f}. ROC-AUC is {roc_auc_rank(y, p):.3f}, and would be the same "
                "of the right forecasts: they stand in the same order."
            ),
        ],
        "too sure: low forecasts are too low, high ones too high.",
    )


def _luck() -> Shown:
    rows = [
        (f"{n:,}", f"{ece_of_right_forecasts(n):.3f}", f"{ece_of_right_forecasts(n, 20):.3f}")
        for n in (50, 200, 1_000)
    ]
    y, p = right_forecasts(100)
    one = [
        ("ECE", f"{ece(y, p):.3f}"),
        ("debiased", f"{ece_debiased(y, p):.3f}"),
        ("truth", "0.000"),
    ]
    return Shown(
        [
            Table(("rows", "mean ECE, 10 bins", "mean ECE, 20 bins"), rows),
            "All of these forecasts are right. On one sample of 100 (seed 0):",
            Table(("", "value"), one),
        ],
        "right forecasts have an ECE above 0. Ask how much, on as many rows.",
    )


def _parts() -> Shown:
    y, p = rain_example()
    parts = brier_parts(y, p)
    rows = [
        ("+ reliability", "bad calibration costs", f"{parts.reliability:.3f}"),
        ("- resolution", "telling days apart earns", f"{parts.resolution:.3f}"),
        ("+ uncertainty", "the base rate leaves open", f"{parts.uncertainty:.3f}"),
        ("= Brier score", "", f"{brier(y, p):.3f}"),
    ]
    rare = [1] * 15 + [0] * 9_985
    constant = [0.0015] * 10_000
    vacuous = [
        ("Brier score", f"{brier(rare, constant):.4f}"),
        ("ECE", f"{ece(rare, constant):.4f}"),
        ("Brier skill", f"{brier_skill(rare, constant):.4f}"),
    ]
    return Shown(
        [
            Table(("part", "what", "value"), rows),
            "15 frauds in 10,000 payments, and each gets the forecast 0.0015:",
            Table(("metric", "value"), vacuous),
        ],
        "where events are rare, a small Brier score needs no skill at all.",
    )


def _prevalence() -> Shown:
    y, p = two_populations(prevalence=0.05)
    moved = [at_prevalence(one, then=0.5, now=0.05) for one in p]
    rows = [
        (name, f"{sum(forecasts) / len(forecasts):.2f}", f"{ece(y, forecasts):.3f}")
        for name, forecasts in (("as they are", list(p)), ("odds divided by 19", moved))
    ]
    single = [
        (f"{one:.2f}", f"{at_prevalence(one, then=0.5, now=0.05):.2f}") for one in (0.5, 0.9, 0.99)
    ]
    return Shown(
        [
            Table(("forecasts", "their mean", "ECE"), rows),
            Table(("said", "right at 5%"), single),
        ],
        "calibration belongs to a prevalence; the order of scores does not.",
    )


STOPS = (
    Stop(
        "Ten days of rain forecasts",
        "On five days the forecast was 20% rain: it rained once. On five it was 80%: it rained on "
        "three.",
        "Which of the two kinds of forecast was right?",
        _rain,
    ),
    Stop(
        "A model that is too sure",
        "2,000 forecasts whose log-odds are twice what they should be (seed 0).",
        "Where the forecast is 95%, how often does it happen?",
        _overconfident,
    ),
    Stop(
        "The calibration error of right forecasts",
        "Forecasts anywhere between 0 and 1, and each comes true exactly as often as it says.",
        "What is their ECE, on 50 rows and on 1,000?",
        _luck,
    ),
    Stop(
        "What a Brier score is made of",
        "The rain again. The Brier score is the mean squared distance between forecast and what "
        "happened. Then 10,000 payments of which 15 are frauds, all with the same forecast.",
        "Which has the smaller Brier score, and which is the better forecast?",
        _parts,
    ),
    Stop(
        "Where positives are rarer",
        "A model learnt where half of the rows were positive. Here 5% are, and they look as "
        "positives always did.",
        "When it says 90%, how often is it right here?",
        _prevalence,
    ),
)
