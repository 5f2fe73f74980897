"""Scatters of queries and histograms of texts as inline SVG, readable without JavaScript."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from veridical.report.chart_data import Axis
from veridical.report.svg import SERIES_COLOURS, grid, project

__all__ = ["histogram", "scatter"]

Point = tuple[float, float]


def scatter(
    x: Axis, y: Axis, points: Iterable[Point], description: str, *, diagonal: bool
) -> Markup:
    """Return points on a grid; those that cannot be told apart are drawn once.

    Parameters
    ----------
    x, y
        The axes.
    points
        In their units.
    description
        Said to whoever cannot see it.
    diagonal
        Whether to draw where x and y are equal.
    """
    parts = [grid(x, y)]
    if diagonal:
        (a, b), (c, d) = project([(x["domain"][0],) * 2, (x["domain"][1],) * 2], x, y)
        parts.append(f'<path class="reference" d="M{a:.1f},{b:.1f}L{c:.1f},{d:.1f}"/>')
    places = dict.fromkeys((round(a), round(b)) for a, b in project(points, x, y))
    parts += [f'<circle class="query" cx="{a}" cy="{b}" r="3.5"/>' for a, b in places]
    return _figure(parts, description)


def histogram(
    x: Axis,
    y: Axis,
    edges: Sequence[float],
    counts: Sequence[tuple[int, Sequence[int]]],
    description: str,
) -> Markup:
    """Return one outline a series over common bins.

    Parameters
    ----------
    x, y
        The axes.
    edges
        Of the bins, one more than there are.
    counts
        Colour and counts of each series.
    description
        Said to whoever cannot see it.
    """
    parts = [grid(x, y)]
    for series, heights in counts:
        corners = [(edges[0], 0.0)]
        for at, height in enumerate(heights):
            corners += [(edges[at], float(height)), (edges[at + 1], float(height))]
        corners.append((edges[-1], 0.0))
        path = "L".join(f"{a:.1f},{b:.1f}" for a, b in project(corners, x, y))
        colour = f"series-{series % SERIES_COLOURS}"
        parts.append(f'<path class="histogram {colour}" d="M{path}"/>')
    return _figure(parts, description)


def _figure(parts: Sequence[str], description: str) -> Markup:
    opening = (
        '<svg class="static-chart" viewBox="0 0 400 312" role="img" '
        f'aria-label="{escape(description)}">'
    )
    # Only numbers and our own words are in it, but for the description, which is escaped.
    return Markup(f"{opening}{''.join(parts)}</svg>")  # noqa: S704
