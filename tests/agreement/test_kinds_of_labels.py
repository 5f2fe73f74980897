"""Kappa of labels in every form that a column may have: the same number, or a refusal."""

import numpy as np
import pytest

import veridical as vd
from veridical.errors import InputError, LabelError, ScoreError, UnsupportedTypeError

KAPPA = "agreement.cohens_kappa"


def plain_kappa(a, b):
    """Return kappa as it is defined, from lists."""
    n = len(a)
    agreed = sum(x == y for x, y in zip(a, b, strict=True))
    chance = sum(a.count(label) * b.count(label) for label in set(a))
    return (agreed / n - chance / n**2) / (1 - chance / n**2)


def raters(labels, n=300):
    generator = np.random.default_rng(len(labels))
    first = generator.integers(0, len(labels), n)
    second = np.where(generator.random(n) < 0.6, first, generator.integers(0, len(labels), n))
    return [[labels[place] for place in side.tolist()] for side in (first, second)]


def kappa(a, b):
    return vd.measure(KAPPA, a, b, intervals=False).value


INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("other", [np.int64, np.uint8, np.float64])
def test_arrays_of_integers_of_any_width(kind, other):
    a, b = raters([0, 1, 2, 5, 100])
    expected = pytest.approx(plain_kappa(a, b), abs=1e-12)
    first, second = np.array(a, kind), np.array(b, other)
    assert kappa(first, second) == expected
    assert kappa(second, first) == expected
    assert kappa(np.repeat(first, 2)[::2], second[::-1][::-1]) == expected


@pytest.mark.parametrize("kind", INTEGERS)
def test_the_ends_of_every_width(kind):
    ends = np.iinfo(kind)
    a, b = raters([int(ends.min), int(ends.min) + 1, 0, 3, int(ends.max) - 1, int(ends.max)])
    expected = pytest.approx(plain_kappa(a, b), abs=1e-12)
    assert kappa(np.array(a, kind), np.array(b, kind)) == expected
    assert kappa(a, b) == expected


@pytest.mark.parametrize(
    "labels",
    [
        [False, True],
        [-7, -3, 0, 12],
        [-(2**62), 0, 2**62],
        [10**9, 10**9 + 1, 10**9 + 9999, 10**9 + 10_000],
        [0.5, 1, 2.25],
        ["yes", "no", "perhaps"],
        ["1", "2", "10"],
        list(range(200)),
    ],
    ids=lambda labels: f"{labels[0]}..{labels[-1]}",
)
def test_lists_arrays_objects_and_tuples(labels):
    a, b = raters(labels, n=2000)
    expected = pytest.approx(plain_kappa(a, b), abs=1e-12)
    for form in (list, tuple, np.array, lambda side: np.array(side, dtype=object)):
        assert kappa(form(a), form(b)) == expected
        assert kappa(form(a), b) == expected


def test_a_label_that_only_one_rater_gives_and_only_at_the_end():
    a, b = [0, 1] * 5000, [0, 1] * 4999 + [1, 7]
    assert kappa(np.array(a), np.array(b)) == pytest.approx(plain_kappa(a, b), abs=1e-12)
    assert kappa(a, b) == pytest.approx(plain_kappa(a, b), abs=1e-12)


def test_integers_beyond_what_a_double_can_tell_apart():
    a = [2**63, 2**63 + 1, 2**63 + 2, 2**63]
    b = [2**63, 2**63 + 2, 2**63 + 2, 2**63]
    assert kappa(np.array(a, np.uint64), np.array(b, np.uint64)) == plain_kappa(a, b)


def test_integers_that_no_type_holds_together_are_refused_before_they_are_rounded():
    for labels in ([-1, 2**63 + 1, 2**63 + 1], [0.5, 2**53 + 1, 2**53]):
        with pytest.raises(ScoreError, match="beyond"):
            kappa(labels, labels)


def test_a_mask_is_a_missing_rating():
    a = np.ma.masked_array([1, 2, 1, 2, 9], mask=[False] * 4 + [True])
    b = np.array([1, 2, 2, 2, 2])
    with pytest.raises(LabelError, match="1 rating missing"):
        vd.measure(KAPPA, a, b)
    result = vd.measure(KAPPA, a, b, missing="drop", intervals=False)
    assert (result.value, result.n, result.counts) == (0.5, 4, {"n_skipped": 1})


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1, 2, 1], ["1", "2", "1"]),
        ([1, "2", 1], [1, 2, 1]),
        (np.array([1, "2"], dtype=object), [1, 2]),
        (np.array([1j, 2]), [1, 2]),
        (np.array([[1, 2], [1, 2]]), [1, 2]),
        ([1, 2], [1, 2, 2]),
    ],
    ids=["numbers and text", "mixed list", "mixed objects", "complex", "two axes", "lengths"],
)
def test_what_is_refused(a, b):
    with pytest.raises((InputError, UnsupportedTypeError)):
        kappa(a, b)
