"""Rows with everything that scores may be: ties, signed zeros, infinities, float32, weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

LEVELS = [-np.inf, -1.5, -0.0, 0.0, 5e-324, 0.1, 0.25, 0.5, 0.75, 1.0, 7.25, np.inf]
FORECASTS = [0.0, -0.0, 5e-324, 0.1, 0.2, 0.25, 0.3, 0.30000000000000004, 0.5, 0.7, 0.9, 1.0]
WEIGHTS = [0.0, 1.0, 2.0, 3.0, 0.1, 1 / 3, 0.75, 1e-9, 1e6]
PRICES = [0.0, 0.1, 1.0, 2.5, 1 / 3, 1e9]


@dataclass(frozen=True)
class Drawn:
    """Columns of equal length; ``weight`` and ``costs`` may be absent."""

    positive: np.ndarray
    scores: np.ndarray
    weight: np.ndarray | None
    costs: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.positive)

    def part(self, rows) -> Drawn:
        """Return some of the rows."""
        return Drawn(
            self.positive[rows],
            self.scores[rows],
            None if self.weight is None else self.weight[rows],
            {name: column[rows] for name, column in self.costs.items()},
        )


@st.composite
def drawn_rows(draw, *, forecasts: bool = False, max_size: int = 16, costs: bool = True):
    """Draw rows; the type of score and which columns there are is drawn too."""
    n = draw(st.integers(0, max_size))

    def column(values):
        return np.array(draw(st.lists(st.sampled_from(values), min_size=n, max_size=n)))

    dtype = draw(st.sampled_from([np.float64, np.float32]))
    anything = st.floats(0, 1) if forecasts else st.floats(allow_nan=False, width=32)
    levels = st.one_of(st.sampled_from(FORECASTS if forecasts else LEVELS), anything)
    scores = draw(st.lists(levels, min_size=n, max_size=n))
    names = draw(st.sets(st.sampled_from(["fn_cost", "fp_cost", "review_cost"])) if costs else
                 st.just(set()))  # fmt: skip
    return Drawn(
        column([True, False]).astype(bool),
        np.array(scores, dtype=dtype),
        column(WEIGHTS).astype(np.float64) if draw(st.booleans()) else None,
        {name: column(PRICES).astype(np.float64) for name in sorted(names)},
    )


@st.composite
def partition(draw, n: int, parts: int = 3):
    """Return index arrays that divide n rows among ``parts``, each in its own order."""
    owner = np.array(draw(st.lists(st.integers(0, parts - 1), min_size=n, max_size=n)), dtype=int)
    order = np.array(draw(st.permutations(range(n))), dtype=int)
    return [order[owner[order] == part] if n else order for part in range(parts)]
