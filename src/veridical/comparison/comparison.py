"""``Comparison``: a difference with its interval, its test, and one sentence; several together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from veridical.measures import Better, Measure
from veridical.results import Result, Skipped
from veridical.stats.multiplicity import holm
from veridical.stats.normal import z
from veridical.stats.paired import minimum_detectable_effect

__all__ = [
    "COULD_TURN",
    "POWER",
    "Comparison",
    "adjusted",
    "compared_pairs",
    "comparison_of",
    "first_skipped",
    "names_apart",
]

COULD_TURN = "missing_could_turn"
"""Note of a difference whose sign the missing cases could turn."""

POWER = 0.8
"""Chance of finding the minimum detectable effect."""

_MOST_ALL_PAIRS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the data say about the difference of two models in one metric.

    Attributes
    ----------
    metric
        Canonical name.
    a, b
        The two models.
    value_a, value_b
        The metric of each; None where it has no value.
    difference
        A result whose value is ``value_a - value_b``, with its interval and the conditions it
        holds under; skipped with the reason where a side has no value.
    p_value
        Two-sided, of "no difference"; None where there is no test.
    p_adjusted
        Holm's p-value over all comparisons that were made together.
    n_tests
        How many these were.
    method
        The test: ``"delong"``, ``"mcnemar-exact"``, ``"influence"``, ``"bootstrap"``, ...;
        ``"none"`` where there is none.
    better
        Which side of the metric is better.
    """

    metric: str
    a: str
    b: str
    value_a: float | None
    value_b: float | None
    difference: Result
    p_value: float | None = None
    p_adjusted: float | None = None
    n_tests: int = 1
    method: str = "none"
    better: Better = "higher"

    @property
    def shown(self) -> bool:
        """Whether a difference is shown: zero outside the interval, and every p-value small.

        None is where the cases that lack a value on a side could turn it.
        """
        found = self._found(self.p_value, self.p_adjusted)
        return found and COULD_TURN not in self.difference.notes

    def _found(self, *p_values: float | None) -> bool:
        interval = self.difference.interval
        if interval is None or 0.0 in interval:
            return False
        return all(p is None or p <= 1 - interval.level for p in p_values)

    @property
    def detectable(self) -> float | None:
        """The smallest true difference that this test would find with 80% power; None without one.

        At the variance that was observed, which the interval tells.  "No difference shown" says
        nothing about differences below it.
        """
        interval = self.difference.interval
        if interval is None or interval.width == 0:
            return None
        error = interval.width / (2 * z(interval.level))
        return minimum_detectable_effect(error, interval.level, POWER)

    @property
    def winner(self) -> str | None:
        """The better model where a difference is shown, else None."""
        if not self.shown or self.better == "target":
            return None
        a_is_higher = float(self.difference) > 0
        return self.a if a_is_higher == (self.better == "higher") else self.b

    @property
    def verdict(self) -> str:
        """One sentence: who is better, or that no difference is shown."""
        if isinstance(self.difference, Skipped):
            return f"not compared: {self.difference.detail}"
        p = self._p_text()
        if self.shown:
            return f"{self.winner} better{p}" if self.winner else f"the two differ{p}"
        if self.difference.interval is None:
            return "no difference" if self.difference.value == 0 else "not tested"
        if self._found(self.p_value, self.p_adjusted):
            missing = self.difference.counts.get("n_missing", 0)
            return f"not settled: {missing:,} missing cases could turn it{p}"
        if self._found(self.p_value):
            return f"no difference shown among {self.n_tests} tests{p}"
        return f"no difference shown{p}"

    def _p_text(self) -> str:
        if self.p_value is None:
            return ""
        text = f"p {_p(self.p_value)}"
        if self.p_adjusted is not None and self.n_tests > 1:
            text += f", adjusted {_p(self.p_adjusted)}"
        return f" ({text})"

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as one JSON object."""
        return {
            "metric": self.metric,
            "a": self.a,
            "b": self.b,
            "value_a": self.value_a,
            "value_b": self.value_b,
            "difference": self.difference.to_dict(),
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "n_tests": self.n_tests,
            "method": self.method,
            "verdict": self.verdict,
            "minimum_detectable_effect": self.detectable,
        }

    def __str__(self) -> str:
        return f"{self.metric}, {self.a} - {self.b}: {self.verdict}"


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}" if p < 0.1 else f"= {p:.2f}"


def adjusted(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return the comparisons with Holm's p-values over all of them that have a test."""
    tested = [i for i, one in enumerate(comparisons) if one.p_value is not None]
    p_values = holm([p for one in comparisons if (p := one.p_value) is not None])
    by_index = dict(zip(tested, p_values, strict=True))
    return tuple(
        replace(one, p_adjusted=by_index.get(i), n_tests=len(tested))
        for i, one in enumerate(comparisons)
    )


def comparison_of(
    measure: Measure,
    names: tuple[str, str],
    values: tuple[float | None, float | None],
    difference: Result,
    *,
    p_value: float | None = None,
    method: str = "none",
) -> Comparison:
    """Return the comparison in one metric, not yet adjusted for others.

    Parameters
    ----------
    measure, names, values
        The metric, what the two sides are called, and the metric of each.
    difference
        With its conditions; metric and subject are filled in.
    p_value, method
        Of the test.
    """
    metric = str(measure)
    return Comparison(
        metric=metric,
        a=names[0],
        b=names[1],
        value_a=values[0],
        value_b=values[1],
        difference=replace(difference, metric=metric, subject=" - ".join(names)),
        p_value=p_value,
        method=method,
        better=measure.definition.better,
    )


def first_skipped(names: tuple[str, str], results: tuple[Result, Result]) -> Skipped:
    """Return why there is no difference: the skip of the first side that has no value."""
    name, skipped = next(
        (name, result)
        for name, result in zip(names, results, strict=True)
        if isinstance(result, Skipped)
    )
    return Skipped(skipped.reason, detail=f"{name}: {skipped.detail}")


def names_apart(a: str, b: str) -> tuple[str, str]:
    """Return the names of two sides, told apart where they are one.

    Examples
    --------
    >>> names_apart("p", "q"), names_apart("p", "p")
    (('p', 'q'), ('p (a)', 'p (b)'))
    """
    return (a, b) if a != b else (f"{a} (a)", f"{b} (b)")


def compared_pairs(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Return who is compared with whom: up to four all with all, more of them with the first.

    Examples
    --------
    >>> list(compared_pairs("pqr")), list(compared_pairs("pqrst"))[:2]
    ([('p', 'q'), ('p', 'r'), ('q', 'r')], [('p', 'q'), ('p', 'r')])
    """
    if len(names) <= _MOST_ALL_PAIRS:
        return combinations(names, 2)
    return ((names[0], other) for other in names[1:])
