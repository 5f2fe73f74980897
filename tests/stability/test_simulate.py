"""Rows parted between places that differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError, ParameterError
from veridical.simulate import dirichlet_split


@given(
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=40),
    st.integers(1, 6),
    st.sampled_from([1e-9, 0.1, 0.5, 10.0, 1e6]),
    st.integers(0, 5),
)
def test_each_row_is_in_one_place_and_the_seed_decides_which(classes, parts, alpha, seed):
    places = dirichlet_split(classes, parts, alpha, seed=seed)
    assert len(places) == parts
    assert sorted(np.concatenate(places).tolist()) == list(range(len(classes)))
    again = dirichlet_split(np.array(classes, dtype=object), parts, alpha, seed=seed)
    assert [one.tolist() for one in places] == [one.tolist() for one in again]


def test_shares_of_a_class_are_dirichlet():
    # The first of k shares has mean 1/k and variance (1/k)(1 - 1/k) / (k alpha + 1).
    n, k, alpha = 1_000, 4, 0.5
    shares = np.array(
        [len(dirichlet_split(np.zeros(n), k, alpha, seed=seed)[0]) / n for seed in range(800)]
    )
    variance = (1 / k) * (1 - 1 / k) / (k * alpha + 1)
    assert shares.mean() == pytest.approx(1 / k, abs=4 * np.sqrt(variance / 800))
    assert shares.var() == pytest.approx(variance, rel=0.15)


def test_a_small_alpha_skews_and_a_large_one_does_not():
    classes = np.repeat([0, 1], 2_000)

    def spread(alpha):
        places = dirichlet_split(classes, 4, alpha, seed=3)
        return np.ptp([classes[rows].mean() for rows in places if len(rows)])

    assert spread(1e6) < 0.01
    assert spread(0.3) > 0.3


def test_what_is_no_split_is_refused():
    with pytest.raises(InputError, match="shape"):
        dirichlet_split(np.zeros((2, 2)), 2, 0.5)
    for parts, alpha in ((0, 0.5), (2, 0.0), (2, float("nan")), (2, -1.0)):
        with pytest.raises(ParameterError):
            dirichlet_split([0, 1], parts, alpha)
