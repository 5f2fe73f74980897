"""The two figures of the page; ``make figures`` writes them (extra ``figures``)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from veridical.lessons.drift.noise import index_without_drift, quantile_without_drift, rows_needed
from veridical.lessons.figure_style import BLUE, GREEN, GREY, INK, ORANGE, new_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "FIGURE_ALTS"]

FIGURE_ALTS = {
    "psi_without_drift": (
        "How often each PSI comes out of 1,000 pairs of samples of 200 rows that differ in "
        "nothing: 638 lie below 0.10, 352 from there to 0.25, and 10 above that."
    ),
    "psi_noise_by_rows": (
        "What PSI exceeds once in twenty times without drift, against the rows of each side: with "
        "10 cells it falls below 0.10 at 339 rows, with 5 cells at 190, with 20 cells at 603."
    ),
}
"""What each figure shows, for who cannot see it."""

_ROWS, _PAIRS = 200, 1_000


def _without_drift() -> Figure:
    drawn = index_without_drift(_ROWS, replicates=_PAIRS)
    figure, axes = new_axes("Nothing has drifted", "PSI", "Pairs of samples")
    edges = (np.arange(41) / 100).tolist()
    for low, high, colour, name in (
        (0, 0.10, GREEN, "called stable"),
        (0.10, 0.25, ORANGE, "called moderate drift"),
        (0.25, math.inf, INK, "called significant drift"),
    ):
        held = [one for one in drawn if low <= one < high]
        label = f"{name}: {len(held)} of {_PAIRS:,}"
        axes.hist(held, bins=edges, color=colour, edgecolor="white", linewidth=0.5, label=label)
    axes.axvline(0.10, color=GREY, linestyle=":", linewidth=1.8)
    axes.axvline(0.25, color=GREY, linestyle=":", linewidth=1.8)
    axes.set(xlim=(0, 0.4), xticks=[0, 0.10, 0.25, 0.40])
    axes.grid(visible=False, axis="x")
    figure.legend(loc="outside lower center")
    return figure


def _noise_by_rows() -> Figure:
    figure, axes = new_axes("What noise alone reaches", "Rows on each side", "95% of PSI are below")
    rows = np.geomspace(50, 5_000, 100)
    for cells, colour in ((20, GREEN), (10, BLUE), (5, ORANGE)):
        # At n = m the quantile is proportional to 1 / n.
        noise = quantile_without_drift(cells, 1, 1) / rows
        needed = rows_needed(0.10, cells)
        axes.plot(rows, noise, color=colour, label=f"{cells} cells: 0.10 from {needed} rows on")
        axes.plot(needed, 0.10, "o", color=colour, markersize=8, markeredgecolor="white")
    for limit in (0.10, 0.25):
        axes.axhline(limit, color=GREY, linestyle=":", linewidth=1.8, zorder=1)
    axes.set(xscale="log", yscale="log", xlim=(50, 5_000), ylim=(0.005, 1))
    axes.set_xticks([50, 200, 1_000, 5_000], ["50", "200", "1,000", "5,000"])
    axes.set_yticks([0.01, 0.1, 0.25, 1], ["0.01", "0.10", "0.25", "1"])
    axes.minorticks_off()
    figure.legend(loc="outside lower center")
    return figure


FIGURES = {"psi_without_drift": _without_drift, "psi_noise_by_rows": _noise_by_rows}
"""What draws each."""
