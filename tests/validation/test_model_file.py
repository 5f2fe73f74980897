"""What may stand in a model file; an error names its line."""

import pytest

from tests.validation.models import MODEL, describe
from veridical.errors import ConfigurationError, FileMissingError, VeridicalError
from veridical.validation.description import read_description

TEXT = """name: m
version: 3
purpose: p
owner: o
data:
  development: a.csv
  out_of_time: b.csv
  label: y
  score: s
policy: metric-standard
"""


def read(folder, text):
    file = folder / "model.yaml"
    file.write_text(text, encoding="utf-8")
    return read_description(file)


def refused(folder, text):
    with pytest.raises(VeridicalError) as caught:
        read(folder, text)
    return caught.value


def test_the_least(tmp_path):
    described = read(tmp_path, TEXT)
    assert described.file.version == 3
    assert described.development == str(tmp_path / "a.csv")
    assert [policy.name for policy in described.policies] == ["metric-standard"]
    assert described.costs is None


def test_everything(tmp_path):
    described = read_description(describe(tmp_path, threshold=0.5, categorical=["channel"]))
    assert described.file.policy == tuple(MODEL["policy"])
    assert described.data.proxies == ("channel",)
    assert str(described.costs.false_alarm) == "30"


def test_a_price_may_be_a_column(tmp_path):
    described = read_description(describe(tmp_path, costs={"fn": "amount", "fp": 25}))
    assert described.costs.columns == ("amount",)


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("owner: o\n", "", 1, "'owner' is missing"),
        ("owner: o", "ower: o", 4, "there is no key 'ower'"),
        ("policy: metric", "polcy: x\npolicy: metric", 10, "there is no key 'polcy'"),
        ("  score: s", "  score: s\n  threshhold: 1", 10, "there is no key 'threshhold'"),
        ("  score: s", "  score: s\n  costs: {fn: 1, fp: 1, curency: x}", 10, "no key 'curency'"),
        ("  score: s", "  score: s\n  costs: {fn: -1, fp: 1}", 10, "greater than or equal to 0"),
        ("  score: s", "  score: s\n  costs: {fn: 1.0e40, fp: 1}", 10, "lies between"),
        ("  score: s", "  score: s\n  proxies: [g]", 5, "proxies need favourable"),
        ("  score: s", "  score: s\n  favourable: 2", 10, "0 or 1"),
        ("  score: s", "  score: s\n  champion: s", 5, "a score column of its own"),
        ("  score: s", "  score: s\n  categorical: [f]", 5, "'f', which is no feature"),
        ("  score: s", "  score: 7", 9, "valid string"),
        ("version: 3", "version: 3.10", 2, "write it in quotes"),
        ("purpose: p", "purpose: A Compliant model", 3, "certifies nothing"),
        ("policy: metric-standard", "policy: []", 10, "at least 1 item"),
        ("policy:", "limitations: [fine, COMPLIANT]\npolicy:", 10, "certifies nothing"),
    ],
)
def test_what_does_not_hold_is_told_with_its_line(tmp_path, before, after, line, words):
    assert before in TEXT
    error = refused(tmp_path, TEXT.replace(before, after))
    assert isinstance(error, ConfigurationError)
    assert error.where.startswith(f"{tmp_path / 'model.yaml'}:{line}")
    assert words in error.what


def test_near_keys_are_suggested(tmp_path):
    assert (
        "'threshold'" in refused(tmp_path, TEXT.replace("  score", "  threshhold: 1\n  score")).fix
    )


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileMissingError, match="no model file"):
        read_description(tmp_path / "none.yaml")
    error = refused(tmp_path, TEXT.replace("metric-standard", "metric-standart"))
    assert "metric-standard" in error.fix
    error = refused(tmp_path, TEXT.replace("metric-standard", "house.yaml"))
    assert isinstance(error, FileMissingError)


def test_a_policy_stands_beside_the_model_file(tmp_path, monkeypatch):
    (tmp_path / "house.yaml").write_text(
        "version: 1\nname: house\nrules: [{metric: roc_auc, at_least: 0.9}]\n"
    )
    monkeypatch.chdir(tmp_path.parent)
    described = read(tmp_path, TEXT.replace("metric-standard", "[house.yaml, bank]"))
    assert [policy.name for policy in described.policies] == ["house", "bank"]
    assert described.policy_files == [str(tmp_path / "house.yaml")]
    assert described.costs.fn == 850


def test_no_yaml_of_this_kind(tmp_path):
    assert "mapping" in refused(tmp_path, "- a\n").what
    assert refused(tmp_path, TEXT + "name: again\n").where.endswith("model.yaml:11")
