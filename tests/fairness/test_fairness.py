"""Fairness: the golden cases, the definition, laws, and what cannot be computed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.golden.cases import all_cases
from veridical.errors import InputError, LabelError, ParameterError
from veridical.metrics import find
from veridical.parity import evaluate_fairness
from veridical.parity.decisions import read_decisions
from veridical.summaries import ConfusionCounts
from veridical.summaries.compared_groups import ComparedGroups, Share
from veridical.tables import column_from

DIR, DPD = "fairness.disparate_impact_ratio", "fairness.demographic_parity_difference"
EOD, FPR = "fairness.equal_opportunity_difference", "fairness.fpr_difference"
ODDS, PARITY = "fairness.equalized_odds_difference", "fairness.predictive_parity_difference"
EVERY = (DIR, DPD, EOD, FPR, ODDS, PARITY)

cells = st.builds(ConfusionCounts, *[st.integers(0, 30)] * 4)


def decided(selected: dict[str, int], n: dict[str, int]) -> tuple[list[int], list[str]]:
    """Return decisions and groups with these counts."""
    decisions = [int(i < selected[name]) for name in n for i in range(n[name])]
    return decisions, [name for name in n for _ in range(n[name])]


def of(metric: str, group: ConfusionCounts, reference: ConfusionCounts, *, labelled: bool = True):
    """Return a metric of counts."""
    return find(metric).function(ComparedGroups(group, reference, labelled))


@pytest.mark.parametrize("name", ["dir_zero_denominator", "dir_zero_zero", "dir_four_fifths_exact"])
def test_golden_ratios(name):
    case = all_cases()[name]
    given, expected = case["input"], case["expected"]
    rows = decided(given["selected"], given["n"])
    settings = {"favourable": 1, "reference": given["reference"]}
    result = vd.measure(DIR, *rows, **settings)
    gap = vd.measure(DPD, *rows, **settings).value
    wanted = expected.get("ratio", expected.get("ratio_b_over_a"))
    if isinstance(wanted, dict):
        assert result.reason == "zero_denominator"
        assert f"0 of {given['n']['a']}" in result.detail
        assert gap == pytest.approx(expected["difference"], rel=0, abs=case["tol"])
        assert result.conditions["min_over_max"] == expected.get("min_over_max")
    else:
        assert result.value == wanted
        assert (result.conditions["four_fifths"] == "passes") is expected["passes_four_fifths"]


def test_golden_missing_group():
    case = all_cases()["fairness_missing_group"]
    data, expected = case["input"], case["expected"]
    ev = evaluate_fairness(data, decision="pred", label="y", groups="group", favourable=1)
    rows = {row.group: row for row in ev.rows()}
    assert {name: row.n for name, row in rows.items()} == expected["groups"]
    rates = {name: row.shares["favourable"].rate for name, row in rows.items()}
    assert rates == expected["selection_rate"]
    assert ev.references == {"group": "a"}
    assert ev.subjects == ("group=b", "group=(missing)")


def test_every_fairness_case_is_tested():
    known = {name for name, case in all_cases().items() if case["area"] == "fairness"}
    assert known == {
        "dir_zero_denominator",
        "dir_zero_zero",
        "dir_four_fifths_exact",
        "fairness_missing_group",
    }


def rate(hits, n):
    return Fraction(hits, n) if n else None


@given(cells, cells)
def test_metrics_are_their_definitions(a, b):
    rates = {
        DPD: [rate(x.tp + x.fp, x.tp + x.fp + x.fn + x.tn) for x in (a, b)],
        EOD: [rate(x.tp, x.tp + x.fn) for x in (a, b)],
        FPR: [rate(x.fp, x.fp + x.tn) for x in (a, b)],
        PARITY: [rate(x.tp, x.tp + x.fp) for x in (a, b)],
    }
    for metric, (mine, other) in rates.items():
        found = of(metric, a, b)
        assert found.ok == (mine is not None and other is not None)
        if found.ok:
            assert found.value == float(mine - other)
            assert found.conditions["per_10_000"] == pytest.approx(10_000 * found.value)
    mine, other = rates[DPD]
    found = of(DIR, a, b)
    assert found.ok == (mine is not None and bool(other))
    if mine is not None and other is not None and (mine or other):
        passes = other > 0 and Fraction(4, 5) <= mine / other <= Fraction(5, 4)
        assert found.conditions["four_fifths"] == ("passes" if passes else "fails")
        assert found.conditions["min_over_max"] == float(min(mine, other) / max(mine, other))
        worse = rate(a.fn + a.tn, a.n), rate(b.fn + b.tn, b.n)
        ratio = float(worse[0] / worse[1]) if worse[1] else None
        assert found.conditions["ratio_of_unfavourable"] == ratio
    if found.ok:
        assert found.value == float(mine / other)
    odds = of(ODDS, a, b)
    parts = [of(EOD, a, b), of(FPR, a, b)]
    assert odds.ok == all(part.ok for part in parts)
    if odds.ok:
        assert odds.value == max(abs(part.value) for part in parts)


def test_four_fifths_is_decided_on_whole_numbers():
    """One decision in 10^17 too few is too few, whatever the quotient rounds to."""
    n = 5 * 10**17
    just, short = (
        ConfusionCounts(fp=4 * 10**17, tn=10**17),
        ConfusionCounts(fp=4 * 10**17 - 1, tn=10**17 + 1),
    )
    every = ConfusionCounts(fp=n)
    for group, told in ((just, "passes"), (short, "fails")):
        found = four_fifths_of(group, every)
        assert found == told


def four_fifths_of(group, reference):
    from veridical.metrics.fairness_rates import four_fifths

    a, b = ComparedGroups(group, reference, labelled=False).selected
    assert a.hits * b.n / (b.hits * a.n) == 0.8
    return four_fifths(a, b)


@given(cells, cells, cells, cells)
def test_summaries_merge(a, b, c, d):
    one, two = ComparedGroups(a, b), ComparedGroups(c, d, labelled=False)
    assert one + two == two + one == ComparedGroups(a + c, b + d, labelled=False)
    assert one + ComparedGroups() == one
    assert ComparedGroups.from_dict(two.to_dict()) == two


@given(cells, cells)
def test_the_other_way_round(a, b):
    for metric in EVERY:
        found, back = of(metric, a, b), of(metric, b, a)
        if not (found.ok and back.ok):
            continue
        if metric == DIR:
            assert (found.value * back.value == pytest.approx(1)) or not found.value
        elif metric == ODDS:
            assert found.value == back.value
        else:
            assert found.value == -back.value


@pytest.mark.parametrize(
    ("metric", "group", "reason"),
    [
        (DPD, ConfusionCounts(), "no_rows"),
        (DIR, ConfusionCounts(), "no_rows"),
        (EOD, ConfusionCounts(fp=3, tn=3), "no_positives"),
        (ODDS, ConfusionCounts(fp=3, tn=3), "no_positives"),
        (ODDS, ConfusionCounts(tp=3, fn=3), "no_negatives"),
        (FPR, ConfusionCounts(tp=3, fn=3), "no_negatives"),
        (PARITY, ConfusionCounts(fn=3, tn=3), "nothing_flagged"),
    ],
)
def test_undefined(metric, group, reason):
    whole = ConfusionCounts(2, 2, 2, 2)
    for found in (of(metric, group, whole), of(metric, whole, group)):
        assert found.reason == reason
        assert "0" in found.detail


@pytest.mark.parametrize("metric", [EOD, FPR, ODDS, PARITY])
def test_without_labels(metric):
    counts = ConfusionCounts(fp=2, tn=2)
    assert of(metric, counts, counts, labelled=False).reason == "no_labels"
    ev = evaluate_fairness(DATA, metric, decision="denied", groups="race", favourable=0)
    assert ev["race=b", metric].reason == "no_labels"


DATA = {
    "denied": [0, 1, 1, 0, 1] * 20 + [0, 0, 0, 1] * 50 + [1, 0, 0, 0],
    "defaulted": [0, 1, 0, 0, 1] * 20 + [0, 0, 1, 1] * 50 + [1, 0, 0, 0],
    "race": ["b"] * 100 + ["w"] * 200 + ["c", "c", None, "c"],
}


def fairness(**settings):
    given = {"decision": "denied", "groups": "race", "favourable": 0, "label": "defaulted"}
    return evaluate_fairness(DATA, **{**given, **settings})


def test_groups_against_the_largest():
    ev = fairness()
    assert ev.source["references"] == ["race=w"]
    assert ev.subjects == ("race=b", "race=c", "race=(missing)")
    assert ev.ranked == ("race=b",)
    dir_ = ev["race=b", "dir"]
    assert dir_.value == pytest.approx((40 / 100) / (150 / 200))
    assert dir_.conditions["reference"] == "race=w"
    assert dir_.conditions["ratio_of_unfavourable"] == pytest.approx(0.6 / 0.25)
    small = ev["race=c", "dir"]
    assert "small_group" in small.notes
    assert small.conditions["fisher_p_value_holm"] >= small.conditions["fisher_p_value"]
    assert {row.name: row.is_small for row in ev.rows()} == {
        "race=b": False,
        "race=c": True,
        "race=w": False,
        "race=(missing)": True,
    }
    text = repr(ev)
    assert "fewer than 30 rows, not ranked: race=c, race=(missing)" in text
    assert fairness(min_size=0).ranked == ("race=b", "race=(missing)", "race=c")


def test_another_reference():
    ev = fairness(reference="b")
    assert ev["race=w", "dpd"].value == pytest.approx(0.75 - 0.4)
    assert fairness(reference="race=b").references == ev.references
    with pytest.raises(ParameterError, match="no group 'x'"):
        fairness(reference="x")


def test_what_is_favourable_must_be_said():
    with pytest.raises(ParameterError, match="favourable="):
        fairness(favourable=None)
    with pytest.raises(ParameterError, match="favourable="):
        vd.measure(DIR, [1, 0], ["a", "b"])


def test_an_absent_favourable_value_has_rate_zero():
    result = vd.measure(DPD, ["yes", "yes"], ["a", "b"], favourable="no")
    assert result.value == 0
    assert result.notes == ("favourable_absent",)
    assert vd.measure(DIR, ["yes", "yes"], ["a", "b"], favourable="no").reason == "zero_denominator"


def test_more_than_two_groups_need_evaluate():
    with pytest.raises(ParameterError, match="3 groups: a, b, c") as raised:
        vd.measure(DIR, [1, 0, 1], ["a", "b", "c"], favourable=1)
    assert "evaluate_fairness" in raised.value.fix
    with pytest.raises(ParameterError, match="3 groups"):
        vd.measure(DIR, [1, 0, 1], ["a", "b", None], favourable=1)


def test_one_group_has_nothing_to_be_compared_with():
    assert vd.measure(DIR, [1, 0], ["a", "a"], favourable=1).reason == "no_groups"
    ev = evaluate_fairness({"d": [1, 0], "g": ["a", "a"]}, decision="d", groups="g", favourable=1)
    assert [r.reason for r in ev.results] == ["no_groups"] * 2
    assert ev.rows()[0].n == 2
    assert ev.subjects == ("g",)
    assert ev.ranked == ()


def test_labels_then_decisions_then_groups():
    labels, decisions, groups = [1, 1, 1, 1, 0, 0], [1, 0, 1, 1, 1, 0], list("aabbab")
    found = vd.measure(EOD, labels, decisions, groups=groups, favourable=1, reference="b")
    assert found.value == -0.5
    with_scores = vd.measure(
        EOD, labels, [0.9, 0.1, 0.5, 0.7, 0.6, 0.2], groups=groups, favourable=1, reference="b",
        threshold=0.5,
    )  # fmt: skip
    assert with_scores.value == found.value


def test_a_favourable_label_of_its_own():
    data = {"d": ["yes", "no", "yes", "no"], "y": [1, 1, 0, 1], "g": ["a", "a", "b", "b"]}
    settings = {"decision": "d", "groups": "g", "label": "y", "favourable": "yes"}
    with pytest.raises(LabelError, match="favourable"):
        evaluate_fairness(data, **settings)
    ev = evaluate_fairness(data, **settings, favourable_label=1)
    assert ev[EOD].value == -0.5
    assert ev[EOD].conditions["favourable_label"] == "1"


def test_missing_decisions():
    data = {"d": [1, None, 0], "g": ["a", "a", "b"]}
    with pytest.raises(InputError, match="1 row without 'd'"):
        evaluate_fairness(data, decision="d", groups="g", favourable=1)
    ev = evaluate_fairness(data, decision="d", groups="g", favourable=1, missing="drop")
    assert ev[DPD].counts == {"n_skipped": 1}
    assert ev[DPD].n == 2


def test_missing_scores():
    data = {"p": [0.9, None, 0.1, 0.8], "g": ["a", "a", "b", "b"]}
    settings = {"score": "p", "threshold": 0.5, "groups": "g", "favourable": 1}
    with pytest.raises(InputError, match="1 row without"):
        evaluate_fairness(data, **settings)
    ev = evaluate_fairness(data, **settings, missing="drop", reference="b")
    assert ev[DPD].value == 0.5
    assert ev.source["n_skipped"] == 1


def test_what_cannot_be_used():
    with pytest.raises(ParameterError, match="decision="):
        evaluate_fairness(DATA, groups="race", favourable=0)
    with pytest.raises(ParameterError, match="no decision"):
        evaluate_fairness(DATA, score="denied", groups="race", favourable=0)
    with pytest.raises(ParameterError, match="1 or 0"):
        evaluate_fairness(DATA, score="denied", threshold=1, groups="race", favourable="yes")
    with pytest.raises(ParameterError, match="both say"):
        fairness(threshold=0.5)
    with pytest.raises(InputError, match="groups"):
        evaluate_fairness(
            {"d": [0, 1] * 600, "id": list(range(1200))},
            decision="d", groups="id", favourable=0,
        )  # fmt: skip
    with pytest.raises(InputError, match="length"):
        vd.measure(DIR, [1, 0, 1], ["a", "b"], favourable=1)


def test_calibration_of_each_group():
    rng = np.random.default_rng(1)
    p = rng.random(600)
    data = {
        "p": p,
        "y": (rng.random(600) < p).astype(int),
        "g": rng.choice(["a", "b"], 600),
    }
    ev = evaluate_fairness(data, score="p", threshold=0.5, label="y", groups="g", favourable=0)
    found = {(r.subject, r.metric): r for r in ev.calibration}
    for group in ("a", "b"):
        rows = data["g"] == group
        alone = vd.measure("calibration.ece", data["y"][rows], p[rows])
        assert found[f"g={group}", "calibration.ece"].value == alone.value
        assert found[f"g={group}", "calibration.intercept"].interval is not None


@pytest.mark.parametrize("labelled", [True, False])
def test_a_saved_run_is_found_again(tmp_path, labelled):
    ev = fairness(policy="fairness-standard", label="defaulted" if labelled else None)
    with vd.Store(tmp_path / "runs.db") as store:
        run = ev.save("fair", store=store)
        again = store.load(run.id)
        assert again.kind == "fairness"
        assert again.evaluation.to_dict() == ev.to_dict()
        assert again.evaluation.rows() == ev.rows()
        assert again.refinalised().results == ev.results
        both = [e.report(tmp_path / "r.html").read_text() for e in (ev, again.evaluation)]
        assert both[0] == both[1]


rows = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.sampled_from(["a", "b", "", "c"])), max_size=40
)


def counted(given):
    columns = [list(column) for column in zip(*given, strict=True)] or [[], [], []]
    label, decision, group = (column_from(n, c) for n, c in zip("ydg", columns, strict=True))
    settings = {"favourable": 1, "label": label, "favourable_label": 1}
    return read_decisions(decision, [group], **settings).tallied().counts["g"]


@given(rows, rows, st.randoms())
def test_rows_in_any_order_and_in_parts_count_alike(one, two, random):
    """What groups are counted in is a commutative monoid of rows."""
    whole = [*one, *two]
    random.shuffle(whole)
    assert (counted(one) + counted(two)).to_dict() == counted(whole).to_dict()


def test_thresholds_that_differ_are_other_conditions():
    given = {"p": [0.2, 0.4], "g": ["a", "b"]}
    settings = {"score": "p", "groups": "g", "favourable": 1}
    one, two = (
        evaluate_fairness(given, **settings, threshold=0.3 + epsilon) for epsilon in (0, 1e-12)
    )
    assert one[DPD].conditions["decision"] == "p >= 0.3"
    assert one[DPD].conditions.differences(two[DPD].conditions) == ["decision"]


def test_an_evaluation_of_scores_says_what_measures_it():
    ev = vd.evaluate({"y": [1, 0], "s": [0.1, 0.2]}, [DIR], label="y", score="s")
    assert ev[DIR].reason == "unsupported_by_engine"
    assert "evaluate_fairness" in ev[DIR].detail


def test_share():
    assert Share(1, 4).rate == 0.25
