"""``veridical bench gen``: a suite as folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.bench.suite_options import CaseCount, SuiteName, SuiteSeed, chosen_suite
from veridical.cli.options import OUTPUT, Json
from veridical.cli.output import emit, emit_json

__all__ = ["gen"]


def gen(
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], group=OUTPUT, help="A new folder.")],
    suite: SuiteName = "dev",
    suite_seed: SuiteSeed = None,
    cases: CaseCount = None,
    json: Json = False,
) -> int:
    """Write the cases of a suite: what an agent may see, and apart from it what is true."""
    from veridical.bench.suites.storing import write_suite

    made = chosen_suite(suite, suite_seed, cases)
    folder = write_suite(made, output)
    if json:
        emit_json(
            {
                "schema": "veridical.bench_gen/1",
                "folder": str(folder),
                "n": len(made.cases),
                "manifest_sha256": made.manifest_sha256,
            }
        )
        return 0
    emit(f"{output}: {len(made.cases):,} cases of {made.name}\n  manifest {made.manifest_sha256}")
    return 0
