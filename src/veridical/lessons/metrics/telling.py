"""The walk-through, for whoever calls it from Python."""

from __future__ import annotations

import sys

from veridical.lessons import lesson_called
from veridical.lessons.narrating import narrate, reader

__all__ = ["demo"]


def demo(*, pause: bool = True) -> None:
    """Tell the walk-through in seven stops.

    Parameters
    ----------
    pause
        Whether a reader at a terminal is asked at each stop what to expect; elsewhere it runs
        through.
    """
    narrate(lesson_called("metrics"), _print, reader(pause=pause))


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
