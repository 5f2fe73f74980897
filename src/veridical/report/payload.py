"""The shape of what the HTML report shows: one plain dictionary.

Whoever evaluates fills it; the report only lays it out.  Numbers are Python numbers in full
precision, what is undefined is ``None`` beside its reason, and nothing is computed later: the
page formats, draws and looks up.  Every string is untrusted text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

__all__ = [
    "Comparison",
    "MetricEntry",
    "NamedTable",
    "NamedThreshold",
    "OperatingPoint",
    "Passport",
    "Payload",
    "Policy",
    "PolicyRow",
    "Prices",
    "Rate",
    "ReliabilityBin",
    "ResultDict",
    "Shown",
    "Subject",
]

ResultDict: TypeAlias = Mapping[str, Any]
"""What ``Measured.to_dict()`` or ``Skipped.to_dict()`` returned."""


class Rate(TypedDict):
    """A proportion with its Wilson interval.

    ``low`` and ``high`` are None where the rows have fractional weights, because Wilson's interval
    is for counts.
    """

    value: float
    low: float | None
    high: float | None


class OperatingPoint(TypedDict):
    """What happens when scores ``>= threshold`` are flagged.

    ``threshold`` is None exactly where ``flag_nothing`` is true.  It may be infinite, which is a
    legal score.  Counts are ints, or floats where the rows have fractional weights.  A rate whose
    denominator is zero is None, and so is ``cost`` without prices.
    """

    threshold: float | None
    flag_nothing: bool
    tp: float
    fp: float
    fn: float
    tn: float
    recall: Rate | None
    fpr: Rate | None
    precision: Rate | None
    cost: float | None


class ReliabilityBin(TypedDict):
    """Forecasts in one bin ``(start, stop]``, and how often the event happened."""

    start: float
    stop: float
    n: float
    mean_forecast: float
    event_rate: Rate


class NamedThreshold(TypedDict):
    """A standard operating point: ``"cheapest"``, ``"recall at FPR 0.001"``, ``"in use"``.

    ``threshold`` (None: flag nothing) is one of the subject's points, which
    ``operating_points(keep=...)`` makes sure of.
    """

    name: str
    threshold: float | None


class Subject(TypedDict):
    """One score column.

    ``prevalence`` is None without rows.  ``points`` start with flag nothing and descend.
    ``reliability`` is empty where the scores are not probabilities.  The slider starts at the first
    of ``named_thresholds``.
    """

    name: str
    is_probability: bool
    positives: float
    negatives: float
    prevalence: float | None
    points: Sequence[OperatingPoint]
    named_thresholds: Sequence[NamedThreshold]
    reliability: Sequence[ReliabilityBin]


class Passport(TypedDict):
    """What was measured, and with what.

    ``created`` is printed only when given, so that the same data give the same bytes; ``weight`` is
    the column that rows are weighted by, where they are.
    """

    source: str
    sha256: str | None
    rows: int
    label: str
    positive: str
    level: float
    seed: int | None
    versions: Mapping[str, str]
    created: NotRequired[str]
    command: NotRequired[str]
    counts: NotRequired[Mapping[str, int]]
    weight: NotRequired[str | None]


class Prices(TypedDict):
    """Prices as text (``"850"`` or ``"column:amount"``), as ``Costs.to_dict()`` writes them.

    ``false_alarm`` is the sum fp + review, which surprises people and is therefore printed; None
    where one of the two is a column.
    """

    fn: str
    fp: str
    review: str
    false_alarm: str | None
    currency: NotRequired[str]


class MetricEntry(TypedDict, total=False):
    """How a metric is presented; each field may be absent.

    ``bounds`` are the smallest and largest possible value (None: unbounded), ``better`` is its
    direction, ``baseline`` what a forecast without skill gets on this data.
    """

    title: str
    better: Literal["higher", "lower", "target"]
    bounds: tuple[float | None, float | None]
    money: bool
    baseline: float
    baseline_name: str


class Comparison(TypedDict):
    """A paired difference ``a - b`` on the same rows.

    ``difference`` is a result whose value and interval are those of the difference; ``p_value``
    and ``p_adjusted`` (over the comparisons of this report) are None where there is none.
    """

    metric: str
    a: str
    b: str
    value_a: float | None
    value_b: float | None
    difference: ResultDict
    p_value: float | None
    p_adjusted: float | None
    method: str


class PolicyRow(TypedDict):
    """One rule of a policy and what the data say about it.

    ``verdict`` is ``"skipped"`` where the metric has no value; ``vacuous`` is true where a
    forecast without skill also meets the rule.  ``why`` is not in documents of older versions.
    """

    rule: str
    result: ResultDict
    verdict: Literal["met", "not met", "undecided", "skipped"]
    vacuous: bool
    why: NotRequired[str]
    note: str


class Policy(TypedDict):
    """A policy by name, its rows, and the verdict over all of them."""

    name: str
    verdict: Literal["met", "not met", "undecided"]
    rows: Sequence[PolicyRow]


class NamedTable(TypedDict):
    """A table of text beside the results: a section with an anchor, and how to read it."""

    anchor: str
    heading: str
    lede: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Shown(TypedDict):
    """Results and comparisons, and how they are presented.

    ``results`` stand in the order in which they are shown; those of groups name a ``group``.
    ``metrics`` maps canonical metric names to their presentation, and ``note_sentences`` short
    notes (as in ``result["notes"]``) to what they mean.
    """

    results: Sequence[ResultDict]
    comparisons: NotRequired[Sequence[Comparison]]
    metrics: NotRequired[Mapping[str, MetricEntry]]
    note_sentences: NotRequired[Mapping[str, str]]


class Payload(Shown):
    """Everything that the report of score columns shows."""

    title: str
    passport: Passport
    subjects: Sequence[Subject]
    costs: NotRequired[Prices]
    policy: NotRequired[Policy]
    tables: NotRequired[Sequence[NamedTable]]
    notes: NotRequired[Sequence[str]]
