"""The bench of agents: making cases, running agents that ask no model, scoring trajectories.

python benchmarks/agents_bench.py [--cases 1000] [--trajectories 10000]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness import record

from veridical.bench.agents import shipped_agents
from veridical.bench.cases import Limits
from veridical.bench.running.suite_run import run_suite
from veridical.bench.scoring.agent_score import score_agents
from veridical.bench.suites import generate, named_suite
from veridical.bench.trajectories import TrajectoryWriter, read_trajectories


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return processor time of a piece of work, and what came of it."""
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def main() -> None:
    """Measure, and keep a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=lambda text: int(float(text)), default=1_000)
    parser.add_argument("--trajectories", type=lambda text: int(float(text)), default=10_000)
    asked = parser.parse_args()
    took, _ = seconds(lambda: generate("benchmark", "benchmark", asked.cases))
    rows = [[f"{asked.cases:,} cases made, with all their files", f"{took:.1f}"]]
    suite = named_suite("dev")
    cases = {case.case_id: case for case in suite.cases}
    with TemporaryDirectory() as folder:
        for name in ("reference", "scripted_chat"):
            path = Path(folder) / f"{name}.jsonl"
            agent = shipped_agents()[name]
            run = {"suite": suite.name, "limits": Limits(), "run_id": "benchmark"}
            took, _ = seconds(lambda a=agent, p=path, r=run: run_suite(a, suite.cases, p, **r))
            rows.append([f"{name} on {len(cases)} cases", f"{took:.1f}"])
            lines = read_trajectories(path).lines
            trials = -(-asked.trajectories // len(lines))
            many = [replace(one, trial=k) for k in range(trials) for one in lines]
            many = many[: asked.trajectories]
            large = Path(folder) / f"{name}-many.jsonl"
            with TrajectoryWriter(large) as writer:
                for line in many:
                    writer.append(line)
            took, read = seconds(lambda p=large: read_trajectories(p).lines)
            rows.append([f"{len(read):,} trajectories of {name} read", f"{took:.1f}"])
            took, _ = seconds(lambda r=read: score_agents(cases, r))
            rows.append([f"{len(read):,} trajectories of {name} scored", f"{took:.1f}"])
    record(
        "95-agents",
        "Agents that reconcile bank accounts",
        "Seconds of processor time, once each. Scoring parses every submission again, and makes "
        "all rates, intervals and the grid.",
        ["what", "seconds"],
        rows,
    )


if __name__ == "__main__":
    main()
