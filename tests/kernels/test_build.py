"""The package installs and works without a compiler, and says so where kernels are required."""

import os
import shutil
import subprocess
import sys

import pytest

USE = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from veridical import kernels
assert kernels.__file__.startswith(sys.argv[1])
groups = kernels.sorted_groups(np.array([True, False]), np.array([0.5, 0.5]))
print(kernels.backend(), *groups)
"""


@pytest.fixture
def project(root, tmp_path):
    """A copy of the sources without anything that was built."""
    pytest.importorskip("Cython")
    copy = tmp_path / "project"
    copy.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(root / name, copy)
    built = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "*.egg-info")
    shutil.copytree(root / "src", copy / "src", ignore=built)
    return copy


def build(project, *arguments, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("VERIDICAL_")}
    return subprocess.run(
        [sys.executable, "setup.py", "-q", "build", *arguments],
        cwd=project,
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def use(folder):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("VERIDICAL_")}
    return subprocess.run(
        [sys.executable, "-c", USE, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


# Without a compiler of one's own, the one that is found is broken.
@pytest.mark.parametrize("implementation", ["numpy"], indirect=True)
@pytest.mark.parametrize("broken", ["compiler", "Cython"])
def test_without_a_compiler_numpy_does_the_work(project, implementation, broken):
    environment = {"CC": "/bin/false"}
    if broken == "Cython":
        (project / "Cython.py").write_text("raise ImportError('no Cython here')\n")
        environment = {"PYTHONPATH": str(project)}
    done = build(project, "--build-lib", "out", **environment)
    assert done.returncode == 0, done.stderr
    assert use(project / "out").split() == ["numpy", "[0.5]", "[1]", "[1]"]


@pytest.mark.parametrize("implementation", ["numpy"], indirect=True)
def test_a_required_kernel_that_cannot_be_built_is_an_error(project, implementation):
    done = build(project, CC="/bin/false", VERIDICAL_REQUIRE_KERNELS="1")
    assert done.returncode != 0
    assert "/bin/false" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("implementation", ["numpy"], indirect=True)
def test_with_a_compiler_the_kernels_are_built(project, implementation):
    if not (shutil.which("cc") or shutil.which("gcc")):
        pytest.skip("no C compiler")
    done = build(project, "--build-lib", "out", VERIDICAL_REQUIRE_KERNELS="1")
    assert done.returncode == 0, done.stderr
    assert use(project / "out").split() == ["compiled", "[0.5]", "[1]", "[1]"]
    assert not list((project / "src").rglob("*.c")), "generated C belongs into the build folder"
