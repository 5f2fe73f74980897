"""Cohen's kappa of two raters beside scikit-learn: arrays and lists of ints, lists of texts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from harness import Side, arguments, race, ratio, record, written

KAPPA = "agreement.cohens_kappa"
KINDS = {"array": "array of ints", "ints": "list of ints", "texts": "list of texts"}
TEXT = """
Four labels, 70% agreement; the value alone, without an interval. Both sides answer the same to
1e-12 before a time counts. The lists are made before the clock starts, and every text is an object
of its own. *measure* is `vd.measure("agreement.cohens_kappa", a, b, intervals=False)`, *evaluate*
`evaluate_agreement` of two columns. Memory is the peak of the whole process, lists included.
"""


def ratings(n: int) -> dict[str, np.ndarray]:
    """Return seeded ratings of two raters."""
    generator = np.random.default_rng(0)
    first = generator.integers(0, 4, n)
    return {"a": first, "b": np.where(generator.random(n) < 0.7, first, 0)}


_HELD: dict[str, Any] = {}


@cache
def sides(kind: str) -> tuple[Any, Any]:
    """Return both raters' labels; made once, so that the best run does not count it."""
    arrays = _HELD["a"], _HELD["b"]
    if kind == "array":
        return arrays
    first, second = (array.tolist() for array in arrays)
    if kind == "ints":
        return first, second
    return [f"label{code}" for code in first], [f"label{code}" for code in second]


def measured(data: dict[str, np.ndarray], *, kind: str) -> dict[str, float]:
    """Return kappa by ``measure``."""
    import veridical as vd

    _HELD.update(data)
    return {"kappa": float(vd.measure(KAPPA, *sides(kind), intervals=False))}


def evaluated(data: dict[str, np.ndarray], *, kind: str) -> dict[str, float]:
    """Return kappa by ``evaluate_agreement``."""
    import veridical as vd

    _HELD.update(data)
    columns = dict(zip("ab", sides(kind), strict=True))
    ev = vd.evaluate_agreement(columns, [KAPPA], raters=["a", "b"], intervals=False)
    return {"kappa": float(ev[KAPPA])}


def by_sklearn(data: dict[str, np.ndarray], *, kind: str) -> dict[str, float]:
    """Return kappa by scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    _HELD.update(data)
    return {"kappa": float(cohen_kappa_score(*sides(kind)))}


def main() -> None:
    """Race and record."""
    told = arguments(__doc__ or "", sizes="1e4,1e5,1e6")
    rows = []
    for n in told.sizes:
        data = written(f"agreement-{n}", lambda n=n: ratings(n))
        for kind, name in KINDS.items():
            # Short runs are repeated more often, so that the best one was alone.
            runs = max(15, 3_000_000 // n)
            every = [
                Side(side, function, {"kind": kind}, runs=runs)
                for side, function in (
                    ("measure", "measured"),
                    ("evaluate", "evaluated"),
                    ("scikit-learn", "by_sklearn"),
                )
            ]
            ours, ev, theirs = race("agreement_bench", data, every, rtol=1e-12).values()
            rows.append(
                [
                    f"{n:,}", name, f"{ours.seconds * 1e3:.2f}", f"{ev.seconds * 1e3:.2f}",
                    f"{theirs.seconds * 1e3:.2f}", ratio(theirs, ours), ratio(theirs, ev),
                    f"{ours.megabytes:.0f}", f"{theirs.megabytes:.0f}",
                ]
            )  # fmt: skip
    head = ["ratings", "labels", "measure ms", "evaluate ms", "scikit-learn ms", "times", "times"]
    record("30-kappa", "Cohen's kappa", TEXT, [*head, "MB", "scikit-learn MB"], rows)


if __name__ == "__main__":
    main()
