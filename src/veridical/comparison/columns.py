"""``compare_columns``: the score columns of one evaluation against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from veridical.comparison.comparison import Comparison, compared_pairs
from veridical.comparison.contrasts import PassSums
from veridical.comparison.methods import resampled
from veridical.comparison.pairs import Side
from veridical.comparison.replicates import Replicates
from veridical.comparison.two_models import Asked, TwoModels, compared
from veridical.metrics import find
from veridical.results import Result
from veridical.slices import Settings, Slice

__all__ = ["compare_columns"]


def compare_columns(
    results: Iterable[Result], slices: Iterable[Slice], settings: Settings
) -> tuple[Comparison, ...]:
    """Compare the score columns of one evaluation in every metric that was measured on all rows.

    Up to four columns are compared pair by pair, more of them with the first.  Holm's adjustment
    is over all metrics and pairs together.

    Parameters
    ----------
    results, slices, settings
        Of one evaluation.
    """
    sides = {
        str(part.subject): Side(str(part.subject), part, settings)
        for part in slices
        if part.group is None
    }
    measured = _by_metric(results)
    replicates, sums = Replicates(resampled(find(name) for name in measured)), PassSums()
    models = [TwoModels(sides[a], sides[b], replicates, sums) for a, b in compared_pairs([*sides])]
    return compared(
        [
            Asked(two, find(metric), (of_metric[two.a.name], of_metric[two.b.name]))
            for two in models
            for metric, of_metric in measured.items()
            if two.a.name in of_metric and two.b.name in of_metric
        ]
    )


def _by_metric(results: Iterable[Result]) -> Mapping[str, Mapping[str, Result]]:
    """Return what was measured on all rows: metric to score column to result."""
    found: dict[str, dict[str, Result]] = {}
    for result in results:
        if result.group is None:
            found.setdefault(result.metric, {})[str(result.subject)] = result
    return found
