"""Lines in pieces, printed: styled on a terminal, plain in a pipe, for which rich is not loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TextIO

from veridical.report.pieces import Pieces

__all__ = ["is_plain", "printed"]

_WIDEST, _NARROWEST = 110, 60


def printed(lines: Callable[[int], Iterable[Pieces]], stream: TextIO | None = None) -> str:
    r"""Return lines as text for a stream.

    Parameters
    ----------
    lines
        From the number of columns to the lines.
    stream
        Where they will be printed; standard output by default.

    Examples
    --------
    >>> import io
    >>> printed(lambda columns: [[("pass", "green"), (" all", "")]], io.StringIO())
    'pass all\n'
    """
    stream = stream or sys.stdout
    if is_plain(stream):
        columns = max(_NARROWEST, min(_terminal_columns(), _WIDEST))
        whole = ("".join(content for content, _ in pieces) for pieces in lines(columns))
        return "".join(f"{line.rstrip()}\n" for line in whole)
    from rich.text import Text

    from veridical.report.terminal import plain_console

    console = plain_console(stream)
    columns = max(_NARROWEST, min(console.width, _WIDEST))
    with console.capture() as captured:
        for pieces in lines(columns):
            text = Text()
            for content, style in pieces:
                text.append(content, style=style)
            text.rstrip()
            console.print(text)
    return captured.get()


def is_plain(stream: TextIO) -> bool:
    """Whether a stream is no terminal, or one that wants no styles."""
    return (
        not stream.isatty()
        or bool(os.environ.get("NO_COLOR"))
        or os.environ.get("TERM") in {"dumb", "unknown"}
    )


def _terminal_columns() -> int:
    """Return what ``shutil.get_terminal_size`` does, to load which takes 4 ms."""
    with suppress(ValueError):
        if (told := int(os.environ.get("COLUMNS", "0"))) > 0:
            return told
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80
