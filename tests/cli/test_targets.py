"""What a command writes never replaces what it reads."""

import pytest

LABEL_AND_SCORE = ("--label", "y", "--score", "p")


@pytest.fixture
def parts(tmp_path, scores):
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_bytes(scores.read_bytes())
    (tmp_path / "link.csv").symlink_to(scores)
    return folder


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("scores.csv", "scores.csv"),
        ("scores.csv", "parts/../scores.csv"),
        ("scores.csv", "link.csv"),
        ("link.csv", "scores.csv"),
        ("parts", "parts/two.csv"),
        ("parts/*.csv", "parts/two.csv"),
    ],
)
@pytest.mark.parametrize("command", [("evaluate", "--report"), ("summarise", "-o")])
def test_the_data_are_never_replaced(veridical, tmp_path, parts, scores, source, target, command):
    before = (tmp_path / target).read_bytes()
    name, option = command
    outcome = veridical(name, source, *LABEL_AND_SCORE, option, target)
    assert outcome.code == 64
    assert "would replace a file that is read" in outcome.err
    assert (tmp_path / target).read_bytes() == before == scores.read_bytes()
    assert len(list(parts.iterdir())) == 2


def test_the_policy_is_never_replaced(veridical, tmp_path, scores):
    text = "version: 1\nname: mine\nrules:\n  - {metric: roc_auc, at_least: 0.5}\n"
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    asked = ("evaluate", scores, *LABEL_AND_SCORE, "--policy", "mine.yaml")
    assert veridical(*asked, "--report", "mine.yaml").code == 64
    assert (tmp_path / "mine.yaml").read_text(encoding="utf-8") == text
    assert veridical(*asked, "--report", "r.html").code == 0
    assert veridical(*asked, "--report", "r.html").code == 0  # an old report may be replaced


def test_a_pooled_summary_never_replaces_its_parts(veridical, tmp_path, scores):
    assert veridical("summarise", scores, *LABEL_AND_SCORE, "-o", "a.summary").code == 0
    before = (tmp_path / "a.summary").read_bytes()
    assert veridical("merge", "a.summary", "-o", "./a.summary").code == 64
    assert (tmp_path / "a.summary").read_bytes() == before


@pytest.mark.parametrize("name", ["x" * 5000, "", "."])
def test_a_name_that_no_file_can_have(veridical, scores, name):
    outcome = veridical("evaluate", scores, *LABEL_AND_SCORE, "--report", name)
    assert outcome.code == 65
    assert "fix: " in outcome.err
    assert "internal" not in outcome.err
