"""Both implementations of the dictionary kernel give the same arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.retrieval.test_laws import GOLDEN, RUNS
from veridical.kernels.plain import ranking as plain

compiled = pytest.importorskip("veridical.kernels.compiled.ranking")
INTS = st.integers(0, 12)
INT_RUNS = st.dictionaries(INTS, st.dictionaries(INTS, st.sampled_from([0, 1, 0.5, 2**70])))


def same(run, qrels, kind):
    one, two = (module.rank_dicts(run, qrels, kind) for module in (plain, compiled))
    for a, b in zip(one, two, strict=True):
        assert np.asarray(a).tolist() == np.asarray(b).tolist()


@given(RUNS, GOLDEN)
def test_text_ids(run, qrels):
    same(run, qrels, str)


@given(INT_RUNS, st.dictionaries(INTS, st.dictionaries(INTS, st.integers(-1, 3))))
def test_int_ids(run, qrels):
    same(run, qrels, int)


@pytest.mark.parametrize("odd", [True, "1", None, float("nan"), 2**1100])
def test_odd_values_are_left_to_the_careful_reader(odd):
    for module in (plain, compiled):
        assert module.rank_dicts({"q": {"a": odd}}, {"q": {"a": 1}}, str) is None
        assert module.rank_dicts({"q": {"a": 1.0}}, {"q": {"a": odd}}, str) is None
