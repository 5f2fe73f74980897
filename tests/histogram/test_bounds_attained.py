"""The bounds are the least and the most over every set of rows with the same bins, and no more."""

from itertools import product

import pytest

from tests.histogram.rankings import Cell, all_rankings, bins_of, exact
from veridical.costs import Costs
from veridical.metrics.approximate import approximate
from veridical.results import Measured, Skipped

TIGHT = 1e-12

RANKING = (
    "binary.roc_auc", "binary.gini", "binary.average_precision", "binary.ks",
    "binary.partial_auc,fpr=0.4", "binary.precision_top@2", "binary.recall_top@3",
    "binary.lift_top@4", "binary.recall@fpr=0", "binary.recall@fpr=0.25", "binary.recall@fpr=0.5",
    "binary.recall@precision=0.5", "binary.recall@precision=0.7", "binary.precision@recall=0.01",
    "binary.precision@recall=0.5", "binary.precision@recall=1",
)  # fmt: skip
AT_THRESHOLD = (
    "binary.accuracy", "binary.balanced_accuracy", "binary.f1", "binary.fbeta,beta=2", "binary.fpr",
    "binary.mcc", "binary.npv", "binary.precision", "binary.recall", "binary.specificity",
)  # fmt: skip
PRICES = (Costs(fn=10, fp=1), Costs(fn=1, fp=10), Costs(fn=1, fp=1, review=0.5))

# Something above and below the bin in question, or nothing.
AROUND = ((0, 0), (0, 2), (2, 1))
SMALL = [(0, 2), (2, 0), (1, 1), (1, 2), (2, 1), (2, 2), (3, 0), (0, 3), (3, 1)]
LARGE = [(1, 3), (2, 3), (3, 2), (3, 3), (4, 0), (4, 1)]
INSIDE = [*SMALL, *(pytest.param(cell, marks=pytest.mark.long) for cell in LARGE)]


def cells_of(*counts, split=()):
    return [Cell(p, n, split=index in split) for index, (p, n) in enumerate(counts) if p + n > 0]


def assert_attained(name, cells, *, low_is_attained=True, **settings):
    """The extremes over all rankings are the bounds, up to rounding."""
    tables = list(all_rankings(cells))
    result = approximate(name, bins_of(tables[0]), **settings)
    truths = [exact(name, table, **settings) for table in tables]
    if isinstance(result, Skipped):
        assert result.reason in {truth.reason for truth in truths if isinstance(truth, Skipped)}
        return
    assert all(isinstance(truth, Measured) for truth in truths)
    values = [truth.value for truth in truths]
    if result.bounds is None:
        assert max(values) - min(values) <= TIGHT
        assert result.value == pytest.approx(values[0], abs=TIGHT)
        return
    assert all(value in result.bounds for value in values)
    assert result.bounds.high == pytest.approx(max(values), abs=TIGHT)
    if low_is_attained:
        assert result.bounds.low == pytest.approx(min(values), abs=TIGHT)


def rare_class_is_coarse(cells):
    """Whether no edge lies farther out than one row: the stated exception for KS."""
    P, N = sum(c.positives for c in cells), sum(c.negatives for c in cells)
    tp = fp = farthest = 0
    for cell in cells:
        tp, fp = tp + cell.positives, fp + cell.negatives
        farthest = max(farthest, abs(tp / P - fp / N))
    return farthest < max(1 / P, 1 / N)


def one_class(cells):
    return not all(sum(getattr(c, k) for c in cells) for k in ("positives", "negatives"))


@pytest.mark.parametrize("inside", INSIDE, ids=str)
@pytest.mark.parametrize("above", AROUND, ids=str)
def test_one_split_bin(above, inside):
    for below in AROUND:
        cells = cells_of(above, inside, below, split={1})
        for name in RANKING:
            coarse = name == "binary.ks" and not one_class(cells) and rare_class_is_coarse(cells)
            assert_attained(name, cells, low_is_attained=not coarse)


@pytest.mark.parametrize("costs", PRICES, ids=str)
@pytest.mark.parametrize("above", AROUND, ids=str)
def test_cost_of_one_split_bin(above, costs):
    for inside, below in product(SMALL, AROUND):
        cells = cells_of(above, inside, below, split={1})
        assert_attained("cost.best_threshold", cells, costs=costs)
        assert_attained("cost.saving", cells, costs=costs)


@pytest.mark.parametrize("name", AT_THRESHOLD)
def test_threshold_inside_one_split_bin(name):
    for above, inside, below in product(AROUND[::2], SMALL, AROUND[1:]):
        cells = cells_of(above, inside, below, split={1})
        for threshold in (2, 2.3, 2.75):
            assert_attained(name, cells, threshold=threshold)


@pytest.mark.parametrize("name", RANKING)
def test_two_neighbouring_split_bins(name):
    for one, two in product([(1, 1), (2, 1), (0, 2), (2, 0), (2, 2)], repeat=2):
        cells = cells_of((0, 1), one, two, (1, 1), split={1, 2})
        coarse = name == "binary.ks" and rare_class_is_coarse(cells)
        assert_attained(name, cells, low_is_attained=not coarse)
