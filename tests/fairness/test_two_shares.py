"""Intervals and tests of two shares: what must hold of all counts and levels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import ParameterError
from veridical.stats.normal import z
from veridical.stats.two_shares import difference_interval, fisher_test, ratio_interval, z_test
from veridical.summaries.compared_groups import Share

sizes = st.one_of(st.integers(1, 50), st.integers(1, 10**15))


@st.composite
def shares(draw):
    n = draw(sizes)
    return Share(draw(st.one_of(st.integers(0, min(n, 3)), st.integers(0, n))), n)


levels = st.floats(0.01, 0.999999)


@st.composite
def estimates(draw):
    """Two shares of weighted rows, or of clusters that may hold rows of both."""
    together = draw(st.one_of(st.just(0.0), st.floats(-1, 1)))
    sides = []
    for _ in "ab":
        n, effective = draw(st.integers(1, 50)), draw(st.floats(0.01, 1e9))
        freedom = draw(st.one_of(st.just(math.inf), st.floats(1, 1e6)))
        sides.append(Share(draw(st.integers(0, n)), n, effective, freedom, float(n), together))
    return tuple(sides)


@given(estimates(), levels)
def test_an_interval_of_estimates_holds_what_was_measured(both, level):
    a, b = both
    found, back = difference_interval(a, b, level), difference_interval(b, a, level)
    assert -1 <= found.low <= a.rate - b.rate <= found.high <= 1
    assert found.low == pytest.approx(-back.high, abs=1e-9)
    if b.hits:
        ratio = ratio_interval(a, b, level)
        assert 0 <= ratio.low <= a.rate / b.rate <= ratio.high < math.inf
    tested = z_test(a, b)
    if tested is not None:
        assert 0 <= tested[1] <= 1
        assert (tested[1] == 1) == (a.rate == b.rate)


@given(estimates(), levels)
def test_less_is_known_of_fewer_clusters(both, level):
    """Of both, that is: two that move together may differ less where less is known of one."""
    a, b = (one._replace(degrees_of_freedom=both[0].degrees_of_freedom) for one in both)
    of_known = [one._replace(degrees_of_freedom=math.inf) for one in both]
    for interval in (difference_interval, ratio_interval):
        if not (b.hits if interval is ratio_interval else a.correlation <= 0):
            continue
        found, known = interval(a, b, level), interval(*of_known, level)
        # Where all rows of both are hits, the root of the score's equation loses half its digits.
        slack = 1e-9 if interval is difference_interval else 1e-4 * max(1.0, found.high)
        assert found.low <= known.low + slack
        assert known.high <= found.high + slack


def test_what_moves_together_differs_less_and_what_moves_apart_more():
    def known(together):
        return (
            Share(48, 120, 80.0, correlation=together),
            Share(60, 110, 70.0, correlation=together),
        )

    widths, ratios, chances = [], [], []
    for together in (-0.6, 0.0, 0.6):
        a, b = known(together)
        widths.append(difference_interval(a, b).width)
        ratios.append(ratio_interval(a, b).width)
        chances.append(z_test(a, b)[1])
    assert widths == sorted(widths, reverse=True)
    assert ratios == sorted(ratios, reverse=True)
    assert chances == sorted(chances, reverse=True)
    # Where nothing is left that varies, nothing can be tested.
    alike = (Share(2, 5, 1e18, correlation=1.0), Share(10, 50, 1e18, correlation=1.0))
    assert z_test(*alike) is None
    # A correlation that a few clusters show by chance is none.
    a, b = (Share(1, 4, 4.0, correlation=0.5), Share(2, 4, 4.0, correlation=0.5))
    assert difference_interval(a, b) == difference_interval(Share(1, 4), Share(2, 4))


@given(shares(), shares(), levels)
def test_an_interval_holds_what_was_measured(a, b, level):
    found = difference_interval(a, b, level)
    assert -1 <= found.low <= a.rate - b.rate <= found.high <= 1
    if b.hits:
        ratio = ratio_interval(a, b, level)
        assert 0 <= ratio.low <= a.rate / b.rate <= ratio.high < math.inf
        if not a.hits:
            assert ratio.low == 0


@given(shares(), shares())
def test_wider_at_a_higher_level(a, b):
    narrow, wide = (difference_interval(a, b, level) for level in (0.8, 0.99))
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high
    if b.hits:
        narrow, wide = (ratio_interval(a, b, level) for level in (0.8, 0.99))
        assert wide.low <= narrow.low
        assert narrow.high <= wide.high


@given(shares(), shares())
def test_the_other_way_round(a, b):
    found, back = difference_interval(a, b), difference_interval(b, a)
    assert found.low == pytest.approx(-back.high, abs=1e-12)
    if a.hits and b.hits:
        found, back = ratio_interval(a, b), ratio_interval(b, a)
        assert found.low * back.high == pytest.approx(1, rel=1e-6)


def plain_score(a, b, ratio):
    """Return the score by its definition, the likelihood maximised by searching."""

    def likelihood(q):
        p = q * ratio
        terms = ((a.hits, p), (a.n - a.hits, 1 - p), (b.hits, q), (b.n - b.hits, 1 - q))
        return sum(k * math.log(x) for k, x in terms if k)

    low, high = 1e-12, min(1.0, 1 / ratio) - 1e-12
    for _ in range(300):
        third = (high - low) / 3
        if likelihood(low + third) < likelihood(high - third):
            low += third
        else:
            high -= third
    q = (low + high) / 2
    variance = q * ratio * (1 - q * ratio) / a.n + ratio**2 * q * (1 - q) / b.n
    return (a.rate - ratio * b.rate) / math.sqrt(variance)


@given(st.integers(1, 19), st.integers(1, 29))
def test_the_ends_of_the_ratio_are_where_the_score_is_the_limit(hits, other):
    a, b = Share(hits, 20), Share(other, 30)
    found = ratio_interval(a, b)
    assert plain_score(a, b, found.low) == pytest.approx(z(0.95), rel=1e-4)
    assert plain_score(a, b, found.high) == pytest.approx(-z(0.95), rel=1e-4)


@given(st.integers(0, 12), st.integers(1, 12), st.integers(0, 12), st.integers(1, 12))
def test_fisher_is_its_definition(hits, n, other, m):
    a, b = Share(min(hits, n), n), Share(min(other, m), m)
    total = a.hits + b.hits

    def chance(k):
        return math.comb(n, k) * math.comb(m, total - k) / math.comb(n + m, total)

    tables = range(max(0, total - m), min(n, total) + 1)
    seen = chance(a.hits)
    expected = sum(chance(k) for k in tables if chance(k) <= seen * (1 + 1e-7))
    assert fisher_test(a, b) == pytest.approx(expected, rel=1e-9)


def test_what_does_not_exist():
    assert z_test(Share(0, 5), Share(0, 9)) is None
    assert z_test(Share(5, 5), Share(9, 9)) is None
    with pytest.raises(ParameterError, match="ratio to 0"):
        ratio_interval(Share(1, 5), Share(0, 9))
