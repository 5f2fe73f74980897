"""Identities between metrics, and fast forms against their plain definitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.laws.strategies import Drawn, drawn_rows
from veridical.metrics import binary, calibration
from veridical.stats.delong import auc_exact
from veridical.summaries import ConfusionCounts, ReliabilityTable, ScoreTable

COUNT = st.integers(0, 10**6)
COUNTS = st.builds(ConfusionCounts, COUNT, COUNT, COUNT, COUNT)


def table_of(rows: Drawn) -> ScoreTable:
    return ScoreTable.from_rows(rows.positive, rows.scores, weight=rows.weight, **rows.costs)


def exact_weights(rows: Drawn) -> list[Fraction]:
    """Return the weights as the table rounds them: to multiples of 2**-52."""
    if rows.weight is None:
        return [Fraction(1)] * len(rows)
    return [Fraction(round(Fraction(w) * 2**52), 2**52) for w in rows.weight.tolist()]


@given(drawn_rows(forecasts=True, costs=False), st.sampled_from([1, 2, 5, 10, 15]))
def test_the_five_terms_add_up_to_the_brier_score(rows, bins):
    table = ReliabilityTable.from_scores(table_of(rows), bins=bins)
    brier = calibration.brier.function(table)
    terms = [
        getattr(calibration, f"brier_{name}").function(table, bins=bins)
        for name in ("reliability", "resolution", "uncertainty", "within_variance",
                     "within_covariance")
    ]  # fmt: skip
    if not brier.ok:
        assert {str(term.reason) for term in terms} == {"no_rows"}
        return
    rel, res, unc, wbv, wbc = (term.value for term in terms)
    assert rel - res + unc + wbv - wbc == pytest.approx(brier.value, rel=0, abs=1e-12)


@given(drawn_rows(forecasts=True, costs=False, max_size=12))
def test_brier_is_the_mean_squared_distance(rows):
    weights = exact_weights(rows)
    result = calibration.brier.function(ReliabilityTable.from_scores(table_of(rows)))
    if not sum(weights):
        assert result.reason == "no_rows"
        return
    loss = sum(
        w * (Fraction(float(p)) - int(y)) ** 2
        for w, p, y in zip(weights, rows.scores, rows.positive, strict=True)
    )
    assert result.value == pytest.approx(float(loss / sum(weights)), rel=0, abs=1e-14)


@given(drawn_rows(forecasts=True, costs=False, max_size=12), st.sampled_from([1, 3, 10]))
def test_ece_is_the_sum_over_bins(rows, bins):
    weights = exact_weights(rows)
    table = ReliabilityTable.from_scores(table_of(rows), bins=bins)
    if not sum(weights):
        assert calibration.ece.function(table, bins=bins).reason == "no_rows"
        return
    edges = (np.arange(bins + 1) / bins).astype(rows.scores.dtype)
    gaps, error = [], Fraction(0)
    for m in range(bins):
        inside = (rows.scores <= edges[m + 1]) & ((rows.scores > edges[m]) | (m == 0))
        columns = zip(weights, rows.scores, rows.positive, inside, strict=True)
        held = [(w, p, y) for w, p, y, i in columns if i and w]
        if held:
            n = sum(w for w, *_ in held)
            gap = abs(sum(w * (Fraction(float(p)) - int(y)) for w, p, y in held))
            gaps.append(float(gap / n))
            error += gap
    ece = calibration.ece.function(table, bins=bins).value
    assert ece == pytest.approx(float(error / sum(weights)), rel=0, abs=1e-12)
    mce = calibration.mce.function(table, bins=bins).value
    assert mce == pytest.approx(max(gaps), rel=0, abs=1e-12)


@given(drawn_rows(costs=False))
def test_the_walk_is_what_brute_force_counts(rows):
    walk = table_of(rows).walk
    weights = exact_weights(rows)
    kept = [(p, s, w) for p, s, w in zip(rows.positive, rows.scores, weights, strict=True) if w]
    thresholds = sorted({float(s) for p, s, _ in kept if p}, reverse=True)
    assert [float(t) for t in walk.thresholds] == thresholds

    def total(chosen) -> float:
        return float(sum(w for p, s, w in kept if chosen(p, float(s))))

    for i, t in enumerate(thresholds):
        above = thresholds[i - 1] if i else np.inf
        assert float(walk.tp[i]) == pytest.approx(total(lambda p, s: p and s >= t), rel=1e-12)  # noqa: B023
        assert float(walk.fp[i]) == pytest.approx(total(lambda p, s: not p and s >= t), rel=1e-12)  # noqa: B023
        between = walk.between.to_float()[i]
        if i:
            assert between == pytest.approx(
                total(lambda p, s: not p and t < s < above),  # noqa: B023
                rel=1e-12,
            )
    assert float(walk.total_positives) == total(lambda p, _: p)
    assert float(walk.total_negatives) == total(lambda p, _: not p)


@given(drawn_rows(costs=False))
def test_auc_is_the_share_of_pairs_ranked_right(rows):
    weights = exact_weights(rows)
    pairs = ranked_right = Fraction(0)
    for p, s, w in zip(rows.positive, rows.scores, weights, strict=True):
        for q, t, v in zip(rows.positive, rows.scores, weights, strict=True):
            if p and not q:
                pairs += w * v
                ranked_right += w * v * ((s > t) + Fraction(1, 2) * (s == t))
    result = binary.roc_auc.function(table_of(rows))
    if pairs:
        assert auc_exact(table_of(rows).walk) == ranked_right / pairs
        assert result.value == float(ranked_right / pairs)
    else:
        assert not result.ok


@given(drawn_rows(costs=False))
def test_average_precision_is_the_sum_over_thresholds(rows):
    weights = exact_weights(rows)
    kept = [(p, s, w) for p, s, w in zip(rows.positive, rows.scores, weights, strict=True) if w]
    positives = sum(w for p, _, w in kept if p)
    result = binary.average_precision.function(table_of(rows))
    if not positives:
        assert result.reason in {"no_positives", "no_rows"}
        return
    expected = recall_before = Fraction(0)
    for t in sorted({float(s) for _, s, _ in kept}, reverse=True):
        tp = sum(w for p, s, w in kept if p and s >= t)
        flagged = sum(w for _, s, w in kept if s >= t)
        expected += (tp / positives - recall_before) * tp / flagged
        recall_before = tp / positives
    assert result.value == pytest.approx(float(expected), rel=1e-12)


@example(
    Drawn(np.array([True] * 3), np.array([-np.inf] * 3), np.array([0.0, 3.0, 0.33333333]), {}), 3
)
@given(drawn_rows(costs=False), st.integers(1, 20))
def test_the_top_k_is_the_mean_over_the_orders_of_ties(rows, k):
    weights = exact_weights(rows)
    kept = [(p, s, w) for p, s, w in zip(rows.positive, rows.scores, weights, strict=True) if w]
    result = binary.precision_top.function(table_of(rows), k=k)
    if not kept:
        assert result.reason == "no_rows"
        return
    used = left = min(Fraction(k), sum(w for *_, w in kept))
    hits = Fraction(0)
    for t in sorted({float(s) for _, s, _ in kept}, reverse=True):
        size = sum(w for _, s, w in kept if s == t)
        hits += min(Fraction(1), left / size) * sum(w for p, s, w in kept if p and s == t)
        left = max(Fraction(0), left - size)
    assert result.value == pytest.approx(float(hits / used), rel=1e-12, abs=1e-12)
    assert 0 <= result.value <= 1


@pytest.mark.parametrize("n", [*range(1, 120), 1000, 4999])
def test_all_of_the_top_positive_is_exactly_1(n):
    # n * (1 / n) is 0.9999999999999999 for 49 and others.
    table = ScoreTable.from_rows(np.ones(n, bool), np.arange(n, dtype=float))
    assert binary.precision_top.function(table, k=n).value == 1.0
    assert binary.recall_top.function(table, k=n).value == 1.0
    assert binary.lift_top.function(table, k=n).value == 1.0


def value(name: str, counts: ConfusionCounts, **parameters):
    result = getattr(binary, name).function(counts, **parameters)
    return result.value if result.ok else None


@given(COUNTS)
def test_identities_of_the_four_cells(counts):
    fpr, specificity = value("fpr", counts), value("specificity", counts)
    if fpr is not None:
        assert fpr + specificity == pytest.approx(1, abs=1e-15)
    recall, precision = value("recall", counts), value("precision", counts)
    if recall and precision:
        f1 = value("f1", counts)
        assert f1 == pytest.approx(2 / (1 / recall + 1 / precision), rel=1e-12)
        assert value("fbeta", counts, beta=0) == precision
        assert value("fbeta", counts, beta=1) == f1
        assert value("fbeta", counts, beta=1e6) == pytest.approx(recall, rel=1e-5)
    if recall is not None and specificity is not None:
        balanced = value("balanced_accuracy", counts)
        assert balanced == pytest.approx((recall + specificity) / 2, rel=1e-12)


@given(COUNTS)
def test_exchanging_the_classes(counts):
    """The positive class becomes the negative one, and flagging becomes leaving alone."""
    mirrored = ConfusionCounts(tp=counts.tn, fp=counts.fn, fn=counts.fp, tn=counts.tp)
    assert value("accuracy", mirrored) == value("accuracy", counts)
    assert value("mcc", mirrored) == value("mcc", counts)
    assert value("recall", mirrored) == value("specificity", counts)
    assert value("precision", mirrored) == value("npv", counts)
    balanced = value("balanced_accuracy", counts)
    assert value("balanced_accuracy", mirrored) == balanced


@given(COUNTS)
def test_wrong_decisions_exchanged_for_right_ones_negate_mcc(counts):
    inverted = ConfusionCounts(tp=counts.fn, fp=counts.tn, fn=counts.tp, tn=counts.fp)
    one, two = value("mcc", counts), value("mcc", inverted)
    assert one == (None if two is None else -two)


def test_a_light_row_above_a_heavy_tie_is_not_lost():
    # An eighth of a negative above a tie of a million positives and a million negatives.
    table = ScoreTable.from_rows(
        np.array([False, True, False]),
        np.array([3.0, 1.0, 1.0]),
        weight=np.array([0.125, 1e6, 1e6]),
    )
    assert table.walk.fp_before.tolist() == [0.125]
    assert binary.precision_top.function(table, k=1).value == 0.4375
