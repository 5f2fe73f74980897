"""Seeded random data for the comparisons: ties, rare classes, weights, float32."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Sample:
    name: str
    labels: np.ndarray
    scores: np.ndarray
    weight: np.ndarray | None = None

    def __str__(self) -> str:
        return self.name


def _labels(generator: np.random.Generator, n: int, prevalence: float) -> np.ndarray:
    labels = (generator.random(n) < prevalence).astype(np.int64)
    labels[:2] = [0, 1]
    return labels


def sample(
    name: str,
    seed: int,
    n: int = 400,
    *,
    prevalence: float = 0.3,
    ties: int | None = None,
    dtype: type = np.float64,
    weight: str | None = None,
) -> Sample:
    """Return probabilities that follow the labels weakly; ``ties`` is the number of levels."""
    generator = np.random.default_rng(seed)
    labels = _labels(generator, n, prevalence)
    noise = generator.normal(size=n)
    scores = 1 / (1 + np.exp(-(noise + labels - 0.5)))
    if ties is not None:
        scores = np.round(scores * ties) / ties
    weights = None
    if weight == "integer":
        weights = generator.integers(0, 5, n).astype(np.float64)
        weights[:2] = 1
    elif weight == "fractional":
        weights = generator.gamma(2.0, 0.7, n)
    return Sample(name, labels, scores.astype(dtype), weights)


SAMPLES = [
    sample("distinct", 1),
    sample("ties", 2, ties=10),
    sample("heavy-ties", 3, ties=2),
    sample("rare", 4, n=3000, prevalence=0.002),
    sample("common", 5, n=3000, prevalence=0.998),
    sample("small", 6, n=7, ties=4),
    sample("float32", 7, dtype=np.float32),
    sample("float32-ties", 8, ties=7, dtype=np.float32),
    sample("integer-weights", 9, ties=20, weight="integer"),
    sample("fractional-weights", 10, ties=20, weight="fractional"),
    sample("fractional-weights-distinct", 11, weight="fractional"),
    sample("fractional-weights-float32", 12, ties=9, dtype=np.float32, weight="fractional"),
]
