"""Every fault of the list fails a test: a test that no fault fails is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.bench.mutations.mutants import MUTANTS, Mutant


def test_every_kind_has_a_fault_and_each_still_fits_the_code(root):
    assert {mutant.kind for mutant in MUTANTS} == set(range(12))
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    for mutant in MUTANTS:
        text = (root / "src/veridical/bench" / f"{mutant.module}.py").read_text("utf-8")
        assert text.count(mutant.old) == 1, mutant.name


@pytest.fixture(scope="module")
def copy(root, tmp_path_factory):
    """Return a copy of the project in which faults can be made."""
    folder = tmp_path_factory.mktemp("mutants") / "project"
    ignored = shutil.ignore_patterns("__pycache__", "*.c")
    shutil.copytree(root / "src" / "veridical", folder / "src" / "veridical", ignore=ignored)
    shutil.copytree(root / "tests", folder / "tests", ignore=ignored)
    shutil.copy(root / "pyproject.toml", folder)
    if (root.parent / "shared").is_dir():
        (folder.parent / "shared").symlink_to(root.parent / "shared")
    return folder


def outcome(copy, tests: str) -> subprocess.CompletedProcess[str]:
    words = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return subprocess.run(
        [sys.executable, *words, f"tests/bench/{tests}"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
@pytest.mark.parametrize("tests", sorted({mutant.tests for mutant in MUTANTS}))
def test_without_a_fault_they_pass(copy, tests):
    done = outcome(copy, tests)
    assert done.returncode == 0, done.stdout


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_fault_fails_a_test(copy, mutant: Mutant, shared):
    path = copy / "src/veridical/bench" / f"{mutant.module}.py"
    text = path.read_text("utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    try:
        done = outcome(copy, mutant.tests)
    finally:
        path.write_text(text, "utf-8")
    # A fault that stops the module from being imported would prove nothing.
    assert done.returncode == 1, done.stdout
    assert "AssertionError" in done.stdout or "DID NOT RAISE" in done.stdout, done.stdout
