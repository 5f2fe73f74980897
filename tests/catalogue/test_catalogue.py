"""The public catalogue: every metric, with everything that the public page promises of it."""

from __future__ import annotations

import json
import math
from importlib.resources import files

import pytest

import veridical as vd
from veridical import strict_json
from veridical.cli import main
from veridical.errors import ConfigurationError, MetricNameError
from veridical.metrics import every_measure, find
from veridical.policy import Rule, load_policy
from veridical.policy.deciding import meets
from veridical.regulation import load_regulations
from veridical.results import Conditions, Measured
from veridical.stability import Light, light_of

ENTRIES = {entry.id: entry for entry in vd.catalogue()}


def test_every_form_of_every_metric_has_one_entry():
    forms = [form.id for measure in every_measure() for form in measure.forms.values()]
    assert [entry.id for entry in vd.catalogue()] == forms
    assert len(set(forms)) == len(forms)


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_answers_what_a_reader_asks(name):
    entry = ENTRIES[name]
    for answer in (entry.definition_text, entry.formula, entry.undefined, entry.references):
        assert answer
        assert answer.strip() == answer
    assert entry.module.startswith("veridical.metrics.")
    assert json.loads(strict_json.dumps(entry.to_dict()))["metric"] == name


def test_targets_are_those_of_the_shipped_standard():
    rules = {str(rule.metric): rule for rule in load_policy("metric-standard").rules}
    assert ENTRIES["binary.roc_auc"].target == {"at_least": rules["binary.roc_auc"].at_least}
    assert ENTRIES["calibration.brier"].target == {"at_most": rules["calibration.brier"].at_most}
    points = ENTRIES["binary.recall@fpr="].target
    assert points == {
        name: rules[name].at_least for name in rules if name.startswith("binary.recall@fpr=")
    }
    assert ENTRIES["binary.mcc"].target is None


def test_targets_of_fairness_are_those_of_its_standard():
    rules = {str(rule.metric): rule for rule in load_policy("fairness-standard").rules}
    for name, rule in rules.items():
        assert ENTRIES[name].target == {"at_least": rule.at_least, "at_most": rule.at_most}


def test_what_is_cited_is_a_metric_with_a_status_of_a_day():
    table = load_regulations()
    for row in table.evidence:
        assert row.metric in ENTRIES
        told = ENTRIES[row.metric].evidence
        assert any(f"status as of {table.as_of}" in line for line in told)
    told, asked, warning = ENTRIES["drift.psi"].evidence
    assert asked.startswith("SR 11-7 / OCC 2011-12 asks that models be")
    assert "rescinded on 2026-04-17" in told
    assert warning.endswith("cite SR 26-2 / OCC Bulletin 2026-13 / FDIC FIL-15-2026")
    assert ENTRIES["drift.psi"].target == {"below": 0.10}
    assert ENTRIES["drift.jsd"].target == {"at_most": 0.15}
    assert ENTRIES["binary.roc_auc"].purpose == "general discrimination ranking"
    assert ENTRIES["binary.mcc"].evidence == ()


def test_the_master_table_says_symbol_purpose_target_and_reading():
    table = load_regulations()
    # PR-AUC, ROC-AUC, recall at two rates, ECE, Brier, PSI, JSD, DIR, EOD and DPD.
    assert len(table.rows) == 10
    assert {row.metric for row in table.rows} == {row.metric for row in table.evidence}
    for row in table.rows:
        entry = ENTRIES[row.metric]
        assert (entry.symbol, entry.reading) == (row.symbol, row.reading)
        assert entry.target
        assert entry.standard == entry.facts()["standard"]
        assert entry.to_dict()["symbol"] == row.symbol
    # What is said of PSI is what its light does, at the bounds and beside them.
    rule = Rule(metric="drift.psi", **ENTRIES["drift.psi"].target)
    for psi in (0.0, math.nextafter(0.1, 0), 0.1, math.nextafter(0.1, 1), 0.25, 0.3):
        enough = Conditions(observed={"quantile_without_drift": 0.01})
        light = light_of(Measured(psi, 5000, conditions=enough))
        assert meets(rule, psi) == (light is Light.STABLE)
    assert ENTRIES["binary.mcc"].symbol is ENTRIES["binary.mcc"].reading is None


def test_the_command_shows_the_master_table(capsys):
    assert main(["metrics", "--standard"]) == 0
    out = capsys.readouterr().out
    shown = [line.split("  ") for line in out.split("\n") if line[:1].isalpha() and "  " in line]
    table = load_regulations()
    assert shown == [[row.symbol, row.metric] for row in table.rows]
    flat = " ".join(out.split())
    for row in table.rows:
        assert row.reading in flat
        assert f"target {ENTRIES[row.metric].standard}" in flat
    assert "warning SR 11-7 / OCC 2011-12 is no longer in force; cite SR 26-2" in flat
    assert max(map(len, out.split("\n"))) <= 80
    assert main(["metrics", "--standard", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["metrics"]) == 10


def test_a_text_that_is_not_in_force_names_its_successor():
    table = load_regulations()
    for instrument in table.instruments:
        gone = instrument.status in {"no longer in force", "cited in error"}
        assert gone == (table.warning(instrument) is not None)
        assert instrument.source
        if gone:
            assert table.instrument(instrument.successor).successor is None
    cited = {row.instrument for row in table.evidence}
    assert cited <= {instrument.id for instrument in table.instruments}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("successor: sr-26-2", "successor: sr-99", "no instrument 'sr-99'"),
        ("id: reg-b", "id: ugesp", "stands twice"),
        ("status: amended", "status: fine", "instruments.5.status"),
        ("checked: false", "checkd: false", "instruments.0"),
        ("target: {below: 0.10}", "target: {}", "a target has a bound"),
        ("metric: drift.jsd\n    symbol", "metric: drift.psi\n    symbol", "a metric has two rows"),
    ],
)
def test_a_table_that_does_not_hold_is_refused(tmp_path, old, new, said):
    shipped = files("veridical").joinpath("regulation", "instruments.yaml").read_text()
    at = tmp_path / "instruments.yaml"
    at.write_text(shipped.replace(old, new, 1))
    with pytest.raises(ConfigurationError) as raised:
        load_regulations(at)
    assert said in str(raised.value)


@pytest.mark.parametrize("name", ["P_5", " ndcg_cut.10 ", "iprec_at_recall_0.10"])
def test_a_name_that_trec_eval_prints_is_told_as_it_is_called_here(name):
    with pytest.raises(MetricNameError) as caught:
        find(name)
    assert caught.value.fix == f"did you mean trec.{name.strip()}?"
    assert find(f"trec.{name.strip()}").family == "trec"
