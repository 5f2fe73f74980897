"""Lesson: whether the data have moved, and what an index shows where they have not, from scratch.

Plain loops, to be read; the library's own functions are faster and say what they cannot compute.
One file a section: ``cells``, ``stability_index``, ``noise``.  Told in a terminal by
``veridical learn drift``.
"""

from __future__ import annotations

from veridical.lessons.drift.cells import Cell, cell_of, counts, quantile_edges
from veridical.lessons.drift.noise import (
    chi_square_below,
    chi_square_quantile,
    expected_without_drift,
    index_without_drift,
    quantile_without_drift,
    rows_needed,
    traffic_light,
)
from veridical.lessons.drift.stability_index import (
    EPS,
    index_of_shares,
    index_terms,
    moved_scores,
    psi,
)

__all__ = [
    "EPS",
    "Cell",
    "cell_of",
    "chi_square_below",
    "chi_square_quantile",
    "counts",
    "expected_without_drift",
    "index_of_shares",
    "index_terms",
    "index_without_drift",
    "moved_scores",
    "psi",
    "quantile_edges",
    "quantile_without_drift",
    "rows_needed",
    "traffic_light",
]
