"""The page about scores: its commands work in their order, and what it says is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "bench-scores.md"
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.long
def test_the_commands_work(tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-eu", "-c", "\n".join(BLOCKS)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "agents.html").exists()
    assert "scripted/scripted-chat-1" in done.stdout


def test_what_it_says_of_the_limits_is_so():
    from veridical.bench.scoring.calibration import CONFIDENCE_MAP, brier, ece
    from veridical.bench.scoring.grid import FEW_CASES

    text = PAGE.read_text("utf-8")
    assert f"fewer than {FEW_CASES} cases" in text
    always = [("high", True)]
    floors = [f"{float(of(always, CONFIDENCE_MAP)):g}" for of in (brier, ece)]
    assert f"the floors are {' and '.join(floors)}" in text
    for word, chance in CONFIDENCE_MAP.items():
        assert f"{word} {chance:g}" in text
