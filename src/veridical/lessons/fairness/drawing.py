"""The figure of the page; ``make figures`` writes it (extra ``figures``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.lessons.fairness.small_groups import fails_by_luck
from veridical.lessons.figure_style import BLUE, GREEN, GREY, ORANGE, new_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "FIGURE_ALTS"]

FIGURE_ALTS = {
    "four_fifths_by_luck": (
        "How often two groups that are treated exactly alike miss the four fifths, against the "
        "people of each: at a rate of 30% in 62% of cases with 20 people, 30% with 100 and 4% "
        "with 400."
    ),
}
"""What the figure shows, for who cannot see it."""

_SIZES = (10, 14, 20, 28, 40, 57, 80, 100, 140, 200, 280, 400)


def _by_luck() -> Figure:
    figure, axes = new_axes("Equal groups that fail", "People in each group", "Miss four fifths")
    for p, colour in ((0.3, BLUE), (0.5, ORANGE), (0.8, GREEN)):
        missed = [fails_by_luck(p, n, n) for n in _SIZES]
        axes.plot(_SIZES, missed, color=colour, label=f"true rate of both {p:.0%}")
    axes.axhline(0.05, color=GREY, linestyle=":", linewidth=1.8, zorder=1)
    axes.set(xscale="log", xlim=(10, 400), ylim=(0, 0.8))
    axes.set_xticks([10, 20, 50, 100, 200, 400], ["10", "20", "50", "100", "200", "400"])
    axes.set_yticks([0, 0.05, 0.2, 0.4, 0.6, 0.8], ["0%", "5%", "20%", "40%", "60%", "80%"])
    axes.minorticks_off()
    figure.legend(loc="outside lower center")
    return figure


FIGURES = {"four_fifths_by_luck": _by_luck}
"""What draws it."""
