"""What is installed and what is shipped."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata

import pytest

import veridical
from veridical.extras import install_command


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_metadata_agrees_with_the_project_file(project):
    installed = metadata.metadata("veridical")
    assert installed["Name"] == project["name"]
    assert installed["License-Expression"] == "Apache-2.0"
    assert installed["Requires-Python"] == ">=3.11"
    assert metadata.version("veridical") == project["version"]


def test_the_package_knows_its_version(project):
    assert veridical.__version__ == project["version"]


def test_every_dependency_is_explained(root, project):
    note = (root / "design" / "dependencies.md").read_text(encoding="utf-8")
    extras = project["optional-dependencies"]
    required = [*project["dependencies"], *(r for name in extras for r in extras[name])]
    names = {re.match(r"[\w.-]+", requirement)[0] for requirement in required} - {"veridical"}
    explained = set(re.findall(r"^\| `([\w.-]+)`", note, flags=re.MULTILINE))
    assert explained == names


def test_what_an_extra_brings_is_installed_by_name(project):
    extras = project["optional-dependencies"]
    for extra in extras.keys() - {"all"}:
        words = shlex.split(install_command(extra))
        assert words[:2] == ["pip", "install"]
        assert sorted(words[2:]) == sorted(extras[extra])


def test_without_metadata_the_extra_is_named(monkeypatch):
    def unknown(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", unknown)
    assert install_command("judge") == "install veridical with its extra judge"


def test_no_hint_installs_veridical_from_an_index(root, project):
    """A clone is where it comes from; all hints are made in one place, about extras that exist."""
    asked = set()
    for path in (root / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install [^`\n]*veridical", text), path
        asked |= set(
            re.findall(r"(?:install_command|not_installed)\((?:[^,()]+, )?\"(\w+)\"\)", text)
        )
    assert {"judge", "view", "figures"} <= asked <= project["optional-dependencies"].keys()


def test_the_command_is_installed(project):
    [command] = metadata.entry_points(group="console_scripts", name="veridical")
    assert command.value == project["scripts"]["veridical"]
    assert callable(command.load())


def build_wheel(root, folder):
    """Build a wheel from a copy, so that nothing is left behind in the source tree."""
    for name in ("LICENSE", "NOTICE", "README.md", "pyproject.toml", "setup.py"):
        shutil.copy(root / name, folder)
    ignored = shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__")
    shutil.copytree(root / "src", folder / "src", ignore=ignored)
    # What is compiled is not at stake here, and compiling would take most of the time.
    quick = {**os.environ, "CC": "false", "VERIDICAL_REQUIRE_KERNELS": "0"}
    pip_wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip_wheel, "."], cwd=folder, env=quick, check=True, capture_output=True)
    [wheel] = folder.glob("veridical-*.whl")
    return wheel


def test_a_wheel_ships_what_it_should(root, tmp_path):
    with zipfile.ZipFile(build_wheel(root, tmp_path)) as archive:
        names = archive.namelist()
    last_parts = [name.rsplit("/", 1)[-1] for name in names]
    for name in ("LICENSE", "NOTICE", "py.typed"):
        assert last_parts.count(name) == 1, name
    built = {".c", ".pyc", ".pyd", ".so"}
    expected = {
        path.relative_to(root / "src").as_posix()
        for path in (root / "src" / "veridical").rglob("*")
        if path.is_file() and path.suffix not in built
    }
    assert not expected - set(names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"veridical"}
    assert not [name for name in names if name.endswith((".c", ".pyc"))]
