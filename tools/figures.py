"""Draw the figures of the lessons into ``docs/figures``: ``make figures``.

The same version of matplotlib writes the same bytes on every machine: letters are outlines of the
font that it carries, and no date or random name goes into a file.  A test draws them again and
compares; pages take their alternative texts from ``FIGURE_ALTS``.
"""

from __future__ import annotations

from pathlib import Path

from veridical.lessons import LESSONS
from veridical.lessons.figure_style import svg_bytes
from veridical.writing import write_atomically

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "figures"


def main() -> None:
    """Write one file a figure."""
    FOLDER.mkdir(exist_ok=True)
    for lesson in LESSONS:
        for name, figure in lesson.figures().items():
            write_atomically(FOLDER / f"{name}.svg", svg_bytes(figure))


if __name__ == "__main__":
    main()
