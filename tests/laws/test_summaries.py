"""Every summary is a commutative monoid, to the bit, and its portable form says all of it."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.strategies import Drawn, drawn_rows, partition
from veridical import strict_json
from veridical.errors import MismatchError
from veridical.summaries import (
    ConfusionCounts,
    GroupedCounts,
    LossSums,
    ReliabilityTable,
    ScoreTable,
)

BINS = st.sampled_from([1, 2, 3, 10, 15])


def score_table(rows: Drawn) -> ScoreTable:
    return ScoreTable.from_rows(rows.positive, rows.scores, weight=rows.weight, **rows.costs)


def reliability(rows: Drawn, bins: int) -> ReliabilityTable:
    return ReliabilityTable.from_scores(score_table(rows), bins=bins)


def counts(rows: Drawn) -> ConfusionCounts:
    """Counts at 0.5, with the weights as exact fractions."""
    cells = [Fraction(0)] * 4
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    for positive, score, w in zip(rows.positive, rows.scores, weight, strict=True):
        cells[2 * (score < 0.5) + (not positive)] += Fraction(w)
    tp, fp, fn, tn = (int(c) if c.denominator == 1 else c for c in cells)
    return ConfusionCounts(tp, fp, fn, tn)


def same(one, two) -> None:
    """Assert equality of the values, of the bytes and of the hashes."""
    assert one == two
    assert strict_json.canonical(one.to_dict()) == strict_json.canonical(two.to_dict())
    assert one.sha256 == two.sha256


def monoid(a, b, c, empty) -> None:
    same(a + empty, a)
    same(empty + a, a)
    same(a + b, b + a)
    same((a + b) + c, a + (b + c))


def portable(summary) -> None:
    """Assert that JSON text carries the summary, exactly."""
    text = strict_json.dumps(summary.to_dict())
    back = type(summary).from_dict(strict_json.loads(text))
    same(back, summary)
    assert json.loads(text)["schema"] == summary.schema
    same(summary + back, summary + summary)


@given(st.data())
def test_score_table(data):
    rows = data.draw(drawn_rows(max_size=24))
    whole = score_table(rows)
    a, b, c = (score_table(rows.part(p)) for p in data.draw(partition(len(rows))))
    monoid(a, b, c, ScoreTable.empty())
    same(a + b + c, whole)
    portable(whole)
    portable(a)


@given(st.data())
def test_empty_score_tables_of_any_kind(data):
    # A part without rows may have been read as another type of score, with or without prices.
    rows = data.draw(drawn_rows(max_size=4))
    kinds = st.sampled_from(
        [
            ScoreTable.empty(),
            ScoreTable.empty(np.float32),
            score_table(Drawn(np.zeros(0, bool), np.zeros(0), None, {"fn_cost": np.zeros(0)})),
        ]
    )
    one, two, three = (data.draw(kinds) for _ in range(3))
    monoid(one, two, three, ScoreTable.empty())
    if len(rows) and (rows.weight is None or rows.weight.any()):
        monoid(score_table(rows), one, two, ScoreTable.empty())


@given(st.data())
def test_reliability_table(data):
    rows, bins = data.draw(drawn_rows(forecasts=True)), data.draw(BINS)
    whole = reliability(rows, bins)
    a, b, c = (reliability(rows.part(p), bins) for p in data.draw(partition(len(rows))))
    monoid(a, b, c, ReliabilityTable.empty(bins, str(rows.scores.dtype)))
    same(a + b + c, whole)
    portable(whole)


@given(st.data())
def test_reliability_of_a_merged_table_is_the_merged_reliability(data):
    rows, bins = data.draw(drawn_rows(forecasts=True)), data.draw(BINS)
    a, b, _ = (rows.part(p) for p in data.draw(partition(len(rows))))
    merged = score_table(a) + score_table(b)
    if merged.scores.dtype == rows.scores.dtype:
        same(
            ReliabilityTable.from_scores(merged, bins=bins),
            reliability(a, bins) + reliability(b, bins),
        )


def losses(rows: Drawn, loss: str, clip: float) -> LossSums:
    return LossSums.from_scores(score_table(rows), loss, clip)


@given(st.data(), st.sampled_from(["squared_error", "log"]), st.sampled_from([0.0, 1e-15, 0.2]))
def test_loss_sums(data, loss, clip):
    rows = data.draw(drawn_rows(forecasts=True, costs=False))
    whole = losses(rows, loss, clip)
    a, b, c = (losses(rows.part(p), loss, clip) for p in data.draw(partition(len(rows))))
    monoid(a, b, c, LossSums(loss, clip))
    same(a + b + c, whole)
    portable(whole)
    if rows.weight is None:
        same(LossSums.from_rows(rows.positive, rows.scores, loss, clip), whole)


@given(st.data())
def test_confusion_counts(data):
    rows = data.draw(drawn_rows())
    a, b, c = (counts(rows.part(p)) for p in data.draw(partition(len(rows))))
    monoid(a, b, c, ConfusionCounts())
    same(a + b + c, counts(rows))
    portable(counts(rows))


@given(st.data())
def test_confusion_counts_of_a_score_table(data):
    # The table rounds each weight to a multiple of 2**-52, once; whole weights not at all.
    rows = data.draw(drawn_rows())
    threshold = data.draw(st.sampled_from([0.5, 0.1, -1.0, None]))
    whole = score_table(rows).at(threshold)
    a, b = (score_table(rows.part(p)) for p in data.draw(partition(len(rows), 2)))
    same(a.at(threshold) + b.at(threshold), whole)
    if threshold == 0.5:
        expected = counts(rows)
        for name in ("tp", "fp", "fn", "tn"):
            assert abs(getattr(whole, name) - getattr(expected, name)) <= Fraction(len(rows), 2**53)


NAMES = st.sampled_from(["north", "south", "(missing)", "", "a=b", "ümlaut", "<img src=x>"])


@given(st.data())
def test_grouped_counts(data):
    cells = st.builds(ConfusionCounts, *[st.integers(0, 9)] * 4)
    a, b, c = (GroupedCounts(data.draw(st.dictionaries(NAMES, cells))) for _ in range(3))
    monoid(a, b, c, GroupedCounts())
    portable(a)
    assert (a + b).overall == a.overall + b.overall
    for name in a:
        assert (a + b)[name] == a[name] + b.groups.get(name, ConfusionCounts())


@given(drawn_rows(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_bit(rows, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    same(score_table(rows.part(np.array(order, dtype=int))), score_table(rows))


@given(drawn_rows(), st.integers(1, 4))
def test_an_integer_weight_is_so_many_rows(rows, times):
    weighted = Drawn(rows.positive, rows.scores, np.full(len(rows), float(times)), rows.costs)
    repeated = Drawn(
        np.repeat(rows.positive, times),
        np.repeat(rows.scores, times),
        None,
        {name: np.repeat(column, times) for name, column in rows.costs.items()},
    )
    one, two = score_table(weighted), score_table(repeated)
    assert (one.positives, one.negatives) == (two.positives, two.negatives)
    assert (one.rows, two.rows) == (len(rows), times * len(rows))
    for name in rows.costs:
        # Each row's cost is rounded once, to 2**-52: the weighted one as a product.
        difference = getattr(one, name).total() - getattr(two, name).total()
        assert abs(difference) <= (times + 1) * len(rows)


@given(drawn_rows(costs=False))
def test_rows_of_weight_zero_are_absent(rows):
    padded = Drawn(
        np.append(rows.positive, [True, False]),
        np.append(rows.scores, np.array([0.5, 0.25], rows.scores.dtype)),
        np.append(np.ones(len(rows)) if rows.weight is None else rows.weight, [0.0, 0.0]),
        {},
    )
    same(score_table(padded), score_table(rows))


def test_minus_zero_and_zero_are_one_score():
    table = ScoreTable.from_rows(np.array([True, False]), np.array([-0.0, 0.0]))
    assert len(table) == 1
    assert not np.signbit(table.scores).any()


def test_a_score_that_rounds_equal_in_float32_stays_apart_in_float64():
    pair = np.array([0.1, 0.100000001])
    labels = np.array([False, True])
    assert len(ScoreTable.from_rows(labels, pair)) == 2
    assert len(ScoreTable.from_rows(labels, pair.astype(np.float32))) == 1


def test_what_does_not_belong_together_is_refused():
    rows = Drawn(np.array([True, False]), np.array([0.5, 0.25]), None, {})
    single = Drawn(rows.positive, rows.scores.astype(np.float32), None, {})
    with pytest.raises(MismatchError, match="bins"):
        reliability(rows, 10) + reliability(rows, 15)
    with pytest.raises(MismatchError, match="float32"):
        reliability(rows, 10) + reliability(single, 10)
    with pytest.raises(MismatchError, match="float32"):
        score_table(rows) + score_table(single)
    with pytest.raises(MismatchError, match="clip"):
        losses(rows, "log", 0.0) + losses(rows, "log", 0.1)
    with pytest.raises(MismatchError, match="squared_error"):
        losses(rows, "log", 0.0) + losses(rows, "squared_error", 0.0)
    priced = Drawn(rows.positive, rows.scores, None, {"fn_cost": np.ones(2)})
    with pytest.raises(MismatchError, match="fn_cost"):
        score_table(rows) + score_table(priced)


@pytest.mark.parametrize(
    "summary",
    [
        ConfusionCounts(),
        GroupedCounts(),
        LossSums("log"),
        ScoreTable.empty(),
        ReliabilityTable.empty(10),
    ],
    ids=lambda s: type(s).__name__,
)
def test_only_like_is_added_to_like(summary):
    for other in (0, None, "text", object()):
        with pytest.raises(TypeError):
            summary + other
