"""`veridical bench gate`: an agent against rules, and against an earlier run of its own."""

from __future__ import annotations

import json
import shutil

import pytest

from veridical.bench.agents import shipped_agents
from veridical.bench.gating import FLOORS, BenchRule
from veridical.bench.scoring.metrics import LOWER, RATES

GOOD = {
    "silent_failure_rate": "at_most: 0.3",
    "escalation_recall": "at_least: 0.6",
    "false_alarm_rate": "at_most: 0.9",
}


@pytest.fixture
def policy(tmp_path):
    """Write a policy of rules, and return its path."""

    def write(*rules: str):
        path = tmp_path / "rules.yaml"
        lines = "".join(f"  - {{{rule}}}\n" for rule in rules)
        path.write_text(f"version: 1\nname: accounts\nrules:\n{lines}")
        return path

    return write


@pytest.fixture
def good(policy):
    return policy(*(f"metric: {name}, {bound}" for name, bound in GOOD.items()))


def test_who_applies_all_rules_passes(bench, runs, good):
    outcome = bench("gate", runs["reference"], "--policy", good)
    assert outcome.code == 0
    assert outcome.out.startswith("pass: policy accounts 1 (")
    assert "vacuous" not in outcome.out


def test_who_flags_nothing_fails_and_is_told_by_which_rule(bench, runs, good, tmp_path):
    junit = tmp_path / "gate.xml"
    outcome = bench("gate", runs["naive"], "--policy", good, "--junit", junit, "--json")
    assert outcome.code == 1
    rules = {one["result"]["metric"]: one for one in outcome.document["rules"]}
    assert rules["bench.escalation_recall"]["verdict"] == "fail"
    assert rules["bench.escalation_recall"]["result"]["value"] == 0
    assert rules["bench.escalation_recall"]["result"]["interval"]["high"] < 0.6
    assert junit.read_text().count("<failure") >= 1


@pytest.mark.parametrize(
    ("rule", "floor"),
    [
        ("metric: escalation_recall, at_least: 0.6", "flag_all"),
        ("metric: silent_failure_rate, at_most: 0.3", "hedger"),
        ("metric: false_alarm_rate, value: 0.5", "closing_copier"),
    ],
)
def test_a_rule_that_can_be_kept_for_nothing_makes_nothing_green(bench, runs, policy, rule, floor):
    outcome = bench("gate", runs["reference"], "--policy", policy(rule), "--json")
    assert outcome.code == 3
    (only,) = outcome.document["rules"]
    assert only["vacuous"]
    assert floor in only["met_without_skill"]
    assert "without skill" in outcome.document["why"]
    assert floor in bench("gate", runs["reference"], "--policy", policy(rule)).out


def test_a_part_of_the_cases_decides_nothing(bench, runs, good, tmp_path):
    part = tmp_path / "part.jsonl"
    part.write_text("".join(runs["reference"].read_text().splitlines(keepends=True)[:11]))
    shutil.copy(runs["reference"].with_suffix(".run.json"), part.with_suffix(".run.json"))
    outcome = bench("gate", part, "--policy", good)
    assert outcome.code == 3
    assert "11 of 12 cases were asked to an end" in outcome.out


def test_no_worse_than_an_earlier_run(bench, runs, policy):
    rules = policy(
        "metric: exact_match, no_worse_than: baseline, margin: 0.05",
        "metric: escalation_recall, at_least: 0.6",
        "metric: false_alarm_rate, at_most: 0.9",
    )
    same = bench("gate", runs["reference"], "--policy", rules, "--baseline", runs["reference"])
    assert same.code == 0
    assert "no unit differs" in same.out
    worse = bench(
        "gate", runs["naive"], "--policy", rules, "--baseline", runs["reference"], "--json"
    )
    assert worse.code == 1
    first = worse.document["rules"][0]
    compared = bench("compare", runs["naive"], runs["reference"], "--json").document["headline"]
    assert first["difference"] in [one["difference"] for one in compared]
    alone = bench("gate", runs["reference"], "--policy", rules)
    assert alone.code == 3
    assert "no baseline was given" in alone.out


def test_a_baseline_that_no_rule_reads_is_told(bench, runs, good):
    outcome = bench("gate", runs["reference"], "--policy", good, "--baseline", runs["naive"])
    assert "no rule reads the baseline" in outcome.out


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("metric: roc_auc, at_least: 0.5", "no rate 'roc_auc'"),
        ("metric: exact_match, at_least: 60", "rates are fractions"),
        ("metric: exact_match, at_least: 0.5, group: a=b", "has no group"),
        ("metric: parsed_rate, no_worse_than: baseline, margin: 0", "is not compared"),
        ("metric: exact_match, at_leats: 0.5", "did you mean 'at_least'"),
    ],
)
def test_a_rule_that_could_do_nothing_is_refused(bench, runs, policy, rule, words):
    outcome = bench("gate", runs["naive"], "--policy", policy(rule))
    assert outcome.code == 65
    assert words in outcome.err
    assert "rules.yaml:4" in outcome.err


def test_a_file_of_several_agents_is_refused(bench, runs, good, tmp_path):
    both = tmp_path / "both.jsonl"
    both.write_text(runs["naive"].read_text() + runs["reference"].read_text())
    shutil.copy(runs["naive"].with_suffix(".run.json"), both.with_suffix(".run.json"))
    outcome = bench("gate", both, "--policy", good)
    assert outcome.code == 64
    assert "2 agents in one file" in outcome.err


def test_every_rate_can_stand_in_a_rule_and_has_its_better_side():
    assert RATES.keys() > LOWER
    for name in RATES:
        side = "at most" if name in LOWER else "at least"
        assert side in str(BenchRule(metric=name, value=0.5))


def test_floors_are_agents_that_are_shipped():
    assert set(FLOORS) < shipped_agents().keys()
    assert {"reference", "rules"}.isdisjoint(FLOORS)


def test_the_verdict_is_json_of_its_schema(bench, runs, good):
    document = bench("gate", runs["reference"], "--policy", good, "--json").document
    assert document["schema"] == "veridical.gate/1"
    assert document["run"]["kind"] == "bench"
    assert json.loads(json.dumps(document)) == document
