"""``veridical bench gate``: whether an agent passes a policy, as an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.bench.trajectory_options import CaseCount, SuiteSeed, scored_report, sole_agent
from veridical.cli.gate import JUDGING, Github, Junit, show_verdict
from veridical.cli.options import Json, Level, Markdown, Report
from veridical.cli.output import one_form
from veridical.cli.targets import check_targets

if TYPE_CHECKING:
    from veridical.bench.reporting.data import BenchReport
    from veridical.bench.scoring.agent_score import AgentScore

__all__ = ["gate"]


def gate(
    trajectories: Annotated[Path, Parameter(help="Trajectories of one agent.")],
    /,
    *,
    policy: Annotated[
        Path, Parameter(group=JUDGING, help="A file of rules about rates of the bench.")
    ],
    baseline: Annotated[
        Path | None,
        Parameter(group=JUDGING, help="Trajectories that rules with no_worse_than compare with."),
    ] = None,
    suite_seed: SuiteSeed = None,
    cases: CaseCount = None,
    level: Level = 0.95,
    report: Report = None,
    junit: Junit = None,
    github: Github = False,
    markdown: Markdown = False,
    json: Json = False,
) -> int:
    """Say whether an agent passes a policy: exit code 0 if it does, 1 if not, 3 if undecided."""
    one_form(json=json, markdown=markdown)
    read = map(str, filter(None, (trajectories, policy, baseline)))
    check_targets(report, junit, others=read)

    from veridical.bench.gating import FLOORS, gate_agent
    from veridical.bench.reporting.loading import floors_on

    def asked(path: Path) -> tuple[BenchReport, AgentScore]:
        found = scored_report([path], suite_seed, cases, None, level, baseline=False)
        return found, sole_agent(path, found)

    scored, agent = asked(trajectories)
    verdict = gate_agent(
        agent,
        policy,
        n_cases=len(scored.cases),
        floors=floors_on(scored, FLOORS),
        baseline=None if baseline is None else asked(baseline)[1],
        level=level,
    )
    return show_verdict(
        verdict, report=report, junit=junit, github=github, markdown=markdown, json=json
    )
