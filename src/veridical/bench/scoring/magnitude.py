"""By how much the balances are off: for each currency apart, for money of two is never summed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from statistics import median

import numpy as np

from veridical.bench.money import decimal_text
from veridical.bench.scoring.rates import LEVEL, MANY_CLUSTERS
from veridical.bench.scoring.scored import Scored
from veridical.results import Conditions, Measured
from veridical.stats.bca import bca_mean

__all__ = ["magnitudes_of"]

_NAME = "bench.magnitude_weighted_error"


def magnitudes_of(
    scored: Iterable[Scored], level: float = LEVEL, *, seed: int = 0
) -> dict[str, Measured]:
    """Return the mean discrepancy of a submission, by true currency.

    Parameters
    ----------
    scored
        One for each case and trial, in an order that does not depend on how they arrived.
    level, seed
        Of the interval, a bootstrap over templates.

    Returns
    -------
    dict
        For each currency that a parsed submission's case has.  The conditions hold the exact mean,
        the median, the 90th percentile (nearest rank), the largest, and its share of the total.
    """
    by_currency: dict[str, list[tuple[Scored, Decimal]]] = {}
    for row in scored:
        for currency, off in row.off_by.items():
            by_currency.setdefault(currency, []).append((row, off))
    return {
        currency: _mean(currency, rows, level, seed)
        for currency, rows in sorted(by_currency.items())
    }


def _mean(
    currency: str, rows: Sequence[tuple[Scored, Decimal]], level: float, seed: int
) -> Measured:
    offs = sorted(off for _, off in rows)
    n, total = len(offs), sum(map(Fraction, offs), Fraction(0))
    templates = sorted({row.case.template_id for row, _ in rows})
    units = np.array([templates.index(row.case.template_id) for row, _ in rows], dtype=np.intp)
    values = np.array([float(off) for _, off in rows])
    interval = bca_mean(values, units, level, seed=seed)
    notes = ("few_clusters",) if len(templates) < MANY_CLUSTERS else ()
    notes = ("no_interval_degenerate",) if interval is None else notes
    return Measured(
        float(total / n),
        n,
        interval=interval,
        metric=_NAME,
        group=currency,
        conditions=Conditions(
            {"currency": currency},
            {
                "mean": decimal_text(total / n, 6),
                "median": str(median(offs)),
                "p90": str(offs[-(-9 * n // 10) - 1]),
                "max": str(offs[-1]),
                "share_of_the_worst": float(Fraction(offs[-1]) / total) if total else None,
            },
        ),
        notes=notes,
    )
