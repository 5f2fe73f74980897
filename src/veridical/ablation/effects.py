"""From the values of runs to means of combinations, main effects and interactions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.ablation.experiment import Experiment
from veridical.ablation.results import Term
from veridical.ablation.row_noise import RowNoise
from veridical.measures import Measure
from veridical.results import Conditions, Interval, Measured, Result, Skipped
from veridical.stats.factorial import (
    Estimate,
    Factorial,
    JointTest,
    Noise,
    estimate,
    joint_test,
)
from veridical.stats.multiplicity import holm
from veridical.stats.paired_seeds import PairedSeeds, mean_of

__all__ = ["MetricOfRuns", "adjusted"]

Floats: TypeAlias = npt.NDArray[np.float64]

SEEDS, ROWS, BOTH = "seeds", "rows", "seeds and rows"


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricOfRuns:
    """One metric of every run.

    Attributes
    ----------
    measure
        The metric.
    experiment
        The runs by factors.
    results
        Of each run.
    noise
        The rows of the runs.
    paired_seeds
        Whether a seed stands for the same split in every combination.
    level
        Coverage of the intervals.
    """

    measure: Measure
    experiment: Experiment
    results: Sequence[Result]
    noise: RowNoise
    paired_seeds: bool
    level: float

    @cached_property
    def rows(self) -> Floats | None:
        """Covariance of the runs by rows, shape (runs, runs); None where it is not known."""
        return self.noise.covariance(str(self.measure))

    def _covers(self, of: Sequence[object]) -> str:
        """Return what an interval over replicates stands for, where these are different groups.

        Replicates without a row in common differ by their rows as much as by their seeds.
        """
        return BOTH if self.rows is not None or self.noise.apart(of) else SEEDS

    @cached_property
    def covers(self) -> str:
        """What the intervals of effects stand for."""
        runs = self.experiment.runs
        return self._covers([run.seed if self.paired_seeds else at for at, run in enumerate(runs)])

    @property
    def _method(self) -> str:
        return "t-replicates" if self.rows is None else "t-replicates-and-rows"

    def cells(self) -> Iterator[Result]:
        """Yield the mean of each combination that has runs."""
        for levels, runs in self.experiment.cells.items():
            yield self._cell(self.experiment.name_of(levels), runs)

    def _cell(self, name: str, runs: Sequence[int]) -> Result:
        for run in runs:
            result = self.results[run]
            if isinstance(result, Skipped):
                seed = self.experiment.runs[run].seed
                told = f"seed {seed}: {result.detail}" if seed else result.detail
                return replace(result, subject=name, detail=told, n=0, counts={"n_runs": len(runs)})
        return self._mean(name, runs) if len(runs) > 1 else _alone(name, self.results[runs[0]])

    def _mean(self, name: str, runs: Sequence[int]) -> Measured:
        """Return the mean of runs that all have a value."""
        every = [self.results[run] for run in runs]
        first = every[0]
        values = np.array([float(one) for one in every])
        rows = None if self.rows is None else self.rows[np.ix_(runs, runs)]
        found = mean_of(values, self.level, rows)
        own = [at if at in runs else None for at in range(len(self.results))]
        return Measured(
            float(values.mean()),
            n=len(runs),
            interval=self._interval(found, bounded=True),
            metric=str(self.measure),
            requested=first.requested,
            subject=name,
            n_rows=_common(one.n_rows for one in every),
            counts={"n_runs": len(runs)},
            conditions=Conditions(
                first.conditions.settings,
                {
                    **({} if found is None else {"covers": self._covers(own)}),
                    "standard_deviation": float(np.std(values, ddof=1)),
                    "smallest": float(values.min()),
                    "largest": float(values.max()),
                },
            ),
            notes=() if found is not None else ("no_interval_replicates_equal",),
        )

    def _interval(self, found: Estimate | None, *, bounded: bool = False) -> Interval | None:
        if found is None:
            return None
        low, high = found.low, found.high
        if bounded:  # what no value can reach needs no covering
            least, most = self.measure.definition.bounds
            low = low if least is None else max(low, min(least, found.value))
            high = high if most is None else min(high, max(most, found.value))
        return Interval(low, high, self.level, self._method)

    @cached_property
    def _used(self) -> list[int]:
        """The runs of combinations in which every run has a value."""
        whole = [
            runs
            for runs in self.experiment.cells.values()
            if all(self.results[run].ok for run in runs)
        ]
        return sorted(run for runs in whole for run in runs)

    @cached_property
    def _values(self) -> Floats:
        return np.array([float(self.results[run]) for run in self._used])

    @cached_property
    def _rows(self) -> Floats | None:
        return None if self.rows is None else self.rows[np.ix_(self._used, self._used)]

    @cached_property
    def _codes(self) -> npt.NDArray[np.intp]:
        factors, runs = self.experiment.factors, [self.experiment.runs[at] for at in self._used]
        codes = [
            [factor.levels.index(run.levels[at]) for at, factor in enumerate(factors)]
            for run in runs
        ]
        return np.array(codes, dtype=np.intp)

    @cached_property
    def _fit(self) -> _Fit:
        levels = tuple(len(one.levels) for one in self.experiment.factors)
        everything = (self._values, self._rows, self.level)
        if not self.paired_seeds:
            return _Pooled(Factorial(self._codes, levels), *everything)
        seeds = [self.experiment.runs[at].seed for at in self._used]
        cells, cell_of = np.unique(self._codes, axis=0, return_inverse=True)
        seed_of = np.unique(seeds, return_inverse=True)[1]
        # Every seed has one run in every combination: the table was checked.
        order = np.lexsort((cell_of.reshape(-1), seed_of)).reshape(-1, len(cells))
        return _Within(PairedSeeds(Factorial(cells, levels), order), *everything)

    def terms(self) -> Iterator[Term]:
        """Yield main effects, interactions, and what is beyond the pairs of factors."""
        factors = self.experiment.factors
        if not factors or not self._used:
            return
        for term in self._fit.design.terms:
            names = tuple(factors[at].name for at in term)
            main = len(term) == 1
            yield self._tested(
                Term(
                    metric=str(self.measure),
                    factors=names,
                    means=tuple(self._means(term[0])) if main else (),
                    contrasts=tuple(
                        self._differences(term[0]) if main else self._interactions(term)
                    ),
                    level=self.level,
                ),
                self._fit.design.whole(term),
            )
        beyond = self._fit.design.higher() if len(factors) > 2 else None
        if beyond is not None and self._fit.replicated:
            yield self._tested(Term(metric=str(self.measure), factors=(), level=self.level), beyond)

    def _tested(self, term: Term, weights: Floats | None) -> Term:
        if weights is None or not self._fit.replicated:
            return term
        found = self._fit.joint_test(weights)
        if found is None:
            return term
        return replace(term, statistic=found.statistic, df=found.df, p_value=found.p_value)

    def _means(self, factor: int) -> Iterator[Result]:
        one = self.experiment.factors[factor]
        for at, level in enumerate(one.levels):
            yield self._estimated(
                self._fit.design.mean(factor, at),
                f"{one.name} = {level}",
                {"factor": one.name, "level": level},
                bounded=True,
            )

    def _differences(self, factor: int) -> Iterator[Result]:
        one = self.experiment.factors[factor]
        reference = one.levels[0]
        for at, level in enumerate(one.levels[1:], 1):
            yield self._estimated(
                self._fit.design.difference(factor, at, 0),
                f"{one.name}: {level} \N{MINUS SIGN} {reference}",
                {"factor": one.name, "level": level, "reference": reference},
            )

    def _interactions(self, term: tuple[int, ...]) -> Iterator[Result]:
        a, b = (self.experiment.factors[at] for at in term)
        others = product(range(1, len(a.levels)), range(1, len(b.levels)))
        for levels in others:
            told = (a.levels[levels[0]], b.levels[levels[1]])
            yield self._estimated(
                self._fit.design.interaction(term, levels, (0, 0)),
                f"({a.name}: {told[0]} \N{MINUS SIGN} {a.levels[0]}) \N{MULTIPLICATION SIGN} "
                f"({b.name}: {told[1]} \N{MINUS SIGN} {b.levels[0]})",
                {
                    "factors": [a.name, b.name],
                    "levels": list(told),
                    "references": [a.levels[0], b.levels[0]],
                },
            )

    def _estimated(
        self,
        weights: Floats | None,
        subject: str,
        settings: Mapping[str, Any],
        *,
        bounded: bool = False,
    ) -> Result:
        passport: dict[str, Any] = {
            "metric": str(self.measure),
            "subject": subject,
            "conditions": Conditions(settings),
        }
        n = len(self._used)
        if weights is None:
            return Skipped("empty_cell", n, detail=self._empty(), **passport)
        if not self._fit.replicated:
            return Skipped("no_replicates", n, detail=self._alone(), **passport)
        found = self._fit.estimate(weights)
        if found is None:
            detail = (
                "the replicates of every combination are equal: they show no noise to measure by"
            )
            return Skipped("degenerate_variance", n, detail=detail, **passport)
        return Measured(
            found.value,
            n=n,
            interval=self._interval(found, bounded=bounded),
            metric=str(self.measure),
            subject=subject,
            conditions=Conditions(
                settings,
                {"covers": self.covers, "standard_error": found.error, "df": found.df},
            ),
        )

    def _empty(self) -> str:
        """Say which combinations have no run."""
        factors = self.experiment.factors
        there = {self.experiment.runs[run].levels for run in self._used}
        total = int(np.prod([float(len(one.levels)) for one in factors]))
        first = next(
            levels for levels in product(*(one.levels for one in factors)) if levels not in there
        )
        return (
            f"{total - len(there):,} of {total:,} combinations have no value, such as "
            f"{self.experiment.name_of(first)}: their effects cannot be told apart"
        )

    def _alone(self) -> str:
        return (
            f"each of {len(self._used):,} combinations has one run: there is no noise to measure by"
        )


@dataclass(frozen=True, eq=False)
class _Pooled:
    """Independent runs, whose noise is pooled over the combinations."""

    design: Factorial
    values: Floats
    rows: Floats | None
    level: float

    @cached_property
    def noise(self) -> Noise | None:
        return self.design.noise(self.values, self.rows)

    @property
    def replicated(self) -> bool:
        return self.noise is not None

    def estimate(self, weights: Floats) -> Estimate | None:
        if self.noise is None:
            return None
        return estimate(weights, self.values, self.noise, self.level, self.rows)

    def joint_test(self, weights: Floats) -> JointTest | None:
        if self.noise is None:
            return None
        return joint_test(weights, self.values, self.noise, self.rows)


@dataclass(frozen=True, eq=False)
class _Within:
    """Runs that are compared within seeds."""

    paired: PairedSeeds
    values: Floats
    rows: Floats | None
    level: float

    @property
    def design(self) -> Factorial:
        return self.paired.design

    @property
    def replicated(self) -> bool:
        return len(self.paired.order) > 1

    def estimate(self, weights: Floats) -> Estimate | None:
        return self.paired.estimate(weights, self.values, self.level, self.rows)

    def joint_test(self, weights: Floats) -> JointTest | None:
        return self.paired.joint_test(weights, self.values, self.rows)


_Fit: TypeAlias = _Pooled | _Within


def _alone(name: str, result: Result) -> Result:
    """Return the combination that one run stands for: its own value and interval."""
    covers = {"covers": ROWS} if result.interval is not None else {}
    return replace(
        result,
        subject=name,
        counts={"n_runs": 1},
        conditions=result.conditions.found(**covers),
    )


def adjusted(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Return the terms with Holm's p-values over all that were tested."""
    tested = [at for at, one in enumerate(terms) if one.p_value is not None]
    p_values = holm([p for one in terms if (p := one.p_value) is not None])
    by_place = dict(zip(tested, p_values, strict=True))
    return tuple(
        replace(one, p_adjusted=by_place.get(at), n_tests=len(tested))
        for at, one in enumerate(terms)
    )


def _common(counts: Any) -> int | None:
    distinct = set(counts)
    return distinct.pop() if len(distinct) == 1 else None
