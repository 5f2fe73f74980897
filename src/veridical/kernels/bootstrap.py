"""The bootstrap over slots.

A ranking metric of resampled rows depends only on how many of them fall into each slot, and those
numbers are multinomial.  Drawing them directly is the same distribution as resampling rows, at the
cost of one number a slot instead of one a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, ParameterError
from veridical.kernels.arrays import Counts
from veridical.kernels.choice import implementation

__all__ = ["SlotReplicates", "slot_bootstrap", "slot_resamples"]

# Replicates drawn from one stream of random numbers: the streams, and with them every digit, are
# the same however many threads share them.
_CHUNK = 64

Seed: TypeAlias = int | Sequence[int] | np.random.SeedSequence


class SlotReplicates(NamedTuple):
    """Metrics of each resample that holds both classes.

    Attributes
    ----------
    roc_auc, average_precision
        float64, shape (replicates - degenerate,).
    recall
        Recall at each false-positive rate, float64, shape (replicates - degenerate, len(fprs)).
    degenerate
        Resamples without a positive or without a negative, which are left out above.
    """

    roc_auc: npt.NDArray[np.float64]
    average_precision: npt.NDArray[np.float64]
    recall: npt.NDArray[np.float64]
    degenerate: int


def slot_bootstrap(
    positives: Counts,
    tied: Counts,
    between: Counts,
    *,
    replicates: int = 1000,
    seed: Seed = 0,
    fprs: Sequence[float] = (),
    stratified: bool = False,
    threads: int = 1,
) -> SlotReplicates:
    """Resample the rows behind the slots and compute ranking metrics of each resample.

    Parameters
    ----------
    positives, tied, between
        Counts by slot in ascending order of score, as ``slot_edges`` and ``slot_counts`` give
        them: int64, shapes (m,), (m,), (m + 1,).
    replicates
        Number of resamples.
    seed
        What ``numpy.random.SeedSequence`` takes.
    fprs
        False-positive rates at which recall is wanted, never interpolated.
    stratified
        Keep the number of positives and of negatives fixed, instead of resampling all rows.
    threads
        How many threads share the replicates.  The result does not depend on it.

    Examples
    --------
    >>> import numpy as np
    >>> replicates = slot_bootstrap(
    ...     np.array([9, 9]), np.array([0, 5]), np.array([40, 20, 1]), fprs=[0.1], stratified=True
    ... )
    >>> replicates.roc_auc.shape, replicates.recall.shape, replicates.degenerate
    ((1000,), (1000, 1), 0)
    """
    if threads < 1:
        raise ParameterError(f"threads is {threads}", fix="use 1 or more")
    draw = _Draw(positives, tied, between, stratified=stratified)
    limits = np.array(fprs, dtype=np.float64).reshape(-1)
    if not draw.P or not draw.N:
        return SlotReplicates(np.empty(0), np.empty(0), np.empty((0, len(limits))), replicates)
    sweep: Callable[..., tuple[npt.NDArray[np.float64], ...]]
    sweep = implementation("bootstrap").sweep

    def metrics(chunk: tuple[int, np.random.SeedSequence]) -> tuple[npt.NDArray[np.float64], ...]:
        at, negatives = draw(*chunk)
        both = (at > 0).any(axis=1) & (negatives > 0).any(axis=1)
        return sweep(at[both], negatives[both], limits)

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(metrics, _chunks(replicates, seed)))
    auc, ap, recall = (np.concatenate(column) for column in zip(*parts, strict=True))
    return SlotReplicates(auc, ap, recall, replicates - len(auc))


def slot_resamples(
    positives: Counts,
    tied: Counts,
    between: Counts,
    *,
    replicates: int = 1000,
    seed: Seed = 0,
    stratified: bool = False,
) -> Iterator[tuple[Counts, Counts, Counts]]:
    """Yield the resampled counts that ``slot_bootstrap`` sweeps, for metrics of one's own.

    Parameters
    ----------
    positives, tied, between, replicates, seed, stratified
        As in ``slot_bootstrap``.

    Yields
    ------
    tuple
        ``(positives, tied, between)`` of up to 64 resamples, one a row: int64, shapes (r, m),
        (r, m), (r, m + 1).

    Examples
    --------
    >>> import numpy as np
    >>> slots = np.array([3, 1]), np.array([0, 2]), np.array([5, 0, 1])
    >>> [at.shape for at, tied, between in slot_resamples(*slots, replicates=100)]
    [(64, 2), (36, 2)]
    """
    draw = _Draw(positives, tied, between, stratified=stratified)
    for size, stream in _chunks(replicates, seed):
        at, negatives = draw(size, stream)
        yield at, negatives[:, 1::2], negatives[:, ::2]


def _chunks(replicates: int, seed: Seed) -> list[tuple[int, np.random.SeedSequence]]:
    if replicates < 1:
        raise ParameterError(f"replicates is {replicates}", fix="use 1 or more")
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    # Not ``root.spawn``, which remembers: the same seed would then give other replicates next time.
    starts = range(0, replicates, _CHUNK)
    return [
        (
            min(_CHUNK, replicates - start),
            np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, index)),
        )
        for index, start in enumerate(starts)
    ]


class _Draw:
    """Multinomial counts of the slots."""

    def __init__(
        self, positives: Counts, tied: Counts, between: Counts, *, stratified: bool
    ) -> None:
        m = len(positives)
        if len(tied) != m or len(between) != m + 1:
            raise InputError(
                f"slots of shapes ({m},), ({len(tied)},), ({len(between)},)",
                where="kernels",
                why="m scores of positives have m ties and m + 1 gaps",
                fix="pass the counts as slot_edges and slot_counts give them",
            )
        self.positives = np.asarray(positives, dtype=np.int64)
        self.negatives = np.empty(2 * m + 1, dtype=np.int64)
        self.negatives[::2], self.negatives[1::2] = between, tied
        self.P, self.N = int(self.positives.sum()), int(self.negatives.sum())
        self.stratified = stratified

    def __call__(self, size: int, stream: np.random.SeedSequence) -> tuple[Counts, Counts]:
        """Return the resampled positives, shape (size, m), and negatives, (size, 2m + 1)."""
        rng = np.random.Generator(np.random.PCG64(stream))
        n = self.P + self.N
        P = np.full(size, self.P)
        if n and not self.stratified:
            P = rng.binomial(n, self.P / n, size)
        return _multinomial(rng, self.positives, P), _multinomial(rng, self.negatives, n - P)


def _multinomial(rng: np.random.Generator, counts: Counts, totals: Counts) -> Counts:
    drawn = np.zeros((len(totals), len(counts)), dtype=np.int64)
    # Most scores of positives tie with no negative: empty slots are not worth a random number.
    occupied = np.flatnonzero(counts)
    if len(occupied):
        drawn[:, occupied] = rng.multinomial(totals, counts[occupied] / counts.sum())
    return drawn
