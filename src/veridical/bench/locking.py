"""``bench.lock.json``: what version 1.0.0 of the bench is, hash by hash.

A change of vocabulary, policy, prompt, tools or scorer is another major version, a new suite a
minor one: a test computes every hash again, and fails where one differs.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from veridical import strict_json
from veridical.bench.cases import BENCH_VERSION, CASE_SCHEMA
from veridical.bench.prompting import hashes
from veridical.bench.scoring import SCORER_VERSION
from veridical.bench.suites import GENERATOR_VERSION, SUITES, named_suite

__all__ = ["SUBMISSION_SCHEMA", "computed_lock", "shipped_lock"]

SUBMISSION_SCHEMA: Final = "submission/1"


def shipped_lock() -> dict[str, Any]:
    """Return the lock as it is shipped."""
    content = files("veridical.bench").joinpath("bench.lock.json").read_bytes()
    lock: dict[str, Any] = strict_json.loads(content)
    return lock


def computed_lock() -> dict[str, Any]:
    """Return the lock as it is computed from what is installed: every suite is made for it."""
    return {
        "bench_version": BENCH_VERSION,
        **hashes(),
        "case_schema": CASE_SCHEMA,
        "submission_schema": SUBMISSION_SCHEMA,
        "generator_version": GENERATOR_VERSION,
        "scorer_version": SCORER_VERSION,
        "suites": {name: _suite(name) for name in SUITES},
    }


def _suite(name: str) -> dict[str, Any]:
    seed, n = SUITES[name]
    return {"seed": seed, "n": n, "manifest_sha256": named_suite(name).manifest_sha256}
