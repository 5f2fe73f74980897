"""Agreement: numbers that can be worked by hand, and those of the golden cases."""

import json

import numpy as np
import pytest

import veridical as vd
from veridical.errors import InputError, LabelError, MetricNameError, ParameterError


@pytest.fixture(scope="module")
def cases(shared):
    path = shared / "golden" / "retrieval_text_cases.json"
    every = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return {case["id"]: (case["input"], case["expected"]) for case in every}


def kappa(a, b, **settings):
    return vd.measure("agreement.cohens_kappa", a, b, **settings)


def test_a_judge_who_always_passes_agrees_by_chance_alone():
    people, judge = ["pass"] * 18 + ["fail"] * 2, ["pass"] * 20
    assert vd.measure("agreement.raw_agreement", people, judge).value == 0.9
    # p_e = 0.9 * 1 + 0.1 * 0 = 0.9 = p_o
    assert kappa(people, judge).value == 0.0


def test_four_items():
    a, b = list("yynn"), list("ynnn")
    assert vd.measure("agreement.raw_agreement", a, b).value == 0.75
    assert kappa(a, b).value == 0.5


def test_one_missed_failure():
    # 17 pass-pass, 1 fail-pass, 2 fail-fail: p_o = 0.95, p_e = 0.85 * 0.9 + 0.15 * 0.1 = 0.78
    a = ["pass"] * 17 + ["fail"] * 3
    b = ["pass"] * 18 + ["fail"] * 2
    assert vd.measure("agreement.raw_agreement", a, b).value == 0.95
    assert kappa(a, b).value == pytest.approx(0.7727272727272725, abs=1e-15)


def test_one_label_alone_is_no_agreement_beyond_chance(cases):
    given, expected = cases["kap-01-single-label"]
    assert expected["undefined"]
    result = kappa(given["a"], given["b"])
    assert (result.ok, str(result.reason)) == (False, expected["reason"])
    assert vd.measure("agreement.raw_agreement", given["a"], given["b"]).value == 1.0


def test_the_textbook_case(cases):
    given, expected = cases["kap-02-basic"]
    assert kappa(given["a"], given["b"]).value == pytest.approx(expected["kappa"], abs=1e-12)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_weights_go_by_steps(cases, weights):
    given, expected = cases["kap-03-weighted"]
    result = kappa(given["a"], given["b"], weights=weights)
    assert result.value == pytest.approx(expected[weights], abs=1e-12)
    assert result.conditions["weights"] == weights


def test_the_order_of_text_labels_is_never_guessed(cases):
    given, expected = cases["kap-05-string-ordinal"]
    with pytest.raises(ParameterError, match="order"):
        kappa(given["a"], given["b"], weights="linear")
    result = kappa(given["a"], given["b"], weights="linear", scale=given["scale"])
    assert result.value == pytest.approx(expected["linear_declared_order"], abs=1e-12)
    assert list(result.conditions["scale"]) == given["scale"]


def test_perfect_disagreement(cases):
    given, expected = cases["kap-06-perfect-disagreement"]
    assert kappa(given["a"], given["b"]).value == expected["kappa"]


def test_krippendorffs_own_example():
    # Krippendorff (2011), section D: four observers, twelve units, with missing values.
    nan = None
    data = {
        "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
        "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
        "C": [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
        "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
    }
    printed = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}
    names = [f"krippendorff_alpha,measurement={level}" for level in printed]
    ev = vd.evaluate_agreement(data, names, raters=list("ABCD"), intervals=False)
    assert [round(result.value, 3) for result in ev.results] == list(printed.values())
    assert ev.results[0].n == 11
    assert ev.results[0].counts["n_skipped"] == 1


def test_fleiss_own_example():
    # Fleiss (1971) as in every textbook: ten subjects, fourteen raters, five categories.
    table = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    rows = [[label for label, times in enumerate(row) for _ in range(times)] for row in table]
    data = {f"r{i}": [row[i] for row in rows] for i in range(14)}
    ev = vd.evaluate_agreement(data, ["fleiss_kappa"], raters=list(data), intervals=False)
    assert round(ev.results[0].value, 3) == 0.210


def test_gwets_paradox():
    # 118 yes-yes, 5 yes-no, 2 no-yes, 0 no-no (Gwet 2008): kappa about 0, AC1 0.94.
    a = ["yes"] * 123 + ["no"] * 2
    b = ["yes"] * 118 + ["no"] * 5 + ["yes"] * 2
    assert round(kappa(a, b).value, 4) == -0.0234
    p = (123 + 120) / 250
    po, pe = 118 / 125, 2 * p * (1 - p)
    result = vd.measure("agreement.gwet_ac1", a, b)
    assert result.value == pytest.approx((po - pe) / (1 - pe), abs=1e-12)


def test_missing_ratings_are_an_error_or_counted():
    a, b = ["y", "n", None, "y"], ["y", "n", "n", ""]
    with pytest.raises(LabelError, match="missing"):
        kappa(a, b)
    result = kappa(a, b, missing="drop")
    assert (result.value, result.n, result.n_rows) == (1.0, 2, 4)
    assert result.counts == {"n_skipped": 2}
    assert vd.measure("agreement.krippendorff_alpha", a, b).n == 2


def test_no_common_item():
    result = kappa(["y", None], [None, "n"], missing="drop")
    assert str(result.reason) == "no_rows"


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(InputError, match="3 and 2"):
        kappa(["y", "n", "y"], ["y", "n"])
    with pytest.raises(InputError, match="text"):
        kappa(["1", "0"], [1, 0])
    with pytest.raises(LabelError, match="not on the scale"):
        kappa(["low", "huge"], ["low", "low"], scale=["low", "high"])
    with pytest.raises(ParameterError, match="two different raters"):
        vd.evaluate_agreement({"a": [1]}, raters=["a"])
    with pytest.raises(ParameterError, match="numbers"):
        vd.measure("agreement.krippendorff_alpha,measurement=ratio", ["a", "b"], ["a", "b"])
    with pytest.raises(MetricNameError):
        vd.evaluate_agreement({"a": [1], "b": [1]}, ["binary.recall"], raters=["a", "b"])


def test_several_raters_are_measured_in_pairs_and_together():
    data = {"a": [1, 1, 0, 0], "b": [1, 0, 0, 0], "c": [1, 1, 1, 0]}
    ev = vd.evaluate_agreement(data, raters=["a", "b", "c"], intervals=False)
    assert ev["a / b", "cohens_kappa"].value == 0.5
    assert ev["a / b / c", "fleiss_kappa"].n == 4
    assert ev.to_dict()["tables"][0]["counts"] == [[2, 0], [1, 1]]


def test_the_table_says_what_is_read_off_it():
    data = {"a": [1, 2, 3, 3], "b": [1, 1, 3, 2]}
    (table,) = vd.evaluate_agreement(data, raters=["a", "b"]).to_dict()["tables"]
    assert table["labels"] == [1, 2, 3]
    assert table["bias"] == pytest.approx(2.25 - 1.75)
    assert table["base_rates"] == [[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]]
    assert table["per_label_agreement"] == pytest.approx([2 / 3, 0, 2 / 3])


def test_numbers_in_a_text_file_have_an_order(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("a,b\n10,9\n9,9\n2,10\n10,10\n", encoding="utf-8")
    ev = vd.evaluate_agreement(path, raters=["a", "b"], weights="linear", intervals=False)
    assert list(ev.tables["a / b"].labels) == [2, 9, 10]
    expected = kappa([10, 9, 2, 10], [9, 9, 10, 10], weights="linear").value
    assert ev["cohens_kappa"].value == expected


def test_rogan_and_gladen():
    # Sensitivity 0.9, specificity 0.8, judged rate 0.8: (0.8 + 0.8 - 1) / 0.7.
    judge = [1] * 45 + [0] * 5 + [1] * 10 + [0] * 40 + [1] * 265 + [0] * 35
    truth = [1] * 50 + [0] * 50 + [None] * 300
    names = ["judged_rate", "rogan_gladen_rate", "prediction_powered_rate"]
    ev = vd.evaluate_agreement({"j": judge, "t": truth}, names, raters=["j", "t"], rate=1)
    assert ev["judged_rate"].value == 0.8
    corrected = ev["rogan_gladen_rate"]
    assert corrected.value == pytest.approx(0.6 / 0.7, abs=1e-12)
    assert corrected.conditions["sensitivity"] == 0.9
    assert corrected.value in corrected.interval
    powered = ev["prediction_powered_rate"]
    assert powered.n == 100
    assert 0 < powered.conditions["lambda"] <= 1


def test_prediction_powered_without_unlabelled_items_is_the_mean():
    judge, truth = np.array([1, 1, 0, 0, 1]), np.array([1, 0, 0, 0, 1])
    ev = vd.evaluate_agreement(
        {"j": judge, "t": truth}, ["prediction_powered_rate"], raters=["j", "t"], rate=1
    )
    assert ev.results[0].value == 0.4
