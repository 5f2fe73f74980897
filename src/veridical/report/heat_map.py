"""A contingency table as a heat map, and as the rows of a table that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from markupsafe import Markup, escape

from veridical.report.display import count_text
from veridical.report.visible import fitted, visible

if TYPE_CHECKING:
    from veridical.summaries.contingency import ContingencyTable

__all__ = ["Grid", "grid_of", "heat_map"]

_MOST_LABELS = 12
_CELL, _LEFT, _TOP, _FULL = 62.0, 118.0, 46.0, 0.42
"""Sizes in pixels, and how dark a cell that holds its whole row is: text on it stays readable."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """How often two raters gave each pair of labels; rare labels may stand together.

    Attributes
    ----------
    labels
        As text; the last is ``"other labels"`` where some were put together.
    counts
        int64, shape (labels, labels): the first rater's down, the second's across.
    """

    labels: tuple[str, ...]
    counts: Counts

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of each cell in its row, 0 in an empty row."""
        rows = self.counts.sum(axis=1, keepdims=True)
        shares: npt.NDArray[np.float64] = np.zeros(self.counts.shape)
        np.divide(self.counts, rows, out=shares, where=rows > 0)
        return shares


def grid_of(table: ContingencyTable) -> Grid:
    """Return a table of at most twelve labels, the most used ones in their order.

    Examples
    --------
    >>> from veridical.summaries.contingency import ContingencyTable
    >>> grid_of(ContingencyTable(("no", "yes"), False, np.array([[2, 0], [1, 1]]))).labels
    ('no', 'yes')
    """
    names = [visible(str(label)) for label in table.labels]
    used = table.counts.sum(axis=0) + table.counts.sum(axis=1)
    if np.count_nonzero(used) <= _MOST_LABELS:
        kept = np.flatnonzero(used)
        return Grid(tuple(names[at] for at in kept.tolist()), table.counts[np.ix_(kept, kept)])
    kept = np.sort(np.argsort(-used, kind="stable")[: _MOST_LABELS - 1])
    group = np.full(len(names), len(kept))
    group[kept] = np.arange(len(kept))
    counts = np.zeros((len(kept) + 1, len(kept) + 1), np.int64)
    np.add.at(counts, (group[:, None], group[None, :]), table.counts)
    return Grid((*(names[at] for at in kept.tolist()), "other labels"), counts)


def heat_map(grid: Grid, first: str, second: str) -> Markup:
    """Return the grid as inline SVG, darker where more of a row is; counts and shares in it.

    Parameters
    ----------
    grid
        What to draw.
    first, second
        The raters, down and across.
    """
    size = len(grid.labels)
    width, height = _LEFT + size * _CELL, _TOP + size * _CELL
    parts = [
        _text(second, _LEFT + size * _CELL / 2, 14, "middle", "axis"),
        _text(f"{fitted(visible(first), 16)} \N{DOWNWARDS ARROW}", 2, _TOP - 10, "start", "axis"),
    ]
    for at, label in enumerate(grid.labels):
        parts.append(_text(label, _LEFT + (at + 0.5) * _CELL, _TOP - 10, "middle"))
        parts.append(_text(label, _LEFT - 8, _TOP + (at + 0.5) * _CELL + 4, "end"))
    for row, column in np.ndindex(size, size):
        parts += _cell(row, column, int(grid.counts[row, column]), float(grid.shares[row, column]))
    label = escape(f"Labels of {first} down against {second} across; the table says the same")
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
    # The names in it are escaped, by _text and here.
    return Markup(  # noqa: S704
        f'<svg class="heat" {box} role="img" aria-label="{label}">{"".join(parts)}</svg>'
    )


def _cell(row: int, column: int, count: int, share: float) -> Sequence[str]:
    x, y = _LEFT + column * _CELL, _TOP + row * _CELL
    same = " same" if row == column else ""
    square = (
        f'<rect class="cell{same}" x="{x + 1:.0f}" y="{y + 1:.0f}" width="{_CELL - 2:.0f}" '
        f'height="{_CELL - 2:.0f}" fill-opacity="{_FULL * share:.3f}"/>'
    )
    if not count:
        return [square]
    middle = x + _CELL / 2
    return [
        square,
        _text(count_text(count), middle, y + _CELL / 2 + 1, "middle", "count"),
        _text(f"{100 * share:.0f}%", middle, y + _CELL / 2 + 17, "middle"),
    ]


def _text(text: str, x: float, y: float, anchor: str, kind: str = "") -> str:
    shown = fitted(visible(text), 16 if anchor == "end" else 22 if kind == "axis" else 9)
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(shown)}</text>'
