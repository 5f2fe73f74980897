"""From files of trajectories to a report; the baseline is run where it is not among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.bench.agents import shipped_agents
from veridical.bench.cases import Limits
from veridical.bench.grouping import grouped
from veridical.bench.prices.table import PriceTable
from veridical.bench.prompting import hashes
from veridical.bench.reporting.data import BASELINE, BenchReport, is_baseline
from veridical.bench.running.one_case import Conditions, run_case
from veridical.bench.scoring import SCORER_VERSION
from veridical.bench.scoring.agent_score import AgentScore, score_agents
from veridical.bench.scoring.calibration import CONFIDENCE_MAP
from veridical.bench.scoring.rates import LEVEL
from veridical.bench.suites.generating import GENERATOR_VERSION
from veridical.bench.trajectories import Trajectory, read_trajectories
from veridical.errors import MismatchError, ParameterError

if TYPE_CHECKING:
    from veridical.bench.suites import Suite

__all__ = ["floors_on", "loaded", "report_of", "suite_name_of"]


def loaded(paths: Iterable[str | Path]) -> tuple[list[Trajectory], list[tuple[str, int]]]:
    """Read the trajectories of several files.

    Parameters
    ----------
    paths
        At least one.

    Returns
    -------
    list
        All of them.
    list
        Files whose last line was never finished, with its length.

    Raises
    ------
    FileMissingError, FileFormatError, ParameterError
        A file cannot be read, or there is nothing in any.
    """
    lines: list[Trajectory] = []
    torn = []
    for path in paths:
        found = read_trajectories(path)
        lines += found.lines
        if found.torn_bytes:
            torn.append((str(path), found.torn_bytes))
    if not lines:
        raise ParameterError(
            "there is no trajectory to score", fix="give a file that `veridical bench run` wrote"
        )
    return lines, torn


def suite_name_of(lines: Sequence[Trajectory]) -> str:
    """Return the suite that all trajectories are of.

    Raises
    ------
    MismatchError
        They are of several.
    """
    names = sorted({line.suite for line in lines})
    if len(names) > 1:
        raise MismatchError(
            f"these are trajectories of the suites {', '.join(map(ascii, names[:5]))[:200]}",
            why="a report is about the same cases for every agent",
            fix="score each suite alone",
        )
    return names[0]


def report_of(
    lines: Sequence[Trajectory],
    suite: Suite,
    prices: PriceTable | None = None,
    *,
    level: float = LEVEL,
    confidence_map: Mapping[str, float] = CONFIDENCE_MAP,
    baseline: bool = True,
) -> BenchReport:
    """Score trajectories, and put the baseline beside them.

    Parameters
    ----------
    lines
        Of any number of agents.
    suite
        The one they were run on, with its files.
    prices
        The table that money is by; empty by default.
    level
        Of the intervals.
    confidence_map
        The probability that each level of confidence stands for.
    baseline
        Whether it is run where it is not among them.

    Raises
    ------
    MixedBenchVersionError, PromptHashMismatchError, CaseHashMismatchError, DuplicateTrialError
        The trajectories do not belong together, or not to the suite.
    """
    table = prices or PriceTable.empty()
    cases = {case.case_id: case for case in suite.cases}
    every = list(lines)
    if baseline and not any(map(is_baseline, grouped(lines))):
        every += _baseline(suite, max(line.started_at for line in lines))
    scores = score_agents(cases, every, table, level=level, confidence_map=confidence_map)
    scores.sort(key=lambda score: is_baseline(score.key))
    told = {name.replace("_", " "): sha256 for name, sha256 in hashes().items()}
    return BenchReport(
        suite=suite.name,
        cases=cases,
        agents=scores,
        hashes={
            "bench version": lines[0].bench_version,
            "generator and scorer version": f"{GENERATOR_VERSION}, {SCORER_VERSION}",
            **told,
            "suite manifest sha256": suite.manifest_sha256,
        },
        prices=table,
        harness_versions=sorted({line.harness_version for line in every}),
        level=level,
        confidence_map=confidence_map,
    )


def floors_on(report: BenchReport, names: Iterable[str]) -> dict[str, AgentScore]:
    """Return the scores of agents that are shipped on the cases of a report, by name.

    Parameters
    ----------
    report
        Whose cases, and whose level of the intervals.
    names
        Of agents.
    """
    agents, conditions = shipped_agents(), Conditions("floors", report.suite, Limits())
    scores = {}
    for name in names:
        lines = [run_case(agents[name], case, conditions) for case in report.cases.values()]
        (scores[name],) = score_agents(report.cases, lines, level=report.level)
    return scores


def _baseline(suite: Suite, day: str) -> list[Trajectory]:
    """Return what the baseline does, on the day of the others: a score knows no clock."""
    agent, conditions = shipped_agents()[BASELINE], Conditions("baseline", suite.name, Limits())
    return [
        replace(run_case(agent, case, conditions), started_at=day, ended_at=day, latency_s=0.0)
        for case in suite.cases
    ]
