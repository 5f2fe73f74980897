"""``Accumulator``: batches in, one evaluation out, in memory that does not grow with the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from veridical.errors import InputError, LabelError, MismatchError, ParameterError
from veridical.evaluation import Evaluation, evaluate
from veridical.measures import Measure
from veridical.parameters import text, truth
from veridical.portable import Header, Summary, summary_of
from veridical.portable.arriving import BatchReader, joined
from veridical.portable.counting import FORECASTS, NUMBERS, check_choices, empty_summary
from veridical.tables import Rows

__all__ = ["Accumulator"]

_MOST_WAITING_ROWS: Final = 1 << 16
_MOST_WAITING_BATCHES: Final = 1 << 12


class Accumulator:
    """Measures scores that arrive in batches: from a training loop, a stream, several processes.

    It keeps counts in bins, never the rows, and so takes constant memory.  Calibration and
    decisions at ``thresholds`` are exact; metrics of the order of scores have certified bounds.
    Accumulators of different processes are added; neither the order nor the sizes of the batches
    matter, to the bit.

    Parameters
    ----------
    thresholds
        Where decisions are counted exactly.
    bins
        Number of equal-width bins of the calibration errors.
    grid
        The bins of scores, as for ``summarise``; by default settled by ``probabilities``.
    probabilities
        True: the scores are forecasts in [0, 1], and any other is an error.  False: they may be
        any numbers.  None: settled at the end; until a score lies outside [0, 1] both are counted.
    positive
        The label that counts as positive.
    missing
        ``"error"``, or ``"drop"`` to leave out rows with a missing label or score and count them.
    label, score, weight
        The names of the columns in results and in the summary; ``weight`` where rows have weights.

    Examples
    --------
    >>> accumulator = Accumulator(thresholds=[0.5])
    >>> for labels, scores in (([1, 0], [0.9, 0.6]), ([1, 0], [0.4, 0.1])):
    ...     accumulator.update(labels, scores)
    >>> result = accumulator.result()
    >>> result["roc_auc"].value, result["recall"].value
    (0.75, 0.5)
    """

    def __init__(
        self,
        *,
        thresholds: Sequence[float] = (),
        bins: int = 10,
        grid: str | None = None,
        probabilities: bool | None = None,
        positive: Any = None,
        missing: Literal["error", "drop"] = "error",
        label: str = "label",
        score: str = "score",
        weight: str | None = None,
    ) -> None:
        named = [text("label", label), text("score", score)]
        named += [] if weight is None else [text("weight", weight)]
        if len(set(named)) < len(named):
            raise ParameterError(
                f"two columns have the name {max(named, key=named.count)!r}",
                fix="give label=, score= and weight= different names",
            )
        if probabilities is not None:
            truth("probabilities", probabilities)
        by_default = {True: (FORECASTS,), False: (NUMBERS,), None: (FORECASTS, NUMBERS)}
        grids = by_default[probabilities] if grid is None else (grid,)
        if grid is not None and probabilities is not None:
            raise ParameterError(
                "grid= and probabilities= both choose the bins", fix="give one of the two"
            )
        if missing not in {"error", "drop"}:
            raise ParameterError(f"missing is {missing!r}", fix="use 'error' or 'drop'")
        self._headers = tuple(
            Header(
                label,
                None if positive is None else str(positive),
                {score: held},
                (),
                weight,
                *check_choices(held, bins, thresholds),
            )
            for held in grids
        )
        self._reader = BatchReader(label, score, weight, positive, missing, _only_forecasts(grids))
        # By grid; one that a score has no place on is removed for good, in a sum as well.
        self._sums = {grids[i]: empty_summary(header) for i, header in enumerate(self._headers)}
        self._waiting: list[Rows] = []
        self._waiting_rows = 0
        self._batches = 0

    @property
    def rows(self) -> int:
        """Rows that were taken so far."""
        return next(iter(self._sums.values())).rows + self._waiting_rows

    def update(self, labels: Any, scores: Any, weight: Any = None) -> None:
        """Take the next batch, or a single row.

        Parameters
        ----------
        labels, scores, weight
            Arrays, lists, series or tensors of shape (n,), or single values.  Labels as for
            ``evaluate``; scores in the float type of the first batch.

        Raises
        ------
        LabelError, ScoreError, InputError, MismatchError
            The batch cannot be used; the error names its number, counted from 1, and nothing of
            it was taken.
        ParameterError
            Weights for an accumulator without ``weight=``, or none for one with it.
        UnsupportedTypeError
            An object that is no column of values.
        """
        self._batches += 1
        try:
            batch = self._reader.read(labels, scores, weight)
        except (InputError, MismatchError) as error:
            place = f"batch {self._batches:,}"
            error.where = f"{place}, {error.where}" if error.where else place
            raise
        self._waiting.append(batch)
        self._waiting_rows += batch.n
        if self._waiting_rows >= _MOST_WAITING_ROWS or len(self._waiting) >= _MOST_WAITING_BATCHES:
            self._settle()

    def summary(self) -> Summary:
        """Return what was counted as a portable summary, which can be saved and added."""
        self._settle()
        return next(iter(self._sums.values()))

    def result(
        self, metrics: Iterable[str | Measure] | str | Measure | None = None, **options: Any
    ) -> Evaluation:
        """Measure what was taken so far; more batches may follow.

        Parameters
        ----------
        metrics
            As for ``evaluate``.
        **options
            ``threshold``, ``costs``, ``level``, ``intervals``, ``seed``, ``replicates`` and
            ``policy``, as for ``evaluate``.  The threshold is by default the only one of
            ``thresholds``.

        Raises
        ------
        LabelError
            The positive label occurred in no batch.
        """
        summary = self.summary()
        positive = self._reader.positive
        if positive is not None and summary.rows and not summary.tally.positives:
            raise LabelError(
                f"the positive label {str(positive)[:80]!r} does not occur",
                where=f"{self._batches:,} batches",
                fix="name another one with positive=",
            )
        return evaluate(summary, metrics, score=self._reader.score, **options)

    def __add__(self, other: Accumulator) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        self._settle()
        other._settle()
        if len(self._headers) != len(other._headers):
            raise MismatchError(
                "two accumulators differ in probabilities=",
                why="one has bins that the other has not",
                fix="make both with the same options",
            )
        for mine, theirs in zip(self._headers, other._headers, strict=True):
            mine.refuse_difference(theirs)
        both = object.__new__(Accumulator)
        both.__dict__.update(self.__dict__)
        both._sums = {g: own + other._sums[g] for g, own in self._sums.items() if g in other._sums}
        both._waiting = []
        both._batches = self._batches + other._batches
        both._reader = self._reader + other._reader
        return both

    def __repr__(self) -> str:
        return f"Accumulator({self.rows:,} rows in {self._batches:,} batches)"

    def _settle(self) -> None:
        """Count the rows that wait; adding them up is exact, so it does not matter when."""
        if not self._waiting:
            return
        score = self._reader.score
        rows = joined(self._waiting, score)
        for grid in list(self._sums):
            if len(self._sums) > 1 and grid == FORECASTS and not rows.in_unit_interval(score):
                del self._sums[grid]
            else:
                self._sums[grid] += summary_of(rows, self._sums[grid].header)
        self._waiting, self._waiting_rows = [], 0


def _only_forecasts(grids: Sequence[str]) -> bool:
    return all(grid.startswith("probability") for grid in grids)
