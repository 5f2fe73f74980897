"""Rows for summaries: ties, zeros of both signs, groups that may be missing, weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

FORECASTS = [0.0, -0.0, 5e-324, 0.1, 0.25, 0.3, 0.30000000000000004, 0.5, 0.5001, 0.9, 1.0]
NUMBERS = [-np.inf, -7.5, *FORECASTS, 1.0001, 12.0, np.inf]
GROUPS = ["north", "south", "", "(missing)", "a=b"]
WHOLE_WEIGHTS = [0.0, 1.0, 2.0, 3.0]
WEIGHTS = [*WHOLE_WEIGHTS, 0.5, 0.1, 1e-9]

Columns = dict[str, Any]


@st.composite
def columns(
    draw, *, forecasts: bool | None = None, weights: Any = None, least: int = 0, most: int = 24
) -> Columns:
    """Draw a dict of columns: y, p, region, and w where ``weights`` are given."""
    n = draw(st.integers(least, most))
    if forecasts is None:
        forecasts = draw(st.booleans())
    anything = st.floats(0, 1, width=32) if forecasts else st.floats(-50, 50, width=32)
    values = st.one_of(st.sampled_from(FORECASTS if forecasts else NUMBERS), anything)
    dtype = draw(st.sampled_from([np.float64, np.float32]))

    def several(strategy):
        return draw(st.lists(strategy, min_size=n, max_size=n))

    data: Columns = {
        "y": np.array(several(st.booleans()), dtype=bool),
        "p": np.array(several(values), dtype=dtype),
        "region": several(st.sampled_from(GROUPS)),
    }
    if weights is not None:
        data["w"] = np.array(several(st.sampled_from(weights)), dtype=np.float64)
    return data


def part(data: Columns, index: Any) -> Columns:
    """Return some of the rows, in the order of ``index``."""
    rows = np.asarray(index, dtype=int)
    return {
        name: values[rows] if isinstance(values, np.ndarray) else [values[i] for i in rows]
        for name, values in data.items()
    }


def example(seed: int, n: int, *, prevalence: float = 0.2, ties: int = 0) -> Columns:
    """Return seeded rows with scores in [0, 1] that say something about the label."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < prevalence
    p = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * y - 1.5)))
    if ties:
        p = np.round(p * ties) / ties
    return {"y": y, "p": p, "region": rng.choice(["north", "south"], n).tolist()}
