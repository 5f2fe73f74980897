"""Wilson and Clopper-Pearson against golden values, scipy and statsmodels."""

import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from tests.stats.tables import golden
from veridical.errors import ParameterError
from veridical.stats.proportions import (
    clopper_pearson,
    clopper_pearson_upper,
    wilson,
)

COUNTS = [
    (0, 1),
    (1, 1),
    (0, 10),
    (10, 10),
    (3, 7),
    (1, 1000),
    (500, 1000),
    (2, 10**6),
    (10**6, 10**6),
]


@pytest.mark.parametrize("case", ["wilson_zero_of_ten", "wilson_ten_of_ten"])
def test_golden(case):
    want = golden(case)
    k, n = want["input"]["k"], want["input"]["n"]
    interval = wilson(k, n)
    assert interval.low == pytest.approx(want["expected"]["lo"], abs=want["tol"])
    assert interval.high == pytest.approx(want["expected"]["hi"], abs=want["tol"])
    if "clopper_pearson_hi" in want["expected"]:
        high = want["expected"]["clopper_pearson_hi"]
        assert clopper_pearson(k, n).high == pytest.approx(high, abs=want["tol"])


@pytest.mark.parametrize(("k", "n"), COUNTS)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("ours", "name"), [(wilson, "wilson"), (clopper_pearson, "beta")])
def test_equals_statsmodels(k, n, level, ours, name):
    low, high = proportion_confint(k, n, alpha=1 - level, method=name)
    interval = ours(k, n, level)
    assert interval.low == pytest.approx(low, rel=1e-9, abs=1e-12)
    assert interval.high == pytest.approx(high, rel=1e-9, abs=1e-12)
    assert interval.level == level


@pytest.mark.parametrize(("k", "n"), COUNTS)
def test_one_sided_bound_inverts_the_binomial(k, n):
    bound = clopper_pearson_upper(k, n, 0.95)
    if k == n:
        assert bound == 1.0
    else:
        assert stats.binom.cdf(k, n, bound) == pytest.approx(0.05, rel=1e-8)


def test_ends_are_exact_at_nothing_and_at_all():
    for n in (1, 3, 10, 77, 12345):
        assert wilson(0, n).low == 0.0
        assert wilson(n, n).high == 1.0
        assert clopper_pearson(0, n).low == 0.0
        assert clopper_pearson(n, n).high == 1.0


@pytest.mark.parametrize(
    ("k", "n"), [(0, 0), (2, 1), (-1, 3), (1, float("inf")), (float("nan"), 2)]
)
@pytest.mark.parametrize("bound", [wilson, clopper_pearson, clopper_pearson_upper])
def test_contradictory_counts_are_refused(k, n, bound):
    with pytest.raises(ParameterError):
        bound(k, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, float("nan")])
@pytest.mark.parametrize("bound", [wilson, clopper_pearson, clopper_pearson_upper])
def test_levels_outside_the_unit_interval_are_refused(level, bound):
    with pytest.raises(ParameterError):
        bound(1, 2, level)
