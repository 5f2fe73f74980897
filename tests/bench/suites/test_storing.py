"""Suites as folders."""

import hashlib
import json

import pytest

from veridical.bench.cases import Case
from veridical.bench.suites import generate
from veridical.bench.suites.storing import write_suite
from veridical.errors import OutputError


@pytest.fixture(scope="module")
def few():
    return generate("few", "folders", 8)


def test_inputs_stand_apart_from_the_truth(few, tmp_path):
    folder = write_suite(few, tmp_path / "suite")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest == few.manifest()
    assert {one.name for one in folder.iterdir()} == {"manifest.json", *manifest["cases"]}
    for case in few.cases:
        place = folder / case.case_id
        assert {one.name for one in place.iterdir()} == {"inputs", "truth"}
        contents = {one.name: one.read_bytes() for one in (place / "inputs").iterdir()}
        again = Case.from_dict(json.loads((place / "truth" / "case.json").read_text()), contents)
        assert again == case
        for one in case.inputs:
            assert hashlib.sha256(contents[one.name]).hexdigest() == one.sha256


def test_a_folder_that_exists_is_left_alone(few, tmp_path):
    (tmp_path / "suite").mkdir()
    with pytest.raises(OutputError, match="exists"):
        write_suite(few, tmp_path / "suite")
    assert list((tmp_path / "suite").iterdir()) == []


def test_a_dangling_link_is_left_alone(few, tmp_path):
    (tmp_path / "suite").symlink_to(tmp_path / "nowhere")
    with pytest.raises(OutputError, match="exists"):
        write_suite(few, tmp_path / "suite")


def test_a_suite_that_cannot_be_written_leaves_nothing(few, tmp_path, monkeypatch):
    written = []

    def full(path, document):
        written.append(path)
        if len(written) > 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("veridical.bench.suites.storing._json", full)
    with pytest.raises(OutputError, match="No space left"):
        write_suite(few, tmp_path / "suite")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_whose_parent_is_missing_is_an_error(few, tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        write_suite(few, tmp_path / "no" / "suite")
