"""A rule's own note is no part of the reason of its verdict, whoever shows the two."""

import json

import pytest

import veridical as vd
from tests.validation.models import DAY, write_model
from veridical.evaluation.restored import policy_verdict
from veridical.gates import gate
from veridical.gates.github import workflow_commands
from veridical.gates.junit import gate_junit
from veridical.gates.markdown import gate_markdown
from veridical.gates.terminal import gate_text
from veridical.policy import Policy
from veridical.report.fairness import fairness_markdown, fairness_text
from veridical.report.markdown import markdown
from veridical.report.terminal import terminal_text
from veridical.validation.markdown import validation_markdown

NOTE, WHY = "ours; not theirs", "n = 6, fewer than 500"
DATA = {"y": [1, 1, 1, 0, 0, 0], "p": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1], "g": list("aabbab")}


def policy(metric):
    rule = {"metric": metric, "at_least": 0.75, "min_n": 500, "note": NOTE}
    return Policy(version=1, name="house", rules=[rule])


@pytest.fixture(scope="module")
def scores():
    return vd.evaluate(DATA, ["roc_auc"], label="y", score="p", policy=policy("roc_auc"))


@pytest.fixture(scope="module")
def fairness():
    of = {"groups": "g", "favourable": 1, "decision": "y"}
    return vd.evaluate_fairness(
        DATA, policy=policy("fairness.disparate_impact_ratio"), min_size=0, **of
    )


def flat(text):
    return " ".join(text.split())


def test_the_row_has_both(scores, fairness):
    for ev in (scores, fairness):
        (row,) = ev.policy.rows
        assert row.note == NOTE
        assert "fewer than 500" in row.why
        assert NOTE not in row.why
        document = row.to_dict()
        assert (document["why"], document["note"]) == (row.why, NOTE)


def test_each_text_has_it_as_a_line(scores, fairness):
    for text in (terminal_text(scores), fairness_text(fairness)):
        assert [line.strip() for line in text.splitlines()].count(f"note: {NOTE}") == 1
    for text in (markdown(scores), fairness_markdown(fairness)):
        (row,) = (line for line in text.splitlines() if NOTE in line)
        assert row.split("|")[-2].strip() == NOTE
        assert "fewer than 500" in row.split("|")[-3]


def test_a_gate_has_it_as_a_line(scores):
    found = gate(scores, policy("roc_auc"))
    assert found.rules[0].to_dict()["why"] == WHY
    assert [line.strip() for line in gate_text(found).splitlines()].count(f"note: {NOTE}") == 1
    assert f"<br>note: {NOTE}" in gate_markdown(found)
    assert f"\nnote: {NOTE}\n" in gate_junit(found)
    assert any(NOTE in command for command in workflow_commands(found))


@pytest.mark.parametrize("which", ["scores", "fairness"])
def test_the_page_has_it_apart(which, request, tmp_path):
    html = request.getfixturevalue(which).report(tmp_path / "page.html").read_text()
    assert f'<small class="note">note: {NOTE}</small>' in html
    assert html.count(NOTE) == 1


def test_a_validation_has_it_apart(tmp_path):
    rule = f"{{metric: roc_auc, at_least: 0.9, min_n: 100000, note: '{NOTE}'}}"
    (tmp_path / "house.yaml").write_text(f"version: 1\nname: house\nrules: [{rule}]\n")
    file = write_model(tmp_path, policy="house.yaml", champion=None, features=None, groups=None)
    validation = vd.validate_model(file, date=DAY)
    (row,) = (line for line in validation_markdown(validation).splitlines() if NOTE in line)
    why, note = (cell.strip() for cell in row.split("|")[-3:-1])
    assert (note, why.endswith("fewer than 100,000")) == (NOTE, True)
    page = validation.report(tmp_path / "page.html").read_text()
    assert f"fewer than 100,000. Note: {NOTE}" in page


def test_a_document_has_all_that_was_found(scores, tmp_path):
    bands = [{"at_least": 0.1, "label": "high"}, {"label": "low"}]
    of_nothing = Policy(version=1, name="bands", bands=[{"metric": "drift.psi", "bands": bands}])
    ev = vd.evaluate(DATA, ["roc_auc"], label="y", score="p", policy=of_nothing)
    ev.save("x", store=tmp_path / "runs.db")
    read = vd.load_run("x", store=tmp_path / "runs.db").evaluation.policy
    assert read.bands == ev.policy.bands
    document = ev.policy.to_dict()
    del document["bands"][0]["result"]  # older versions did not write it
    (band,) = policy_verdict(document, ev.results).bands
    assert (band.result.ok, band.result.metric, band.label) == (False, "drift.psi", None)

    house = Policy(version=1, name="house", rules=[
        {"metric": "roc_auc", "no_worse_than": "baseline", "margin": 0.1},
    ])  # fmt: skip
    found = gate(scores, house, baseline=vd.evaluate(DATA, ["roc_auc"], label="y", score="p"))
    assert found.policy.rows[0].difference is not None
    assert policy_verdict(found.policy.to_dict()) == found.policy


def test_a_document_of_an_older_version_is_read(scores):
    document = json.loads(json.dumps(scores.policy.to_dict()))
    (row,) = document["rows"]
    del row["why"]
    row["note"] = f"{WHY}; {NOTE}"
    (read,) = policy_verdict(document, scores.results).rows
    assert (read.why, read.note) == ("", f"{WHY}; {NOTE}")
    assert policy_verdict(scores.policy.to_dict(), scores.results) == scores.policy
