"""On random rows the exact value lies within the bounds, and a second pass finds it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from tests.histogram.rankings import exact
from tests.histogram.strategies import costs_for, crowded_rows, rows
from veridical.metrics.approximate import approximate, offending_bins
from veridical.metrics.open_bins import OPEN_BINS
from veridical.results import Measured, Skipped, result_from_dict

rates = st.one_of(st.floats(0, 1), st.sampled_from([0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 1]))
NAMES = {
    "binary.recall@fpr=": lambda draw: (
        f"binary.recall@fpr={draw(rates)!r}" + draw(st.sampled_from(["", ",mode=certified"]))
    ),
    "binary.recall@precision=": lambda draw: f"binary.recall@precision={draw(rates)!r}",
    "binary.precision@recall=": lambda draw: f"binary.precision@recall={draw(rates)!r}",
    "binary.partial_auc": lambda draw: f"binary.partial_auc,fpr={draw(st.floats(0.01, 1))!r}",
    **{
        f"binary.{name}@k": lambda draw, name=name: f"binary.{name}@{draw(st.integers(1, 50))}"
        for name in ("precision_top", "recall_top", "lift_top")
    },
}


def drawn(draw, metric):
    return NAMES.get(metric, lambda _: metric)(draw)


def close(value, truth):
    return value == pytest.approx(truth, rel=1e-9, abs=1e-9)


def check(data, rows, metric):
    name = drawn(data.draw, metric)
    given = {"costs": data.draw(costs_for(rows)), "threshold": data.draw(thresholds(rows))}
    if metric == "cost.saving" and data.draw(st.booleans()):
        given["threshold"] = None
    truth, result = exact(name, rows.table, **given), approximate(name, rows.histogram, **given)
    keys = offending_bins(name, rows.histogram, **given)
    if isinstance(truth, Skipped) or isinstance(result, Skipped):
        # A fractional weight may leave open whether anything is flagged at all.
        open_ended = not rows.table.is_whole and metric in OPEN_ENDED
        assert open_ended or (type(result), getattr(truth, "reason", None)) == (
            type(truth), getattr(result, "reason", None),
        )  # fmt: skip
        assert len(keys) == 0
        return
    assert result_from_dict(result.to_dict()) == result
    assert (len(keys) == 0) == (result.bounds is None)
    if result.bounds is None:
        assert close(result.value, truth.value)
    else:
        assert truth.value in result.bounds
    again = np.isin(rows.histogram.grid.keys(rows.scores), keys)
    second_pass = rows.part(again).table
    settled = approximate(name, rows.histogram.refined(second_pass), **given)
    assert settled.bounds is None
    assert close(settled.value, truth.value)


OPEN_ENDED = {"binary.precision", "binary.npv", "binary.mcc", "binary.f1", "binary.fbeta"}


def thresholds(rows):
    finite = [float(s) for s in rows.scores if np.isfinite(s)]
    return st.one_of(st.sampled_from(finite), st.floats(0, 1)) if finite else st.floats(0, 1)


@pytest.mark.parametrize("metric", sorted(OPEN_BINS))
@given(st.data(), st.one_of(crowded_rows(), rows()))
@settings(max_examples=25)
def test_the_exact_value_is_within_bounds(metric, data, rows):
    check(data, rows, metric)


@pytest.mark.long
@pytest.mark.parametrize("metric", sorted(OPEN_BINS))
@given(st.data(), st.one_of(crowded_rows(most=80), rows(most=80)))
@settings(max_examples=500)
def test_the_exact_value_is_within_bounds_campaign(metric, data, rows):
    check(data, rows, metric)


@given(crowded_rows())
@settings(max_examples=150)
def test_the_value_of_scikit_learn_is_within_bounds(rows):
    weight = rows.extra.get("weight")
    for name, oracle in (
        ("binary.roc_auc", roc_auc_score),
        ("binary.average_precision", average_precision_score),
    ):
        result = approximate(name, rows.histogram)
        if isinstance(result, Measured) and result.bounds is not None:
            # It refuses infinite scores; ranks carry the same order.
            ranks = np.unique(rows.scores + 0.0, return_inverse=True)[1].ravel()
            truth = oracle(rows.positive, ranks, sample_weight=weight)
            assert result.bounds.low - 1e-12 <= truth <= result.bounds.high + 1e-12
