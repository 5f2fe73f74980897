"""Random rows for Hypothesis: ties, both dtypes, edges of bins, weights, price columns."""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from veridical.costs import Costs
from veridical.summaries import ScoreHistogram, ScoreTable

PROBABILITY_GRIDS = ("probability/4", "probability/5", "probability/8", "probability/14")
COARSE_GRIDS = ("probability/4", "probability/5", "line/10")
LINE_GRIDS = ("line/4", "line/10", "line/12", "line/20")

sixteenths = st.integers(0, 16).map(lambda i: i / 16)
probabilities = st.one_of(
    st.floats(0, 1),
    sixteenths,
    sixteenths.map(lambda x: float(np.nextafter(x, 0.5))),
    st.integers(0, 64).map(lambda i: i / 64),
    st.floats(0.5, 0.5625),
    st.integers(1, 40).map(lambda j: 1 - 2.0**-j),
    st.integers(1, 1074).map(lambda j: 2.0**-j),
)
anything = st.one_of(
    probabilities,
    st.floats(allow_nan=False),
    st.integers(-3, 3).map(float),
    st.sampled_from([-0.0, float("inf"), -float("inf"), 5e-324, -5e-324]),
)


@dataclass(frozen=True)
class Rows:
    """Columns of one file of scores, and a grid that they fit."""

    positive: np.ndarray
    scores: np.ndarray
    grid: str
    extra: dict[str, np.ndarray] = field(default_factory=dict)

    def __len__(self):
        return len(self.scores)

    def part(self, index):
        extra = {name: column[index] for name, column in self.extra.items()}
        return Rows(self.positive[index], self.scores[index], self.grid, extra)

    @property
    def table(self):
        return ScoreTable.from_rows(self.positive, self.scores, **self.extra)

    @property
    def histogram(self):
        return ScoreHistogram.from_rows(self.positive, self.scores, grid=self.grid, **self.extra)

    @property
    def fractional(self):
        weight = self.extra.get("weight", np.ones(1))
        return bool((weight != np.floor(weight)).any())

    @property
    def columns(self):
        return {name.removesuffix("_cost"): name for name in self.extra if name.endswith("_cost")}


amounts = st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.25, 0.1, 100.0])


@st.composite
def rows(draw, *, most=40, weighted=True, columns=True):
    grid = draw(st.sampled_from(PROBABILITY_GRIDS + LINE_GRIDS))
    dtype = draw(st.sampled_from([np.float64, np.float64, np.float32]))
    element = probabilities if grid.startswith("probability") else anything
    n = draw(st.integers(0, most))
    pool = draw(st.lists(element, min_size=1, max_size=max(1, n)))
    with np.errstate(over="ignore"):
        scores = np.array(draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n)), dtype)
    positive = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    extra = {}
    weight = draw(st.sampled_from([None, None, "whole", "halves", "any"])) if weighted else None
    if weight:
        values = {"whole": [0, 1, 2, 3], "halves": [0.5, 1.5], "any": [0, 0.1, 0.5, 1, 2.3]}
        weights = st.lists(st.sampled_from(values[weight]), min_size=n, max_size=n)
        extra["weight"] = np.array(draw(weights), float)
    for name in ("fn_cost", "fp_cost", "review_cost"):
        if columns and draw(st.integers(0, 3)) == 0:
            extra[name] = np.array(draw(st.lists(amounts, min_size=n, max_size=n)), float)
    return Rows(positive, scores, grid, extra)


@st.composite
def costs_for(draw, rows):
    """Draw prices: the columns that the rows have, and amounts for the rest."""
    prices = {name: draw(amounts) for name in ("fn", "fp", "review")}
    return Costs(**{**prices, **rows.columns})


def crowded(seed, most):
    """Return rows that share few bins, so that much is open."""
    random = np.random.default_rng(seed)
    n = int(random.integers(4, most))
    positive = random.random(n) < random.choice([0.1, 0.3, 0.5, 0.8])
    scores = 0.52 + random.normal(0.05 * positive, 0.05)
    if random.random() < 0.5:
        scores = np.round(scores, 2)
    extra = {}
    kind = random.choice(["none", "none", "whole", "halves", "any"])
    if kind != "none":
        values = {"whole": [0, 1, 2, 3], "halves": [0.5, 1.5], "any": [0, 0.1, 0.5, 1, 2.3]}
        extra["weight"] = random.choice(values[kind], n).astype(float)
    for name in ("fn_cost", "fp_cost", "review_cost"):
        if random.random() < 0.25:
            extra[name] = random.choice([0.0, 0.5, 1.0, 2.0, 7.25, 0.1, 100.0], n)
    dtype = random.choice(["float64", "float32"])
    return Rows(positive, scores.astype(dtype), str(random.choice(COARSE_GRIDS)), extra)


def crowded_rows(most=40):
    return st.builds(crowded, st.integers(0, 2**32 - 1), st.just(most))
