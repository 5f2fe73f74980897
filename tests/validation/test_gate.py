"""A gate on a saved validation says of its model what ``validate`` says."""

import json

import pytest

import veridical as vd
from tests.validation.models import DAY, describe, write_model
from veridical.cli import main
from veridical.errors import RunNotFoundError
from veridical.gates import gate
from veridical.gates.terminal import gate_text
from veridical.policy import load_policy
from veridical.validation import validate_model

OUTCOMES = {"met": "pass", "not met": "fail", "undecided": "undecided"}
RULES = {
    "all": """\
  - {metric: binary.roc_auc, at_least: 0.9}
  - {metric: binary.roc_auc, no_worse_than: baseline, margin: 0.05}
  - {metric: drift.psi, at_most: 0.25}
  - {metric: fairness.disparate_impact_ratio, at_least: 0.5}
  - {metric: fairness.disparate_impact_ratio, at_least: 0.9, group: channel=online}
  - {metric: retrieval.ndcg@10, at_least: 0.5}
""",
    "good": """\
  - {metric: binary.roc_auc, at_least: 0.9}
  - {metric: drift.psi, value: 0.25}
""",
    "bad": "  - {metric: binary.roc_auc, at_least: 0.9999}\n",
    "drift": "  - {metric: drift.psi, value: 0.25}\n",
    "nothing": "  - {metric: drift.psi, at_most: 0.0}\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    at = tmp_path_factory.mktemp("saved")
    for name, rules in RULES.items():
        (at / f"{name}.yaml").write_text(f"version: 1\nname: {name}\nrules:\n{rules}")
    write_model(at, policy=[*(f"{name}.yaml" for name in RULES), "fairness-standard"])
    return at


@pytest.fixture(scope="module")
def store(folder):
    return str(folder / "runs.db")


@pytest.fixture(scope="module")
def saved(folder, store):
    """A validation under a name, and then one of another model under none."""
    validation = validate_model(folder / "model.yaml", date=DAY)
    runs = validation.save("fraud", store=store)
    describe(folder, policy="all.yaml", score="old", champion=None, proxies=None)
    other = validate_model(folder / "model.yaml", date=DAY).save(store=store)
    return validation, runs, other


@pytest.mark.parametrize("name", [*RULES, "fairness-standard"])
def test_the_gate_says_what_the_validation_says(folder, store, saved, name):
    validation, *_ = saved
    (told,) = (one for one in validation.verdicts if one.name == name)
    rules = folder / f"{name}.yaml" if name in RULES else name
    alone = validate_model(describe(folder, policy=[str(rules)]), date=DAY).verdict
    found = gate("fraud", rules, store=store)
    assert found.verdict == OUTCOMES[alone]
    assert [(row.rule, row.verdict, row.result, row.vacuous) for row in found.policy.rows] == [
        (row.rule, row.verdict, row.result, row.vacuous) for row in told.rows
    ]
    assert [row.difference for row in found.policy.rows] == [row.difference for row in told.rows]


def test_every_name_of_it_is_the_whole(folder, store, saved):
    _, runs, _ = saved
    verdicts = [
        gate(name, folder / "all.yaml", store=store).to_dict()
        for name in ("fraud", "fraud-verdict", runs[0].id, runs[-1].id)
    ]
    assert all(one == verdicts[0] for one in verdicts)
    assert verdicts[0]["validation"] == {
        "model": "score",
        "champion": "old",
        "verdict": runs[-1].id,
        "parts": {"scores": runs[0].id, "drift": runs[1].id, "fairness": runs[2].id},
    }


def test_what_it_is_of_is_told(folder, store, saved):
    text = " ".join(gate_text(gate("fraud", folder / "all.yaml", store=store)).split())
    told = "a validation of score: scores, drift, fairness; the baseline is its champion, old"
    assert told in text
    text = gate_text(gate("fraud", folder / "drift.yaml", store=store))
    assert "no rule that passes asks for skill" in text


def test_one_without_a_name_groups_and_champion(folder, store, saved):
    *_, runs = saved
    found = gate(runs[0].id, folder / "all.yaml", store=store)
    assert {row.result.subject for row in found.policy.rows if row.rule.startswith("binary")} == {
        "old"
    }
    by_rule = {row.rule: row for row in found.policy.rows}
    skipped = by_rule["fairness.disparate_impact_ratio at least 0.5"].result
    assert (skipped.reason, runs[-1].id in skipped.detail) == ("no_groups", True)
    (row,) = (row for row in found.policy.rows if "worse than" in row.rule)
    assert (row.verdict, "from the champion" in row.why) == ("undecided", True)


def test_the_champion_has_scores_alone(folder, store, saved):
    found = gate("fraud", folder / "all.yaml", subject="old", store=store)
    by_rule = {row.rule: row for row in found.policy.rows}
    assert by_rule["binary.roc_auc at least 0.9"].result.subject == "old"
    assert by_rule["drift.psi at most 0.25"].verdict == "skipped"
    assert "is of 'score'" in by_rule["drift.psi at most 0.25"].result.detail


def test_a_baseline_takes_the_place_of_the_champion(folder, store, saved):
    *_, runs = saved
    found = gate("fraud", folder / "all.yaml", baseline=runs[0].id, allow=["data"], store=store)
    (row,) = (row for row in found.policy.rows if "worse than" in row.rule)
    assert row.difference.ok
    assert "its champion" not in gate_text(found)


def test_a_part_alone_is_refused(folder, store, saved, tmp_path, capsys):
    with vd.store.Store(store) as opened:
        opened.export(["fraud"], tmp_path / "x.runs")
    elsewhere = str(tmp_path / "other.db")
    with vd.store.Store(elsewhere) as other:
        other.import_file(tmp_path / "x.runs")
    with pytest.raises(RunNotFoundError, match="part of a validation, and its verdict is not in"):
        gate("fraud", folder / "all.yaml", store=elsewhere)
    assert main(["runs", "show", "fraud", "--store", store, "--json"]) == 0
    (tmp_path / "run.json").write_text(capsys.readouterr().out)
    with pytest.raises(RunNotFoundError, match="part of a validation"):
        gate(tmp_path / "run.json", folder / "all.yaml", store=store)
    assert json.loads((tmp_path / "run.json").read_text())["document"]["results"]


def test_runs_that_were_saved_before_are_known_by_their_verdict(folder, store, saved, tmp_path):
    validation, *_ = saved
    elsewhere = str(tmp_path / "old.db")
    of = {
        "scores": validation.out_of_time.save("fraud", store=elsewhere),
        "drift": validation.drift.save("fraud-drift", store=elsewhere),
        "fairness": validation.fairness.save("fraud-fairness", store=elsewhere),
    }
    from veridical.validation.record import recorded_verdict

    recorded_verdict(validation, of).save("fraud-verdict", store=elsewhere)
    then = gate("fraud", folder / "all.yaml", store=elsewhere)
    now = gate("fraud", folder / "all.yaml", store=store)
    assert then.policy.to_dict() == now.policy.to_dict()
    alone = validation.out_of_time.save("plain", store=elsewhere)
    assert (
        len(gate("plain", load_policy(folder / "good.yaml"), store=elsewhere).policy.subjects) == 2
    )
    assert alone.kind == "evaluation"
