"""What is loaded, and when: starting must stay cheap, and layers must stay layers."""

import json
import subprocess
import sys

import pytest
from importlinter.cli import lint_imports

from veridical.kernels import backend

HEAVY = ["alembic", "cyclopts", "matplotlib", "numpy", "pandas", "pyarrow", "rich", "scipy"]
HEAVY += ["sqlalchemy"]
# The command line needs its parser and its printer, and nothing that computes.
HEAVY_FOR_HELP = ["alembic", "matplotlib", "numpy", "pandas", "pyarrow", "scipy", "sqlalchemy"]

RUN_AND_LIST = """
import json, runpy, sys
sys.argv = ["veridical", *{arguments}]
try:
    runpy.run_module("veridical", run_name="__main__")
except SystemExit as stop:
    code = stop.code
else:
    code = 0
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh interpreter holds after running ``code``."""
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize("module", HEAVY)
def test_every_heavy_module_can_be_seen(module):
    # Otherwise a misspelt or missing module would pass the tests below.
    assert module in loaded_by(f"import {module}")


def test_importing_veridical_loads_nothing_heavy():
    assert not loaded_by("import veridical") & set(HEAVY)


def test_listing_the_public_names_loads_nothing_heavy():
    assert not loaded_by("import veridical; dir(veridical); veridical.__all__") & set(HEAVY)


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["evaluate", "--help"], ["runs", "list", "--help"]],
)
def test_help_loads_nothing_that_computes(arguments):
    run = subprocess.run(
        [sys.executable, "-c", RUN_AND_LIST.format(arguments=arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(run.stderr.splitlines()[-1])
    assert not code, run.stdout
    assert run.stdout.strip()
    assert not set(modules) & set(HEAVY_FOR_HELP)


def test_a_run_in_trec_text_is_ranked_without_numpy(tmp_path):
    if backend() == "numpy":
        pytest.skip("the kernels in numpy need it")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
    (tmp_path / "qrels").write_text("q1 0 b 1\n")
    ranked = ["rank", str(tmp_path / "run"), "--qrels", str(tmp_path / "qrels"), "--no-intervals"]
    for arguments in (ranked, [*ranked, "--json"]):
        run = subprocess.run(
            [sys.executable, "-c", RUN_AND_LIST.format(arguments=arguments)],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        code, modules = json.loads(run.stderr.splitlines()[-1])
        assert not code, run.stdout
        assert "0.5" in run.stdout
        assert set(modules).isdisjoint(HEAVY), set(modules) & set(HEAVY)


def test_layers_hold(root, monkeypatch):
    monkeypatch.chdir(root)
    assert lint_imports(no_cache=True) == 0
