"""What a gate says about recorded results, rule by rule and over all."""

import json

import numpy as np
import pytest

import veridical as vd
from tests.compare.samples import two_models
from tests.gates.documents import document, house, result, written
from veridical.errors import (
    FileFormatError,
    FileMissingError,
    MismatchError,
    ParameterError,
    RunNotFoundError,
)
from veridical.gates import gate
from veridical.gates.markdown import gate_markdown
from veridical.gates.terminal import gate_text

GOOD = result(0.9, 0.86, 0.93)
AT_LEAST = {"metric": "roc_auc", "at_least": 0.8}


@pytest.fixture
def judged(tmp_path):
    def run(content, *rules, **options):
        return gate(written(tmp_path / "run.json", content), house(*rules), **options)

    return run


@pytest.mark.parametrize(
    ("given", "rule", "verdict", "code"),
    [
        (result(0.9, 0.86, 0.93), {"at_least": 0.8}, "pass", 0),
        (result(0.7, 0.6, 0.79), {"at_least": 0.8}, "fail", 1),
        (result(0.8, 0.7, 0.9), {"at_least": 0.8}, "undecided", 3),
        (result(0.9, 0.86, 0.93), {"lower_bound": 0.86}, "pass", 0),
        (result(0.9, 0.859, 0.93), {"lower_bound": 0.86}, "undecided", 3),
        (result(0.9), {"lower_bound": 0.6}, "undecided", 3),
        (result(0.9, 0.86, 0.93), {"at_least": 0.8, "min_n": 501}, "undecided", 3),
        (
            result(0.9, 0.86, 0.93, n_skipped=26),
            {"at_least": 0.8, "max_skip_rate": 0.05},
            "pass",
            0,
        ),
        (
            result(0.9, 0.86, 0.93, n_skipped=27),
            {"at_least": 0.8, "max_skip_rate": 0.05},
            "fail",
            1,
        ),
        (result(0.9, 0.86, 0.93, n_errors=1), {"at_least": 0.8, "max_error_rate": 0.0}, "fail", 1),
        (result(None), {"at_least": 0.0}, "undecided", 3),
    ],
)
def test_one_rule(judged, given, rule, verdict, code):
    found = judged(document(given), {"metric": "roc_auc", **rule})
    assert (found.verdict, found.exit_code) == (verdict, code)


def test_fail_outweighs_undecided_and_undecided_outweighs_pass(judged):
    straddling = result(0.4, 0.3, 0.5, metric="binary.average_precision")
    content = document(GOOD, straddling)
    undecided = {"metric": "ap", "at_least": 0.4}
    assert judged(content, AT_LEAST, undecided).verdict == "undecided"
    assert judged(content, AT_LEAST, undecided, {"metric": "ap", "at_most": 0.2}).verdict == "fail"


def test_a_metric_that_is_absent_never_passes(judged):
    found = judged(document(GOOD), AT_LEAST, {"metric": "ks", "at_least": 0.0})
    assert [rule.verdict for rule in found.rules] == ["pass", "undecided"]
    assert "was not measured" in found.rules[1].why
    assert found.exit_code == 3


def test_a_run_keeps_what_its_policy_measured_beside_what_was_asked_for(tmp_path):
    rng = np.random.default_rng(5)
    labels = np.arange(400) % 4 == 0
    data = {"y": labels, "a": labels + rng.normal(size=400), "b": labels + rng.normal(size=400)}
    data["g"] = np.where(np.arange(400) < 200, "u", "v")
    policy = house(
        {"metric": "average_precision", "at_least": 0.4},
        {"metric": "roc_auc", "at_least": 0.5},
        {"metric": "roc_auc", "at_least": 0.5, "group": "g=u"},
        {"metric": "brier", "at_most": 0.2},
        {"metric": "roc_auc", "at_least": 0.5, "group": "g=w"},
    )
    ev = vd.evaluate(
        data, "average_precision", label="y", score=["a", "b"], groups="g", policy=policy
    )
    run = ev.save("asked", store=tmp_path / "runs.db")

    assert run.refinalised().results == ev.results
    later = gate("asked", policy, store=tmp_path / "runs.db")

    assert [one.row.result for one in later.rules] == [row.result for row in ev.policy.rows]
    of_rule = dict(zip(("ap", "auc", "auc in u", "brier", "auc in w"), later.rules, strict=False))
    assert of_rule["auc"].row.result.ok
    assert of_rule["auc in u"].row.result.group == "g=u"
    assert of_rule["brier"].row.result.reason == "not_probabilities"
    assert of_rule["auc in w"].row.result.reason == "no_groups"
    # Nobody asked to compare what only the policy needs: it would weigh on the other p-values.
    assert {one.metric for one in ev.comparisons} == {"binary.average_precision"}


def test_a_group_that_is_absent_never_passes(judged):
    found = judged(document(GOOD), {**AT_LEAST, "group": "region=north"})
    assert found.verdict == "undecided"
    assert "no group 'region=north'" in found.rules[0].why


def test_a_rule_about_a_group_reads_that_group(judged):
    worse = result(0.6, 0.5, 0.7, group="region=north")
    assert judged(document(GOOD, worse), {**AT_LEAST, "group": "region=north"}).verdict == "fail"


def test_the_worst_group_is_named(judged):
    groups = [
        result(value, value - 0.01, value + 0.01, group=f"region={name}")
        for name, value in (("east", 0.7), ("west", 0.95))
    ]
    found = judged(document(result(0.7, 0.6, 0.75), *groups), AT_LEAST)
    assert found.rules[0].worst.group == "region=east"
    assert "worst group: region=east, 0.7000" in repr(found)


@pytest.mark.parametrize("value", [0.15, 0.2])
def test_what_always_answering_the_base_rate_meets_never_passes_alone(judged, value):
    brier = result(0.1, 0.09, 0.12, metric="calibration.brier", conditions={}, observed=[])
    # The base rate 0.2 has a Brier score of 0.2 * 0.8 = 0.16.
    found = judged(document(GOOD, brier), {"metric": "brier", "at_most": value})
    assert found.rules[0].verdict == "pass"
    assert found.rules[0].row.vacuous is (value == 0.2)
    assert found.verdict == ("undecided" if value == 0.2 else "pass")
    if value == 0.2:
        assert "vacuous" in found.why


def test_counts_that_are_unknown_are_said(judged):
    bare = result(0.9, 0.86, 0.93, conditions={}, observed=[], group="g=a")
    found = judged(document(bare), {**AT_LEAST, "group": "g=a"})
    assert "is not known" in found.rules[0].why


@pytest.mark.parametrize("rate", [0.0, 0.002])
def test_a_constant_model_never_passes_a_shipped_policy(rate):
    labels = np.arange(2_000) % 500 == 0
    ev = vd.evaluate({"y": labels, "p": np.full(2_000, rate)}, label="y", score="p")
    assert gate(ev, "metric-standard").verdict == "fail"


def test_every_subject_must_pass(judged):
    content = document(GOOD, result(0.6, 0.5, 0.7, subject="q"))
    assert judged(content, AT_LEAST).verdict == "fail"
    assert judged(content, AT_LEAST, subject="p").verdict == "pass"
    with pytest.raises(vd.VeridicalError, match="has no 'r'"):
        judged(content, AT_LEAST, subject="r")


def test_a_document_without_results_cannot_be_judged(judged):
    with pytest.raises(ParameterError, match="holds no result"):
        judged(document(), AT_LEAST)


@pytest.mark.parametrize(
    "content",
    [
        [], {}, {"schema": "veridical.evaluation/1"}, {"schema": "veridical.evaluation/2"},
        document(result(0.9, 0.95, 0.85)), document(result("high")), document({"metric": "x"}),
        document(result(0.9, n=-1)), document(result(0.9, n_rows="many")),
        document(result(0.9, n_skipped=0.5)), document(result(0.9, subject=7)),
        document(result(1.5)), document(result("0.9", 0.86, 0.93)), document(result(True)),
        document(GOOD, result(0.2, 0.1, 0.3)),
        document(GOOD, level="all"), {**document(GOOD), "source": [1]},
        document(result(0.9, n=True)), document(result(0.9, n_rows=False)),
        document(result(0.9, n_skipped=True)), document(result(0.9, n=0)),
        document(result(0.95, 0.86, 0.93)), document(result(0.85, 0.86, 0.93)),
        {"schema": "veridical.run/1"}, {"schema": "veridical.run/1", "run": {"state": "finished"}},
        {"schema": "veridical.run/1", "run": {"id": "a", "state": "running"},
         "document": document(GOOD)},
    ],
)  # fmt: skip
def test_what_is_no_document_is_refused(judged, content):
    with pytest.raises(FileFormatError, match="holds no results"):
        judged(content, AT_LEAST)


def test_a_value_may_be_outside_the_interval_of_a_bootstrap(judged):
    ends = {"low": 0.86, "high": 0.93, "level": 0.95, "method": "bootstrap-percentile"}
    assert judged(document(result(0.94, interval=ends)), AT_LEAST).verdict == "pass"


def test_fractional_weights_may_add_up_to_no_unit(tmp_path):
    data = {"y": [1, 0, 1], "p": [0.9, 0.1, 0.6], "w": [0.1, 0.2, 0.1]}
    ev = vd.evaluate(data, "roc_auc", label="y", score="p", weight="w")
    file = written(tmp_path / "run.json", ev.to_dict())
    assert (ev["roc_auc"].value, ev["roc_auc"].n) == (1.0, 0)
    assert gate(file, house(AT_LEAST)).verdict == "undecided"


def test_a_file_that_is_absent_is_said(tmp_path):
    with pytest.raises(FileMissingError):
        gate(tmp_path / "absent.json", house(AT_LEAST))


MARGIN = {"metric": "roc_auc", "no_worse_than": "baseline", "margin": 0.05}


def test_two_evaluations_are_paired_row_by_row():
    labels, p, q = two_models(500, 0.3, seed=3)
    a, b = (vd.evaluate({"y": labels, "s": s}, label="y", score="s") for s in (p, q))
    found = gate(a, house(MARGIN), baseline=b)
    difference = found.rules[0].row.difference
    assert difference.conditions["paired"]
    expected = vd.compare(a, b, "roc_auc").difference
    assert difference.interval == expected.interval
    assert found.verdict == "pass"


def test_the_same_model_is_no_worse_than_itself_with_a_margin_of_nothing():
    labels, p, _ = two_models(500, 0.3, seed=3)
    ev = vd.evaluate({"y": labels, "s": p}, label="y", score="s")
    found = gate(ev, house({**MARGIN, "margin": 0.0}), baseline=ev)
    assert found.verdict == "pass"
    assert "no unit differs" in found.rules[0].why


def test_a_stored_run_cannot_be_its_own_baseline(tmp_path):
    store = str(tmp_path / "runs.db")
    data = {"y": [1, 1, 1, 0, 0, 0] * 9, "p": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1] * 9}
    ev = vd.evaluate(data, "roc_auc", label="y", score="p")
    older, newer = (ev.save("nightly", store=store) for _ in range(2))
    same = house({"metric": "roc_auc", "no_worse_than": "baseline", "margin": 0.0})
    for baseline in ("nightly", "latest", newer):
        with pytest.raises(ParameterError, match="its own baseline"):
            gate("latest", same, baseline=baseline, store=store)
    assert gate("latest", same, baseline=older, store=store).verdict == "pass"


def test_a_document_cannot_be_its_own_baseline(judged, tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "run.json")
    for baseline in (tmp_path / "run.json", link, str(link)):
        with pytest.raises(ParameterError, match="its own baseline") as caught:
            judged(document(GOOD), MARGIN, baseline=baseline)
        assert caught.value.exit_code == 64


def test_an_unchanged_model_measured_again_is_judged_and_the_sameness_said(judged, tmp_path):
    again = tmp_path / "again.json"
    again.write_text(json.dumps(document(GOOD), indent=7), encoding="utf-8")
    notes = judged(document(GOOD), MARGIN, baseline=again).to_dict()["notes"]
    assert notes == ["the run and its baseline hold the same numbers to the last digit"]


@pytest.mark.parametrize(
    ("rule", "notes"), [(AT_LEAST, ["no rule reads the baseline"]), (MARGIN, [])]
)
def test_a_baseline_that_no_rule_reads_is_said(judged, tmp_path, rule, notes):
    theirs = written(tmp_path / "base.json", document(result(0.89, 0.85, 0.92)))
    found = judged(document(GOOD), rule, baseline=theirs)
    assert found.to_dict()["notes"] == notes
    for text in (gate_text(found), gate_markdown(found)):
        assert ("no rule reads the baseline" in text) is bool(notes)


def test_a_baseline_of_another_kind_is_refused_whoever_reads_it(judged, tmp_path):
    theirs = written(tmp_path / "base.json", document(result(0.89, 0.85, 0.92), kind="texts"))
    with pytest.raises(MismatchError, match="differ in kind"):
        judged(document(GOOD), AT_LEAST, baseline=theirs)


def test_the_beginning_of_a_name_is_no_run(tmp_path):
    store = str(tmp_path / "runs.db")
    data = {"y": [1, 1, 1, 0, 0, 0] * 9, "p": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1] * 9}
    ev = vd.evaluate(data, "roc_auc", label="y", score="p")
    older, _ = (ev.save(name, store=store) for name in ("baseline-old", "candidate"))
    with pytest.raises(RunNotFoundError, match=r"(?s)'base'.*baseline-old"):
        gate("candidate", house(MARGIN), baseline="base", store=store)
    with pytest.raises(RunNotFoundError):
        gate("cand", house(AT_LEAST), store=store)
    # Two runs of one second have ids that begin alike, but for their last letters.
    for baseline in ("baseline-old", older.id, older.id[:-1]):
        assert gate("candidate", house(MARGIN), baseline=baseline, store=store).verdict == "pass"


def test_what_runs_show_prints_is_a_run(tmp_path):
    store = str(tmp_path / "runs.db")
    data = {"y": [1, 1, 1, 0, 0, 0] * 9, "p": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1] * 9}
    run = vd.evaluate(data, "roc_auc", label="y", score="p").save("nightly", store=store)
    shown = {"schema": "veridical.run/1", "run": run.to_dict(), "document": run.document}
    file = written(tmp_path / "x.json", shown)
    found = gate(file, house(AT_LEAST))
    assert (found.verdict, found.run.id) == ("pass", run.id)
    with pytest.raises(ParameterError, match="its own baseline"):
        gate("latest", house(MARGIN), baseline=file, store=store)


def test_evaluations_of_other_rows_are_refused_unless_allowed():
    (one, p, _), (two, q, _) = two_models(500, 0.3, seed=3), two_models(400, 0.3, seed=4)
    a, b = (vd.evaluate({"y": y, "s": s}, label="y", score="s") for y, s in ((one, p), (two, q)))
    with pytest.raises(MismatchError, match="differ in rows"):
        gate(a, house(MARGIN), baseline=b)
    found = gate(a, house({**MARGIN, "margin": 0.2}), baseline=b, allow=["rows"])
    assert [allowed.field for allowed in found.allowed] == ["rows"]
    assert found.rules[0].row.difference.conditions["allowed"] == ("rows",)
    assert found.verdict == "pass"
    # What was allowed and made no difference is not recorded.
    same = gate(a, house(MARGIN), baseline=a, allow=["rows", "threshold"])
    assert not same.allowed
    assert "allowed" not in same.rules[0].row.difference.conditions


def test_documents_are_compared_as_independent_samples(judged, tmp_path):
    theirs = written(tmp_path / "base.json", document(result(0.89, 0.85, 0.92)))
    found = judged(document(GOOD), {**MARGIN, "margin": 0.1}, baseline=theirs)
    difference = found.rules[0].row.difference
    assert not difference.conditions["paired"]
    assert "units_not_kept" in difference.notes
    # Square and add: 0.01 - sqrt(0.04^2 + 0.03^2) = -0.04.
    assert difference.interval.low == pytest.approx(-0.04, abs=1e-12)
    assert found.verdict == "pass"
    assert (
        judged(document(GOOD), {**MARGIN, "margin": 0.03}, baseline=theirs).verdict == "undecided"
    )


def test_other_data_are_refused_unless_allowed(judged, tmp_path):
    other = document(result(0.89, 0.85, 0.92), sha256="b" * 64)
    theirs = written(tmp_path / "base.json", other)
    with pytest.raises(MismatchError, match=r"differ in data: sha256 a+ and sha256 b+") as caught:
        judged(document(GOOD), MARGIN, baseline=theirs)
    assert caught.value.exit_code == 4
    found = judged(document(GOOD), {**MARGIN, "margin": 0.1}, baseline=theirs, allow=["data"])
    assert [one.field for one in found.allowed] == ["data"]
    assert found.rules[0].row.difference.conditions["allowed"] == ("data",)
    assert "units_not_kept" in found.rules[0].row.difference.notes


def test_an_allowance_without_a_baseline_is_refused(judged):
    with pytest.raises(ParameterError, match="no baseline"):
        judged(document(GOOD), AT_LEAST, allow=["threshold"])


def test_an_allowance_that_is_no_condition_is_refused(judged, tmp_path):
    theirs = written(tmp_path / "base.json", document(result(0.89, 0.85, 0.92)))
    with pytest.raises(ParameterError, match="did you mean 'threshold'"):
        judged(document(GOOD), MARGIN, baseline=theirs, allow=["treshold"])


def test_a_setting_that_differs_is_refused_by_name(judged, tmp_path):
    one, two = (
        result(0.5, 0.4, 0.6, metric="binary.recall", conditions={"threshold": at}, observed=[])
        for at in (0.5, 0.3)
    )
    theirs = written(tmp_path / "base.json", document(two))
    rule = {**MARGIN, "metric": "recall"}
    with pytest.raises(MismatchError, match=r"differ in threshold: 0\.5 and 0\.3"):
        judged(document(one), rule, baseline=theirs)


def test_a_metric_that_the_baseline_lacks_is_undecided(judged, tmp_path):
    theirs = written(tmp_path / "base.json", document(result(0.5, metric="binary.ks")))
    found = judged(document(GOOD), MARGIN, baseline=theirs)
    assert found.verdict == "undecided"
    assert "base.json did not measure binary.roc_auc" in found.rules[0].why


def test_the_document_has_a_schema_and_says_everything(judged):
    told = judged(document(GOOD), AT_LEAST).to_dict()
    assert told["schema"] == "veridical.gate/1"
    assert (told["verdict"], told["exit_code"]) == ("pass", 0)
    assert told["policy"]["sha256"] == house(AT_LEAST).sha256
    (rule,) = told["rules"]
    assert rule["verdict"] == "pass"
    assert rule["result"]["interval"]["low"] == 0.86
