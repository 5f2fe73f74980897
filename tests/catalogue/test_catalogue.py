"""The public catalogue: every metric, with everything that the public page promises of it."""

from __future__ import annotations

import json

import pytest

import veridical as vd
from veridical import strict_json
from veridical.metrics import every_measure
from veridical.policy import load_policy

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
