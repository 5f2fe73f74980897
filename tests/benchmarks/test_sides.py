"""The sides that the benchmarks race give the same numbers; tables say what was measured."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch):
    """Return a benchmark script by name, imported as it is when run."""
    monkeypatch.syspath_prepend(str(FOLDER))

    def imported(name: str):
        return importlib.import_module(name)

    yield imported
    for name in ("harness", "memory_bench", "files_bench", "intervals_bench", "write_results"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("prevalence", [0.01, 0.3])
@pytest.mark.parametrize("other", ["scikit_learn", "scikit_learn_once"])
def test_six_metrics_agree(script, prevalence, other):
    memory, harness = script("memory_bench"), script("harness")
    data = harness.rare_events(30_000, prevalence)
    found = memory.veridical(data)
    assert set(found) == set(memory.SHORT)
    assert getattr(memory, other)(data) == pytest.approx(found, rel=1e-10)


@pytest.mark.parametrize("other", ["scikit_learn_auc", "duckdb_auc"])
def test_areas_agree(script, other):
    pytest.importorskip("duckdb")
    memory, harness = script("memory_bench"), script("harness")
    data = harness.rare_events(30_000, 0.01)
    assert getattr(memory, other)(data) == pytest.approx(memory.veridical_auc(data), rel=1e-10)


def test_files_agree_with_the_database(script, monkeypatch, tmp_path):
    pytest.importorskip("duckdb")
    files = script("files_bench")
    monkeypatch.setattr(files, "WORK", tmp_path)
    path = files.parquet(30_000)
    assert files.duckdb_auc(path)["auc"] == pytest.approx(files.veridical(path)["auc"], rel=1e-10)


def test_a_race_compares_answers_before_it_gives_a_time(script, monkeypatch, tmp_path):
    harness = script("harness")
    monkeypatch.setattr(harness, "WORK", tmp_path)
    data = harness.written("rows", lambda: harness.rare_events(2000, 0.1))
    times = harness.race("memory_bench", data, [harness.Side("ours", "veridical")])
    assert times["ours"].seconds > 0
    assert times["ours"].megabytes >= times["ours"].added >= 0
    with pytest.raises(AssertionError, match="theirs auc"):
        harness._agree({"auc": 0.5}, {"auc": 0.6}, "theirs", 1e-9)


def test_results_are_the_tables_that_were_recorded(script, monkeypatch, tmp_path):
    harness, results = script("harness"), script("write_results")
    for module in (harness, results):
        monkeypatch.setattr(module, "WORK", tmp_path)
        monkeypatch.setattr(module, "HERE", tmp_path)
    harness.record("2-b", "Second", "", ("", "seconds"), [("ours", "1.0")])
    harness.record("1-a", "First", "Why.", ("", "seconds"), [("ours", "0.5")])
    results.main()
    text = (tmp_path / "RESULTS.md").read_text()
    assert text.index("## First") < text.index("| ours | 0.5 |") < text.index("## Second")
    assert json.loads((tmp_path / "results" / "1-a.json").read_text())["machine"] in text
