"""Rules find the part that measured them; a rule without one is skipped, and never met."""

import pytest

import veridical as vd
from tests.validation.models import DAY, describe, write_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    write_model(folder)
    return folder


def judged(folder, *rules, **changes):
    lines = ["version: 1", "name: house", "rules:", *(f"  - {{{rule}}}" for rule in rules)]
    (folder / "house.yaml").write_text("\n".join(lines))
    validation = vd.validate_model(describe(folder, policy="house.yaml", **changes), date=DAY)
    (verdict,) = validation.verdicts
    return validation, verdict


def test_every_family_is_held_against_its_own_part(folder):
    validation, verdict = judged(
        folder,
        "metric: drift.psi, at_most: 0.25",
        "metric: binary.roc_auc, at_least: 0.5",
        "metric: fairness.disparate_impact_ratio, at_least: 0.5",
        "metric: calibration.ece, at_most: 0.5, group: channel=online",
        "metric: binary.lift_top@k=10, at_least: 1",
    )
    found = {(row.result.metric, row.result.subject, row.result.group) for row in verdict.rows}
    assert found == {
        ("binary.roc_auc", "score", None),
        ("calibration.ece", "score", "channel=online"),
        ("binary.lift_top@10", "score", None),
        *(("drift.psi", name, None) for name in ("score", "is_fraud", "amount", "channel")),
        *(("fairness.disparate_impact_ratio", name, None) for name in validation.fairness.subjects),
    }
    by_place = {(r.metric, r.subject): r for r in validation.drift.results}
    for row in verdict.rows:
        if row.result.metric == "drift.psi":
            assert row.result == by_place["drift.psi", row.result.subject]


def test_no_worse_than_the_baseline_is_about_the_champion(folder):
    rule = "metric: binary.roc_auc, no_worse_than: baseline, margin: 0.5"
    validation, verdict = judged(folder, rule)
    (row,) = verdict.rows
    compared = {one.metric: one for one in validation.out_of_time.comparisons}
    assert row.difference == compared["binary.roc_auc"].difference
    assert row.verdict == "met"
    _, alone = judged(folder, rule, champion=None)
    assert [row.verdict for row in alone.rows] == ["undecided"]


@pytest.mark.parametrize(
    ("rule", "changes", "reason"),
    [
        ("metric: fairness.disparate_impact_ratio, at_least: 0.8", {"proxies": None}, "no_groups"),
        ("metric: fairness.disparate_impact_ratio, at_least: 0.8", {"costs": None}, "no_threshold"),
        ("metric: retrieval.ndcg@10, at_least: 0.5", {}, "unsupported_by_engine"),
        ("metric: binary.recall, at_least: 0.1", {"costs": None}, "no_threshold"),
        ("metric: cost.saving, at_least: 0", {"costs": None}, "no_costs"),
    ],
)
def test_a_rule_about_what_was_not_measured_is_skipped(folder, rule, changes, reason):
    validation, verdict = judged(folder, rule, "metric: binary.roc_auc, at_least: 0.5", **changes)
    skipped = [row for row in verdict.rows if row.verdict == "skipped"]
    assert [str(row.result.reason) for row in skipped] == [reason]
    assert (verdict.verdict, validation.verdict) == ("undecided", "undecided")
    assert reason in {str(one.reason) for one in validation.limits.skipped}


def test_prices_of_a_policy_are_used_where_the_model_file_has_none(folder):
    file = describe(folder, costs=None, policy=["metric-standard", "bank"])
    validation = vd.validate_model(file, date=DAY)
    assert validation.out_of_time.settings.costs == vd.Costs(850, 25, 5, "USD")
    assert validation.threshold is not None
