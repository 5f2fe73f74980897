"""The walk-through in five stops."""

from __future__ import annotations

from veridical.lessons.drift.noise import (
    expected_without_drift,
    index_without_drift,
    quantile_without_drift,
    rows_needed,
    traffic_light,
)
from veridical.lessons.drift.stability_index import (
    index_of_shares,
    index_terms,
    moved_scores,
    psi,
)
from veridical.lessons.lesson import Shown, Stop, Table

__all__ = ["NOW", "STOPS", "THEN"]

THEN = (0.25, 0.25, 0.25, 0.25)
NOW = (0.20, 0.25, 0.25, 0.30)

_EMPTY = (
    "One cell was empty before. What stands for nothing, eps, then decides the index: read what "
    "each cell adds."
)

_NEEDED = (
    "That is what PSI exceeds once in twenty times without drift. So many rows on each side "
    "bring it down to a limit:"
)


def _share(drawn: tuple[float, ...], limit: float) -> float:
    return sum(one >= limit for one in drawn) / len(drawn)


def _four_cells() -> Shown:
    rows = [
        (name, f"{p:.2f}", f"{q:.2f}", f"{term:.4f}")
        for name, p, q, term in zip(
            ("lowest", "low", "high", "highest"), THEN, NOW, index_terms(THEN, NOW), strict=True
        )
    ]
    total = f"{index_of_shares(THEN, NOW):.4f}"
    return Shown(
        [Table(("quarter", "then", "now", "adds"), [*rows, ("PSI", "", "", total)])],
        "PSI adds up, over the cells, what their shares have moved by.",
    )


def _a_third_of_alarms() -> Shown:
    drawn = index_without_drift(200)
    rows = [
        ("expected by the formula", f"{expected_without_drift(10, 200, 200):.2f}"),
        ("mean of 300 pairs", f"{sum(drawn) / len(drawn):.2f}"),
        ("0.10 or more", f"{_share(drawn, 0.10):.0%}"),
        ("once in twenty above", f"{quantile_without_drift(10, 200, 200):.2f}"),
    ]
    return Shown(
        [
            Table(("PSI of 10 cells, 200 rows each, no drift", "value"), rows),
            "The formula: (cells - 1) (1/n + 1/m), here 9 x 2 / 200.",
        ],
        f"on 200 rows, {_share(drawn, 0.10):.0%} of months without drift look like drift.",
    )


def _sizes() -> Shown:
    rows = []
    for n in (100, 200, 1_000, 10_000):
        noise = [f"{quantile_without_drift(cells, n, n):.3f}" for cells in (5, 10, 20)]
        rows.append((f"{n:,}", *noise))
    needed = [
        (f"{limit:.2f}", *(f"{rows_needed(limit, cells)}" for cells in (5, 10, 20)))
        for limit in (0.10, 0.25)
    ]
    cells = "5 cells", "10 cells", "20 cells"
    return Shown(
        [
            Table(("rows each", *cells), rows),
            _NEEDED,
            Table(("limit", *cells), needed),
        ],
        "0.10 means something from 339 rows on each side, with ten cells.",
    )


def _a_real_shift() -> Shown:
    rows = []
    for shift in (0.0, 0.1, 0.2, 0.3, 0.5):
        few, many = (psi(*moved_scores(n, shift)) for n in (200, 20_000))
        lights = traffic_light(few, 10, 200, 200), traffic_light(many, 10, 20_000, 20_000)
        rows.append((f"{shift:.1f}", f"{few:.3f}", lights[0], f"{many:.3f}", lights[1]))
    head = ("shift", "200 rows", "light", "20,000 rows", "light")
    return Shown(
        [Table(head, [(*row[:2], row[2].replace("_", " "), *row[3:]) for row in rows])],
        "few rows cry drift where none is, and miss it where some is.",
    )


def _an_empty_cell() -> Shown:
    then, now = (0.5, 0.5, 0.0), (0.5, 0.4, 0.1)
    rows = [(f"{eps:.0e}", f"{index_of_shares(then, now, eps):.2f}") for eps in (1e-7, 1e-6, 1e-4)]
    terms = [
        (f"{p:.1f}", f"{q:.1f}", f"{term:.3f}")
        for p, q, term in zip(then, now, index_terms(then, now), strict=True)
    ]
    return Shown(
        [
            Table(("eps", "PSI of (0.5, 0.5, 0) to (0.5, 0.4, 0.1)"), rows),
            _EMPTY,
            Table(("then", "now", "adds, eps 1e-07"), terms),
        ],
        "look at the cells before the sum: one empty one can be all of it.",
    )


STOPS = (
    Stop(
        "Four cells",
        "Scores of last year are cut into quarters. This month 20% fall into the lowest and 30% "
        "into the highest.",
        "Is PSI nearer to 0.02, 0.10 or 0.25?",
        _four_cells,
    ),
    Stop(
        "PSI where nothing has drifted",
        "200 scores of last year, 200 of this month, both from the same bell curve. An index of "
        "0.10 is usually called moderate drift.",
        "How often will the alarm go off?",
        _a_third_of_alarms,
    ),
    Stop(
        "How many rows it takes",
        "The noise of PSI depends on rows and cells.",
        "Does it halve with twice the rows, or with four times?",
        _sizes,
    ),
    Stop(
        "Drift that is real",
        "The mean of the scores moves by a part of their standard deviation (seed 0).",
        "From which shift on do 200 rows see it?",
        _a_real_shift,
    ),
    Stop(
        "An empty cell",
        "A tenth of the rows falls where there was none before.",
        "Does it matter how one writes 0 in a logarithm?",
        _an_empty_cell,
    ),
)
