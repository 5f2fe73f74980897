"""An option that is a whole number is never rounded to one."""

import pytest

EVALUATE = ("evaluate", "scores.csv", "--label", "y", "--score", "p", "--json")


@pytest.mark.parametrize("text", ["1.5", "2.0", "0x10", "0b1", "1_0", "1e3", "1.0e400", "", "x"])
@pytest.mark.parametrize("option", ["--seed", "--bins", "--threads"])
def test_what_is_no_whole_number(veridical, scores, option, text):
    del scores
    outcome = veridical(*EVALUATE, f"{option}={text}")
    assert (outcome.code, outcome.out) == (64, "")
    assert option in outcome.err


def test_digits_are_taken_as_they_are(veridical, scores):
    del scores
    large = 123456789012345678901234567890
    assert veridical(*EVALUATE, "--seed", large).document["source"]["seed"] == large


def test_settings_from_elsewhere_are_held_to_the_same(veridical, scores, tmp_path, monkeypatch):
    del scores
    monkeypatch.setenv("VERIDICAL_SEED", "1.5")
    outcome = veridical(*EVALUATE)
    assert outcome.code == 65
    assert "VERIDICAL_SEED" in outcome.err
    monkeypatch.delenv("VERIDICAL_SEED")
    (tmp_path / "veridical.yaml").write_text("bins: 10.5\n", encoding="utf-8")
    assert veridical(*EVALUATE).code == 65


def test_an_example_without_a_name(veridical):
    outcome = veridical("example", "fraud", "-o", "")
    assert outcome.code == 64
    assert "fraud.csv" in outcome.err
