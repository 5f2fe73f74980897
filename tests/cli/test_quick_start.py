"""What the shortest command does without a library is what the library would do."""

from __future__ import annotations

import shutil
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.cli.project_file import find_project_file
from veridical.measures import number
from veridical.ranking.names import names_of
from veridical.report.printing import _terminal_columns
from veridical.tables.kinds import suffixes

PARTS = st.sampled_from(["a", "run", "b.trec", "b.trec.gz", ".hidden", ".h.x", "a.", "..", "x y.z"])
PATHS = st.tuples(st.sampled_from(["", "/", "./", "../"]), st.lists(PARTS, min_size=1, max_size=3))


def spelt(path):
    return path[0] + "/".join(path[1])


@given(st.lists(PATHS.map(spelt), max_size=4))
def test_runs_are_named_as_pathlib_reads_their_paths(paths):
    names = []
    for path in map(PurePath, paths):
        stem = path.name.split(".")[0] or path.name
        choices = [stem, path.name, f"{path.parent.name}/{path.name}", str(path)]
        choices.append(f"{path} ({len(names) + 1})")
        names.append(next(name for name in choices if name not in names))
    assert names_of(paths) == names


@given(PATHS.map(spelt), st.sampled_from(["", ".csv", ".CSV.gz", ".gz", ".jsonl.zst", "..bz2"]))
def test_suffixes_are_those_of_pathlib(path, end):
    known = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
    *_, before, last = ["", "", *PurePath((path + end).lower()).suffixes]
    assert suffixes(path + end) == ((before, known[last]) if last in known else (last, None))


@pytest.mark.parametrize("columns", [None, "", "0", "72", "-5", "wide"])
def test_a_pipe_is_as_wide_as_the_standard_library_says(monkeypatch, columns):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert _terminal_columns() == shutil.get_terminal_size((80, 24)).columns


@pytest.mark.parametrize(
    "text",
    [
        "[tool.veridical]\nseed = 7",
        '[tool."v\\u0065ridical"]\nseed = 7',
        '["\\u0074ool".veridical]\nseed = 7',
        "[ tool . veridical ]\nseed = 7",
        '["tool"."veridical"]\nseed = 7',
        "['tool' . 'veridical']\nseed = 7",
        "tool.veridical.seed = 7",
        "[tool]\nveridical.seed = 7",
        "[tool]\nother = 1\n[tool.veridical]\nseed = 7",
        "tool = {veridical = {seed = 7}}",
        '"tool" = {"veridical" = {"seed" = 7}}',
    ],
)
def test_settings_are_found_however_their_table_is_spelt(tmp_path, monkeypatch, text):
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    found = find_project_file()
    assert found is not None
    assert found.table == {"seed": 7}
    assert found.path == tmp_path / "pyproject.toml"


@pytest.mark.parametrize(
    "text",
    [
        '[project]\nname = "veridical"\n[tool.ruff]\nline-length = 9',
        "veridical is [ broken",
        "tool = 1 # tool.veridical",
        r'a = "\u0041" [ broken',
    ],
)
def test_a_file_without_settings_is_not_read_further(tmp_path, monkeypatch, text):
    (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    found = find_project_file()
    assert found is None or tmp_path not in found.path.parents


@pytest.mark.parametrize(("text", "value"), [("10", 10.0), ("1e1", 10.0), ("7%", 0.07), ("٣", 3.0)])
def test_numbers_in_the_names_of_metrics(text, value):
    assert number("rel", low=0.0).read(text) == value
