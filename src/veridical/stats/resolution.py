"""Whether there are enough units, and enough bootstrap replicates, for an interval."""

from __future__ import annotations

from veridical.results import Interval

__all__ = [
    "FEWEST_REPLICATES",
    "FEW_UNITS",
    "are_few",
    "few_units",
    "interval_notes",
    "rough_notes",
]

FEWEST_REPLICATES = 50
"""What may be asked for at the least."""

FEW_UNITS = 30
"""Below it, an interval that holds for many units only is rough."""

_FIT_FOR_FEW = ("wilson", "newcombe", "koopman", "bonett-price")
"""Methods for shares of few units, whose coverage was computed (design/interval-coverage.md)."""

_OF_QUANTILES = ("bootstrap-percentile", "bootstrap-debiased")
"""Methods whose ends are quantiles of replicates, with what may be added to their names."""


def few_units(interval: Interval | None, units: float) -> tuple[str, ...]:
    """Return the note that belongs to an interval over few units, or none.

    Parameters
    ----------
    interval
        Of any method; those for shares hold on few units too.
    units
        Rows, queries, texts, items or cases: what is drawn again, or taken to be independent.

    Examples
    --------
    >>> few_units(Interval(0.1, 0.9, 0.95, "bootstrap-percentile"), 2)
    ('few_units',)
    >>> few_units(Interval(0.1, 0.9, 0.95, "wilson"), 2)
    ()
    """
    if interval is None or units >= FEW_UNITS or interval.method in _FIT_FOR_FEW:
        return ()
    return ("few_units",)


def are_few(replicates: int, level: float) -> bool:
    """Return whether fewer than one replicate is expected beyond each end of an interval.

    Beyond the outermost replicate there is nothing that a quantile could be: the interval is too
    narrow.

    Examples
    --------
    >>> are_few(1000, 0.95), are_few(100, 0.99)
    (False, True)
    """
    return replicates * (1 - level) / 2 < 1


def rough_notes(
    interval: Interval | None, units: float | None, replicates: int | None
) -> tuple[str, ...]:
    """Return what must be said of an interval that rests on too little.

    Parameters
    ----------
    interval
        Of any method; of none nothing is said.
    units
        How many units it rests on; None where something else is said of them, as of clusters.
    replicates
        How many were drawn and have a value, which matters where their quantiles are the ends;
        None where none were drawn.

    Examples
    --------
    >>> rough_notes(Interval(0.1, 0.9, 0.95, "bootstrap-percentile"), 20, 30)
    ('few_replicates', 'few_units')
    """
    if interval is None:
        return ()
    drawn = replicates is not None and interval.method.startswith(_OF_QUANTILES)
    few = drawn and are_few(replicates or 0, interval.level)
    notes = ("few_replicates",) if few else ()
    return notes if units is None else (*notes, *few_units(interval, units))


def interval_notes(interval: Interval | None, replicates: int, units: int) -> tuple[str, ...]:
    """Return what must be said of an interval, or of there being none.

    Parameters
    ----------
    interval
        From replicates, or from a formula, to which their number is nothing.
    replicates
        How many were drawn, without those that have no value.
    units
        How many units were drawn from.
    """
    if interval is None:
        return ("no_interval_degenerate",)
    return rough_notes(interval, units, replicates)
