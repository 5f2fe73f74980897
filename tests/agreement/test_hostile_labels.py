"""Labels that try to be what they are not, and more of them than anybody can read."""

import math

import numpy as np
import pytest

import veridical as vd
from veridical.errors import InputError, LabelError, ParameterError
from veridical.summaries.contingency import RatingPatterns


def kappa(a, b, **settings):
    return vd.measure("agreement.cohens_kappa", a, b, **settings)


@pytest.mark.parametrize(
    "other", ["pass ", " pass", "Pass", "p\u0430ss", "p\u200bass", "\uff50ass", "PASS\n"]
)
def test_labels_that_look_alike_count_as_two_and_are_told(other):
    result = kappa(["pass", "fail", "pass", "fail"], [other, "fail", "pass", "fail"])
    assert result.value < 1
    assert "labels_alike" in result.notes
    assert sorted(result.conditions["labels_alike"]) == sorted(["pass", other])


def test_labels_that_do_not_look_alike_are_not_told():
    result = kappa(["pass", "fail", "pas"], ["pass", "fail", "passt"])
    assert "labels_alike" not in result.notes
    assert "labels_alike" not in kappa([1, 2], [1, 1]).notes


def test_one_in_every_number_is_one():
    for one, zero in ((1, 0), (1.0, -0.0), (True, False), (np.uint8(1), np.uint8(0))):
        assert kappa([1, 0, 1], np.array([one, zero, one])).value == 1.0
    with pytest.raises(InputError, match="no label could ever be the same"):
        kappa([1, 0], ["1", "0"])


@pytest.mark.parametrize("missing", [None, math.nan, ""])
def test_a_missing_label_is_no_label(missing):
    a, b = ["x", "y", missing, "x"], ["x", missing, missing, "y"]
    with pytest.raises(LabelError, match=r"ratings? missing"):
        kappa(a, b)
    assert kappa(a, b, missing="drop").n == 2


def test_integers_that_float64_would_round_stay_apart():
    big = 2**53
    assert kappa([big, big + 1, big], [big, big + 1, big]).value == 1.0
    assert kappa([big, big + 1], [big + 1, big]).value == -1.0


@pytest.mark.parametrize("labels", [np.arange(100_000), np.linspace(0, 1, 100_000)])
def test_a_measurement_is_no_category(labels):
    with pytest.raises(LabelError, match="100,000 different labels"):
        kappa(labels, labels)


def test_no_item_at_all():
    assert str(kappa([], []).reason) == "no_rows"
    ev = vd.evaluate_agreement({"a": [None], "b": ["x"]}, raters=["a", "b"], missing="drop")
    assert {str(result.reason) for result in ev.results} == {"no_rows"}


def test_five_hundred_labels_are_resampled_in_time():
    codes = np.random.default_rng(0).integers(0, 500, (2, 1000))
    codes[1, :500] = codes[0, :500]
    data = {"a": codes[0], "b": codes[1]}
    ev = vd.evaluate_agreement(data, raters=["a", "b"], interval="bootstrap", replicates=50)
    assert all(result.value in result.interval for result in ev.results)


def test_a_rater_may_have_a_slash_in_its_name():
    ev = vd.evaluate_agreement({"a / b": [1, 0], "c": [1, 1]}, raters=["a / b", "c"])
    assert "a / b (down) against c (across)" in repr(ev)


def test_a_scale_is_no_word():
    with pytest.raises(ParameterError, match="list of labels"):
        kappa(["a", "b"], ["a", "b"], weights="linear", scale="ab")


@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("seed", range(6))
def test_alpha_is_its_definition_from_coincidences(seed, measurement):
    generator = np.random.default_rng(seed)
    codes = generator.integers(-1, 4, (30, 3))
    codes[:12] = codes[:12, :1]
    values = (1, 2, 4, 7)
    met = np.zeros((4, 4))
    for item in codes:
        given = item[item >= 0]
        for i in range(len(given)):
            for j in range(len(given)):
                if i != j:
                    met[given[i], given[j]] += 1 / (len(given) - 1)
    margins = met.sum(axis=1)

    def distance(c, k):
        low, high = min(c, k), max(c, k)
        between = margins[low : high + 1].sum() - (margins[low] + margins[high]) / 2
        return {
            "nominal": float(c != k),
            "ordinal": between**2 if c != k else 0.0,
            "interval": (values[c] - values[k]) ** 2,
            "ratio": ((values[c] - values[k]) / (values[c] + values[k])) ** 2,
        }[measurement]

    pairs = [(c, k) for c in range(4) for k in range(4)]
    found = sum(met[c, k] * distance(c, k) for c, k in pairs)
    expected = sum(margins[c] * margins[k] * distance(c, k) for c, k in pairs)
    alpha = 1 - (margins.sum() - 1) * found / expected
    ratings = RatingPatterns.from_codes(codes, values)
    result = vd.agreement.krippendorff_alpha.function(ratings, measurement)
    assert result.value == pytest.approx(alpha, abs=1e-12)
