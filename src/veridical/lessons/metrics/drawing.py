"""The five figures of the page; ``make figures`` writes them (extra ``figures``)."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from veridical.lessons.figure_style import BLUE, GREEN, GREY, ORANGE, drawn, new_axes
from veridical.lessons.metrics.confusion_matrix import confusion
from veridical.lessons.metrics.overlap_scores import GEN_CANDIDATES, GEN_REFERENCE, bleu, rouge_l
from veridical.lessons.metrics.search_results import dcg_at_k
from veridical.lessons.metrics.stops import PRICES
from veridical.lessons.metrics.thresholds import (
    auc_trapezoid,
    best_threshold_by_cost,
    pr_curve,
    roc_curve,
    synthetic_scores,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "FIGURE_ALTS", "figures"]

FIGURE_ALTS = {
    "roc": (
        "ROC curve of 500 synthetic scores: recall rises steeply at first, far above the dashed "
        "diagonal of a coin flip; the shaded area under the curve is 0.89."
    ),
    "pr": (
        "Precision against recall on the same scores: precision begins at 1.00, is 0.54 at a "
        "recall of 0.5 and 0.31 at 0.8, and ends at the dotted line of the base rate, 10%."
    ),
    "cost_vs_threshold": (
        "Total cost against threshold for three prices of a miss and a false alarm, each with its "
        "minimum marked: 40 at 2.14 for 1 and 1, 162 at 0.76 for 10 and 1, 48 at 3.30 for 1 and 10."
    ),
    "ndcg_discount": (
        "Bars of what a place in a list counts for DCG: 1.00 at rank 1, 0.63 at rank 2, 0.50 at "
        "rank 3, and less at each further rank, down to 0.29 at rank 10."
    ),
    "overlap_scores": (
        "BLEU and ROUGE-L of three answers: a correct paraphrase 0.16 and 0.26, a wrong answer "
        "that copies the wording 0.73 and 0.91, an exact copy 1 and 1."
    ),
}
"""What each figure shows, for who cannot see it."""

_GRID_POINTS = 200
_DEAREST = 500
_RANKS = 10
# Colour, width of the line, and where the number of its minimum stands, in points from it.  The
# first two lines run together at the left: the wider one shows below the other.
_LOOKS = ((BLUE, 3.2, (0, -17)), (ORANGE, 1.6, (19, -11)), (GREEN, 1.6, (0, -17)))


def _roc() -> Figure:
    fpr, tpr, _ = roc_curve(*synthetic_scores())
    figure, axes = new_axes("Every threshold at once", "False-positive rate", "Recall", height=4.8)
    axes.fill_between(fpr, tpr, color=BLUE, alpha=0.14, linewidth=0)
    axes.plot(fpr, tpr, color=BLUE)
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1.4)
    area = f"AUC {auc_trapezoid(fpr, tpr):.2f}"
    axes.text(0.36, 0.66, area, fontsize=16, color=BLUE, weight="bold", ha="center")
    axes.text(0.6, 0.52, "coin flip", color=GREY, rotation=45, rotation_mode="anchor")
    axes.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    return figure


def _pr() -> Figure:
    y, s = synthetic_scores()
    precision, recall, _ = pr_curve(y, s)
    base_rate = float(np.mean(y))
    figure, axes = new_axes("The more is found, the less is right", "Recall", "Precision")
    # Between two thresholds nothing is attained: the curve goes in steps.
    axes.step([0, *recall], [precision[0], *precision], where="pre", color=BLUE)
    axes.axhline(base_rate, color=GREY, linestyle=":", linewidth=1.8)
    axes.text(0.02, base_rate + 0.02, f"base rate {base_rate:.0%}", color=GREY)
    axes.set(xlim=(0, 1), ylim=(0, 1.03))
    return figure


def _cost_vs_threshold() -> Figure:
    y, s = synthetic_scores()
    equally_spaced = np.linspace(s.min(), s.max(), _GRID_POINTS)
    figure, axes = new_axes("The price moves the threshold", "Threshold", "Total cost", height=5)
    for (cost_fn, cost_fp), (colour, width, beside) in zip(PRICES, _LOOKS, strict=True):
        best, least, _ = best_threshold_by_cost(y, s, cost_fn, cost_fp)
        thresholds = np.sort([*equally_spaced, best])  # so that the line passes its minimum
        at = [confusion(y, s >= threshold) for threshold in thresholds]
        cost = np.array([cost_fn * counts.fn + cost_fp * counts.fp for counts in at], dtype=float)
        cost[cost > _DEAREST] = np.nan  # not drawn
        prices = f"a miss {cost_fn}, a false alarm {cost_fp}"
        axes.plot(thresholds, cost, color=colour, linewidth=width, label=prices)
        axes.plot(best, least, "o", color=colour, markersize=8, markeredgecolor="white")
        axes.annotate(
            f"{least:g}",
            (best, least),
            beside,
            textcoords="offset points",
            color=colour,
            ha="center",
            weight="bold",
        )
    axes.set(ylim=(0, _DEAREST * 1.03))
    figure.legend(loc="outside lower center")
    return figure


def _ndcg_discount() -> Figure:
    ranks = range(1, _RANKS + 1)
    weights = [dcg_at_k([0] * (rank - 1) + [1], rank) for rank in ranks]
    figure, axes = new_axes("What a place is worth", "Rank", "1 / log2(rank + 1)", height=3.7)
    bars = axes.bar(ranks, weights, color=BLUE, width=0.72)
    axes.bar_label(bars, [f"{weight:.2f}" for weight in weights], padding=2, fontsize=9.5)
    axes.set(xticks=ranks, ylim=(0, 1.1))
    axes.grid(visible=False, axis="x")
    return figure


def _overlap_scores() -> Figure:
    figure, axes = new_axes("Overlap is wording, not truth", "Score", "", height=4.2)
    places = np.arange(len(GEN_CANDIDATES))
    for name, score, colour, shift in (
        ("BLEU", bleu, BLUE, -0.19),
        ("ROUGE-L", rouge_l, ORANGE, 0.19),
    ):
        values = [score(text, GEN_REFERENCE) for text in GEN_CANDIDATES.values()]
        bars = axes.barh(places + shift, values, height=0.36, color=colour, label=name)
        axes.bar_label(bars, [f"{value:.2f}" for value in values], padding=3, color=colour)
    axes.set(xlim=(0, 1.13), xticks=[0, 0.25, 0.5, 0.75, 1])
    axes.set_yticks(places, [textwrap.fill(name, 14) for name in GEN_CANDIDATES])
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


FIGURES = {
    "roc": _roc,
    "pr": _pr,
    "cost_vs_threshold": _cost_vs_threshold,
    "ndcg_discount": _ndcg_discount,
    "overlap_scores": _overlap_scores,
}
"""What draws each."""


def figures() -> dict[str, Figure]:
    """Draw the five figures of the lesson.

    Returns
    -------
    dict of str to matplotlib.figure.Figure
        Under the keys of ``FIGURE_ALTS``.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    return drawn(FIGURES)
