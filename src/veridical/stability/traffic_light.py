"""The traffic light of the population stability index."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Self

from veridical.results import Result

__all__ = ["MODERATE", "SIGNIFICANT", "Light", "light_of", "with_light"]

MODERATE = 0.10
SIGNIFICANT = 0.25


class Light(StrEnum):
    """What an index asks for.

    The boundaries are a convention of the industry, not of a regulator.

    Examples
    --------
    >>> Light.SIGNIFICANT.action
    'a retrain task is dispatched'
    """

    action: str

    def __new__(cls, code: str, action: str = "") -> Self:
        """Make the member of a code, carrying what follows from it."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.action = action
        return member

    STABLE = "stable", "no action"
    MODERATE = "moderate", "warning: the retraining queue enters MONITORING_ALERT"
    SIGNIFICANT = "significant", "a retrain task is dispatched"
    INSUFFICIENT_DATA = "insufficient_data", "more rows are needed to tell drift from noise"


def light_of(psi: Result) -> Light:
    """Return the light of an index.

    Below 0.10 it is stable, above 0.25 significant; the boundaries themselves are moderate, on the
    unrounded number.  Where noise alone reaches 0.10 in one sample of twenty, an index within that
    noise says nothing.

    Parameters
    ----------
    psi
        A result of ``drift.psi``.

    Examples
    --------
    >>> from veridical.results import Conditions, Measured
    >>> enough = Conditions(observed={"quantile_without_drift": 0.01})
    >>> str(light_of(Measured(0.25, 5000, conditions=enough)))
    'moderate'
    """
    if psi.value is None:
        return Light.INSUFFICIENT_DATA
    noise = psi.conditions["quantile_without_drift"]
    if noise >= MODERATE and psi.value <= noise:
        return Light.INSUFFICIENT_DATA
    if psi.value < MODERATE:
        return Light.STABLE
    return Light.SIGNIFICANT if psi.value > SIGNIFICANT else Light.MODERATE


def with_light(psi: Result) -> Result:
    """Return the result with its light among the conditions."""
    return replace(psi, conditions=psi.conditions.found(light=str(light_of(psi))))
