"""``veridical bench verify-suite``: agents whose answers are known, on every case."""

from __future__ import annotations

from veridical.cli.bench.suite_options import CaseCount, SuiteName, SuiteSeed, chosen_suite
from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json
from veridical.exit_codes import FAILED, OK

__all__ = ["verify_suite"]

_SHOWN = 5


def verify_suite(
    *,
    suite: SuiteName = "dev",
    suite_seed: SuiteSeed = None,
    cases: CaseCount = None,
    json: Json = False,
) -> int:
    """Hold a suite to its gates; exit 1 where an agent whose answer is known scores otherwise."""
    from veridical.bench.agents import shipped_agents
    from veridical.bench.suites.gates import verify

    made = chosen_suite(suite, suite_seed, cases)
    gates = verify(made.cases, shipped_agents())
    passed = all(gate.passed for gate in gates)
    if json:
        emit_json(
            {
                "schema": "veridical.bench_verify/1",
                "suite": made.name,
                "manifest_sha256": made.manifest_sha256,
                "passed": passed,
                "gates": [
                    {
                        "name": gate.name,
                        "n": gate.n,
                        "passed": gate.passed,
                        "failed": list(gate.failed),
                    }
                    for gate in gates
                ],
            }
        )
    else:
        lines = [f"{made.name}, {len(made.cases):,} cases, manifest {made.manifest_sha256}"]
        for gate in gates:
            lines.append(f"{'pass' if gate.passed else 'FAIL'}  {gate.name}, {gate.n:,} cases")
            lines += [f"      {case_id}" for case_id in gate.failed[:_SHOWN]]
        emit("\n".join(lines))
    return OK if passed else FAILED
