"""Rule files: what is read, and what each mistake in one is answered with."""

from pathlib import Path

import pytest
import yaml

from veridical.errors import ConfigurationError, FileMissingError
from veridical.policy import Policy, load_policy, shipped_policies

TARGETS = {
    "binary.average_precision": ("at_least", 0.75),
    "binary.roc_auc": ("at_least", 0.95),
    "binary.recall@fpr=0.001": ("at_least", 0.60),
    "binary.recall@fpr=0.0001": ("at_least", 0.50),
    "calibration.ece": ("at_most", 0.03),
    "calibration.brier": ("at_most", 0.02),
}
HEAD = "version: 1\nname: house\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "house.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refusal(folder: Path, text: str | bytes) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load_policy(written(folder, text))
    return str(caught.value)


@pytest.mark.parametrize("name", ["metric-standard", "bank"])
def test_the_shipped_policies_hold_the_targets_of_the_standard(name):
    policy = load_policy(name)
    found = {rule.metric: next(iter(rule.bounds.items())) for rule in policy.rules}
    assert found == TARGETS
    assert policy.name == name
    assert policy.source == "CFI-SPEC-METRICS-2026-V1"


def test_the_bank_has_prices_and_the_standard_has_none():
    prices = load_policy("bank").costs.costs
    assert prices.to_dict() == {"fn": "850", "fp": "25", "review": "5", "currency": "USD"}
    assert prices.false_alarm == 30
    assert load_policy("metric-standard").costs is None


def test_the_bands_of_the_standard_are_half_open():
    (bands,) = load_policy("metric-standard").bands
    labels = [band.label for band in bands.bands]
    assert [bands.of(x) for x in (1.0, 0.75)] == [labels[0]] * 2
    assert [bands.of(x) for x in (0.7499999, 0.745, 0.4)] == [labels[1]] * 3
    assert [bands.of(x) for x in (0.3999999, 0.3, 0.2)] == [labels[2]] * 3
    assert [bands.of(x) for x in (0.1999999, 0.0)] == [labels[3]] * 2
    assert bands.spanned(0.39, 0.76) == tuple(labels[:3])
    assert "0.74 to 0.75" in bands.note
    assert "0.20 to 0.40" in bands.note


@pytest.mark.parametrize("path", shipped_policies().values(), ids=lambda path: path.name)
def test_no_shipped_policy_certifies_anything(path):
    assert "complian" not in path.read_text(encoding="utf-8").casefold()


def test_the_hash_is_of_what_the_file_means(tmp_path):
    one = load_policy(written(tmp_path, HEAD + "rules: [{metric: PR-AUC, at_least: 0.5}]\n"))
    same = "name: house  # ours\nversion: 1\nrules:\n- at_least: 5e-1\n  metric: pr_auc\n"
    two = load_policy(written(tmp_path, same))
    other = load_policy(written(tmp_path, HEAD + "rules: [{metric: PR-AUC, at_least: 0.51}]\n"))
    assert one.sha256 == two.sha256 != other.sha256


def test_a_policy_and_its_path_and_its_name_are_the_same():
    policy = load_policy("bank")
    assert load_policy(policy) is policy
    assert load_policy(shipped_policies()["bank"]) == policy


def test_an_unknown_key_is_named_with_its_line_and_the_nearest_key(tmp_path):
    text = HEAD + "rules:\n  - metric: roc_auc\n    at_leest: 0.9\n"
    message = refusal(tmp_path, text)
    assert "at_leest" in message
    assert "house.yaml:5" in message
    assert "did you mean 'at_least'" in message


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + "ruels: []\n", 3, "did you mean 'rules'"),
        (HEAD + "rules:\n- metric: roc_acu\n  at_least: 0.9\n", 4, "binary.roc_auc"),
        (HEAD + "rules:\n- metric: recall@fpr=2\n  at_least: 0.9\n", 4, "from 0 to 1"),
        (HEAD + "rules:\n- metric: roc_auc\n", 4, "no bound"),
        (HEAD + "rules:\n- metric: roc_auc\n  at_least: 95\n", 4, "fractions"),
        (HEAD + "rules:\n- metric: roc_auc\n  at_least: .nan\n", 5, "number"),
        (HEAD + "rules:\n- metric: roc_auc\n  at_least: true\n", 5, "number"),
        (HEAD + "rules:\n- metric: roc_auc\n  at_least: '0.9'\n", 5, "number"),
        (HEAD + "rules:\n- {metric: f1, at_least: 0.9, at_most: 0.8}\n", 4, "no value of"),
        (HEAD + "rules:\n- {metric: f1, at_least: 0.8, below: 0.8}\n", 4, "no value of"),
        (HEAD + "rules:\n- {metric: f1, above: 0.8, at_most: 0.8}\n", 4, "no value of"),
        (HEAD + "rules:\n- {metric: psi, below: 0}\n", 4, "is below 0"),
        (HEAD + "rules:\n- {metric: f1, above: 1}\n", 4, "is above 1"),
        (HEAD + "rules:\n- {metric: f1, at_least: 0.9, min_n: 0}\n", 4, "greater than"),
        (HEAD + "rules:\n- {metric: calibration.slope, value: 1}\n", 4, "no better side"),
        (HEAD + "costs: {fn: -1, fp: 2}\n", 3, "greater than"),
        (HEAD + "costs: {fn: 1}\n", 3, "'fp' is missing"),
        (HEAD + "bands:\n- metric: ap\n  bands: [{label: a}, {label: b}]\n", 4, "at_least"),
        (
            HEAD + "bands:\n- metric: ap\n  bands:\n  - {label: a, at_least: 0.1}\n"
            "  - {label: b, at_least: 0.2}\n  - {label: c}\n",
            4,
            "highest to the lowest",
        ),
        (HEAD + "version: 2\nrules: []\n", 3, "stands twice"),
        (HEAD + "rules: &a []\nbands: *a\n", 4, "aliases"),
        (HEAD + "1: x\n", 3, "a key is text"),
        (HEAD + "rules: [\n", 4, "not YAML"),
        ("version: 1\nname: '<b>'\nrules: []\n", 2, "pattern"),
        (HEAD, 1, "empty"),
    ],
)
def test_each_mistake_is_answered_with_its_line(tmp_path, text, line, words):
    message = refusal(tmp_path, text)
    assert words in message
    assert f"house.yaml:{line}" in message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- 1\n",
        "just text\n",
        b"\xff\xfe\x00",
        HEAD + "---\nname: two\n",
        "!!python/name:os.system\n",
    ],
)
def test_what_is_no_policy_is_refused(tmp_path, text):
    assert "house.yaml" in refusal(tmp_path, text)


def test_a_file_too_large_and_a_folder_are_refused(tmp_path):
    assert "1,000,000" in refusal(tmp_path, HEAD + "#" * 1_000_001)
    with pytest.raises(ConfigurationError, match="not a regular file"):
        load_policy(tmp_path)


def test_nesting_without_end_is_refused(tmp_path):
    assert "not YAML" in refusal(tmp_path, HEAD + "rules: " + "[" * 50_000)


def test_an_unknown_name_suggests_the_nearest_policy():
    with pytest.raises(FileMissingError, match="did you mean metric-standard"):
        load_policy("metric-standart")


@pytest.mark.parametrize("text", ["1e-3", "1.0e-3", "0.001", "+0.001", ".001", "1E-3"])
def test_numbers_are_those_of_json_readers(tmp_path, text):
    path = written(tmp_path, HEAD + f"rules: [{{metric: roc_auc, at_least: {text}}}]\n")
    assert load_policy(path).rules[0].at_least == pytest.approx(0.001, abs=0)


def test_words_of_old_yaml_stay_text(tmp_path):
    text = HEAD + "source: no\ndescription: 2026-01-01\ncosts: {fn: 1, fp: 1, currency: off}\n"
    policy = load_policy(written(tmp_path, text))
    assert (policy.source, policy.description, policy.costs.currency) == ("no", "2026-01-01", "off")


def test_a_policy_reads_back_what_it_writes(tmp_path):
    policy = load_policy("bank")
    assert load_policy(written(tmp_path, yaml.safe_dump(policy.to_dict()))) == policy
    assert Policy.model_validate(policy.to_dict()).sha256 == policy.sha256


@pytest.mark.parametrize("amount", ["1e308", "1e31", "1e-31", "-1"])
def test_a_price_that_cannot_be_added_up_is_bad_configuration(tmp_path, amount):
    path = tmp_path / "p.yaml"
    text = f"version: 1\nname: x\ncosts:\n  fn: {amount}\n  fp: 1\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"p\.yaml:[34]"):
        load_policy(path)
