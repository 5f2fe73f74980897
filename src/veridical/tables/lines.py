"""Texts from a file, one a line."""

from __future__ import annotations

from pathlib import Path

from veridical.errors import FileFormatError, FileMissingError, VeridicalError
from veridical.tables._words import shown, told_path

__all__ = ["read_lines"]


def read_lines(path: str | Path) -> list[str]:
    r"""Return the lines of a UTF-8 file; only line feeds end one, and an empty line is a text.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    FileMissingError
        There is no such file.
    FileFormatError
        It is not UTF-8; the message says in which line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".txt") as file:
    ...     _ = file.write(b"first\r\n\nthird"), file.flush()
    ...     read_lines(file.name)
    ['first', '', 'third']
    """
    try:
        if not Path(path).is_file() and Path(path).exists():
            raise FileFormatError(
                "this is not a regular file",
                where=told_path(str(path)),
                fix="write its content into a file first",
            )
        content = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise FileMissingError(
            f"there is no file {shown(str(path))}", fix="check the path"
        ) from error
    except OSError as error:
        if isinstance(error, VeridicalError):
            raise
        raise FileFormatError(
            f"the file cannot be read: {error.strerror or error}",
            where=told_path(str(path))[:200],
            fix="check the path and the permissions",
        ) from error
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    texts = []
    for number, line in enumerate(lines, 1):
        try:
            texts.append(line.decode("utf-8").removesuffix("\r"))
        except UnicodeDecodeError as error:
            raise FileFormatError(
                "a line is not UTF-8",
                where=f"{path}:{number}",
                why="its characters would be guessed",
                fix="convert the file to UTF-8",
            ) from error
    return texts
