"""Scores that separate exact arithmetic from nearly exact: ties, edges and their neighbours."""

import numpy as np
import pyarrow as pa

__all__ = ["edges_of_everything", "table_of", "whole_corpus"]


def edges_of_everything() -> np.ndarray:
    """Return every edge of the coarsest grid, of 10, 15 and 7 bins, and their neighbours."""
    powers = 2.0 ** -np.arange(1.0, 70.0)
    inside = [
        power * (1 + step / 16) for power in powers for step in range(16)
    ]  # edges of the bins between two powers
    edges = np.concatenate(
        [
            inside,
            1 - np.array(inside[: 33 * 16]),
            np.arange(33) / 32,
            *(np.arange(bins + 1) / bins for bins in (7, 10, 15)),
            *((np.arange(bins + 1) / bins).astype(np.float32) for bins in (7, 10, 15)),
        ]
    )
    around = np.concatenate([edges, np.nextafter(edges, 0), np.nextafter(edges, 1)])
    return around[(around >= 0) & (around <= 1)]


def whole_corpus() -> tuple[np.ndarray, np.ndarray]:
    """Return labels and scores: edges, ties, both zeros, denormals, halves of the last place."""
    rng = np.random.default_rng(20)
    tiny = np.array([0.0, -0.0, 5e-324, 1e-310, 2.2250738585072014e-308, 2.0**-1022])
    halfway = (np.arange(1, 200) + 0.5) * 2.0**-52  # exactly between two multiples of 2**-52
    ties = rng.choice([0.0, 0.25, 0.3, 0.5, 1.0], 300)
    spread = np.concatenate([rng.random(500), rng.beta(0.2, 5, 500), 1 - rng.beta(0.2, 5, 200)])
    scores = np.concatenate([edges_of_everything(), tiny, halfway, ties, spread, [1.0, 1.0]])
    labels = (rng.random(len(scores)) < 0.3).astype(np.int64)
    order = rng.permutation(len(scores))
    return labels[order], scores[order]


def table_of(labels, scores, **columns) -> pa.Table:
    """Return an Arrow table with the columns y and p, and others."""
    return pa.table({"y": labels, "p": scores, **columns})
