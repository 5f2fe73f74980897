"""``gate_agent``: one agent against the rules of a policy, and against an earlier run of its own.

Each rate of the bench can be had for nothing: who flags everything recalls every flag, and who is
never sure never fails silently.  So it is the rules together that have to mean something: where an
agent without skill keeps all of them, all of them are vacuous.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, field_validator, model_validator

from veridical.bench.comparing import COMPARED, compare_agents
from veridical.bench.scoring.agent_score import AgentScore
from veridical.bench.scoring.metrics import LOWER, RATES
from veridical.bench.scoring.pairs import Paired
from veridical.bench.scoring.rates import rate
from veridical.bench.scoring.scored import Scored
from veridical.comparison.recorded import Recorded
from veridical.gates import GateRule, GateVerdict
from veridical.measures import Definition, Measure
from veridical.policy import Policy, PolicyRow, PolicyVerdict, Rule
from veridical.policy.deciding import as_good_as_baseline, decide, meets
from veridical.policy.files import load_policy_of
from veridical.results import Measured, Result, Skipped
from veridical.slices import Settings
from veridical.stats.proportions import wilson

__all__ = ["FLOORS", "BenchPolicy", "BenchRule", "gate_agent"]

FLOORS: Final = ("naive", "null", "closing_copier", "flag_all", "hedger")
"""Agents that are shipped and have no skill: what any rules worth having keep out."""
_ELSEWHERE: Final = ("group", "max_skip_rate", "max_error_rate")


class BenchRule(Rule):
    """One target for one rate of the bench, such as ``bench.exact_match``.

    The keys are those of any rule but ``group``, ``max_skip_rate`` and ``max_error_rate``: what did
    not parse is in the rates ``parsed_rate`` and ``exact_match_all_attempts``.

    Examples
    --------
    >>> str(BenchRule(metric="silent_failure_rate", at_most=0.1))
    'bench.silent_failure_rate at most 0.1'
    """

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, name: str) -> str:
        full = name if name.startswith("bench.") else f"bench.{name}"
        if full not in RATES:
            listed = ", ".join(known.removeprefix("bench.") for known in RATES)
            raise ValueError(f"there is no rate {name[:80]!r} of the bench; there are {listed}")
        return full

    @model_validator(mode="after")
    def _is_of_the_bench(self) -> BenchRule:
        for key in _ELSEWHERE:
            if getattr(self, key) is not None:
                raise ValueError(f"a rule about an agent has no {key}")
        if self.no_worse_than is not None and self.metric not in COMPARED:
            listed = ", ".join(known.removeprefix("bench.") for known in COMPARED)
            raise ValueError(f"{self.metric} is not compared between agents; {listed} are")
        return self

    @property
    def measure(self) -> Measure:
        """The rate as a measure object."""
        counted, empty = RATES[self.metric]

        def measured(rows: Sequence[Scored]) -> Result:
            return rate(self.metric, counted(rows), empty=empty)

        name = self.metric.removeprefix("bench.")
        definition = Definition(
            family="bench",
            name=name,
            point=None,
            function=measured,
            summary=list,
            better="lower" if self.metric in LOWER else "higher",
            bounds=(0, 1),
            interval=wilson,
        )
        return Measure("bench", name, {None: definition})


class BenchPolicy(Policy):
    """Rules about rates of the bench, under a name and a version."""

    rules: Annotated[tuple[BenchRule, ...], Field(strict=False, min_length=1)]

    @model_validator(mode="after")
    def _has_rules_alone(self) -> BenchPolicy:
        if self.bands or self.costs:
            raise ValueError("a policy for agents has rules, and neither bands nor costs")
        return self


def gate_agent(
    agent: AgentScore,
    policy: str | Path | BenchPolicy,
    *,
    n_cases: int,
    floors: Mapping[str, AgentScore],
    baseline: AgentScore | None = None,
    level: float = 0.95,
) -> GateVerdict:
    """Say whether an agent passes a policy.

    Parameters
    ----------
    agent
        Its score.
    policy
        A YAML file of rules about rates of the bench, or such a policy.
    n_cases
        How many cases the suite has: a part of them decides nothing, for what was left out may be
        what is hard.
    floors
        Scores of agents without skill on the same suite, by name.
    baseline
        What rules with ``no_worse_than: baseline`` compare with, case by case.
    level
        Of the intervals.

    Raises
    ------
    ConfigurationError, FileMissingError
        The policy cannot be used.
    MixedBenchVersionError, PromptHashMismatchError, CaseHashMismatchError
        Agent and baseline were not asked the same.
    """
    rules = load_policy_of(policy, BenchPolicy)
    differences = {} if baseline is None else _differences(agent, baseline, level)
    rows = [_row(rule, agent, differences, rules.level) for rule in rules.rules]
    rows = _unmasked(rules, rows, floors)
    if agent.n_cases_ended < n_cases:
        why = f"{agent.n_cases_ended:,} of {n_cases:,} cases were asked to an end"
        rows = [_undecided(row, why) for row in rows]
    verdict = PolicyVerdict(
        name=rules.name,
        version=str(rules.version),
        sha256=rules.sha256,
        source=rules.source,
        rows=tuple(rows),
    )
    return GateVerdict(
        run=_recorded(agent, level),
        policy=verdict,
        rules=tuple(GateRule(row) for row in rows),
        baseline=None if baseline is None else _recorded(baseline, level),
        notes=("no rule reads the baseline",) if _in_vain(rules, baseline) else (),
    )


def _in_vain(rules: BenchPolicy, baseline: AgentScore | None) -> bool:
    return baseline is not None and all(rule.no_worse_than is None for rule in rules.rules)


def _row(
    rule: BenchRule, agent: AgentScore, differences: Mapping[str, Result], level: float
) -> PolicyRow:
    result = replace(agent.rates[rule.metric], subject=agent.key.label)
    if isinstance(result, Skipped):
        return PolicyRow(str(rule), rule.bounds, result, "skipped", note=rule.note)
    difference = differences.get(rule.metric) if rule.no_worse_than else None
    verdict, why = decide(rule, result, difference, level)
    return PolicyRow(
        str(rule), rule.bounds, result, verdict, why=why, note=rule.note, difference=difference
    )


def _differences(agent: AgentScore, baseline: AgentScore, level: float) -> dict[str, Result]:
    found = [one.paired for one in compare_agents(agent, baseline, level).headline]
    return {one.metric: _said(one) for one in found}


def _said(one: Paired) -> Result:
    """Return the difference; that no unit differs decides a rule without any interval."""
    difference = one.difference
    if not isinstance(difference, Measured) or one.only_a or one.only_b:
        return difference
    return replace(difference, notes=(*difference.notes, "no_unit_differs"))


def _unmasked(
    rules: BenchPolicy, rows: Sequence[PolicyRow], floors: Mapping[str, AgentScore]
) -> list[PolicyRow]:
    """Return the rows with the floors that keep every rule, and are no agents worth having."""
    worthless = {
        name: found
        for name, floor in floors.items()
        if (found := [floor.rates[rule.metric] for rule in rules.rules])
        and all(map(_keeps, rules.rules, found, rows))
    }
    if not worthless:
        return list(rows)
    why = f"every rule is met by {', '.join(worthless)} too"
    return [
        replace(
            row,
            met_without_skill={name: float(found[at]) for name, found in worthless.items()},
            why="; ".join(filter(None, (row.why, why))),
        )
        for at, row in enumerate(rows)
    ]


def _keeps(rule: BenchRule, found: Result, row: PolicyRow) -> bool:
    return (
        isinstance(found, Measured)
        and isinstance(row.result, Measured)
        and meets(rule, found.value)
        and as_good_as_baseline(rule, found.value, row.result, row.difference)
    )


def _undecided(row: PolicyRow, why: str) -> PolicyRow:
    if row.verdict != "met":
        return row
    return replace(row, verdict="undecided", why="; ".join(filter(None, (why, row.why))))


def _recorded(agent: AgentScore, level: float) -> Recorded:
    return Recorded(
        label=agent.key.label,
        kind="bench",
        results=tuple(agent.rates.values()),
        source={},
        settings=Settings(level=level),
    )
