"""`veridical bench score`, `report`, `compare` and `prices`, as a reader types them."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.conftest import Outcome
from veridical.bench.prices.table import example_text


def fails(outcome: Outcome, code: int, words: str) -> None:
    assert outcome.code == code, outcome.err
    assert words in outcome.err
    assert "Traceback" not in outcome.err
    assert outcome.out == ""


def test_score_tells_the_headline_and_writes_every_case(bench, runs, tmp_path):
    outcome = bench("score", runs["naive"], "--output", tmp_path / "scores.json")
    assert outcome.code == 0
    for words in ("Silent failure", "Exact match", "Escalation", "False alarms"):
        assert words in outcome.out
    assert "closing_copier" in outcome.out
    document = json.loads((tmp_path / "scores.json").read_text())
    assert len(document["rows"]) == 24
    assert {row["agent"] for row in document["rows"]} == {"naive", "closing_copier"}


def test_scores_are_a_pure_function_of_cases_and_trajectories(bench, runs):
    assert bench("score", runs["naive"], "--json") == bench("score", runs["naive"], "--json")


def test_a_suite_of_ones_own_is_found_by_the_plan_or_by_its_seed(bench, runs, tmp_path):
    alone = tmp_path / "alone.jsonl"
    shutil.copy(runs["naive"], alone)
    fails(bench("score", alone), 64, "'small'")
    seeded = bench("score", alone, "--suite-seed", "tests", "--cases", 12, "--json")
    assert seeded.document == bench("score", runs["naive"], "--json").document
    fails(bench("score", alone, "--suite-seed", "another", "--cases", 12), 4, "the case")


def test_several_agents_and_a_price_table(bench, runs, tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text(example_text())
    outcome = bench("score", *runs.values(), "--prices", prices, "--json")
    by_label = {one["agent"]["agent"]: one for one in outcome.document["agents"]}
    money = {
        name: next(r for r in one["results"] if r["metric"] == "bench.money")
        for name, one in by_label.items()
    }
    assert money["scripted_chat"]["value"] > 0
    assert money["naive"]["skip"]["reason"] == "unpriced_model"
    assert by_label["naive"]["unpriced"] == ["no model"]


def test_report_in_all_forms(bench, runs, tmp_path):
    page = tmp_path / "bench.html"
    outcome = bench("report", runs["naive"], runs["reference"], "--report", page)
    assert outcome.code == 0
    assert "Change by change" in outcome.out
    assert page.read_text().startswith("<!doctype html>")
    assert bench("report", runs["naive"], "--markdown").out.startswith("### Bank reconciliation")
    assert bench("report", runs["naive"], "--json").document["schema"] == "veridical.bench_report/1"
    fails(bench("report", runs["naive"], "--markdown", "--json"), 64, "both claim stdout")
    fails(bench("report", runs["naive"], "--report", tmp_path / "no" / "x.html"), 65, "folder")


def test_compare(bench, runs):
    outcome = bench("compare", runs["reference"], runs["naive"], "--json")
    assert outcome.code == 0
    document = outcome.document
    assert (document["n_cases"], document["left_out"]) == (12, {"a": 0, "b": 0})
    exact = next(
        r for r in document["headline"] if r["difference"]["metric"] == "bench.exact_match"
    )
    assert exact["difference"]["value"] == pytest.approx(exact["value_a"] - exact["value_b"])
    text = bench("compare", runs["reference"], runs["naive"]).out
    assert "left out 0 of A alone" in text
    assert "Holm" in text
    assert "Benjamini" in text


def test_a_torn_last_line_is_told_and_skipped(bench, runs, tmp_path):
    torn = tmp_path / "torn.jsonl"
    content = runs["naive"].read_bytes()
    torn.write_bytes(content[:-100])
    outcome = bench("score", torn, "--suite-seed", "tests", "--cases", 12, "--json")
    assert outcome.code == 0
    assert "the last line was never finished" in outcome.err
    naive = next(a for a in outcome.document["agents"] if a["agent"]["agent"] == "naive")
    assert naive["n_trajectories"] == 11


def changed(runs, path, **fields):
    """Write naive's trajectories with some fields of the first line replaced."""
    first, *rest = runs["naive"].read_text().splitlines(keepends=True)
    path.write_text(json.dumps({**json.loads(first), **fields}) + "\n" + "".join(rest))
    shutil.copy(runs["naive"].with_suffix(".run.json"), path.with_suffix(".run.json"))
    return path


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"bench_version": "9.0.0"}, 4, "bench versions"),
        ({"prompt_sha256": "f" * 64}, 4, "more than one prompt"),
        ({"case_sha256": "f" * 64}, 4, "is not the one that was run"),
        ({"case_id": "nobody's"}, 4, "the suite has no case"),
        ({"suite": "other"}, 4, "of the suites"),
        ({"started_at": "yesterday"}, 65, "began at"),
        ({"trial": "0"}, 65, "another type"),
        ({"schema": "trajectory/2"}, 65, "this is no trajectory/1"),
        ({"outcome": "great"}, 65, "the outcome is none of"),
    ],
)
def test_trajectories_that_do_not_belong_are_refused(bench, runs, tmp_path, fields, code, words):
    fails(bench("score", changed(runs, tmp_path / "x.jsonl", **fields)), code, words)


def test_a_case_that_was_run_twice_is_refused(bench, runs, tmp_path):
    path = changed(runs, tmp_path / "x.jsonl")
    path.write_text(path.read_text() + path.read_text())
    fails(bench("score", path), 4, "ended twice")


def test_hostile_submissions_are_scored_as_reason_codes(bench, runs, tmp_path):
    for raw, reason in (
        ("x" * 10_000_000, "too_large"),
        ("[" * 100_000, "too_deep"),
        (json.dumps({"accounts": [], "flags": [{"type": "x"}] * 20_000, "confidence": "low"}),
         "too_many_flags"),
    ):  # fmt: skip
        path = changed(runs, tmp_path / "x.jsonl", submission_raw=raw)
        outcome = bench("score", path, "--json")
        assert outcome.code == 0
        naive = next(a for a in outcome.document["agents"] if a["agent"]["agent"] == "naive")
        assert naive["unparsed_reasons"] == {reason: 1}


def test_nothing_to_score(bench, tmp_path, runs):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    fails(bench("score", empty), 64, "no trajectory to score")
    fails(bench("score", tmp_path / "none.jsonl"), 65, "no such file")
    fails(bench("score", runs["naive"], "--level", 2), 64, "level")


def test_where_nothing_parsed_nothing_is_decided(bench, runs, tmp_path):
    path = tmp_path / "x.jsonl"
    lines = [
        json.dumps({**json.loads(line), "submission_raw": "?"})
        for line in runs["naive"].read_text().splitlines()
    ]
    path.write_text("\n".join(lines) + "\n")
    shutil.copy(runs["naive"].with_suffix(".run.json"), path.with_suffix(".run.json"))
    outcome = bench("score", path)
    assert outcome.code == 3
    assert "none: no" in outcome.out


def test_prices(bench, tmp_path):
    table = tmp_path / "prices.json"
    table.write_text(bench("prices", "example").out)
    outcome = bench("prices", "check", table)
    assert outcome.code == 0
    assert "example-provider/example-model-large from 2026-07-01: input 2.00" in outcome.out
    assert bench("prices", "check", table, "--json").document["n_entries"] == 3
    table.write_text(table.read_text().replace('"2.00"', "2.00"))
    fails(bench("prices", "check", table), 65, "the price of input")


def test_another_map_of_confidence(bench, runs):
    usual = bench("score", runs["naive"], "--json").document
    other = bench("score", runs["naive"], "--confidence", "1,0.5,0", "--json").document
    assert usual["confidence_map"] == {"high": 0.9, "medium": 0.6, "low": 0.3}
    assert other["confidence_map"] == {"high": 1.0, "medium": 0.5, "low": 0.0}

    def brier(document):
        results = document["agents"][0]["results"]
        return next(one["value"] for one in results if one["metric"] == "bench.brier")

    # Always high: the share of wrong answers, instead of 0.81 of it and 0.01 of the right ones.
    wrong = brier(other)
    assert brier(usual) == pytest.approx(0.81 * wrong + 0.01 * (1 - wrong))
    assert (
        "high to 1, medium to 0.5"
        in bench("report", runs["naive"], "--confidence", "1,0.5,0", "--markdown").out
    )
    for bad in ("1,0.5", "a,b,c", "2,1,0", "nan,0,0"):
        fails(bench("score", runs["naive"], "--confidence", bad), 64, "three numbers")
