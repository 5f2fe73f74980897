"""Paired comparisons of sums: kinds stand for units, sparse rows for dense ones."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from veridical.stats.paired_sums import paired_sums


def ratio(sums):
    return np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)


def rows(seed, n):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 6, (n, 2)).astype(float)
    b = rng.integers(0, 6, (n, 2)).astype(float)
    return a, b


@pytest.mark.parametrize("seed", range(4))
def test_kinds_are_their_units(seed):
    a, b = rows(seed, 4)
    times = np.array([2, 3, 1, 4])
    units = np.repeat(np.arange(4), times)
    by_kind = paired_sums(a, b, ratio, times=times)
    by_unit = paired_sums(a[units], b[units], ratio)
    assert by_kind.p_value == pytest.approx(by_unit.p_value)
    assert by_kind.interval.width == pytest.approx(by_unit.interval.width, rel=0.25)


def test_many_kinds_at_random():
    a, b = rows(9, 4)
    times = np.array([30, 20, 25, 28])
    units = np.repeat(np.arange(4), times)
    p = [
        paired_sums(a, b, ratio, times=times).p_value,
        paired_sums(a[units], b[units], ratio).p_value,
    ]
    assert p[0] == pytest.approx(p[1], abs=0.025)


def test_sparse_rows():
    a, b = rows(1, 30)
    assert paired_sums(csr_array(a), csr_array(b), ratio) == paired_sums(a, b, ratio)


def test_a_system_against_itself():
    a, _ = rows(2, 20)
    found = paired_sums(a, a, ratio)
    assert (found.interval, found.p_value) == (None, 1.0)


def test_replicates_without_a_score_are_counted():
    a = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    b = np.array([[0.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    found = paired_sums(a, b, ratio, replicates=400)
    share = 0.75**4  # no draw of the one unit that has a denominator
    assert found.degenerate / 400 == pytest.approx(share, abs=0.09)
