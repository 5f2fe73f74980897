"""What positives add to average precision: the closed form against rational sums, and golden."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma

from veridical.metrics.bounds import distinct_credit, tied_credit

ULP = 2.0**-52
counts = st.one_of(st.integers(0, 40), st.integers(0, 3000), st.integers(10**6, 10**9))


def one_by_one(tp, fp, p):
    return sum((Fraction(tp + j, tp + j + fp) for j in range(1, p + 1)), Fraction(0))


def credit(function, tp, fp, p):
    return float(function(*(np.array([float(x)]) for x in (tp, fp, p)))[0])


@given(counts, counts, st.integers(0, 400))
@settings(max_examples=200)
def test_distinct_credit_is_the_sum(tp, fp, p):
    error = Fraction(credit(distinct_credit, tp, fp, p)) - one_by_one(tp, fp, p)
    # The allowance of the bounds is 64 of these for P positives; here each uses a few.
    assert abs(error) <= 8 * ULP * max(p, 1)


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(10**6, 10**9))
def test_distinct_credit_of_very_many_is_a_difference_of_digammas(tp, fp, p):
    above = float(tp + fp)
    expected = p - fp * (digamma(above + p + 1) - digamma(above + 1))
    assert credit(distinct_credit, tp, fp, p) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("p", [15, 16, 17, 18, 33])
@pytest.mark.parametrize("fp", [0, 1, 2, 50])
def test_where_the_series_takes_over(fp, p):
    error = Fraction(credit(distinct_credit, 0, fp, p)) - one_by_one(0, fp, p)
    assert abs(error) <= 8 * ULP * p


@given(counts, counts, st.integers(0, 400))
def test_ties_earn_at_least_as_much(tp, fp, p):
    tied, distinct = credit(tied_credit, tp, fp, p), credit(distinct_credit, tp, fp, p)
    assert tied >= distinct - 8 * ULP * max(p, 1)


def test_golden_bucket(shared):
    cases = json.loads((shared / "golden" / "classification_cases.json").read_text())["cases"]
    case = next(case for case in cases if case["id"] == "ap_bucket_bounds_ties")
    before, bucket = case["input"]["before"], case["input"]["bucket"]
    tp, fp, p, n = before["tp"], before["fp"], bucket["pos"], bucket["neg"]
    assert credit(distinct_credit, tp, fp + n, p) == pytest.approx(
        case["expected"]["ap_terms_lo"], abs=case["tol"]
    )
    assert credit(tied_credit, tp, fp, p) == pytest.approx(
        case["expected"]["ap_terms_hi"], abs=case["tol"]
    )
    assert case["wrong_answers"]["no_tie_upper"] < credit(tied_credit, tp, fp, p)
