"""A read in batches that is stopped half-way leaves no file behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

SCRIPT = """
import sys, time
import veridical as vd

def progress(name, rows):
    print(name, rows, flush=True)
    time.sleep(60)  # stopped here, after the first batch

vd.evaluate(sys.argv[1], label="y", score="s", engine="batches", progress=progress)
"""


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_stopped_read_leaves_nothing_behind(tmp_path, stop):
    data, work, scratch = (tmp_path / name for name in ("data", "work", "scratch"))
    for folder in (data, work, scratch):
        folder.mkdir()
    rng = np.random.default_rng(0)
    scores = rng.random(5000)
    rows = pa.table({"y": rng.random(5000) < scores, "s": scores})
    pq.write_table(rows, data / "rows.parquet")
    environment = {**os.environ, "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(data / "rows.parquet")],
        cwd=work,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"first pass")
        process.send_signal(stop)
        process.wait(timeout=60)
    assert process.returncode != 0
    assert files_below(work) == files_below(scratch) == []
    assert files_below(data) == ["rows.parquet"]
