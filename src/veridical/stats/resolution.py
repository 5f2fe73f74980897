"""Whether there are enough bootstrap replicates for the quantiles that an interval is made of."""

from __future__ import annotations

from veridical.results import Interval

__all__ = ["are_few", "interval_notes"]


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


def interval_notes(interval: Interval | None, replicates: int) -> tuple[str, ...]:
    """Return what must be said of an interval, or of there being none.

    Parameters
    ----------
    interval
        From replicates, or from a formula, to which their number is nothing.
    replicates
        How many were drawn, without those that have no value.
    """
    if interval is None:
        return ("no_interval_degenerate",)
    is_drawn = interval.method.startswith("bootstrap-percentile")
    return ("few_replicates",) if is_drawn and are_few(replicates, interval.level) else ()
