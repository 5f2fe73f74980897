"""How the figures of the lessons look, and how they become files of the same bytes everywhere."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from veridical.errors import MissingExtraError
from veridical.extras import install_command

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["BLUE", "GREEN", "GREY", "INK", "ORANGE", "drawn", "new_axes", "svg_bytes"]

BLUE, ORANGE, GREEN, GREY, INK = "#0b62b0", "#c04f00", "#007a5e", "#5c6670", "#1b2329"

# 4.8 inches are 346 points: at the width of a phone a letter has about the size that is set here.
_WIDTH_IN, _HEIGHT_IN = 4.8, 4.0
_STYLE: dict[str, Any] = {
    # Letters as outlines of the font that matplotlib carries: no reader's fonts matter.
    "svg.fonttype": "path",
    "svg.hashsalt": "veridical",
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e7ea",
    "grid.linewidth": 0.8,
    "lines.linewidth": 2,
    "legend.frameon": False,
    "text.color": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    # White, not transparent: legible on a dark page, too.
    "figure.constrained_layout.h_pad": 0.1,
    "figure.constrained_layout.w_pad": 0.1,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}


@contextmanager
def _styled() -> Iterator[None]:
    """Draw as the lessons do, whatever is set outside."""
    try:
        from matplotlib import style
    except ImportError as error:
        raise MissingExtraError(
            "figures need matplotlib, which is not installed",
            fix=install_command("figures"),
        ) from error
    with style.context(["default", _STYLE]):
        yield


def drawn(figures: Mapping[str, Callable[[], Figure]]) -> dict[str, Figure]:
    """Draw figures as the lessons do.

    Parameters
    ----------
    figures
        What draws each, by its name.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    with _styled():
        return {name: draw() for name, draw in figures.items()}


def new_axes(title: str, x: str, y: str, *, height: float = _HEIGHT_IN) -> tuple[Figure, Axes]:
    """Return a figure with one pair of axes; no window and no global state belong to it.

    Parameters
    ----------
    title, x, y
        What stands above and beside the axes.
    height
        In inches.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH_IN, height), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return figure, axes


def svg_bytes(figure: Figure) -> bytes:
    """Return a figure as SVG: the same bytes each time, by the same version of matplotlib."""
    written = io.BytesIO()
    with _styled():
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    # matplotlib leaves spaces at the ends of lines.
    lines = written.getvalue().decode().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines).encode()
