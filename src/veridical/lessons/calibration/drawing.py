"""The two figures of the page; ``make figures`` writes them (extra ``figures``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.lessons.calibration.luck import ece_of_right_forecasts
from veridical.lessons.calibration.reliability import (
    Bin,
    overconfident_forecasts,
    reliability_table,
)
from veridical.lessons.figure_style import BLUE, GREY, ORANGE, new_axes
from veridical.lessons.uncertainty.shares import wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "FIGURE_ALTS"]

FIGURE_ALTS = {
    "reliability": (
        "Reliability diagram of 2,000 overconfident forecasts: where less than a half was "
        "forecast more happened, and where more was forecast less happened, so that the points "
        "lie on a flatter line than the dashed diagonal of right forecasts."
    ),
    "ece_by_luck": (
        "ECE of forecasts that are all right, against the number of rows: with 10 bins about 0.14 "
        "at 50 rows, 0.03 at 1,000 and 0.01 at 10,000; with 20 bins it is higher throughout. The "
        "dotted line marks a target of 0.03."
    ),
}
"""What each figure shows, for who cannot see it."""

_SIZES = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
_TARGET = 0.03


def _reliability() -> Figure:
    table = reliability_table(*overconfident_forecasts())
    figure, axes = new_axes("What was said, and what happened", "Forecast", "Happened", height=4.8)
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1.4)
    axes.text(0.33, 0.25, "as said", color=GREY, rotation=45, rotation_mode="anchor")
    axes.errorbar(
        [one.forecast for one in table],
        [one.rate for one in table],
        yerr=[
            [abs(end - one.rate) for one, end in zip(table, _ends(table, side), strict=True)]
            for side in (0, 1)
        ],
        color=BLUE,
        marker="o",
        markersize=6,
        capsize=3,
        linewidth=1.6,
    )
    axes.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    return figure


def _ends(table: list[Bin], side: int) -> list[float]:
    return [wilson(round(one.rate * one.n), one.n)[side] for one in table]


def _ece_by_luck() -> Figure:
    figure, axes = new_axes("Nothing is wrong, and yet", "Rows", "ECE of right forecasts")
    for bins, colour in ((20, ORANGE), (10, BLUE)):
        # Fewer samples where there are more rows: their mean scatters less.
        means = [ece_of_right_forecasts(n, bins, max(40, 20_000 // n)) for n in _SIZES]
        axes.plot(_SIZES, means, "o-", color=colour, markersize=5, label=f"{bins} bins")
    axes.axhline(_TARGET, color=GREY, linestyle=":", linewidth=1.8, label="a target of 0.03")
    axes.set(xscale="log", ylim=(0, 0.22))
    axes.set_xticks([50, 200, 1_000, 10_000], ["50", "200", "1,000", "10,000"])
    axes.minorticks_off()
    figure.legend(loc="outside lower center", ncols=3)
    return figure


FIGURES = {"reliability": _reliability, "ece_by_luck": _ece_by_luck}
"""What draws each."""
