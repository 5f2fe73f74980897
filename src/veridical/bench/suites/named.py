"""The suites that go by a name."""

from __future__ import annotations

from typing import Final

from veridical.bench.suites.generating import Suite, generate
from veridical.errors import ParameterError

__all__ = ["SUITES", "named_suite"]

SUITES: Final[dict[str, tuple[str, int]]] = {
    "dev": ("veridical-bench-dev-1", 60),
    "public": ("veridical-bench-public-1", 240),
}
"""Seed and number of cases, those with an injection among them."""


def named_suite(name: str) -> Suite:
    """Return a suite of ``SUITES``; ``ParameterError`` where there is none of this name."""
    if name not in SUITES:
        raise ParameterError(
            f"there is no suite {name[:80]!a}", fix=f"give one of {', '.join(SUITES)}"
        )
    seed, n = SUITES[name]
    return generate(name, seed, n)
