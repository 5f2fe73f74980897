"""A file is written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from veridical.errors import OutputError
from veridical.writing import write_atomically


def test_a_new_file_and_a_replaced_one(tmp_path):
    path = tmp_path / "r.html"
    assert write_atomically(path, "one \u00e9") == path
    assert path.read_text(encoding="utf-8") == "one \u00e9"
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_permissions(tmp_path):
    before = os.umask(0o027)
    try:
        path = write_atomically(tmp_path / "r.html", "x")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = write_atomically(tmp_path / "r.html", "old")

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_atomically(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    target = write_atomically(tmp_path / "target.html", "old")
    link = tmp_path / "link.html"
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("path", [".", "absent/r.html", os.devnull, "a\0b", "x" * 5000])
def test_what_is_no_place_for_a_file_is_refused(tmp_path, path):
    with pytest.raises(OSError, match="fix: "):
        write_atomically(tmp_path / path, "x")
    assert Path(os.devnull).is_char_device()
