"""Which suite a command is about: one that goes by a name, or one of the caller's own seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Parameter

from veridical.cli.options import DATA
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.bench.suites import Suite

__all__ = ["CaseCount", "SuiteName", "SuiteSeed", "chosen_suite"]

SuiteName: TypeAlias = Annotated[
    str,
    Parameter(group=DATA, help="dev or public; or any name, with a seed and a number of cases."),
]
SuiteSeed: TypeAlias = Annotated[
    str | None, Parameter(group=DATA, help="Seed of a suite of your own: any text.")
]
CaseCount: TypeAlias = Annotated[
    int | None, Parameter(group=DATA, help="Cases of a suite of your own, injected ones included.")
]


def chosen_suite(name: str, seed: str | None, n: int | None) -> Suite:
    """Return the suite that the command line asks for."""
    from veridical.bench.suites import generate, named_suite

    if seed is None and n is None:
        return named_suite(name)
    if seed is None or n is None:
        raise ParameterError(
            "a suite of your own has a seed and a number of cases",
            fix="give --suite-seed and --cases, or neither",
        )
    return generate(name, seed, n)
