"""How far a long read is: on the terminal of the person who waits, and nowhere else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

__all__ = ["ProgressLine", "progress_line", "rows_of"]

_PATIENCE_S = 0.5
_PAUSE_S = 0.1
_COLUMNS = 24
_ERASE = "\r\x1b[K"


@contextmanager
def progress_line(
    stream: TextIO, rows: Callable[[], int | None] | None = None
) -> Iterator[ProgressLine | None]:
    """Give what shows the progress of a read, and take it off the screen in the end.

    Parameters
    ----------
    stream
        Where to show it; nothing is shown, and None given, where that is no terminal or one
        that cannot erase a line.
    rows
        How many rows there are, if that can be known before a first pass is over.
    """
    can_erase = stream.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"}
    line = ProgressLine(stream, rows=rows) if can_erase else None
    try:
        yield line
    finally:
        if line is not None:
            line.erase()


def rows_of(files: Sequence[str]) -> Callable[[], int | None]:
    """Return how many rows files say they hold, to be asked only when somebody waits."""

    def rows() -> int | None:
        from veridical.tables import open_table

        return open_table(files[0] if len(files) == 1 else list(files)).size()[0]

    return rows


class ProgressLine:
    r"""One line of a terminal: the pass, the rows done, and the time left where it can be known.

    A read of two passes knows how many rows there are once the first is over.

    Parameters
    ----------
    stream
        A terminal.
    clock
        Seconds, for the time left.
    rows
        Asked for the number of rows before anything is shown of the first pass.

    Examples
    --------
    >>> import io
    >>> seconds = iter([0.0, 1.0, 2.0, 3.0])
    >>> line = ProgressLine(screen := io.StringIO(), lambda: next(seconds))
    >>> for name, rows in (("first pass", 2000), ("second pass", 0), ("second pass", 500)):
    ...     line(name, rows)
    >>> print(screen.getvalue().split("\x1b[K")[-1])
    second pass  ######------------------  500 of 2,000 rows, 3 s left
    """

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        rows: Callable[[], int | None] | None = None,
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._count = rows
        self._began = self._pass_began = clock()
        self._shown = self._began + _PATIENCE_S - _PAUSE_S
        self._name, self._rows = "", 0
        self._is_visible = False
        self._total: int | None = None

    def __call__(self, name: str, rows: int) -> None:
        """Show how far the pass called ``name`` is."""
        now = self._clock()
        if name != self._name or rows < self._rows:
            self._total = self._rows or self._total
            self._name, self._pass_began = name, now
        self._rows = rows
        if now - self._shown >= _PAUSE_S:
            if self._count is not None:
                self._total, self._count = self._total or self._count(), None
            self._shown, self._is_visible = now, True
            self._write(f"{_ERASE}{self._text(now)}")

    def erase(self) -> None:
        """Clear the line, if anything was shown."""
        if self._is_visible:
            self._write(_ERASE)
            self._is_visible = False

    def _text(self, now: float) -> str:
        if not self._total:
            return f"{self._name}  {self._rows:,} rows"
        share = min(1.0, self._rows / self._total)
        done = round(share * _COLUMNS)
        told = f"{self._rows:,} of {self._total:,} rows"
        if share:
            told += f", {(now - self._pass_began) * (1 / share - 1):.0f} s left"
        return f"{self._name}  {'#' * done}{'-' * (_COLUMNS - done)}  {told}"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
