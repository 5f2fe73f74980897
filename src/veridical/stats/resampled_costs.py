"""Costs of many resampled walks at once (see ``resampled_walks``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.errors import ParameterError
from veridical.kernels.arrays import as_score
from veridical.stats.resampled_walks import (
    Counts,
    ResampledWalks,
    Statistic,
    Values,
    flagged,
    row_sums,
)

__all__ = ["Prices", "best_cost", "best_threshold", "cost_at", "cost_saving"]


@dataclass(frozen=True, slots=True)
class Prices:
    """What a missed positive, a wrongly flagged negative and a flagged row cost.

    Attributes
    ----------
    fn, fp, review
        Each >= 0, or None where the price is a column, whose sums the walks then carry.

    Examples
    --------
    >>> Prices(fn=10, fp=1)
    Prices(fn=10, fp=1, review=0.0)
    """

    fn: float | None
    fp: float | None
    review: float | None = 0.0


def _sums(
    walks: ResampledWalks, price: float | None, name: str, at: Counts, between: Counts | None
) -> tuple[Values, Values]:
    """Return the cost of flagging down to each threshold, (B, m), and of flagging all, (B,)."""
    if price is None:
        at = _price_column(walks, f"{name}_tied")
        between = _price_column(walks, f"{name}_between")
    down_to = np.cumsum(at, axis=1, dtype=np.float64) if between is None else flagged(at, between)
    whole = row_sums(at)
    if between is not None:
        whole = whole + row_sums(between)
    return (down_to, whole) if price is None else (price * down_to, price * whole)


def _price_column(walks: ResampledWalks, name: str) -> Values:
    column: Values | None = getattr(walks, name)
    if column is None:
        raise ParameterError(
            f"the walks carry no {name}, and no price was given", fix="give the price as a number"
        )
    return column


def _costs(walks: ResampledWalks, prices: Prices) -> Values:
    """Return the cost of flagging nothing, down to each threshold, and all; shape (B, m + 2)."""
    fn, fp, review = prices.fn, prices.fp, prices.review
    if fn is None or fp is None or review is None:
        return _costs_by_row(walks, prices)
    positives, negatives = walks.total_positives, walks.total_negatives
    costs = np.empty((len(walks), len(walks.thresholds) + 2))
    costs[:, 0] = fn * positives
    # A flagged positive is no longer missed, but reviewed; a flagged negative is an alarm as well.
    np.multiply(walks.tp, review - fn, out=costs[:, 1:-1])
    costs[:, 1:-1] += (fp + review) * walks.fp
    costs[:, 1:-1] += costs[:, :1]
    costs[:, -1] = review * positives + (fp + review) * negatives
    return costs


def _costs_by_row(walks: ResampledWalks, prices: Prices) -> Values:
    """Return the same where some price is a column."""
    missed_at = walks.positives if prices.fn is not None else _price_column(walks, "fn_cost")
    caught = np.cumsum(missed_at, axis=1, dtype=np.float64)
    all_missed = row_sums(missed_at)
    scale = 1.0 if prices.fn is None else prices.fn
    wrong, all_wrong = _sums(walks, prices.fp, "fp_cost", walks.tied, walks.between)
    reviewed, all_reviewed = _sums(
        walks, prices.review, "review_cost", walks.positives + walks.tied, walks.between
    )
    nothing = scale * all_missed
    return np.concatenate(
        [
            nothing[:, np.newaxis],
            scale * (all_missed[:, np.newaxis] - caught) + wrong + reviewed,
            (all_wrong + all_reviewed)[:, np.newaxis],
        ],
        axis=1,
    )


def _lowest(costs: Values) -> Values:
    # Flagging all is never cheaper than flagging down to the last positive.
    lowest: Values = costs[:, :-1].min(axis=1)
    return lowest


def best_cost(prices: Prices) -> Statistic:
    """Lowest total cost over every threshold, flag nothing included.

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> walks = ResampledWalks.of(ScoreTable.from_rows(labels, scores).walk)
    >>> best_cost(Prices(fn=10, fp=1))(walks).tolist()
    [1.0]
    """
    return lambda walks: _lowest(_costs(walks, prices))


def best_threshold(prices: Prices) -> Statistic:
    """Highest threshold that attains the lowest cost; +inf where that is to flag nothing."""

    def statistic(walks: ResampledWalks) -> Values:
        candidates = np.concatenate([[np.inf], walks.thresholds.astype(np.float64)])
        best: Values = candidates[np.argmin(_costs(walks, prices)[:, :-1], axis=1)]
        return best

    return statistic


def _flagged(walks: ResampledWalks, threshold: float) -> int:
    """Return how many thresholds of the walks are at or above one."""
    return int((walks.thresholds >= as_score(threshold, walks.thresholds.dtype)).sum())


def cost_at(prices: Prices, threshold: float | None) -> Statistic:
    """Total cost when scores ``>= threshold`` are flagged; None flags nothing.

    Negatives between two thresholds of a walk are not told apart, so the walk must be cut at
    ``threshold`` (see ``Ranking.walk_at``).
    """

    def statistic(walks: ResampledWalks) -> Values:
        flags = 0 if threshold is None else _flagged(walks, threshold)
        costs: Values = _costs(walks, prices)[:, flags]
        return costs

    return statistic


def cost_saving(prices: Prices, in_use: float | None = None) -> Statistic:
    """Cost at the threshold in use minus the lowest cost.

    Without a threshold in use the comparison is with the cheaper of flag nothing and flag all.
    """

    def statistic(walks: ResampledWalks) -> Values:
        costs = _costs(walks, prices)
        if in_use is None:
            baseline = np.minimum(costs[:, 0], costs[:, -1])
        else:
            baseline = costs[:, _flagged(walks, in_use)]
        return baseline - _lowest(costs)

    return statistic
