"""Where a command runs and what files are called does not matter."""

import json
import os
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

ROLES = ("--label", "y", "--score", "p")


@pytest.fixture
def files_of_any_name(tmp_path, scores):
    """Names that are no UTF-8, as an old archive leaves them."""
    table = pa.table({"y": [1, 0, 1, 0], "p": [0.9, 0.6, 0.4, 0.1]})
    written = {".csv": scores}
    for suffix in (".parquet", ".arrow", ".jsonl"):
        written[suffix] = tmp_path / f"plain{suffix}"
    parquet.write_table(table, written[".parquet"])
    feather.write_feather(table, str(written[".arrow"]))
    rows = "".join(f"{json.dumps(row)}\n" for row in table.to_pylist())
    written[".jsonl"].write_text(rows, encoding="utf-8")
    names = []
    for suffix, path in written.items():
        names.append(os.fsdecode(b"\xff\xfe") + suffix)
        path.rename(tmp_path / names[-1])
    return names


@pytest.mark.parametrize("form", [(), ("--json",), ("--markdown",), ("--report", "r.html")])
def test_a_name_that_is_no_utf_8(veridical, files_of_any_name, form):
    for name in files_of_any_name:
        outcome = veridical("evaluate", name, *ROLES, "-m", "roc_auc", *form)
        assert outcome.code == 0, outcome.err
        assert "0.75" in outcome.out
        assert veridical("summarise", name, *ROLES, "-o", "s.summary").code == 0
        assert "\\udcff" in veridical("evaluate", name, "--label", "y", "--score", "zz").err


def test_a_working_directory_that_is_gone(tmp_path, scores):
    gone = tmp_path / "gone"
    gone.mkdir()
    command = [sys.executable, "-m", "veridical"]

    def run(*words):
        script = 'cd "$1"; mkdir -p "$1"; rmdir "$1"; shift; exec "$@"'
        gone.mkdir(exist_ok=True)
        return subprocess.run(
            ["/bin/sh", "-c", script, "sh", gone, *command, *words],
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("evaluate", scores, *ROLES).returncode == 0
    assert run("doctor").returncode == 0
    outcome = run("evaluate", scores, *ROLES, "--report", "r.html")
    assert outcome.returncode == 65
    assert "internal" not in outcome.stderr
