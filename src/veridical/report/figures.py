"""The report's curves as matplotlib figures (extra ``figures``).

Each function draws stored points on an Axes and returns it, as scikit-learn's Displays do: nothing
is computed from rows, so a figure made later shows exactly what the report shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from veridical.errors import MissingExtraError, ParameterError
from veridical.extras import install_command
from veridical.report.display import name_text, rate_text
from veridical.report.payload import OperatingPoint, Subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cost", "precision_recall", "reliability", "roc"]

_COLOURS = ("#0b62b0", "#c04f00", "#007a5e", "#8b3d96", "#7a6000", "#4a5764")
_REFERENCE: dict[str, Any] = {"color": "0.45", "linewidth": 1, "linestyle": ":", "zorder": 1}

Curve = tuple[list[float], list[float]]


def roc(subjects: Sequence[Subject], ax: Axes | None = None) -> Axes:
    """Draw recall against false-positive rate, one curve a score column.

    Parameters
    ----------
    subjects
        Score columns with their operating points, as in a report's payload.
    ax
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    ParameterError
        No score column has rows of both classes, so there is no curve.

    Examples
    --------
    >>> import numpy as np
    >>> from veridical.report.operating_points import operating_points
    >>> from veridical.summaries import ScoreTable
    >>> table = ScoreTable.from_rows(np.array([True, False]), np.array([0.9, 0.2]))
    >>> subject = {"name": "p", "prevalence": 0.5, "points": operating_points(table)}
    >>> roc([subject]).get_ylabel()
    'Recall'
    """
    ax = _axes(ax)
    _draw(ax, subjects, _roc_curve, "default", "ROC needs rows of both classes")
    ax.plot([0, 1], [0, 1], **_REFERENCE)
    return _finish(ax, "False-positive rate", "Recall", square=True)


def precision_recall(subjects: Sequence[Subject], ax: Axes | None = None) -> Axes:
    """Draw precision against recall as steps, one curve a score column.

    The area under the steps is the average precision; the dotted lines are the prevalences.

    Parameters
    ----------
    subjects, ax
        As in ``roc``.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    ParameterError
        No score column has positive rows.
    """
    ax = _axes(ax)
    _draw(ax, subjects, _precision_recall_curve, "steps-pre", "there is no positive row")
    for prevalence in {s["prevalence"] for s in subjects if s["prevalence"] is not None}:
        line = ax.axhline(prevalence, **_REFERENCE)
        line.set_label(f"prevalence {rate_text(prevalence)}")
    return _finish(ax, "Recall", "Precision", square=True)


def cost(subjects: Sequence[Subject], ax: Axes | None = None) -> Axes:
    """Draw the total cost against the threshold as steps, one curve a score column.

    The dotted line is the cost of flagging nothing.

    Parameters
    ----------
    subjects, ax
        As in ``roc``.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    ParameterError
        The operating points have no costs.
    """
    ax = _axes(ax)
    # Cost holds from a threshold down to the next lower score; drawn from high to low.
    _draw(ax, subjects, _cost_curve, "steps-post", "these points have no costs")
    nothing = {s["points"][0]["cost"] for s in subjects if s["points"]}
    for amount in sorted(c for c in nothing if c is not None):
        ax.axhline(amount, **_REFERENCE).set_label("flag nothing")
    ax.set_ylim(bottom=0)
    return _finish(ax, "Threshold", "Total cost", square=False)


def reliability(subjects: Sequence[Subject], ax: Axes | None = None) -> Axes:
    """Draw the event rate with its Wilson interval against the mean forecast of each bin.

    Parameters
    ----------
    subjects, ax
        As in ``roc``; score columns that are not probabilities are left out.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    ParameterError
        No score column has reliability bins.
    """
    ax = _axes(ax)
    drawn = [(i, s) for i, s in enumerate(subjects) if s["reliability"]]
    if not drawn:
        raise ParameterError(
            "no score column has reliability bins", fix="give scores that are probabilities"
        )
    for i, subject in drawn:
        bins = subject["reliability"]
        rates = [b["event_rate"] for b in bins]
        below = [r["value"] - (r["value"] if r["low"] is None else r["low"]) for r in rates]
        above = [(r["value"] if r["high"] is None else r["high"]) - r["value"] for r in rates]
        ax.errorbar(
            [b["mean_forecast"] for b in bins],
            [r["value"] for r in rates],
            # An end may lie a rounding error inside the value, which matplotlib refuses.
            yerr=[[max(0.0, e) for e in below], [max(0.0, e) for e in above]],
            fmt="o",
            color=_COLOURS[i % len(_COLOURS)],
            label=_label(subject["name"]),
        )
    ax.plot([0, 1], [0, 1], **_REFERENCE)
    return _finish(ax, "Mean forecast", "Event rate", square=True)


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError(
            "figures need matplotlib, which is not installed",
            fix=install_command("figures"),
        ) from error
    return plt.subplots()[1]


def _draw(
    ax: Axes,
    subjects: Sequence[Subject],
    curve_of: Callable[[Sequence[OperatingPoint]], Curve],
    style: str,
    absent: str,
) -> None:
    curves = [(i, s["name"], curve_of(s["points"])) for i, s in enumerate(subjects)]
    if not any(x for _, _, (x, _) in curves):
        raise ParameterError(
            f"there is no curve to draw: {absent}", fix="measure on rows of both classes"
        )
    for i, name, (x, y) in curves:
        if x:
            colour = _COLOURS[i % len(_COLOURS)]
            ax.plot(x, y, drawstyle=style, color=colour, label=_label(name))


def _roc_curve(points: Sequence[OperatingPoint]) -> Curve:
    pairs = [(p["fpr"]["value"], p["recall"]["value"]) for p in points if p["fpr"] and p["recall"]]
    return [x for x, _ in pairs], [y for _, y in pairs]


def _precision_recall_curve(points: Sequence[OperatingPoint]) -> Curve:
    pairs = [
        (p["recall"]["value"], p["precision"]["value"])
        for p in points
        if p["recall"] and p["precision"]
    ]
    start = [(0.0, pairs[0][1])] if pairs else []
    return [x for x, _ in start + pairs], [y for _, y in start + pairs]


def _cost_curve(points: Sequence[OperatingPoint]) -> Curve:
    pairs = [
        (p["threshold"], p["cost"])
        for p in points
        if p["cost"] is not None and p["threshold"] is not None and math.isfinite(p["threshold"])
    ]
    return [x for x, _ in pairs], [y for _, y in pairs]


def _label(name: str) -> str:
    # matplotlib reads $ as mathematics and hides labels that begin with an underscore.
    text = name_text(name).replace("$", r"\$")
    return f"\N{ZERO WIDTH SPACE}{text}" if text.startswith("_") else text


def _finish(ax: Axes, x: str, y: str, *, square: bool) -> Axes:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if square:
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1.02)
        ax.set_aspect("equal")
    ax.legend(frameon=False)
    return ax
