"""``veridical fairness``: what it prints, in every form, and how it ends."""

from __future__ import annotations

import json
import re

import pytest

from veridical.cli import main
from veridical.metric_catalogue import catalogue
from veridical.parity import evaluate_fairness
from veridical.regulation import load_regulations
from veridical.report.fairness import fairness_markdown, fairness_text

HOSTILE = "<script>alert(1)</script>\x1b[31m|`x`"


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["fairness", *words]))
    out = capsys.readouterr()
    return ended.value.code or 0, out.out, out.err


@pytest.fixture(scope="module")
def credit(root):
    return str(root / "examples" / "credit" / "hmda_scores.csv")


CREDIT = (
    "--score", "p_boosting", "--threshold", "0.2", "--label", "denied", "--group", "black",
    "--favourable", "0",
)  # fmt: skip


def test_the_text(credit, capsys):
    code, out, _ = run(capsys, credit, *CREDIT, "--policy", "fairness-standard")
    assert code == 0
    assert "black=no (the largest group)" in out
    assert "of unfavourable 2.828" in " ".join(out.split())
    assert "-1,925.9 in 10,000" in out
    assert "four-fifths screen fails" in out
    assert "employment law" in out
    assert "sets no such number" in " ".join(out.split())
    assert "status as of" in out
    assert "not met" in out


def test_the_document(credit, capsys):
    code, out, _ = run(capsys, credit, *CREDIT, "--json")
    assert code == 0
    document = json.loads(out)
    ev = evaluate_fairness(
        credit, score="p_boosting", threshold=0.2, label="denied", groups="black", favourable="0"
    )
    assert document == json.loads(json.dumps(ev.to_dict()))
    found = {one["metric"]: one["value"] for one in document["results"]}
    assert found["fairness.disparate_impact_ratio"] == (238 / 339) / (1826 / 2041)
    assert [group["group"] for group in document["groups"]] == ["black=no", "black=yes"]
    assert document["source"]["favourable"] == "0"


def test_markdown_and_a_saved_run(credit, capsys, tmp_path):
    store = str(tmp_path / "runs.db")
    code, out, err = run(capsys, credit, *CREDIT, "--markdown", "--save", "fair", "--store", store)
    assert code == 0
    assert out.startswith("### Fairness of p")
    assert "**Both outcomes**" in out
    assert "saved: fair" in err
    with pytest.raises(SystemExit):
        raise SystemExit(main(["runs", "show", "fair", "--store", store]))
    assert "0.7847" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--decision", "denied", "--group", "black"), 64, "--favourable"),
        (("--group", "black", "--favourable", "0"), 64, "decision="),
        (("--decision", "denied", "--favourable", "0", "--group", "no"), 65, "no"),
        (
            ("--decision", "denied", "--favourable", "0", "--group", "black", "--reference", "x"),
            64,
            "black=no",
        ),
    ],
)
def test_refusals(credit, capsys, words, code, said):
    ended, out, err = run(capsys, credit, *words)
    assert ended == code
    assert said in err
    assert out == ""


def test_one_group_is_undecided(tmp_path, capsys):
    (tmp_path / "one.csv").write_text("d,g\n1,a\n0,a\n")
    words = (str(tmp_path / "one.csv"), "--decision", "d", "--group", "g", "--favourable", "1")
    code, out, _ = run(capsys, *words)
    assert code == 3
    assert "every row is in the group g=a" in out


def test_hostile_names():
    data = {HOSTILE: [1, 0, 1, 0], "g\u202e": [HOSTILE, HOSTILE, "b", "b"]}
    ev = evaluate_fairness(
        data, decision=HOSTILE, groups="g\u202e", favourable=1, policy="fairness-standard"
    )
    text, markdown = fairness_text(ev), fairness_markdown(ev)
    for written in (text, markdown):
        assert "\x1b" not in written
        assert "\u202e" not in written
    assert "<script>" not in markdown


def test_no_output_says_that_a_law_is_complied_with(credit, capsys):
    """A tool certifies nothing, so the word is nowhere: not in a text, a document or an entry."""
    words = re.compile(r"\bcompliant\b|\bcompl(y|ies|ied) with\b", re.IGNORECASE)
    shown = [run(capsys, credit, *CREDIT, *form)[1] for form in ((), ("--json",), ("--markdown",))]
    for entry in catalogue():
        shown += [json.dumps(entry.to_dict()), *entry.evidence]
    shown.append(load_regulations().model_dump_json())
    for name in ("drift.psi", "dir", "binary.roc_auc"):
        with pytest.raises(SystemExit):
            raise SystemExit(main(["metrics", name]))
        shown.append(capsys.readouterr().out)
    assert len(shown) > 50
    for text in shown:
        found = words.search(text)
        assert found is None, found
