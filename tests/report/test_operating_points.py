"""Operating points against counting rows, and the promises about those left out."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from statsmodels.stats.proportion import proportion_confint

from tests.report.payloads import PRICES, rows, score_table
from veridical.costs import Costs
from veridical.errors import ParameterError
from veridical.report.operating_points import operating_points, reliability_bins
from veridical.summaries import ReliabilityTable, ScoreTable


def flagged(scores, point):
    if point["threshold"] is None:
        return np.zeros(len(scores), dtype=bool)
    return scores >= point["threshold"]


small_rows = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0, float("inf")])),
    max_size=30,
)


@given(small_rows)
def test_every_distinct_score_is_a_point_with_the_counts_of_its_rows(pairs):
    positive = np.array([y for y, _ in pairs], dtype=bool)
    scores = np.array([s for _, s in pairs], dtype=float)
    points = operating_points(ScoreTable.from_rows(positive, scores), costs=PRICES)
    assert [p["threshold"] for p in points] == [None, *sorted(set(scores.tolist()), reverse=True)]
    for point in points:
        flags = flagged(scores, point)
        tp, fp = np.sum(flags & positive), np.sum(flags & ~positive)
        fn, tn = np.sum(~flags & positive), np.sum(~flags & ~positive)
        assert (point["tp"], point["fp"], point["fn"], point["tn"]) == (tp, fp, fn, tn)
        assert point["cost"] == 850 * fn + 25 * fp + 5 * (tp + fp)
        assert point["flag_nothing"] == (point["threshold"] is None)
        for name, part, whole in (
            ("recall", tp, tp + fn),
            ("fpr", fp, fp + tn),
            ("precision", tp, tp + fp),
        ):
            if whole == 0:
                assert point[name] is None
            else:
                assert point[name]["value"] == part / whole


def test_rates_have_wilson_intervals():
    points = operating_points(score_table(), level=0.9)
    for point in points[1::17]:
        low, high = proportion_confint(point["tp"], point["tp"] + point["fn"], 0.1, "wilson")
        assert point["recall"]["low"] == pytest.approx(low, abs=1e-12)
        assert point["recall"]["high"] == pytest.approx(high, abs=1e-12)


@given(st.integers(0, 10**6), st.integers(4, 60))
def test_no_left_out_point_is_further_than_a_grid_step_from_a_kept_one(seed, limit):
    generator = np.random.default_rng(seed)
    positive = generator.random(400) < generator.choice([0.02, 0.5])
    table = ScoreTable.from_rows(positive, generator.normal(positive * 1.0).round(2))
    every, kept = operating_points(table, limit=10_000), operating_points(table, limit=limit)
    assert len(kept) <= limit
    assert kept[0] == every[0]
    assert kept[-1] == every[-1]
    assert all(point in every for point in kept)
    step = 1 / (limit // 2)
    for left_out in (p for p in every if p not in kept):
        stricter = next(
            p for p in reversed(kept) if p["tp"] + p["fp"] < left_out["tp"] + left_out["fp"]
        )
        for name in ("recall", "fpr"):
            if left_out[name] is not None:
                assert left_out[name]["value"] - stricter[name]["value"] < step + 1e-12


@given(st.lists(st.floats(-0.5, 1.5), max_size=5))
def test_thresholds_to_keep_are_points_whether_observed_or_not(keep):
    table = score_table()
    points = operating_points(table, limit=20, keep=[None, *keep])
    assert len(points) <= 20
    thresholds = [p["threshold"] for p in points]
    assert thresholds[1:] == sorted(set(thresholds[1:]), reverse=True)
    for threshold in keep:
        point = next(p for p in points if p["threshold"] == threshold)
        counts = table.at(threshold)
        assert (point["tp"], point["fp"]) == (counts.tp, counts.fp)
        assert (point["fn"], point["tn"]) == (counts.fn, counts.tn)


def test_a_limit_without_room_is_refused():
    with pytest.raises(ParameterError, match="no room"):
        operating_points(score_table(), limit=3, keep=[0.1, 0.2])
    with pytest.raises(ParameterError, match="NaN"):
        operating_points(score_table(), keep=[float("nan")])


def test_no_rows_leave_one_point_that_flags_nothing():
    (only,) = operating_points(ScoreTable.empty(), costs=PRICES)
    assert only["flag_nothing"]
    assert only["recall"] is only["fpr"] is only["precision"] is None
    assert only["cost"] == 0


def test_costs_may_be_columns():
    positive, scores = rows(n=200)
    amount = np.arange(200) * 0.25
    table = ScoreTable.from_rows(positive, scores, fn_cost=amount)
    for point in operating_points(table, costs=Costs(fn="amount", fp=2, review=1)):
        flags = flagged(scores, point)
        missed = sum(Fraction(a) for a in amount[~flags & positive].tolist())
        assert point["cost"] == float(missed + 2 * point["fp"] + point["fp"] + point["tp"])


def test_decimal_prices_add_up_exactly():
    table = ScoreTable.from_rows(np.array([True] * 3), np.array([0.1, 0.2, 0.3]))
    assert operating_points(table, costs=Costs(fn=0.1, fp=0))[0]["cost"] == 0.3


def test_integer_weights_are_repeated_rows_and_fractional_ones_have_no_interval():
    positive, scores = rows(n=100)
    weight = np.tile([1.0, 3.0], 50)
    repeats = weight.astype(int)
    repeated = ScoreTable.from_rows(np.repeat(positive, repeats), np.repeat(scores, repeats))
    weighted = ScoreTable.from_rows(positive, scores, weight=weight)
    assert operating_points(weighted) == operating_points(repeated)
    halves = operating_points(ScoreTable.from_rows(positive, scores, weight=weight / 2))
    assert halves[-1]["tp"] == np.sum(weight[positive]) / 2
    assert halves[-1]["recall"] == {"value": 1.0, "low": None, "high": None}


def test_reliability_bins_are_those_of_scikit_learn():
    # No forecast on an edge: scikit-learn's bins are closed on the other side.
    generator = np.random.default_rng(3)
    forecasts = generator.uniform(0, 1, 500)
    positive = generator.random(500) < forecasts
    bins = reliability_bins(ReliabilityTable.from_rows(positive, forecasts))
    rates, means = calibration_curve(positive, forecasts, n_bins=10)
    assert [b["event_rate"]["value"] for b in bins] == pytest.approx(rates.tolist(), abs=1e-12)
    assert [b["mean_forecast"] for b in bins] == pytest.approx(means.tolist(), abs=1e-12)
    assert sum(b["n"] for b in bins) == 500
    for b in bins:
        assert b["start"] < b["mean_forecast"] <= b["stop"]
        events = round(b["n"] * b["event_rate"]["value"])
        low, high = proportion_confint(events, b["n"], 0.05, "wilson")
        assert (b["event_rate"]["low"], b["event_rate"]["high"]) == pytest.approx((low, high))


def test_empty_bins_are_left_out():
    table = ReliabilityTable.from_rows(np.array([True]), np.array([0.55]))
    (only,) = reliability_bins(table)
    assert (only["start"], only["stop"], only["n"]) == (0.5, 0.6, 1)
