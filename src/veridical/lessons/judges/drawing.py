"""The figure of the page; ``make figures`` writes it (extra ``figures``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.lessons.figure_style import BLUE, GREEN, GREY, ORANGE, new_axes
from veridical.lessons.judges.corrected import apparent_rate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "FIGURE_ALTS"]

FIGURE_ALTS = {
    "judged_rate": (
        "What share a judge passes against the share that is good: a judge who passes 90% of the "
        "good and 20% of the bad rises from 20% to 90% and crosses the truth at 67%; one who "
        "guesses stays flat at 50%."
    ),
}
"""What the figure shows, for who cannot see it."""


def _judged_rate() -> Figure:
    figure, axes = new_axes("What a judge makes of the truth", "Good answers", "Passed")
    for sensitivity, specificity, colour, name in (
        (0.98, 0.60, ORANGE, "lenient: 98% of the good, 40% of the bad"),
        (0.90, 0.80, BLUE, "passes 90% of the good, 20% of the bad"),
        (0.50, 0.50, GREEN, "guesses: 50% of both"),
    ):
        ends = [apparent_rate(rate, sensitivity, specificity) for rate in (0.0, 1.0)]
        axes.plot([0, 1], ends, color=colour, label=name)
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1.5, label="the truth")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    ticks = [0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"]
    axes.set_xticks(*ticks)
    axes.set_yticks(*ticks)
    figure.legend(loc="outside lower center")
    return figure


FIGURES = {"judged_rate": _judged_rate}
"""What draws it."""
