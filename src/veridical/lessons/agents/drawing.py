"""The figure of the page; ``make figures`` writes it (extra ``figures``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.lessons.agents.repeats import pass_at_k, pass_hat_k, steady_and_wavering
from veridical.lessons.figure_style import BLUE, GREY, ORANGE, new_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "FIGURE_ALTS"]

FIGURE_ALTS = {
    "repeats": (
        "Two agents that are right in 75% of trials, by the number of trials k: of the steady one "
        "all k are right in 75% of cases at every k; of the wavering one in 54% at 2, in 21% at 4 "
        "and never from 7 on, while one of k is right in 96% at 2 and always from 3 on."
    ),
}
"""What the figure shows, for who cannot see it."""

_KS = range(1, 9)


def _repeats() -> Figure:
    figure, axes = new_axes("Right 75% of the time, again and again", "Trials k", "Cases")
    agents = steady_and_wavering()
    for cases, share, colour, line, name in (
        (agents["wavering"], pass_at_k, ORANGE, "--", "wavering: one of k is right (pass@k)"),
        (agents["steady"], pass_hat_k, BLUE, "-", "steady: all k are right (pass^k)"),
        (agents["wavering"], pass_hat_k, ORANGE, "-", "wavering: all k are right (pass^k)"),
    ):
        values = [share(cases, k) for k in _KS]
        axes.plot(_KS, values, line, color=colour, marker="o", markersize=5, label=name)
    axes.axhline(0, color=GREY, linewidth=0.8, zorder=1)
    axes.set(xlim=(0.8, 8.2), ylim=(-0.03, 1.05), xticks=list(_KS))
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
    figure.legend(loc="outside lower center")
    return figure


FIGURES = {"repeats": _repeats}
"""What draws it."""
