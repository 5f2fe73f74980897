"""How the tests run `veridical bench`: in this process, on agents that were run once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Outcome
from veridical.cli import main

AGENTS = ("reference", "naive", "scripted_chat")
SUITE = ("--suite", "small", "--suite-seed", "tests", "--cases", "12")


@pytest.fixture
def bench(capsys):
    """Run a verb of `veridical bench`."""

    def run(*words: object) -> Outcome:
        capsys.readouterr()
        code = main(["bench", *map(str, words)])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def runs(tmp_path_factory) -> dict[str, Path]:
    """Return the trajectories of three agents on twelve cases."""
    folder = tmp_path_factory.mktemp("runs")
    paths = {name: folder / f"{name}.jsonl" for name in AGENTS}
    for name, path in paths.items():
        assert main(["bench", "run", "--agent", name, *SUITE, "--output", str(path), "--json"]) == 0
    return paths
