"""The two figures of the page; ``make figures`` writes them (extra ``figures``)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from veridical.lessons.figure_style import BLUE, GREEN, GREY, ORANGE, new_axes
from veridical.lessons.uncertainty.shares import Z_95, coverage, wald, wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "FIGURE_ALTS"]

FIGURE_ALTS = {
    "interval_coverage": (
        "How often a 95% interval from 30 rows holds the true rate: Wilson's stays near the dashed "
        "line at 95%; Wald's stays below it and falls under 30% as the true rate nears 1."
    ),
    "half_width": (
        "Half of the width of a 95% interval against the number of labels, for shares of 50%, 90% "
        "and 99%: for 50% it is 0.098 at 100 labels, 0.049 at 400 and 0.024 at 1,600."
    ),
}
"""What each figure shows, for who cannot see it."""

_ROWS = 30
_MARKED = (100, 400, 1_600)


def _interval_coverage() -> Figure:
    figure, axes = new_axes(f"Who holds the truth, {_ROWS} rows", "True rate", "Held the truth")
    rates = np.linspace(0.5, 0.99, 491)
    for name, interval, colour in (("Wilson", wilson, BLUE), ("Wald", wald, ORANGE)):
        held = [coverage(interval, float(rate), _ROWS) for rate in rates]
        axes.plot(rates, held, color=colour, linewidth=1.6, label=name)
    axes.axhline(0.95, color=GREY, linestyle="--", linewidth=1.4, label="promised, 95%")
    axes.set(xlim=(0.5, 1), ylim=(0, 1.03))
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _half_width() -> Figure:
    figure, axes = new_axes("Four times the labels, half the width", "Labels", "Half-width")
    labels = np.geomspace(25, 9_000, 200)
    for p, colour in ((0.5, BLUE), (0.9, ORANGE), (0.99, GREEN)):
        widths = Z_95 * np.sqrt(p * (1 - p) / labels)
        axes.plot(labels, widths, color=colour, label=f"share {p:.0%}")
    for n in _MARKED:
        width = Z_95 * math.sqrt(0.25 / n)
        axes.plot(n, width, "o", color=BLUE, markersize=8, markeredgecolor="white")
        axes.annotate(
            f"{n:,}: {width:.3f}",
            (n, width),
            (5, 7),
            textcoords="offset points",
            color=BLUE,
            weight="bold",
        )
    axes.set(xscale="log", xlim=(25, 9_000), ylim=(0, 0.2))
    axes.set_xticks([25, 100, 400, 1_600, 6_400], ["25", "100", "400", "1,600", "6,400"])
    axes.minorticks_off()
    figure.legend(loc="outside lower center", ncols=3)
    return figure


FIGURES = {"interval_coverage": _interval_coverage, "half_width": _half_width}
"""What draws each."""
