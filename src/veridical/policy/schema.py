"""The one schema of rule files: what may stand in a policy, and what it means.

A file is checked in full before anything is measured: an unknown key, an unknown metric or a bound
that no value can reach is an error, never a rule that silently does nothing.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from veridical import strict_json
from veridical.costs import Costs
from veridical.errors import VeridicalError
from veridical.measures import Measure
from veridical.metrics import find

__all__ = ["BandOfValues", "Bands", "Policy", "Prices", "Rule"]

NAME = r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$"
BOUNDS = ("at_least", "above", "at_most", "below", "value", "lower_bound", "upper_bound")
LEVEL = 0.95
CHECKS = (*BOUNDS, "no_worse_than", "max_error_rate", "max_skip_rate")

Text = Annotated[str, Field(max_length=2000)]
Amount = Annotated[int | float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _canonical(name: str) -> str:
    try:
        measure = find(name)
        measure.arguments()
    except VeridicalError as error:
        raise ValueError(f"{error.what}; {error.fix}") from error
    return str(measure)


class Rule(_Strict):
    """One target for one metric.

    Attributes
    ----------
    metric
        Any name that ``find`` accepts; kept in its canonical form.
    at_least, at_most
        What the value must reach.  Where the result has an interval the rule is met or not met
        only if the whole interval lies on one side of the bound, and undecided otherwise, also
        where there should be an interval and is none.  A metric that never has one (ECE) is
        decided by its value; where a lossy summary knows that within certified bounds only, by
        both of its ends.
    above, below
        The same without the bound itself: an index ``below: 0.10`` is not 0.10.
    value
        The same for the value alone, whatever its interval: at least this where higher is better,
        at most this where lower is better.
    lower_bound, upper_bound
        What the end of the interval must reach.  Without an interval the rule is undecided.
    no_worse_than, margin
        ``"baseline"``, and by how much the metric may be worse than that of the baseline run, in
        the metric's own unit.  Met where the whole interval of the difference is within the
        margin, not met where all of it is beyond, undecided otherwise and without a baseline.
    min_n
        Fewest units (the metric's own ``n``) that may decide the rule.  Where ``n`` is a sum of
        fractional weights, or of weights of rows in clusters, the rows behind it are counted.
    max_skip_rate, max_error_rate
        Largest share of the units that may have been left out, or may have ended in an error of
        what is under test, in [0, 1].
    group
        A slice, as ``"column=value"``; None for all rows.
    note
        Why the rule exists; printed beside it.

    Examples
    --------
    >>> rule = Rule(metric="PR-AUC", at_least=0.75, min_n=300)
    >>> str(rule)
    'binary.average_precision at least 0.75, n at least 300'
    """

    metric: str
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    below: float | None = None
    value: float | None = None
    lower_bound: float | None = None
    upper_bound: float | None = None
    no_worse_than: Literal["baseline"] | None = None
    margin: Annotated[float, Field(ge=0)] | None = None
    min_n: Annotated[int, Field(ge=1)] | None = None
    max_skip_rate: Share | None = None
    max_error_rate: Share | None = None
    group: Text | None = None
    note: Text = ""

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, name: str) -> str:
        return _canonical(name)

    @model_validator(mode="after")
    def _sensible(self) -> Rule:
        if all(getattr(self, name) is None for name in CHECKS):
            raise ValueError(f"the rule for {self.metric} has no bound; give one of {CHECKS}")
        if (self.no_worse_than is None) != (self.margin is None):
            raise ValueError("no_worse_than and margin stand together; margin: 0 allows no loss")
        definition = self.measure.definition
        for name in ("value", "no_worse_than"):
            if getattr(self, name) is not None and definition.better == "target":
                raise ValueError(
                    f"{self.metric} has no better side; write at_least or at_most for {name}"
                )
        for name, bound in self.bounds.items():
            _check_reachable(self.metric, name, bound, definition.bounds)
        _check_order(self.metric, self.floor, self.ceiling)
        _check_order(self.metric, self.lower_bound, self.upper_bound)
        return self

    @property
    def measure(self) -> Measure:
        """The metric as a measure object."""
        return find(self.metric)

    @property
    def bounds(self) -> dict[str, float]:
        """The bounds that were given, by name."""
        given = {name: getattr(self, name) for name in BOUNDS}
        return {name: bound for name, bound in given.items() if bound is not None}

    @property
    def floor(self) -> float | None:
        """The smallest double that ``at_least`` and ``above`` allow; None without either."""
        after = None if self.above is None else math.nextafter(self.above, math.inf)
        return max((b for b in (self.at_least, after) if b is not None), default=None)

    @property
    def ceiling(self) -> float | None:
        """The largest double that ``at_most`` and ``below`` allow; None without either."""
        before = None if self.below is None else math.nextafter(self.below, -math.inf)
        return min((b for b in (self.at_most, before) if b is not None), default=None)

    @property
    def about_value(self) -> bool:
        """Whether it is about the metric's value, and not only about units that are missing."""
        return bool(self.bounds) or self.no_worse_than is not None

    def __str__(self) -> str:
        words = {"at_least": "at least", "at_most": "at most", "above": "above", "below": "below"}
        words |= {"lower_bound": "interval from at least", "upper_bound": "interval up to at most"}
        side = "at most" if self.measure.definition.better == "lower" else "at least"
        words["value"] = f"value alone {side}"
        parts = [f"{words[name]} {bound:g}" for name, bound in self.bounds.items()]
        if self.margin is not None:
            parts.append(f"worse than the {self.no_worse_than} by at most {self.margin:g}")
        if self.min_n is not None:
            parts.append(f"n at least {self.min_n:,}")
        if self.max_skip_rate is not None:
            parts.append(f"left out at most {self.max_skip_rate:g}")
        if self.max_error_rate is not None:
            parts.append(f"errors at most {self.max_error_rate:g}")
        where = f" of {self.group}" if self.group is not None else ""
        return f"{self.metric}{where} {', '.join(parts)}"


def _check_reachable(
    metric: str, name: str, bound: float, legal: tuple[float | None, float | None]
) -> None:
    low, high = legal
    if name in {"above", "below"} and bound == (high if name == "above" else low):
        raise ValueError(f"no value of {metric} is {name} {bound:g}")
    if (low is not None and bound < low) or (high is not None and bound > high):
        raise ValueError(
            f"{name} {bound:g} of {metric} lies outside [{low}, {high}]; rates are fractions"
        )


def _check_order(metric: str, low: float | None, high: float | None) -> None:
    if low is not None and high is not None and low > high:
        raise ValueError(f"no value of {metric} is at least {low!r} and at most {high!r}")


class BandOfValues(_Strict):
    """One band: every value from ``at_least`` up to the next band; without it, all below.

    Attributes
    ----------
    label
        What the standard calls values in this band.
    at_least
        The smallest value in the band.
    """

    label: Annotated[str, Field(min_length=1, max_length=200)]
    at_least: float | None = None


class Bands(_Strict):
    """Half-open bands of one metric, highest first, without a gap by construction.

    Attributes
    ----------
    metric
        The metric that is read in bands.
    bands
        Descending; the last one has no ``at_least`` and takes everything below.
    note
        Where the bands come from.

    Examples
    --------
    >>> bands = Bands(
    ...     metric="PR-AUC", bands=[{"label": "strong", "at_least": 0.75}, {"label": "weak"}]
    ... )
    >>> bands.of(0.75), bands.of(0.7499)
    ('strong', 'weak')
    """

    metric: str
    bands: Annotated[tuple[BandOfValues, ...], Field(strict=False, min_length=2)]
    note: Text = ""

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, name: str) -> str:
        return _canonical(name)

    @model_validator(mode="after")
    def _descending(self) -> Bands:
        *upper, last = (band.at_least for band in self.bands)
        starts = [start for start in upper if start is not None]
        if last is not None or len(starts) < len(upper):
            raise ValueError("every band but the last needs at_least, and the last has none")
        if starts != sorted(set(starts), reverse=True):
            raise ValueError("bands are written from the highest to the lowest, each once")
        return self

    def of(self, value: float) -> str:
        """Return the label of the band that holds ``value``."""
        return self.bands[self._index(value)].label

    def spanned(self, low: float, high: float) -> tuple[str, ...]:
        """Return the labels of all bands that ``[low, high]`` touches, highest first."""
        return tuple(b.label for b in self.bands[self._index(high) : self._index(low) + 1])

    def _index(self, value: float) -> int:
        starts = [band.at_least for band in self.bands]
        return next(i for i, start in enumerate(starts) if start is None or value >= start)


class Prices(_Strict):
    """What each kind of error costs, for evaluations that name no prices themselves.

    Attributes
    ----------
    fn, fp, review
        Amounts as in ``Costs``.
    currency
        Printed beside amounts.
    note
        What the amounts are made of.
    """

    fn: Amount
    fp: Amount
    review: Amount = 0
    currency: Annotated[str, Field(max_length=20)] | None = None
    note: Text = ""

    @model_validator(mode="after")
    def _are_costs(self) -> Prices:
        try:
            self.costs  # noqa: B018 - it is made to see whether it can be
        except VeridicalError as error:
            raise ValueError(error.what) from None
        return self

    @property
    def costs(self) -> Costs:
        """The prices as ``evaluate`` takes them."""
        fn, fp, review = (Decimal(str(price)) for price in (self.fn, self.fp, self.review))
        return Costs(fn=fn, fp=fp, review=review, currency=self.currency)


class Policy(_Strict):
    """Rules, bands and prices under a name and a version.

    Attributes
    ----------
    version
        The policy's own version; whoever changes a rule raises it.
    name
        Letters, digits, space, ``.``, ``_`` and ``-``.
    source, description
        Where its numbers come from, and what it is for.
    level
        The coverage of the intervals that its rules are about.  A run that was measured with a
        lower one has narrower intervals, and these decide nothing.
    rules, bands, costs
        What it decides; any may be absent.

    Examples
    --------
    >>> policy = Policy(version=1, name="house", rules=[{"metric": "ROC-AUC", "at_least": 0.9}])
    >>> policy.rules[0].metric, len(policy.sha256)
    ('binary.roc_auc', 64)
    """

    version: int | Annotated[str, Field(min_length=1, max_length=100)]
    name: Annotated[str, Field(pattern=NAME)]
    source: Text = ""
    description: Text = ""
    level: Annotated[float, Field(gt=0, lt=1)] = LEVEL
    rules: Annotated[tuple[Rule, ...], Field(strict=False)] = ()
    bands: Annotated[tuple[Bands, ...], Field(strict=False)] = ()
    costs: Prices | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Policy:
        if not (self.rules or self.bands or self.costs):
            raise ValueError("the policy is empty; give it rules, bands or costs")
        return self

    @property
    def metrics(self) -> tuple[str, ...]:
        """What its rules and bands are about, each metric once."""
        named = [*(rule.metric for rule in self.rules), *(bands.metric for bands in self.bands)]
        return tuple(dict.fromkeys(named))

    def to_dict(self) -> dict[str, Any]:
        """Return what the file says, metrics in canonical form, without what was left out."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form; comments and the spelling of metric names do not count."""
        return strict_json.sha256(self.to_dict())
