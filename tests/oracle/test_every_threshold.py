"""Operating points and costs against brute force over every threshold, in exact fractions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from veridical.metrics.binary_points import (
    precision_at_recall,
    recall_at_fpr,
    recall_at_precision,
)
from veridical.metrics.cost import best_threshold, saving, total
from veridical.stats.proportions import clopper_pearson_upper
from veridical.summaries import ScoreTable

RATES = st.sampled_from([0.0, 0.001, 0.1, 0.2, 0.25, 0.29, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.9, 1.0])


@st.composite
def rows(draw, *, weighted: bool = False):
    """Labels, tied scores (infinities among them), and integer weights, zeros among them."""
    n = draw(st.integers(1, 25))
    labels = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    values = [-np.inf, -1.0, 0.0, 0.25, 0.5, 0.75, 1.0, np.inf]
    scores = draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
    weight = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)) if weighted else [1] * n
    return np.array(labels), np.array(scores), np.array(weight, dtype=float)


def table_of(labels, scores, weight) -> ScoreTable:
    return ScoreTable.from_rows(labels, scores, weight=weight)


def every_point(labels, scores, weight):
    """Return (threshold or None, TP, FP) of flag nothing and of every observed score, as ints."""
    present = weight > 0
    points = [(None, 0, 0)]
    for threshold in sorted(set(scores[present].tolist()), reverse=True):
        flagged = scores >= threshold
        tp = int(weight[flagged & labels].sum())
        points.append((threshold, tp, int(weight[flagged & ~labels].sum())))
    return points


def totals(labels, weight) -> tuple[int, int]:
    return int(weight[labels].sum()), int(weight[~labels].sum())


def stated(result) -> float | None:
    """Return the threshold of a result: None for flag nothing, infinities back from text."""
    threshold = result.conditions["threshold"]
    assert result.conditions["flag_nothing"] is (threshold is None)
    return None if threshold is None else float(threshold)


@given(rows(weighted=True), RATES)
def test_recall_at_fpr(data, rate):
    labels, _, weight = data
    positives, negatives = totals(labels, weight)
    result = recall_at_fpr(table_of(*data), rate)
    if not (positives and negatives):
        one_class = "no_negatives" if positives else "no_positives"
        assert result.reason == ("no_rows" if positives == negatives else one_class)
        return
    fitting = [p for p in every_point(*data) if p[2] / negatives <= rate]
    most = max(tp for _, tp, _ in fitting)
    # Of those with the highest recall, the highest observed threshold (flag nothing above all).
    threshold, tp, fp = next(p for p in fitting if p[1] == most)
    assert result.value == tp / positives
    assert stated(result) == threshold
    assert result.conditions["attained_fpr"] == fp / negatives
    assert result.conditions["fpr_upper_bound"] == clopper_pearson_upper(fp, negatives, 0.95)


@given(rows(), st.sampled_from([0.05, 0.3, 0.5, 0.8, 0.95]), st.sampled_from([0.5, 0.8, 0.95]))
def test_certified_recall_at_fpr(data, rate, level):
    labels, _, weight = data
    positives, negatives = totals(labels, weight)
    if not (positives and negatives):
        return
    result = recall_at_fpr(table_of(*data), rate, mode="certified", level=level)
    fitting = [
        p for p in every_point(*data)
        if p[0] is None or clopper_pearson_upper(p[2], negatives, level) <= rate
    ]  # fmt: skip
    most = max(tp for _, tp, _ in fitting)
    threshold, tp, _ = next(p for p in fitting if p[1] == most)
    assert result.value == tp / positives
    assert stated(result) == threshold


@given(rows(weighted=True), RATES)
def test_recall_at_precision(data, precision):
    labels, _, weight = data
    positives, _ = totals(labels, weight)
    result = recall_at_precision(table_of(*data), precision)
    if not positives:
        assert result.reason in {"no_positives", "no_rows"}
        return
    fitting = [p for p in every_point(*data) if p[0] is None or p[1] / (p[1] + p[2]) >= precision]
    most = max(tp for _, tp, _ in fitting)
    threshold, tp, _ = next(p for p in fitting if p[1] == most)
    assert result.value == tp / positives
    assert stated(result) == threshold


@given(rows(weighted=True), RATES.filter(lambda rate: rate > 0))
def test_precision_at_recall(data, recall):
    labels, _, weight = data
    positives, _ = totals(labels, weight)
    result = precision_at_recall(table_of(*data), recall)
    if not positives:
        assert result.reason in {"no_positives", "no_rows"}
        return
    points = every_point(*data)[1:]
    threshold, tp, fp = next(p for p in points if p[1] / positives >= recall)
    assert result.value == tp / (tp + fp)
    assert stated(result) == threshold
    assert result.n == tp + fp


PRICES = st.sampled_from(["0", "0.1", "0.2", "0.7", "1", "3", "25", "850.55"])


def brute_costs(data, fn: Fraction, fp: Fraction, review: Fraction):
    """Return the exact cost of each point: (threshold or None, cost), strictest first."""
    positives, _ = totals(data[0], data[2])
    return [
        (threshold, fn * (positives - tp) + fp * alarms + review * (tp + alarms))
        for threshold, tp, alarms in every_point(*data)
    ]


@given(rows(weighted=True), PRICES, PRICES, PRICES)
def test_best_threshold_total_and_saving(data, fn, fp, review):
    costs = vd.Costs(fn=Decimal(fn), fp=Decimal(fp), review=Decimal(review))
    table = table_of(*data)
    best = best_threshold.function(table, costs)
    if not data[2].any():
        assert best.reason == "no_rows"
        return
    curve = brute_costs(data, Fraction(fn), Fraction(fp), Fraction(review))
    least = min(cost for _, cost in curve)
    threshold = next(t for t, cost in curve if cost == least)
    assert best.value == float(least)
    assert stated(best) == threshold
    assert best.conditions["cost_flag_nothing"] == float(curve[0][1])
    assert best.conditions["cost_flag_all"] == pytest.approx(float(curve[-1][1]), abs=1e-12)
    for threshold, cost in curve[1:]:
        at = total.function(table, costs, threshold)
        assert at.value == pytest.approx(float(cost), rel=1e-12, abs=1e-12)
        saved = saving.function(table, costs, threshold)
        assert saved.value == pytest.approx(float(cost - least), rel=1e-12, abs=1e-11)
    cheaper = min(curve[0][1], curve[-1][1])
    saved = saving.function(table, costs)
    assert saved.value == pytest.approx(float(cheaper - least), rel=1e-12, abs=1e-11)


@given(rows(), PRICES, PRICES)
def test_tied_best_thresholds_are_the_observed_scores_that_change_the_positives(data, fn, fp):
    costs = vd.Costs(fn=Decimal(fn), fp=Decimal(fp))
    curve = brute_costs(data, Fraction(fn), Fraction(fp), Fraction(0))
    tps = [tp for _, tp, _ in every_point(*data)]
    least = min(cost for _, cost in curve)
    useful = [
        threshold
        for i, (threshold, cost) in enumerate(curve)
        if cost == least and (i == 0 or tps[i] > tps[i - 1])
    ]
    result = best_threshold.function(table_of(*data), costs)
    if len(useful) > 1:
        tied = [None if t is None else float(t) for t in result.conditions["tied_thresholds"]]
        assert tied == useful
        assert result.conditions["n_tied_thresholds"] == len(useful)
    else:
        assert "tied_thresholds" not in result.conditions


@pytest.mark.parametrize("column", ["fn", "fp", "review"])
@given(rows(weighted=True), st.data())
def test_prices_that_are_columns(column, data, drawn):
    labels, scores, weight = data
    amounts = np.array(drawn.draw(st.lists(st.integers(0, 40), min_size=len(labels),
                                           max_size=len(labels)))) / 4  # fmt: skip
    prices = {"fn": 7, "fp": 2, "review": 1, column: "amount"}
    table = ScoreTable.from_rows(labels, scores, weight=weight, **{f"{column}_cost": amounts})
    best = best_threshold.function(table, vd.Costs(**prices))
    if not weight.any():
        assert best.reason == "no_rows"
        return
    per_row = {name: amounts if name == column else np.full(len(labels), float(price))
               for name, price in prices.items()}  # fmt: skip

    def cost_at(threshold):
        flagged = np.zeros(len(labels), bool) if threshold is None else scores >= threshold
        missed = per_row["fn"] * (~flagged & labels) + per_row["fp"] * (flagged & ~labels)
        return float((weight * (missed + per_row["review"] * flagged)).sum())

    points = [(t, cost_at(t)) for t, *_ in every_point(*data)]
    least = min(cost for _, cost in points)
    assert best.value == pytest.approx(least, rel=1e-12, abs=1e-12)
    # Quarters add up exactly, so of equal costs the highest threshold is found exactly.
    assert stated(best) == next(t for t, cost in points if cost == least)
    assert best.conditions["cost_flag_all"] == pytest.approx(points[-1][1], rel=1e-12, abs=1e-12)
    for threshold, cost in points[1:]:
        at = total.function(table, vd.Costs(**prices), threshold)
        assert at.value == pytest.approx(cost, rel=1e-12, abs=1e-12)
