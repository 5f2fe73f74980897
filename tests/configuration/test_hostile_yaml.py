"""A policy and a project file that want to do harm end in one error that names the place."""

import os

import pytest

from veridical.cli import main
from veridical.errors import ConfigurationError
from veridical.policy import load_policy

BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
HOSTILE = {
    "bomb": BOMB,
    "a value that holds itself": "a: &a {b: *a}\n",
    "merge": "a: &a {x: 1}\nb: {<<: *a}\n",
    "code": "name: !!python/object/apply:os.system ['true']\n",
    "no date": "name: !!timestamp x\n",
    "no number": "name: !!int x\n",
    "no truth": "name: !!bool x\n",
    "own tag": "name: !secret x\n",
    "binary": "name: !!binary '%'\n",
    "deep": "name: " + "[" * 3000 + "]" * 3000 + "\n",
    "deep map": "name: " + "{a: " * 3000 + "}" * 3000 + "\n",
    "a list as a key": "? [a]\n: 2\n",
    "a table as a key": "{a: 1}: 2\n",
    "zero byte": "name: x\0\n",
    "escape": "name: \x1b[31m\n",
    "two documents": "name: x\n---\nname: y\n",
    "not UTF-8": b"name: \xff\n",
    "UTF-16": "name: x\n".encode("utf-16"),
    "large": "name: " + "x" * 2_000_000,
    "long number": "seed: 1" + "0" * 5000 + "\nversion: 1" + "0" * 5000 + "\n",
}


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("y,p\n1,0.9\n0,0.1\n", encoding="utf-8")


@pytest.mark.parametrize("what", HOSTILE)
def test_a_policy(tmp_path, what):
    path = written(tmp_path, "house.yaml", HOSTILE[what])
    with pytest.raises(ConfigurationError) as caught:
        load_policy(path)
    assert caught.value.where.startswith(str(path))
    assert caught.value.fix


@pytest.mark.parametrize("what", HOSTILE)
def test_a_project_file(tmp_path, capsys, what):
    written(tmp_path, "veridical.yaml", HOSTILE[what])
    code = main(["evaluate", "scores.csv", "--label", "y", "--score", "p"])
    told = capsys.readouterr()
    assert (code, told.out) == (65, "")
    assert "veridical.yaml" in told.err
    assert "internal" not in told.err


def test_a_pipe_and_a_device_are_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    for path in (tmp_path / "pipe.yaml", "/dev/zero", "/dev/null", tmp_path):
        with pytest.raises(ConfigurationError, match="not a regular file"):
            load_policy(path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, ""])
def test_a_name_that_no_file_can_have(name):
    with pytest.raises(ConfigurationError) as caught:
        load_policy(name)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("source", [5, b"bank", ["bank"], {}])
def test_what_is_no_policy(source):
    with pytest.raises(ValueError, match="a policy is a name, a path or a Policy"):
        load_policy(source)


@pytest.mark.parametrize("value", ["[" * 5000 + "]" * 5000, "1" + "0" * 5000, "[", "1979-99-99"])
def test_a_project_file_in_toml(tmp_path, capsys, value):
    written(tmp_path, "pyproject.toml", f"[tool.veridical]\nseed = {value}\n")
    assert main(["evaluate", "scores.csv", "--label", "y", "--score", "p"]) == 65
    told = capsys.readouterr().err
    assert "pyproject.toml" in told
    assert "internal" not in told
