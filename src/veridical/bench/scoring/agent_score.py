"""All the figures of one agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from veridical.bench.cases import Case
from veridical.bench.grouping import GroupKey, check_cases, check_one_bench, grouped
from veridical.bench.prices.table import PriceTable
from veridical.bench.scoring.calibration import CONFIDENCE_MAP, Calibration, calibration_of
from veridical.bench.scoring.cost import Cost, cost_of, spent_on
from veridical.bench.scoring.grid import Cell, grid_of
from veridical.bench.scoring.magnitude import magnitudes_of
from veridical.bench.scoring.metrics import rates_of
from veridical.bench.scoring.pairs import Paired
from veridical.bench.scoring.rates import LEVEL
from veridical.bench.scoring.reliability import pass_hat_k
from veridical.bench.scoring.scored import Scored, score_one
from veridical.bench.scoring.twins import twin_delta
from veridical.bench.trajectories import Trajectory, settled
from veridical.results import Measured, Result

__all__ = ["HEADLINE", "AgentScore", "score_agents", "score_rows"]

HEADLINE: Final = (
    "bench.silent_failure_rate",
    "bench.exact_match",
    "bench.escalation_recall",
    "bench.false_alarm_rate",
)
"""Always shown in one row: always low, or flag everything, looks good in some of them only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentScore:
    """What one agent did.

    Attributes
    ----------
    key
        Who it is, and what it was asked.
    rows
        One for each case and trial, in their order.
    rates
        Shares by name.
    magnitudes
        By currency.
    calibration, cost
        Of all parsed submissions, and of all attempts.
    pass_hat
        pass^k for k from 1 to the number of trials, at most ten.
    twins
        What injections do: exact match with them, minus without.
    grid
        Figures for each kind of change, by its name.
    reasons
        How often each reason code stands where nothing parsed.
    unknown_flags
        Types outside the vocabulary, and how many submissions raised them.
    invented
        Accounts that do not exist.
    started
        First and last beginning of an attempt.
    lines
        Attempts in all, those that were tried again included.
    isolation
        What kept a program from reading more than its inputs; empty for other agents.
    """

    key: GroupKey
    rows: tuple[Scored, ...]
    rates: Mapping[str, Result]
    magnitudes: Mapping[str, Measured]
    calibration: Calibration
    cost: Cost
    pass_hat: tuple[Result, ...]
    twins: Paired
    grid: Mapping[str, Cell]
    reasons: Mapping[str, int]
    unknown_flags: Mapping[str, int]
    invented: int
    started: tuple[str, str]
    lines: int
    isolation: tuple[str, ...]

    @property
    def n_parsed(self) -> int:
        """Submissions that parsed."""
        return sum(row.parsed for row in self.rows)

    @property
    def n_cases_ended(self) -> int:
        """Cases of which a trial ended otherwise than by an infra_error."""
        return len({row.case.case_id for row in self.rows if not row.infra_error})

    def headline(self) -> list[Result]:
        """Return the four figures that are only read together."""
        return [self.rates[name] for name in HEADLINE]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        results = [*self.rates.values(), *self.magnitudes.values()]
        results += [self.calibration.brier, self.calibration.ece, *self.pass_hat]
        cost = self.cost
        results += [cost.tokens, cost.tokens_per_correct, cost.money, cost.money_per_correct]
        return {
            "agent": self.key.to_dict(),
            "n_trajectories": len(self.rows),
            "n_attempts": self.lines,
            "n_cases_ended": self.n_cases_ended,
            "n_parsed": self.n_parsed,
            "n_infra_errors": sum(row.infra_error for row in self.rows),
            "started": list(self.started),
            "isolation": list(self.isolation),
            "results": [result.to_dict() for result in results],
            "twin_delta": {
                "difference": self.twins.difference.to_dict(),
                "only_injected": self.twins.only_a,
                "only_twin": self.twins.only_b,
                "p_value": self.twins.p_value,
            },
            "grid": {name: cell.to_dict() for name, cell in self.grid.items()},
            "confidence_levels": [r.to_dict() for r in self.calibration.levels.values()],
            "confidence_pairs": [list(pair) for pair in self.calibration.pairs],
            "unparsed_reasons": dict(self.reasons),
            "unknown_flags": dict(self.unknown_flags),
            "invented_accounts": self.invented,
            "unpriced": list(cost.unpriced),
        }


def score_agents(
    cases: Mapping[str, Case],
    lines: Iterable[Trajectory],
    prices: PriceTable | None = None,
    *,
    level: float = LEVEL,
    confidence_map: Mapping[str, float] = CONFIDENCE_MAP,
) -> list[AgentScore]:
    """Score trajectories of one suite, each agent apart.

    Parameters
    ----------
    cases
        The suite by case id.
    lines
        Trajectories of any number of agents; their order decides nothing.
    prices
        The table; the one that is shipped is empty.
    level
        Of the intervals.
    confidence_map
        The probability that each level of confidence stands for.

    Raises
    ------
    MixedBenchVersionError, PromptHashMismatchError, CaseHashMismatchError, DuplicateTrialError
        The trajectories do not belong together, or not to the suite.
    """
    every = list(lines)
    check_one_bench((line.bench_version, line.prompt_sha256) for line in every)
    check_cases(cases, every)
    return [
        _score_group(key, cases, group, prices or PriceTable.empty(), level, confidence_map)
        for key, group in grouped(every).items()
    ]


def _score_group(
    key: GroupKey,
    cases: Mapping[str, Case],
    lines: Sequence[Trajectory],
    prices: PriceTable,
    level: float,
    confidence_map: Mapping[str, float],
) -> AgentScore:
    final = settled(lines)
    rows = tuple(score_one(cases[name], final[name, trial]) for name, trial in sorted(final))
    starts = [line.started_at for line in lines]
    return AgentScore(
        key=key,
        cost=cost_of([spent_on(line) for line in lines], _n_correct(rows), prices),
        started=(min(starts), max(starts)),
        lines=len(lines),
        isolation=tuple(sorted({line.isolation for line in lines if line.isolation})),
        **score_rows(rows, level, confidence_map),
    )


def score_rows(
    rows: tuple[Scored, ...],
    level: float = LEVEL,
    confidence_map: Mapping[str, float] = CONFIDENCE_MAP,
) -> dict[str, Any]:
    """Return what is computed from the rows alone.

    Parameters
    ----------
    rows
        One for each case and trial.
    level, confidence_map
        As for ``score_agents``.
    """
    return {
        "rows": rows,
        "rates": rates_of(rows, level),
        "magnitudes": magnitudes_of(rows, level),
        "calibration": calibration_of(rows, confidence_map, level),
        "pass_hat": pass_hat_k(rows),
        "twins": twin_delta(rows, level),
        "grid": grid_of(rows, level),
        "reasons": _sorted(Counter(row.reason for row in rows if row.reason)),
        "unknown_flags": _sorted(Counter(kind for row in rows for kind in row.unknown)),
        "invented": sum(row.invented for row in rows),
    }


def _n_correct(rows: Iterable[Scored]) -> int:
    return sum(row.correct for row in rows)


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
