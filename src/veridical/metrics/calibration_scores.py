"""Calibration from every distinct forecast: log loss, logistic recalibration, equal-mass bins."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.measures import integer, metric, number
from veridical.metrics import intervals
from veridical.metrics.logistic_fit import fit_intercept, fit_line
from veridical.metrics.outcomes import counted, found, one_class
from veridical.results import Measured, Result, Skipped
from veridical.summaries import LossSums, ScoreTable

__all__ = ["ece_equal_mass", "intercept", "log_loss", "slope"]

Floats = npt.NDArray[np.float64]
CLIP = number("clip", 0.0, low=0, high=0.5)
FLAT_LIKELIHOOD = "forecasts this close to 0 and 1 leave the likelihood of the fit flat"


def _clipped(table: ScoreTable, clip: float) -> Floats:
    forecasts = table.scores.astype(np.float64)
    return np.clip(forecasts, clip, 1 - clip) if clip else forecasts


@metric(
    "calibration",
    summary=LossSums,
    parameters=[CLIP],
    better="lower",
    bounds=(0, None),
    interval=intervals.mean_loss("log"),
    aliases=["cross_entropy", "logloss", "binary_cross_entropy"],
    probabilities=True,
)
def log_loss(sums: LossSums, clip: float = 0.0) -> Result:
    """Mean negative log-likelihood of the outcomes, in nats; a strictly proper score.

    Formula
    -------
    mean of -(y ln p + (1 - y) ln(1 - p)); with ``clip``, p is first moved into [clip, 1 - clip].

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  A forecast of exactly 0 or 1 that was wrong costs infinity:
    skipped ``infinite_log_loss`` with the number of such rows.

    References
    ----------
    Good (1952), Rational Decisions, doi:10.1111/j.2517-6161.1952.tb00104.x.

    Examples
    --------
    >>> import veridical as vd
    >>> y, p = [1, 0], [0.0, 0.5]
    >>> vd.measure("calibration.log_loss", y, p).reason.value
    'infinite_log_loss'
    >>> round(vd.measure("calibration.log_loss,clip=1e-15", y, p).value, 6)
    17.615962
    """
    if sums.infinite:
        wrong = "1 row has" if sums.infinite == 1 else f"{counted(sums.infinite)} rows have"
        return Skipped(
            "infinite_log_loss",
            detail=f"{wrong} a forecast of exactly 0 or 1 that was wrong",
            conditions=found(n_infinite=float(sums.infinite)),
        )
    if sums.n == 0:
        return Skipped("no_rows")
    return Measured(sums.mean, round(sums.n))


@metric(
    "calibration",
    summary=ScoreTable,
    parameters=[CLIP],
    better="target",
    interval=intervals.logistic_wald,
    aliases=["calibration_slope"],
    probabilities=True,
)
def slope(table: ScoreTable, clip: float = 0.0) -> Result:
    """Calibration slope: 1 is right, below 1 the forecasts are too extreme.

    Formula
    -------
    b in the logistic regression logit P(y = 1) = a + b logit(p)

    When it is undefined
    --------------------
    A class is absent: ``no_positives`` or ``no_negatives``; all forecasts equal: ``no_variation``;
    a forecast of exactly 0 or 1: ``infinite_logit`` (use ``clip``); the forecasts separate the
    classes, so that no finite fit exists: ``perfect_separation``; they are so extreme that a double
    cannot tell fits apart: ``degenerate_variance``.

    References
    ----------
    Cox (1958), Biometrika 45, doi:10.1093/biomet/45.3-4.562; Van Calster et al. (2019),
    doi:10.1186/s12916-019-1466-7.

    Examples
    --------
    >>> y = np.array([1, 0, 1, 0, 1, 0, 0, 0]) == 1
    >>> p = np.array([0.5, 0.5, 0.8, 0.8, 0.8, 0.2, 0.2, 0.5])
    >>> round(slope.function(ScoreTable.from_rows(y, p)).value, 4)
    1.3552
    """
    if skipped := _no_fit(table, clip):
        return skipped
    logits = _logits(_clipped(table, clip))
    if logits.min() == logits.max():
        return Skipped("no_variation", detail="all forecasts are equal")
    if _separated(logits, table):
        return Skipped("perfect_separation")
    fit = fit_line(logits, table.positives.to_float(), table.negatives.to_float())
    if fit is None:
        return Skipped("degenerate_variance", detail=FLAT_LIKELIHOOD)
    return Measured(
        fit.slope,
        round(table.total),
        conditions=found(standard_error=fit.standard_error, fitted_intercept=fit.intercept),
    )


@metric(
    "calibration",
    summary=ScoreTable,
    parameters=[CLIP],
    better="target",
    interval=intervals.logistic_wald,
    aliases=["calibration_intercept", "calibration_in_the_large"],
    probabilities=True,
)
def intercept(table: ScoreTable, clip: float = 0.0) -> Result:
    """Calibration intercept (in the large): 0 is right, below 0 the forecasts are too high.

    Formula
    -------
    a in the logistic regression logit P(y = 1) = a + logit(p), the slope held at 1

    When it is undefined
    --------------------
    A class is absent: ``no_positives`` or ``no_negatives``; a forecast of exactly 0 or 1:
    ``infinite_logit`` (use ``clip``); forecasts so extreme that a double cannot tell fits apart:
    ``degenerate_variance``.

    References
    ----------
    Van Calster et al. (2019), doi:10.1186/s12916-019-1466-7.

    Examples
    --------
    >>> y, p = np.array([1, 0, 0, 0]) == 1, np.full(4, 0.5)
    >>> round(intercept.function(ScoreTable.from_rows(y, p)).value, 4)
    -1.0986
    """
    if skipped := _no_fit(table, clip):
        return skipped
    logits = _logits(_clipped(table, clip))
    fit = fit_intercept(logits, table.positives.to_float(), table.negatives.to_float())
    if fit is None:
        return Skipped("degenerate_variance", detail=FLAT_LIKELIHOOD)
    return Measured(
        fit.intercept,
        round(table.total),
        conditions=found(standard_error=fit.standard_error),
    )


def _no_fit(table: ScoreTable, clip: float) -> Skipped | None:
    if skipped := one_class(table.total_positives, table.total_negatives):
        return skipped
    forecasts = _clipped(table, clip)
    certain = (forecasts == 0) | (forecasts == 1)
    if not certain.any():
        return None
    rows = round(float((table.positives.to_float() + table.negatives.to_float())[certain].sum()))
    return Skipped(
        "infinite_logit", detail=f"{counted(rows)} rows have a forecast of exactly 0 or 1"
    )


def _logits(forecasts: Floats) -> Floats:
    return np.log(forecasts) - np.log1p(-forecasts)


def _separated(logits: Floats, table: ScoreTable) -> bool:
    """Whether some threshold splits the classes, in either direction, so that no fit is finite."""
    # Of the clipped forecasts: clipping may tie the very rows that kept the classes apart.
    positive = logits[table.positives.to_float() > 0]
    negative = logits[table.negatives.to_float() > 0]
    return bool(negative.max() <= positive.min() or positive.max() <= negative.min())


@metric(
    "calibration",
    summary=ScoreTable,
    parameters=[integer("bins", 10, low=1, high=10_000)],
    main="bins",
    better="lower",
    bounds=(0, 1),
    interval=intervals.no_interval,
    aliases=["adaptive_ece", "quantile_ece", "ace"],
    probabilities=True,
)
def ece_equal_mass(table: ScoreTable, bins: int = 10) -> Result:
    """Expected calibration error over bins that hold equally many rows.

    Formula
    -------
    sum over bins of |B_m| / n |acc - conf|; a bin ends at the first distinct forecast at which the
    cumulative share of rows reaches m / M, so that equal forecasts are never split.

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.

    References
    ----------
    Nixon et al. (2019), Measuring Calibration in Deep Learning, CVPR workshops.

    Examples
    --------
    >>> table = ScoreTable.from_rows(np.array([1, 0]) == 1, np.array([0.95, 0.2]))
    >>> round(ece_equal_mass.function(table, bins=2).value, 12)
    0.125
    """
    if len(table) == 0:
        return Skipped("no_rows")
    positives = table.positives.to_float()
    rows = positives + table.negatives.to_float()
    reached = np.cumsum(rows)
    ends = np.searchsorted(reached, np.arange(1, bins) / bins * reached[-1], side="left") + 1
    starts = np.unique(np.concatenate([[0], ends[ends < len(rows)]]))
    n = np.add.reduceat(rows, starts)
    conf = np.add.reduceat(rows * table.scores.astype(np.float64), starts)
    acc = np.add.reduceat(positives, starts)
    value = float(np.abs(acc - conf).sum() / n.sum())
    per_bin = [int(x) if x.is_integer() else x for x in n.tolist()]
    return Measured(value, round(table.total), conditions=found(rows_per_bin=per_bin))
