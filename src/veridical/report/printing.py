"""Lines in pieces, printed: styled on a terminal, plain in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TextIO

from veridical.report.pieces import Pieces
from veridical.report.terminal import plain_console

__all__ = ["printed"]

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
    from rich.text import Text

    console = plain_console(stream or sys.stdout)
    columns = max(_NARROWEST, min(console.width, _WIDEST))
    with console.capture() as captured:
        for pieces in lines(columns):
            text = Text()
            for content, style in pieces:
                text.append(content, style=style)
            text.rstrip()
            console.print(text)
    return captured.get()
