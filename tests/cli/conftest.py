"""How the tests run the command line: in this process where that shows enough."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from veridical.cli import main

ROWS = """id,y,p,q,segment,customer
1,1,0.9,0.2,a,x
2,0,0.6,0.7,a,x
3,1,0.4,0.1,b,y
4,0,0.1,0.3,b,y
"""


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON document on stdout; a constant that is no JSON fails."""
        return json.loads(self.out, parse_constant=pytest.fail)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, without settings from outside."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "VERIDICAL_KERNELS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def veridical(capsys):
    """Run a command in this process."""

    def run(*words: object) -> Outcome:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def scores(tmp_path):
    """Four rows: the worked example of the specification, ROC-AUC 3/4."""
    path = tmp_path / "scores.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.fixture
def hmda(root):
    """Real mortgage decisions with the scores of two models."""
    return root / "examples" / "credit" / "hmda_scores.csv"
