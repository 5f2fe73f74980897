"""What the errors cost: at a threshold, at the best threshold, and the saving between the two.

cost(t) = c_fn FN(t) + c_fp FP(t) + c_review (TP(t) + FP(t)).  A price is one amount, or a column
with each row's own amount.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.costs import Costs
from veridical.kernels.arrays import as_score
from veridical.measures import metric
from veridical.metrics import intervals
from veridical.metrics.outcomes import found, observed_score
from veridical.results import Measured, Result, Skipped
from veridical.stats import resampled_costs
from veridical.stats.resampled_costs import Prices
from veridical.summaries import Ranking, Walk
from veridical.summaries.fixed_point import FixedArray

__all__ = ["CostCurve", "best_threshold", "cost_curve", "saving", "total"]

MOST_TIES_LISTED = 20


@dataclass(frozen=True, eq=False)
class CostCurve:
    """Cost at flag-nothing and at each threshold of the walk.

    Attributes
    ----------
    thresholds
        Distinct scores of positives, descending, shape (m,).
    costs
        Cost of flagging nothing, then of flagging down to each threshold, shape (m + 1,); int64
        where prices are whole multiples of ``unit``, so that ties are exact.
    unit
        Money per step of ``costs``.
    flag_all
        Cost of flagging every row, in the same steps.
    """

    thresholds: npt.NDArray[np.floating]
    costs: npt.NDArray[np.int64] | npt.NDArray[np.float64]
    unit: float
    flag_all: float

    def money(self, cost: float) -> float:
        """Return an entry of ``costs`` as money."""
        return float(cost) * self.unit if self.unit >= 1 else float(cost) / round(1 / self.unit)


def cost_curve(walk: Walk, costs: Costs) -> CostCurve:
    """Return the cost of flagging nothing, and down to each stop of a walk."""
    scale = _exact_scale(walk, costs)
    return _priced_by_row(walk, costs) if scale is None else _priced(walk, costs, scale)


def _priced(walk: Walk, costs: Costs, scale: int) -> CostCurve:
    """Return the curve of prices that are one amount each, in integers."""
    fn, fp, review = (int(getattr(costs, name) * scale) for name in ("fn", "fp", "review"))
    curve = np.empty(len(walk) + 1, dtype=np.int64)
    curve[0] = flag_nothing = fn * int(walk.total_positives)
    # A flagged positive is no longer missed, but reviewed; a flagged negative is an alarm as well.
    np.multiply(walk.tp, review - fn, out=curve[1:])
    curve[1:] += np.asarray(walk.fp, dtype=np.int64) * (fp + review)
    curve[1:] += flag_nothing
    flag_all = int(curve[-1]) + (fp + review) * int(walk.between.whole[-1])
    return CostCurve(walk.thresholds, curve, 1 / scale, float(flag_all))


def _priced_by_row(walk: Walk, costs: Costs) -> CostCurve:
    """Return the curve where a price is a column, or rows weigh fractions."""
    missed, alarms = walk.positives.numbers(), (walk.tied.numbers(), walk.between.numbers())

    def priced(name: str, counts: npt.NDArray[Any], column: FixedArray | None) -> npt.NDArray[Any]:
        return counts * float(getattr(costs, name)) if column is None else column.numbers()

    fn = priced("fn", missed, walk.fn_cost)
    fp_tied = priced("fp", alarms[0], walk.fp_cost_tied)
    fp_between = priced("fp", alarms[1], walk.fp_cost_between)
    review_tied = priced("review", missed + alarms[0], walk.review_cost_tied)
    review_between = priced("review", alarms[1], walk.review_cost_between)
    # Going down one threshold: its positives are no longer missed, its negatives are alarms.
    steps = fp_between[:-1] + review_between[:-1] + fp_tied + review_tied - fn
    flag_nothing = fn.sum()
    curve = np.concatenate([[flag_nothing], flag_nothing + np.cumsum(steps)])
    flag_all = curve[-1] + fp_between[-1] + review_between[-1]
    return CostCurve(walk.thresholds, curve, 1.0, float(flag_all))


def _exact_scale(walk: Walk, costs: Costs) -> int | None:
    """Return the factor that makes all prices integers, or None where that is impossible."""
    prices = (costs.fn, costs.fp, costs.review)
    amounts = [price for price in prices if isinstance(price, Decimal)]
    if len(amounts) < len(prices) or not walk.is_whole:
        return None
    places = max(max(0, -int(amount.as_tuple().exponent)) for amount in amounts)
    if places > 9:
        return None
    scale = 10**places
    return scale if sum(amounts) * scale * int(walk.total) < 2**62 else None


def _are_forecasts(table: Ranking) -> bool:
    """Whether the scores can be probabilities: all positives' scores lie in [0, 1]."""
    thresholds = table.walk.thresholds
    return bool(len(thresholds) and thresholds[-1] >= 0 and thresholds[0] <= 1)


def _prices(costs: Costs) -> Prices:
    return Prices(costs.amount("fn"), costs.amount("fp"), costs.amount("review"))


@metric(
    "cost",
    summary=Ranking,
    settings=["costs", "threshold"],
    better="lower",
    bounds=(0, None),
    interval=intervals.bootstrap,
    statistic=lambda _, costs, threshold: resampled_costs.cost_at(_prices(costs), threshold),
)
def total(table: Ranking, costs: Costs, threshold: float) -> Result:
    """Cost of the errors at the threshold in use.

    Formula
    -------
    c_fn FN + c_fp FP + c_review (TP + FP)

    When it is undefined
    --------------------
    No prices: skipped ``no_costs``; no threshold: skipped ``no_threshold``; no row: ``no_rows``.

    References
    ----------
    Elkan (2001), The Foundations of Cost-Sensitive Learning, IJCAI.

    Examples
    --------
    >>> import veridical as vd
    >>> y, scores, costs = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], vd.Costs(fn=10, fp=1)
    >>> vd.measure("cost.total", y, scores, costs=costs, threshold=0.5).value
    11.0
    """
    if table.total == 0:
        return Skipped("no_rows")
    value = _cost_at(table, costs, threshold)
    return Measured(value, round(table.total), conditions=found(**_counts(table, threshold)))


@metric(
    "cost",
    summary=Ranking,
    settings=["costs", "threshold"],
    better="lower",
    bounds=(0, None),
    interval=intervals.best_threshold,
    statistic=lambda _, costs, **__: resampled_costs.best_cost(_prices(costs)),
    aliases=["optimal_threshold", "min_cost"],
)
def best_threshold(table: Ranking, costs: Costs, threshold: float | None = None) -> Result:
    """Lowest cost over all thresholds; the threshold that attains it is in the conditions.

    Formula
    -------
    min over observed scores t, and flag nothing, of c_fn FN + c_fp FP + c_review (TP + FP); of
    equal costs the highest threshold (fewest alerts).

    When it is undefined
    --------------------
    No prices: skipped ``no_costs``; no row: ``no_rows``.

    References
    ----------
    Elkan (2001), The Foundations of Cost-Sensitive Learning, IJCAI.

    Examples
    --------
    >>> import veridical as vd
    >>> y, scores, costs = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], vd.Costs(fn=10, fp=1)
    >>> best = vd.measure("cost.best_threshold", y, scores, costs=costs)
    >>> best.value, best.conditions["threshold"]
    (1.0, 0.4)
    """
    if table.total == 0:
        return Skipped("no_rows")
    curve = cost_curve(table.walk, costs)
    lowest = curve.costs.min()
    tied = np.flatnonzero(curve.costs == lowest)
    best = None if tied[0] == 0 else float(curve.thresholds[tied[0] - 1])
    at: dict[str, Any] = {
        "threshold": None if best is None else observed_score(best),
        "flag_nothing": best is None,
        **_counts(table, best),
        "cost_flag_nothing": curve.money(curve.costs[0]),
        "cost_flag_all": curve.money(curve.flag_all),
    }
    if len(tied) > 1:
        listed = tied[:MOST_TIES_LISTED]
        at["tied_thresholds"] = [
            None if i == 0 else observed_score(curve.thresholds[i - 1]) for i in listed
        ]
        at["n_tied_thresholds"] = len(tied)
    if threshold is not None:
        at["cost_at_threshold_in_use"] = _cost_at(table, costs, threshold)
    if costs.bayes_threshold is not None and _are_forecasts(table):
        at["bayes_threshold"] = costs.bayes_threshold
    if costs.false_alarm is not None and costs.amount("review"):
        at["cost_of_one_false_alarm"] = float(costs.false_alarm)
    return Measured(
        curve.money(lowest),
        round(table.total),
        conditions=found(**at),
        notes=("in_sample", *(("only_flag_nothing",) if best is None else ())),
    )


@metric(
    "cost",
    summary=Ranking,
    settings=["costs", "threshold"],
    bounds=(0, None),
    interval=intervals.optimum,
    statistic=lambda _, costs, threshold=None: resampled_costs.cost_saving(
        _prices(costs), threshold
    ),
)
def saving(table: Ranking, costs: Costs, threshold: float | None = None) -> Result:
    """What the best threshold saves against the one in use.

    Formula
    -------
    cost at ``threshold`` - lowest cost; without a threshold in use, against the cheaper of flagging
    nothing and flagging everything.

    When it is undefined
    --------------------
    No prices: skipped ``no_costs``; no row: ``no_rows``.

    References
    ----------
    Elkan (2001), The Foundations of Cost-Sensitive Learning, IJCAI.

    Examples
    --------
    >>> import veridical as vd
    >>> y, scores, costs = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], vd.Costs(fn=10, fp=1)
    >>> result = vd.measure("cost.saving", y, scores, costs=costs)
    >>> result.value, result.conditions["against"]
    (1.0, 'flag_all')
    """
    if table.total == 0:
        return Skipped("no_rows")
    curve = cost_curve(table.walk, costs)
    if threshold is not None:
        against, baseline = "threshold", _cost_at(table, costs, threshold)
    else:
        choices = {"flag_nothing": float(curve.costs[0]), "flag_all": curve.flag_all}
        against = min(choices, key=lambda name: choices[name])
        baseline = curve.money(choices[against])
    lowest = curve.money(curve.costs.min())
    # The threshold in use may lie between two positives; it can never beat the best one.
    return Measured(
        max(0.0, baseline - lowest),
        round(table.total),
        conditions=found(against=against, baseline_cost=baseline, lowest_cost=lowest),
        notes=("in_sample",),
    )


def _cost_at(table: Ranking, costs: Costs, threshold: float) -> float:
    """Return the cost at any threshold, observed or not."""
    walk = table.walk_at(threshold)
    curve = cost_curve(walk, costs)
    reached = int((walk.thresholds >= as_score(threshold, walk.thresholds.dtype)).sum())
    return curve.money(curve.costs[reached])


def _counts(table: Ranking, threshold: float | None) -> dict[str, Any]:
    counts = table.at(threshold)
    cells = {name: getattr(counts, name) for name in ("tp", "fp", "fn", "tn")}
    return {k: v if isinstance(v, int) else float(v) for k, v in cells.items()}
