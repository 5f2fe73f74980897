"""What begins as UTF-16 and is none, and what is no file at all."""

import os

import pytest

from veridical.errors import FileFormatError, FileMissingError
from veridical.tables.lines import read_lines
from veridical.tables.listing_files import read_listing


@pytest.mark.parametrize("role", ["run", "qrels"])
def test_a_listing_that_begins_as_utf_16(tmp_path, role):
    path = tmp_path / "listing"
    path.write_bytes(b"\xff\xfeq")
    with pytest.raises(FileFormatError, match="UTF-16"):
        read_listing(str(path), role)


def test_texts_from_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", tmp_path):
        with pytest.raises(FileFormatError, match="not a regular file"):
            read_lines(path)
    with pytest.raises(FileMissingError):
        read_lines(tmp_path / "absent")
    with pytest.raises((FileFormatError, FileMissingError)):
        read_lines("x" * 5000)
