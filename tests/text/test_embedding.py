"""Cosine of given vectors."""

import json

import numpy as np
import pytest

import veridical as vd
from veridical.errors import InputError, MismatchError, UnsupportedTypeError
from veridical.summaries.cosines import Cosines


def cosine(first, second):
    return vd.measure("text.embedding_cosine", first, second, replicates=100)


@pytest.fixture(scope="module")
def cases(shared):
    path = shared / "golden" / "retrieval_text_cases.json"
    every = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return {case["id"]: (case["input"], case["expected"]) for case in every}


def test_a_zero_vector_has_no_direction(cases):
    given, expected = cases["emb-01-zero-vector"]
    assert str(cosine(given["a"], given["b"]).reason) == expected["reason"]


def test_rounding_never_exceeds_one(cases):
    given, expected = cases["emb-03-clip"]
    value = cosine(given["a"], given["b"]).value
    assert value == pytest.approx(expected["cosine"], abs=1e-15)
    assert value <= expected["must_be_at_most"]


def test_against_scikit_learn():
    from sklearn.metrics.pairwise import paired_cosine_distances

    generator = np.random.default_rng(0)
    a, b = generator.normal(size=(2, 50, 8))
    expected = (1 - paired_cosine_distances(a, b)).mean()
    result = cosine(a, b)
    assert result.value == pytest.approx(expected, abs=1e-12)
    assert result.value in result.interval
    assert result.n == 50


def test_length_is_nothing_however_large_or_small():
    assert cosine([1e200, 1e200], [1e-200, 1e-200]).value == pytest.approx(1.0, abs=1e-15)


def test_pairs_with_a_zero_vector_are_counted():
    result = cosine([[1.0, 0.0], [0.0, 0.0]], [[2.0, 0.0], [1.0, 1.0]])
    assert (result.value, result.n, result.n_rows) == (1.0, 1, 2)
    assert result.conditions["zero_vectors"] == 1


def test_what_is_no_vector_is_refused():
    with pytest.raises(UnsupportedTypeError, match="vectors"):
        cosine([[1.0]], ["a text"])
    with pytest.raises(MismatchError, match="shape"):
        cosine([[1.0, 2.0]], [[1.0, 2.0, 3.0]])
    with pytest.raises(InputError, match="NaN"):
        cosine([[1.0, float("nan")]], [[1.0, 2.0]])


def test_cosines_are_a_monoid():
    a, b = Cosines((0.1, 0.5), 1), Cosines((-0.2,))
    assert a + b == b + a
    assert a + Cosines() == a
    assert Cosines.from_dict((a + b).to_dict()) == a + b
