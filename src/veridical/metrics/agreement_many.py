"""Agreement of any number of raters: functions of their rating patterns.

Notation: item u has r_u ratings, r_uk of them with the label k; only items with at least two
ratings count.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.measures import choice, metric
from veridical.metrics.interval_request import Outcome
from veridical.metrics.unit_intervals import Question, from_replicates, resampled
from veridical.results import Measured, Result, Skipped
from veridical.summaries.contingency import RatingPatterns

__all__ = ["bootstrap", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha"]

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]


def bootstrap(result: Measured, question: Question) -> Outcome:
    """Percentile bootstrap over items."""
    ratings: RatingPatterns = question.summary.pairable
    statistic = _STATISTICS[question.definition.name](ratings, **question.arguments)
    values = resampled(ratings.times, statistic, question, cells=len(ratings.labels))
    return from_replicates(result, values, question.level)


@metric("agreement", summary=RatingPatterns, bounds=(-1, 1), interval=bootstrap)
def fleiss_kappa(ratings: RatingPatterns) -> Result:
    """Agreement of several raters beyond what the rates of the labels would give by chance.

    Formula
    -------
    (p_o - p_e)/(1 - p_e), p_o = mean_u sum_k r_uk (r_uk - 1) / (r_u (r_u - 1)),
    p_e = sum_k (mean_u r_uk / r_u)^2

    When it is undefined
    --------------------
    No item has two ratings: skipped ``no_rows``.  Only one label was ever used: skipped
    ``no_variation``.

    References
    ----------
    Fleiss (1971), Psychological Bulletin 76, doi:10.1037/h0031619; unequal numbers of ratings:
    Gwet (2014), Handbook of Inter-Rater Reliability.

    Examples
    --------
    >>> ratings = RatingPatterns.from_codes(np.array([[0, 0, 1], [1, 1, 1]]), ("no", "yes"))
    >>> round(fleiss_kappa.function(ratings).value, 4)
    0.25
    """
    return _result(ratings, _fleiss(ratings.pairable))


@metric(
    "agreement",
    summary=RatingPatterns,
    bounds=(-1, 1),
    interval=bootstrap,
    aliases=["ac1", "gwets_ac1"],
)
def gwet_ac1(ratings: RatingPatterns) -> Result:
    """Agreement beyond chance that stays stable where nearly all labels are the same.

    Formula
    -------
    (p_o - p_e)/(1 - p_e), p_o as for Fleiss' kappa, p_e = sum_k pi_k (1 - pi_k) / (K - 1),
    pi_k = mean_u r_uk / r_u, K labels

    When it is undefined
    --------------------
    No item has two ratings: skipped ``no_rows``.  There is only one label: skipped
    ``no_variation``.

    References
    ----------
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61,
    doi:10.1348/000711006X126600.

    Examples
    --------
    >>> codes = np.array([[1, 1]] * 18 + [[0, 1]] * 2)
    >>> round(gwet_ac1.function(RatingPatterns.from_codes(codes, ("fail", "pass"))).value, 4)
    0.8895
    """
    return _result(ratings, _ac1(ratings.pairable))


@metric(
    "agreement",
    summary=RatingPatterns,
    parameters=[
        choice("measurement", ["nominal", "ordinal", "interval", "ratio"], "nominal"),
    ],
    bounds=(None, 1),
    interval=bootstrap,
    aliases=["alpha", "krippendorffs_alpha"],
)
def krippendorff_alpha(ratings: RatingPatterns, measurement: str = "nominal") -> Result:
    """Agreement of any number of raters, with ratings missing, on any level of measurement.

    Formula
    -------
    1 - (n - 1) sum_ck o_ck d_ck / sum_ck n_c n_k d_ck, with o_ck the coincidences
    sum_u r_uc (r_uk - [c = k]) / (r_u - 1), n_c their margins and n their sum; d_ck is [c != k];
    the squared number of ratings between c and k (``ordinal``); (c - k)^2 (``interval``);
    ((c - k)/(c + k))^2 (``ratio``).

    When it is undefined
    --------------------
    No item has two ratings: skipped ``no_rows``.  Only one label was ever used: skipped
    ``no_variation``.  ``ordinal`` on text labels without a declared scale, ``interval`` and
    ``ratio`` on text labels are errors.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability,
    https://repository.upenn.edu/asc_papers/43.

    Examples
    --------
    >>> codes = np.array([[0, 0], [1, 1], [0, 1], [1, 1]])
    >>> round(krippendorff_alpha.function(RatingPatterns.from_codes(codes, (1, 2))).value, 4)
    0.5333
    """
    return _result(ratings, _alpha(ratings.pairable, measurement))


def _result(ratings: RatingPatterns, statistic: Statistic) -> Result:
    if ratings.n == 0:
        return Skipped("no_rows", detail="no item has two ratings")
    value = float(statistic(ratings.pairable.times[None].astype(np.float64))[0])
    if math.isnan(value):
        return Skipped("no_variation", ratings.n, detail="every rating is the same label")
    return Measured(value, ratings.n)


def _agreements(ratings: RatingPatterns) -> tuple[Floats, Floats]:
    """Return p_o and the shares of the labels for each pattern."""
    r = ratings.patterns.astype(np.float64)
    totals = r.sum(axis=1)
    return (r * (r - 1)).sum(axis=1) / (totals * (totals - 1)), r / totals[:, None]


def _beyond_chance(po: Floats, pe: Floats) -> Floats:
    value: Floats = np.full(len(po), np.nan)
    return np.divide(po - pe, 1 - pe, out=value, where=pe < 1)


def _fleiss(ratings: RatingPatterns) -> Statistic:
    agreement, shares = _agreements(ratings)

    def kappa(times: Floats) -> Floats:
        n = times.sum(axis=1)
        rates = (times @ shares) / n[:, None]
        # One label alone has a rate of 1 up to rounding, and its square no more than that.
        pe = np.where((rates > 0).sum(axis=1) > 1, (rates**2).sum(axis=1), 1.0)
        return _beyond_chance(times @ agreement / n, pe)

    return kappa


def _ac1(ratings: RatingPatterns) -> Statistic:
    agreement, shares = _agreements(ratings)
    labels = len(ratings.labels)

    def ac1(times: Floats) -> Floats:
        if labels < 2:
            return np.full(len(times), np.nan)
        n = times.sum(axis=1)
        rates = (times @ shares) / n[:, None]
        return _beyond_chance(
            times @ agreement / n, (rates * (1 - rates)).sum(axis=1) / (labels - 1)
        )

    return ac1


def _alpha(ratings: RatingPatterns, measurement: str = "nominal") -> Statistic:
    if measurement == "ordinal":
        return _ordinal_alpha(ratings)
    distance = _distances(ratings, measurement)
    r = ratings.patterns.astype(np.float64)
    # The pairs within an item, their distances added up: the coincidences times d.
    apart = ((r @ distance) * r).sum(axis=1) / (r.sum(axis=1) - 1.0)

    def alpha(times: Floats) -> Floats:
        margins = times @ r
        expected = ((margins @ distance) * margins).sum(axis=1)
        return _one_minus((margins.sum(axis=1) - 1.0) * (times @ apart), expected)

    return alpha


def _ordinal_alpha(ratings: RatingPatterns) -> Statistic:
    if not ratings.ordered:
        raise ParameterError(
            "measurement=ordinal needs the order of the labels",
            fix="give scale=['low', 'medium', 'high'] (on the command line --scale)",
        )
    r = ratings.patterns.astype(np.float64)
    totals = r.sum(axis=1)

    def alpha(times: Floats) -> Floats:
        margins = times @ r
        n = margins.sum(axis=1, keepdims=True)
        # Ratings from the lower label to the higher one, each end counted half; about their mean,
        # which keeps the squares small.
        middle = np.cumsum(margins, axis=1) - margins / 2
        middle -= (middle * margins).sum(axis=1, keepdims=True) / n
        # sum_ck r_c r_k (m_c - m_k)^2 = 2 (R sum_c r_c m_c^2 - (sum_c r_c m_c)^2)
        apart = np.maximum(totals * (middle**2 @ r.T) - (middle @ r.T) ** 2, 0.0)
        found = (times * apart / (totals - 1.0)).sum(axis=1)
        expected = n[:, 0] * (margins * middle**2).sum(axis=1)
        return _one_minus((n[:, 0] - 1.0) * found, expected)

    return alpha


def _one_minus(found: Floats, expected: Floats) -> Floats:
    share: Floats = np.full(len(found), np.nan)
    np.divide(found, expected, out=share, where=expected > 0)
    return np.subtract(1.0, share)


def _distances(ratings: RatingPatterns, measurement: str) -> Floats:
    """Return the squared distance of labels, shape (labels, labels)."""
    if measurement == "nominal":
        return 1.0 - np.eye(len(ratings.labels))
    if any(isinstance(label, str) for label in ratings.labels):
        raise ParameterError(
            f"measurement={measurement} needs numbers, and the labels are text",
            fix="write the labels as numbers, or use measurement=ordinal with a scale",
        )
    values = np.array(ratings.labels, dtype=np.float64)
    apart: Floats = (values[:, None] - values) ** 2
    if measurement == "ratio":
        together = (values[:, None] + values) ** 2
        apart = np.divide(apart, together, out=np.zeros_like(apart), where=together > 0)
    return apart


_STATISTICS: dict[str, Callable[..., Statistic]] = {
    "fleiss_kappa": _fleiss,
    "gwet_ac1": _ac1,
    "krippendorff_alpha": _alpha,
}
