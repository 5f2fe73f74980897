"""The rate of a label that a judge gives, and what it becomes when his errors are known.

Notation: Q of N judged items got the label from the judge; on the n of them that were labelled,
f is what the judge said and y what is true, both 0 or 1.
"""

from __future__ import annotations

import math

from veridical.measures import metric
from veridical.metrics.interval_request import Outcome
from veridical.metrics.unit_intervals import DEGENERATE, Question
from veridical.results import Conditions, Interval, Measured, Result, Skipped
from veridical.stats.normal import normal_interval, z
from veridical.stats.proportions import wilson
from veridical.summaries.judged_sample import JudgedSample

__all__ = ["judged_rate", "prediction_powered_rate", "rogan_gladen_rate"]


def _wilson(result: Measured, question: Question) -> Outcome:
    """Wilson score interval: of what the judge says, not of what is true."""
    sample: JudgedSample = question.summary
    return Outcome(wilson(sample.judged_positive, sample.judged, question.level))


def _lang_reiczigel(result: Measured, question: Question) -> Outcome:
    """Interval by Lang and Reiczigel, for sensitivity and specificity that are estimates too."""
    s: JudgedSample = question.summary
    quantile = z(question.level)
    positives, negatives = s.labelled.positives + 2, s.labelled.negatives + 2
    se, sp = (s.labelled.tp + 1) / positives, (s.labelled.tn + 1) / negatives
    n = s.judged + quantile**2
    apparent = (s.judged_positive + quantile**2 / 2) / n
    power = se + sp - 1
    if power <= 0:
        return DEGENERATE
    rate = (apparent + sp - 1) / power
    of_se, of_sp = se * (1 - se) / positives, sp * (1 - sp) / negatives
    shift = 2 * quantile**2 * (rate * of_se - (1 - rate) * of_sp)
    error = (
        math.sqrt(apparent * (1 - apparent) / n + rate**2 * of_se + (1 - rate) ** 2 * of_sp) / power
    )
    low, high = rate + shift - quantile * error, rate + shift + quantile * error
    interval = Interval(
        max(0.0, min(low, result.value)),
        min(1.0, max(high, result.value)),
        question.level,
        "lang-reiczigel",
    )
    return Outcome(interval, units=float(s.labelled.n))


def _prediction_powered(result: Measured, question: Question) -> Outcome:
    """Normal interval of prediction-powered inference."""
    sample: JudgedSample = question.summary
    variance = sample.corrected_variance(sample.power)
    if variance == 0:
        return DEGENERATE
    # The estimate is not confined to [0, 1]; the value reported is.
    interval = normal_interval(
        result.value, math.sqrt(variance), question.level, "ppi-normal", bounds=(0.0, 1.0)
    )
    return Outcome(interval, units=float(sample.labelled.n))


@metric("agreement", summary=JudgedSample, better="target", bounds=(0, 1), interval=_wilson)
def judged_rate(sample: JudgedSample) -> Result:
    """Share of the items that the judge gives the label: his word for it, uncorrected.

    Formula
    -------
    Q / N

    When it is undefined
    --------------------
    No judged item: skipped ``no_rows``.

    References
    ----------
    Rogan and Gladen (1978), American Journal of Epidemiology 107,
    doi:10.1093/oxfordjournals.aje.a112510.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> judged_rate.function(JudgedSample(ConfusionCounts(), 80, 100)).value
    0.8
    """
    if sample.judged == 0:
        return Skipped("no_rows", detail="the judge rated nothing")
    return Measured(sample.judged_positive / sample.judged, sample.judged)


@metric("agreement", summary=JudgedSample, better="target", bounds=(0, 1), interval=_lang_reiczigel)
def rogan_gladen_rate(sample: JudgedSample) -> Result:
    """True rate of the label, from the judge's rate and his sensitivity and specificity.

    Formula
    -------
    (Q/N + specificity - 1) / (sensitivity + specificity - 1), cut to [0, 1]

    When it is undefined
    --------------------
    No labelled item has the label, or every one has: skipped ``no_positives`` or
    ``no_negatives``.  The judge does no better than chance: skipped ``zero_denominator``.

    References
    ----------
    Rogan and Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; interval: Lang and Reiczigel
    (2014), Preventive Veterinary Medicine 113, doi:10.1016/j.prevetmed.2013.09.015.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> sample = JudgedSample(ConfusionCounts(tp=45, fn=5, fp=10, tn=40), 80, 100)
    >>> round(rogan_gladen_rate.function(sample).value, 4)
    0.8571
    """
    counts = sample.labelled
    if counts.positives == 0:
        return Skipped("no_positives", detail="no labelled item truly has the label")
    if counts.negatives == 0:
        return Skipped("no_negatives", detail="every labelled item truly has the label")
    if sample.judged == 0:
        return Skipped("no_rows", detail="the judge rated nothing")
    se, sp = counts.tp / counts.positives, counts.tn / counts.negatives
    observed = {"sensitivity": float(se), "specificity": float(sp), "n_labelled": int(counts.n)}
    if se + sp - 1 <= 0:
        return Skipped(
            "zero_denominator",
            detail="the judge gives the label no more often where it is true",
            conditions=Conditions(observed=observed),
        )
    rate = float((sample.judged_positive / sample.judged + sp - 1) / (se + sp - 1))
    cut = min(1.0, max(0.0, rate))
    notes = () if cut == rate else ("rate_cut",)
    return Measured(cut, sample.judged, conditions=Conditions(observed=observed), notes=notes)


@metric(
    "agreement",
    summary=JudgedSample,
    better="target",
    bounds=(0, 1),
    interval=_prediction_powered,
    aliases=["ppi", "ppi_rate"],
)
def prediction_powered_rate(sample: JudgedSample) -> Result:
    """True rate of the label: the labelled items, made more precise by the judge's word on others.

    Formula
    -------
    mean(y) + lambda (mean(f on the unlabelled) - mean(f on the labelled)), cut to [0, 1], with the
    lambda in [0, 1] of least variance: cov(y, f) / (var(f) (1 + n/N)), N unlabelled items; var(f)
    is the sample variance over all judged items

    When it is undefined
    --------------------
    No item is labelled: skipped ``no_reference``.  With nothing but labelled items it is mean(y).

    References
    ----------
    Angelopoulos et al. (2023), Science 382, doi:10.1126/science.adi6000; lambda: Angelopoulos,
    Duchi and Zrnic (2023), PPI++, arXiv:2311.01453.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> sample = JudgedSample(ConfusionCounts(tp=45, fn=5, fp=10, tn=40), 280, 400)
    >>> round(prediction_powered_rate.function(sample).value, 4)
    0.6247
    """
    if sample.labelled.n == 0:
        return Skipped("no_reference", detail="no item has a label to check the judge by")
    rate = sample.corrected_rate(sample.power)
    cut = min(1.0, max(0.0, rate))
    observed = {"lambda": sample.power, "n_labelled": int(sample.labelled.n)}
    notes = () if cut == rate else ("rate_cut",)
    return Measured(
        cut, round(sample.labelled.n), conditions=Conditions(observed=observed), notes=notes
    )
